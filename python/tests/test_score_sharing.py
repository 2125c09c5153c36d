"""Jobs that share scores, and ranks without a process group, through a real cache."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import datasets
import processes
from quiver.client import CacheClient
from quiver.credentials import Credentials
from quiver.digest import Digest
from quiver.manager import ManagerCalls
from quiver.rank_score import score_of
from quiver.score_column import ScoreColumn
from quiver.torch import QuiverDataLoader, QuiverDataset, rank_agreement

ITEMS = datasets.ITEMS
BATCH = 8


@pytest.fixture
def loaders() -> Iterator[list[QuiverDataLoader]]:
    """Loaders to be closed at the end."""
    made: list[QuiverDataLoader] = []
    yield made
    for loader in made:
        loader.close()


@pytest.fixture
def make(
    data: datasets.Data, shared_node: cluster.Node, loaders: list[QuiverDataLoader]
) -> Callable[..., QuiverDataLoader]:
    """Make loaders that are closed at the end."""

    def made(source: datasets.Data = data, **options: Any) -> QuiverDataLoader:
        dataset = QuiverDataset(source.digest, source.store, decode=bytes, labels=False)
        settings = {"seed": 5, "sampler": "shade", "cache": shared_node.manager, **options}
        loader = QuiverDataLoader(dataset, BATCH, collate_fn=list, **settings)
        loaders.append(loader)
        return loader

    return made


def read(loader: QuiverDataLoader, batches: int | None = None, *, reports: bool = True) -> list[int]:
    """Read batches, all of an epoch by default, and report losses that grow with the items."""
    entries = []
    for number, _ in enumerate(loader, 1):
        indices = loader.batch.indices
        entries += indices.tolist()
        if reports:
            loader.report(np.asarray(indices, np.float64))
        if number == batches:
            break
    return entries


def scores(loader: QuiverDataLoader) -> np.ndarray:
    """Return the scores that the loader knows, 0 where none is known."""
    assert loader._importance is not None
    return np.asarray(loader._importance.lists.scores.state()[0])


def begin(loader: QuiverDataLoader) -> None:
    """Begin the next epoch."""
    next(iter(loader))


def await_scores(loader: QuiverDataLoader, fine: Callable[[np.ndarray], bool]) -> None:
    """Begin epochs until the loader's scores are fine."""

    def there() -> bool:
        begin(loader)
        return fine(scores(loader))

    processes.wait_until(there, "scores of the group")


def publish(loader: QuiverDataLoader) -> None:
    """Report the losses of ten items, and begin the epoch after that."""
    begin(loader)
    loader.report(np.arange(10), indices=np.arange(10))
    begin(loader)


def test_a_job_samples_by_what_another_of_its_group_found(make: Callable[..., QuiverDataLoader]) -> None:
    one, other = make(share_scores="pair"), make(share_scores="pair")
    begin(other)
    publish(one)
    expected = [score_of(smaller) for smaller in range(10)] + [0] * (ITEMS - 10)
    await_scores(other, lambda known: known.tolist() == expected)
    other.report([1.0], indices=[100])
    begin(other)
    await_scores(one, lambda known: known[100] == score_of(0))
    assert scores(one)[:10].tolist() == expected[:10], "what was heard is not told again"


def test_who_names_no_group_or_reads_other_data_hears_nothing(
    make: Callable[..., QuiverDataLoader], tmp_path: Path
) -> None:
    elsewhere = datasets.files(tmp_path, ITEMS, 2500, seed=12)
    one, friend = make(share_scores="few"), make(share_scores="few")
    others = [make(), make(share_scores="many"), make(elsewhere, share_scores="few")]
    for loader in (friend, *others):
        begin(loader)
    publish(one)
    await_scores(friend, lambda known: known[0] > 0)
    for loader in others:
        begin(loader)
        assert not scores(loader).any()


