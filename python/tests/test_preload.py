"""The agent's preloading and reports, against a cache in memory and a manager that takes notes."""

from __future__ import annotations

import collections
import json
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import datasets
from hostile import hostile, http
from processes import wait_until
from quiver import rules
from quiver.agent.chunks import ChunkLoad
from quiver.agent.preload import Preloader
from quiver.order.layout import ChunkLayout
from quiver.plan import JobPlan
from quiver.reading.items import Fetched
from quiver.torch import QuiverDataLoader, QuiverDataset
from quiver.wire import Receipt, Status

ITEMS, CHUNKS = 6_000, 150


class MemoryCache:
    """A cache, its store and its inserter: every item is claimed once; reads wait until they are let go."""

    def __init__(self) -> None:
        self.client = self
        self.items = ITEMS
        self.hashes = np.arange(ITEMS)
        self.lock = threading.Lock()
        self.present: set[int] = set()
        self.claimed: set[int] = set()
        self.inserts: list[tuple[int, str]] = []
        self.questions: list[tuple[int, bool]] = []
        self.reads_may_end = threading.Event()

    def hash(self, item: int) -> int:
        return item

    def lookup(self, hashes: Any, *, claim: bool) -> Any:
        with self.lock:
            self.questions.append((len(hashes), claim))
            status = [self._status(item, claim) for item in hashes.tolist()]
        return SimpleNamespace(status=np.array(status), failures=[])

    def _status(self, item: int, claim: bool) -> int:
        if item in self.present:
            return Status.HIT
        if not claim:
            return Status.MISS
        fresh = item not in self.claimed
        self.claimed.add(item)
        return Status.YOURS if fresh else Status.PENDING

    def read(self, item: int) -> Fetched:
        assert self.reads_may_end.wait(60)
        return Fetched(b"x", True)

    def offer(self, item: int, content: bytes, space: str, done: Any) -> None:
        with self.lock:
            self.present.add(item)
            self.inserts.append((item, space))
        done(Receipt.STORED)


def plan(version: int, chunks: list[int], state: str = "LOADING") -> JobPlan:
    held = [{"chunk": chunk, "generation": 1, "role": "PINNED", "state": state} for chunk in chunks]
    dataset = {"dataset": "d", "items": ITEMS, "chunks": CHUNKS, "ring": False, "held": held}
    return JobPlan.parse({"version": version, "members": [], "dataset": dataset})


def test_a_hundred_and_fifty_chunks_that_load_at_once_are_brought_in_one_after_the_other() -> None:
    cache: Any = MemoryCache()
    news: list[int] = []
    preloader = Preloader("job", cache, cache, cache, cache, 8, lambda: news.append(1))
    preloader.follow(plan(1, list(range(CHUNKS))))
    preloader.start()
    most = rules.PRELOAD_LOTS * 8
    wait_until(lambda: len(cache.claimed) == most, "as much is claimed as may be")
    assert len(cache.questions) == 1 + rules.PRELOAD_LOTS, "chunks behind the first cost no question"
    layout = ChunkLayout(ITEMS, CHUNKS)
    assert {layout.chunk_of(item) for item in cache.claimed} == {CHUNKS - 1}, "batches begin at the front"
    cache.reads_may_end.set()
    wait_until(lambda: len(preloader.loaded()) == CHUNKS, "all chunks are whole")
    assert collections.Counter(item for item, _ in cache.inserts) == collections.Counter(range(ITEMS))
    assert all(space == f"ds-d.{CHUNKS}.{layout.chunk_of(item)}" for item, space in cache.inserts)
    assert len(news) == CHUNKS
    preloader.follow(plan(2, [5, 6], "ACTIVE"))
    wait_until(lambda: preloader.loaded() == [(5, 1), (6, 1)], "other chunks are forgotten")
    preloader.close(1)


def test_members_of_a_chunk_are_named_only_when_they_are_looked_for() -> None:
    named: list[tuple[int, int]] = []

    def members(first: int, last: int) -> list[int]:
        named.append((first, last))
        return list(range(first, last))

    load = ChunkLoad(500, members, now=0.0)
    assert named == []
    assert list(load.unseen(300)) == list(range(300))
    load.seen(300, [7], now=1.0)
    assert list(load.unseen(300)) == list(range(300, 500))
    assert load.take_missing(10) == [7]


@pytest.mark.parametrize("ranks", [1, 2])
def test_all_ranks_of_a_job_report_one_group(data: datasets.Data, ranks: int) -> None:
    reports: list[dict[str, Any]] = []

    def manager(exchange: Any) -> None:
        if exchange.path == "/v1/status":
            exchange.send(http(b'{"kind": "node", "servers": []}'))
            return
        if exchange.body:
            reports.append(json.loads(exchange.body))
        exchange.send(http(b'{"version": 1, "members": [], "dataset": null, "ring_role": "leader"}'))

    dataset = QuiverDataset(data.digest, data.store, labels=False)
    with hostile(manager) as address:
        for rank in range(ranks):
            with QuiverDataLoader(
                dataset, batch_size=40, collate_fn=len, job="ddp", cache=address, rank=rank, world_size=ranks
            ) as loader:
                list(loader)
    names = {"ddp"} if ranks == 1 else {"ddp.r0", "ddp.r1"}
    assert {report["job"] for report in reports} == names
    assert {report["group"] for report in reports} == {"ddp"}
