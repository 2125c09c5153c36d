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
import multiprocessing
import queue
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quiver.examples import pictures
from quiver.examples.program import ExampleError, cache, end_in_order, launcher
from quiver.examples.sweep_job import Sweep, run_job
from quiver.examples.watch import Watch
from quiver.throttle import Throttle

_LONGEST_SECONDS = 3600.0


@dataclass(frozen=True)
class Outcome:
    """What one sweep took.

    :param seconds: from the moment all jobs were ready until the last one ended
    :param epochs: data sets that crossed the line in each epoch, for all jobs together
    :param rotating: the largest share of the data set that rotated; 0 without a cache
    :param right: training accuracy of each job's last epoch, in percent, by learning rate
    """

    seconds: float
    epochs: list[float]
    rotating: float
    chunks: int
    right: dict[str, float]

    @property
    def later(self) -> float:
        """Data sets per epoch after the first."""
        later = self.epochs[1:] or self.epochs
        return sum(later) / len(later)


def run_sweep(sweep: Sweep, rates: list[float], data_bytes: int) -> Outcome:
    """Run all jobs at once and watch the line."""
    line = Throttle(str(sweep.store), sweep.mbps, sweep.latency_ms)
    with Watch(line, sweep.cache) as watch:
        jobs = sorted(_run_jobs(sweep, rates), key=lambda job: float(job["rate"]))
    began = min(job["began"] for job in jobs)
    ends = [sum(job["ends"][epoch] for job in jobs) / len(jobs) for epoch in range(sweep.epochs)]
    ends[-1] = max(job["ends"][-1] for job in jobs)
    epochs = [
        watch.crossed(begin, end) / data_bytes for begin, end in zip([began, *ends[:-1]], ends, strict=True)
    ]
    right = {f"{job['rate']:g}": round(job["right"], 1) for job in jobs}
    return Outcome(ends[-1] - began, epochs, watch.rotating, watch.chunks, right)


def _run_jobs(sweep: Sweep, rates: list[float]) -> list[dict[str, Any]]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([run_job.__module__])  # torch is loaded once for all
    begin, answers = context.Barrier(len(rates)), context.Queue()
    processes = [context.Process(target=run_job, args=(sweep, rate, begin, answers)) for rate in rates]
    for process in processes:
        process.start()
    try:
        found = [_answer(answers) for _ in processes]
        for process in processes:
            process.join(30)
        return found
    finally:
        for process in processes:
            if process.is_alive():
                process.terminate()


def _answer(answers: Any) -> dict[str, Any]:
    try:
        answer = answers.get(timeout=_LONGEST_SECONDS)
    except queue.Empty:
        raise ExampleError(f"no job ended within {_LONGEST_SECONDS:g} s; take fewer pictures") from None
    if "error" in answer:
        raise ExampleError(f"a job failed: {answer['error']}")
    return dict(answer)


def document(plain: Outcome, quiver: Outcome, share: float) -> dict[str, Any]:
    """Everything that was found, ready for JSON."""
    ideal = 1 - share + quiver.rotating
    return {
        "plain": {**plain.__dict__, "later": plain.later},
        "quiver": {**quiver.__dict__, "later": quiver.later},
        "speedup": plain.seconds / quiver.seconds,
        "ideal": ideal,
        "against_ideal": quiver.later / ideal,
    }


def table(found: dict[str, Any]) -> str:
    """The result for people."""
    rows = [
        f"{'':22}{'wall time':>10}  {'first epoch':>12}  {'later epochs':>12}   accuracy by learning rate"
    ]
    for name, key in (("plain PyTorch", "plain"), ("Quiver", "quiver")):
        each = found[key]
        accuracy = ", ".join(f"{rate}: {right:g} %" for rate, right in each["right"].items())
        reads = f"{each['epochs'][0]:>12.2f}  {each['later']:>12.2f}"
        rows.append(f"{name:22}{each['seconds']:>8.1f} s  {reads}   {accuracy}")
    return "\n".join(
        [
            *rows,
            "(epochs: data sets read from the store, all jobs together)",
            "",
            f"{found['speedup']:.1f} times as fast; later epochs read {found['against_ideal']:.2f} x "
            f"(1 - c + w) = {found['ideal']:.2f} data sets, {found['quiver']['rotating']:.2f} of it rotating",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """Run both sweeps; the exit code."""
    options = _options(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="quiver-sweep-") as scratch:
            found = _compare(options, Path(scratch), _quiet if options.quiet else _progress)
    except ExampleError as e:
        print(f"sweep: {e}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=2) if options.json else table(found))
    return 0


def _compare(options: argparse.Namespace, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    command = launcher(options.quiver)
    data_bytes = options.items * pictures.BYTES
    say(f"making {options.items} pictures, {data_bytes / 1e6:.1f} MB")
    store, digest = pictures.make(command, folder, options.items, options.seed)
    sweep = Sweep(
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
    capacity = int(options.share * data_bytes)
    with cache(command, folder / "cache", capacity) as address:
        say(f"through a cache of {capacity / 1e6:.1f} MB: {jobs}")
        quiver = run_sweep(replace(sweep, cache=address), options.rates, data_bytes)
    reads = ", ".join(f"{each:.2f}" for each in quiver.epochs)
    say(f"it took {quiver.seconds:.1f} s and {reads} data sets from the store in its epochs")
    say(f"plain PyTorch: {jobs}")
    plain = run_sweep(sweep, options.rates, data_bytes)
    return document(plain, quiver, options.share)


def _progress(text: str) -> None:
    print(f"sweep: {text}", file=sys.stderr, flush=True)


def _quiet(text: str) -> None:
    del text


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
    add("--mbps", type=float, default=4.0, help="megabytes per second of the line to the store (default: 4)")
    add("--latency-ms", type=float, default=1.0, help="what every read waits in addition (default: 1)")
    add("--share", type=float, default=0.2, help="of the data set that the cache can hold (default: 0.2)")
    add("--seed", type=int, default=0, help="of pictures, weights and orders (default: 0)")
    add("--quiver", help="the quiver command (default: QUIVER_COMMAND, or the checkout's)")
    add("--json", action="store_true", help="print the result as JSON and nothing else")
    add("--quiet", action="store_true", help="no progress")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    end_in_order()
    sys.exit(main())
