from __future__ import annotations

import json
from pathlib import Path

import pytest

import cluster
from quiver.examples import sweep
from quiver.examples.watch import Watch
from quiver.store import Store
from quiver.throttle import Throttle


def test_the_line_counts_what_all_readers_took(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(bytes(5000))
    stores = [Store.open(tmp_path, mbps=50, latency_ms=0) for _ in range(3)]
    line = Throttle(str(tmp_path), 50, 0)
    assert line.carried() == 0
    with Watch(line, None) as watch:
        for store in stores:
            store.read("x", 100, 1000)
    assert line.carried() == 3000
    assert watch.crossed(0, 1e18) == 3000


def test_rotating_share_is_read_from_the_plan(tmp_path: Path) -> None:
    watch = Watch(Throttle(str(tmp_path), 1, 0), None)
    held = [{"role": "PINNED"}, {"role": "ROTATING"}, {"role": "ROTATING"}]
    watch.note({"datasets": [{"chunks": 40, "held": held}]})
    watch.note({"datasets": [{"chunks": 40, "held": held[:1]}]})
    assert watch.rotating == pytest.approx(0.05)


def test_sweep_through_the_cache_reads_less_and_trains_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--items", "400", "--epochs", "2", "--mbps", "3", "--rates", "0.01", "0.03", "--json", "--quiet"]
    assert sweep.main([*words, "--quiver", " ".join(cluster.quiver_command())]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["plain"]["epochs"]) == pytest.approx(4, abs=0.05)
    assert sum(found["quiver"]["epochs"]) < 3, found
    assert found["quiver"]["rotating"] > 0
    assert all(right > 20 for right in found["quiver"]["right"].values()), found
