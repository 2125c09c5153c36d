"""Decides if a job waits for the cache."""

from __future__ import annotations

from collections.abc import Collection

from quiver import rules
from quiver.order.base import BatchOrder
from quiver.order.setup import Residency


class RingPatience:
    """Decides if a job that has used up all that is cached waits for the next chunk of the ring.

    The other choice is to read from the store what the cache will bring by and by. Waiting is what keeps
    reads at once per item for all jobs together. It is in vain for what is left over of chunks whose turn
    has passed: that is read meanwhile. And it ends after a while in which nothing is being read: what is
    being read is what the ring brings in just now, and a job that reads other items beside takes the store's
    bandwidth from it, until no chunk gets whole in time and every job reads for itself.
    """

    def __init__(self, batch: int):
        self._batch = batch
        self._since: float | None = None

    def waits(
        self,
        residency: Residency,
        held: Collection[int],
        chunks: int,
        unread: BatchOrder,
        *,
        own_chunk: int,
        out: int,
        reachable: bool,
        now: float,
    ) -> bool:
        """Return True to wait rather than draw.

        :param residency: what the plan says is cached; only a ring is waited for
        :param held: all chunks that the plan lists, in whatever state
        :param chunks: how many chunks the data set has
        :param own_chunk: how many items of a chunk are this rank's
        :param out: how many draws are being read
        :param reachable: whether a new plan can come at all
        :param now: seconds of any steady clock
        """
        near = sum(unread.available(c) for c in (*residency.pinned, *residency.window, *residency.loading))
        starved = (
            residency.ring
            and reachable
            and near < min(self._batch, unread.available())
            and self._turns_are_to_come(frozenset(held), chunks, unread, own_chunk)
        )
        if not starved:
            self._since = None
            return False
        if self._since is None or out > 0:
            self._since = now
        return now - self._since < rules.RING_WAIT

    def _turns_are_to_come(
        self, held: frozenset[int], chunks: int, unread: BatchOrder, own_chunk: int
    ) -> bool:
        """Return True if the rest is in chunks of which most is unread, rather than left over."""
        whole = left_over = 0
        for chunk in range(chunks):
            left = unread.available(chunk)
            if left > 0 and chunk not in held:
                if 2 * left > own_chunk:
                    whole += 1
                else:
                    left_over += left
        return whole > 0 and left_over < self._batch
