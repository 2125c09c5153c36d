"""Batch gets with several threads, beside the Java client on the same server.

Both clients ask the same real server for the same blobs with the same number of threads and check every
payload in the same way; one payload of each batch is compared with the original. Slices of both take turns,
and the ratio of each pair of neighbours counts: the machine drifts, ratios do not.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quiver import CacheClient
from quiver.bench.blobset import BlobSet
from quiver.checksum import Verification
from quiver.examples.program import launcher, serving


class Workload(NamedTuple):
    """The questions asked, and the speed expected of Python compared with Java."""

    size: int
    blobs: int
    batch: int
    target: float


_JAVA_CLIENT = "io.quiver.benchmarks.load.JavaLoadProcess"
WORKLOADS = (Workload(150_000, 6_000, 128, 0.9), Workload(3_000, 200_000, 512, 0.8))


class Slice(NamedTuple):
    """The work of one client in one slice of time."""

    bytes: float
    seconds: float
    cpu_seconds: float

    @property
    def gigabytes_per_second(self) -> float:
        """Payload per second."""
        return self.bytes / self.seconds / 1e9


class Server(NamedTuple):
    """A cache server that is ready."""

    address: str
    pid: int

    @property
    def port(self) -> int:
        """The port it listens on, on loopback."""
        return int(self.address.rpartition(":")[2])

    def java(self) -> list[str]:
        """Return the virtual machine it runs in, with its options and classes, for another program."""
        words = Path(f"/proc/{self.pid}/cmdline").read_bytes().decode().split("\0")
        return words[: words.index("-cp") + 2]


class PythonLoad:
    """The Python client in this process."""

    def __init__(self, server: Server, sets: Sequence[BlobSet], threads: int, verify: Verification):
        self._client = CacheClient([server.address], job="bench-python", verify=verify)
        self._sets = sets
        self._threads = threads

    def run(self, index: int, batch: int, warm: float, seconds: float, seed: int) -> Slice:
        """Read for a while."""
        order = np.random.default_rng(seed).permutation(self._sets[index].count)
        order = np.concatenate((order, order[:batch]))
        self._read_for(self._sets[index], order, batch, warm)
        start, cpu = time.perf_counter(), time.process_time()
        batches = self._read_for(self._sets[index], order, batch, seconds)
        elapsed = time.perf_counter() - start
        return Slice(batches * batch * self._sets[index].size, elapsed, time.process_time() - cpu)

    def _read_for(self, blobs: BlobSet, order: np.ndarray, batch: int, seconds: float) -> int:
        counts = [0] * self._threads
        problems: list[BaseException] = []
        end = time.perf_counter() + seconds

        def read(number: int) -> None:
            try:
                counts[number] = self._read_until(end, blobs, order, number, batch)
            except BaseException as e:  # noqa: BLE001 - told by the thread that waits
                problems.append(e)

        threads = [threading.Thread(target=read, args=(number,)) for number in range(self._threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            raise problems[0]
        return sum(counts)

    def _read_until(self, end: float, blobs: BlobSet, order: np.ndarray, number: int, batch: int) -> int:
        at = blobs.count * number // self._threads
        batches = 0
        while time.perf_counter() < end:
            wanted = order[at : at + batch]
            answer = self._client.get(blobs.hashes[wanted])
            if answer.hits != batch:
                raise RuntimeError(f"only {answer.hits} of {batch} blobs came: {answer.failures}")
            sample = batches % batch
            payload = answer.payload(sample)
            if payload is None or bytes(payload) != blobs.content[wanted[sample]].tobytes():
                raise RuntimeError("a payload is not the blob that was asked for")
            at = (at + batch) % blobs.count
            batches += 1
        return batches

    def close(self) -> None:
        """End it."""
        self._client.close()


class JavaLoad:
    """The Java client in a process of its own that stays up between slices, so that it is warm."""

    def __init__(self, server: Server, sets: Sequence[BlobSet], threads: int, verify: Verification):
        java = server.java()
        options = [f"-Dquiver.bench.threads={threads}"]
        options.append(f"-Dquiver.bench.verification={'none' if verify == 'none' else 'crc32c'}")
        command = [java[0], *options, *java[1:], _JAVA_CLIENT, str(server.port), str(server.pid)]
        command += [each.argument for each in sets]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, index: int, batch: int, warm: float, seconds: float, seed: int) -> Slice:
        """Read for a while."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{index} {batch} {warm} {seconds} {seed}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the Java client ended; its complaint is above")
        words = line.split()
        return Slice(float(words[0]), float(words[1]), float(words[3]))

    def close(self) -> None:
        """End it."""
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait(20)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and tell by the exit code whether the targets were met."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="quiver-bench-", dir=options.folder) as name:
        folder = Path(name)
        sets = [BlobSet(folder, load.size, load.blobs) for load in WORKLOADS]
        with serving(launcher(options.quiver), folder, "server", "--capacity", "6GB") as ready:
            server = Server(ready["server"], ready["pid"])
            results = _measure(server, sets, options)
    return _report(results, options)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m quiver.bench client", description=__doc__)
    parser.add_argument("--quiver", help="the command that starts Quiver")
    parser.add_argument("--folder", help="where to put data (default: the system's temporary folder)")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a slice")
    parser.add_argument("--verify", choices=["none", "crc32c"], default="crc32c")
    parser.add_argument("--json", action="store_true", help="print one document and nothing else")
    return parser.parse_args(arguments)


