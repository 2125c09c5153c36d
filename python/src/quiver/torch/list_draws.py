"""The draws of one rank from the list of an epoch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quiver.importance_lists import ImportanceLists, ImportanceMode
from quiver.list_curve import Curve
from quiver.order import Draw, ListOrder, ListState, Setup
from quiver.reading.request import Ranking

Items = npt.NDArray[np.int32]


@dataclass(frozen=True)
class ListSampling:
    """The list of an epoch, of which each rank reads its part.

    :param unread: tells the share of reads that go to the store with each sixteenth of the data cached
    :param before: what all ranks together had delivered of this epoch before it was resumed
    """

    kind: ImportanceMode
    setup: Setup
    lists: ImportanceLists
    unread: Callable[[], Curve]
    before: ListState | None = None

    @property
    def epoch(self) -> int:
        """The epoch that runs."""
        return self.lists.epoch

    def beginning(self) -> ListState:
        """Return the state from which the ranks divide the rest of the list."""
        return self.before or ListState.beginning(self.setup.seed, self.epoch, self.lists.list)


class ListDraws:
    """The order of a list, and what is being read. For one thread.

    :param own: what this very rank had delivered before it went on, and whether its padding too
    """

    def __init__(self, sampling: ListSampling, own: tuple[ListState, bool] | None):
        self._lists, self._unread = sampling.lists, sampling.unread
        self._order = ListOrder(sampling.setup, sampling.beginning())
        self._before = sampling.beginning().delivered
        self._out: dict[int, Draw] = {}
        self.padded = False
        if own is not None:
            self._pass_over(own[0].delivered, own[1])

    def _pass_over(self, delivered: npt.NDArray[np.bool_], padded: bool) -> None:
        """Settle the batches that were delivered; a list is read in its order, so they come first."""
        while (draw := self._order.draw()) is not None:
            done = all(delivered[self._order.places(draw)]) and (draw.padding_count == 0 or padded)
            self._order.settle(draw, draw.fetch if done else [])
            self.padded = self.padded or (done and draw.padding_count > 0)
            if not done:
                return

    @property
    def out(self) -> int:
        """The number of draws that are being read."""
        return len(self._out)

    @property
    def all_read(self) -> bool:
        """True if the epoch is over."""
        return self._order.finished and not self._out

    @property
    def left(self) -> int:
        """The number of entries that can be drawn now."""
        return self._order.available()

    def next(self, sequence: int, now: float) -> Draw | None:
        """Return the next draw; None at the end."""
        del now
        draw = self._order.draw()
        if draw is not None:
            self._out[sequence] = draw
        return draw

    def ranking(self, draw: Draw, job: str) -> Ranking:
        """Return the priorities that the items of a draw have from now on; -1 where another rank tells."""
        places = np.asarray(self._order.places(draw), np.int64)
        padding = np.full(draw.padding_count, -1, np.int64)
        priorities = np.concatenate((self._lists.priorities(places), padding))
        read = self._lists.position(int(places[-1]) + 1 if len(places) else len(self._lists.list))
        return Ranking(job, None if self._lists.ranks_by_score else read, priorities)

    def weights(self, items: Items) -> npt.NDArray[np.float64]:
        """Return the weights of the losses of items."""
        return self._lists.weights(items)

    def deliver(self, sequence: int, items: Items) -> tuple[Items, Items]:
        """Account for a batch that is handed out; returns its own items, and those that are padding."""
        draw = self._out.pop(sequence)
        self._order.settle(draw, items)
        self.padded = self.padded or draw.padding_count > 0
        own = len(items) - draw.padding_count
        return items[:own], items[own:]

    def give_up(self, sequence: int) -> None:
        """Give up a draw that could not be read: the epoch goes on without it."""
        draw = self._out.pop(sequence)
        self._order.settle(draw, draw.fetch)

    def oldest(self) -> int | None:
        """Return the draw that has been out for longest."""
        return min(self._out, default=None)

    def note_drained(self) -> bool:
        """Return False: a list has no chunks."""
        return False

    def remaining(self) -> list[int]:
        """Return nothing: a list has no chunks."""
        return []

    def unread(self) -> list[float]:
        """Return the share of reads that go to the store with each sixteenth of the data cached."""
        return self._unread()

    def state(self) -> ListState:
        """Return this rank's progress, without what had been delivered before its part was made."""
        state = self._order.state()
        own = state.delivered & ~self._before
        return ListState(state.seed, state.epoch, state.list, own)
