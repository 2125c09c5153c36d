"""Measures a training loop's speed for each supply mode (Quiver, §5.3).

The same measures as the Java loader takes: batches after a change of supply do not count, and those that
do are timed in blocks, because batches that are read together come together. Times are seconds of any
steady clock, passed in. For one rank; not thread-safe.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Literal, NamedTuple

SupplyMode = Literal["hit", "shared", "miss", "mixed"]
"""The supply mode of a batch: all cached, brought in together, all from the store, some of each."""

_BLOCKS = 15
_TURNS = 4
_KEPT = 0.98
_LONGEST_WORK = 5.0
_FIRST_PAUSE = 8
_WEIGHT_OF_NEWEST = 0.1


class Interval(NamedTuple):
    """The time between two batches; None before the first. ``waited`` is the part without work."""

    seconds: float | None
    waited: float


class LoopClock:
    """Tells the time a training loop waits for a batch from the time it works on the last one."""

    def __init__(self) -> None:
        self.item_seconds = 0.0
        self.working_since: float | None = None
        self._asked_at = 0.0
        self._work: float | None = None
        self._items = 1

    def asked(self, now: float) -> None:
        """Note that the loop asks for a batch: it has finished the last one."""
        if self.working_since is not None:
            self._work = max(0.0, now - self.working_since)
            self._learn(self._work / max(1, self._items))
        self.working_since = None
        self._asked_at = now

    def _learn(self, seconds: float) -> None:
        first = self.item_seconds == 0
        self.item_seconds += seconds if first else _WEIGHT_OF_NEWEST * (seconds - self.item_seconds)

    def answered(self, now: float, items: int) -> Interval:
        """Note that the loop has got a batch; returns the time since the one before."""
        waited = max(0.0, now - self._asked_at)
        interval = Interval(None if self._work is None else self._work + waited, waited)
        self._work = None
        self.working_since = now
        self._items = items
        return interval

    def rest(self) -> None:
        """Note that the loop has ended: the time before the next one is no work."""
        self.working_since = None
        self._work = None


class _BlockTimes:
    """The times of the latest blocks of batches under one supply mode."""

    def __init__(self, most: int):
        self._blocks: deque[float] = deque(maxlen=most)
        self._latest = 0.0
        self._added = 0

    def add(self, item_seconds: float, now: float) -> None:
        self._blocks.append(item_seconds)
        self._latest = now
        self._added += 1

    def middle(self, block: int, now: float) -> dict[str, Any]:
        """Return the mean of the middle half."""
        ordered = sorted(self._blocks)
        left = len(ordered) // 4
        return self._timing(ordered[left : len(ordered) - left], block, now)

    def mean(self, block: int, now: float) -> dict[str, Any]:
        """Return the mean without the longest value, for values that alternate."""
        ordered = sorted(self._blocks)
        return self._timing(ordered[:-1] if len(ordered) > 2 else ordered, block, now)

    def _timing(self, counted: list[float], block: int, now: float) -> dict[str, Any]:
        if not counted:
            return {"seconds": 0.0, "batches": 0, "age_seconds": 0.0}
        return {
            "seconds": sum(counted) / len(counted),
            "batches": self._added * block,
            "age_seconds": max(0.0, now - self._latest),
        }


class SpeedMeter:
    """Measures one rank.

    :param ahead: how many batches the loader reads ahead
    """

    def __init__(self, ahead: int):
        self._discarded = self._block = 2 * max(1, ahead)
        self._times = {
            "hit": _BlockTimes(_BLOCKS),
            "shared": _BlockTimes(_TURNS * _BLOCKS),
            "miss": _BlockTimes(_BLOCKS),
        }
        self._current: SupplyMode = "mixed"
        self._batches = self._probed = 0
        self._usual_work = self._recent = self._recent_waited = 0.0
        self.begin()

    @property
    def least_probe(self) -> int:
        """The number of batches a probe needs: two whole blocks, whatever is under way before and after."""
        return 2 * self._discarded + 2 * self._block

    def begin(self) -> None:
        """Note that the loop begins an epoch or comes back from a pause: its queue is empty."""
        self._to_discard = self._discarded
        self._start_block()

    def _start_block(self) -> None:
        self._in_block = self._block_items = 0
        self._block_seconds = 0.0

    def delivered(
        self, items: int, interval: Interval, supply_mode: SupplyMode, probed: bool, now: float
    ) -> None:
        """Take a batch into account."""
        self._batches += 1
        self._probed += probed
        if supply_mode != self._current:
            self._current = supply_mode
            self.begin()
        if interval.seconds is None or items < 1:
            return
        self._recent = _KEPT * self._recent + interval.seconds
        self._recent_waited = _KEPT * self._recent_waited + min(interval.waited, interval.seconds)
        if self._is_pause(interval.seconds - interval.waited):
            self.begin()
        elif self._to_discard > 0:
            self._to_discard -= 1
        else:
            self._count(items, interval.seconds, now)

    def _is_pause(self, work: float) -> bool:
        """Return True if the loop did something else before it asked, such as writing a checkpoint."""
        work = max(0.0, work)
        longest = _LONGEST_WORK * self._usual_work
        pause = self._batches > _FIRST_PAUSE and work > longest
        first = self._usual_work == 0
        self._usual_work += work if first else _WEIGHT_OF_NEWEST * (min(work, longest) - self._usual_work)
        return pause

    def _count(self, items: int, seconds: float, now: float) -> None:
        self._in_block += 1
        self._block_items += items
        self._block_seconds += seconds
        if self._in_block == self._block:
            if self._current != "mixed":
                self._times[self._current].add(self._block_seconds / self._block_items, now)
            self._start_block()

    def speeds(self, to_come: int, last_probe: int, now: float) -> dict[str, Any]:
        """Return the measurements as reports have them.

        :param to_come: how many batches are to come in this run; negative when nobody knows
        :param last_probe: the last probe that is finished
        """
        stall = self._recent_waited / self._recent if self._recent else 0.0
        return {
            "hit": self._times["hit"].middle(self._block, now),
            "shared": self._times["shared"].mean(self._block, now),
            "miss": self._times["miss"].middle(self._block, now),
            "stall": min(1.0, max(0.0, stall)),
            "batches": self._batches,
            "probed": self._probed,
            "to_come": to_come,
            "least_probe": self.least_probe,
            "last_probe": last_probe,
        }