def _measure(
    server: Server, sets: Sequence[BlobSet], options: argparse.Namespace
) -> list[list[tuple[Slice, Slice]]]:
    with CacheClient([server.address], request_timeout=60) as client:
        for each in sets:
            each.put(client)
    loads = [kind(server, sets, options.threads, options.verify) for kind in (PythonLoad, JavaLoad)]
    results: list[list[tuple[Slice, Slice]]] = [[] for _ in WORKLOADS]
    try:
        for turn in range(options.rounds):
            for index, load in enumerate(WORKLOADS):
                warm = 3.0 if turn == 0 else 0.3
                pair = [each.run(index, load.batch, warm, options.seconds, turn + 1) for each in loads]
                results[index].append((pair[0], pair[1]))
    finally:
        for each_load in loads:
            each_load.close()
    return results


def _report(results: list[list[tuple[Slice, Slice]]], options: argparse.Namespace) -> int:
    rows = []
    for load, pairs in zip(WORKLOADS, results, strict=True):
        ratios = [ours.gigabytes_per_second / theirs.gigabytes_per_second for ours, theirs in pairs]
        rows.append(
            {
                "bytes": load.size,
                "batch": load.batch,
                "threads": options.threads,
                "verify": options.verify,
                "python_gb_per_s": statistics.median(ours.gigabytes_per_second for ours, _ in pairs),
                "java_gb_per_s": statistics.median(theirs.gigabytes_per_second for _, theirs in pairs),
                "python_cpu_s_per_gb": statistics.median(
                    ours.cpu_seconds / ours.bytes * 1e9 for ours, _ in pairs
                ),
                "java_cpu_s_per_gb": statistics.median(
                    theirs.cpu_seconds / theirs.bytes * 1e9 for _, theirs in pairs
                ),
                "ratio": statistics.median(ratios),
                "lowest": min(ratios),
                "highest": max(ratios),
                "target": load.target,
            }
        )
    if options.json:
        print(json.dumps(rows))
    else:
        _print_table(rows)
    return 0 if all(float(row["ratio"]) >= float(row["target"]) for row in rows) else 1


def _print_table(rows: Sequence[dict[str, float]]) -> None:
    print("     bytes  batch  Python GB/s  Java GB/s  ratio (range)      target  CPU s/GB Python, Java")
    for row in rows:
        print(
            f"{row['bytes']:10}  {row['batch']:5}"
            f"  {row['python_gb_per_s']:11.2f}  {row['java_gb_per_s']:9.2f}"
            f"  {row['ratio']:.2f} ({row['lowest']:.2f}-{row['highest']:.2f})  {row['target']:6.2f}"
            f"  {row['python_cpu_s_per_gb']:.2f}, {row['java_cpu_s_per_gb']:.2f}"
        )
