"""The draws of one rank in one epoch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from quiver.order import Draw, EpochOrder, EpochState, RankEpochSampling, Residency, RingPatience
from quiver.order.layout import ChunkLayout
from quiver.order.state import pack
from quiver.plan import DatasetPlan, JobPlan
from quiver.reading.request import Ranking

Items = npt.NDArray[np.int32]


class RankDraws:
    """A sampler, the division into chunks that the plan wants, and what is being read. For one thread.

    :param sampling: makes the sampler
    :param own: what this rank had delivered before it went on, and whether its padding too
    :ivar padded: whether this rank was handed the sample it repeats of another's
    :param plan: the latest plan
    :param reachable: whether a new plan can come
    :param news: called when something happened that the manager should know at once
    """

    def __init__(
        self,
        sampling: RankEpochSampling,
        own: tuple[EpochState, bool] | None,
        plan: Callable[[], JobPlan | None],
        reachable: Callable[[], bool],
        news: Callable[[], None],
    ):
        self._sampling, self._plan, self._reachable, self._news = sampling, plan, reachable, news
        self._patience = RingPatience(sampling.setup.batch)
        self._out: dict[int, Draw] = {}
        self._drained: set[int] = set()
        held = self._planned()
        self._chunks = 1 if held is None else held.chunks
        self._sampler: EpochOrder = sampling.begin(self._chunks)
        self._padding = -1 if sampling.padding_item is None else sampling.padding_item
        self._delivered = np.zeros(sampling.setup.items, np.bool_)
        self.padded = False
        if own is not None:
            self._delivered, self.padded = own[0].mask().copy(), own[1]
            passed = self._delivered.copy()
            if self.padded and sampling.padding_item is not None:
                passed[sampling.padding_item] = True
            self._sampler = sampling.again(self._chunks, _without(self._sampler.state(), passed))
        self._layout = ChunkLayout(sampling.setup.items, self._chunks)
        self.items = self._sampler.available()

    def _planned(self) -> DatasetPlan | None:
        return _planned(self._plan())

    @property
    def out(self) -> int:
        """The number of draws that are being read."""
        return len(self._out)

    @property
    def all_read(self) -> bool:
        """True if the epoch is over."""
        return self._sampler.finished and not self._out

    @property
    def left(self) -> int:
        """The number of items that can be drawn now."""
        return self._sampler.available()

    def next(self, sequence: int, now: float) -> Draw | None:
        """Return the next draw; None while the job should wait, or at the end."""
        # One plan for all that follows: the next one, which may divide otherwise, can come at any time.
        plan = self._plan()
        held = _planned(plan)
        if not self._follow_division(held):
            return None
        if plan is None or held is None:
            draw = self._sampler.draw(Residency(), "leader")
        elif self._must_wait(held, now):
            return None
        else:
            draw = self._sampler.draw(held.residency(), plan.ring_role)
        if draw is not None:
            self._out[sequence] = draw
        return draw

    def _follow_division(self, held: DatasetPlan | None) -> bool:
        """Take over the plan's number of chunks as soon as nothing is out; says whether it is in force."""
        wanted = self._chunks if held is None else held.chunks
        if wanted == self._chunks:
            return True
        if self._out:
            return False
        self._sampler = self._sampling.again(wanted, self._sampler.state())
        self._chunks = wanted
        self._layout = ChunkLayout(self._sampling.setup.items, wanted)
        self._drained.clear()
        self._news()
        return True

    def _must_wait(self, held: DatasetPlan, now: float) -> bool:
        return self._sampling.kind == "substitute" and self._patience.waits(
            held.residency(),
            [each.chunk for each in held.held],
            held.chunks,
            self._sampler,
            own_chunk=max(1, self.items // self._chunks),
            out=self.out,
            reachable=self._reachable(),
            now=now,
        )

    def ranking(self, draw: Draw, job: str) -> Ranking | None:
        """Return nothing: every item comes once, so none matters more than another."""
        del draw, job
        return None

    def weights(self, items: Items) -> npt.NDArray[np.float64]:
        """Return 1 for each item: all have the same chance."""
        return np.ones(len(items))

    def deliver(self, sequence: int, items: Items) -> tuple[Items, Items]:
        """Account for a batch that is handed out: items of its draw that are not in it can be drawn again.

        :return: the items that are this rank's own, and those it repeats of another's, which are padding
        """
        self._sampler.settle(self._out.pop(sequence), items)
        own = items[items != self._padding]
        self._delivered[own] = True
        self.padded = self.padded or len(own) < len(items)
        return own, items[items == self._padding]

    def give_up(self, sequence: int) -> None:
        """Give up a draw that could not be read: the epoch goes on without it, as with torch's own loader."""
        draw = self._out.pop(sequence)
        self._sampler.settle(draw, np.concatenate((draw.candidates[: draw.want], draw.fetch)))

    def oldest(self) -> int | None:
        """Return the draw that has been out for longest."""
        return min(self._out, default=None)

    def note_drained(self) -> bool:
        """Return True if a held chunk has nothing left to read that had something before."""
        held = self._planned()
        if held is None or held.chunks != self._chunks:
            return False
        empty = {each.chunk for each in held.held if self._sampler.available(each.chunk) == 0}
        self._drained &= empty
        fresh = empty - self._drained
        for draw in self._out.values() if fresh else ():
            fresh -= set(np.unique(self._chunks_of(draw)).tolist())
        self._drained |= fresh
        return bool(fresh)

    def _chunks_of(self, draw: Draw) -> npt.NDArray[np.int32]:
        return self._layout.chunks_of(np.concatenate((draw.candidates, draw.fetch, draw.spare)))

    def remaining(self) -> list[int]:
        """Return the number of items yet to be read for each chunk."""
        if self.all_read:
            return [0] * self._chunks
        counts = np.fromiter(map(self._sampler.available, range(self._chunks)), np.int64, self._chunks)
        for draw in self._out.values():
            counts += np.bincount(self._chunks_of(draw), minlength=self._chunks)
        return [int(count) for count in counts]

    def unread(self) -> list[float]:
        """Return nothing: the plan knows how epochs are read."""
        return []

    def state(self) -> EpochState:
        """Return the items handed out by this rank."""
        setup = self._sampling.setup
        return EpochState.of_mask(setup.seed, self._sampling.epoch, self._delivered)


def _planned(plan: JobPlan | None) -> DatasetPlan | None:
    return None if plan is None else plan.dataset


def _without(state: EpochState, own: npt.NDArray[np.bool_]) -> EpochState:
    return EpochState(state.seed, state.epoch, state.items, state.delivered | pack(own))
