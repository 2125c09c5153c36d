"""Works out beside the training loop what caches of each size would spare a job by importance."""

from __future__ import annotations

from concurrent.futures import Future

from quiver.importance_lists import ImportanceLists
from quiver.list_curve import Curve
from quiver.reading.pool import DaemonPool


class UnreadCurve:
    """The latest curve of a job's lists.

    A curve takes as long as some batches take to load. Only the first one is waited for, since without it
    the manager gives the job no part of the cache; each later one counts as soon as it is there. For one
    thread.
    """

    def __init__(self) -> None:
        self._pool: DaemonPool | None = None
        self._latest: Curve = []
        self._next: Future[Curve] | None = None

    def begin(self, lists: ImportanceLists) -> None:
        """Work out the curve of the lists as they are now."""
        curve = lists.curve()
        if not self._latest:
            self._latest = curve()
            return
        self._pool = self._pool or DaemonPool("quiver-curve", 1)
        self._next = self._pool.submit(curve)

    def latest(self) -> Curve:
        """Return the share of reads that go to the store with each sixteenth of the data cached."""
        if self._next is not None and self._next.done():
            self._latest, self._next = self._next.result(), None
        return self._latest

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None
