"""Training jobs that read one bucket at once, through Quiver and in other ways.

Processes train on equal samples over a real S3 server on this machine, whose line has so many megabytes per
second for all of them. Systems: no cache, local files (no server and no line: what is left when a cache is
perfect), Quiver, and JuiceFS and MosaicML Streaming where they are installed. A cache may hold a share of the
data; every job of MosaicML Streaming has one of that size to itself. What crosses the line is counted there.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import queue
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from quiver.bench import peers
from quiver.bench.bucket import KEY, SECRET, s3_server
from quiver.bench.job import NUMBER_BYTES, Training, run_job
from quiver.bench.line import Line
from quiver.examples.program import ExampleError, capacity_for, launcher, run, serving
from quiver.examples.progress import Progress

_PEERS = ("juicefs", "mosaicml")
SYSTEMS = ("quiver", "none", "local", *_PEERS)
_LONGEST_SECONDS = 600.0
_LOOK_SECONDS = 0.2
_END_SECONDS = 30.0
# Loaded once for all jobs. The second is what torch's optimizers load when the first of them is made.
_LOADED_ONCE = [run_job.__module__, "torch._dynamo"]
_FASTER_THAN_NONE = _FASTER_THAN_PEERS = 2.2
_SLOWER_THAN_LOCAL = {20_000: 1.35, 100_000: 1.2}


class Bench:
    """The samples of one size in a bucket behind a line, and the runs over them."""

    def __init__(self, options: argparse.Namespace, folder: Path, item_bytes: int, progress: Progress):
        self._options, self._folder, self._progress = options, folder, progress
        self._size = item_bytes
        self._buckets = folder / "buckets"
        self._data = self._buckets / "bucket" / str(item_bytes)
        self._command = launcher(options.quiver)
        self._share = int(options.share * options.megabytes * 1e6)
        self._names: list[str] = []
        self._line: Line

    def run(self) -> list[dict[str, Any]]:
        """Measure every system once; returns a row each."""
        self._progress.say(f"{self._options.megabytes} MB in samples of {self._size} bytes")
        self._write()
        rows = []
        home = Path(self._command[0]).parent
        with s3_server(self._buckets, home) as port, Line(port, self._options.mbps * 1e6) as self._line:
            for system in self._options.systems:
                self._progress.say(f"{self._options.jobs} jobs through {system}")
                try:
                    with ExitStack() as stack:
                        rows.append(self._measure(*self._prepare(system, stack)))
                except ExampleError as e:
                    if system not in _PEERS:
                        raise
                    self._progress.say(f"  {system} is left out: {e}")
                    continue
                self._progress.say(_sentence(rows[-1]))
        return rows

    def _write(self) -> None:
        random = np.random.default_rng(self._size)
        for number in range(int(self._options.megabytes * 1e6) // self._size):
            name = f"{number % 100:02}/{number:06}"
            path = self._data / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(np.int64(number).tobytes() + random.bytes(self._size - NUMBER_BYTES))
            self._names.append(name)

    def _prepare(self, system: str, stack: ExitStack) -> tuple[Training, list[int]]:
        """Start what a system needs; returns how to train, and the processes whose time counts."""
        options = self._options
        endpoint = f"http://127.0.0.1:{self._line.port}"
        access = {"endpoint": endpoint, "access_key_id": KEY, "secret_access_key": SECRET}
        training = Training(
            system,
            f"s3://bucket/{self._size}",
            self._names,
            self._size,
            options.epochs,
            options.batch,
            options.workers,
            access,
        )
        if system == "quiver":
            return self._cache(training, stack)
        if system == "juicefs":
            return self._mount(training, endpoint, stack)
        if system == "mosaicml":
            return self._shards(training), []
        if system == "local":
            return replace(training, place=str(self._data), storage_options={}), []
        return training, []

    def _cache(self, training: Training, stack: ExitStack) -> tuple[Training, list[int]]:
        digest = self._folder / f"{self._size}.qdg"
        run(self._command, "digest", "create", "-q", "-o", str(digest), str(self._data))
        capacity, *quota = capacity_for(digest, self._share)
        folder = self._folder / f"cache-{self._size}"
        words = ["--capacity", str(capacity), *quota]
        ready = stack.enter_context(serving(self._command, folder, "up", *words))
        return replace(training, digest=digest, cache=str(ready["status"])), [int(ready["pid"])]

    def _mount(self, training: Training, endpoint: str, stack: ExitStack) -> tuple[Training, list[int]]:
        (self._buckets / "juicefs").mkdir(exist_ok=True)
        juicefs = peers.JuiceFs(self._folder / f"juicefs-{self._size}", endpoint, self._share)
        stack.enter_context(juicefs.formatted())
        rate, self._line.rate = self._line.rate, None
        with juicefs.mount():
            shutil.copytree(self._data, juicefs.mounted / "data")
        self._line.rate = rate
        pid = stack.enter_context(juicefs.mount())
        return replace(training, place=str(juicefs.mounted / "data"), storage_options={}), [pid]

    def _shards(self, training: Training) -> Training:
        place = self._buckets / "bucket" / f"shards-{self._size}"
        peers.write_shards(place, self._data, self._names, self._share)
        local = self._folder / f"shards-{self._size}"
        return replace(training, place=f"s3://bucket/{place.name}", digest=local, cache=str(self._share))

    def _measure(self, training: Training, servers: list[int]) -> dict[str, Any]:
        before = sum(_cpu_seconds(pid) for pid in servers)
        carried = self._line.carried
        found = self._train(training)
        began = max(each["began"] for each in found)
        epochs = [max(each["ends"][epoch] for each in found) for epoch in range(training.epochs)]
        first = max(each["ends"][0] for each in found)
        data = len(self._names) * self._size
        return {
            "system": training.system,
            "item_bytes": self._size,
            "seconds": round(epochs[-1] - began, 2),
            "epoch2_seconds": round(epochs[1] - first, 2) if training.epochs > 1 else None,
            "store_reads_per_epoch": round((self._line.carried - carried) / data / training.epochs, 3),
            "cpu_seconds": round(
                sum(each["cpu"] for each in found) + sum(_cpu_seconds(pid) for pid in servers) - before, 2
            ),
            "exactly_once": all(each["exact"] for each in found),
        }

    def _train(self, training: Training) -> list[dict[str, Any]]:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_LOADED_ONCE)
        jobs = self._options.jobs
        begin, messages = context.Barrier(jobs), context.Queue()
        processes = [
            context.Process(target=run_job, args=(training, number, begin, messages))
            for number in range(jobs)
        ]
        for process in processes:
            process.start()
        try:
            return self._collect(messages, processes)
        finally:
            for process in processes:
                process.join(_END_SECONDS)
                if process.is_alive():
                    process.terminate()
                    process.join(_END_SECONDS)
            messages.close()

    def _collect(self, messages: Any, processes: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the results of the jobs, when all have told."""
        found: list[dict[str, Any]] = []
        shares: dict[int, float] = {}
        began = time.monotonic()
        while len(found) < len(processes):
            share = sum(shares.values()) / len(processes)
            self._progress.draw(share, f"{time.monotonic() - began:.0f} s")
            try:
                message = messages.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                if any(each.exitcode for each in processes) or time.monotonic() - began > _LONGEST_SECONDS:
                    raise ExampleError(
                        "a job ended early or takes too long; its complaint is above"
                    ) from None
                continue
            if "error" in message:
                raise ExampleError(f"a job failed: {message['error']}")
            if "ends" in message:
                found.append(message)
            shares[message["job"]] = message.get("share", 1.0)
        return found


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and tell by the exit code whether the targets were met."""
    options = _options(arguments)
    progress = Progress("bench jobs", quiet=options.quiet)
    left_out = [each for each in options.systems if not peers.installed(each)]
    options.systems = [each for each in options.systems if each not in left_out]
    if left_out:
        progress.say(f"not installed and left out: {', '.join(left_out)}")
    rows = []
    for size in options.sizes if options.systems else ():
        with tempfile.TemporaryDirectory(prefix="quiver-bench-", dir=options.folder) as folder:
            rows += Bench(options, Path(folder), size, progress).run()
    if options.json:
        print(json.dumps(rows))
    else:
        _print_table(rows)
    return 0 if all(_met(row, rows) for row in rows) else 1


def _met(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> bool:
    """Return True if Quiver's figures meet the targets beside another system's, and every epoch was whole."""
    ours = next((e for e in rows if e["system"] == "quiver" and e["item_bytes"] == row["item_bytes"]), None)
    if ours is None or row is ours:
        return bool(row["exactly_once"])
    if row["system"] == "local":
        most = _SLOWER_THAN_LOCAL.get(row["item_bytes"], min(_SLOWER_THAN_LOCAL.values()))
        return bool(ours["epoch2_seconds"] <= most * row["epoch2_seconds"])
    return bool(row["seconds"] >= _FASTER_THAN_NONE * ours["seconds"])


def _cpu_seconds(pid: int) -> float:
    """Return the processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _sentence(row: dict[str, Any]) -> str:
    return (
        f"  {row['seconds']:.1f} s, second epoch {row['epoch2_seconds'] or 0:.1f} s, "
        f"{row['store_reads_per_epoch']:.2f} data sets read in an epoch, {row['cpu_seconds']:.1f} s of CPU"
        + ("" if row["exactly_once"] else ", NOT every sample exactly once")
    )


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    print("system     bytes  seconds  2nd epoch  reads/epoch  CPU s  exactly once")
    for row in rows:
        print(
            f"{row['system']:8} {row['item_bytes']:7}  {row['seconds']:7.1f}"
            f"  {row['epoch2_seconds'] or 0:9.1f}  {row['store_reads_per_epoch']:11.2f}"
            f"  {row['cpu_seconds']:5.1f}  {row['exactly_once']}"
        )


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m quiver.bench jobs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--systems",
        nargs="+",
        choices=SYSTEMS,
        default=list(SYSTEMS),
        metavar="SYSTEM",
        help=", ".join(SYSTEMS),
    )
    add("--sizes", nargs="+", type=int, default=[20_000, 100_000], help="of samples, in bytes")
    add("--megabytes", type=int, default=200, help="of the data set (default: 200)")
    add("--jobs", type=int, default=4, help="(default: 4)")
    add("--epochs", type=int, default=2, help="(default: 2)")
    add("--batch", type=int, default=64, help="(default: 64)")
    add("--workers", type=int, default=2, help="loader workers of each job (default: 2)")
    add("--mbps", type=float, default=32.0, help="megabytes per second of the line (default: 32)")
    add("--share", type=float, default=0.2, help="of the data set that a cache may hold (default: 0.2)")
    add("--quiver", help="the command that starts Quiver")
    add("--folder", help="where to put data (default: the system's temporary folder)")
    add("--json", action="store_true", help="print one document and nothing else")
    add("--quiet", action="store_true", help="no progress")
    return parser.parse_args(arguments)
