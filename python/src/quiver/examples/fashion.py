"""Does sampling by chunks cost accuracy? Trains a small network on Fashion-MNIST in several orders.

``python -m quiver.examples.fashion`` compares torch's global shuffle with Quiver's sampling from 10 chunks of
which 2 are in the cache (20 %), on the data as it comes and ordered by class, the hard case; several seeds
each, with tests of equality and equivalence. The orders:

* ``shuffle``: torch's ``RandomSampler``
* ``quiver``: Quiver's sampler with a schedule of 2 resident chunks that rotate through all 10
* ``sorted``: the same on a data set that is ordered by class
* ``contiguous``: a warning: the same, but each chunk one stretch of the ordered data set, which Quiver never
  does
* ``live``: jobs at once through a real cache of 20 % that is started for this (or ``--cache``); ordered by
  class. Here the manager's plan decides how many chunks there are and which are held.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from quiver.examples import garments
from quiver.examples.fashion_report import ARMS, Result, document, html, table
from quiver.examples.garments import Part
from quiver.examples.live import LiveRun, train_together
from quiver.examples.network import in_memory, train
from quiver.examples.orders import GlobalShuffle, Order, RotatingChunks
from quiver.examples.program import ExampleError, cache, capacity_for, end_in_order, launcher, run
from quiver.torch import QuiverDataset, TensorDecoder

_SHARE = 0.2


@dataclass(frozen=True)
class Settings:
    """The settings that a result depends on beside order and seed."""

    items: int
    epochs: int
    batch: int
    chunks: int
    resident: int


class Experiment:
    """Runs orders and seeds one after another; finished runs are kept in a folder and not repeated."""

    def __init__(self, settings: Settings, folder: Path, data: Path | None, say: Callable[[str], None]):
        self.settings, self._folder, self._data, self._say = settings, folder, data, say
        self._parts: dict[str, Part] = {}
        self._test: Part | None = None
        (folder / "runs").mkdir(parents=True, exist_ok=True)

    def result(self, arm: str, seed: int) -> Result | None:
        """Return the result of a run, if it is done and was made with these settings."""
        path = self._path(arm, seed)
        if not path.is_file():
            return None
        found = json.loads(path.read_text())
        if found.pop("settings") != asdict(self.settings):
            return None
        return Result(**found)

    def _path(self, arm: str, seed: int) -> Path:
        return self._folder / "runs" / f"{arm}-{seed}.json"

    def _keep(self, result: Result) -> None:
        text = json.dumps({**asdict(result), "settings": asdict(self.settings)})
        self._path(result.arm, result.seed).write_text(text)

    def train(self, arm: str, seed: int, command: list[str]) -> None:
        """Train one seed in an order whose residency is scheduled."""
        part, begun = self._part(arm, command), time.monotonic()
        epochs = self.settings.epochs
        steps = epochs * -(-len(part.labels) // self.settings.batch)

        def progress(epoch: int, accuracy: float) -> None:
            self._say(f"{arm}, seed {seed}: epoch {epoch + 1} of {epochs}, {accuracy:.2f} %")

        batches = in_memory(part, self._order(arm, seed, len(part.labels)), epochs)
        accuracies = train(batches, steps, seed, self._tests(), progress)
        self._keep(Result(arm, seed, accuracies, time.monotonic() - begun, {}))

    def train_live(self, seeds: list[int], command: list[str], address: str | None) -> None:
        """Train several seeds at once through a real cache."""
        folder = self._folder / "live"
        store, digest = self._stored("live", command)
        capacity = int(_SHARE * store.joinpath("train-images-idx3-ubyte").stat().st_size)
        if address is None:
            self._say(f"starting a cache of {capacity / 1e6:.1f} MB")
            with cache(command, folder / "cache", *capacity_for(digest, capacity)) as own:
                self.train_live(seeds, command, own)
            return
        folder.mkdir(parents=True, exist_ok=True)
        live = LiveRun(
            digest,
            store,
            address,
            self._tests(),
            self.settings.epochs,
            self.settings.batch,
            folder,
            self._say is not _quiet,
        )
        for seed in seeds:
            for old in folder.glob(f"fashion-{seed}.ledger*"):
                old.unlink()
        self._say(f"live: training seeds {seeds} at once through {address}")
        begun = time.monotonic()
        for seed, outcome in train_together(live, seeds).items():
            ledgers = [str(path) for path in sorted(folder.glob(f"fashion-{seed}.ledger*"))]
            run(command, "ledger", "verify", *ledgers)
            self._say(f"live, seed {seed}: {outcome['accuracies'][-1]:.2f} %, ledger proves every epoch")
            took = time.monotonic() - begun
            self._keep(Result("live", seed, outcome["accuracies"], took, outcome["reads"]))

    def _order(self, arm: str, seed: int, items: int) -> Order:
        if arm == "shuffle":
            return GlobalShuffle(items, self.settings.batch, seed)
        return RotatingChunks(
            items,
            self.settings.batch,
            seed,
            self.settings.chunks,
            self.settings.resident,
            contiguous=arm == "contiguous",
        )

    def _tests(self) -> Part:
        if self._test is None:
            self._test = garments.load(self._data)[1]
        return self._test

    def _stored(self, arm: str, command: list[str]) -> tuple[Path, Path]:
        """Store and digest for an order."""
        by_class = arm in ("sorted", "contiguous", "live")
        folder = self._folder / f"{'by-class' if by_class else 'as-it-comes'}-{self.settings.items}"
        if (folder / "train.qdg").is_file():
            return folder / "store", folder / "train.qdg"
        part = garments.load(self._data)[0].first(self.settings.items)
        return garments.make_store(command, folder, part.by_class() if by_class else part)

    def _part(self, arm: str, command: list[str]) -> Part:
        """Return the images in the order of the digest, read and decoded as jobs do."""
        store, digest = self._stored(arm, command)
        if str(digest) not in self._parts:
            self._parts[str(digest)] = _decoded(digest, store)
        return self._parts[str(digest)]


def _decoded(digest: Path, store: Path) -> Part:
    dataset = QuiverDataset(digest, store, decode=TensorDecoder((28, 28)))
    images = torch.stack([dataset[item][0] for item in range(len(dataset))])
    return Part(images.numpy(), torch.tensor(dataset.targets, dtype=torch.uint8).numpy())


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison; the exit code."""
    options = _options(arguments)
    torch.set_num_threads(1)
    try:
        with tempfile.TemporaryDirectory(prefix="quiver-fashion-") as scratch:
            _run(options, Path(options.work or scratch))
    except ExampleError as e:
        print(f"fashion: {e}", file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace, folder: Path) -> None:
    items = len(garments.load(options.data)[0].first(options.limit).labels)
    settings = Settings(items, options.epochs, options.batch, options.chunks, options.resident)
    say = _quiet if options.quiet else _progress
    experiment = Experiment(settings, folder, options.data, say)
    if not options.report_only:
        _train_all(experiment, options, say)
    results = [
        result
        for arm in options.orders
        for seed in range(max(options.seeds, options.warning_seeds, options.live_jobs))
        if (result := experiment.result(arm, seed)) is not None
    ]
    report = document(asdict(settings), results, options.margin)
    Path(options.plot).write_text(html(report))
    print(json.dumps(report, indent=2) if options.json else table(report))
    say(f"plot: {options.plot}")


