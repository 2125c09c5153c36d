"""One seeded global shuffle, bit-identical run to run whatever the cache holds."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from quiver.order.base import EpochOrder
from quiver.order.draw import NO_ITEMS, Draw, Items
from quiver.order.layout import ChunkLayout
from quiver.order.permutation import MASK, SeededPermutation, derive
from quiver.order.setup import NOTHING_RESIDENT, Residency, RingRole, Setup
from quiver.order.state import EpochState
from quiver.order.steps import RankSteps, padding_place

_BLOCK = 4096


class StrictWalk:
    """A rank's items of an epoch: one permutation of the data set, of which the ranks take by turns.

    After an interruption the ranks take by turns of what was not delivered; as many ranks as before go on
    as if nothing had happened.

    :param before: flags of items that were delivered before this order began; None for none
    """

    def __init__(
        self, permutation: SeededPermutation, before: npt.NDArray[np.bool_] | None, first: int, stride: int
    ):
        self._permutation = permutation
        self._before = before
        self._place = first if before is None else 0
        self._skip = first
        self._stride = stride
        self._ahead: Items = NO_ITEMS

    def copy(self) -> StrictWalk:
        """Copy this walk at its present place."""
        copy = StrictWalk(self._permutation, self._before, 0, self._stride)
        copy._place, copy._skip, copy._ahead = self._place, self._skip, self._ahead
        return copy

    def take(self, count: int) -> Items:
        """Take the next items, as many as there are."""
        items = self.peek(count)
        self._ahead = self._ahead[len(items) :]
        return items

    def peek(self, count: int) -> Items:
        """Return the next items without going past them."""
        while len(self._ahead) < count and self._place < self._permutation.size:
            self._ahead = np.concatenate((self._ahead, self._block(max(_BLOCK, count - len(self._ahead)))))
        return self._ahead[:count]

    def _block(self, count: int) -> Items:
        size = self._permutation.size
        if self._before is None:
            places = np.arange(self._place, min(size, self._place + count * self._stride), self._stride)
            self._place = int(places[-1]) + self._stride
            return self._permutation.at(places).astype(np.int32)
        places = np.arange(self._place, min(size, self._place + count))
        self._place = int(places[-1]) + 1
        items = self._permutation.at(places)
        rest = items[~self._before[items]]
        own = rest[self._skip :: self._stride]
        self._skip = (
            (self._skip - len(rest)) % self._stride if len(rest) > self._skip else self._skip - len(rest)
        )
        return own.astype(np.int32)


class StrictOrder(EpochOrder):
    """Never substitutes; since the order is known, a loader can read ahead instead (:meth:`upcoming`).

    Items that could not be delivered come first in the next draw.
    """

    def __init__(self, setup: Setup, epoch: int, before: npt.NDArray[np.bool_] | None):
        if setup.homogeneous:
            raise ValueError("strict order cannot make homogeneous batches; use the sampler substitute")
        self.epoch = epoch
        self._setup = setup
        self._layout = ChunkLayout(setup.items, setup.chunks)
        count = 0 if before is None else int(np.count_nonzero(before))
        self._before = before if count else None
        self._delivered = np.zeros(setup.items, np.bool_) if before is None else before.copy()
        self._permutation = SeededPermutation(setup.items, derive(setup.seed & MASK, epoch))
        self._order = StrictWalk(self._permutation, self._before, setup.rank, setup.ranks)
        remaining = setup.items - count
        self._steps = RankSteps(setup, remaining)
        self._unwalked = self._steps.unpromised
        self._padding_item = self._find_padding(remaining) if self._steps.padding else -1
        self._returned: deque[int] = deque()
        self._out: set[Draw] = set()
        self._per_chunk: npt.NDArray[np.int64] | None = None

    @classmethod
    def begin(cls, setup: Setup, epoch: int) -> StrictOrder:
        """Begin an epoch."""
        return cls(setup, epoch, None)

    @classmethod
    def resume(cls, setup: Setup, state: EpochState) -> StrictOrder:
        """Go on with the rest of an epoch."""
        return cls(setup, state.epoch, state.mask())

    def _find_padding(self, remaining: int) -> int:
        place = padding_place(self._setup, remaining)
        walk = StrictWalk(self._permutation, self._before, place % self._setup.ranks, self._setup.ranks)
        return int(walk.take(place // self._setup.ranks + 1)[-1])

    def draw(self, residency: Residency = NOTHING_RESIDENT, ring_role: RingRole = "leader") -> Draw | None:
        """Draw the next batch, whatever is resident."""
        del residency, ring_role
        size = self._steps.next()
        if size == 0:
            return None
        padding = self._steps.padding_in(size)
        items = self._next_items(size - padding)
        if padding:
            items = np.append(items, np.int32(self._padding_item))
        draw = Draw(NO_ITEMS, 0, items, padding)
        self._steps.drawn(draw)
        self._out.add(draw)
        return draw

    def _next_items(self, count: int) -> Items:
        again = [self._returned.popleft() for _ in range(min(count, len(self._returned)))]
        walked = self._order.take(count - len(again))
        self._unwalked -= len(walked)
        items = np.concatenate((np.array(again, np.int32), walked)) if again else walked
        self._count(items, -1)
        return items

    def settle(self, draw: Draw, delivered: npt.ArrayLike) -> None:
        """End a draw: what was not delivered comes first in the next."""
        if draw not in self._out:
            raise ValueError("this draw was not out, or was settled before")
        given = np.asarray(delivered, np.int32).tolist()
        _require_drawn(draw, given)
        padding = set(draw.padding.tolist())
        own = [item for item in given if item not in padding]
        self._delivered[own] = True
        fetched = draw.fetched_own
        returned = fetched[~self._delivered[fetched]]
        self._returned.extend(returned.tolist())
        self._count(returned, 1)
        self._out.remove(draw)
        self._steps.settled(draw, len(own), len(given) - len(own))

    def state(self) -> EpochState:
        """Return the progress of this rank, without what is out."""
        return EpochState.of_mask(self._setup.seed, self.epoch, self._delivered)

    @property
    def finished(self) -> bool:
        """True if every batch of this rank has been delivered."""
        return self._steps.finished

    def available(self, chunk: int | None = None) -> int:
        """Count the items of this rank that can be drawn now; a chunk is counted when first asked for."""
        if chunk is None:
            return self._steps.unpromised
        if not 0 <= chunk < self._setup.chunks:
            raise ValueError(f"chunk {chunk} of {self._setup.chunks}")
        if self._per_chunk is None:
            self._per_chunk = self._count_undrawn()
        return int(self._per_chunk[chunk])

    def _count_undrawn(self) -> npt.NDArray[np.int64]:
        counts = self._by_chunk(np.array(self._returned, np.int32))
        walk, left = self._order.copy(), self._unwalked
        while left:
            some = walk.take(min(left, 1 << 16))
            counts += self._by_chunk(some)
            left -= len(some)
        return counts

    def _by_chunk(self, items: Items) -> npt.NDArray[np.int64]:
        return np.bincount(self._layout.chunks_of(items), minlength=self._setup.chunks).astype(np.int64)

    def _count(self, items: Items, change: int) -> None:
        if self._per_chunk is not None and len(items):
            self._per_chunk += change * self._by_chunk(items)

    def upcoming(self, count: int) -> Items:
        """Return the items that will be drawn next, in order."""
        first = np.array(list(self._returned)[: max(0, count)], np.int32)
        rest = min(max(0, count - len(first)), self._unwalked)
        return np.concatenate((first, self._order.peek(rest)))


def _require_drawn(draw: Draw, given: list[int]) -> None:
    """Require that all were out with this draw, each once."""
    drawn = set(draw.fetch.tolist())
    seen: set[int] = set()
    for item in given:
        if item not in drawn or item in seen:
            raise ValueError(f"item {item} was not out with this draw, or is delivered twice")
        seen.add(item)
