"""The samplers of a job with several ranks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from quiver.order.base import EpochOrder
from quiver.order.draw import Items
from quiver.order.permutation import MASK, SeededPermutation, derive
from quiver.order.setup import Kind, Setup
from quiver.order.state import EpochState
from quiver.order.steps import RankSteps, padding_place
from quiver.order.strict import StrictOrder
from quiver.order.substitute import SubstitutingOrder

_BLOCK = 1 << 18


class RankEpochSampling:
    """Makes the sampler of one rank for one epoch.

    The items are divided among the ranks before they are divided into chunks: so all ranks agree on who
    reads what even while they follow different plans, and the number of chunks may change in mid-epoch.

    :param setup: the job's; its ``chunks`` are not looked at
    :param before: what all ranks together had delivered of this epoch before it was resumed
    :param reshuffle: whether the epoch has an order of its own; False for that of epoch 0, in strict order
    :ivar padding_item: the item this rank repeats although it is another's, to take as many steps as the
        others; None for none. Known when the epoch has begun.

    >>> setup = Setup(items=10, chunks=1, batch=2, seed=7, rank=1, ranks=3)
    >>> RankEpochSampling("substitute", setup, epoch=0).begin(chunks=2).available()
    3
    """

    def __init__(
        self,
        kind: Kind,
        setup: Setup,
        epoch: int,
        before: EpochState | None = None,
        *,
        reshuffle: bool = True,
    ):
        if before is not None:
            before.require_fits(setup)
        self.kind: Kind = kind
        self.setup = setup
        self.epoch = epoch
        self._ordered_as = epoch if reshuffle else 0
        self.before = before if before is not None and before.epoch == epoch else None
        self.padding_item: int | None = None

    def begin(self, chunks: int) -> EpochOrder:
        """Begin the epoch, or take it up again."""
        if self.setup.ranks > 1:
            state = EpochState.of_mask(self.setup.seed, self.epoch, self._not_own())
            return self.again(chunks, state)
        if self.before is not None:
            return self.again(chunks, self.before)
        made = self._single(chunks)
        if self.kind == "strict":
            return StrictOrder.begin(made, self._ordered_as)
        return SubstitutingOrder.begin(made, self.epoch)

    def again(self, chunks: int, state: EpochState) -> EpochOrder:
        """Divide the rest into another number of chunks; nothing of it may be out."""
        state.require_fits(self.setup)
        made = self._single(chunks)
        if self.kind == "strict":
            return StrictOrder(made, self._ordered_as, state.mask())
        return SubstitutingOrder.resume(made, state)

    def _single(self, chunks: int) -> Setup:
        return replace(self.setup, chunks=chunks, rank=0, ranks=1, equal_steps="off")

    def _not_own(self) -> npt.NDArray[np.bool_]:
        """Flag each item that this rank has not to deliver."""
        order = self._shared_order()
        steps = RankSteps(self.setup, len(order))
        items, total = steps.unpromised, steps.unpromised + steps.padding
        if self.setup.drop_last:
            total -= total % self.setup.batch
        flags = np.ones(self.setup.items, np.bool_)
        flags[order[self.setup.rank :: self.setup.ranks][: min(items, total)]] = False
        if total > items:
            self.padding_item = int(order[padding_place(self.setup, len(order))])
            flags[self.padding_item] = False
        return flags

    def _shared_order(self) -> Items:
        """Return the rest of the epoch in the order from which ranks take in turn."""
        seed = derive(self.setup.seed & MASK, self._ordered_as)
        items = self.setup.items
        permutation = SeededPermutation(items, seed if self.kind == "strict" else derive(seed, 0))
        order = np.empty(items, np.int32)
        for first in range(0, items, _BLOCK):
            end = min(items, first + _BLOCK)
            order[first:end] = permutation.at(np.arange(first, end))
        return order if self.before is None else order[~self.before.mask()[order]]
