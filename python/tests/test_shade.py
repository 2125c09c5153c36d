"""A loader that samples by importance."""

from __future__ import annotations

import collections
import json
import logging
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cluster
import datasets
import processes
from quiver.accuracy_trend import AccuracyTrend
from quiver.torch import QuiverDataLoader, QuiverDataset, merge_states, per_sample_cross_entropy

ITEMS = datasets.ITEMS
BATCH = 8


def make(data: datasets.Data, **options: Any) -> QuiverDataLoader:
    """Make a loader whose batches are the samples themselves."""
    dataset = QuiverDataset(data.digest, data.store, decode=bytes, labels=False)
    return QuiverDataLoader(dataset, BATCH, collate_fn=list, **{"seed": 5, "sampler": "shade", **options})


def losses_of(indices: Any) -> Any:
    """Return losses that are larger for later items."""
    return np.asarray(indices, np.float64)


def read(loader: QuiverDataLoader, batches: int | None = None, *, reports: bool = True) -> list[int]:
    """Read batches, all of an epoch by default, and report losses."""
    entries = []
    for number, _ in enumerate(loader, 1):
        indices = loader.batch.indices
        entries += indices.tolist()
        if reports:
            loader.report(losses_of(indices))
        if number == batches:
            break
    return entries


def test_a_batch_tells_its_samples_beside_what_collate_made_of_them(data: datasets.Data) -> None:
    with make(data, num_workers=2) as loader:
        steps = 0
        for samples in loader:
            assert [data.item(sample) for sample in samples] == loader.batch.indices.tolist()
            assert loader.batch.weights.dtype == torch.float32
            loader.report(losses_of(loader.batch.indices))
            steps += 1
        assert steps == len(loader)


def test_large_losses_come_more_often_and_weights_make_up_for_it(data: datasets.Data) -> None:
    loader = make(data)
    counts: collections.Counter[int] = collections.Counter()
    means = []
    for epoch in range(40):
        total = weight = 0.0
        for _ in loader:
            batch = loader.batch
            counts.update(batch.indices.tolist())
            total += float((batch.weights * batch.indices).sum())
            weight += float(batch.weights.sum())
            loader.report(losses_of(batch.indices))
        assert len(np.unique(loader._run._sampling.lists.list.entries)) >= 0.6 * ITEMS  # type: ignore[union-attr]
        means.append(total / ITEMS if epoch > 2 else math.nan)
    late, early = sum(counts[i] for i in range(150, ITEMS)), sum(counts[i] for i in range(ITEMS - 150))
    assert late > 1.1 * early
    assert np.nanmean(means) == pytest.approx((ITEMS - 1) / 2, rel=0.03)


def test_other_samplers_tell_indices_too_and_weigh_all_alike(data: datasets.Data) -> None:
    loader = make(data, sampler="strict")
    assert sorted(read(loader)) == list(range(ITEMS))
    assert loader.batch.weights.tolist() == [1.0] * len(loader.batch.weights)


@pytest.mark.parametrize(
    ("losses", "indices", "words"),
    [
        ([1.0], None, "1 losses for a batch of 8 samples"),
        (torch.ones(8).mean(), None, "1 losses for a batch of 8 samples"),
        ([1.0, 2.0], [0, ITEMS], f"item {ITEMS}; the data set has {ITEMS}"),
        ([1.0, 2.0], [0, -1], "item -1"),
        ([1.0, 2.0], [0.5, 1.0], "give whole numbers"),
    ],
)
def test_a_report_that_does_not_fit_is_refused_and_changes_nothing(
    data: datasets.Data, losses: Any, indices: Any, words: str
) -> None:
    loader = make(data)
    next(iter(loader))
    before = loader.state_dict()
    with pytest.raises(ValueError, match=words):
        loader.report(losses, indices=indices)
    assert loader.state_dict() == before


def test_losses_that_are_no_numbers_poison_nothing(data: datasets.Data) -> None:
    loader, plain = make(data), make(data)
    for each, wrong in ((loader, True), (plain, False)):
        for _ in each:
            losses = losses_of(each.batch.indices)
            each.report(losses)
            if wrong:
                each.report(np.full(len(losses), math.nan))
    assert read(loader) == read(plain)
    loader.report([math.inf, -math.inf, -1.0], indices=[1, 2, 3])
    assert len(read(loader)) == ITEMS
    assert torch.isfinite(loader.batch.weights).all()


