"""Splits each batch among pinned chunks, rotating chunks and the store."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quiver.order.setup import RingRole

# Every candidate is asked for once fewer than this many batches are left.
_TAIL_BATCHES = 10


class BatchSplit:
    """Lets pinned chunks, rotating ones and the store be used up together over an epoch.

    What rounding leaves over is carried to the next batch.

    :param whole_chunk: how many items a chunk has of which nothing was read
    """

    def __init__(self, whole_chunk: int) -> None:
        self._whole_chunk = whole_chunk
        self._window_carry = 0.0
        self._cache_carry = 0.0

    def from_cache(self, ring: bool, own: int, resident: int, unread: int) -> int:
        """Return how many items of a batch come from the cache: all, if the ring brings the others in time.

        Otherwise in proportion, so that the store is read evenly throughout the epoch.
        """
        most = min(own, resident)
        if ring:
            return most
        left = max(1, unread)
        ideal = self._cache_carry + float(own) * resident / left
        taken = _clamp(_round(ideal), max(0, own - (left - resident)), most)
        self._cache_carry = _bounded(ideal - taken)
        return taken

    def from_window(self, want: int, pinned: int, window: int, unread: int, ring_role: RingRole) -> int:
        """Return how many of the items from the cache come from rotating chunks."""
        if ring_role == "follower":
            return min(want, window)
        left = max(1, unread)
        ideal = self._window_carry + float(want) * (left - pinned) / left
        taken = _clamp(_round(ideal), want - min(want, pinned), min(want, window))
        self._window_carry = _bounded(ideal - taken)
        return taken

    def lots(self, unread: Sequence[int]) -> list[int]:
        """Return how many items of each rotating chunk are in the lottery for the next batch.

        All but those it keeps in reserve, half a chunk for every older one, so that the oldest is used up
        first and the ring can move on.
        """
        lots = []
        older = 0
        for left in unread:
            lots.append(max(0, left - older * self._whole_chunk // 2))
            older += left > 0
        return lots


def slack(want: int, resident: int, unread: int, batch: int) -> int:
    """Return how many more candidates to name than are wanted, in case some are not there after all."""
    spare = resident - want
    return spare if unread < _TAIL_BATCHES * batch else min(spare, want // 8)


def _round(value: float) -> int:
    """Round halves up, as Java does."""
    floor = math.floor(value)
    return floor + 1 if value - floor >= 0.5 else floor


def _clamp(value: int, least: int, most: int) -> int:
    return min(max(value, least), most)


def _bounded(carry: float) -> float:
    return min(max(carry, -1.0), 1.0)
