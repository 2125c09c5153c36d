"""Connects torch's loader to the draws of an epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

from torch._utils import ExceptionWrapper
from torch.utils.data import get_worker_info

from quiver.errors import LoadError
from quiver.reading.request import BatchRequest
from quiver.torch.run import EpochRun

_TIMED_OUT = "timed out after"
"""Torch's words when a worker took too long."""


class FailedBatch(NamedTuple):
    """A worker's answer to a request that it could not fulfil.

    Torch would raise the error without telling which request it belongs to.
    """

    sequence: int
    error: ExceptionWrapper


def in_worker(sequence: int, make: Callable[[], Any]) -> Any:
    """Return what is made; in a worker, an error becomes an answer."""
    worker = get_worker_info()
    if worker is None:
        return make()
    try:
        return make()
    except Exception:  # noqa: BLE001 - the training process raises it
        where = f"in DataLoader worker process {worker.id}"
        return FailedBatch(sequence, ExceptionWrapper(where=where))  # type: ignore[no-untyped-call]


class Collate:
    """Collates the samples of a batch with the user's function and keeps what the loader needs beside it."""

    def __init__(self, inner: Callable[[list[Any]], Any]):
        self.inner = inner

    def __call__(self, fetched: list[Any]) -> Any:
        """Return what a worker sends: the request's number, items, where they came from, and the batch."""
        if isinstance(fetched[0], FailedBatch):
            return fetched[0]
        ((sequence, items, counts, samples),) = fetched
        return in_worker(sequence, lambda: (sequence, items, counts, self.inner(samples)))


@runtime_checkable
class Source(Protocol):
    """Knows the epoch that runs and how long one is."""

    def current_run(self) -> EpochRun:
        """Return the epoch that runs."""

    def steps(self) -> int:
        """Return the number of batches of an epoch."""

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch begins next."""


class DrawSampler:
    """The batch sampler torch sees: each of its batches is a list of one request.

    Lightning tells the epoch to its ``sampler``, and makes another one like this around a sampler of its own
    unless it is told not to.
    """

    def __init__(self, source: Source, batch_size: int, drop_last: bool):
        if not isinstance(source, Source):
            raise TypeError(
                f"a QuiverDataLoader draws samples itself and takes no {type(source).__name__}; in "
                "Lightning, set use_distributed_sampler=False; for overfit_batches, make the loader with "
                "reshuffle=False"
            )
        self._source = source
        self.batch_size = batch_size
        self.drop_last = drop_last

    @property
    def sampler(self) -> DrawSampler:
        """The object that is told which epoch begins next."""
        return self

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

    :param begin: begins the epoch when its first batch is asked for; returns torch's own iterator, too
    """

    def __init__(self, begin: Callable[[], tuple[EpochRun, Any]], timeout: float):
        self._begin = begin
        self._begun: tuple[EpochRun, Any] | None = None
        self._timeout = timeout

    def __iter__(self) -> EpochIterator:
        return self

    def __next__(self) -> Any:
        if self._begun is None:
            self._begun = self._begin()
        run, inner = self._begun
        if run.closed:
            raise RuntimeError("another epoch of this loader has begun; iterate over that one")
        run.asked()
        run.blocking = True
        try:
            _top_up(run, inner)
            answer = next(inner)
        except StopIteration:
            if not run.finished:
                raise LoadError(f"torch ended the epoch before its end: {run.describe()}") from None
            run.close()
            raise
        except Exception as e:
            if isinstance(e, RuntimeError) and _TIMED_OUT in str(e):
                raise RuntimeError(f"no batch within {self._timeout:g} s: {run.describe()}") from e
            run.give_up(None)
            raise
        finally:
            run.blocking = False
        return _accept(run, inner, answer)


def _accept(run: EpochRun, inner: Any, answer: Any) -> Any:
    if isinstance(answer, FailedBatch):
        run.give_up(answer.sequence)
        _top_up(run, inner)
        answer.error.reraise()  # type: ignore[no-untyped-call]
    sequence, items, counts, batch = answer
    run.deliver(sequence, items, counts)
    _top_up(run, inner)
    return batch


def _top_up(run: EpochRun, inner: Any) -> None:
    """Give torch's workers what could not be drawn when torch asked; without workers, read ahead."""
    run.read_ahead()
    put = getattr(inner, "_try_put_index", None)
    most = getattr(inner, "_prefetch_factor", 0) * getattr(inner, "_num_workers", 0)
    while put is not None and run.out < most:
        before = run.issued
        put()
        if run.issued == before:
            return
