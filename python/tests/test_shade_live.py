"""Jobs by importance through real cache servers."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import datasets
import processes
from quiver.digest import Digest
from quiver.plan import ranked_space
from quiver.store import Store
from quiver.torch import QuiverDataLoader, QuiverDataset

ITEMS = 800
BATCH = 8


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.records(tmp_path_factory.mktemp("records"), ITEMS, 600, seed=3)


def make(data: datasets.Data, cache: str, latency_ms: float = 0, **options: Any) -> QuiverDataLoader:
    store = Store.open(data.store, latency_ms=latency_ms)
    dataset = QuiverDataset(data.digest, store, decode=bytes, labels=False)
    settings = {"seed": 5, "sampler": "shade", "collate_fn": list, "job": "learner", **options}
    return QuiverDataLoader(dataset, BATCH, cache=cache, **settings)


def order(server: str, data: datasets.Data, share: float, version: int, keeper: str = "ranked") -> None:
    """Order the data set's ranked space at a server without a manager."""
    digest = Digest.open(data.digest)
    space = {"name": ranked_space(digest.key), "keeper": keeper, "quota_bytes": int(share * digest.bytes)}
    if keeper == "ranked":
        space["jobs"] = ["learner"]
    plan = {"version": version, "prefix": "ds-", "spaces": [space]}
    body, kind = json.dumps(plan).encode(), {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{server}/v1/spaces", body, kind), timeout=60).close()


def read(loader: QuiverDataLoader, data: datasets.Data, *, settled: bool = False) -> float:
    """Read an epoch; returns the share of hits.

    :param settled: whether everything a batch missed is inserted before the next one is read
    """
    dataset: Any = loader.dataset
    before = loader.statistics()["store_reads"]
    for samples in loader:
        indices = loader.batch.indices
        assert [data.contents[index] for index in indices] == samples
        loader.report(np.asarray(indices) % 97)
        if settled:
            processes.wait_until(lambda: len(dataset._reader.sources.shared) == 0, "inserts")
    return 1 - (loader.statistics()["store_reads"] - before) / ITEMS


def test_known_next_uses_keep_far_more_than_the_least_recently_used(
    records: datasets.Data, tmp_path: Path
) -> None:
    hits = {}
    with cluster.server(tmp_path) as node:
        for version, (sampler, keeper) in enumerate((("shade-paper", "recent"), ("shade", "ranked")), 1):
            order(node.servers[0], records, 0.1, version, keeper)
            with make(records, node.servers[0], sampler=sampler, read_ahead=0) as loader:
                read(loader, records, settled=True)
                hits[keeper] = read(loader, records, settled=True)
    assert hits["ranked"] > 1.5 * hits["recent"], hits


@pytest.mark.parametrize("sampler", ["shade", "shade-paper"])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_caches_of_nothing_and_of_everything_serve_what_they_can(
    records: datasets.Data, shared_ranked: cluster.Node, share: float, sampler: str
) -> None:
    server = shared_ranked.servers[0]
    shared_ranked.version += 2  # type: ignore[attr-defined]
    order(server, records, 0, shared_ranked.version - 1)  # type: ignore[attr-defined]
    order(server, records, share, shared_ranked.version)  # type: ignore[attr-defined]
    with make(records, server, sampler=sampler) as loader:
        hits = [read(loader, records) for _ in range(4)]
    assert hits[-1] >= 0.8 if share else max(hits) < 0.2, hits


@pytest.fixture(scope="module")
def shared_ranked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with cluster.server(tmp_path_factory.mktemp("ranked")) as node:
        node.version = 0  # type: ignore[attr-defined]
        yield node


def test_a_manager_gives_a_job_by_importance_a_ranked_space(records: datasets.Data, tmp_path: Path) -> None:
    with cluster.up(tmp_path, servers=2) as node, make(records, node.manager, num_workers=2) as loader:
        read(loader, records)
        processes.wait_until(
            lambda: (plan := loader._job.cache.plan()) is not None and plan.is_ranked, "a ranked space"
        )
        assert any(read(loader, records) > 0.3 for _ in range(8))


def test_two_models_share_what_they_read_and_keep_their_own_lists(
    records: datasets.Data, shared_ranked: cluster.Node
) -> None:
    server = shared_ranked.servers[0]
    shared_ranked.version += 1  # type: ignore[attr-defined]
    order(server, records, 0.3, shared_ranked.version)  # type: ignore[attr-defined]
    with make(records, server, job="learner") as one, make(records, server, job="other", seed=6) as two:
        lists = []
        for loader in (one, two, one, two):
            read(loader, records)
            lists.append(loader.state_dict()["importance"]["lists"]["drawn"][0]["list"])
    assert len(set(lists)) == 4
    with make(records, server, job="alone", seed=6) as alone:
        read(alone, records)
        assert alone.state_dict()["importance"]["lists"]["drawn"][0]["list"] == lists[1]


@pytest.mark.filterwarnings("ignore::quiver.errors.QuiverWarning")
def test_a_server_that_lost_everything_is_filled_again(records: datasets.Data, tmp_path: Path) -> None:
    with cluster.server(tmp_path / "one") as node:
        port = int(node.servers[0].rsplit(":", 1)[1])
        order(node.servers[0], records, 0.3, 1)
        loader = make(records, node.servers[0])
        full = max(read(loader, records) for _ in range(2))
        node.kill()
        assert read(loader, records) < 0.05, "repeats within a batch alone need no second read"
    with loader, cluster.server(tmp_path / "two", port=port) as again:
        order(again.servers[0], records, 0.3, 1)
        assert any(read(loader, records) > 0.8 * full for _ in range(10))
