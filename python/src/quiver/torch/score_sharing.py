"""Scores that a rank tells to other jobs, and to ranks with which it shares no process group."""

from __future__ import annotations

import threading
from typing import Any

from quiver.agent.handle import CacheLink
from quiver.credentials import Credentials
from quiver.digest import Digest
from quiver.group_scores import GroupScores, Heard
from quiver.reading.access import CacheAccess
from quiver.reading.score_board import Part, ScoreBoard
from quiver.reading.score_listener import GroupListener
from quiver.score_column import ScoreColumn
from quiver.torch.rank_agreement import RankAgreement
from quiver.torch.ranks import Ranks, share_group


class ScoreSharing:
    """The columns of a rank, through the cache of its job.

    :param job: the name that all ranks of the job share
    :param group: of jobs that share scores, in which the first rank stands for its job; None for none
    :ivar agreement: with the other ranks; None where they agree otherwise, or there are none
    """

    def __init__(
        self,
        link: CacheLink,
        digest: Digest,
        credentials: Credentials,
        job: str,
        group: str | None,
        ranks: Ranks,
    ):
        self._link = link
        self._lock = threading.Lock()
        by_hand = ranks.world_size > 1 and not share_group(ranks)
        parts = RankAgreement.parts(job, ranks) if by_hand else []
        if group is not None and ranks.rank == 0:
            parts.append(Part(group, job, listens=True))
        self._access = CacheAccess(f"{job}.scores", digest.key, credentials, verify="sha256")
        self._board = ScoreBoard(digest, self._access, self._follow, self._offer, parts)
        self.agreement = RankAgreement(self._board, job, ranks) if by_hand else None
        self._group: GroupScores | None = None
        self._listener: GroupListener | None = None
        if group is not None and ranks.rank == 0:
            self._group = GroupScores(digest.items)
            self._listener = GroupListener(self._board, group, self._hear)
        self._offer(self._board.offers())

    def _offer(self, offers: list[dict[str, Any]]) -> None:
        self._link.share_scores(offers, self._board.hear)

    def _follow(self) -> None:
        plan = self._link.plan()
        with self._lock:
            if plan is not None and plan.version != self._access.version:
                self._access.follow(plan)

    def _hear(self, column: ScoreColumn) -> None:
        with self._lock:
            if self._group is not None:
                self._group.hear(column)

    @property
    def shares(self) -> bool:
        """True if this rank tells other jobs what its job found."""
        return self._group is not None

    def heard(self) -> Heard:
        """Return what other jobs found since the last time."""
        with self._lock:
            return Heard.nothing() if self._group is None else self._group.take()

    def tell_group(self, column: ScoreColumn) -> None:
        """Tell other jobs what this one found, in the background."""
        if self._listener is not None:
            self._listener.tell(column)

    def close(self) -> None:
        """End; what was not told yet is forgotten."""
        if self._listener is not None:
            self._listener.close()
        if self.agreement is not None:
            self.agreement.close()
        self._access.close()


def sharing_of(
    link: CacheLink, digest: Digest, credentials: Credentials, job: str, group: str | None, ranks: Ranks
) -> ScoreSharing | None:
    """Return what a rank shares with others; None if there is nobody to share with, or no way to."""
    plan = link.plan()
    if link.agent is None or (plan is not None and not plan.managed):
        return None
    if group is None and (ranks.world_size == 1 or share_group(ranks)):
        return None
    return ScoreSharing(link, digest, credentials, job, group, ranks)
