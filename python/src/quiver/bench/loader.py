"""QuiverDataLoader beside torch's own DataLoader over local files, everything cached on both sides.

Both read the same samples with the same number of workers, the same batches and the same collation, the one
through a real cache on this machine, the other from files in the page cache. Slices of both take turns, and
the ratio of each pair of neighbours counts. Then both are consumed at a fixed pace: what the training process
needs of a core beyond what torch's own loader costs it, which hands over the same tensors, is the overhead.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, RandomSampler

from quiver.digest import Digest
from quiver.examples.program import cache, launcher
from quiver.torch import QuiverDataLoader, QuiverDataset

PACE_SAMPLES = 1000
PACE_WORKERS = 4
PACE_BATCH = 64
MOST_OVERHEAD = 0.05


class Workload(NamedTuple):
    """The samples read, and the least speed compared with torch's own loader."""

    size: int
    files: int
    batch: int
    target: float


WORKLOADS = (Workload(150_000, 3_000, 128, 0.9), Workload(3_000, 60_000, 512, 1.5))


class Files(Dataset[bytes]):
    """A data set as people use it without a cache: one file for each sample."""

    def __init__(self, paths: Sequence[str]):
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> bytes:
        with open(self._paths[index], "rb") as file:  # noqa: PTH123 - the fastest way there is
            return file.read()


def identity(data: Any) -> Any:
    """Take the bytes as they are."""
    return data


def stack(samples: list[Any]) -> torch.Tensor:
    """Stack all samples in one tensor, in shared memory from the start as torch's own collation has it."""
    length = len(samples[0])
    shape = (len(samples), length)
    if torch.utils.data.get_worker_info() is None:
        batch = torch.empty(shape, dtype=torch.uint8)
    else:
        memory: Any = torch.UntypedStorage
        empty: Any = torch.empty(0, dtype=torch.uint8)
        batch = empty.set_(memory._new_shared(len(samples) * length)).view(shape)
    rows = batch.numpy()
    for row, sample in zip(rows, samples, strict=True):
        row[:] = np.frombuffer(sample, np.uint8)
    return batch


class Endless:
    """The batches of epoch after epoch."""

    def __init__(self, loader: DataLoader[Any]):
        self._loader = loader
        self._epoch: Iterator[Any] = iter(())

    def next(self) -> Any:
        """Return the next batch."""
        batch = next(self._epoch, None)
        while batch is None:
            self._epoch = iter(self._loader)
            batch = next(self._epoch, None)
        return batch

    def rate(self, seconds: float) -> float:
        """Measure samples per second over a while."""
        for _ in range(8):
            self.next()
        samples, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            samples += len(self.next())
        return samples / (time.perf_counter() - start)

    def share(self, seconds: float) -> float:
        """Return the share of one core that this process needs at the fixed pace."""
        for _ in range(8):
            self.next()
        start, cpu, samples = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() - start < seconds:
            samples += len(self.next())
            time.sleep(max(0.0, start + samples / PACE_SAMPLES - time.perf_counter()))
        return (time.process_time() - cpu) / (time.perf_counter() - start)


