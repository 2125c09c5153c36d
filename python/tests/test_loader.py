from __future__ import annotations

import collections
import itertools
import os
import re
import socket
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import cluster
import datasets
from quiver.torch import QuiverDataLoader, QuiverDataset, QuiverWarning

ITEMS = datasets.ITEMS


@pytest.fixture
def node(shared_node: cluster.Node) -> cluster.Node:
    return shared_node


@pytest.fixture
def dataset(data: datasets.Data) -> QuiverDataset:
    return QuiverDataset(data.digest, data.store, labels=False)


def as_bytes(samples: list[bytes]) -> list[bytes]:
    return samples


def each_once(loader: QuiverDataLoader, data: datasets.Data) -> bool:
    counts = collections.Counter(sample for batch in loader for sample in batch)
    return counts == collections.Counter(data.contents)


@pytest.mark.parametrize(
    ("sampler", "workers", "method"),
    [
        ("substitute", 0, None),
        ("strict", 0, None),
        ("substitute", 2, "fork"),
        ("strict", 2, "fork"),
        ("substitute", 2, "spawn"),
    ],
)
def test_every_epoch_has_every_sample_exactly_once(
    dataset: QuiverDataset, data: datasets.Data, node: cluster.Node, workers: int, method: Any, sampler: Any
) -> None:
    with QuiverDataLoader(
        dataset,
        batch_size=16,
        sampler=sampler,
        num_workers=workers,
        multiprocessing_context=method,
        persistent_workers=workers > 0,
        collate_fn=as_bytes,
        cache=node.manager,
    ) as loader:
        for _ in range(3):
            assert each_once(loader, data)
        counts = loader.statistics()
        assert counts["items"] == 3 * ITEMS
        assert counts["cached"] + counts["cooperative"] + counts["store_reads"] == 3 * ITEMS
        assert counts["cached"] > ITEMS


def test_a_single_server_without_a_manager_is_a_cache_too(
    dataset: QuiverDataset, data: datasets.Data, shared_server: cluster.Node
) -> None:
    with QuiverDataLoader(
        dataset, batch_size=16, num_workers=1, collate_fn=as_bytes, cache=shared_server.servers[0]
    ) as loader:
        assert each_once(loader, data)
        assert each_once(loader, data)
        assert loader.statistics()["cached"] >= ITEMS - 16


@pytest.mark.parametrize("batch", [1, 7, 16, 203, 500])
@pytest.mark.parametrize("drop_last", [False, True])
def test_the_length_is_the_number_of_batches(dataset: QuiverDataset, batch: int, drop_last: bool) -> None:
    loader = QuiverDataLoader(dataset, batch_size=batch, drop_last=drop_last, collate_fn=len)
    sizes = list(loader)
    assert len(sizes) == len(loader)
    assert (loader.batch_size, loader.drop_last) == (batch, drop_last)
    assert sizes == [len(b) for b in torch.utils.data.BatchSampler(range(ITEMS), batch, drop_last)]  # type: ignore[arg-type]


def orders(loader: QuiverDataLoader, epochs: int) -> list[list[list[bytes]]]:
    return [list(loader) for _ in range(epochs)]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_strict_order_is_the_same_from_run_to_run(
    dataset: QuiverDataset, node: cluster.Node, workers: int
) -> None:
    runs = []
    for cache in (node.manager, ""):
        with QuiverDataLoader(
            dataset,
            batch_size=16,
            sampler="strict",
            num_workers=workers,
            seed=5,
            collate_fn=as_bytes,
            cache=cache,
        ) as loader:
            runs.append(orders(loader, 2))
    assert runs[0] == runs[1]
    assert runs[0][0] != runs[0][1], "epochs differ"


def test_the_seed_is_torchs_unless_given(dataset: QuiverDataset) -> None:
    def first(**options: Any) -> Any:
        return next(iter(QuiverDataLoader(dataset, batch_size=20, collate_fn=as_bytes, **options)))

    torch.manual_seed(1)
    one, two = first(), first()
    torch.manual_seed(1)
    assert first() == one
    assert two != one
    generator = torch.Generator()
    generator.manual_seed(8)
    again = torch.Generator()
    again.manual_seed(8)
    assert first(generator=generator) == first(generator=again)
    assert first(seed=4) == first(seed=4)


def test_set_epoch_decides_the_order(dataset: QuiverDataset) -> None:
    loader = QuiverDataLoader(dataset, batch_size=20, seed=1, collate_fn=as_bytes)
    epochs = [list(loader) for _ in range(3)]
    loader.set_epoch(1)
    assert list(loader) == epochs[1]
    assert list(loader) == epochs[2]
    loader.batch_sampler.set_epoch(0)  # type: ignore[union-attr]
    assert list(loader) == epochs[0]
    for of_lightning in (loader.sampler, loader.batch_sampler.sampler):  # type: ignore[union-attr]
        of_lightning.set_epoch(2)
        assert list(loader) == epochs[2]


def test_an_order_that_is_not_reshuffled_begins_every_epoch_with_the_same_samples(
    dataset: QuiverDataset, data: datasets.Data
) -> None:
    loader = QuiverDataLoader(dataset, batch_size=20, reshuffle=False, collate_fn=as_bytes)
    assert isinstance(loader.sampler, torch.utils.data.SequentialSampler), "so Lightning lets it be"
    few = [list(itertools.islice(loader, 3)) for _ in range(2)]
    assert few[0] == few[1]
    assert each_once(loader, data)
    epoch = iter(loader)
    assert [next(epoch) for _ in range(3)] == few[0]
    again = QuiverDataLoader(dataset, batch_size=20, reshuffle=False, collate_fn=as_bytes)
    again.load_state_dict(loader.state_dict())
    assert sorted(few[0] + list(again)) == sorted(loader)
    assert list(again) == list(loader)
    with pytest.raises(ValueError, match="sampler='strict'"):
        QuiverDataLoader(dataset, sampler="substitute", reshuffle=False)


