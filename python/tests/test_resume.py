from __future__ import annotations

import collections
import json
from pathlib import Path
from typing import Any

import pytest

import cluster
import datasets
from quiver.torch import QuiverDataLoader, QuiverDataset, merge_states

ITEMS = 101
BATCH = 8


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.files(tmp_path_factory.mktemp("data"), ITEMS, 500, seed=21)


def as_bytes(samples: list[bytes]) -> list[bytes]:
    return samples


def loaders(data: datasets.Data, ranks: int, **options: Any) -> list[QuiverDataLoader]:
    dataset = QuiverDataset(data.digest, data.store, labels=False)
    options = {"batch_size": BATCH, "seed": 3, "collate_fn": as_bytes, "world_size": ranks, **options}
    return [QuiverDataLoader(dataset, rank=rank, **options) for rank in range(ranks)]


def take(loader: QuiverDataLoader, batches: int) -> list[bytes]:
    epoch = iter(loader)
    return [sample for _ in range(batches) for sample in next(epoch)]


def rest(loader: QuiverDataLoader) -> list[bytes]:
    return [sample for batch in loader for sample in batch]


def through_json(state: Any) -> Any:
    return json.loads(json.dumps(state))


@pytest.mark.parametrize("sampler", ["substitute", "strict"])
@pytest.mark.parametrize("workers", [0, 2])
def test_a_job_goes_on_after_any_batch(data: datasets.Data, sampler: Any, workers: int) -> None:
    whole = -(-ITEMS // BATCH)
    for batches in range(0, whole + 1, 1 if workers == 0 else 6):
        (first,) = loaders(data, 1, sampler=sampler, num_workers=workers)
        done = take(first, batches)
        state = through_json(first.state_dict())
        assert state["batches"] == batches, "what was read ahead does not count"
        first.close()
        (second,) = loaders(data, 1, sampler=sampler, seed=99)
        second.load_state_dict(state)
        left = rest(second)
        if batches == whole:
            assert sorted(left) == sorted(data.contents), "the next epoch"
            assert second.state_dict()["epoch"] == 1
        else:
            assert sorted(done + left) == sorted(data.contents)
            assert second.state_dict()["epoch"] == 0


def test_a_strict_order_goes_on_as_if_it_had_not_been_interrupted(data: datasets.Data) -> None:
    (whole,) = loaders(data, 1, sampler="strict")
    (first,) = loaders(data, 1, sampler="strict")
    done = take(first, 5)
    (second,) = loaders(data, 1, sampler="strict")
    second.load_state_dict(first.state_dict())
    assert done + rest(second) + rest(second) == rest(whole) + rest(whole)


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (3, 2), (2, 5), (4, 4)])
@pytest.mark.parametrize("sampler", ["substitute", "strict"])
def test_another_number_of_ranks_goes_on(data: datasets.Data, before: int, after: int, sampler: Any) -> None:
    first = loaders(data, before, sampler=sampler)
    done = [sample for loader in first for sample in take(loader, 2)]
    states = [through_json(loader.state_dict()) for loader in first]
    second = loaders(data, after, sampler=sampler)
    parts = []
    for loader in second:
        loader.load_state_dict(states)
        parts.append(rest(loader))
    assert len({-(-len(part) // BATCH) for part in parts}) == 1, "all take equally many steps"
    counts = collections.Counter(done + [sample for part in parts for sample in part])
    assert counts.keys() == set(data.contents)
    assert sum(counts.values()) - ITEMS < after + before, "only padding is repeated"


def test_each_rank_goes_on_from_its_own_state_where_their_number_is_the_same(data: datasets.Data) -> None:
    first = loaders(data, 3)
    done = [take(loader, rank + 1) for rank, loader in enumerate(first)]
    second = loaders(data, 3)
    for loader, before in zip(second, first, strict=True):
        loader.load_state_dict(before.state_dict())
    for rank, loader in enumerate(second):
        twice = collections.Counter(done[rank] + take(loader, 1))
        assert max(twice.values()) == 1
        done[rank] += list(twice)[len(done[rank]) :]
    third = loaders(data, 2)
    for loader in third:
        loader.load_state_dict(merge_states([before.state_dict() for before in second]))
    everything = [sample for part in done for sample in part]
    everything += [sample for loader in third for sample in rest(loader)]
    assert set(everything) == set(data.contents)
    assert len(everything) <= ITEMS + 3 + 2, "only padding is repeated"


def test_ranks_go_on_with_another_sampler_only_from_the_states_of_all(data: datasets.Data) -> None:
    first = loaders(data, 2, sampler="substitute")
    done = [sample for loader in first for sample in take(loader, 3)]
    states = [through_json(loader.state_dict()) for loader in first]
    second = loaders(data, 2, sampler="strict")
    for loader, state in zip(second, states, strict=True):
        with pytest.raises(ValueError, match="saved with sampler='substitute'"):
            loader.load_state_dict(state)
        loader.load_state_dict(states)
    counts = collections.Counter(done + [sample for loader in second for sample in rest(loader)])
    assert counts.keys() == set(data.contents)
    assert counts.total() <= ITEMS + 1, "only padding is repeated"


def test_states_that_do_not_belong_are_refused(data: datasets.Data, tmp_path: Path) -> None:
    three = [loader.state_dict() for loader in loaders(data, 3)]
    (one,) = loaders(data, 1)
    with pytest.raises(ValueError, match="give the states of all ranks"):
        one.load_state_dict(three[0])
    with pytest.raises(ValueError, match=r"ranks \[0, 2\] of 3"):
        one.load_state_dict([three[0], three[2]])
    with pytest.raises(ValueError, match="not a state"):
        one.load_state_dict({"_num_yielded": 3})
    other = datasets.files(tmp_path, 5, 100, seed=1)
    (small,) = loaders(other, 1)
    with pytest.raises(ValueError, match="a state of 5 items; this data set has 101"):
        one.load_state_dict(small.state_dict())


def test_set_epoch_keeps_a_state_of_that_epoch_and_leaves_others(data: datasets.Data) -> None:
    (first,) = loaders(data, 1)
    rest(first)
    take(first, 3)
    (second,) = loaders(data, 1)
    second.load_state_dict(first.state_dict())
    second.set_epoch(1)
    assert len(rest(second)) == ITEMS - 3 * BATCH
    second.load_state_dict(first.state_dict())
    second.set_epoch(0)
    assert len(rest(second)) == ITEMS


@pytest.mark.parametrize("sampler", ["substitute", "strict"])
def test_set_epoch_may_name_an_epoch_that_has_just_begun(data: datasets.Data, sampler: Any) -> None:
    """Lightning makes an iterator first, and then says which epoch it is."""
    (whole,) = loaders(data, 1, sampler=sampler)
    expected = [list(whole) for _ in range(3)]
    (first,) = loaders(data, 1, sampler=sampler)
    epoch = iter(first)
    first.set_epoch(0)
    done = [next(epoch) for _ in range(3)]
    state = through_json(first.state_dict())
    assert (state["epoch"], state["batches"]) == (0, 3)
    (second,) = loaders(data, 1, sampler=sampler)
    second.load_state_dict(state)
    epoch = iter(second)
    second.set_epoch(0)
    done += epoch
    assert done == expected[0]
    assert list(second) == expected[1]
    second.set_epoch(2)
    assert list(second) == expected[2]
    second.set_epoch(2)
    assert list(second) == expected[2], "that one was over"


@pytest.mark.parametrize("workers", [0, 1])
def test_an_iterator_begins_with_the_epoch_that_is_named_before_its_first_batch(
    data: datasets.Data, tmp_path: Path, workers: int
) -> None:
    """Lightning says so when it goes on after an epoch, without the loader's state."""
    (whole,) = loaders(data, 1, sampler="strict")
    expected = [list(whole) for _ in range(2)]
    ledger = tmp_path / "run.qlg"
    ledger.write_bytes(b"of the first epoch")
    (loader,) = loaders(data, 1, sampler="strict", ledger=ledger, num_workers=workers)
    epoch = iter(loader)
    loader.set_epoch(1)
    assert loader.state_dict()["epoch"] == 1
    assert list(epoch) == expected[1]
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["run.qlg", "run.qlg.run2"]


def test_a_state_that_all_ranks_gather_is_one_for_each_of_them(data: datasets.Data) -> None:
    (alone,) = loaders(data, 1, gather_state=True)
    take(alone, 2)
    state = through_json(alone.state_dict())
    assert state["rank"] is None
    parts = []
    for loader in loaders(data, 2):
        loader.load_state_dict(state)
        parts += rest(loader)
    assert len(set(parts)) == ITEMS - 2 * BATCH


def test_the_ledgers_of_all_runs_together_are_proof(data: datasets.Data, tmp_path: Path) -> None:
    ledger = tmp_path / "run.qlg"
    first = loaders(data, 2, ledger=ledger, job="resumed", uneven="pad")
    states = []
    for loader in first:
        take(loader, 3)
        states.append(loader.state_dict())
        loader.close()
    (second,) = loaders(data, 1, ledger=ledger, job="resumed")
    second.load_state_dict(states)
    rest(second)
    rest(second)
    second.close()
    names = sorted(str(path) for path in tmp_path.glob("run.qlg*"))
    assert len(names) == 3
    proof = cluster.quiver("ledger", "verify", *names)
    assert proof.returncode == 0, proof.stdout + proof.stderr
