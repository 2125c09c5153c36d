"""Resumes real runs of Lightning."""

from __future__ import annotations

import collections
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import datasets

ITEMS = 101
STEPS = 13  # of an epoch with one rank
LONGEST_SECONDS = 240

RANKS = {
    "a rank's third step": {"save_after": 3},
    "a rank's tenth step": {"save_after": 10},
    "the first epoch of two ranks": {"save_after_epoch": 0},
}
RESUMED = {
    f"{when} ({sampler})": {"sampler": sampler, **case}
    for sampler in ("substitute", "strict")
    for when, case in {
        "the fifth step": {"save_after": 5},
        "the last step of an epoch": {"save_after": STEPS},
        "a step of the second epoch": {"save_after": 18},
        "the first epoch": {"save_after_epoch": 0},
    }.items()
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.files(tmp_path_factory.mktemp("data"), ITEMS, 500, seed=21)


@pytest.fixture(scope="module")
def outcomes(data: datasets.Data, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run all cases in one process; those that fork come first."""
    folder = tmp_path_factory.mktemp("runs")
    cases: dict[str, Any] = {name: {"kind": "ranks", **case} for name, case in RANKS.items()}
    cases |= {name: {"kind": "resumed", **case} for name, case in RESUMED.items()}
    cases["a few batches"] = {"kind": "overfit", "epochs": 3, "batches": 2}
    tests = Path(__file__).parent
    paths = [str(tests.parent / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, tests / "lightning_runs.py", data.digest, data.store, folder, json.dumps(cases)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((folder / "outcomes.json").read_text())
    return found


@pytest.mark.parametrize("after", RESUMED)
def test_a_run_goes_on_as_if_it_had_not_been_interrupted(outcomes: dict[str, Any], after: str) -> None:
    whole, again = outcomes[after]["whole"], outcomes[after]["again"]
    assert len(whole) == 2 * STEPS
    assert again == whole[RESUMED[after].get("save_after", STEPS) :]


@pytest.mark.parametrize("after", RANKS)
def test_two_ranks_go_on_from_the_one_state_that_lightning_keeps(
    outcomes: dict[str, Any], data: datasets.Data, after: str
) -> None:
    whole, again = outcomes[after]["whole"], outcomes[after]["again"]
    steps = RANKS[after].get("save_after", len(whole[0]) // 2)
    keys = {int.from_bytes(content[:4], "big") for content in data.contents}
    for epoch in range(2):
        taken = [batch for rank in range(2) for number, batch in whole[rank][:steps] if number == epoch]
        taken += [batch for rank in range(2) for number, batch in again[rank] if number == epoch]
        counts = collections.Counter(itertools.chain(*taken))
        assert counts.keys() == keys
        assert counts.total() == ITEMS + 1, "one rank repeats a sample"
    if steps == len(whole[0]) // 2:
        assert again == [rank[steps:] for rank in whole], "the second epoch has an order of its own"


def test_every_epoch_of_a_loader_that_is_not_reshuffled_has_the_same_few_samples(
    outcomes: dict[str, Any],
) -> None:
    epochs = [[batch for number, batch in outcomes["a few batches"] if number == epoch] for epoch in range(3)]
    assert len(epochs[0]) == 2
    assert epochs[0] == epochs[1] == epochs[2]