def test_a_sampler_that_lightning_would_put_in_is_refused(dataset: QuiverDataset) -> None:
    loader = QuiverDataLoader(dataset, batch_size=20)
    assert not isinstance(loader.sampler, torch.utils.data.SequentialSampler), "Lightning is to notice"
    other = torch.utils.data.SequentialSampler(dataset)
    drawing: Any = loader.batch_sampler
    with pytest.raises(TypeError, match=r"use_distributed_sampler=False.*reshuffle=False"):
        type(drawing)(other, batch_size=drawing.batch_size, drop_last=drawing.drop_last)


def init_worker(number: int) -> None:
    os.environ["QUIVER_TEST_WORKER"] = str(number)


def worker_numbers(samples: list[bytes]) -> str:
    return os.environ.get("QUIVER_TEST_WORKER", "none")


def test_workers_and_their_initialisation_are_torchs_own(dataset: QuiverDataset) -> None:
    loader = QuiverDataLoader(
        dataset,
        batch_size=10,
        num_workers=2,
        prefetch_factor=3,
        worker_init_fn=init_worker,
        collate_fn=worker_numbers,
        timeout=60,
    )
    assert isinstance(loader, torch.utils.data.DataLoader)
    assert set(loader) == {"0", "1"}
    assert (loader.prefetch_factor, loader.num_workers, loader.timeout) == (3, 2, 60)


def test_batches_are_collated_as_torch_does(data: datasets.Data) -> None:
    dataset = QuiverDataset(data.digest, data.store, decode=len)
    sizes, labels = next(iter(QuiverDataLoader(dataset, batch_size=8)))
    assert sizes.shape == labels.shape == (8,)
    assert labels.dtype == torch.int64


def test_a_loop_that_stops_early_begins_the_next_epoch_afresh(
    dataset: QuiverDataset, data: datasets.Data, node: cluster.Node
) -> None:
    for persistent in (False, True):
        with QuiverDataLoader(
            dataset,
            batch_size=16,
            num_workers=2,
            persistent_workers=persistent,
            collate_fn=as_bytes,
            cache=node.manager,
        ) as loader:
            first = iter(loader)
            next(first)
            assert each_once(loader, data)
            with pytest.raises(RuntimeError, match="another epoch"):
                next(first)


def test_the_environment_names_the_cache(
    dataset: QuiverDataset, node: cluster.Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIVER_CACHE", node.manager.removeprefix("http://"))
    with QuiverDataLoader(dataset, batch_size=64, collate_fn=as_bytes) as loader:
        list(loader)
        list(loader)
        assert loader.statistics()["cached"] > 0


@pytest.mark.filterwarnings("error::quiver.torch.QuiverWarning")
def test_a_job_whose_name_another_has_goes_on_under_another_name(
    dataset: QuiverDataset, data: datasets.Data, node: cluster.Node, caplog: pytest.LogCaptureFixture
) -> None:
    options: dict[str, Any] = {"batch_size": 64, "collate_fn": as_bytes, "cache": node.manager}
    with (
        QuiverDataLoader(dataset, job="twin", **options) as first,
        QuiverDataLoader(dataset, job="twin", **options) as second,
    ):
        next(iter(first))
        assert each_once(second, data)
        assert first.job == "twin"
        assert re.fullmatch("twin-[0-9a-f]{8}", second.job)
        assert f"this one goes on as {second.job}" in caplog.text


def test_jobs_without_a_name_never_share_one(dataset: QuiverDataset) -> None:
    names = {QuiverDataLoader(dataset).job for _ in range(20)}
    assert len(names) == 20
    host = re.sub("[^A-Za-z0-9._-]", "-", socket.gethostname())[:30]
    assert all(re.fullmatch(rf".+-{re.escape(host)}-[0-9a-f]{{8}}", name) for name in names)


@pytest.mark.filterwarnings("error::quiver.torch.QuiverWarning")
@pytest.mark.parametrize("workers", [0, 2])
def test_the_ledger_of_an_epoch_is_proof(
    dataset: QuiverDataset, node: cluster.Node, tmp_path: Path, workers: int
) -> None:
    ledger = tmp_path / "run.qlg"
    with QuiverDataLoader(
        dataset, batch_size=16, num_workers=workers, cache=node.manager, collate_fn=len, ledger=ledger
    ) as loader:
        assert sum(loader) == sum(loader) == ITEMS
    proof = cluster.quiver("ledger", "verify", str(ledger))
    assert proof.returncode == 0, proof.stdout + proof.stderr
    with pytest.raises(FileExistsError, match="name another ledger"):
        next(iter(QuiverDataLoader(dataset, ledger=ledger)))


def test_without_a_cache_at_its_address_training_goes_on_with_one_warning(
    dataset: QuiverDataset, data: datasets.Data
) -> None:
    with (
        warnings.catch_warnings(record=True) as warned,
        QuiverDataLoader(
            dataset, batch_size=16, num_workers=2, collate_fn=as_bytes, cache="127.0.0.1:9"
        ) as loader,
    ):
        warnings.simplefilter("always")
        assert each_once(loader, data)
        assert each_once(loader, data)
    (one,) = [str(each.message) for each in warned if issubclass(each.category, QuiverWarning)]
    assert "127.0.0.1:9 does not answer" in one
    assert "training goes on" in one
