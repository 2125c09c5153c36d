"""The next uses of the entries of lists, and what a cache that knows them would save."""

from __future__ import annotations

import heapq
import itertools

import numpy as np
import numpy.typing as npt

from quiver.order.lists import ItemList
from quiver.order.permutation import GOLDEN, SeededPermutation, derive, mix_all

Curve = list[float]
"""The share of reads that go to the store with 0, 1, … 16 sixteenths of the data set cached."""

STEPS = 16

_MOST_ITEMS = 4096
_SAMPLE_SEED = 0x5DEECE66D
_NEVER = 1 << 40
"""The next use of an item that has none, but for its number."""

Places = npt.NDArray[np.int64]
NextUses = npt.NDArray[np.int32] | npt.NDArray[np.int64]


def next_uses(entries: ItemList, following: ItemList) -> NextUses:
    """Return where the item of each entry stands next: in this list, or behind it in the following one.

    -1 where there is no further use.

    >>> next_uses(ItemList(3, [2, 1, 2]), ItemList(3, [0, 1])).tolist()
    [2, 4, -1]
    """
    together = np.concatenate((entries.entries, following.entries))
    order = np.argsort(together, kind="stable")
    narrow = len(together) < 1 << 31
    uses: NextUses = np.full(len(together), -1, np.int32) if narrow else np.full(len(together), -1, np.int64)
    same = together[order[:-1]] == together[order[1:]]
    uses[order[:-1][same]] = order[1:][same]
    return uses[: len(entries)].copy()


def list_curve(entries: ItemList, last: ItemList) -> Curve:
    """Replay a list for caches of each size that evict the latest next use.

    Many items are sampled: a cache that keeps a tenth of a random tenth of the items hits as often as one
    that keeps a tenth of all.

    :param last: the list that was read before it. What came before both and what follows is like them, with
        other items
    """
    numbers = _sampled(max(entries.items, last.items))
    before, now = _only(last, numbers), _only(entries, numbers)
    lists = [_renamed(now, 1), _renamed(before, 2), before, now, _renamed(before, 3)]
    uses = [next_uses(each, after).tolist() for each, after in itertools.pairwise(lists)]
    unread = [1.0]
    for held in range(1, STEPS):
        if len(now) == 0:
            unread.append(1.0)
            continue
        cache = _NextUseCache((2 * now.items * held + STEPS) // (2 * STEPS))
        base = hits = 0
        for each, its_uses in zip(lists, uses, strict=False):
            hits = cache.replay(each, its_uses, base)
            base += len(each)
        unread.append(min(unread[-1], 1 - hits / len(now)))
    return [*unread, 0.0]


class _NextUseCache:
    """Keeps what is used soonest; decides as the keeper ``Ranked`` of the servers does."""

    def __init__(self, size: int):
        self._size = size
        self._kept: dict[int, int] = {}  # item → its next use; a use that never comes is the latest
        self._latest: list[tuple[int, int]] = []  # (- next use, item), some out of date

    def replay(self, entries: ItemList, uses: list[int], base: int) -> int:
        """Read a list; return how many reads were hits."""
        hits = 0
        kept = self._kept
        for item, use in zip(entries.entries.tolist(), uses, strict=True):
            position = _NEVER + item if use < 0 else base + use
            if item in kept:
                hits += 1
            elif use < 0 or (len(kept) >= self._size and not self._evict_later_than(position)):
                continue
            kept[item] = position
            heapq.heappush(self._latest, (-position, item))
        return hits

    def _evict_later_than(self, position: int) -> bool:
        while self._latest:
            use, item = self._latest[0]
            if self._kept.get(item) == -use:
                if -use < position:
                    return False
                del self._kept[item]
                heapq.heappop(self._latest)
                return True
            heapq.heappop(self._latest)
        return False


def _sampled(items: int) -> Places:
    """Return the new number of each item, or -1 for those left out."""
    shift = ((items - 1) // _MOST_ITEMS).bit_length()
    if shift == 0:
        return np.arange(items)
    parts = mix_all(np.arange(items, dtype=np.uint64) + np.uint64(GOLDEN))
    drawn = mix_all(parts + np.uint64(_SAMPLE_SEED))
    taken = drawn >> np.uint64(64 - shift) == 0
    return np.where(taken, np.cumsum(taken) - 1, -1)


def _renamed(entries: ItemList, part: int) -> ItemList:
    """Return a list of other items with the same repeats: a stand-in for one that is not known."""
    names = SeededPermutation(entries.items, derive(_SAMPLE_SEED, part))
    return ItemList(entries.items, names.at(entries.entries.astype(np.int64)))


def _only(entries: ItemList, numbers: Places) -> ItemList:
    kept = numbers[entries.entries]
    return ItemList(max(1, int(numbers.max()) + 1), kept[kept >= 0])
