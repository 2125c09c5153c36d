"""Counts the items of an epoch that a rank has still to deliver."""

from __future__ import annotations

from quiver.order.draw import Draw
from quiver.order.setup import Setup


class RankSteps:
    """Counts a rank's part of what is left and tells how large its next batch is.

    With equal steps every rank of a job counts the same number of batches.

    :param remaining: how many items all ranks together have still to deliver
    """

    def __init__(self, setup: Setup, remaining: int):
        self._batch = setup.batch
        self._drop_last = setup.drop_last
        longer = setup.rank < remaining % setup.ranks
        uneven = remaining % setup.ranks != 0
        self._items = remaining // setup.ranks + (1 if longer and setup.equal_steps != "drop" else 0)
        self._padding = 1 if uneven and not longer and setup.equal_steps == "pad" else 0
        self._promised = 0
        self._padding_out = 0
        self._draws = 0

    @property
    def unpromised(self) -> int:
        """The items of the epoch that are neither delivered nor promised."""
        return self._items - self._promised

    @property
    def padding(self) -> int:
        """The number of padding items still to come."""
        return self._padding - self._padding_out

    @property
    def finished(self) -> bool:
        """True if every batch has been delivered."""
        if self._draws:
            return False
        return self._left < self._batch if self._drop_last else self._left == 0

    @property
    def _left(self) -> int:
        return self.unpromised + self.padding

    def next(self) -> int:
        """Return the size of the next batch, padding included; 0 when there is none now."""
        left = self._left
        short = left < self._batch
        return 0 if short and (self._draws > 0 or self._drop_last) else min(self._batch, left)

    def padding_in(self, size: int) -> int:
        """Return how many items of a next batch of this size are padding, which comes last."""
        return max(0, size - self.unpromised)

    def drawn(self, draw: Draw) -> None:
        """Note that a draw goes out."""
        self._promised += draw.promised
        self._padding_out += draw.padding_count
        self._draws += 1

    def settled(self, draw: Draw, delivered: int, delivered_padding: int) -> None:
        """Note that a draw has come back."""
        self._promised -= draw.promised
        self._padding_out -= draw.padding_count
        self._items -= delivered
        self._padding -= delivered_padding
        self._draws -= 1


def padding_place(setup: Setup, remaining: int) -> int:
    """Return the place, in the order that ranks share, of the item a rank repeats as padding.

    The order begins anew after its end. It is never one of the rank's own.
    """
    return (remaining // setup.ranks * setup.ranks + setup.rank) % remaining
