"""Threads that never keep a process from ending."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class DaemonPool:
    """Runs calls in at most so many threads, made as they are needed.

    The executors of the standard library are waited for when a process ends; these threads may be stuck in
    a store that does not answer, and Ctrl-C has to end promptly all the same.
    """

    def __init__(self, name: str, most: int):
        self._name = name
        self._most = most
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0
        self._closed = False

    def submit(self, call: Callable[..., T], *arguments: Any) -> Future[T]:
        """Run a call in one of the threads; the future has its result."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(call(*arguments))
            except BaseException as e:  # noqa: BLE001 - whoever waits gets it
                future.set_exception(e)

        with self._lock:
            if self._closed:
                raise RuntimeError(f"the threads of {self._name} are closed")
            self._calls.put(run)
            self._idle -= 1
            if self._idle < 0 and self._threads < self._most:
                self._threads += 1
                self._idle += 1
                threading.Thread(target=self._work, name=self._name, daemon=True).start()
        return future

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            with self._lock:
                self._idle += 1

    def close(self) -> None:
        """Take no more calls; threads end when they have done what they were given."""
        with self._lock:
            self._closed = True
            for _ in range(self._threads):
                self._calls.put(None)
