"""How many items of each batch come from where."""

from __future__ import annotations

import math

from quiver.order.setup import RingRole

# When fewer than this many batches are left, every candidate is asked for.
_TAIL_BATCHES = 10


class BatchSplit:
    """Lets pinned chunks, rotating ones and the store be used up together over an epoch.

    What rounding leaves over is carried to the next batch.
    """

    def __init__(self) -> None:
        self._window_carry = 0.0
        self._cache_carry = 0.0

    def from_cache(self, ring: bool, own: int, resident: int, unread: int) -> int:
        """How many items of a batch come from the cache: all, if the ring brings the others in time.

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
        """How many of those that come from the cache come from rotating chunks."""
        if ring_role == "follower":
            return min(want, window)
        left = max(1, unread)
        ideal = self._window_carry + float(want) * (left - pinned) / left
        taken = _clamp(_round(ideal), want - min(want, pinned), min(want, window))
        self._window_carry = _bounded(ideal - taken)
        return taken


def slack(want: int, resident: int, unread: int, batch: int) -> int:
    """How many more candidates to name than are wanted, in case some are not there after all."""
    spare = resident - want
    return spare if unread < _TAIL_BATCHES * batch else min(spare, want // 8)


def _round(value: float) -> int:
    """As Java rounds: halves up."""
    floor = math.floor(value)
    return floor + 1 if value - floor >= 0.5 else floor


def _clamp(value: int, least: int, most: int) -> int:
    return min(max(value, least), most)


def _bounded(carry: float) -> float:
    return min(max(carry, -1.0), 1.0)