class Pair:
    """Both loaders over equal samples."""

    def __init__(self, launcher: Sequence[str], folder: Path, load: Workload):
        self.load = load
        self.cache = ""
        self._folder = folder / str(load.size)
        self._digest = folder / f"{load.size}.qdg"
        self._paths = self._write()
        command = [*launcher, "digest", "create", "-q", "-o", str(self._digest), str(self._folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.key = Digest.open(self._digest).key

    def _write(self) -> list[str]:
        source = np.random.default_rng(self.load.size)
        paths = []
        for number in range(self.load.files):
            path = self._folder / f"{number % 100:02}" / f"{number:06}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.bytes(self.load.size))
            paths.append(str(path))
        return paths

    def torchs(self, workers: int, batch: int) -> Endless:
        """Make torch's own loader."""
        files = Files(self._paths)
        loader = DataLoader(
            files,
            batch,
            sampler=RandomSampler(files),
            num_workers=workers,
            collate_fn=stack,
            persistent_workers=True,
        )
        return Endless(loader)

    @contextlib.contextmanager
    def quivers(self, workers: int, batch: int) -> Iterator[Endless]:
        """Make Quiver's loader, with everything in the cache."""
        dataset = QuiverDataset(self._digest, self._folder, decode=identity, labels=False)
        with QuiverDataLoader(
            dataset,
            batch,
            num_workers=workers,
            collate_fn=stack,
            persistent_workers=True,
            cache=self.cache,
            preload_reads=16,
        ) as loader:
            self._warm(loader)
            yield Endless(loader)

    def _warm(self, loader: QuiverDataLoader) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            before = loader.statistics()["cached"]
            for _ in loader:
                pass
            if loader.statistics()["cached"] - before == self.load.files:
                return
        sys.exit(f"the samples of {self.load.size} bytes did not get into the cache: {loader.statistics()}")


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and tell by the exit code whether the targets were met."""
    options = _options(arguments)
    command = launcher(options.quiver)
    rows = []
    with tempfile.TemporaryDirectory(prefix="quiver-bench-", dir=options.folder) as name:
        loads = [load for load in WORKLOADS if options.only in (None, load.size)]
        pairs = [Pair(command, Path(name), load) for load in loads]
        pins = [word for pair in pairs for word in ("--pin", pair.key)]
        with cache(command, Path(name) / "cache", 4_000_000_000, *pins) as address:
            for pair in pairs:
                pair.cache = address
                rows.append(_speed(pair, options))
                if pair.load is WORKLOADS[0]:
                    rows.append(_overhead(pair, options))
    if options.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            print("  ".join(f"{key}={value}" for key, value in row.items()))
    return 0 if all(row["met"] for row in rows) else 1


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m quiver.bench loader", description=__doc__)
    parser.add_argument("--quiver", help="the command that starts Quiver")
    parser.add_argument("--folder", help="where to put data (default: the system's temporary folder)")
    # The cache server takes its share of the processor, too: on a small machine there is none to spare.
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a slice")
    parser.add_argument("--only", type=int, help="measure only samples of so many bytes")
    parser.add_argument("--json", action="store_true", help="print one document and nothing else")
    return parser.parse_args(arguments)


def _speed(pair: Pair, options: argparse.Namespace) -> dict[str, Any]:
    ours, theirs = [], []
    local = pair.torchs(options.workers, pair.load.batch)
    with pair.quivers(options.workers, pair.load.batch) as cached:
        for _ in range(options.rounds):
            ours.append(cached.rate(options.seconds))
            theirs.append(local.rate(options.seconds))
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ratios)
    return {
        "bytes": pair.load.size,
        "batch": pair.load.batch,
        "workers": options.workers,
        "quiver_samples_per_s": round(statistics.median(ours)),
        "torch_samples_per_s": round(statistics.median(theirs)),
        "ratio": round(ratio, 2),
        "lowest": round(min(ratios), 2),
        "highest": round(max(ratios), 2),
        "target": pair.load.target,
        "met": ratio >= pair.load.target,
    }


def _overhead(pair: Pair, options: argparse.Namespace) -> dict[str, Any]:
    local = pair.torchs(PACE_WORKERS, PACE_BATCH)
    theirs = local.share(2 * options.seconds)
    del local
    with pair.quivers(PACE_WORKERS, PACE_BATCH) as cached:
        ours = cached.share(2 * options.seconds)
    return {
        "bytes": pair.load.size,
        "samples_per_s": PACE_SAMPLES,
        "workers": PACE_WORKERS,
        "quiver_share_of_a_core": round(ours, 4),
        "torch_share_of_a_core": round(theirs, 4),
        "overhead": round(ours - theirs, 4),
        "target": MOST_OVERHEAD,
        "met": ours - theirs <= MOST_OVERHEAD,
    }
