"""Batches of a known order that are read before the training loop asks for them, without workers."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import datasets
import processes
from quiver.digest import Digest
from quiver.errors import LoadError
from quiver.order import Draw
from quiver.reading.items import Fetched
from quiver.reading.pool import DaemonPool
from quiver.reading.request import BatchRequest
from quiver.reading.shared_reads import Rank, SharedReads
from quiver.torch import QuiverDataLoader, QuiverDataset
from quiver.torch import read_ahead as ahead_module
from quiver.torch.read_ahead import Ahead, DrawnAhead

BATCH = 10


class CountedStore:
    """Counts the reads of a data set's store, and fails where a test says so."""

    def __init__(self, dataset: QuiverDataset, monkeypatch: pytest.MonkeyPatch):
        self.reads = 0
        self.first_fails = False
        self.open = threading.Event()
        self.open.set()
        self._failed: set[tuple[str, int]] = set()
        self.broken = False
        self._lock = threading.Lock()
        self._read = dataset.store.read
        monkeypatch.setattr(dataset.store, "read", self.read)

    def read(self, name: str, offset: int, length: int) -> Any:
        self.open.wait(60)
        with self._lock:
            self.reads += 1
            fails = self.first_fails and self.reads % 7 == 0 and (name, offset) not in self._failed
            if fails:
                self._failed.add((name, offset))
            if self.broken or fails:
                raise OSError("the store is unwell")
        return self._read(name, offset, length)


def loader_of(data: datasets.Data, **options: Any) -> QuiverDataLoader:
    dataset = QuiverDataset(data.digest, data.store, decode=bytes, labels=False)
    settings: dict[str, Any] = {"sampler": "strict", "seed": 3, "collate_fn": list, **options}
    return QuiverDataLoader(dataset, BATCH, **settings)


