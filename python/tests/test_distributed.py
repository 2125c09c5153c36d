from __future__ import annotations

import collections
import contextlib
import json
import re
import socket
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch.distributed as dist
import torch.testing._internal.distributed.fake_pg  # noqa: F401 - makes the backend known

import cluster
import datasets
import processes
from processes import Training
from quiver.importance_lists import unpacked
from quiver.torch import QuiverDataLoader, QuiverDataset

ITEMS = datasets.ITEMS
BATCH = 8


def key(content: bytes) -> int:
    return int.from_bytes(content[:8], "big") >> 1


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def pair(**options: Any) -> Any:
    address = f"tcp://127.0.0.1:{free_port()}"
    return processes.trainings(2, ranks=((0, address), (1, address)), batch_size=BATCH, **options)


def counted(results: list[dict[str, Any]], epoch: int) -> collections.Counter[int]:
    batches = [batch for result in results for number, batch in result["samples"] if number == epoch]
    return collections.Counter(sample for batch in batches for sample in batch)


def test_two_ranks_share_epochs_in_equal_steps_and_one_goes_on_alone(
    data: datasets.Data, shared_node: cluster.Node, tmp_path: Path
) -> None:
    ledger = tmp_path / "ddp.qlg"
    common: dict[str, Any] = {"digest": data.digest, "store": data.store, "ledger": ledger}
    running: dict[str, Any] = {"cache": shared_node.manager, "num_workers": 1, "stop_after": 6}
    # One rank makes its loader before it joins the other, as Lightning lets users do.
    with pair(epochs=2, late=(True, False), **running, **common) as ranks:
        results = [rank.begin().end() for rank in ranks]
    first = results[0]
    job = first["job"].removesuffix(".r0")
    assert [result["job"] for result in results] == [f"{job}.r0", f"{job}.r1"]
    assert re.fullmatch(r"training-.+-[0-9a-f]{8}", job)
    assert [result["steps"] for result in results] == [[6, 6]] * 2
    assert all(result["length"] == -(-((ITEMS + 1) // 2) // BATCH) for result in results)
    for epoch in (0, 1):
        repeated = counted(results, epoch).total() - len(counted(results, epoch))
        assert repeated <= 1, "one rank repeats one sample of the other's"
    assert results[0]["whole"] == results[1]["whole"]
    alone = Training(
        epochs=1,
        cache=shared_node.manager,
        batch_size=BATCH,
        seed=7,
        state=first["whole"],
        job=job,
        **common,
    )
    rest = alone.begin().end()
    done = counted(results, 1) + counted([rest], 0)
    assert done.keys() == {key(content) for content in data.contents}
    assert done.total() <= ITEMS + 1
    proof = cluster.quiver("ledger", "verify", "--json", *map(str, tmp_path.glob("ddp.qlg*")))
    last = next(epoch for epoch in json.loads(proof.stdout)["jobs"][0]["epochs"] if epoch["epoch"] == 1)
    assert (last["missing"], last["doubled"]) == (0, 0)


def test_two_ranks_follow_one_list_though_one_reports_nothing_and_one_goes_on_alone(
    data: datasets.Data, tmp_path: Path
) -> None:
    ledger = tmp_path / "shade.qlg"
    common: dict[str, Any] = {"digest": data.digest, "store": data.store, "ledger": ledger, "job": "shade"}
    with pair(epochs=3, sampler="shade", reports=(False, True), stop_after=9, **common) as ranks:
        results = [rank.begin().end() for rank in ranks]
    whole, other = (result["whole"] for result in results)
    assert whole == other
    assert (whole["epoch"], whole["batches"]) == (2, 9)
    drawn = whole["importance"]["lists"]["drawn"]
    assert [each["epoch"] for each in drawn] == [2, 3]
    alone = Training(
        epochs=2,
        sampler="shade",
        batch_size=BATCH,
        seed=9,
        state=whole,
        reports=True,
        stop_after=40,
        **common,
    )
    rest = alone.begin().end()
    assert rest["state"]["epoch"] == 3
    proof = cluster.quiver("ledger", "verify", "--json", *map(str, tmp_path.glob("shade.qlg*")))
    epochs = {each["epoch"]: each for each in json.loads(proof.stdout)["jobs"][0]["epochs"]}
    assert (epochs[2]["missing"], epochs[2]["doubled"]) == (0, 0)
    assert (epochs[3]["missing"], epochs[3]["doubled"]) == (0, 0)
    assert epochs[2]["coverage"] >= 0.6
    silent = results[0]["state"]["importance"]["lists"]["scores"]
    assert np.count_nonzero(unpacked(silent, ITEMS)) > ITEMS // 4, "one rank's reports are both ranks' scores"


def test_ranks_share_what_other_jobs_found_and_still_follow_one_list(
    data: datasets.Data, shared_node: cluster.Node
) -> None:
    common: dict[str, Any] = {"digest": data.digest, "store": data.store, "cache": shared_node.manager}
    common |= {"sampler": "shade-boundary", "share_scores": "distributed", "reports": True}
    with pair(epochs=6, **common) as ranks:
        single = Training(epochs=20, batch_size=BATCH, seed=9, **common).begin().end()
        results = [rank.begin().end() for rank in ranks]
    lists = [result["state"]["importance"]["lists"] for result in results]
    assert lists[0]["drawn"] == lists[1]["drawn"]
    for result in (single, results[0]):
        known = unpacked(result["state"]["importance"]["lists"]["scores"], ITEMS)
        assert np.count_nonzero(known) > ITEMS // 2


def test_ranks_with_different_seeds_are_refused(data: datasets.Data) -> None:
    with pair(epochs=1, digest=data.digest, store=data.store, seed=(7, 8)) as ranks:
        errors = [rank.process.communicate(timeout=processes.LONGEST_SECONDS)[1] for rank in ranks]
    assert all(rank.process.returncode for rank in ranks), "one is refused, and the other is left alone"
    assert any("Give all ranks the same" in error for error in errors), errors


@pytest.fixture
def join_as_rank_1() -> Iterator[Callable[[], None]]:
    """Join a group of two whose other rank never does anything."""
    yield lambda: dist.init_process_group("fake", store=dist.HashStore(), rank=1, world_size=2)
    dist.destroy_process_group()


def test_ranks_may_become_known_until_a_loader_begins(
    data: datasets.Data, join_as_rank_1: Callable[[], None]
) -> None:
    dataset = QuiverDataset(data.digest, data.store, labels=False)
    whole, begun, loaded = (QuiverDataLoader(dataset, BATCH, collate_fn=len, seed=3) for _ in range(3))
    assert sum(begun) == ITEMS
    loaded.load_state_dict(begun.state_dict())
    steps = len(whole)
    join_as_rank_1()
    assert len(whole) == -(-(ITEMS // 2 + 1) // BATCH) < steps
    assert sum(whole) == ITEMS // 2 + 1
    assert (whole.state_dict()["rank"], whole.state_dict()["world_size"]) == (1, 2)
    for late in (begun, loaded):
        with pytest.raises(RuntimeError, match="began as rank 0 of 1 and is now rank 1 of 2"):
            next(iter(late))


def test_the_manager_knows_all_ranks_as_one_job(data: datasets.Data, shared_node: cluster.Node) -> None:
    def members() -> list[list[str]]:
        with urllib.request.urlopen(f"{shared_node.manager}/v1/jobs", timeout=10) as answer:
            jobs = json.load(answer)["diagnoses"]
        return [sorted(job["members"]) for job in jobs if "together" in job["job"]]

    dataset = QuiverDataset(data.digest, data.store, labels=False)
    with contextlib.ExitStack() as stack:
        for rank in range(2):
            loader = QuiverDataLoader(
                dataset, 8, collate_fn=len, job="together", cache=shared_node.manager, rank=rank, world_size=2
            )
            next(iter(stack.enter_context(loader)))
        processes.wait_until(lambda: members() == [["together.r0", "together.r1"]], "one job of two members")
