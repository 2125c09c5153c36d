"""The items that a job should read for one batch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Items = npt.NDArray[np.int32]
"""Indices of items."""

NO_ITEMS: Items = np.empty(0, np.int32)


class Draw:
    """Items that are out of the sampler's hands until the draw is settled.

    :ivar candidates: items that should be in the cache: any ``want`` of them will do, the first ones best
    :ivar want: how many of the candidates the batch needs
    :ivar fetch: items in no resident chunk: the batch needs all of them, from wherever
    :ivar spare: items to read from the store, the first ones first, where candidates are missing
    :ivar padding_count: how many of the last items of ``fetch`` repeat another rank's
    """

    __slots__ = ("candidates", "fetch", "padding_count", "spare", "want")

    def __init__(
        self, candidates: Items, want: int, fetch: Items, padding_count: int = 0, spare: Items = NO_ITEMS
    ):
        self.candidates = candidates
        self.want = want
        self.fetch = fetch
        self.spare = spare
        self.padding_count = padding_count

    @property
    def size(self) -> int:
        """The size of the batch this makes, padding included."""
        return self.want + len(self.fetch)

    @property
    def padding(self) -> Items:
        """Items of ``fetch`` that repeat another rank's, so that all ranks take equal steps."""
        return self.fetch[len(self.fetch) - self.padding_count :]

    @property
    def promised(self) -> int:
        """The number of items of the epoch that the batch takes: its size without padding."""
        return self.size - self.padding_count

    @property
    def fetched_own(self) -> Items:
        """The fetched items that count, being no padding."""
        return self.fetch[: len(self.fetch) - self.padding_count]

    def is_padding(self, item: int) -> bool:
        """Return True if an item of this draw is there as padding only."""
        return self.padding_count > 0 and bool((self.padding == item).any())

    def missing(self, found: npt.ArrayLike) -> Items:
        """Return the items to read from elsewhere when only these candidates were found.

        All of ``fetch``, then as many spare items, and after them missing candidates, as the batch needs.
        """
        present = np.asarray(found, np.int32)
        lacking = max(0, self.want - len(present))
        if lacking == 0:
            return self.fetch
        spares = self.spare[:lacking]
        absent = self.candidates[~np.isin(self.candidates, present)]
        return np.concatenate((self.fetch, spares, absent[: lacking - len(spares)]))

    def __repr__(self) -> str:
        return (
            f"Draw({self.want} of {len(self.candidates)} candidates, {len(self.fetch)} to fetch, "
            f"{self.padding_count} padding)"
        )
