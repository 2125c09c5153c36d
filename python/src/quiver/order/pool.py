"""The items of one chunk that a job can still draw."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quiver.order.layout import ChunkLayout
from quiver.order.permutation import SeededPermutation

FREE = 0
OUT = 1
DELIVERED = 2
FOREIGN = 3
"""Another rank's, for good."""

# Beyond this many, returned items are found again by walking the chunk once more.
_MAX_RETURNED = 4096
_BLOCK = 1024


class ChunkPool:
    """Hands out the members of a chunk in a seeded random order.

    What was drawn without need is drawn again first, what was asked for in vain waits for the next walk.
    The walk goes over every ``stride``-th place from ``first`` on, again and again; its next items are
    worked out a block at a time.

    :param state: one byte for each item of the data set, shared by all pools
    """

    __slots__ = (
        "_ahead",
        "_chunk",
        "_first",
        "_layout",
        "_next",
        "_order",
        "_returned",
        "_state",
        "_stride",
        "available",
    )

    def __init__(
        self, layout: ChunkLayout, chunk: int, seed: int, state: bytearray, first: int = 0, stride: int = 1
    ):
        self._layout = layout
        self._chunk = chunk
        self._order = SeededPermutation(layout.size(chunk), seed)
        self._state = state
        self._first = first
        self._stride = stride
        self._next = first
        self._ahead: list[int] = []
        self._returned: list[int] = []
        self.available = 0

    @property
    def reach(self) -> int:
        """The number of members that the walk reaches."""
        return max(0, -(-(self._order.size - self._first) // self._stride))

    def members(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the members at places of the whole order."""
        return self._layout.members(self._chunk, self._order.at(places))

    def take(self) -> int:
        """Draw one item."""
        if self.available <= 0:
            raise RuntimeError("nothing is left to draw from this chunk")
        state, returned = self._state, self._returned
        while returned:
            item = returned.pop()
            if state[item] == FREE:
                break
        else:
            item = self._next_of_walk()
        state[item] = OUT
        self.available -= 1
        return item

    def take_some(self, count: int, target: list[int]) -> None:
        """Draw so many items, which there must be."""
        target.extend([self.take() for _ in range(count)])

    def peek(self) -> int:
        """Return the next item of the walk that can be drawn, without drawing it."""
        if self.available <= 0:
            raise RuntimeError("nothing is left to draw from this chunk")
        return self._next_of_walk()

    def take_item(self, item: int) -> None:
        """Draw a free item of this chunk."""
        self._state[item] = OUT
        self.available -= 1

    def give_back(self, item: int, soon: bool) -> None:
        """Take an item back; unless it is to be drawn soon it comes when the walk is at it again."""
        self._state[item] = FREE
        self.available += 1
        if soon and len(self._returned) < _MAX_RETURNED:
            self._returned.append(item)

    def _next_of_walk(self) -> int:
        state, ahead = self._state, self._ahead
        while True:
            while ahead:
                item = ahead.pop()
                if state[item] == FREE:
                    return item
            ahead = self._look_ahead()

    def _look_ahead(self) -> list[int]:
        """Read the next block of the walk, last first, without what can never be drawn again."""
        size = self._order.size
        if self._next >= size:
            self._next = self._first
        places = np.arange(self._next, min(size, self._next + _BLOCK * self._stride), self._stride)
        self._next = int(places[-1]) + self._stride
        items = self.members(places)
        states = np.frombuffer(self._state, np.uint8)[items]
        self._ahead = items[states < DELIVERED][::-1].tolist()
        return self._ahead
