from __future__ import annotations

import collections
import json
import socket
from pathlib import Path
from typing import Any

import pytest

import cluster
import datasets
import processes
from processes import Training

ITEMS = 151
BATCH = 8


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.files(tmp_path_factory.mktemp("data"), ITEMS, 2000, seed=41)


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
    data: datasets.Data, tmp_path: Path
) -> None:
    ledger = tmp_path / "ddp.qlg"
    common: dict[str, Any] = {"digest": data.digest, "store": data.store, "job": "ddp", "ledger": ledger}
    with cluster.up(tmp_path / "node") as node:
        with pair(epochs=2, cache=node.manager, num_workers=1, stop_after=6, **common) as ranks:
            results = [rank.begin().end() for rank in ranks]
        first = results[0]
        assert [result["steps"] for result in results] == [[6, 6]] * 2
        assert all(result["length"] == -(-76 // BATCH) for result in results)
        for epoch in (0, 1):
            repeated = counted(results, epoch).total() - len(counted(results, epoch))
            assert repeated <= 1, "one rank repeats one sample of the other's"
        assert results[0]["whole"] == results[1]["whole"]
        alone = Training(
            epochs=1, cache=node.manager, batch_size=BATCH, seed=7, state=first["whole"], **common
        )
        rest = alone.begin().end()
    done = counted(results, 1) + counted([rest], 0)
    assert done.keys() == {key(content) for content in data.contents}
    assert done.total() <= ITEMS + 1
    proof = cluster.quiver("ledger", "verify", "--json", *map(str, tmp_path.glob("ddp.qlg*")))
    last = next(epoch for epoch in json.loads(proof.stdout)["jobs"][0]["epochs"] if epoch["epoch"] == 1)
    assert (last["missing"], last["doubled"]) == (0, 0)