def test_a_report_needs_a_batch_unless_it_names_samples(data: datasets.Data) -> None:
    loader = make(data)
    with pytest.raises(ValueError, match="no batch of this epoch"):
        loader.report([1.0])
    with pytest.raises(ValueError, match="before the first epoch"):
        loader.report([1.0], indices=[1])
    old = read(loader)[:BATCH]
    epoch = iter(loader)
    with pytest.raises(ValueError, match="no batch of this epoch"):
        loader.report([1.0] * BATCH)
    loader.report(torch.ones(BATCH, dtype=torch.bfloat16), indices=torch.tensor(old))  # of an earlier epoch
    next(epoch)


def test_runs_without_reports_are_sampled_evenly(data: datasets.Data) -> None:
    loader = make(data)
    drawn = [read(loader, reports=False) for _ in range(2)]
    assert [len(each) for each in drawn] == [ITEMS] * 2
    assert loader.batch.weights.tolist() == [1.0] * len(loader.batch.weights)
    assert drawn[0] != drawn[1]


def test_equal_seeds_and_losses_give_equal_lists(data: datasets.Data) -> None:
    one, other, third = make(data), make(data), make(data, seed=6)
    lists = [[read(each) for _ in range(3)] for each in (one, other, third)]
    assert lists[0] == lists[1] != lists[2]


@pytest.mark.parametrize("sampler", ["shade", "shade-boundary", "shade-paper"])
def test_a_saved_run_goes_on_as_if_it_had_not_stopped(data: datasets.Data, sampler: str) -> None:
    through, stopped = make(data, sampler=sampler), make(data, sampler=sampler)
    expected = [read(through) for _ in range(4)]
    assert [read(stopped), read(stopped, 7)] == [expected[0], expected[1][: 7 * BATCH]]
    resumed = make(data, sampler=sampler, seed=99)
    resumed.load_state_dict(json.loads(json.dumps(stopped.state_dict())))
    again = make(data, sampler=sampler)
    again.load_state_dict(resumed.state_dict())  # not iterated over in between
    assert read(again) == expected[1][7 * BATCH :]
    assert [read(again), read(again)] == expected[2:]


def test_a_state_in_mid_epoch_is_for_samplers_of_its_kind(data: datasets.Data) -> None:
    by_list, by_epoch = make(data), make(data, sampler="strict")
    read(by_list, 3)
    read(by_epoch, 3)
    with pytest.raises(ValueError, match="sampler='strict', which follows no list"):
        make(data).load_state_dict(by_epoch.state_dict())
    with pytest.raises(ValueError, match="sampler='shade', which follows a list with repeats"):
        make(data, sampler="strict").load_state_dict(by_list.state_dict())
    read(by_epoch)
    late = make(data)
    late.load_state_dict(by_epoch.state_dict())
    assert len(read(late)) == ITEMS
    assert late.state_dict()["epoch"] == 2


def test_ledgers_prove_the_lists_of_a_run_that_was_resumed(data: datasets.Data, tmp_path: Path) -> None:
    ledger = tmp_path / "run.qlg"
    with make(data, ledger=ledger, job="proof") as first:
        read(first)
        read(first, 4)
        state = first.state_dict()
    with make(data, ledger=ledger, job="proof") as second:
        second.load_state_dict(state)
        read(second)
    proof = cluster.quiver("ledger", "verify", "--json", *map(str, tmp_path.glob("run.qlg*")))
    assert proof.returncode == 0, proof.stdout + proof.stderr
    epochs = json.loads(proof.stdout)["jobs"][0]["epochs"]
    assert [(epoch["missing"], epoch["doubled"]) for epoch in epochs] == [(0, 0)] * 2
    assert all(epoch["coverage"] >= 0.6 for epoch in epochs)


