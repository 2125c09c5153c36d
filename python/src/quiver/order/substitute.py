"""The default: draws as far as possible among what the cache holds (substitutable hits, Quiver §4.7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from quiver.order.base import EpochOrder
from quiver.order.draw import NO_ITEMS, Draw
from quiver.order.homogeneous import HomogeneousItems
from quiver.order.permutation import MASK, SeededRandom, derive
from quiver.order.picker import draw_owners
from quiver.order.setup import NOTHING_RESIDENT, Residency, RingRole, Setup
from quiver.order.share import RankShare
from quiver.order.split import BatchSplit, slack
from quiver.order.state import EpochState


class SubstitutingOrder(EpochOrder):
    """Draws directly among the unused members of resident chunks."""

    def __init__(self, share: RankShare):
        self.epoch = share.epoch
        self._setup = share.setup
        self._share = share
        self._random = SeededRandom(derive(share.seed, (-1 - share.setup.rank) & MASK))
        self._alike = HomogeneousItems(share, self._random) if share.setup.homogeneous else None
        self._split = BatchSplit(max((pool.available for pool in share.pools), default=0))
        self._stretch = 0
        self._barren = False

    @classmethod
    def begin(cls, setup: Setup, epoch: int) -> SubstitutingOrder:
        """Begin an epoch."""
        return cls(RankShare(setup, epoch, None))

    @classmethod
    def resume(cls, setup: Setup, state: EpochState) -> SubstitutingOrder:
        """Go on with the rest of an epoch."""
        return cls(RankShare(setup, state.epoch, state.mask()))

    def draw(self, residency: Residency = NOTHING_RESIDENT, ring_role: RingRole = "leader") -> Draw | None:
        """Draw the next batch."""
        size = self._share.next_batch()
        if size == 0:
            return None
        # After a draw of which nothing was there, the cache is not believed: the next is fetched.
        believed = NOTHING_RESIDENT if self._barren else residency
        return self._share.send(self._batch(believed, ring_role, size))

    def _batch(self, residency: Residency, ring_role: RingRole, size: int) -> Draw:
        share = self._share
        padding = share.steps.padding_in(size)
        own = size - padding
        pinned = share.available_in(residency.pinned)
        window = share.available_in(residency.window)
        unread = share.available
        want = self._split.from_cache(residency.ring, own, pinned + window, unread)
        from_window = self._split.from_window(want, pinned, window, unread, ring_role)
        spare = slack(want, pinned + window, unread, self._setup.batch)
        self._choose_stretch(residency, from_window, want)
        candidates: list[int] = []
        self._take_across(residency.window, from_window, candidates)
        self._take_at_random(residency.pinned, want - from_window, candidates)
        more = min(spare, share.available_in(residency.window))
        self._take_across(residency.window, more, candidates)
        self._take_at_random(residency.pinned, spare - more, candidates)
        fetch = self._fetch(residency, own - want)
        fetch.extend([share.padding_item] * padding)
        return Draw(
            np.array(candidates, np.int32) if candidates else NO_ITEMS,
            want,
            np.array(fetch, np.int32) if fetch else NO_ITEMS,
            padding,
        )

    def _choose_stretch(self, residency: Residency, from_window: int, want: int) -> None:
        """Choose the stretch of a homogeneous batch: most likely one of which much is left."""
        if self._alike is not None and self._share.available > 0:
            self._stretch = self._alike.stretch_in(self._leading_chunk(residency, from_window, want))

    def _leading_chunk(self, residency: Residency, from_window: int, want: int) -> int:
        if from_window > 0:
            return self._first_with_items(residency.window)
        if want > 0:
            return residency.pinned[draw_owners(self._left_in(residency.pinned), 1, self._random)[0]]
        if self._share.available_in(residency.loading) > 0:
            return self._first_with_items(residency.loading)
        return self._absent_with_items()

    def _first_with_items(self, chunks: Sequence[int]) -> int:
        return next(chunk for chunk in chunks if self._share.pools[chunk].available > 0)

    def _absent_with_items(self) -> int:
        """Return the chunk with the fewest items left: most likely it has left the cache already."""
        left = [(pool.available, chunk) for chunk, pool in enumerate(self._share.pools) if pool.available]
        return min(left)[1]

    def _left_in(self, chunks: Sequence[int]) -> list[int]:
        pools = self._share.pools
        return [pools[chunk].available for chunk in chunks]

    def _take_across(self, window: Sequence[int], count: int, target: list[int]) -> None:
        """Take from all rotating chunks at once, as ``BatchSplit.lots`` has it."""
        if self._alike is not None:
            self._alike.take_near(self._stretch, window, count, target)
            return
        pools = [self._share.pools[chunk] for chunk in window]
        self._share.available -= count
        while count > 0:
            lots = self._split.lots(self._left_in(window))
            owners = draw_owners(lots, min(count, sum(lots)), self._random)
            target.extend([pools[owner].take() for owner in owners])
            count -= len(owners)

    def _take_in_order(self, chunks: Sequence[int], count: int, target: list[int]) -> None:
        if self._alike is not None:
            self._alike.take_near(self._stretch, chunks, count, target)
            return
        end = len(target) + count
        for chunk in chunks:
            pool = self._share.pools[chunk]
            some = min(end - len(target), pool.available)
            if some > 0:
                pool.take_some(some, target)
                self._share.available -= some

    def _take_at_random(self, chunks: Sequence[int], count: int, target: list[int]) -> None:
        """Take items of these chunks, each as likely as any other."""
        if count == 0:
            return
        if self._alike is not None:
            self._alike.take_near(self._stretch, self._turned(chunks), count, target)
            return
        pools = [self._share.pools[chunk] for chunk in chunks]
        owners = draw_owners([pool.available for pool in pools], count, self._random)
        target.extend([pools[owner].take() for owner in owners])
        self._share.available -= count

    def _turned(self, chunks: Sequence[int]) -> list[int]:
        """Begin with any of the chunks, so that none is preferred."""
        by = self._random.below(len(chunks))
        return [*chunks[len(chunks) - by :], *chunks[: len(chunks) - by]]

    def _fetch(self, residency: Residency, count: int) -> list[int]:
        """Choose items that no resident chunk has: from chunks being loaded, then from absent ones."""
        items: list[int] = []
        if count == 0:
            return items
        loading = min(count, self._share.available_in(residency.loading))
        self._take_in_order(residency.loading, loading, items)
        while len(items) < count:
            chunk = self._absent_with_items()
            some = min(count - len(items), self._share.pools[chunk].available)
            self._take_in_order((chunk,), some, items)
        return items

    def settle(self, draw: Draw, delivered: npt.ArrayLike) -> None:
        """End a draw: what was asked for without need comes next, what was not there after all later."""
        items = np.asarray(delivered, np.int32)
        self._share.settle(draw, items, len(items) == draw.size)
        self._barren = len(items) == 0

    def state(self) -> EpochState:
        """Return the progress of this rank, without what is out."""
        return self._share.epoch_state()

    @property
    def finished(self) -> bool:
        """True if every batch of this rank has been delivered."""
        return self._share.steps.finished

    def available(self, chunk: int | None = None) -> int:
        """Count the items of this rank that can be drawn now."""
        if chunk is None:
            return min(self._share.available, self._share.steps.unpromised)
        return self._share.require_chunk(chunk).available
