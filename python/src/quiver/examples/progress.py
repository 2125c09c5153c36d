"""Says how far an example is: lines, and on a terminal a bar below them that is redrawn."""

from __future__ import annotations

import sys
from typing import TextIO

_WIDTH = 30
_CLEAR = "\r\033[K"


class Progress:
    """Writes to standard error, which leaves standard output to results. For one thread.

    :param name: what every line begins with
    :param quiet: whether to say nothing
    """

    def __init__(self, name: str, *, quiet: bool = False, stream: TextIO | None = None):
        self._name, self._quiet = name, quiet
        self._stream = sys.stderr if stream is None else stream
        self._drawn = False

    def say(self, text: str) -> None:
        """Write a line."""
        if not self._quiet:
            self.clear()
            print(f"{self._name}: {text}", file=self._stream, flush=True)

    def draw(self, share: float, text: str) -> None:
        """Draw the bar anew, if this is a terminal."""
        if self._quiet or not self._stream.isatty():
            return
        full = round(_WIDTH * min(1.0, max(0.0, share)))
        self._stream.write(f"{_CLEAR}[{'#' * full}{'.' * (_WIDTH - full)}] {text}")
        self._stream.flush()
        self._drawn = True

    def clear(self) -> None:
        """Take the bar away."""
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = False
