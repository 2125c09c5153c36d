"""Reads and inserts batches of blobs at the cache servers that own them.

>>> with CacheClient(["http://127.0.0.1:7071"], job="train") as client:  # doctest: +SKIP
...     answer = client.get([hash_of_cat, hash_of_dog])
...     cat = answer.payload(0)  # a memoryview, or None if it is not cached
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.wire import DEFAULT_MAX_BLOB_BYTES, Hashes, Statuses

Verification = Literal["auto", "none", "crc32c", "sha256"]
HashesLike = Sequence[bytes] | Hashes


class Member(NamedTuple):
    """A cache server as placement knows it and where it listens.

    :param name: decides with the others' names which blobs are its own
    :param weight: its share compared with the others', 1 to 2^24
    :param address: ``http://host:port`` or ``https://host:port``
    """

    name: str
    weight: int
    address: str

    @staticmethod
    def of(address: str) -> Member:
        """A server of weight 1 that is named by its own host and port."""
        raise NotImplementedError

    @staticmethod
    def of_plan(members: Iterable[tuple[str, str, float]]) -> list[Member]:
        """The servers of a plan from (name, uri, weight). Equal weights are all 1, whatever they are."""
        raise NotImplementedError


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

    status: Statuses
    hits: int
    failures: list[ServerFailure]
    claim_lease: float

    def payload(self, index: int) -> memoryview | None:
        """The bytes of a hit, None for anything else.

        A slice of a large buffer that is used again when no slice of it is referred to any more.
        """
        raise NotImplementedError

    def places(self) -> npt.NDArray[np.intp]:
        """The places of the hits, in order."""
        raise NotImplementedError


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


class CacheClient:
    """A client of several cache servers. Safe for many threads.

    Never raises because a server is unwell: what cannot be had is a miss, and ``failures`` say why. After a
    fork the child makes connections of its own.

    :param servers: addresses (``http://host:port``) or members of a plan
    :param job: who asks: the holder of claims
    :param dataset: which data set the questions are about, for the servers' counters
    :param connections: most connections, and so most requests under way, at one server
    :param connect_timeout: longest wait for a connection, in seconds
    :param request_timeout: longest time for one server's part of a call, retries included
    :param retries: how often a failed request is sent again
    :param max_blob_bytes: longest blob this client takes or sends
    :param kept_bytes: most memory kept for further answers
    :param verify: how hits are checked: ``none``, ``crc32c``, ``sha256``, or ``auto``: by CRC32C if a fast
        one is installed (``pip install quiver[crc]``), else not at all
    :param trust: a PEM file with the certificates https servers are checked against
    """

    def __init__(
        self,
        servers: Iterable[str | Member],
        *,
        job: str = "",
        dataset: str = "",
        connections: int = 8,
        connect_timeout: float = 2.0,
        request_timeout: float = 10.0,
        retries: int = 2,
        max_blob_bytes: int = DEFAULT_MAX_BLOB_BYTES,
        kept_bytes: int = 256 << 20,
        verify: Verification = "auto",
        trust: str | os.PathLike[str] | None = None,
    ):
        raise NotImplementedError

    def get(self, hashes: HashesLike, want: int | None = None, *, claim: bool = False) -> Answer:
        """Read any ``want`` of these blobs, the first ones best; all that are there without ``want``.

        :param claim: whether to claim what is missing for this client's job
        """
        raise NotImplementedError

    def lookup(self, hashes: HashesLike, *, claim: bool = False) -> Lookup:
        """Tell which blobs are there without reading them, and claim the others if asked to."""
        raise NotImplementedError

    def put(
        self, blobs: Sequence[tuple[bytes, Any]], space: str | Sequence[str] = "default", *, plan: int = 0
    ) -> PutAnswer:
        """Insert blobs, given as (hash, bytes-like), at the servers that own them.

        :param space: where they shall belong: one for all or one for each
        :param plan: the version of the plan that made the spaces; 0 for spaces no plan made
        """
        raise NotImplementedError

    def update(self, servers: Iterable[str | Member]) -> None:
        """Turn to these servers from now on; calls under way end with those they began with."""
        raise NotImplementedError

    def close(self) -> None:
        """Close every connection; calls under way end with misses."""
        raise NotImplementedError

    def __enter__(self) -> CacheClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
