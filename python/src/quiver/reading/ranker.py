"""Tells servers what matters from now on, in the background."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.reading.access import CacheAccess
from quiver.wire import Hashes

_LOG = logging.getLogger("quiver")
_MOST_WAITING = 64
_GOODBYE_SECONDS = 1.0

Priorities = npt.NDArray[np.int64]


class _Told(NamedTuple):
    space: str
    hashes: Hashes
    priorities: Priorities
    position: int | None


class Ranker:
    """Gives cached blobs new priorities, and knows the lowest that is worth an insert.

    Never makes anybody wait: what does not fit into its queue is not told, and a call that fails costs a
    later read at worst.
    """

    def __init__(self, access: CacheAccess):
        self._access = access
        self._changed = threading.Condition()
        self._queue: deque[_Told] = deque()
        self._busy = self._closed = False
        self._thread: threading.Thread | None = None
        self._lowest = 0

    def heard(self, lowest: int) -> None:
        """Note the lowest priority that a full space keeps; 0 for one that takes anything."""
        self._lowest = lowest

    def worth(self, priorities: Priorities) -> npt.NDArray[np.bool_]:
        """Return a flag for each missed blob of a batch: True if an insert may be kept.

        The best of them is always worth one: its receipt tells what is kept now, which may be less than
        before.
        """
        least = min(self._lowest, int(priorities.max(initial=0)))
        return (priorities >= 0) & (priorities >= least)

    def tell(self, space: str, hashes: Hashes, priorities: Priorities, position: int | None) -> None:
        """Queue the new priorities of blobs that were found in the cache."""
        with self._changed:
            if len(priorities) == 0 or self._closed or len(self._queue) >= _MOST_WAITING:
                return
            self._queue.append(_Told(space, hashes, priorities, position))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="quiver-rank", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def _run(self) -> None:
        while told := self._take():
            self._rank(told)

    def _take(self) -> _Told | None:
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._queue or self._closed)
            self._busy = bool(self._queue)
            return self._queue.popleft() if self._queue else None

    def _rank(self, told: _Told) -> None:
        client = self._access.client
        if client is None:
            return
        try:
            plan = self._access.version
            answer = client.rank(told.hashes, told.priorities, told.space, plan=plan, position=told.position)
            if not answer.failures:
                self.heard(answer.lowest)
        except Exception:  # noqa: BLE001 - whatever it was, training goes on
            _LOG.debug("new priorities of %d items were not told", len(told.priorities), exc_info=True)

    def close(self, longest: float = _GOODBYE_SECONDS) -> None:
        """Tell what waits, and give up what takes too long."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._queue and not self._busy, longest)
