"""Ranks that do not share a process group agree on scores through the cache."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from typing import TypeVar

from quiver.reading.score_board import Part, ScoreBoard, Told
from quiver.score_column import ScoreColumn, seen_of
from quiver.torch.ranks import Ranks

_LOG = logging.getLogger("quiver")

#: Ranks wait for the slowest of them at every step anyway, and for its evaluation after an epoch.
_LONGEST_WAIT = 900.0
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 1.0
#: The first rank leaves when the others have its last result, or after this time.
_LONGEST_GOODBYE = 10.0
_MOST_BAD = 1024

T = TypeVar("T")


class RankAgreement:
    """The first rank gathers the news of all ranks, merges them, and tells the others the result.

    So the scores of an epoch are decided in one place, and all ranks take over the same bytes. A rank takes
    a result only if its own news is in it, and if it was made from the lists that it follows itself: what
    is left of a run that was killed is never mistaken for it. When somebody does not come, all ranks fail:
    none can know what list the others follow.

    :param job: the name that all ranks of the job share
    """

    def __init__(self, board: ScoreBoard, job: str, ranks: Ranks):
        self._board, self._ranks = board, ranks
        self._job = job
        self._published = 0
        self._bad: set[bytes] = set()

    @staticmethod
    def parts(job: str, ranks: Ranks) -> list[Part]:
        """Return the rank's parts: all tell their news, and the first one tells what follows from them."""
        member, first = f"r{ranks.rank}", ranks.rank == 0
        news = Part(_news(job), member, listens=first)
        return [news, Part(_agreed(job), member, listens=True)]

    def gather(self, round_: int, check: bytes) -> list[tuple[ScoreColumn, bytes]]:
        """Return the news of all other ranks, in their order, each with the beginning of its hash."""
        return [self._news_of(rank, round_, check) for rank in range(1, self._ranks.world_size)]

    def _news_of(self, rank: int, round_: int, check: bytes) -> tuple[ScoreColumn, bytes]:
        def find() -> tuple[ScoreColumn, bytes] | None:
            for told in self._board.told(_news(self._job)):
                if told.member == f"r{rank}" and told.round == round_:
                    column = self._read(told)
                    if column is not None and not column.whole and column.check == check:
                        return column, seen_of(told.column)
            return None

        return self._wait(find, f"rank {rank} to tell its scores")

    def publish(self, column: ScoreColumn) -> None:
        """Tell the others what all ranks agree on."""
        self._tell(_agreed(self._job), column)
        self._published = column.round

    def follow(self, news: ScoreColumn) -> ScoreColumn:
        """Tell the first rank this one's news; return what all ranks agree on."""
        name = self._tell(_news(self._job), news)

        def find() -> ScoreColumn | None:
            for told in self._board.told(_agreed(self._job)):
                if told.member == "r0" and told.round == news.round:
                    column = self._read(told)
                    if column is not None and self._is_for(column, news, name):
                        self._board.offer(_agreed(self._job), news.round, told.column)
                        return column
            return None

        return self._wait(find, "rank 0 to tell the scores that all ranks agree on")

    def _is_for(self, column: ScoreColumn, news: ScoreColumn, name: bytes) -> bool:
        own = self._ranks.rank - 1
        fits = column.whole and column.check == news.check
        return fits and len(column.seen) > own and column.seen[own] == seen_of(name)

    def _tell(self, group: str, column: ScoreColumn) -> bytes:
        return self._wait(lambda: self._board.tell(group, column), "a cache server to take its scores")

    def _read(self, told: Told) -> ScoreColumn | None:
        if told.column in self._bad:
            return None
        try:
            return self._board.read(told)
        except ValueError as e:
            _LOG.warning("the scores that %s of job %s told are left out: %s", told.member, self._job, e)
            if len(self._bad) < _MOST_BAD:
                self._bad.add(told.column)
            return None

    def _wait(self, find: Callable[[], T | None], what: str) -> T:
        deadline, pause = time.monotonic() + _LONGEST_WAIT, _FIRST_PAUSE
        while (found := find()) is None:
            if time.monotonic() > deadline:
                raise RuntimeError(
                    f"{self._ranks} of job {self._job} waited {_LONGEST_WAIT:.0f} s in vain for {what}, "
                    "without which ranks would follow different lists. Look whether all ranks run with the "
                    "same arguments and states, and whether the cache's manager and servers answer; or "
                    "call init_process_group, so that ranks agree without a cache"
                )
            self._board.wait(pause)
            self._board.ask()
            pause = min(2 * pause, _LONGEST_PAUSE)
        return found

    def close(self) -> None:
        """Wait a moment until the others have what was told last: with this rank its offers go."""
        deadline = time.monotonic() + _LONGEST_GOODBYE
        while self._published and not self._is_taken() and time.monotonic() < deadline:
            self._board.ask()
            self._board.wait(_FIRST_PAUSE)
        self._published = 0

    def _is_taken(self) -> bool:
        """Return True if no rank is there that has told its news and not taken what followed from it."""
        have = self._members(_agreed(self._job))
        return self._members(_news(self._job)) <= have

    def _members(self, group: str) -> set[str]:
        return {each.member for each in self._board.told(group) if each.round >= self._published}


def _news(job: str) -> str:
    return f"@{_key(job)}.news"


def _agreed(job: str) -> str:
    return f"@{_key(job)}.agreed"


def _key(job: str) -> str:
    """Return a name for the job that a group may have; users' groups do not begin with an @."""
    return hashlib.sha256(job.encode()).hexdigest()[:32]
