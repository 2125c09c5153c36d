"""The orders that are compared: each yields the batches of one epoch as indices of images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch

from quiver.order import BatchOrder, Residency, Setup, begin
from quiver.order.layout import ChunkLayout

Indices = npt.NDArray[np.int64]


class Order(Protocol):
    """Puts epochs in order."""

    def epoch(self, number: int) -> Iterator[Indices]:
        """Yield the batches of an epoch."""


class GlobalShuffle:
    """The order of ``torch.utils.data.DataLoader(shuffle=True)``."""

    def __init__(self, items: int, batch: int, seed: int):
        self._generator = torch.Generator().manual_seed(seed)
        sampler = torch.utils.data.RandomSampler(range(items), generator=self._generator)
        self._batches = torch.utils.data.BatchSampler(sampler, batch, drop_last=False)

    def epoch(self, number: int) -> Iterator[Indices]:
        """Yield the batches of an epoch."""
        del number
        for batch in self._batches:
            yield np.array(batch, np.int64)


class AlikeBatches:
    """Batches of items that lie near each other, from all of the data set and in random order.

    This is the usual order for sequences: sorted by length, shuffled within stretches, cut into batches that
    need little padding, and the batches shuffled.

    :param stretches: how many there are
    """

    def __init__(self, items: int, batch: int, seed: int, stretches: int = 10):
        self._stretches = np.array_split(np.arange(items, dtype=np.int64), stretches)
        self._batch, self._seed = batch, seed

    def epoch(self, number: int) -> Iterator[Indices]:
        """Yield the batches of an epoch."""
        source = np.random.default_rng((self._seed, number))
        items = np.concatenate([source.permutation(stretch) for stretch in self._stretches])
        places = np.arange(0, len(items), self._batch)
        for first in source.permutation(places).tolist():
            yield items[first : first + self._batch]


class RotatingChunks:
    """Quiver's default sampler with some chunks resident: when one is used up, the next takes its place.

    The residency is a schedule, as one job sees it whose cache holds ``resident`` of ``chunks`` chunks and
    always has the next one whole in time. Sampler and layout are those that run live.

    :param contiguous: whether a chunk is one stretch of the data set in place of Quiver's stripes. Quiver
        never does this; it shows what stripes are good for.
    :param homogeneous: whether a batch comes from one stretch of the data set
    """

    def __init__(
        self,
        items: int,
        batch: int,
        seed: int,
        chunks: int = 10,
        resident: int = 2,
        contiguous: bool = False,
        homogeneous: bool = False,
    ):
        if not 1 <= resident < chunks:
            raise ValueError(f"{resident} of {chunks} chunks resident; use at least 1 and not all")
        self._setup = Setup(items=items, chunks=chunks, batch=batch, seed=seed, homogeneous=homogeneous)
        self._resident = resident
        self._next = seed % chunks
        self._names = _contiguous(items, chunks) if contiguous else np.arange(items, dtype=np.int64)

    def epoch(self, number: int) -> Iterator[Indices]:
        """Yield the batches of an epoch; the ring goes on where the epoch before left it."""
        sampler = begin("substitute", self._setup, number)
        while not sampler.finished:
            draw = sampler.draw(self._residency())
            assert draw is not None
            found = draw.candidates[: draw.want]
            items = np.concatenate((found, draw.missing(found)))
            sampler.settle(draw, items)
            yield self._names[items]
            self._turn(sampler)

    def _residency(self) -> Residency:
        window = [(self._next + place) % self._setup.chunks for place in range(self._resident)]
        return Residency(window=tuple(window))

    def _turn(self, sampler: BatchOrder) -> None:
        """Let the next chunk in for each that is used up."""
        for _ in range(self._setup.chunks):
            if sampler.available(self._next) > 0:
                return
            self._next = (self._next + 1) % self._setup.chunks


def _contiguous(items: int, chunks: int) -> Indices:
    """Return the image for each item of the striped layout, so that each chunk is one stretch of images."""
    layout = ChunkLayout(items, chunks)
    owners = layout.chunks_of(np.arange(items, dtype=np.int32))
    names = np.empty(items, np.int64)
    names[np.argsort(owners, kind="stable")] = np.arange(items)
    return names
