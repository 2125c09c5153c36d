"""Training jobs that run at once and read class-ordered Fashion-MNIST through one real cache."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from quiver.examples.garments import Part
from quiver.examples.network import Batches, Progress, train
from quiver.torch import QuiverDataLoader, QuiverDataset, TensorDecoder


@dataclass(frozen=True)
class LiveRun:
    """The settings that the jobs of a live run have in common.

    :param cache: the address of the cache
    :param ledgers: where each job notes what it was given
    :param talks: whether jobs tell how far they are
    """

    digest: Path
    store: Path
    cache: str
    test: Part
    epochs: int
    batch: int
    ledgers: Path
    talks: bool = True

    def ledger(self, seed: int) -> Path:
        """Return the ledger of the job of a seed."""
        return self.ledgers / f"fashion-{seed}.ledger"

    def train(self, seed: int, progress: Progress) -> dict[str, Any]:
        """Train one job; its accuracies and where its images came from."""
        dataset = QuiverDataset(self.digest, self.store, decode=TensorDecoder((28, 28)))
        loader = QuiverDataLoader(
            dataset,
            batch_size=self.batch,
            cache=self.cache,
            seed=seed,
            job=f"fashion-{seed}",
            epochs=self.epochs,
            ledger=self.ledger(seed),
        )
        with loader:
            accuracies = train(self._epochs(loader), self.epochs * len(loader), seed, self.test, progress)
            return {"accuracies": accuracies, "reads": loader.statistics()}

    def _epochs(self, loader: QuiverDataLoader) -> Iterator[Batches]:
        return (loader for _ in range(self.epochs))


def _one(run: LiveRun, seed: int) -> dict[str, Any]:
    torch.set_num_threads(1)

    def progress(epoch: int, accuracy: float) -> None:
        print(f"live, seed {seed}: epoch {epoch + 1}, {accuracy:.2f} %", file=sys.stderr, flush=True)

    return run.train(seed, progress if run.talks else _quiet)


def _quiet(epoch: int, accuracy: float) -> None:
    del epoch, accuracy


def train_together(run: LiveRun, seeds: list[int]) -> dict[int, dict[str, Any]]:
    """Train several seeds at once, each in a process of its own."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # torch is loaded once for all
    with ProcessPoolExecutor(len(seeds), mp_context=context) as pool:
        jobs = {seed: pool.submit(_one, run, seed) for seed in seeds}
        return {seed: job.result() for seed, job in jobs.items()}
