"""What a loader has done so far."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from quiver.reading.request import Counts


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
        """As numbers by name."""
        return asdict(self)
