"""Draws lots without putting them back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quiver.order.permutation import SeededRandom

# Beyond this many doubtful tickets a tree is faster than looking back for each.
_MOST_DOUBTS = 48


def draw_owners(lots: Sequence[int], count: int, random: SeededRandom) -> list[int]:
    """Draw so many lots, each as likely as any other and once at most; returns their owners.

    Ticket *i* counts through the lots that are left after *i* draws. Its owner is looked up in what there
    was at first; since every boundary moves down by at most one for each draw before it, that is right
    unless the ticket lies close below the owner's end. Only those are looked at again.

    :param lots: how many lots each owner has
    :param count: at most as many as there are
    """
    ends = np.cumsum(np.asarray(lots, np.int64))
    total = int(ends[-1])
    before = np.arange(count, dtype=np.int64)
    tickets = random.below_all((total - before).astype(np.uint64))
    owners = np.searchsorted(ends, tickets, side="right")
    doubtful = np.flatnonzero(tickets + before >= ends[owners])
    if len(doubtful) > _MOST_DOUBTS:
        return _with_tree(lots, tickets.tolist())
    for index in doubtful.tolist():
        earlier = owners[:index]
        owner = int(owners[index])
        while tickets[index] >= ends[owner] - np.count_nonzero(earlier <= owner):
            owner += 1
        owners[index] = owner
    found: list[int] = owners.tolist()
    return found


def _with_tree(lots: Sequence[int], tickets: list[int]) -> list[int]:
    """Draw lots with a Fenwick tree over how many lots each owner has left."""
    size = len(lots)
    tree = [0, *lots]
    for i in range(1, size + 1):
        parent = i + (i & -i)
        if parent <= size:
            tree[parent] += tree[i]
    top = 1 << (size.bit_length() - 1)
    owners = []
    for ticket in tickets:
        owner, step, rest = 0, top, ticket
        while step:
            following = owner + step
            if following <= size and tree[following] <= rest:
                rest -= tree[following]
                owner = following
            step >>= 1
        owners.append(owner)
        i = owner + 1
        while i <= size:
            tree[i] -= 1
            i += i & -i
    return owners
