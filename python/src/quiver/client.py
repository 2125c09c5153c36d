"""Reads and inserts batches of blobs at the cache servers that own them.

>>> with CacheClient(["http://127.0.0.1:7071"], job="train") as client:  # doctest: +SKIP
...     answer = client.get([hash_of_cat, hash_of_dog])
...     cat = answer.payload(0)  # a memoryview, or None if it is not cached
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from quiver import wire
from quiver.answer import Answer, Lookup, PutAnswer, RankAnswer, ServerFailure
from quiver.buffers import BufferPool
from quiver.checksum import Verification, check_for
from quiver.credentials import Credentials
from quiver.fleet import Fleet, Group, Member, Places
from quiver.parts import Context, GetPart, LookupPart, Part, PutPart, RankPart
from quiver.transport import LinkConfig
from quiver.wire import DEFAULT_MAX_BLOB_BYTES, Hashes, Receipt, Status, Statuses

__all__ = [
    "Answer",
    "CacheClient",
    "HashesLike",
    "Lookup",
    "Member",
    "PutAnswer",
    "RankAnswer",
    "ServerFailure",
]

_MAX_OFFER_BYTES = 16 << 20
_LANES_PER_SERVER = 4

HashesLike = Sequence[bytes] | Hashes
"""Hashes of 32 bytes each: a sequence of them or an array with one row for each."""


class CacheClient:
    """A client of several cache servers. Safe for many threads.

    Never raises because a server is unwell: what cannot be had is a miss, and ``failures`` say why. After a
    fork the child makes connections of its own.

    :param servers: addresses (``http://host:port``) or members of a plan
    :param job: who asks: the holder of claims
    :param dataset: which data set the questions are about, for the servers' counters
    :param ranking_job: the name under which priorities are given, the same for all processes of a
        distributed job; by default the job
    :param connections: most connections, and so most requests under way, at one server
    :param connect_timeout: longest wait for a connection, in seconds
    :param request_timeout: longest time for one server's part of a call, retries included
    :param retries: how often a failed request is sent again
    :param max_blob_bytes: longest blob this client takes or sends
    :param kept_bytes: most memory kept for further answers
    :param verify: how hits are checked: ``none``, ``crc32c``, or ``auto``: by CRC32C if a fast one is
        installed (``pip install crc32c``), else not at all; ``sha256`` also compares the hash of every
        blob, ``sampled`` of the first ones of each server and of a few others. A server that sends wrong
        bytes with a right checksum is not asked any more
    :param credentials: show the servers who asks; by default those of the environment
    """

    def __init__(
        self,
        servers: Iterable[str | Member],
        *,
        job: str = "",
        dataset: str = "",
        ranking_job: str = "",
        connections: int = 8,
        connect_timeout: float = 2.0,
        request_timeout: float = 10.0,
        retries: int = 2,
        max_blob_bytes: int = DEFAULT_MAX_BLOB_BYTES,
        kept_bytes: int = 256 << 20,
        verify: Verification = "auto",
        credentials: Credentials | None = None,
    ):
        _require_range("connections", connections, 1, 1024)
        _require_range("connect timeout in seconds", connect_timeout, 0.001, 3600)
        _require_range("request timeout in seconds", request_timeout, 0.001, 3600)
        _require_range("retries", retries, 0, 16)
        _require_range("longest blob in bytes", max_blob_bytes, 0, 1 << 31)
        self._members = _members(servers)
        self._config = LinkConfig(connections, connect_timeout, request_timeout, retries)
        self._headers = _headers(job or f"job-{os.getpid():x}", dataset, ranking_job)
        self._max_blob_bytes = max_blob_bytes
        self._kept_bytes = kept_bytes
        self._check = check_for(verify)
        self._verify: Verification = verify
        self._credentials = Credentials() if credentials is None else credentials
        self._closed = False
        self._start()

    def _start(self) -> None:
        """Make everything that belongs to one process."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._fleet = Fleet(self._members, self._config, self._credentials)
        self._context = Context(
            self._headers, BufferPool(self._kept_bytes), self._max_blob_bytes, self._check, self._verify
        )

    def get(self, hashes: HashesLike, want: int | None = None, *, claim: bool = False) -> Answer:
        """Read any ``want`` of these blobs, the first ones best; all that are there without ``want``.

        :param claim: whether to claim what is missing for this client's job
        """
        rows = _rows(hashes)
        wanted = len(rows) if want is None else want
        if not 0 <= wanted <= len(rows) or (wanted == 0 and len(rows)):
            raise ValueError(f"want {wanted} of {len(rows)} blobs; ask for 1 to as many as are listed")
        fleet = self._own_fleet()
        answer = Answer(len(rows))
        places: Places = np.arange(len(rows))
        while answer.hits < wanted and len(places):
            self._get_round(fleet, rows, places, wanted, claim, answer)
            places = np.flatnonzero(answer.status == Status.SKIPPED)
        return answer

    def _get_round(
        self, fleet: Fleet, rows: Hashes, places: Places, want: int, claim: bool, answer: Answer
    ) -> None:
        """Ask every owner for its proportional share of what is lacking."""
        groups = fleet.split(rows, places)
        shares = divide([len(group.places) for group in groups], want - answer.hits)
        parts = [
            GetPart(self._context, group, _select(rows, group.places), share, claim)
            for group, share in zip(groups, shares, strict=True)
            if share
        ]
        fleet.each(parts, Part.run)
        for part in parts:
            answer.add(part.group.places, part.status, part.spans)
            answer.claim_lease = max(answer.claim_lease, part.claim_lease)
        answer.failures = _failures(parts, answer.failures)

    def lookup(self, hashes: HashesLike, *, claim: bool = False) -> Lookup:
        """Tell which blobs are there without reading them, and claim the others if asked to."""
        rows = _rows(hashes)
        fleet = self._own_fleet()
        groups = fleet.split(rows, np.arange(len(rows)))
        parts = [LookupPart(self._context, group, _select(rows, group.places), claim) for group in groups]
        fleet.each(parts, Part.run)
        status: Statuses = np.zeros(len(rows), np.uint8)
        for part in parts:
            status[part.group.places] = part.status
        lease = max((part.claim_lease for part in parts), default=0.0)
        return Lookup(status, lease, _failures(parts, []))

    def put(
        self,
        blobs: Sequence[tuple[bytes, Any]],
        space: str | Sequence[str] = "default",
        *,
        plan: int = 0,
        priorities: npt.ArrayLike | None = None,
        position: int | None = None,
    ) -> PutAnswer:
        """Insert blobs, given as (hash, bytes-like), at the servers that own them.

        :param space: where they shall belong: one for all or one for each
        :param plan: the version of the plan that made the spaces; 0 for spaces no plan made
        :param priorities: one for each blob, for ranked spaces: 0 for none, a score, or made by
            :func:`quiver.wire.next_use_priorities`
        :param position: how many samples the job has read so far, over all its ranks, where priorities
            are next uses; None where they are scores
        """
        rows = _rows([digest for digest, _ in blobs])
        payloads = [memoryview(content).cast("B") for _, content in blobs]
        spaces = [space] * len(blobs) if isinstance(space, str) else list(space)
        if len(spaces) != len(blobs):
            raise ValueError(f"{len(spaces)} spaces for {len(blobs)} blobs")
        for name in set(spaces):
            wire.require_space(name)
        ranks = wire.priorities_of(priorities, len(blobs))
        fleet = self._own_fleet()
        context = self._calling(plan, position)
        lengths = np.array([len(payload) for payload in payloads], np.int64)
        receipts: Statuses = np.full(len(blobs), Receipt.UNKNOWN, np.uint8)
        receipts[lengths > self._max_blob_bytes] = Receipt.TOO_LARGE
        parts = [
            PutPart(
                context,
                group,
                rows[group.places],
                [spaces[place] for place in group.places],
                [payloads[place] for place in group.places],
                ranks[group.places],
            )
            for whole in fleet.split(rows, np.flatnonzero(lengths <= self._max_blob_bytes))
            for group in _offers(whole, lengths, spaces)
        ]
        fleet.each(_lanes(parts), _run_lane)
        for part in parts:
            receipts[part.group.places] = part.receipts
        return PutAnswer(receipts, _failures(parts, []), _lowest(parts))

    def rank(
        self,
        hashes: HashesLike,
        priorities: npt.ArrayLike,
        space: str,
        *,
        plan: int = 0,
        position: int | None = None,
    ) -> RankAnswer:
        """Change the priorities that this client's job gave to blobs of a ranked space.

        A blob that is not kept is no error. ``priorities``, ``plan`` and ``position`` are those of
        :meth:`put`; priority 0 takes the job's priority back.
        """
        rows = _rows(hashes)
        ranks = wire.priorities_of(priorities, len(rows))
        wire.require_space(space)
        fleet = self._own_fleet()
        context = self._calling(plan, position)
        parts = [
            RankPart(context, group, rows[group.places], ranks[group.places], space)
            for group in fleet.split(rows, np.arange(len(rows)))
        ]
        fleet.each(parts, Part.run)
        return RankAnswer(sum(part.kept for part in parts), _lowest(parts), _failures(parts, []))

    def _calling(self, plan: int, position: int | None) -> Context:
        """Return the context with the fields of one insert or ranking."""
        fields = f"{wire.PLAN_HEADER}: {plan}\r\n" if plan > 0 else ""
        if position is not None:
            _require_range("position", position, 0, wire.MAX_POSITION)
            fields += f"{wire.POSITION_HEADER}: {position}\r\n"
        return self._context._replace(headers=self._headers + fields)

    def update(self, servers: Iterable[str | Member]) -> None:
        """Use these servers from now on; calls under way end with those they began with."""
        members = _members(servers)
        fleet = self._own_fleet()
        with self._lock:
            if members != self._members:
                self._members = members
                fleet.replace(members)

    def close(self) -> None:
        """Close every connection; calls under way end with misses. Calls after it raise."""
        self._closed = True
        if self._pid == os.getpid():
            self._fleet.close()
        else:
            self._fleet.abandon()

    def _own_fleet(self) -> Fleet:
        """Return the connections of this process: those of a parent are not used after a fork."""
        if self._closed:
            raise ValueError("the client is closed")
        if self._pid != os.getpid():
            self._fleet.abandon()
            self._start()
        return self._fleet

    def __reduce__(self) -> str:
        raise TypeError("a client holds connections and cannot be pickled; make one in each process")

    def __enter__(self) -> CacheClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def divide(sizes: Sequence[int], want: int) -> list[int]:
    """Divide ``want`` in proportion to sizes, in whole numbers by largest remainder; ties go to the earlier.

    >>> divide([10, 20, 30], 7)
    [1, 2, 4]
    """
    total = sum(sizes)
    if want >= total:
        return list(sizes)
    shares = [size * want // total for size in sizes]
    order = sorted(range(len(sizes)), key=lambda i: -(sizes[i] * want % total))
    for index in order[: want - sum(shares)]:
        shares[index] += 1
    return shares


def _select(rows: Hashes, places: Places) -> Hashes:
    return rows if len(places) == len(rows) else rows[places]


def _offers(whole: Group, lengths: Any, spaces: Sequence[str]) -> list[Group]:
    """Cut what goes to one server into offers within bounds of bytes and of spaces."""
    offers: list[Group] = []
    first = size = 0
    named: set[str] = set()
    for index, place in enumerate(whole.places.tolist()):
        length = int(lengths[place])
        full = spaces[place] not in named and len(named) == wire.MAX_SPACES
        if index > first and (full or size + length > _MAX_OFFER_BYTES):
            offers.append(Group(whole.link, whole.places[first:index]))
            first, size, named = index, 0, set()
        named.add(spaces[place])
        size += length
    if first < len(whole.places):
        offers.append(Group(whole.link, whole.places[first:]))
    return offers


def _lanes(parts: Sequence[PutPart]) -> list[list[PutPart]]:
    """Deal offers to a few lanes for each server, which checks hashes on several cores."""
    lanes: dict[tuple[int, int], list[PutPart]] = {}
    dealt: dict[int, int] = {}
    for part in parts:
        server = id(part.group.link)
        turn = dealt.get(server, 0)
        dealt[server] = turn + 1
        lanes.setdefault((server, turn % _LANES_PER_SERVER), []).append(part)
    return list(lanes.values())


def _run_lane(lane: Sequence[PutPart]) -> None:
    for part in lane:
        part.run()


def _lowest(parts: Sequence[PutPart] | Sequence[RankPart]) -> int:
    """Return the least of what the servers that answered say."""
    return min((part.lowest for part in parts if part.lowest is not None), default=0)


def _failures(parts: Sequence[Part], before: list[ServerFailure]) -> list[ServerFailure]:
    """Return the first failure of each server."""
    known = {failure.server: failure for failure in before}
    for part in parts:
        if part.failure is not None:
            known.setdefault(part.failure.server, part.failure)
    return list(known.values())


def _rows(hashes: HashesLike) -> Hashes:
    if isinstance(hashes, np.ndarray):
        if hashes.ndim != 2 or hashes.shape[1] != wire.HASH_BYTES or hashes.dtype != np.uint8:
            raise ValueError(f"hashes are rows of 32 bytes, not {hashes.dtype} of shape {hashes.shape}")
        return hashes
    joined = b"".join(hashes)
    if len(joined) != len(hashes) * wire.HASH_BYTES or any(len(each) != wire.HASH_BYTES for each in hashes):
        raise ValueError("a hash has 32 bytes")
    return np.frombuffer(joined, np.uint8).reshape(len(hashes), wire.HASH_BYTES)


def _members(servers: Iterable[str | Member]) -> list[Member]:
    members = [server if isinstance(server, Member) else Member.of(server) for server in servers]
    if not members:
        raise ValueError("no server; name at least one, as http://host:port")
    return members


def _headers(job: str, dataset: str, ranking_job: str) -> str:
    _require_name("job", job)
    lines = f"Content-Type: {wire.FRAME_TYPE}\r\n{wire.JOB_HEADER}: {job}\r\n"
    if dataset:
        _require_name("data set", dataset)
        lines += f"{wire.DATASET_HEADER}: {dataset}\r\n"
    if ranking_job:
        _require_name("ranking job", ranking_job)
        lines += f"{wire.RANKING_JOB_HEADER}: {ranking_job}\r\n"
    return lines


def _require_name(what: str, value: str) -> None:
    printable = all("!" <= character <= "~" for character in value)
    if not printable or not 1 <= len(value) <= wire.MAX_JOB_LENGTH:
        raise ValueError(
            f"not a {what} name: {value!r}; use 1 to {wire.MAX_JOB_LENGTH} printable ASCII characters "
            "without spaces"
        )


def _require_range(what: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}; it must be {least} to {most}")
