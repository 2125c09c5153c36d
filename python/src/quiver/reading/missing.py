"""The items of one batch that have to be read from wherever they can be had."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quiver import rules
from quiver.client import Answer
from quiver.digest import Digest
from quiver.errors import LoadError
from quiver.reading.access import CacheAccess
from quiver.reading.inserter import Inserter
from quiver.reading.items import Fetched, ItemReader
from quiver.reading.patience import ClaimPatience
from quiver.reading.pool import DaemonPool
from quiver.reading.ranker import Ranker
from quiver.reading.request import Ranking
from quiver.reading.shared_reads import Rank, SharedReads
from quiver.wire import Status

_LONGEST_READ_SECONDS = 600.0

Space = str | None


@dataclass(frozen=True)
class Sources:
    """Everything items can come from in one process."""

    digest: Digest
    access: CacheAccess
    items: ItemReader
    pool: DaemonPool
    inserter: Inserter
    ranker: Ranker
    shared: SharedReads
    patience: ClaimPatience = field(default_factory=ClaimPatience)


@dataclass
class MissingItems:
    """Items of held chunks are shared with the other jobs, all others come straight from the store.

    The cache says who fetches each shared item (Quiver, §4.4); who is told to wait looks again until the item
    is there or the job's patience has run out, and then reads and inserts it as if nobody had claimed it.

    :param items: what is to be read
    :param spaces: for each, the space it belongs to, None for none
    :param ranking: priorities in a ranked space; None in any other
    :param joins: whether items repeat, so that reads of other batches are joined
    :param ahead: whether nobody waits for the items yet: a read that fails is repeated when somebody does
    """

    sources: Sources
    items: Sequence[int]
    spaces: Sequence[Space]
    ranking: Ranking | None = None
    joins: bool = False
    ahead: bool = False
    payloads: list[Any] = field(init=False)
    cached: int = 0
    cooperative: int = 0
    cache_failure: str = ""
    _readings: list[tuple[int, Future[Fetched]]] = field(default_factory=list)
    _joined: list[tuple[int, Future[Fetched]]] = field(default_factory=list)
    _offered_to_join: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.payloads = [None] * len(self.items)

    def from_store(self) -> None:
        """Read all of them from the store, into the cache where they have a space."""
        for index in self._join():
            self._fetch(index, self.spaces[index])

    def _join(self) -> list[int]:
        """Join the reads of other batches; returns what nobody reads."""
        rest = []
        for index in range(len(self.items)):
            read = self.sources.shared.join(self.items[index], self._rank(index)) if self.joins else None
            if read is None:
                rest.append(index)
            else:
                self._joined.append((index, read))
        self.cached = len(self._joined)
        return rest

    def _rank(self, index: int) -> Rank | None:
        ranking = self.ranking
        if ranking is None or ranking.priorities[index] < 0:
            return None
        return Rank(int(ranking.priorities[index]), ranking.position)

    def through_cache(self) -> None:
        """Read from the cache what it has; the rest from the store and into the cache."""
        open_ = self._join()
        answer = self._ask(open_, claim=False)
        down = answer is None or bool(answer.failures)
        rest = self._take_hits(answer, open_)
        worth = np.full(len(rest), not down)
        if self.ranking is not None:
            self._rank_hits(self.ranking)
            worth &= self.sources.ranker.worth(self.ranking.priorities[rest])
        for index, kept in zip(rest, worth.tolist(), strict=True):
            self._fetch(index, self.spaces[index] if kept else None)
        self.cached = len(self.items) - len(self._readings)

    def _rank_hits(self, ranking: Ranking) -> None:
        hits = [i for i, payload in enumerate(self.payloads) if payload is not None]
        told = [index for index in hits if ranking.priorities[index] >= 0]
        if told and (space := self.spaces[told[0]]) is not None:
            items = np.fromiter((self.items[index] for index in told), np.int64, len(told))
            priorities = ranking.priorities[told]
            self.sources.ranker.tell(space, self.sources.digest.hashes[items], priorities, ranking.position)

    def together(self) -> None:
        """Read shared items together with the other jobs, others from the store."""
        open_ = self._join()
        for index in open_:
            if self.spaces[index] is None:
                self._fetch(index, None)
        self._share([index for index in open_ if self.spaces[index] is not None])

    def _share(self, open_: list[int]) -> None:
        began = time.monotonic()
        patience = self.sources.patience
        pause = rules.FIRST_PENDING_PAUSE
        later = self._claim(open_)
        self.cached += sum(self.payloads[index] is not None for index in open_)
        while later:
            now = time.monotonic()
            if now - began > patience.seconds(now):
                patience.in_vain(began, now)
                for index in later:
                    self._fetch(index, self.spaces[index])
                return
            time.sleep(pause)
            pause = min(rules.LONGEST_PENDING_PAUSE, 2 * pause)
            waiting, later = later, self._claim(later)
            arrived = sum(self.payloads[index] is not None for index in waiting)
            self.cooperative += arrived
            if arrived:
                patience.delivered(began, time.monotonic())

    def _claim(self, open_: list[int]) -> list[int]:
        """Ask for these, claiming what is missing; returns what another job is fetching."""
        answer = self._ask(open_, claim=True)
        if answer is None:
            for index in open_:
                self._fetch(index, None)
            return []
        failing = bool(answer.failures)
        self._take_hits(answer, open_)
        later = []
        for index, status in zip(open_, answer.status.tolist(), strict=True):
            if status == Status.YOURS:
                self._fetch(index, self.spaces[index])
            elif status == Status.MISS:
                self._fetch(index, None if failing else self.spaces[index])
            elif status != Status.HIT:
                later.append(index)
        return later

    def _ask(self, open_: list[int], *, claim: bool) -> Answer | None:
        if not open_:
            return None
        items = np.fromiter((self.items[index] for index in open_), np.int64, len(open_))
        answer = self.sources.access.get(self.sources.digest.hashes[items], claim=claim)
        if answer is not None and self.sources.access.all_failed(len(answer.failures)):
            self.cache_failure = answer.failures[0].reason
        return answer

    def _take_hits(self, answer: Answer | None, open_: list[int]) -> list[int]:
        """Put hits in their places and return the others."""
        if answer is None:
            return open_
        rest = []
        for place, index in enumerate(open_):
            payload = answer.payload(place)
            if payload is None:
                rest.append(index)
            else:
                self.payloads[index] = payload
        return rest

    def _fetch(self, index: int, space: Space) -> None:
        item = int(self.items[index])
        rank = self._rank(index) or Rank(0, None if self.ranking is None else self.ranking.position)
        shared = self.joins and self.sources.shared.begin(item, space, rank)
        future = self.sources.pool.submit(self._read, item, space, rank, shared)
        if shared:
            self.sources.shared.begun(item, future)
            self._offered_to_join.append(item)
        self._readings.append((index, future))

    def _read(self, item: int, space: Space, rank: Rank, shared: bool) -> Fetched:
        inserts = False
        try:
            fetched = self.sources.items.read(item)
            inserts = space is not None and fetched.genuine
        finally:
            if shared and not inserts:
                self.sources.shared.settle(item)
        if space is not None and inserts:
            self._insert(item, fetched, space, rank, shared)
        return fetched

    def _insert(self, item: int, fetched: Fetched, space: str, rank: Rank, shared: bool) -> None:
        latest = (self.sources.shared.offered(item) or rank) if shared else rank
        self.sources.inserter.offer(
            self.sources.digest.hash(item),
            fetched.content,
            space,
            (lambda _: self.sources.shared.settle(item)) if shared else None,
            priority=latest.priority,
            position=latest.position,
        )

    def wait(self) -> tuple[int, int, int]:
        """Wait for everything that is being read from the store: how many items, bytes and changed ones."""
        size = changed = 0
        try:
            # Reads end about as they began: who waits for the last one is woken once instead of each time.
            for index, read in reversed(self._readings):
                fetched = self._result(index, read)
                size += len(fetched.content)
                changed += not fetched.genuine
            for index, read in self._joined:
                self._result(index, read)
        finally:
            self.sources.shared.hand_out(self._offered_to_join)
        return len(self._readings), size, changed

    def _result(self, index: int, read: Future[Fetched]) -> Fetched:
        try:
            fetched = read.result(_LONGEST_READ_SECONDS)
        except FutureTimeoutError as e:
            place = self.sources.items.place(int(self.items[index]))
            raise LoadError(f"{place} was not read within {_LONGEST_READ_SECONDS:.0f} s") from e
        except (LoadError, CancelledError) as e:
            if isinstance(e, LoadError) and not self.ahead:
                raise
            fetched = self.sources.items.read(int(self.items[index]))
        self.payloads[index] = fetched.content
        return fetched

    def give_up(self) -> None:
        """End the reads that have not begun."""
        for index, read in self._readings:
            if read.cancel() and self.joins:
                self.sources.shared.settle(int(self.items[index]))
        self.sources.shared.hand_out(self._offered_to_join)