def _train_all(experiment: Experiment, options: argparse.Namespace, say: Callable[[str], None]) -> None:
    command = launcher(options.quiver)
    counts = {"contiguous": options.warning_seeds, "live": options.live_jobs}
    todo = [
        (arm, seed)
        for arm in options.orders
        for seed in range(counts.get(arm, options.seeds))
        if experiment.result(arm, seed) is None
    ]
    scheduled = [each for each in todo if each[0] != "live"]
    for number, (arm, seed) in enumerate(scheduled):
        say(f"run {number + 1} of {len(scheduled)}: {ARMS[arm]}, seed {seed}")
        experiment.train(arm, seed, command)
    live = [seed for arm, seed in todo if arm == "live"]
    if live:
        experiment.train_live(live, command, options.cache)


def _progress(text: str) -> None:
    print(f"fashion: {text}", file=sys.stderr, flush=True)


def _quiet(text: str) -> None:
    del text


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m quiver.examples.fashion",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--data", type=Path, help="folder of the four idx files (default: where the Debian package puts them)"
    )
    add(
        "--work",
        help="where stores and finished runs, which are not repeated, are kept (default: a temporary folder)",
    )
    add("--seeds", type=int, default=5, help="runs of each order (default: 5)")
    add("--warning-seeds", type=int, default=2, help="runs with contiguous chunks (default: 2)")
    add("--live-jobs", type=int, default=2, help="jobs at once through a real cache (default: 2)")
    add("--orders", nargs="+", choices=list(ARMS), default=list(ARMS), help="what to compare (default: all)")
    add("--epochs", type=int, default=3, help="(default: 3)")
    add("--batch", type=int, default=128, help="(default: 128)")
    add("--chunks", type=int, default=10, help="(default: 10)")
    add("--resident", type=int, default=2, help="chunks in the cache at a time (default: 2)")
    add("--limit", type=int, default=None, help="train on the first so many images only")
    add(
        "--margin",
        type=float,
        default=0.5,
        help="points within which accuracies count as equal (default: 0.5)",
    )
    add("--cache", help="a cache that runs already, for the live jobs (default: one is started)")
    add("--quiver", help="the quiver command (default: QUIVER_COMMAND, or the checkout's)")
    add("--plot", default="fashion.html", help="where the plot goes (default: fashion.html)")
    add("--report-only", action="store_true", help="report the finished runs in --work, train nothing")
    add("--json", action="store_true", help="print the result as JSON and nothing else")
    add("--quiet", action="store_true", help="no progress")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    end_in_order()
    sys.exit(main())
