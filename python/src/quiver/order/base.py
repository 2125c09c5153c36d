"""The contract of all orders of reading."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy.typing as npt

from quiver.order.draw import NO_ITEMS, Draw, Items
from quiver.order.setup import NOTHING_RESIDENT, Residency, RingRole
from quiver.order.state import EpochState, OrderState


class BatchOrder(ABC):
    """Draws the batches of one rank for one epoch.

    A draw is out of the sampler's hands until it is settled; several may be out at once. A caller that
    delivers each draw whole, with what :meth:`Draw.missing` names, gets whole batches; one that delivers
    only what it found is given items to fetch afterwards, so that an epoch always ends.
    """

    epoch: int

    @abstractmethod
    def draw(self, residency: Residency = NOTHING_RESIDENT, ring_role: RingRole = "leader") -> Draw | None:
        """Draw the next batch; None while all that is left is out, or at the end of the epoch."""

    @abstractmethod
    def settle(self, draw: Draw, delivered: npt.ArrayLike) -> None:
        """End a draw: the items given were delivered to the training loop, all its others go back."""

    @abstractmethod
    def state(self) -> OrderState:
        """Return the progress of this rank, without what is out."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """True if every batch of this rank has been delivered."""

    @abstractmethod
    def available(self, chunk: int | None = None) -> int:
        """Count the items of this rank that can be drawn now, without padding: of a chunk, or of all."""

    def upcoming(self, count: int) -> Items:
        """Return at most so many items that will be drawn next whatever is resident; none where unknown."""
        del count
        return NO_ITEMS


class EpochOrder(BatchOrder):
    """Draws every item exactly once per epoch over all ranks, in random order."""

    @abstractmethod
    def state(self) -> EpochState:
        """Return the progress of this rank, without what is out."""
