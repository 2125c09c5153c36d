"""Brings what was read from the store into the cache, in the background and in batches."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from quiver import rules
from quiver.reading.access import CacheAccess
from quiver.wire import Receipt

_LOG = logging.getLogger("quiver")
_GOODBYE_SECONDS = 2.0

Done = Callable[[int], None]
"""Told the receipt of an insert, ``Receipt.UNKNOWN`` if it was given up."""


class _Entry(NamedTuple):
    key: bytes
    content: bytes | memoryview
    space: str
    done: Done | None
    priority: int
    position: int | None
    attempt: int = 1

    def worth_another(self, receipt: int) -> bool:
        """Return whether another attempt may help: its server did not know the plan yet."""
        return receipt == Receipt.NOT_PLANNED and self.attempt < rules.INSERT_ATTEMPTS


class Inserter:
    """Never makes anybody wait: what does not fit into its queue is not inserted.

    An insert that fails costs a later read at worst.

    :param lowest: told the lowest priority that full ranked spaces keep
    """

    def __init__(self, access: CacheAccess, lowest: Callable[[int], None] | None = None):
        self._access = access
        self._lowest = lowest
        self._changed = threading.Condition()
        self._queue: deque[_Entry] = deque()
        self._bytes = 0
        self._closed = False
        self._busy = False
        self._thread: threading.Thread | None = None

    def offer(
        self,
        key: bytes,
        content: bytes | memoryview,
        space: str,
        done: Done | None = None,
        *,
        priority: int = 0,
        position: int | None = None,
    ) -> None:
        """Queue a blob if it fits into the queue; ``done`` is told when it was inserted or given up.

        :param priority: in a ranked space
        :param position: of the job, see :meth:`quiver.client.CacheClient.put`
        """
        with self._changed:
            fits = not self._closed and self._bytes + len(content) <= rules.INSERT_QUEUE_BYTES
            if fits:
                self._bytes += len(content)
                self._queue.append(_Entry(key, content, space, done, priority, position))
                self._start()
                self._changed.notify()
        if not fits and done is not None:
            done(Receipt.UNKNOWN)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="quiver-insert", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while batch := self._take():
            receipts = self._insert(batch)
            for entry, receipt in self._settle(batch, receipts):
                if entry.done is not None:
                    entry.done(receipt)

    def _settle(self, batch: list[_Entry], receipts: list[int]) -> list[tuple[_Entry, int]]:
        """End an insert; return what is settled, the rest is queued again."""
        settled = []
        with self._changed:
            for entry, receipt in zip(batch, receipts, strict=True):
                if not self._closed and entry.worth_another(receipt):
                    self._queue.append(entry._replace(attempt=entry.attempt + 1))
                else:
                    self._bytes -= len(entry.content)
                    settled.append((entry, receipt))
            self._busy = False
            self._changed.notify_all()
        return settled

    def _take(self) -> list[_Entry]:
        """Wait for something to insert, then a moment for more; empty at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closed)
            deadline = time.monotonic() + rules.INSERT_LINGER
            while not self._closed and not self._full():
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            batch = self._cut()
            self._busy = bool(batch)
            return batch

    def _full(self) -> bool:
        return len(self._queue) >= rules.INSERT_ITEMS or self._bytes >= rules.INSERT_BYTES

    def _cut(self) -> list[_Entry]:
        batch: list[_Entry] = []
        size = 0
        while self._queue and len(batch) < rules.INSERT_ITEMS:
            size += len(self._queue[0].content)
            if batch and size > rules.INSERT_BYTES:
                break
            batch.append(self._queue.popleft())
        return batch

    def _insert(self, batch: list[_Entry]) -> list[int]:
        client = self._access.client
        if client is not None:
            try:
                blobs = [(entry.key, entry.content) for entry in batch]
                spaces = [entry.space for entry in batch]
                priorities = [entry.priority for entry in batch]
                position = max((e.position for e in batch if e.position is not None), default=None)
                answer = client.put(
                    blobs, spaces, plan=self._access.version, priorities=priorities, position=position
                )
                if self._lowest is not None and not answer.failures:
                    self._lowest(answer.lowest)
                return [int(receipt) for receipt in answer.receipts]
            except Exception:  # noqa: BLE001 - whatever it was, training goes on
                _LOG.debug("an insert of %d items failed", len(batch), exc_info=True)
        return [Receipt.UNKNOWN] * len(batch)

    def close(self, longest: float = _GOODBYE_SECONDS) -> None:
        """Insert what waits, and give up what takes too long."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._queue and not self._busy, longest)
