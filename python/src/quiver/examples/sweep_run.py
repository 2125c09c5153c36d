"""Runs the jobs of a sweep at once, each a process of its own, and watches the line to the store."""

from __future__ import annotations

import multiprocessing
import queue
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any

from quiver.examples.program import ExampleError
from quiver.examples.progress import Progress
from quiver.examples.sweep_job import Sweep, run_job
from quiver.examples.watch import Watch
from quiver.throttle import Throttle

_LONGEST_SECONDS = 3600.0
_LOOK_SECONDS = 0.5
_END_SECONDS = 30.0
# Loaded once for all jobs. The second is what torch's optimizers load when the first of them is made.
_LOADED_ONCE = [run_job.__module__, "torch._dynamo"]


@dataclass(frozen=True)
class Outcome:
    """The time and the reads of one sweep.

    :param seconds: from the moment all jobs were ready until the last one ended
    :param epochs: data sets that crossed the line in each epoch, for all jobs together
    :param held: the largest share of the data set that a plan let the cache hold; 0 without a cache
    :param rotating: the largest share that rotated
    :param right: training accuracy of each job's last epoch, in percent, by learning rate
    :param reads: what the loaders say of where samples came from, all jobs together; empty without a cache
    """

    seconds: float
    epochs: list[float]
    held: float
    rotating: float
    chunks: int
    right: dict[str, float]
    reads: dict[str, int]

    @property
    def later(self) -> float:
        """Data sets per epoch after the first."""
        later = self.epochs[1:] or self.epochs
        return sum(later) / len(later)


def run_sweep(sweep: Sweep, rates: Sequence[float], data_bytes: int, progress: Progress) -> Outcome:
    """Run all jobs at once and watch the line."""
    with Watch(Throttle(str(sweep.store), sweep.mbps, sweep.latency_ms), sweep.cache) as watch:
        course = _Course(sweep, len(rates), data_bytes, watch, progress)
        jobs = sorted(_run_jobs(sweep, rates, course), key=lambda job: float(job["rate"]))
    began = min(job["began"] for job in jobs)
    ends = [sum(job["ends"][epoch] for job in jobs) / len(jobs) for epoch in range(sweep.epochs)]
    ends[-1] = max(job["ends"][-1] for job in jobs)
    crossed = [watch.crossed(begin, end) for begin, end in zip([began, *ends[:-1]], ends, strict=True)]
    names = jobs[0]["reads"]
    return Outcome(
        seconds=ends[-1] - began,
        epochs=[each / data_bytes for each in crossed],
        held=watch.held,
        rotating=watch.rotating,
        chunks=watch.chunks,
        right={f"{job['rate']:g}": round(job["right"], 1) for job in jobs},
        reads={name: sum(job["reads"][name] for job in jobs) for name in names},
    )


class _Course:
    """Shows people how far all jobs are."""

    def __init__(self, sweep: Sweep, jobs: int, data_bytes: int, watch: Watch, progress: Progress):
        self._epochs, self._jobs, self._bytes = sweep.epochs, jobs, data_bytes
        self._watch, self._progress = watch, progress
        self._began = 0.0
        self._shares: dict[float, float] = {}
        self._ended: list[int] = [0] * sweep.epochs

    def note(self, message: dict[str, Any]) -> None:
        """Note how far a job is."""
        self._began = self._began or message["began"]
        self._shares[message["rate"]] = message["share"]
        if "ended" in message:
            epoch = message["ended"]
            self._ended[epoch] += 1
            if self._ended[epoch] == self._jobs:
                self._progress.say(f"  epoch {epoch + 1} of {self._epochs}: {self._so_far()}")

    def draw(self) -> None:
        """Show where the jobs are."""
        if self._began:
            self._progress.draw(sum(self._shares.values()) / self._jobs, self._so_far())

    def _so_far(self) -> str:
        now = time.monotonic()
        read = self._watch.crossed(self._began, now) / self._bytes
        return f"{now - self._began:.1f} s, {read:.2f} data sets read so far"


def _run_jobs(sweep: Sweep, rates: Sequence[float], course: _Course) -> list[dict[str, Any]]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_LOADED_ONCE)
    begin, messages = context.Barrier(len(rates)), context.Queue()
    processes = [context.Process(target=run_job, args=(sweep, rate, begin, messages)) for rate in rates]
    for process in processes:
        process.start()
    try:
        found = _collect(messages, processes, course)
        for process in processes:
            process.join(_END_SECONDS)
        return found
    finally:
        for process in processes:
            if process.is_alive():
                process.terminate()
                process.join(_END_SECONDS)
        messages.close()


def _collect(messages: Any, processes: Sequence[BaseProcess], course: _Course) -> list[dict[str, Any]]:
    """Return the results of the jobs, when all have told."""
    found: list[dict[str, Any]] = []
    deadline = time.monotonic() + _LONGEST_SECONDS
    while len(found) < len(processes):
        course.draw()
        try:
            message = messages.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            _require_life(processes, deadline)
            continue
        if "error" in message:
            raise ExampleError(f"a job failed: {message['error']}")
        if "ends" in message:
            found.append(message)
        else:
            course.note(message)
    return found


def _require_life(processes: Sequence[BaseProcess], deadline: float) -> None:
    for process in processes:
        if process.exitcode:
            raise ExampleError(f"a job ended with {process.exitcode}; is there enough memory?")
    if time.monotonic() > deadline:
        raise ExampleError(f"the jobs did not end within {_LONGEST_SECONDS:g} s; take fewer pictures")
