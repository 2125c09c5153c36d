"""Batches of a known order, whose reading begins before the training loop asks for them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from quiver.reading.pool import DaemonPool
from quiver.reading.request import BatchRequest, ReadBatch

_LOG = logging.getLogger("quiver")


class BegunBatch(Protocol):
    """A batch that is being read."""

    def finish(self) -> ReadBatch:
        """Wait for what is lacking."""

    def give_up(self) -> None:
        """End the reads that have not begun: nobody needs the batch."""


class AheadReads:
    """Begins to read batches, one after the other, in a thread of its own.

    A batch that could not be begun is read as if nobody had tried. Methods are for one thread.

    :param begin: asks the cache and begins to read from the store what it lacks
    """

    def __init__(self, begin: Callable[[BatchRequest], BegunBatch]):
        self._begin = begin
        self._pool = DaemonPool("quiver-ahead", 1)
        self._begun: dict[int, Future[BegunBatch]] = {}

    def begin(self, request: BatchRequest) -> None:
        """Begin to read a batch after all those that were begun before."""
        self._begun[request.sequence] = self._pool.submit(self._begin, request)

    def take(self, request: BatchRequest) -> BegunBatch | None:
        """Return a batch that was begun; None for one that was not, or could not be."""
        begun = self._begun.pop(request.sequence, None)
        if begun is None:
            return None
        try:
            return begun.result()
        except Exception:  # noqa: BLE001 - it is read again, and then the loop is told what is wrong
            _LOG.debug("batch %d could not be begun ahead", request.sequence, exc_info=True)
            return None

    def give_up(self) -> None:
        """Give up all batches that nobody has taken."""
        for begun in self._begun.values():
            if not begun.cancel():
                begun.add_done_callback(_give_up)
        self._begun = {}

    def close(self) -> None:
        """Begin no more."""
        self.give_up()
        self._pool.close()


def _give_up(begun: Future[BegunBatch]) -> None:
    try:
        begun.result().give_up()
    except Exception:  # noqa: BLE001 - of a batch that nobody needs, or of its cancellation
        _LOG.debug("a batch that nobody needs could not be begun", exc_info=True)
