from __future__ import annotations

import json

import numpy as np
import pytest

from quiver.examples import sequences
from quiver.examples.orders import AlikeBatches, GlobalShuffle, Order, RotatingChunks

ITEMS = 1203
BATCH = 32


def spread(order: Order) -> float:
    """Return the mean distance of the first and the last item of a batch, as a share of the data set."""
    return float(np.mean([np.ptp(batch) for batch in order.epoch(0)])) / ITEMS


def test_batches_of_like_items_come_from_one_stretch_and_every_item_once_per_epoch() -> None:
    alike: list[Order] = [
        AlikeBatches(ITEMS, BATCH, seed=3),
        RotatingChunks(ITEMS, BATCH, seed=3, homogeneous=True),
    ]
    for order in alike:
        epochs = [[batch.tolist() for batch in order.epoch(epoch)] for epoch in range(2)]
        for batches in epochs:
            assert sorted(item for batch in batches for item in batch) == list(range(ITEMS))
        assert epochs[0] != epochs[1]
    assert spread(alike[0]) < 0.15
    assert spread(alike[1]) < 0.5
    assert spread(GlobalShuffle(ITEMS, BATCH, seed=3)) > 0.85


def test_lines_are_sorted_by_length_and_no_test_line_is_trained_on() -> None:
    train, test = sequences.lines_of_source(500)
    assert len(train) == 500
    assert [len(line) for line in train] == sorted(len(line) for line in train)
    assert not set(train) & set(test)


def test_a_network_learns_in_both_orders(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--seeds", "2", "--lines", "640", "--epochs", "2", "--batch", "32", "--quiet"]
    assert sequences.main([*words, "--orders", "alike", "quiver", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report["orders"]) == ["alike", "quiver"]
    for found in report["orders"].values():
        assert found["mean"] > 15, "a guess of the commonest character is right in a tenth of all places"
    assert "against_alike" in report["orders"]["quiver"]