@pytest.mark.parametrize("batches", [0, 1, 4])
def test_so_many_batches_are_read_before_they_are_asked_for(
    data: datasets.Data, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    with loader_of(data, read_ahead=batches) as loader:
        store = CountedStore(loader.dataset, monkeypatch)  # type: ignore[arg-type]
        epoch = iter(loader)
        for handed in range(1, 4):
            next(epoch)
            expected = BATCH * (handed + batches)
            processes.wait_until(lambda: store.reads == expected, f"{expected} reads")  # noqa: B023
        rest = len(list(epoch))
        assert (3 + rest, store.reads) == (-(-datasets.ITEMS // BATCH), datasets.ITEMS)


@pytest.mark.parametrize("sampler", ["strict", "shade"])
def test_a_state_counts_no_batch_that_was_read_ahead(data: datasets.Data, sampler: str) -> None:
    with loader_of(data, sampler=sampler) as whole:
        expected = list(whole)
    with loader_of(data, sampler=sampler) as first:
        epoch = iter(first)
        begun = [next(epoch) for _ in range(5)]
        state = first.state_dict()
    with loader_of(data, sampler=sampler) as second:
        second.load_state_dict(state)
        assert begun + list(second) == expected


def test_a_read_that_fails_ahead_is_repeated_when_its_batch_is_due(
    data: datasets.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    with loader_of(data) as loader:
        store = CountedStore(loader.dataset, monkeypatch)  # type: ignore[arg-type]
        epoch = iter(loader)
        found = [*next(epoch)]
        store.first_fails = True
        for batch in epoch:
            found += batch
        assert sorted(found) == sorted(data.contents)
        assert store.reads > datasets.ITEMS


def test_a_store_that_is_down_fails_batches_and_not_the_run(
    data: datasets.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    with loader_of(data) as loader:
        store = CountedStore(loader.dataset, monkeypatch)  # type: ignore[arg-type]
        epoch = iter(loader)
        found = [*next(epoch)]
        processes.wait_until(lambda: store.reads == 5 * BATCH, "reads ahead")
        for _ in range(3):
            found += next(epoch)
        store.broken = True
        with pytest.raises(LoadError, match="the store is unwell"):
            found.extend(sample for batch in epoch for sample in batch)
        store.broken = False
        for batch in epoch:
            found += batch
        assert len(found) == len(set(found)) == datasets.ITEMS - BATCH


def test_an_epoch_that_is_left_gives_up_what_was_read_ahead(data: datasets.Data) -> None:
    with loader_of(data, sampler="shade", read_ahead=8) as loader:
        next(iter(loader))
        assert len(list(loader)) == -(-datasets.ITEMS // BATCH)
        reader: Any = loader.dataset._reader  # type: ignore[attr-defined]
        processes.wait_until(lambda: len(reader.sources.shared) == 0, "no read that others may join")


def test_bytes_bound_what_is_read_ahead(data: datasets.Data, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = Digest.open(data.digest)
    draws = [np.arange(5 * i, 5 * i + 5, dtype=np.int32) for i in range(10)]
    sizes = [int(digest.sizes[draw].sum()) for draw in draws]
    requests: Any = iter(
        [
            BatchRequest(i, Draw(draw[:0], 0, draw), False, "", 0, b"", None, None)
            for i, draw in enumerate(draws)
        ]  # type: ignore[arg-type]
    )
    begun: list[int] = []
    monkeypatch.setattr(ahead_module, "BYTES", sum(sizes[:3]) - 1)
    ahead = Ahead(digest, 100, lambda request: begun.append(request.sequence), begun.clear)
    drawn = DrawnAhead(ahead, lambda: next(requests, None))
    drawn.top_up()
    assert begun == [0, 1, 2]
    monkeypatch.setattr(ahead_module, "BYTES", 1)
    order = []
    while (request := drawn.next()) is not None:
        order.append(request.sequence)
        assert len(begun) <= max(3, len(order) + 1)
    assert order == begun == list(range(10))


def test_repeats_within_reach_are_read_once(data: datasets.Data, monkeypatch: pytest.MonkeyPatch) -> None:
    with loader_of(data, sampler="shade", read_ahead=40) as loader:
        store = CountedStore(loader.dataset, monkeypatch)  # type: ignore[arg-type]
        store.open.clear()
        threading.Thread(target=open_when_all_is_begun, args=(loader, store), daemon=True).start()
        items = []
        for batch in loader:
            items += loader.batch.indices.tolist()
            assert [data.contents[item] for item in loader.batch.indices] == batch
        assert store.reads == loader.statistics()["store_reads"] < len(items) - 50
        # The last batch, which is short, is begun when others have ended.
        assert store.reads <= len(set(items)) + datasets.ITEMS % BATCH
        assert loader.statistics()["cached"] == len(items) - store.reads


def open_when_all_is_begun(loader: QuiverDataLoader, store: CountedStore) -> None:
    but_first = datasets.ITEMS // BATCH - 1
    dataset: Any = loader.dataset
    processes.wait_until(
        lambda: (
            dataset._reader is not None
            and len(begun := list(dataset._reader._ahead._begun.values())) >= but_first
            and all(each.done() for each in begun)
        ),
        "batches that are begun",
    )
    store.open.set()


class ToldRanks:
    """Takes the place of a ranker."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int | None]] = []

    def tell(self, space: str, hashes: Any, priorities: Any, position: int | None) -> None:
        assert hashes.shape == (1, 32)
        self.told.append((space, int(priorities[0]), position))


def test_an_insert_gets_the_latest_priority_or_is_ranked_afterwards(data: datasets.Data) -> None:
    ranker: Any = ToldRanks()
    shared = SharedReads(Digest.open(data.digest), ranker)
    pool = DaemonPool("test", 1)
    read = pool.submit(Fetched, b"x", True)
    assert shared.begin(7, "space", Rank(10, 100))
    assert not shared.begin(7, "space", Rank(10, 100)), "it is being read"
    assert shared.join(7, None) is None, "nobody can wait for it yet"
    shared.begun(7, read)
    assert shared.join(7, Rank(20, 200)) is read
    assert shared.offered(7) == Rank(20, 200)
    assert shared.join(7, Rank(30, 300)) is read
    assert ranker.told == [], "the insert is under way"
    shared.settle(7)
    assert ranker.told == [("space", 30, 300)]
    assert shared.join(7, Rank(40, 400)) is read
    assert ranker.told[1:] == [("space", 40, 400)]
    shared.hand_out([7])
    assert shared.join(7, None) is None
    assert len(shared) == 0
    pool.close()


def test_bounds_that_make_no_sense_are_refused(data: datasets.Data, tmp_path: Path) -> None:
    for wrong in (-1, 1025, 2.5, None):
        with pytest.raises(ValueError, match="use 0 to 1024 batches"):
            loader_of(data, read_ahead=wrong)