def test_wrong_columns_are_left_out_and_others_still_count(
    make: Callable[..., QuiverDataLoader],
    data: datasets.Data,
    shared_node: cluster.Node,
    caplog: pytest.LogCaptureFixture,
) -> None:
    digest = Digest.open(data.digest)
    high = np.full(ITEMS, score_of(7), np.int32)
    right = np.zeros(ITEMS, np.int32)
    right[7] = score_of(3)
    impossible = high.copy()
    impossible[3] = 5
    columns = {
        "impossible": ScoreColumn(1, 8, impossible).pack(digest.identity[:8]),
        "foreign": ScoreColumn(1, 8, high).pack(b"foreign!"),
        "long": ScoreColumn(1, 8, np.append(high, high)).pack(digest.identity[:8]),
        "whole": ScoreColumn(1, 8, high, whole=True).pack(digest.identity[:8]),
        "text": b"no column",
        "right": ScoreColumn(1, 8, right).pack(digest.identity[:8]),
    }
    honest = make(share_scores="hostile")
    begin(honest)
    for sequence, name in enumerate((*columns, "lost"), 1):
        column = columns.get(name, b"in no cache")
        key = hashlib.sha256(column).digest()
        offer = {"group": "hostile", "member": name, "round": 1, "column": key.hex(), "listens": True}
        report = {
            "job": f"hostile-{name}",
            "instance": name,
            "sequence": sequence,
            "dataset": digest.key,
            "items": digest.items,
            "bytes": digest.bytes,
            "batch": BATCH,
            "epoch": 0,
            "last_epoch": False,
            "chunks": 0,
            "remaining": [],
            "loaded": [],
            "item_seconds": 0,
            "idle_seconds": 0,
            "leaving": False,
            "plan_version": 0,
            "held": None,
            "warming": False,
            "scores": [offer],
        }
        calls = ManagerCalls((shared_node.manager,), f"hostile-{name}", Credentials.none())
        if name != "lost":
            plan = calls.report(report).document
            with CacheClient(shared_node.servers) as client:
                members = [(m["name"], m["uri"], m["weight"]) for m in plan["members"]]
                client.update(client_members(members))
                put = client.put([(key, column)], plan["scores"]["space"], plan=plan["version"])
                assert put.here.all()
        else:
            calls.report(report)
    with caplog.at_level(logging.WARNING, "quiver"):
        await_scores(honest, lambda known: known.tolist() == right.tolist())
        processes.wait_until(lambda: caplog.text.count("are left out") >= 5, "warnings")
    assert "whole" in caplog.text


def client_members(members: list[tuple[str, str, int]]) -> Any:
    from quiver.fleet import Member

    return Member.of_plan(members)


