"""Reads the batch of a draw: any of its candidates in one round trip, then whatever is lacking."""

from __future__ import annotations

import json
import os
import threading
from multiprocessing import util
from typing import Any, NamedTuple

import numpy as np

from quiver import rules
from quiver.checksum import Verification
from quiver.credentials import Credentials
from quiver.digest import Digest
from quiver.order.draw import Draw, Items
from quiver.order.layout import ChunkLayout
from quiver.plan import JobPlan
from quiver.reading.access import CacheAccess
from quiver.reading.ahead import AheadReads
from quiver.reading.inserter import Inserter
from quiver.reading.items import ItemReader, OnMismatch
from quiver.reading.missing import MissingItems, Sources, Space
from quiver.reading.pool import DaemonPool
from quiver.reading.ranker import Ranker
from quiver.reading.request import BatchRequest, Counts, Ranking, ReadBatch
from quiver.reading.shared_reads import SharedReads
from quiver.store import Store
from quiver.wire import Status


class BatchReader:
    """Everything a process needs to read batches of one job; made in the process that uses it.

    :param store_reads: most reads from the store that are under way at once
    :param ranking_job: the name under which all ranks of the job rank blobs; empty if it does not
    """

    def __init__(
        self,
        digest: Digest,
        store: Store,
        job: str,
        credentials: Credentials,
        *,
        on_mismatch: OnMismatch = "refuse",
        store_reads: int = rules.STORE_READS,
        verify: Verification = "sampled",
        ranking_job: str = "",
    ):
        self.job = job
        self.pid = os.getpid()
        access = CacheAccess(job, digest.key, credentials, verify, ranking_job)
        ranker = Ranker(access)
        self.sources = Sources(
            digest,
            access,
            ItemReader(digest, store, on_mismatch),
            DaemonPool("quiver-read", store_reads),
            Inserter(access, ranker.heard),
            ranker,
            SharedReads(digest, ranker),
        )
        self._ahead = AheadReads(lambda request: self._begin(request, ahead=True))
        self._lock = threading.Lock()
        self._plan: JobPlan | None = None
        # Workers end without the interpreter's own goodbye; this one is heard.
        util.Finalize(self, self._finish, exitpriority=10)

    def read(self, request: BatchRequest) -> ReadBatch:
        """Read the batch of a draw: as many items as it has places. One that stands there twice is read once.

        :raises LoadError: if an item cannot be read
        """
        begun = self._ahead.take(request) or self._begin(request)
        return begun.finish()

    def read_ahead(self, request: BatchRequest) -> None:
        """Begin to read a batch that :meth:`read` is called for later, after all that were begun before."""
        self._ahead.begin(request)

    def give_up_ahead(self) -> None:
        """Give up the batches that were begun and that nobody will read."""
        self._ahead.give_up()

    def _begin(self, request: BatchRequest, *, ahead: bool = False) -> _BegunBatch:
        plan = self._follow(request)
        draw = request.draw
        found, payloads, substituted = self._candidates(draw, request.probed)
        items = draw.missing(found)
        once, places, ranking = _once(items, request.ranking)
        if plan is None or not plan.is_ranked:
            ranking = None
        spaces = self._spaces(once, plan, request.probed)
        joins = request.ranking is not None and not request.probed
        missing = MissingItems(self.sources, once.tolist(), spaces, ranking, joins, ahead)
        if request.probed or plan is None:
            missing.from_store()
        elif plan.shared is not None:
            missing.through_cache()
        else:
            missing.together()
        return _BegunBatch(found, payloads, substituted, items, places, missing)

    def _follow(self, request: BatchRequest) -> JobPlan | None:
        with self._lock:
            known = 0 if self._plan is None else self._plan.version
            if request.version > known:
                self._plan = JobPlan.parse(json.loads(request.plan))
                self.sources.access.follow(self._plan)
            return self._plan

    def _candidates(self, draw: Draw, probed: bool) -> tuple[Items, list[Any], int]:
        """Read as many candidates as are wanted and there; the number tells how many were no first choice."""
        if draw.want == 0 or probed:
            return draw.candidates[:0], [], 0
        answer = self.sources.access.get(self.sources.digest.hashes[draw.candidates], draw.want)
        if answer is None:
            return draw.candidates[:0], [], 0
        places = np.flatnonzero(answer.status == Status.HIT)[: draw.want]
        payloads = answer.payloads_at(places)
        return draw.candidates[places], payloads, int((places >= draw.want).sum())

    def _spaces(self, items: Items, plan: JobPlan | None, probed: bool) -> list[Space]:
        """Return the space each item belongs to now; None in a probe, where an item may be cached already."""
        if plan is None or self.sources.access.client is None:
            return [None] * len(items)
        if plan.shared is not None:
            return [None if probed else plan.shared] * len(items)
        if plan.dataset is None:
            return [None] * len(items)
        held = plan.dataset
        wanted = [c.chunk for c in held.held if not probed or c.state == "loading"]
        names = {chunk: held.space(chunk) for chunk in wanted}
        chunks = ChunkLayout(held.items, held.chunks).chunks_of(items)
        return [names.get(chunk) for chunk in chunks.tolist()]

    def _finish(self) -> None:
        self._ahead.close()
        self.sources.inserter.close()
        self.sources.ranker.close()

    def close(self) -> None:
        """Insert what waits and close the connections."""
        self._finish()
        self.sources.pool.close()
        self.sources.access.close()


class _BegunBatch(NamedTuple):
    """A batch whose reads are under way.

    :param found: candidates that were in the cache
    :param payloads: their bytes
    :param substituted: how many of them were no first choice
    :param items: the others of the batch
    :param places: of each of those among the missing ones, which come once
    """

    found: Items
    payloads: list[Any]
    substituted: int
    items: Items
    places: list[int]
    missing: MissingItems

    def finish(self) -> ReadBatch:
        """Wait until everything is read.

        :raises LoadError: if an item cannot be read
        """
        missing = self.missing
        stored, size, changed = missing.wait()
        counts = Counts(
            cached=len(self.found) + missing.cached + len(self.items) - len(missing.items),
            cooperative=missing.cooperative,
            stored=stored,
            stored_bytes=size,
            substituted=self.substituted,
            changed=changed,
            cache_failure=missing.cache_failure,
        )
        payloads = self.payloads + [missing.payloads[place] for place in self.places]
        return ReadBatch(np.concatenate((self.found, self.items)), payloads, counts)

    def give_up(self) -> None:
        """End the reads that have not begun."""
        self.missing.give_up()


def _once(items: Items, ranking: Ranking | None) -> tuple[Items, list[int], Ranking | None]:
    """Return each item once, the place of each in them, and the priorities after the last of its repeats."""
    if ranking is None:
        return items, list(range(len(items))), None
    once, places = np.unique(items, return_inverse=True)
    priorities = np.full(len(once), -1, np.int64)
    for place, priority in zip(places.tolist(), ranking.priorities.tolist(), strict=True):
        priorities[place] = priority if priority >= 0 else priorities[place]
    return once, places.tolist(), ranking._replace(priorities=priorities)
