from __future__ import annotations

import collections
import gc
import os
import signal
import threading
import time
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cluster
import datasets
import processes
from processes import alive, shared_memory, wait_until
from quiver.torch import QuiverDataLoader, QuiverDataset, QuiverWarning

ITEMS = datasets.ITEMS


@pytest.fixture
def dataset(data: datasets.Data) -> QuiverDataset:
    return QuiverDataset(data.digest, data.store, labels=False)


@pytest.fixture
def stoppable_node(tmp_path: Path) -> Iterator[cluster.Node]:
    """A cache that the test may stop."""
    with cluster.up(tmp_path / "node", servers=2) as node:
        yield node


def as_bytes(samples: list[bytes]) -> list[bytes]:
    return samples


def quiver_warnings(caught: list[warnings.WarningMessage]) -> list[str]:
    return [str(each.message) for each in caught if issubclass(each.category, QuiverWarning)]


@pytest.mark.parametrize(
    ("workers", "how"),
    [(0, "killed"), (2, "killed"), pytest.param(2, "stands still", marks=pytest.mark.long)],
)
def test_a_cache_that_dies_in_mid_epoch_costs_one_warning_and_no_sample(
    dataset: QuiverDataset, data: datasets.Data, stoppable_node: cluster.Node, workers: int, how: str
) -> None:
    got: collections.Counter[bytes] = collections.Counter()
    with (
        warnings.catch_warnings(record=True) as caught,
        QuiverDataLoader(
            dataset, batch_size=10, num_workers=workers, collate_fn=as_bytes, cache=stoppable_node.manager
        ) as loader,
    ):
        warnings.simplefilter("always")
        got.update(sample for batch in loader for sample in batch)
        for number, batch in enumerate(loader):
            got.update(batch)
            if number == 5:
                stoppable_node.kill() if how == "killed" else stoppable_node.pause()
        got.update(sample for batch in loader for sample in batch)
        store_reads = loader.statistics()["store_reads"]
    assert got == collections.Counter(data.contents * 3)
    assert store_reads > ITEMS
    assert len(quiver_warnings(caught)) == 1


def test_items_that_are_damaged_in_the_cache_are_read_from_the_store(
    dataset: QuiverDataset, data: datasets.Data, tmp_path: Path
) -> None:
    with cluster.up(tmp_path / "node", servers=1) as node:
        options: dict[str, Any] = {"batch_size": 50, "collate_fn": as_bytes, "cache": node.manager}
        with QuiverDataLoader(dataset, **options) as loader:
            for _ in range(2):
                assert sorted(s for batch in loader for s in batch) == sorted(data.contents)
            files = [f for f in (tmp_path / "node" / "data").rglob("*") if f.stat().st_size > 1 << 16]
            assert sum(damage(file) for file in files if file.is_file()) > 0
            before = loader.statistics()["store_reads"]
            assert sorted(s for batch in loader for s in batch) == sorted(data.contents)
            assert loader.statistics()["store_reads"] > before


def damage(file: Path) -> int:
    """Turn some bits of every kilobyte of a file where it lies."""
    content = bytearray(file.read_bytes())
    for position in range(4096, len(content), 1024):
        content[position] ^= 0x55
    with file.open("r+b") as stream:
        stream.write(content)
    return 1


def test_an_agent_that_is_killed_costs_one_warning(
    dataset: QuiverDataset, data: datasets.Data, shared_node: cluster.Node
) -> None:
    with (
        warnings.catch_warnings(record=True) as caught,
        QuiverDataLoader(dataset, batch_size=10, collate_fn=as_bytes, cache=shared_node.manager) as loader,
    ):
        warnings.simplefilter("always")
        epoch = iter(loader)
        samples = list(next(epoch))
        agent = loader._job.cache.agent
        assert agent is not None
        os.kill(agent.pid, signal.SIGKILL)
        wait_until(lambda: agent.ended, "the loader notices")
        samples += [sample for batch in epoch for sample in batch]
    assert sorted(samples) == sorted(data.contents)
    assert len(quiver_warnings(caught)) == 1
    assert "agent" in quiver_warnings(caught)[0]


def test_a_loader_that_is_dropped_takes_its_agent_along(
    dataset: QuiverDataset, shared_node: cluster.Node
) -> None:
    loader = QuiverDataLoader(dataset, batch_size=10, collate_fn=as_bytes, cache=shared_node.manager)
    next(iter(loader))
    agent = loader._job.cache.agent
    assert agent is not None
    pid = agent.pid
    assert alive(pid)
    del loader, agent
    gc.collect()
    wait_until(lambda: not alive(pid), "the agent ends")


