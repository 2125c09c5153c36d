"""Four learning rates at once on one data set behind a slow line: plain PyTorch, and a cache of 20 %.

``python -m quiver.examples.sweep`` makes pictures, a digest, and a store behind a line of ``--mbps`` that all
jobs share as they would share the link to a bucket. The jobs are processes; what crosses the line is counted
at the line itself, not by the jobs. The bytes of an epoch are held against (1 − c + w) data sets: c is the
cached share, w the part of it that rotates in the manager's plan. In the first epoch the cache is empty, so
about one data set crosses the line.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from quiver.examples import pictures
from quiver.examples.program import ExampleError, cache, capacity_for, end_in_order, launcher
from quiver.examples.progress import Progress
from quiver.examples.sweep_job import Sweep
from quiver.examples.sweep_report import document, html, table
from quiver.examples.sweep_run import run_sweep


def main(arguments: list[str] | None = None) -> int:
    """Run both sweeps; the exit code."""
    options = _options(arguments)
    progress = Progress("sweep", quiet=options.quiet)
    try:
        with tempfile.TemporaryDirectory(prefix="quiver-sweep-") as scratch:
            found = _compare(options, Path(scratch), progress)
    except ExampleError as e:
        progress.clear()
        print(f"sweep: {e}", file=sys.stderr)
        return 1
    Path(options.plot).write_text(html(found))
    print(json.dumps(found, indent=2) if options.json else table(found))
    progress.say(f"plot: {options.plot}")
    return 0


def _compare(options: argparse.Namespace, folder: Path, progress: Progress) -> dict[str, Any]:
    command = launcher(options.quiver)
    data_bytes = options.items * pictures.BYTES
    progress.say(f"making {options.items} pictures, {data_bytes / 1e6:.1f} MB")
    store, digest = pictures.make(command, folder, options.items, options.seed)
    plain = Sweep(
        digest=digest,
        store=store,
        cache=None,
        epochs=options.epochs,
        batch=options.batch,
        workers=options.workers,
        mbps=options.mbps,
        latency_ms=options.latency_ms,
        seed=options.seed,
    )
    jobs = f"{len(options.rates)} jobs, {options.epochs} epochs, {options.mbps:g} MB/s for all"
    share = int(options.share * data_bytes)
    with cache(command, folder / "cache", *capacity_for(digest, share)) as address:
        progress.say(f"through a cache of {share / 1e6:.1f} MB: {jobs}")
        quiver = run_sweep(replace(plain, cache=address), options.rates, data_bytes, progress)
    progress.say(f"plain PyTorch: {jobs}")
    without = run_sweep(plain, options.rates, data_bytes, progress)
    names = ("items", "epochs", "batch", "workers", "mbps", "latency_ms", "share")
    settings = {name: getattr(options, name) for name in names}
    return document(settings, without, quiver, options.share)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m quiver.examples.sweep",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    rates = [0.003, 0.01, 0.03, 0.1]
    add("--rates", nargs="+", type=float, default=rates, help="learning rates, a job each (default: four)")
    add("--items", type=int, default=1600, help="pictures of 12 KB (default: 1600)")
    add("--epochs", type=int, default=4, help="(default: 4)")
    add("--batch", type=int, default=16, help="(default: 16)")
    add("--workers", type=int, default=1, help="loader workers of each job (default: 1)")
    add(
        "--mbps", type=float, default=2.5, help="megabytes per second of the line to the store (default: 2.5)"
    )
    add("--latency-ms", type=float, default=1.0, help="what every read waits in addition (default: 1)")
    add("--share", type=float, default=0.2, help="of the data set that the cache may hold (default: 0.2)")
    add("--seed", type=int, default=0, help="of pictures, weights and orders (default: 0)")
    add("--quiver", help="the quiver command (default: QUIVER_COMMAND, or the checkout's)")
    add("--plot", "--report", default="sweep.html", help="where the plot goes (default: sweep.html)")
    add("--json", action="store_true", help="print the result as JSON and nothing else")
    add("--quiet", action="store_true", help="no progress")
    return _sensible(parser, parser.parse_args(arguments))


def _sensible(parser: argparse.ArgumentParser, options: argparse.Namespace) -> argparse.Namespace:
    if min(options.items, options.epochs, options.batch) < 1 or options.workers < 0:
        parser.error("--items, --epochs and --batch are at least 1, --workers at least 0")
    if len(set(options.rates)) < len(options.rates) or min(options.rates) <= 0:
        parser.error("--rates are positive, and each is given once")
    if not 0 < options.share <= 1:
        parser.error(f"--share {options.share:g}: more than 0 and at most 1")
    if options.mbps <= 0 or not 0 <= options.latency_ms <= 60_000:
        parser.error("--mbps is more than 0, --latency-ms from 0 to 60000")
    return options


if __name__ == "__main__":
    end_in_order()
    sys.exit(main())
