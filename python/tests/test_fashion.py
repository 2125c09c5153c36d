from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import cluster
from quiver.examples import chart, equality, fashion, garments, orders
from quiver.order.layout import ChunkLayout

ITEMS = 1200


def test_every_order_delivers_each_image_once_per_epoch() -> None:
    compared: list[orders.Order] = [
        orders.GlobalShuffle(ITEMS, 32, seed=3),
        orders.RotatingChunks(ITEMS, 32, seed=3),
        orders.RotatingChunks(ITEMS, 32, seed=3, contiguous=True),
    ]
    for order in compared:
        for epoch in range(2):
            batches = list(order.epoch(epoch))
            assert sorted(np.concatenate(batches).tolist()) == list(range(ITEMS))
            assert [len(batch) for batch in batches] == [32] * 37 + [16]


def test_batches_come_from_the_resident_chunks_only() -> None:
    layout = ChunkLayout(ITEMS, 10)
    seen: list[int] = []
    for batch in orders.RotatingChunks(ITEMS, 32, seed=7).epoch(0):
        chunks = {int(chunk) for chunk in layout.chunks_of(batch.astype(np.int32))}
        assert len(chunks) <= 2
        seen += [chunk for chunk in sorted(chunks) if chunk not in seen]
    assert len(seen) == 10
    assert seen[0] == 7


def test_contiguous_chunks_are_stretches_of_the_data_set() -> None:
    first = next(orders.RotatingChunks(ITEMS, 100, seed=4, contiguous=True).epoch(0))
    assert set((first // (ITEMS // 10)).tolist()) == {4, 5}, "the two that are resident"


def test_student_distribution_matches_tables() -> None:
    for degrees, expected in ((1, 12.706), (2, 4.303), (5, 2.571), (30, 2.042), (8.3, 2.291)):
        assert equality.quantile(0.975, degrees) == pytest.approx(expected, abs=2e-3)
    assert equality.distribution(0, 7) == pytest.approx(0.5)
    assert equality.distribution(-1.5, 3) == pytest.approx(1 - equality.distribution(1.5, 3))


def test_student_distribution_matches_a_simulation() -> None:
    source = np.random.default_rng(11)
    samples = source.standard_normal((200_000, 5))
    t = samples.mean(1) / (samples.std(1, ddof=1) / math.sqrt(5))
    for value in (-2.0, 0.3, 1.1, 3.0):
        assert equality.distribution(value, 4) == pytest.approx(float((t <= value).mean()), abs=0.005)


def test_equal_groups_are_told_equal_and_different_ones_different() -> None:
    seed = 23
    source = random.Random(seed)
    first = [source.gauss(90, 0.15) for _ in range(8)]
    same = [source.gauss(90, 0.2) for _ in range(8)]
    worse = [source.gauss(89, 0.2) for _ in range(8)]
    equal = equality.compare(same, first, margin=0.5)
    assert equal.p_equal > 0.05, seed
    assert equal.p_equivalent < 0.01, seed
    different = equality.compare(worse, first, margin=0.5)
    assert different.p_equal < 0.001, seed
    assert different.p_equivalent > 0.9, seed
    assert different.difference == pytest.approx(-1, abs=0.4)


def test_groups_without_spread_compare_without_failing() -> None:
    assert equality.compare([90, 90], [90, 90], 0.5).p_equal == 1
    assert equality.compare([90, 90], [91, 91], 0.5).p_equivalent == 1


def test_missing_data_set_names_the_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fashion.main(["--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "apt install dataset-fashion-mnist" in error
    assert "--data DIR" in error


def test_damaged_idx_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x-idx3-ubyte"
    garments.write_idx(path, np.zeros((4, 3, 3), np.uint8))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(garments.ExampleError, match="promises"):
        garments.read_idx(path)


def test_plots_are_drawn_for_any_values() -> None:
    for values in ([90.0], [90.0, 90.0], [10.0, 95.5, 91.2]):
        assert chart.dots("t", {"a": values, "b": [50.0]}, " %").count("<circle") == len(values) + 1
        assert chart.lines("t", {"a": values}, " %").count("<polyline") == 1


def test_comparison_trains_in_memory_and_through_a_real_cache(
    tiny_garments: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "plot.html"
    words = [
        "--data",
        str(tiny_garments),
        "--work",
        str(tmp_path / "work"),
        "--plot",
        str(plot),
        "--json",
        "--quiet",
    ]
    words += ["--seeds", "2", "--live-jobs", "1", "--epochs", "2", "--batch", "32"]
    words += ["--orders", "sorted", "live", "--quiver", " ".join(cluster.quiver_command())]
    assert fashion.main(words) == 0
    report = json.loads(capsys.readouterr().out)
    found = report["orders"]
    assert {arm: each["count"] for arm, each in found.items()} == {"sorted": 2, "live": 1}
    for arm in found:
        assert found[arm]["mean"] > 60, found[arm]
    assert found["live"]["runs"][0]["reads"]["items"] == 2 * ITEMS
    assert plot.read_text().count("<svg") == 2

    assert fashion.main([*words, "--report-only"]) == 0
    assert json.loads(capsys.readouterr().out) == report