def test_a_killed_worker_ends_the_epoch_and_the_next_one_is_whole(
    dataset: QuiverDataset, data: datasets.Data, shared_node: cluster.Node
) -> None:
    with QuiverDataLoader(
        dataset, batch_size=4, num_workers=2, collate_fn=as_bytes, cache=shared_node.manager
    ) as loader:
        epoch = iter(loader)
        next(epoch)
        os.kill(loader._inner()._workers[0].pid, signal.SIGKILL)  # type: ignore[misc,union-attr]
        with pytest.raises(RuntimeError, match="worker"):
            list(epoch)
        del epoch
        assert sorted(sample for batch in loader for sample in batch) == sorted(data.contents)


def slow(data: Any) -> bytes:
    threading.Event().wait(1)
    return bytes(data)


def test_a_timeout_names_what_was_waited_for(data: datasets.Data) -> None:
    dataset = QuiverDataset(data.digest, data.store, decode=slow)
    with (
        QuiverDataLoader(dataset, num_workers=1, timeout=0.3, job="patient") as loader,
        pytest.raises(RuntimeError, match=r"within 0\.3 s: job patient, epoch 0, batch 0: .* are being read"),
    ):
        next(iter(loader))


def test_workers_can_be_forked_after_the_process_has_read_by_itself(
    dataset: QuiverDataset, data: datasets.Data, shared_node: cluster.Node
) -> None:
    options: dict[str, Any] = {"batch_size": 10, "collate_fn": as_bytes, "cache": shared_node.manager}
    with QuiverDataLoader(dataset, **options) as alone:
        assert sorted(sample for batch in alone for sample in batch) == sorted(data.contents)
        first = iter(alone)
        next(first)
        with QuiverDataLoader(dataset, num_workers=2, multiprocessing_context="fork", **options) as forked:
            assert sorted(sample for batch in forked for sample in batch) == sorted(data.contents)
        assert sum(map(len, first)) == ITEMS - 10, "the parent's connections still work"


def options_of(data: datasets.Data, shared_node: cluster.Node) -> dict[str, Any]:
    return {
        "digest": data.digest,
        "store": data.store,
        "cache": shared_node.manager,
        "job": "victim",
        "batch_size": 4,
    }


def known_jobs(node: cluster.Node) -> str:
    with urllib.request.urlopen(f"{node.manager}/v1/jobs", timeout=10) as answer:
        return str(answer.read())


@pytest.mark.parametrize("alone", [True, False])
def test_a_killed_training_process_leaves_nothing_behind_and_can_begin_again(
    dataset: QuiverDataset, data: datasets.Data, shared_node: cluster.Node, alone: bool
) -> None:
    options = options_of(data, shared_node)
    with processes.trainings(1, epochs=10_000, num_workers=1, **options) as (training,):
        began = training.begin().begun
        if not alone:
            os.kill(began["agent"], signal.SIGKILL)  # as a container's end does: nobody says goodbye
        os.kill(training.process.pid, signal.SIGKILL)
        training.process.wait(10)
        pids = [began["agent"], *began["workers"]]
        wait_until(lambda: not any(map(alive, pids)), "agent and workers end")
    assert shared_memory([training.process.pid, *pids]) == []
    with QuiverDataLoader(
        dataset, batch_size=4, collate_fn=len, job="victim", cache=shared_node.manager
    ) as again:
        assert sum(again) == ITEMS
        assert again.job.startswith("victim-") != alone


def test_an_agent_that_is_told_to_end_says_goodbye(
    dataset: QuiverDataset, data: datasets.Data, shared_node: cluster.Node
) -> None:
    options = {**options_of(data, shared_node), "job": "preempted"}
    with processes.trainings(1, epochs=10_000, num_workers=1, **options) as (training,):
        began = training.begin().begun
        wait_until(lambda: "preempted" in known_jobs(shared_node), "the manager knows the job")
        os.killpg(training.process.pid, signal.SIGTERM)
        training.process.wait(10)
        wait_until(lambda: not alive(began["agent"]), "the agent ends")
    assert "preempted" not in known_jobs(shared_node), "it would be known for half a minute more"


def test_ctrl_c_ends_promptly(data: datasets.Data, shared_node: cluster.Node) -> None:
    with processes.trainings(1, epochs=10_000, num_workers=1, **options_of(data, shared_node)) as (training,):
        began = training.begin().begun
        start = time.monotonic()
        os.killpg(training.process.pid, signal.SIGINT)
        _, errors = training.process.communicate(timeout=30)
        assert time.monotonic() - start < 10
        assert "KeyboardInterrupt" in errors
        wait_until(lambda: not any(map(alive, [began["agent"], *began["workers"]])), "all of them end")
