"""The example that trains by importance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quiver.examples import shade
from quiver.examples.shade_training import SAMPLINGS


def test_training_and_reading_are_compared(
    tiny_garments: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--quick", "--limit", "600", "--cache", "0.2", "--mbps", "2", "--json", "--quiet"]
    place = [
        "--data",
        str(tiny_garments),
        "--work",
        str(tmp_path / "runs"),
        "--plot",
        str(tmp_path / "shade.html"),
    ]
    assert shade.main([*options, *place]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report["training"]) == {"clean", "hard"}
    for found in report["training"].values():
        assert set(found["samplings"]) == set(SAMPLINGS)
    assert report["training"]["clean"]["samplings"]["repetition"]["coverage"] < 0.5
    assert 0.05 < report["training"]["hard"]["samplings"]["shuffle"]["wrong_labels"] < 0.2
    hits = {each["policy"]: each["hit_ratio"] for each in report["reading"]}
    assert hits["shade"] > 1.5 * hits["lru"]
    assert hits["repetition"] > hits["lru-same-draws"]
    assert (tmp_path / "shade.html").read_text().count("<svg") >= 6
