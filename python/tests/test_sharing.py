from __future__ import annotations

import collections
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import cluster
import datasets
from quiver.store import Store
from quiver.torch import QuiverDataLoader, QuiverDataset

JOBS = 3
EPOCHS = 2
ITEMS = 1500
SIZE = 16_000
SHARE = 0.2


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.files(tmp_path_factory.mktemp("data"), ITEMS, SIZE, seed=31)


class Job(threading.Thread):
    """A training loop that notes what it got."""

    def __init__(self, data: datasets.Data, name: str, **options: Any):
        super().__init__(name=name)
        store = Store.open(data.store, mbps=15, latency_ms=1)
        dataset = QuiverDataset(data.digest, store, labels=False)
        self.loader = QuiverDataLoader(
            dataset, batch_size=16, collate_fn=list, job=name, epochs=EPOCHS, **options
        )
        self.epochs: list[collections.Counter[bytes]] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.loader:
                for _ in range(EPOCHS):
                    counts: collections.Counter[bytes] = collections.Counter()
                    for batch in self.loader:
                        counts.update(batch)
                        time.sleep(0.004)  # the work of a GPU
                    self.epochs.append(counts)
        except BaseException as e:  # noqa: BLE001 - the test looks at it
            self.error = e


def test_jobs_that_run_together_read_the_store_about_once(data: datasets.Data, tmp_path: Path) -> None:
    size = sum(map(len, data.contents))
    with cluster.up(tmp_path, servers=2, capacity=str(int(size * SHARE))) as node:
        jobs = [Job(data, f"job{index}", cache=node.manager, seed=index) for index in range(JOBS)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join(100)
    for job in jobs:
        assert job.error is None
        assert job.epochs == [collections.Counter(data.contents)] * EPOCHS
    statistics = [job.loader.statistics() for job in jobs]
    reads = sum(each["store_reads"] + each["preloaded"] for each in statistics)
    per_item = reads / (ITEMS * EPOCHS)
    assert per_item < 1.3, f"{per_item} where each alone would read every item: {statistics}"