def test_a_run_that_is_killed_goes_on_where_it_was_saved_last(data: datasets.Data, tmp_path: Path) -> None:
    checkpoint = tmp_path / "state.json"
    options = {"digest": data.digest, "store": data.store, "batch_size": BATCH, "seed": 5, "sampler": "shade"}

    def epoch() -> int:
        return int(json.loads(checkpoint.read_text())["epoch"]) if checkpoint.exists() else -1

    with processes.trainings(1, epochs=10_000, reports=True, checkpoint=checkpoint, **options) as (run,):
        run.begin()
        processes.wait_until(lambda: epoch() >= 2, "the third epoch")
        run.process.kill()
        run.process.wait(60)
    state = json.loads(checkpoint.read_text())
    resumed, whole = make(data), make(data)
    for _ in range(state["epoch"]):
        read(whole)
    expected = read(whole)
    resumed.load_state_dict(state)
    left = expected[state["batches"] * BATCH :]
    assert read(resumed) == (left or read(whole))
    assert read(resumed) == read(whole), "scores and lists are those of a run that was not killed"


def test_falling_accuracy_ends_sampling_by_importance(
    data: datasets.Data, caplog: pytest.LogCaptureFixture
) -> None:
    loader, told = make(data), make(data, return_to_uniform=False)
    for each in (loader, told):
        for accuracy in (0.9, 0.89, math.nan, 0.88, 0.87, 0.86):
            read(each)
            each.report_validation(accuracy)
        each.report_validation(0.85)
    with caplog.at_level(logging.WARNING, "quiver"):
        read(loader)  # was drawn one epoch ahead
        read(told)
    assert caplog.text.count("accuracy falls (0.9, 0.89, 0.88, 0.87, 0.86, 0.85)") == 1
    assert sorted(read(loader)) == list(range(ITEMS)) != sorted(read(told))
    assert set(loader.batch.weights.tolist()) == {1.0}
    resumed = make(data)
    resumed.load_state_dict(loader.state_dict())
    assert sorted(read(resumed)) == list(range(ITEMS))


def test_accuracy_that_rises_or_wavers_is_no_reason_to_stop() -> None:
    for accuracies in ([0.5, 0.6, 0.7, 0.8, 0.7, 0.6, 0.7], [0.9] * 9, [0.9, 0.8, 0.85, 0.7, 0.75, 0.6]):
        trend = AccuracyTrend()
        assert not any(trend.report(accuracy) for accuracy in accuracies)


def test_repetition_draws_from_a_part_of_the_data(data: datasets.Data) -> None:
    loader = make(data, pool=0.3)
    epochs = [read(loader) for _ in range(8)]
    assert all(len(set(epoch)) <= 0.31 * ITEMS for epoch in epochs)
    assert len(set().union(*epochs)) > 0.9 * ITEMS


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sampler": "shady"}, "sampler is"),
        ({"homogeneous": True}, "homogeneous=True"),
        ({"reshuffle": False}, "reshuffle=False"),
        ({"pool": 0}, "pool=0"),
        ({"sampler": "strict", "pool": 0.5}, "only samplers by importance"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    data: datasets.Data, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        make(data, **options)


def test_ranks_that_cannot_agree_are_refused(data: datasets.Data) -> None:
    with pytest.raises(ValueError, match="call init_process_group first"):
        next(iter(make(data, rank=0, world_size=2)))


def test_cross_entropy_has_one_loss_for_each_sample() -> None:
    logits, targets = torch.randn(4, 10), torch.tensor([1, 2, 3, 4])
    losses = per_sample_cross_entropy(logits, targets)
    assert losses.mean() == pytest.approx(float(torch.nn.functional.cross_entropy(logits, targets)))
    pixels = per_sample_cross_entropy(torch.randn(4, 10, 5, 5), torch.zeros(4, 5, 5, dtype=torch.long))
    assert pixels.shape == (4,)


def test_the_states_of_a_list_and_of_an_epoch_are_not_merged(data: datasets.Data) -> None:
    states = []
    for rank, sampler in enumerate(("shade", "strict")):
        loader = make(data, sampler=sampler)
        read(loader, 2)
        states.append({**loader.state_dict(), "rank": rank, "world_size": 2})
    with pytest.raises(ValueError, match="of a list and of an epoch"):
        merge_states(states)
