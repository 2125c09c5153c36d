"""Divides a data set into chunks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_SHORT_UNIT = 4
_LEAST_UNITS = 128
_MOST_UNITS = 4096


class ChunkLayout:
    """Chunks as stripes: items are dealt to the chunks in turn, a few neighbours at a time.

    So every chunk is a sample of the whole data set, even one sorted by class or length (Quiver, §5.1).
    Nothing is stored per item: every question is answered by arithmetic.

    >>> layout = ChunkLayout(items=10, chunks=3)
    >>> [layout.chunk_of(item) for item in range(10)]
    [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
    """

    def __init__(self, items: int, chunks: int):
        self.items = items
        self.chunks = chunks
        per_chunk = items // chunks
        fine = min(max(per_chunk // _LEAST_UNITS, 1), _SHORT_UNIT)
        self.unit = max(fine, -(-per_chunk // _MOST_UNITS))
        self._round = self.unit * chunks

        self.partitions = -(-items // self._round)
        """The number of rounds of dealing."""

    @property
    def round(self) -> int:
        """The number of items that are dealt in a round."""
        return self._round

    def partition_of(self, item: int) -> int:
        """Return the contiguous partition an item lies in."""
        return item // self._round

    def partition_first(self, partition: int) -> int:
        """Return the first item of a partition; for one past the last, the number of items."""
        return min(self.items, partition * self._round)

    def chunk_of(self, item: int) -> int:
        """Return the chunk an item belongs to."""
        return item // self.unit % self.chunks

    def chunks_of(self, items: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return the chunks that items belong to."""
        return items // np.int32(self.unit) % np.int32(self.chunks)

    def size(self, chunk: int) -> int:
        """Return the number of items of a chunk."""
        rest = self.items % self._round - chunk * self.unit
        return self.items // self._round * self.unit + min(max(rest, 0), self.unit)

    def unit_first(self, chunk: int, partition: int) -> int:
        """Return the first item of the stripe unit that a chunk has in a partition."""
        return min(self.items, partition * self._round + chunk * self.unit)

    def unit_size(self, chunk: int, partition: int) -> int:
        """Return the number of items, all neighbours, of a chunk's stripe unit in a partition."""
        return min(self.unit, self.items - self.unit_first(chunk, partition))

    def members(self, chunk: int, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the items at places among a chunk's members, which are ordered by item."""
        between = (self.chunks - 1) * self.unit
        return chunk * self.unit + places + places // self.unit * between
