"""What a client's calls bring."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.wire import Receipt, Status, Statuses


class ServerFailure(NamedTuple):
    """Why one server had no part in an answer.

    :param server: its address
    :param kind: ``unreachable``, ``timeout``, ``broken``, ``refused``, ``busy``, ``protocol``, ``resting``
        (left alone because it failed a short while ago) or ``closed``
    :param reason: the same for people
    """

    server: str
    kind: str
    reason: str


class Answer:
    """What a get brought.

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
        self._payloads: list[memoryview | None] = [None] * count

    def __len__(self) -> int:
        return len(self._payloads)

    def payload(self, index: int) -> memoryview | None:
        """The bytes of a hit, None for anything else.

        A slice of a large buffer that is used again when no slice of it is referred to any more: copy
        what is to be kept for long.
        """
        return self._payloads[index]

    def payloads(self) -> list[memoryview | None]:
        """The bytes of every hit, None for anything else, in the order asked."""
        return self._payloads

    def places(self) -> npt.NDArray[np.intp]:
        """The places of the hits, in order."""
        return np.flatnonzero(self.status == Status.HIT)

    def add(self, places: npt.NDArray[np.intp], status: Statuses, payloads: list[memoryview | None]) -> None:
        """Merge one server's part, which answers these places."""
        self.status[places] = status
        self.hits += int(np.count_nonzero(status == Status.HIT))
        if len(places) == len(self._payloads):
            self._payloads = payloads
            return
        for place, payload in zip(places.tolist(), payloads, strict=True):
            if payload is not None:
                self._payloads[place] = payload

    def __repr__(self) -> str:
        return f"Answer({self.hits} hits of {len(self)}, {len(self.failures)} failures)"


class Lookup(NamedTuple):
    """What a lookup told.

    :param status: a code of :class:`quiver.wire.Status` for each hash; what a failed server owns is a miss
    :param claim_lease: how long the claims granted hold, in seconds; 0 when none was granted
    :param failures: servers that had no part in the answer, and why
    """

    status: Statuses
    claim_lease: float
    failures: list[ServerFailure]


class PutAnswer(NamedTuple):
    """What became of an insert.

    :param receipts: a code of :class:`quiver.wire.Receipt` for each blob; ``UNKNOWN`` if its server failed
    :param failures: servers that did not answer, and why
    """

    receipts: Statuses
    failures: list[ServerFailure]

    @property
    def here(self) -> npt.NDArray[np.bool_]:
        """Which of the blobs can be read from the cache now."""
        return self.receipts <= Receipt.ALREADY_HERE
