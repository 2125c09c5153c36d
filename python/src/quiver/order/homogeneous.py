"""Draws batches of items that lie near each other in the data set."""

from __future__ import annotations

from collections.abc import Sequence

from quiver.order.permutation import SeededRandom
from quiver.order.share import RankShare

# Shots in the dark before the items are searched.
_PROBES = 4


class HomogeneousItems:
    """Takes items from one stretch of the data set as far as it lasts, then from those next to it.

    So those of a batch are alike in what the data set is sorted by, such as the length of a sequence
    (Quiver, §5.1). There are about as many stretches as chunks. Needs a share in which everything that is
    not free is marked.
    """

    def __init__(self, share: RankShare, random: SeededRandom):
        self._share = share
        self._layout = share.layout
        self._random = random
        self._each = max(1, -(-self._layout.partitions // self._layout.chunks))
        self._stretches = -(-self._layout.partitions // self._each)

    def stretch_in(self, chunk: int) -> int:
        """Choose the stretch of a random free item of a chunk: the more is left in one, the likelier."""
        return self._layout.partition_of(self._share.pools[chunk].peek()) // self._each

    def take_near(self, stretch: int, chunks: Sequence[int], count: int, target: list[int]) -> None:
        """Take from these chunks, in their order within each stretch, nearest first."""
        end = len(target) + count
        for turn in range(2 * self._stretches):
            if len(target) >= end:
                return
            near = _neighbour(stretch, turn)
            if 0 <= near < self._stretches:
                for chunk in chunks:
                    self._take_of(chunk, near, target, end)

    def _take_of(self, chunk: int, stretch: int, target: list[int], end: int) -> None:
        pool = self._share.pools[chunk]
        if pool.available == 0:
            return
        while len(target) < end:
            item = self._free_of(chunk, stretch)
            if item < 0:
                return
            target.append(item)
            self._share.take_item(chunk, item)

    def _free_of(self, chunk: int, stretch: int) -> int:
        """Choose a random free item of a chunk in a stretch, or −1: the first after a random unit."""
        layout, below, free = self._layout, self._random.below, self._share.free
        unit, length, items = layout.unit, layout.round, layout.items
        first = stretch * self._each
        count = min(self._each, layout.partitions - first)
        begin = first * length + chunk * unit
        for _ in range(_PROBES):
            place = begin + below(count) * length
            size = min(unit, items - place)
            if size > 0:
                item = place + below(size)
                if free(item):
                    return item
        return self._share.next_free(chunk, first, count, below(count))


def _neighbour(stretch: int, turn: int) -> int:
    """Return the stretch itself, then 1 to the right, 1 to the left, 2 to the right and so on."""
    distance = (turn + 1) // 2
    return stretch + distance if turn % 2 else stretch - distance
