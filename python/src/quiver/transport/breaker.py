"""Two bounds on what a sick cluster is asked: rest for a failed server, and a budget for retries."""

from __future__ import annotations

import threading

_PATIENCE = 4


class CircuitBreaker:
    """Leaves a failed server alone for a short, growing while.

    So a dead server costs one timeout and not one for every batch. When the while is over one call is let
    through as a probe; its end decides. Time is passed in. Safe for many threads.
    """

    def __init__(self, shortest: float, longest: float):
        self._shortest = shortest
        self._longest = longest
        self._lock = threading.Lock()
        self._epoch = 0  # counts rests: a call that began before a rest must not lengthen it
        self._failures = 0
        self._rests_until = 0.0
        self._probing = False

    def try_pass(self, now: float) -> int | None:
        """Return a pass for one call, to be handed back to a method below; None to leave the server alone."""
        with self._lock:
            if self._failures:
                if self._probing or now < self._rests_until:
                    return None
                self._probing = True
            return self._epoch

    def succeeded(self) -> None:
        """Note that the server answered."""
        with self._lock:
            self._failures = 0
            self._probing = False

    def failed(self, ticket: int, now: float, cost: float) -> float:
        """Note that the server failed the call with this pass; returns its rest, 0 if it rests already.

        At least four times as long as the failure took, so that probes of a server that never answers stay
        a small part of the time.
        """
        with self._lock:
            if ticket != self._epoch:
                return 0.0
            self._epoch += 1
            self._probing = False
            growing: float = max(self._shortest, _PATIENCE * cost) * (1 << min(self._failures, 10))
            rest = min(self._longest, growing)
            self._failures += 1
            self._rests_until = now + rest
            return rest

    def withdrawn(self, ticket: int) -> None:
        """Note that the call with this pass ended without saying anything about the server."""
        with self._lock:
            if ticket == self._epoch:
                self._probing = False


class RetryBudget:
    """Bounds retries to a share of what succeeds. Starts full; every success puts a tenth of a retry back."""

    def __init__(self, most: int):
        self._most = most * 10
        self._left = self._most
        self._lock = threading.Lock()

    def try_take(self) -> bool:
        """Take one retry if there is one."""
        with self._lock:
            if self._left < 10:
                return False
            self._left -= 10
            return True

    def succeeded(self) -> None:
        """Put a tenth back."""
        with self._lock:
            self._left = min(self._most, self._left + 1)
