"""The results of a client's calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.wire import Receipt, Status, Statuses

Places = npt.NDArray[np.intp]


class ServerFailure(NamedTuple):
    """The reason why one server had no part in an answer.

    :param server: its address
    :param kind: ``unreachable``, ``timeout``, ``broken``, ``refused``, ``busy``, ``protocol``, ``resting``
        (left alone because it failed a short while ago), ``forged`` (it sent wrong bytes on purpose and is
        not asked any more) or ``closed``
    :param reason: the same for people
    """

    server: str
    kind: str
    reason: str


class Span(NamedTuple):
    """The ranges of a body in which the payloads of some places lie."""

    places: Places
    body: memoryview
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


class Answer:
    """The result of a get.

    :ivar status: a code of :class:`quiver.wire.Status` for each hash, in the order asked; what a failed
        server owns is a miss
    :ivar hits: how many there are
    :ivar failures: servers that had no part in the answer, and why
    :ivar claim_lease: how long claims granted with this answer hold, in seconds
    """

    def __init__(self, count: int):
        self.status: Statuses = np.full(count, Status.SKIPPED, np.uint8)
        self.hits = 0
        self.failures: list[ServerFailure] = []
        self.claim_lease = 0.0
        self._bodies: list[memoryview] = []
        self._body = np.full(count, -1, np.int32)
        self._start = np.zeros(count, np.int64)
        self._end = np.zeros(count, np.int64)

    def __len__(self) -> int:
        return len(self.status)

    def payload(self, index: int) -> memoryview | None:
        """Return the bytes of a hit, None for anything else.

        A slice of a large buffer that is used again when no slice of it is referred to any more: copy
        what is to be kept for long.
        """
        body = int(self._body[index])
        return None if body < 0 else self._bodies[body][int(self._start[index]) : int(self._end[index])]

    def payloads(self) -> list[memoryview | None]:
        """Return the bytes of every hit, None for anything else, in the order asked."""
        return self.payloads_at(slice(None))

    def payloads_at(self, places: Places | slice) -> list[memoryview | None]:
        """Return the payloads of some places: much faster than one by one."""
        bodies = self._bodies
        found = zip(
            self._body[places].tolist(),
            self._start[places].tolist(),
            self._end[places].tolist(),
            strict=True,
        )
        return [bodies[body][start:end] if body >= 0 else None for body, start, end in found]

    def places(self) -> npt.NDArray[np.intp]:
        """Return the places of the hits, in order."""
        return np.flatnonzero(self.status == Status.HIT)

    def add(self, places: Places, status: Statuses, spans: Sequence[Span]) -> None:
        """Merge one server's part, which answers these places."""
        self.status[places] = status
        for span in spans:
            inside = places[span.places]
            self._body[inside] = len(self._bodies)
            self._start[inside] = span.starts
            self._end[inside] = span.ends
            self._bodies.append(span.body)
            self.hits += len(inside)

    def __repr__(self) -> str:
        return f"Answer({self.hits} hits of {len(self)}, {len(self.failures)} failures)"


class Lookup(NamedTuple):
    """The result of a lookup.

    :param status: a code of :class:`quiver.wire.Status` for each hash; what a failed server owns is a miss
    :param claim_lease: how long the claims granted hold, in seconds; 0 when none was granted
    :param failures: servers that had no part in the answer, and why
    """

    status: Statuses
    claim_lease: float
    failures: list[ServerFailure]


class PutAnswer(NamedTuple):
    """The result of an insert.

    :param receipts: a code of :class:`quiver.wire.Receipt` for each blob; ``UNKNOWN`` if its server failed
    :param failures: servers that did not answer, and why
    :param lowest: the lowest priority that a full ranked space of these blobs keeps, the least of all
        servers; 0 where one takes any blob
    """

    receipts: Statuses
    failures: list[ServerFailure]
    lowest: int = 0

    @property
    def here(self) -> npt.NDArray[np.bool_]:
        """A flag for each blob: True if it can be read from the cache now."""
        return self.receipts <= Receipt.ALREADY_HERE


class RankAnswer(NamedTuple):
    """The result of new priorities.

    :param kept: how many of the ranked blobs are kept
    :param lowest: the lowest priority that the space keeps, the least of all servers; 0 where one takes
        any blob
    :param failures: servers that took no priorities, and why
    """

    kept: int
    lowest: int
    failures: list[ServerFailure]
