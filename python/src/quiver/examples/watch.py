"""Watches a sweep from outside: what has crossed the line to the store, and what the plan holds."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from types import TracebackType
from typing import Any

import numpy as np

from quiver.throttle import Throttle

_LOOK_SECONDS = 0.05
_LOOKS_PER_PLAN = 10


class Watch:
    """Looks at the line twenty times a second, and at the plan twice.

    :param address: of the cache's manager; None without a cache
    """

    def __init__(self, line: Throttle, address: str | None):
        self._line, self._address = line, address
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._looks: list[tuple[float, int]] = []
        self.held = self.rotating = 0.0
        self.chunks = 0

    def __enter__(self) -> Watch:
        self._look()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(10)
        self._look()

    def crossed(self, begin: float, end: float) -> float:
        """Return the bytes that crossed the line between two moments."""
        times, carried = zip(*list(self._looks), strict=True)
        first, last = np.interp([begin, end], times, carried)
        return float(last - first)

    def _run(self) -> None:
        looks = 0
        while not self._over.wait(_LOOK_SECONDS):
            self._look()
            if self._address is not None and looks % _LOOKS_PER_PLAN == 0:
                self._look_at_plan(self._address)
            looks += 1

    def _look(self) -> None:
        self._looks.append((time.monotonic(), self._line.carried()))

    def _look_at_plan(self, address: str) -> None:
        try:
            with urllib.request.urlopen(f"{address}/v1/plan", timeout=2) as answer:  # noqa: S310
                self.note(json.load(answer))
        except (OSError, ValueError, KeyError, TypeError):
            return

    def note(self, plan: dict[str, Any]) -> None:
        """Note how much of a data set a plan holds, and how much of that rotates."""
        for dataset in plan["datasets"]:
            turning = sum(each["role"].lower() == "rotating" for each in dataset["held"])
            self.chunks = dataset["chunks"]
            self.held = max(self.held, len(dataset["held"]) / self.chunks)
            self.rotating = max(self.rotating, turning / self.chunks)
