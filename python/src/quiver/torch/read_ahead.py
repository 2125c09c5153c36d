"""Reads batches of a known order before the training loop asks for them, where no workers do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from quiver.digest import Digest
from quiver.reading.request import BatchRequest

BATCHES = 4
"""Bounds the batches ahead unless a job says otherwise."""

MOST_BATCHES = 1024

BYTES = 64 << 20
"""Bounds the bytes of these batches; one batch is always allowed."""


class Ahead(NamedTuple):
    """The distance a process reads ahead, and its reader.

    :param batches: most batches that are read and not asked for
    :param begin: begins to read a batch
    :param give_up: gives up all batches that were begun
    """

    digest: Digest
    batches: int
    begin: Callable[[BatchRequest], None]
    give_up: Callable[[], None]


class DrawnAhead:
    """Batches of an epoch that were drawn and begun, in order. For one thread.

    Only the bytes of items are read ahead, in other threads: what the user's functions make of them is made
    when the batch is asked for.

    :param draw: draws the next batch; None while there is none
    """

    def __init__(self, ahead: Ahead, draw: Callable[[], BatchRequest | None]):
        self._ahead, self._draw = ahead, draw
        self._begun: deque[tuple[BatchRequest, int]] = deque()
        self._bytes = 0

    def top_up(self) -> None:
        """Draw and begin to read as many batches as the bounds allow."""
        while not self._begun or (len(self._begun) < self._ahead.batches and self._bytes < BYTES):
            request = self._draw()
            if request is None:
                return
            draw = request.draw
            size = int(self._ahead.digest.sizes[draw.candidates[: draw.want]].sum())
            size += int(self._ahead.digest.sizes[draw.fetch].sum())
            self._ahead.begin(request)
            self._begun.append((request, size))
            self._bytes += size

    def next(self) -> BatchRequest | None:
        """Return the next batch, which is asked for now; None while there is none."""
        self.top_up()
        if not self._begun:
            return None
        request, size = self._begun.popleft()
        self._bytes -= size
        return request

    def close(self) -> None:
        """Give up what nobody has asked for."""
        self._begun.clear()
        self._ahead.give_up()
