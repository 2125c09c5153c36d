"""Brings chunks into the cache that the plan says are loading, together with all other jobs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from quiver import rules
from quiver.agent.chunks import ChunkLoad
from quiver.digest import Digest
from quiver.errors import LoadError
from quiver.order.layout import ChunkLayout
from quiver.order.permutation import SeededPermutation
from quiver.plan import ChunkEntry, DatasetPlan, JobPlan
from quiver.reading.access import CacheAccess
from quiver.reading.inserter import Inserter
from quiver.reading.items import ItemReader
from quiver.reading.pool import DaemonPool
from quiver.wire import Hashes, Receipt, Status

_LOG = logging.getLogger("quiver")
_DEMAND_LASTS = 0.5
_GOLDEN = 0x9E3779B9
_MOST_ASKED_PER_GRANT = 4

ChunkGeneration = tuple[int, int]
"""One stay of a chunk in the cache: which chunk, which stay."""


class Preloaded(NamedTuple):
    """The items and bytes that were read from the store ahead of time."""

    items: int
    bytes: int


class Preloader:
    """Looks through loading chunks from a starting point of its own, claims what is missing and fetches that.

    When one chunk has nothing left to claim it goes on with the next, so that the store is never idle while
    something is to be loaded; and it reports a chunk as soon as it knows all of it to be there. How much it
    claims is said by ``rules.may_claim``.

    :param most: how many reads are under way at once
    :param news: called when a chunk is whole
    """

    def __init__(
        self,
        job: str,
        digest: Digest,
        access: CacheAccess,
        reader: ItemReader,
        inserter: Inserter,
        most: int,
        news: Callable[[], None],
    ):
        self._job, self._digest, self._access = job, digest, access
        self._reader, self._inserter, self._news = reader, inserter, news
        self._most = most
        self._pool = DaemonPool("quiver-preload", most)
        self._changed = threading.Condition()
        self._woken = self._closed = False
        self._under_way = 0
        self._asked_per_grant = 1
        self._demand_at = -1e9
        self._plan: JobPlan | None = None
        self._followed: JobPlan | None = None
        self._servers: tuple[str, ...] = ()
        self._loads: dict[ChunkGeneration, ChunkLoad] = {}
        self._loaded: set[ChunkGeneration] = set()
        self._read = Preloaded(0, 0)

    def start(self) -> None:
        """Begin to follow plans in a thread of its own."""
        threading.Thread(target=self._run, name="quiver-preload", daemon=True).start()

    def follow(self, plan: JobPlan) -> None:
        """Follow a new plan."""
        self._plan = plan
        self._signal()

    def demand(self, now: float) -> None:
        """Note that batches had to read the store lately: they go first."""
        self._demand_at = now

    def loaded(self) -> list[ChunkGeneration]:
        """Return the generations found whole that the plan still has."""
        with self._changed:
            return sorted(self._loaded)

    @property
    def read(self) -> Preloaded:
        """The items and bytes that were read from the store so far."""
        return self._read

    def _run(self) -> None:
        while not self._closed:
            try:
                self._nap(self._round())
            except Exception:  # noqa: BLE001 - whatever it was, training goes on
                if self._closed:
                    return  # the client was closed under it
                _LOG.warning("job %s: preloading failed; it is tried again", self._job, exc_info=True)
                self._nap(rules.PRELOAD_NAP)

    def _round(self) -> float:
        """Do what can be done now; says how long to wait at most for the rest."""
        plan = self._plan
        held = None if plan is None else plan.dataset
        self._follow_chunks(plan, held)
        if held is None or self._access.client is None:
            return rules.PRELOAD_NAP
        pause = rules.PRELOAD_NAP
        for generation, load in list(self._loads.items()):
            if not self._advance(load, held.space(generation[0])):
                return rules.PRELOAD_TROUBLE
            if load.is_whole:
                self._finish(generation)
                continue
            pause = min(pause, _look_again(load))
            if load.has_unseen or load.has_missing:
                # Others wait behind the first chunk that has something left to claim.
                break
        return pause

    def _finish(self, generation: ChunkGeneration) -> None:
        del self._loads[generation]
        with self._changed:
            self._loaded.add(generation)
        self._news()

    def _follow_chunks(self, plan: JobPlan | None, held: DatasetPlan | None) -> None:
        """Take up what the plan has begun to load and forget what it has not any more.

        When a server is lost, the others go on with what is left, and its part of held chunks is brought in
        again (Quiver, §4.8).
        """
        if plan is self._followed:
            return
        self._followed = plan
        generations = {} if held is None else {_generation(each): each for each in _preload_order(held)}
        with self._changed:
            self._loaded &= generations.keys()
        self._loads = {
            generation: load for generation, load in self._loads.items() if generation in generations
        }
        moved = self._servers_moved(plan)
        for generation, each in generations.items():
            loading = each.state == "loading" and generation not in self._loaded
            if (loading or moved) and generation not in self._loads and held is not None:
                self._loads[generation] = self._begin(held.chunks, each.chunk)

    def _servers_moved(self, plan: JobPlan | None) -> bool:
        """Return True if other servers own blobs than before, so that held chunks may have gaps."""
        before = self._servers
        self._servers = before if plan is None else tuple(name for name, _, _ in plan.members)
        return bool(before) and before != self._servers

    def _begin(self, chunks: int, chunk: int) -> ChunkLoad:
        """Begin a chunk in an order without meaning: jobs read from it while it arrives."""
        layout = ChunkLayout(self._digest.items, chunks)
        size = layout.size(chunk)
        start = _spread(self._job) % max(1, size)

        def members(first: int, last: int) -> list[int]:
            places = (np.arange(first, last, dtype=np.int64) + start) % max(1, size)
            items: list[int] = layout.members(chunk, SeededPermutation(size, chunk).at(places)).tolist()
            return items

        return ChunkLoad(size, members, time.monotonic())

    def _may_claim(self) -> int:
        busy = time.monotonic() - self._demand_at < _DEMAND_LASTS
        return rules.may_claim(self._most, self._under_way, demand_waits=busy)

    def _advance(self, load: ChunkLoad, space: str) -> bool:
        """Bring a chunk on as far as it goes without waiting; says whether the cache answered."""
        answers = True
        while answers and (load.has_missing or load.has_unseen):
            free = self._may_claim()
            if free <= 0:
                break
            answers = self._claim(load, space, free) if load.has_missing else self._look(load)
        now = time.monotonic()
        if answers and load.awaited and now - load.looked_at >= _look_again(load):
            answers = self._look_again(load, now)
        return answers

    def _look(self, load: ChunkLoad) -> bool:
        """Look for members nobody has looked for."""
        members = load.unseen(rules.PRELOAD_LOOK)
        lookup = self._access.lookup(self._hashes(members), claim=False)
        if lookup is None:
            return False
        absent = [m for m, s in zip(members, lookup.status.tolist(), strict=True) if s != Status.HIT]
        load.seen(len(members), absent, time.monotonic())
        return not lookup.failures

    def _look_again(self, load: ChunkLoad, now: float) -> bool:
        if now - load.moved_at > rules.PRELOAD_STUCK:
            load.reclaim(now)
            return True
        members = load.take_elsewhere(rules.PRELOAD_LOOK, now)
        lookup = self._access.lookup(self._hashes(members), claim=False)
        if lookup is None:
            load.leave(members)
            return False
        absent = [m for m, s in zip(members, lookup.status.tolist(), strict=True) if s != Status.HIT]
        load.leave(absent)
        if len(absent) < len(members):
            load.moved_at = now
        return not lookup.failures

    def _claim(self, load: ChunkLoad, space: str, most: int) -> bool:
        """Claim missing members and fetch what falls to this job."""
        members = load.take_missing(most * self._asked_per_grant)
        lookup = self._access.lookup(self._hashes(members), claim=True)
        if lookup is None:
            load.leave(members)
            return False
        answers = not lookup.failures
        # A question for a few items is hardly worth its round trip where other jobs were first with most.
        granted = max(1, int(np.count_nonzero(lookup.status == Status.YOURS)))
        self._asked_per_grant = min(_MOST_ASKED_PER_GRANT, -(-len(members) // granted))
        for member, status in zip(members, lookup.status.tolist(), strict=True):
            if status == Status.YOURS or (status == Status.MISS and answers):
                self._fetch(load, member, space)
            elif status != Status.HIT:
                load.leave([member])
        return answers

    def _hashes(self, members: Sequence[int]) -> Hashes:
        return self._digest.hashes[np.asarray(members, np.int64)]

    def _fetch(self, load: ChunkLoad, item: int, space: str) -> None:
        with self._changed:
            self._under_way += 1
        load.fetching(time.monotonic())
        self._pool.submit(self._bring, load, item, space)

    def _bring(self, load: ChunkLoad, item: int, space: str) -> None:
        """Read an item and have it inserted."""
        try:
            fetched = self._reader.read(item)
        except LoadError as e:
            _LOG.debug("not preloaded: %s", e)
            load.fetched(time.monotonic())
            self._leave()
            return
        with self._changed:
            self._read = Preloaded(self._read.items + 1, self._read.bytes + len(fetched.content))
        if not fetched.genuine:
            load.fetched(time.monotonic())
            self._leave()
            return

        def done(receipt: int) -> None:
            if receipt in (Receipt.UNKNOWN, Receipt.NOT_PLANNED):
                load.failed(item)
            else:
                load.fetched(time.monotonic())
            self._leave()

        self._inserter.offer(self._digest.hash(item), fetched.content, space, done)

    def _leave(self) -> None:
        with self._changed:
            self._under_way -= 1
            self._woken = True
            self._changed.notify_all()

    def _signal(self) -> None:
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def _nap(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._woken or self._closed, seconds)
            self._woken = False

    def close(self, longest: float) -> None:
        """Claim nothing more, and bring in what was claimed as far as that takes no longer."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            if self._access.client is not None:
                self._changed.wait_for(lambda: self._under_way == 0, longest)


def _preload_order(held: DatasetPlan) -> list[ChunkEntry]:
    """Return pinned chunks, the last first since batches read the first, then rotating ones."""
    pinned = [each for each in reversed(held.held) if each.role == "pinned"]
    return pinned + [each for each in held.held if each.role == "rotating"]


def _generation(held: ChunkEntry) -> ChunkGeneration:
    return held.chunk, held.generation


def _look_again(load: ChunkLoad) -> float:
    """Return the longest wait before a chunk is brought on again: less for the last few members."""
    awaited = load.awaited
    return rules.LOOK_AGAIN + awaited * rules.LOOK_AGAIN_EACH if awaited else rules.PRELOAD_STUCK


def _spread(job: str) -> int:
    value = 0
    for letter in job.encode():
        value = (31 * value + letter) & 0xFFFFFFFF
    return value * _GOLDEN & 0xFFFFFFFF