def test_sharing_without_a_cache_is_sampling_alone(make: Callable[..., QuiverDataLoader]) -> None:
    alone, plain = make(share_scores="nobody", cache=None), make(cache=None)
    assert [read(alone) for _ in range(3)] == [read(plain) for _ in range(3)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"share_scores": "two words"}, "use 1 to 100 letters"),
        ({"share_scores": "@ranks"}, "use 1 to 100 letters"),
        ({"share_scores": ""}, "use 1 to 100 letters"),
        ({"share_scores": "a", "sampler": "strict"}, "has no scores"),
    ],
)
def test_groups_that_make_no_sense_are_refused(
    make: Callable[..., QuiverDataLoader], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        make(**options)


def together(work: Callable[[int], Any], ranks: int = 2) -> list[Any]:
    """Do the work of all ranks at a time; returns results, or what was raised."""
    results: list[Any] = [None] * ranks

    def run(rank: int) -> None:
        try:
            results[rank] = work(rank)
        except Exception as e:  # noqa: BLE001 - handed on
            results[rank] = e

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    assert not any(thread.is_alive() for thread in threads)
    return results


def lists(loader: QuiverDataLoader) -> list[str]:
    """Return what the list of this epoch, and of the next, is known by."""
    assert loader._importance is not None
    drawn = loader._importance.lists
    return [drawn.list.sha256, drawn.following.sha256]


def require_proof(ledgers: Path, epochs: int) -> None:
    """Require that a ledger proves these epochs."""
    files = map(str, ledgers.parent.glob(f"{ledgers.name}*"))
    proof = cluster.quiver("ledger", "verify", "--json", *files)
    assert proof.returncode == 0, proof.stdout + proof.stderr
    found = json.loads(proof.stdout)["jobs"][0]["epochs"]
    assert [(each["missing"], each["doubled"]) for each in found] == [(0, 0)] * epochs


def test_ranks_given_by_hand_follow_one_list(make: Callable[..., QuiverDataLoader], tmp_path: Path) -> None:
    ledger = tmp_path / "hand.qlg"

    def work(rank: int) -> tuple[list[list[str]], list[int]]:
        loader = make(rank=rank, world_size=3, job="hand", ledger=ledger)
        drawn = []
        for _ in range(3):
            read(loader, reports=rank != 1)  # one rank never reports
            drawn.append(lists(loader))
        epoch = iter(loader)
        begun = len(next(epoch))  # the ranks agree when the first batch is asked for
        known = scores(loader).tolist()
        assert begun + sum(len(batch) for batch in epoch) >= ITEMS // 3
        return drawn, known

    first, *others = together(work, 3)
    assert not isinstance(first, Exception), first
    assert others == [first, first]
    assert np.count_nonzero(first[1]) > ITEMS // 3
    assert first[0][0] != first[0][1] != first[0][2]
    require_proof(ledger, 4)


def test_ranks_given_by_hand_go_on_in_mid_epoch_and_with_another_number(
    make: Callable[..., QuiverDataLoader], tmp_path: Path
) -> None:
    ledger = tmp_path / "resumed.qlg"

    def begun(rank: int) -> dict[str, Any]:
        loader = make(rank=rank, world_size=2, job="resumed", ledger=ledger)
        read(loader)
        read(loader, 4)
        state = loader.state_dict()
        loader.close()
        return state

    states = together(begun)

    def same(rank: int) -> dict[str, Any]:
        loader = make(rank=rank, world_size=2, job="resumed", ledger=ledger)
        loader.load_state_dict(states[rank])
        read(loader, 4)
        state = loader.state_dict()
        loader.close()
        return state

    again = together(same)
    assert not any(isinstance(each, Exception) for each in again), again

    def more(rank: int) -> list[str]:
        loader = make(rank=rank, world_size=3, job="resumed", ledger=ledger)
        loader.load_state_dict(again)
        read(loader)
        read(loader)
        loader.close()
        return lists(loader)

    drawn = together(more, 3)
    assert drawn[0] == drawn[1] == drawn[2]
    require_proof(ledger, 3)


def test_falling_accuracy_of_one_rank_ends_importance_for_all(make: Callable[..., QuiverDataLoader]) -> None:
    def work(rank: int) -> list[int]:
        loader = make(rank=rank, world_size=2, job="falling", sampler="shade-boundary")
        read(loader)
        for step in range(6):
            if rank == 1:
                loader.report_validation(0.9 - step / 100)
        return read(loader)

    first, second = together(work)
    assert sorted({*first, *second}) == list(range(ITEMS))


def test_ranks_fail_when_another_does_not_come(
    make: Callable[..., QuiverDataLoader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rank_agreement, "_LONGEST_WAIT", 3.0)
    for rank, missing in ((0, "rank 1 to tell its scores"), (1, "rank 0 to tell the scores that all")):
        loader = make(rank=rank, world_size=2, job=f"lonely-{rank}")
        read(loader, 2)
        with pytest.raises(RuntimeError, match=missing):
            begin(loader)


def test_ranks_with_different_seeds_do_not_take_each_others_scores(
    make: Callable[..., QuiverDataLoader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rank_agreement, "_LONGEST_WAIT", 5.0)

    def work(rank: int) -> None:
        loader = make(rank=rank, world_size=2, job="seeds", seed=rank)
        read(loader, 2)
        begin(loader)

    assert all("run with the same arguments" in str(each) for each in together(work))


def test_ranks_given_by_hand_also_share_with_other_jobs(make: Callable[..., QuiverDataLoader]) -> None:
    other = make(share_scores="both")
    begin(other)
    other.report([1.0, 2.0], indices=[100, 101])
    begin(other)
    reached = threading.Barrier(2, timeout=100)
    heard = threading.Event()

    def work(rank: int) -> list[int]:
        loader = make(rank=rank, world_size=2, job="several", share_scores="both")
        begin(loader)
        while not heard.is_set():
            begin(loader)
            if rank == 0 and scores(loader)[101] > 0:
                heard.set()
            reached.wait()
        loader.report([3.0], indices=[rank])
        begin(loader)
        return scores(loader).tolist()

    results = together(work)
    assert results[0] == results[1]
    assert results[0][101] == score_of(1)
    await_scores(other, lambda known: bool(known[0] and known[1]))
