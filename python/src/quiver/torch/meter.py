"""Measures one rank: its speeds, its probes and the sources of its items."""

from __future__ import annotations

from dataclasses import asdict, dataclass
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
        """Note that an epoch begins."""
        self.clock.rest()
        self._meter.begin()
        self._being_probed = 0

    def probes_next(self, plan: JobPlan | None) -> bool:
        """Return True if the next batch is to be read from the store alone."""
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
        """Note a batch that was handed out; returns True if a probe ended with it."""
        interval = self.clock.answered(now, items)
        self._meter.delivered(items, interval, _supply_mode(items, counts, held, probed), probed, now)
        if not probed:
            return False
        self._being_probed = max(0, self._being_probed - 1)
        ended = self._to_probe + self._being_probed == 0
        self._last_probe = self._probe if ended else self._last_probe
        return ended

    def speeds(self, to_come: int, now: float) -> dict[str, Any]:
        """Return the measurements as reports have them."""
        return self._meter.speeds(to_come, self._last_probe, now)


def _supply_mode(items: int, counts: Counts, held: DatasetPlan | None, probed: bool) -> SupplyMode:
    """Return the supply mode of a batch by the sources of its items."""
    if held is not None and held.ring and not probed:
        return "shared"
    if counts.stored == items:
        return "miss"
    return "hit" if counts.cached == items else "mixed"


@dataclass
class Tally:
    """Sums over all batches that were handed out.

    :param cached: items that were in the cache
    :param cooperative: items that another job fetched at the same time
    :param store_reads: items that were read from the store for a batch
    :param store_bytes: their bytes
    :param substituted: items that were taken in place of others
    :param changed: items that are not what the digest says
    """

    batches: int = 0
    items: int = 0
    cached: int = 0
    cooperative: int = 0
    store_reads: int = 0
    store_bytes: int = 0
    substituted: int = 0
    changed: int = 0

    def add(self, items: int, counts: Counts) -> None:
        """Count a batch."""
        self.batches += 1
        self.items += items
        self.cached += counts.cached
        self.cooperative += counts.cooperative
        self.store_reads += counts.stored
        self.store_bytes += counts.stored_bytes
        self.substituted += counts.substituted
        self.changed += counts.changed

    def to_dict(self) -> dict[str, int]:
        """Return the numbers by name."""
        return asdict(self)
