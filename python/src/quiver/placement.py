"""Finds the server that owns a blob: weighted rendezvous hashing over 65,536 slots.

Every member draws for every slot and the best draw for its weight wins. So a member that leaves gives up
only its own slots and one that joins takes only what it wins. ``test-vectors/placement`` has the exact
definition; no floating point is used, because logarithms differ in their last bits between platforms.

>>> table = SlotTable.of([("10.0.0.1:7071", 1), ("10.0.0.2:7071", 2)])
>>> table.shares().tolist()
[22093, 43443]
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from quiver.wire import Hashes

SLOTS = 1 << 16
MAX_MEMBERS = 4096
MAX_WEIGHT = 1 << 24

_ALLOWED = re.compile(r"[!-~]{1,255}")
_GOLDEN = 0x9E3779B97F4A7C15

Words = npt.NDArray[np.uint64]


class SlotTable:
    """The owner of each slot, as a place in ``names``, which are sorted."""

    def __init__(self, names: tuple[str, ...], owners: npt.NDArray[np.int64]):
        self.names = names
        self.owners = owners

    @staticmethod
    def of(members: Iterable[tuple[str, int]]) -> SlotTable:
        """Make the table of these members, given as (name, weight) in any order."""
        return _table(tuple(sorted(members)))

    def owner_of(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """Return the place in ``names`` of the member that owns each of these blobs."""
        slots = hashes[:, 0].astype(np.int64) << 8 | hashes[:, 1]
        owners: npt.NDArray[np.int64] = self.owners[slots]
        return owners

    def shares(self) -> npt.NDArray[np.int64]:
        """Return the number of slots that each member owns."""
        return np.bincount(self.owners, minlength=len(self.names)).astype(np.int64)


@lru_cache(maxsize=8)
def _table(members: tuple[tuple[str, int], ...]) -> SlotTable:
    _require_members(members)
    names = tuple(name for name, _ in members)
    equal = len({weight for _, weight in members}) == 1
    owners = _greatest_draw(names) if equal else _least_cost(members)
    owners.setflags(write=False)
    return SlotTable(names, owners)


def _require_members(members: tuple[tuple[str, int], ...]) -> None:
    if not 1 <= len(members) <= MAX_MEMBERS:
        raise ValueError(f"a slot table has 1 to {MAX_MEMBERS} members, not {len(members)}")
    names = [name for name, _ in members]
    if len(set(names)) != len(names):
        raise ValueError(f"a member is listed twice: {sorted(names)}")
    for name, weight in members:
        if not _ALLOWED.fullmatch(name):
            raise ValueError(
                f"not a member's name: {name!r}; use 1 to 255 printable ASCII characters without spaces"
            )
        if not 1 <= weight <= MAX_WEIGHT:
            raise ValueError(f"member {name} has weight {weight}; it must be 1 to {MAX_WEIGHT}")


def draws(name: str) -> Words:
    """Return the draws of a member for all slots: SplitMix64 seeded by its name."""
    seed = int.from_bytes(hashlib.sha256(name.encode("ascii")).digest()[:8], "big")
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, SLOTS + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def costs(drawn: Words) -> Words:
    """Compute 2^32 · −log2(draw / 2^64) in whole numbers."""
    draw = drawn | np.uint64(1)
    zeros = _leading_zeros(draw)
    fraction = draw << zeros
    fraction = (fraction << np.uint64(1)) >> np.uint64(32)
    index = (fraction >> np.uint64(20)).astype(np.int64)
    rest = fraction & np.uint64((1 << 20) - 1)
    logs = _logarithms()
    low = logs[index]
    log = low + ((logs[index + 1] - low) * rest >> np.uint64(20))
    return (zeros + np.uint64(1)) * np.uint64(1 << 32) - log


def _leading_zeros(values: Words) -> Words:
    zeros = np.zeros(values.shape, np.uint64)
    rest = values.copy()
    for step in (32, 16, 8, 4, 2, 1):
        small = rest < np.uint64(1 << (64 - step))
        zeros[small] += np.uint64(step)
        rest[small] <<= np.uint64(step)
    return zeros


@lru_cache(maxsize=1)
def _logarithms() -> Words:
    """Compute log2(1 + i / 4096) · 2^32 for i from 0 to 4096, by repeated squaring."""
    x = np.uint64(1 << 31) + np.arange(4096, dtype=np.uint64) * np.uint64(1 << 19)
    result = np.zeros(4097, np.uint64)
    for _ in range(32):
        x = x * x >> np.uint64(31)
        great = x >= np.uint64(1 << 32)
        result[:4096] = result[:4096] << np.uint64(1) | great
        x = np.where(great, x >> np.uint64(1), x)
    result[4096] = 1 << 32
    return result


def _greatest_draw(names: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """Choose owners among equal weights: the greatest draw wins, since costs never rise with the draw."""
    owners = np.zeros(SLOTS, np.int64)
    best = draws(names[0])
    for place, name in enumerate(names[1:], 1):
        drawn = draws(name)
        better = drawn > best
        best[better] = drawn[better]
        owners[better] = place
    return owners


def _least_cost(members: tuple[tuple[str, int], ...]) -> npt.NDArray[np.int64]:
    owners = np.zeros(SLOTS, np.int64)
    best_draw = draws(members[0][0])
    best_cost = costs(best_draw)
    best_weight = np.full(SLOTS, members[0][1], np.uint64)
    for place, (name, weight) in enumerate(members[1:], 1):
        drawn = draws(name)
        cost = costs(drawn)
        mine, theirs = cost * best_weight, best_cost * np.uint64(weight)
        better = (mine < theirs) | ((mine == theirs) & (drawn > best_draw))
        best_draw[better] = drawn[better]
        best_cost[better] = cost[better]
        best_weight[better] = weight
        owners[better] = place
    return owners
