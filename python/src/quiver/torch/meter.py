"""Measures a job and has it try out what the manager asks for."""

from __future__ import annotations

from typing import Any

from quiver.plan import DatasetPlan, JobPlan
from quiver.reading.request import Counts
from quiver.speeds import LoopClock, SpeedMeter, SupplyMode


class JobMeter:
    """One rank's speeds, and which of its batches are probes. For one thread.

    :param ahead: how many batches are read ahead
    """

    def __init__(self, ahead: int):
        self.clock = LoopClock()
        self._meter = SpeedMeter(ahead)
        self._probe = 0
        self._last_probe = 0
        self._to_probe = 0
        self._being_probed = 0

    def begin(self) -> None:
        """An epoch begins."""
        self.clock.rest()
        self._meter.begin()
        self._being_probed = 0

    def probes_next(self, plan: JobPlan | None) -> bool:
        """Whether the next batch is to be read from the store alone."""
        asked = None if plan is None else plan.probe
        if asked is not None and asked.id > self._probe:
            self._probe = asked.id
            self._to_probe = asked.batches
        probes = self._to_probe > 0
        self._to_probe -= probes
        self._being_probed += probes
        return probes

    def delivered(
        self, items: int, counts: Counts, held: DatasetPlan | None, probed: bool, now: float
    ) -> bool:
        """A batch was handed out; says whether a probe ended with it."""
        interval = self.clock.answered(now, items)
        self._meter.delivered(items, interval, _supply_mode(items, counts, held, probed), probed, now)
        if not probed:
            return False
        self._being_probed = max(0, self._being_probed - 1)
        ended = self._to_probe + self._being_probed == 0
        self._last_probe = self._probe if ended else self._last_probe
        return ended

    def speeds(self, to_come: int, now: float) -> dict[str, Any]:
        """What has been measured, as reports have it."""
        return self._meter.speeds(to_come, self._last_probe, now)


def _supply_mode(items: int, counts: Counts, held: DatasetPlan | None, probed: bool) -> SupplyMode:
    """What the time of a batch tells about, by where its items came from."""
    if held is not None and held.ring and not probed:
        return "shared"
    if counts.stored == items:
        return "miss"
    return "hit" if counts.cached == items else "mixed"
