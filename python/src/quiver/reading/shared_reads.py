"""Reads from the store that later batches of a list may join."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quiver.digest import Digest
from quiver.reading.items import Fetched
from quiver.reading.ranker import Ranker


class Rank(NamedTuple):
    """A priority of an item, and how many samples the job had read when it gave it."""

    priority: int
    position: int | None


@dataclass
class _Shared:
    """One read from the store.

    :param space: into which the item is inserted; None for none
    :param rank: the latest that the job gave
    :param read: the item, as soon as the read has begun
    :param offered: the rank with which the item was inserted
    :param inserting: whether the item may be about to be inserted
    :param waits: whether the batch that began the read was not handed out yet
    """

    space: str | None
    rank: Rank
    read: Future[Fetched] | None = None
    offered: Rank | None = None
    inserting: bool = True
    waits: bool = True


class SharedReads:
    """The reads of a process that are under way, whose batch waits, or whose insert has not ended.

    Repeats of a list stand a few batches apart. One that is asked for while the item is read, or before it
    has arrived in the cache, would be read from the store again. What waits is bounded by those who read
    ahead, and inserts by their queue. Safe for many threads.
    """

    def __init__(self, digest: Digest, ranker: Ranker):
        self._digest, self._ranker = digest, ranker
        self._lock = threading.Lock()
        self._reads: dict[int, _Shared] = {}

    def begin(self, item: int, space: str | None, rank: Rank) -> bool:
        """Note that an item is about to be read; returns False if it is read already."""
        with self._lock:
            known = item in self._reads
            if not known:
                self._reads[item] = _Shared(space, rank)
            return not known

    def begun(self, item: int, read: Future[Fetched]) -> None:
        """Let other batches join a read."""
        with self._lock:
            if item in self._reads:
                self._reads[item].read = read

    def join(self, item: int, rank: Rank | None) -> Future[Fetched] | None:
        """Return the read of an item, if there is one, and give the item another rank."""
        with self._lock:
            known = self._reads.get(item)
            if known is None or known.read is None:
                return None
            known.rank = rank or known.rank
            outdated = not known.inserting and known.offered not in (None, known.rank)
        if outdated:
            self._tell(item, known)
        return known.read

    def offered(self, item: int) -> Rank | None:
        """Return the rank with which an item is inserted now."""
        with self._lock:
            known = self._reads.get(item)
            if known is not None:
                known.offered = known.rank
            return None if known is None else known.rank

    def settle(self, item: int) -> None:
        """Note that an item was inserted, or will not be."""
        with self._lock:
            known = self._reads.get(item)
            if known is None:
                return
            known.inserting = False
            outdated = known.offered not in (None, known.rank)
            self._remove_ended([item])
        if outdated:
            self._tell(item, known)

    def hand_out(self, items: Iterable[int]) -> None:
        """Note that the batch of these items was handed out, or is given up."""
        with self._lock:
            kept = [item for item in items if item in self._reads]
            for item in kept:
                self._reads[item].waits = False
            self._remove_ended(kept)

    def _remove_ended(self, items: Iterable[int]) -> None:
        for item in items:
            known = self._reads[item]
            if not known.waits and not known.inserting:
                del self._reads[item]

    def _tell(self, item: int, known: _Shared) -> None:
        if known.space is not None:
            hashes, priorities = self._digest.hashes[[item]], np.array([known.rank.priority], np.int64)
            self._ranker.tell(known.space, hashes, priorities, known.rank.position)
            known.offered = known.rank

    def __len__(self) -> int:
        return len(self._reads)
