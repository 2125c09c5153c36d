"""One job of the sweep: trains with one learning rate, from the store or through the cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from quiver.digest import Digest
from quiver.examples import pictures
from quiver.store import Store
from quiver.torch import QuiverDataLoader, QuiverDataset, TensorDecoder

_BEGIN_SECONDS = 120.0
_TELL_SECONDS = 0.5

Tell = Callable[[dict[str, Any]], None]
"""Takes a message of a job."""


@dataclass(frozen=True)
class Sweep:
    """The settings that all jobs of a sweep have in common.

    :param cache: the address of the cache; None for plain PyTorch
    :param mbps: of the line to the store, which all jobs share
    """

    digest: Path
    store: Path
    cache: str | None
    epochs: int
    batch: int
    workers: int
    mbps: float
    latency_ms: float
    seed: int

    def open_store(self) -> Store:
        """Open the store behind its slow line."""
        return Store.open(self.store, mbps=self.mbps, latency_ms=self.latency_ms)


class PlainDataset(Dataset[tuple[Tensor, int]]):
    """A data set as one writes it without Quiver: reads a file of the store and decodes it."""

    def __init__(self, digest: Path, store: Store):
        known = Digest.open(digest)
        self._names = [known.location(item).name for item in range(known.items)]
        self._classes = sorted({name.split("/")[0] for name in self._names})
        self._store = store
        self._decode = TensorDecoder(pictures.SHAPE)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        name = self._names[index]
        picture = self._decode(self._store.read(name, 0, pictures.BYTES))
        return picture, self._classes.index(name.split("/")[0])


def make_loader(sweep: Sweep, rate: float) -> DataLoader[Any]:
    """Make the loader, in the two lines that differ."""
    options: dict[str, Any] = {"batch_size": sweep.batch, "num_workers": sweep.workers}
    if sweep.workers > 0:
        # Workers are forked as in a script that one starts oneself: these jobs come from a fork server.
        options |= {"persistent_workers": True, "multiprocessing_context": "fork"}
    if sweep.cache is None:
        return DataLoader(PlainDataset(sweep.digest, sweep.open_store()), shuffle=True, **options)
    dataset = QuiverDataset(sweep.digest, sweep.open_store(), decode=TensorDecoder(pictures.SHAPE))
    job = f"rate-{rate:g}"
    return QuiverDataLoader(
        dataset, cache=sweep.cache, job=job, epochs=sweep.epochs, seed=sweep.seed, **options
    )


def make_network() -> nn.Module:
    """Make a small network for small pictures."""
    return nn.Sequential(
        nn.AvgPool2d(2),
        nn.Conv2d(3, 8, 5, stride=2, padding=2),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(16 * 64, pictures.CLASSES),
    )


def run_job(sweep: Sweep, rate: float, begin: Barrier, messages: Any) -> None:
    """Train in a process of its own; tell how far it is and what came of it."""
    try:
        messages.put(train(sweep, rate, begin, messages.put))
    except Exception as e:
        begin.abort()
        messages.put({"error": f"{type(e).__name__}: {e}"})
        raise


def train(sweep: Sweep, rate: float, begin: Barrier, tell: Tell) -> dict[str, Any]:
    """Train one job; when it began and ended, its last accuracy and what it says it read."""
    torch.set_num_threads(1)
    torch.manual_seed(sweep.seed)
    network = make_network()
    optimizer = torch.optim.SGD(network.parameters(), rate, momentum=0.9)
    loader = make_loader(sweep, rate)
    begin.wait(_BEGIN_SECONDS)
    way = _Way(rate, sweep.epochs * len(loader), tell)
    ends, share = [], 0.0
    for epoch in range(sweep.epochs):
        share = _epoch(network, optimizer, iter(loader), way)
        ends.append(time.monotonic())
        way.ended(epoch)
    reads = {}
    if isinstance(loader, QuiverDataLoader):
        loader.close()
        reads = loader.statistics()
    return {"rate": rate, "began": way.began, "ends": ends, "right": 100 * share, "reads": reads}


class _Way:
    """Tells how far a job is, about twice a second."""

    def __init__(self, rate: float, steps: int, tell: Tell):
        self._rate, self._steps, self._tell = rate, steps, tell
        self.began = self._told = time.monotonic()
        self._done = 0

    def step(self) -> None:
        self._done += 1
        if time.monotonic() - self._told >= _TELL_SECONDS:
            self._say({})

    def ended(self, epoch: int) -> None:
        self._say({"ended": epoch})

    def _say(self, more: dict[str, int]) -> None:
        self._told = time.monotonic()
        share = self._done / self._steps
        self._tell({"rate": self._rate, "began": self.began, "share": share, **more})


def _epoch(network: nn.Module, optimizer: torch.optim.Optimizer, batches: Iterator[Any], way: _Way) -> float:
    """Train one epoch; how many pictures were told right along the way."""
    right = count = 0
    for images, labels in batches:
        guesses = network(images.float() / 128 - 1)
        loss = nn.functional.cross_entropy(guesses, labels)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        right += int((guesses.argmax(1) == labels).sum())
        count += len(labels)
        way.step()
    return right / count
