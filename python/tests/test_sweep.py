from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cluster
from quiver.examples import sweep
from quiver.examples.program import ExampleError
from quiver.examples.progress import Progress
from quiver.examples.sweep_job import Sweep
from quiver.examples.sweep_report import document, html, table
from quiver.examples.sweep_run import Outcome, run_sweep
from quiver.examples.watch import Watch
from quiver.store import Store
from quiver.throttle import Throttle


def test_the_line_counts_what_all_readers_took(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(bytes(5000))
    stores = [Store.open(tmp_path, mbps=50, latency_ms=0) for _ in range(3)]
    line = Throttle(str(tmp_path), 50, 0)
    before = line.carried()
    with Watch(line, None) as watch:
        for store in stores:
            store.read("x", 100, 1000)
    assert line.carried() - before == 3000
    assert watch.crossed(0, 1e18) == 3000


def test_rotating_share_is_read_from_the_plan(tmp_path: Path) -> None:
    watch = Watch(Throttle(str(tmp_path), 1, 0), None)
    held = [{"role": "PINNED"}, {"role": "ROTATING"}, {"role": "ROTATING"}]
    watch.note({"datasets": [{"chunks": 40, "held": held}]})
    watch.note({"datasets": [{"chunks": 40, "held": held[:1]}]})
    assert watch.rotating == pytest.approx(0.05)
    assert watch.held == pytest.approx(0.075)


def outcome(seconds: float, epochs: list[float], rotating: float) -> Outcome:
    return Outcome(seconds, epochs, 2 * rotating, rotating, 30, {"0.1": 99.5}, {"cached": 7})


def test_report_holds_later_epochs_against_what_the_plan_allows() -> None:
    found = document({"items": 5}, outcome(60, [4, 4, 4], 0), outcome(15, [1, 0.9, 0.81], 0.1), 0.2)
    assert found["speedup"] == pytest.approx(4)
    assert found["quiver"]["later"] == pytest.approx(0.855)
    assert found["ideal"] == pytest.approx(0.9)
    assert found["against_ideal"] == pytest.approx(0.95)
    assert "4.0 times as fast" in table(found)


def test_page_is_well_formed_and_draws_bars_to_scale() -> None:
    found = document({"items": "<5>"}, outcome(60, [4, 4], 0), outcome(15, [1, 0.9], 0.1), 0.2)
    text = html(found)
    assert "items &lt;5&gt;" in text
    plots = [ElementTree.fromstring(plot) for plot in re.findall("<svg.*?</svg>", text)]
    widths = [
        [float(bar.attrib["width"]) for bar in plot.iter("{http://www.w3.org/2000/svg}rect")]
        for plot in plots
    ]
    assert [len(each) for each in widths] == [2, 4]
    assert widths[0][0] == pytest.approx(4 * widths[0][1], rel=0.01)
    assert widths[1][3] == pytest.approx(0.9 * widths[1][2], rel=0.01)


@pytest.mark.parametrize("words", [["--rates", "0.1", "0.1"], ["--share", "1.5"], ["--mbps", "0"]])
def test_options_that_make_no_sense_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        sweep.main(words)
    assert ended.value.code == 2


def test_progress_draws_a_bar_on_a_terminal_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        progress = Progress("sweep", stream=stream)
        progress.draw(0.5, "half")
        progress.say("done")
    assert pipe.getvalue() == "sweep: done\n"
    drawn, left = terminal.getvalue().split("half")
    assert drawn.count("#") == drawn.count(".") > 0
    assert left.endswith("\033[Ksweep: done\n")


def test_sweep_through_the_cache_reads_less_and_trains_as_well(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Judges the bytes that crossed the line, which should be 1 and then about 0.8 data sets."""
    words = ["--items", "200", "--batch", "4", "--epochs", "2", "--mbps", "10", "--rates", "0.01", "0.03"]
    words += ["--share", "0.4", "--json", "--quiet"]
    plot = tmp_path / "sweep.html"
    assert sweep.main([*words, "--plot", str(plot), "--quiver", shlex.join(cluster.quiver_command())]) == 0
    captured = capfd.readouterr()
    found = json.loads(captured.out)
    quiver, plain = found["quiver"], found["plain"]
    assert sum(plain["epochs"]) == pytest.approx(4, abs=0.05)
    assert sum(quiver["epochs"]) < 3, found
    assert 0 < quiver["rotating"] <= quiver["held"] <= 0.4 + 1e-9, found
    reads = quiver["reads"]
    assert reads["items"] == 2 * 2 * 200
    assert reads["cached"] + reads["cooperative"] + reads["store_reads"] == reads["items"]
    for arm in (quiver, plain):
        assert all(right > 20 for right in arm["right"].values()), found
    assert plot.read_text().count("<svg") == 2
    assert "leaked" not in captured.err


def test_a_job_that_fails_is_told_and_ends_the_sweep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = Sweep(tmp_path / "absent.qdg", tmp_path, None, 1, 4, 0, 1.0, 0.0, 0)
    with pytest.raises(ExampleError, match=r"a job failed: .*absent\.qdg"):
        run_sweep(job, [0.1, 0.2], 1000, Progress("sweep", quiet=True))
