"""One rank's part of an epoch, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from quiver.order.draw import Draw, Items
from quiver.order.layout import ChunkLayout
from quiver.order.permutation import MASK, derive
from quiver.order.pool import DELIVERED, FOREIGN, FREE, OUT, ChunkPool
from quiver.order.setup import Setup
from quiver.order.state import EpochState
from quiver.order.steps import RankSteps, padding_place

_SETTLING = 4
_BLOCK = 1 << 18


class RankShare:
    """Knows the items that can be drawn, are out or were delivered: one byte for each item."""

    def __init__(self, setup: Setup, epoch: int, delivered: npt.NDArray[np.bool_] | None):
        self.setup = setup
        self.epoch = epoch
        self.layout = ChunkLayout(setup.items, setup.chunks)
        self.seed = derive(setup.seed & MASK, epoch)
        self.available = 0
        self.padding_item = -1
        # Up to a whole number of rounds, so that a chunk is a band of a table; nobody's items at the end.
        self._bytes = bytearray(self.layout.partitions * self.layout.round)
        table: npt.NDArray[np.uint8] = np.frombuffer(self._bytes, np.uint8)
        table[setup.items :] = FOREIGN
        self._table = table.reshape(self.layout.partitions, self.layout.round)
        self._state: npt.NDArray[np.uint8] = table[: setup.items]
        remaining = setup.items
        if delivered is not None:
            self._state[delivered] = DELIVERED
            remaining -= int(np.count_nonzero(delivered))
        self.steps = RankSteps(setup, remaining)
        self.pools: list[ChunkPool] = []
        self._out: set[Draw] = set()
        if delivered is None and not (setup.homogeneous and setup.ranks > 1):
            self._divide_all()
        else:
            self._divide_remaining(remaining)

    def _divide_all(self) -> None:
        """Give a rank every ranks-th place of each chunk's order; places go on from chunk to chunk."""
        setup = self.setup
        wanted = padding_place(setup, setup.items) if self.steps.padding else -1
        before = 0
        for chunk in range(setup.chunks):
            pool = self._pool(chunk, (setup.rank - before) % setup.ranks, setup.ranks)
            self._add(pool, pool.reach)
            size = self.layout.size(chunk)
            if before <= wanted < before + size:
                self.padding_item = int(pool.members(np.array([wanted - before]))[0])
            before += size

    def _divide_remaining(self, remaining: int) -> None:
        """Divide the rest: other ranks' items are not this rank's for good."""
        setup = self.setup
        wanted = padding_place(setup, remaining) if self.steps.padding else -1
        place = 0
        for chunk in range(setup.chunks):
            pool = self._pool(chunk, 0, 1)
            mine = 0
            for first in range(0, pool.reach, _BLOCK):
                items = pool.members(np.arange(first, min(pool.reach, first + _BLOCK)))
                rest = items[self._state[items] != DELIVERED]
                own = (np.arange(place, place + len(rest)) - setup.rank) % setup.ranks == 0
                self._state[rest[~own]] = FOREIGN
                mine += int(np.count_nonzero(own))
                if place <= wanted < place + len(rest):
                    self.padding_item = int(rest[wanted - place])
                place += len(rest)
            self._add(pool, mine)

    def _pool(self, chunk: int, first: int, stride: int) -> ChunkPool:
        return ChunkPool(self.layout, chunk, derive(self.seed, chunk), self._bytes, first, stride)

    def _add(self, pool: ChunkPool, members: int) -> None:
        pool.available = members
        self.pools.append(pool)
        self.available += members

    def available_in(self, chunks: Iterable[int]) -> int:
        """Count the items of these chunks that can be drawn."""
        pools = self.pools
        return sum(pools[chunk].available for chunk in chunks)

    def require_chunk(self, chunk: int) -> ChunkPool:
        """Return the pool of a chunk."""
        if not 0 <= chunk < len(self.pools):
            raise ValueError(f"chunk {chunk} of {len(self.pools)}")
        return self.pools[chunk]

    def next_batch(self) -> int:
        """Return the size of the next batch, padding included; 0 when what it needs is out."""
        size = self.steps.next()
        return size if size - self.steps.padding_in(size) <= self.available else 0

    def free(self, item: int) -> bool:
        """Return True if an item can be drawn, in a share that marks what others own."""
        return self._bytes[item] == FREE

    def next_free(self, chunk: int, first: int, count: int, start: int) -> int:
        """Return the first free item of a chunk in so many partitions from one on, or −1.

        The search begins ``start`` partitions further and goes round.
        """
        unit = self.layout.unit
        band = self._table[first : first + count, chunk * unit : (chunk + 1) * unit] == FREE
        free = np.concatenate((band[start:], band[:start])).reshape(-1)
        place = int(free.argmax())
        if not free[place]:
            return -1
        partition = first + (start + place // unit) % count
        return partition * self.layout.round + chunk * unit + place % unit

    def take_item(self, chunk: int, item: int) -> None:
        """Draw a free item of a chunk."""
        self.available -= 1
        self.pools[chunk].take_item(item)

    def send(self, draw: Draw) -> Draw:
        """Let a draw go out."""
        self.steps.drawn(draw)
        self._out.add(draw)
        return draw

    def settle(self, draw: Draw, delivered: Items, soon: bool) -> None:
        """Take a draw back; all that was not delivered can be drawn again.

        :param soon: whether candidates that were not needed are to be drawn before others; those that were
            passed over, because they were not there, come later in any case
        """
        if len(delivered) > draw.size:
            raise ValueError(f"{len(delivered)} items delivered for a batch of {draw.size}")
        if draw not in self._out:
            raise ValueError("this draw was not out, or was settled before")
        own = self._without_padding(draw, delivered)
        self._mark(draw, own)
        left = self._state[draw.candidates] == _SETTLING
        looked = _after_last(~left) if soon else len(left)
        self._put_away(draw.candidates[:looked][left[:looked]], False)
        self._put_away(draw.candidates[looked:][left[looked:]], True)
        for items in (draw.fetched_own, draw.spare):
            if len(items):
                self._put_away(items[self._state[items] == _SETTLING], True)
        self._out.remove(draw)
        self.steps.settled(draw, len(own), len(delivered) - len(own))

    def _without_padding(self, draw: Draw, delivered: Items) -> Items:
        if draw.padding_count == 0:
            return delivered
        found = np.flatnonzero(delivered == self.padding_item)[: draw.padding_count]
        return np.delete(delivered, found)

    def _mark(self, draw: Draw, own: Items) -> None:
        """Mark the items of the draw as being settled, then the delivered ones as delivered."""
        state = self._state
        parts = (draw.candidates, draw.fetched_own, draw.spare)
        for items in parts:
            state[items] = _SETTLING
        inside = (own >= 0) & (own < self.setup.items)
        wrong = own[~inside] if not inside.all() else own[state[own] != _SETTLING]
        if len(wrong) == 0 and len(np.unique(own)) == len(own):
            state[own] = DELIVERED
            return
        for items in parts:
            state[items] = OUT
        item = int(wrong[0]) if len(wrong) else _repeated(own)
        raise ValueError(f"item {item} was not out with this draw, or is delivered twice")

    def _put_away(self, items: Items, soon: bool) -> None:
        pools = self.pools
        for item, chunk in zip(items.tolist(), self.layout.chunks_of(items).tolist(), strict=True):
            pools[chunk].give_back(item, soon)
        self.available += len(items)

    def epoch_state(self) -> EpochState:
        """Return the items this rank knows to be delivered."""
        return EpochState.of_mask(self.setup.seed, self.epoch, self._state == DELIVERED)


def _after_last(flags: npt.NDArray[np.bool_]) -> int:
    """Return the number of flags up to the last that is set."""
    found = np.flatnonzero(flags)
    return int(found[-1]) + 1 if len(found) else 0


def _repeated(items: Items) -> int:
    values, counts = np.unique(items, return_counts=True)
    return int(values[counts > 1][0])
