"""Reads the batch of a draw: any of its candidates in one round trip, then whatever is lacking."""

from __future__ import annotations

import json
import os
import threading
from multiprocessing import util
from typing import Any

import numpy as np

from quiver import rules
from quiver.checksum import Verification
from quiver.credentials import Credentials
from quiver.digest import Digest
from quiver.order.draw import Draw, Items
from quiver.order.layout import ChunkLayout
from quiver.plan import JobPlan
from quiver.reading.access import CacheAccess
from quiver.reading.inserter import Inserter
from quiver.reading.items import ItemReader, OnMismatch
from quiver.reading.missing import MissingItems, Sources, Space
from quiver.reading.pool import DaemonPool
from quiver.reading.request import BatchRequest, Counts, ReadBatch
from quiver.store import Store
from quiver.wire import Status


class BatchReader:
    """Everything a process needs to read batches of one job; made in the process that uses it.

    :param store_reads: most reads from the store that are under way at once
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
    ):
        self.job = job
        self.pid = os.getpid()
        access = CacheAccess(job, digest.key, credentials, verify)
        self.sources = Sources(
            digest,
            access,
            ItemReader(digest, store, on_mismatch),
            DaemonPool("quiver-read", store_reads),
            Inserter(access),
        )
        self._lock = threading.Lock()
        self._plan: JobPlan | None = None
        # Workers end without the interpreter's own goodbye; this one is heard.
        util.Finalize(self, self.sources.inserter.close, exitpriority=10)

    def read(self, request: BatchRequest) -> ReadBatch:
        """Read the batch of a draw: as many items as it has places, each once.

        :raises LoadError: if an item cannot be read
        """
        plan = self._follow(request)
        draw = request.draw
        found, payloads, substituted = self._candidates(draw, request.probed)
        items = draw.missing(found)
        missing = MissingItems(self.sources, items.tolist(), self._spaces(items, plan, request.probed))
        if request.probed or plan is None:
            missing.from_store()
        elif plan.shared is not None:
            missing.through_cache()
        else:
            missing.together()
        stored, size, changed = missing.wait()
        counts = Counts(
            cached=len(found) + missing.cached,
            cooperative=missing.cooperative,
            stored=stored,
            stored_bytes=size,
            substituted=substituted,
            changed=changed,
            cache_failure=missing.cache_failure,
        )
        return ReadBatch(np.concatenate((found, items)), payloads + missing.payloads, counts)

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

    def close(self) -> None:
        """Insert what waits and close the connections."""
        self.sources.inserter.close()
        self.sources.pool.close()
        self.sources.access.close()
