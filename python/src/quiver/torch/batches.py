"""Connects torch's loader to the draws of an epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from quiver.reading.request import BatchRequest
from quiver.torch.run import EpochRun

_TIMED_OUT = "timed out after"
"""Torch's words when a worker took too long."""


class Collate:
    """Collates the samples of a batch with the user's function and keeps what the loader needs beside it."""

    def __init__(self, inner: Callable[[list[Any]], Any]):
        self.inner = inner

    def __call__(self, fetched: list[Any]) -> tuple[Any, ...]:
        """Return what a worker sends: the request's number, items, where they came from, and the batch."""
        ((sequence, items, counts, samples),) = fetched
        return sequence, items, counts, self.inner(samples)


class Source(Protocol):
    """Knows the epoch that runs and how long one is."""

    def current_run(self) -> EpochRun:
        """Return the epoch that runs."""

    def steps(self) -> int:
        """Return the number of batches of an epoch."""

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch begins next."""


class DrawSampler:
    """The batch sampler torch sees: each of its batches is a list of one request."""

    def __init__(self, source: Source):
        self._source = source

    def __iter__(self) -> Iterator[list[BatchRequest]]:
        return _Draws(self._source.current_run())

    def __len__(self) -> int:
        return self._source.steps()

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch begins next."""
        self._source.set_epoch(epoch)


class _Draws:
    """Ends when nothing can be drawn now, and goes on when something can again.

    Torch takes an end for "nothing to do for a worker" and asks again after the next batch.
    """

    def __init__(self, run: EpochRun):
        self._run = run

    def __iter__(self) -> _Draws:
        return self

    def __next__(self) -> list[BatchRequest]:
        request = self._run.next_request()
        if request is None:
            raise StopIteration
        return [request]


class EpochIterator:
    """Hands out the batches of an epoch and keeps the workers busy.

    :param inner: torch's own iterator
    """

    def __init__(self, run: EpochRun, inner: Any, timeout: float):
        self._run = run
        self._inner = inner
        self._timeout = timeout

    def __iter__(self) -> EpochIterator:
        return self

    def __next__(self) -> Any:
        if self._run.closed:
            raise RuntimeError("another epoch of this loader has begun; iterate over that one")
        self._run.asked()
        self._run.blocking = True
        try:
            self._top_up()
            sequence, items, counts, batch = next(self._inner)
        except StopIteration:
            self._run.close()
            raise
        except Exception as e:
            if isinstance(e, RuntimeError) and _TIMED_OUT in str(e):
                raise RuntimeError(f"no batch within {self._timeout:g} s: {self._run.describe()}") from e
            self._run.give_up_oldest()
            raise
        finally:
            self._run.blocking = False
        self._run.deliver(sequence, items, counts)
        self._top_up()
        return batch

    def _top_up(self) -> None:
        """Give torch's workers what could not be drawn when torch asked; does nothing without workers."""
        inner, run = self._inner, self._run
        put = getattr(inner, "_try_put_index", None)
        most = getattr(inner, "_prefetch_factor", 0) * getattr(inner, "_num_workers", 0)
        while put is not None and run.out < most:
            before = run.issued
            put()
            if run.issued == before:
                return
