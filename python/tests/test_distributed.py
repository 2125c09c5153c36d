from __future__ import annotations

import collections
import contextlib
import json
import socket
import urllib.request
from pathlib import Path
from typing import Any

import cluster
import datasets
import processes
from processes import Training
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
    common: dict[str, Any] = {"digest": data.digest, "store": data.store, "job": "ddp", "ledger": ledger}
    with pair(epochs=2, cache=shared_node.manager, num_workers=1, stop_after=6, **common) as ranks:
        results = [rank.begin().end() for rank in ranks]
    first = results[0]
    assert [result["steps"] for result in results] == [[6, 6]] * 2
    assert all(result["length"] == -(-((ITEMS + 1) // 2) // BATCH) for result in results)
    for epoch in (0, 1):
        repeated = counted(results, epoch).total() - len(counted(results, epoch))
        assert repeated <= 1, "one rank repeats one sample of the other's"
    assert results[0]["whole"] == results[1]["whole"]
    alone = Training(
        epochs=1, cache=shared_node.manager, batch_size=BATCH, seed=7, state=first["whole"], **common
    )
    rest = alone.begin().end()
    done = counted(results, 1) + counted([rest], 0)
    assert done.keys() == {key(content) for content in data.contents}
    assert done.total() <= ITEMS + 1
    proof = cluster.quiver("ledger", "verify", "--json", *map(str, tmp_path.glob("ddp.qlg*")))
    last = next(epoch for epoch in json.loads(proof.stdout)["jobs"][0]["epochs"] if epoch["epoch"] == 1)
    assert (last["missing"], last["doubled"]) == (0, 0)


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
