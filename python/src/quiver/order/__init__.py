"""Orders of reading: every item exactly once per epoch, in random order, or a known list with repeats.

The same algorithms as Quiver's Java core, item for item: ``test-vectors/order`` holds both together.
Sampling happens in one place of a job and is not thread-safe; workers only fetch.

>>> sampler = begin("substitute", Setup(items=1000, chunks=10, batch=100, seed=7), epoch=0)
>>> draw = sampler.draw(Residency(pinned=(0, 1)))
>>> draw.want, len(draw.candidates), len(draw.fetch)
(100, 112, 0)
>>> sampler.settle(draw, draw.candidates[: draw.want])
>>> sampler.state().delivered_items
100
"""

from __future__ import annotations

from quiver.order.base import BatchOrder, EpochOrder
from quiver.order.draw import Draw
from quiver.order.lists import ItemList, ListOrder, ListState
from quiver.order.patience import RingPatience
from quiver.order.ranks import RankEpochSampling
from quiver.order.setup import EqualSteps, Kind, Residency, RingRole, Setup
from quiver.order.state import EpochState, OrderState
from quiver.order.strict import StrictOrder
from quiver.order.substitute import SubstitutingOrder

__all__ = [
    "BatchOrder",
    "Draw",
    "EpochOrder",
    "EpochState",
    "EqualSteps",
    "ItemList",
    "Kind",
    "ListOrder",
    "ListState",
    "OrderState",
    "RankEpochSampling",
    "Residency",
    "RingPatience",
    "RingRole",
    "Setup",
    "begin",
    "resume",
]


def begin(kind: Kind, setup: Setup, epoch: int) -> EpochOrder:
    """Begin an epoch. ``kind`` is ``"substitute"`` or ``"strict"``."""
    if kind == "substitute":
        return SubstitutingOrder.begin(setup, epoch)
    if kind == "strict":
        return StrictOrder.begin(setup, epoch)
    raise ValueError(f"unknown sampler {kind!r}; use 'substitute' or 'strict'")


def resume(kind: Kind, setup: Setup, state: EpochState) -> EpochOrder:
    """Go on with the rest of an epoch, divided anew among the ranks.

    ``state`` tells what all ranks together had delivered: see :meth:`EpochState.merge`.
    """
    state.require_fits(setup)
    if kind == "substitute":
        return SubstitutingOrder.resume(setup, state)
    if kind == "strict":
        return StrictOrder.resume(setup, state)
    raise ValueError(f"unknown sampler {kind!r}; use 'substitute' or 'strict'")
