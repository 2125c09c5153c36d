"""Decides how long a job waits for items that other jobs have claimed."""

from __future__ import annotations

from quiver import rules

_SHARE_LEFT = 4


class ClaimPatience:
    """A job that claims and does not deliver must not hold others up.

    Every wait in vain makes the next ones shorter. Patience returns with time, and at once when an item
    arrives that was worth a longer wait.
    """

    def __init__(self) -> None:
        self._wait = rules.PENDING_WAIT
        self._changed_at = 0.0

    def seconds(self, now: float) -> float:
        """Return how long to wait for an item at this time."""
        while self._wait < rules.PENDING_WAIT and now - self._changed_at >= rules.PATIENCE_DOUBLES_AFTER:
            self._wait = min(rules.PENDING_WAIT, 2 * self._wait)
            self._changed_at += rules.PATIENCE_DOUBLES_AFTER
        return self._wait

    def in_vain(self, began: float, now: float) -> None:
        """Note that an item did not arrive.

        Waits that began before patience last shrank tell nothing new: many batches wait for one absent job at
        the same time.
        """
        before = self.seconds(now)
        if before == rules.PENDING_WAIT or began >= self._changed_at:
            self._wait = max(rules.SHORTEST_PENDING_WAIT, before / _SHARE_LEFT)
            self._changed_at = now

    def delivered(self, began: float, now: float) -> None:
        """Note that an item arrived which was waited for since then."""
        self._wait = max(self.seconds(now), min(rules.PENDING_WAIT, 2 * (now - began)))
