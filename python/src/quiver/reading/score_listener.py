"""A job's part in a group that shares scores, beside the training loop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from quiver.reading.score_board import ScoreBoard, Told
from quiver.score_column import ScoreColumn

_LOG = logging.getLogger("quiver")
_RETRY_SECONDS = 1.0


class GroupListener:
    """Tells the jobs of a group what this one found, and hears them, in the background.

    Nobody waits for it. A column that does not come, or is not what its name says, is left out.

    :param hear: told every column once, in this object's own thread
    """

    def __init__(self, board: ScoreBoard, group: str, hear: Callable[[ScoreColumn], None]):
        self._board, self._group, self._hear = board, group, hear
        self._lock = threading.Lock()
        self._untold: ScoreColumn | None = None
        self._taken: set[bytes] = set()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="quiver-scores", daemon=True)
        self._thread.start()

    def tell(self, column: ScoreColumn) -> None:
        """Queue a column for the others; one that was not told yet is forgotten."""
        with self._lock:
            self._untold = column
        self._board.wake()

    def _run(self) -> None:
        while not self._closed:
            refused = self._tell_now()
            self._take_now()
            self._board.wait(_RETRY_SECONDS, lambda: self._closed or self._untold is not None)
            with self._lock:
                self._untold = self._untold or refused

    def _tell_now(self) -> ScoreColumn | None:
        """Tell what is untold; return it if no server takes it at the moment."""
        with self._lock:
            column, self._untold = self._untold, None
        return None if column is None or self._board.tell(self._group, column) is not None else column

    def _take_now(self) -> None:
        taken: set[bytes] = set()
        for told in self._board.told(self._group):
            if told.column in taken:
                continue  # two jobs may have one name, and one column two offers
            if told.column in self._taken or self._take(told):
                taken.add(told.column)
        self._taken = taken

    def _take(self, told: Told) -> bool:
        """Take a column, or find out that it never can be; return False if it may come yet."""
        try:
            column = self._board.read(told)
            if column is None:
                return False
            if column.whole:
                raise ValueError("a column that is for the ranks of one job")
            self._hear(column)
        except ValueError as e:
            _LOG.warning("the scores that %s shares are left out: %s", told.member, e)
        return True

    def close(self) -> None:
        """End; what was not told yet is forgotten."""
        self._closed = True
        self._board.wake()
