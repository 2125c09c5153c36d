"""One server's part of a call. Each runs in one thread and keeps its outcome until the call merges it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiver import wire
from quiver.answer import ServerFailure, Span
from quiver.buffers import BufferPool
from quiver.checksum import Check, Verification
from quiver.fleet import Group, Places
from quiver.transport import ExchangeError, Request
from quiver.transport.connection import Connection, ResponseHead
from quiver.wire import FrameError, Hashes, Priorities, Receipt, Rows, Status, Statuses

# Servers bound their answers to tens of megabytes: more rounds would not fit any memory.
_MAX_ROUNDS = 64
_MAX_ANSWER_BYTES = 2 << 30


Offsets = npt.NDArray[np.int64]


class Context(NamedTuple):
    """The means that every part of every call uses."""

    headers: str
    buffers: BufferPool
    max_blob_bytes: int
    check: Check | None
    verification: Verification


class Part:
    """The common base of all parts: runs one and keeps its failure."""

    def __init__(self, context: Context, group: Group):
        self.context = context
        self.group = group
        self.claim_lease = 0.0
        self.failure: ServerFailure | None = None

    def run(self) -> None:
        """Ask the server; a failure is kept."""
        try:
            self.ask()
        except ExchangeError as e:
            self.failure = ServerFailure(self.group.link.endpoint.address, e.trouble.text, e.reason)
            self.failed()

    def ask(self) -> None:
        """Ask the server; may raise ExchangeError."""
        raise NotImplementedError

    def failed(self) -> None:
        """Settle the places that could not be had."""


class GetPart(Part):
    """Asks for blobs, and asks again for what was deferred or arrived damaged."""

    def __init__(self, context: Context, group: Group, hashes: Hashes, want: int, claim: bool):
        super().__init__(context, group)
        self._hashes = hashes
        self._want = want
        self._claim = claim
        self._hits = 0
        self._damaged: set[int] = set()
        self.status: Statuses = np.full(len(hashes), Status.SKIPPED, np.uint8)
        self.spans: list[Span] = []

    def ask(self) -> None:
        """Ask in rounds: each settles at least one blob, so the rounds end."""
        places: Places | None = None
        left = len(self._hashes)
        for _ in range(_MAX_ROUNDS):
            before, damaged = left, len(self._damaged)
            places = self._round(places)
            left = len(places)
            if self._hits >= self._want or left == 0:
                return
            if left == before and len(self._damaged) == damaged:
                return

    def _round(self, places: Places | None) -> Places:
        """Ask for these places, None for all; what is left to be asked for again comes back."""
        hashes = self._hashes if places is None else self._hashes[places]
        want = min(self._want - self._hits, len(hashes))
        frame = wire.question(hashes, want, self._claim)
        request = Request("POST", wire.GET_PATH, self.context.headers, (frame,))

        def read(head: ResponseHead, connection: Connection, deadline: float) -> tuple[Rows, memoryview]:
            self.claim_lease = max(self.claim_lease, head.claim_lease)
            return _read_answer(self.context, len(hashes), want, head, connection, deadline)

        rows, body = self.group.link.exchange(request, read)
        return self._take(places, rows, body)

    def _take(self, places: Places | None, rows: Rows, body: memoryview) -> Places:
        status = rows.status
        ends = np.cumsum(rows.length) + wire.answer_head_bytes(len(status))
        starts = ends - rows.length
        if self.context.check is not None:
            self._check(self.context.check, places, rows, body, starts, ends)
        if self.context.verification in ("sampled", "sha256"):
            self._require_genuine(places, rows, body, starts, ends)
        hits = np.flatnonzero(status == Status.HIT)
        self._hits += len(hits)
        again = np.flatnonzero(status == Status.DEFERRED)
        if places is None:
            self.status = status
            self.spans.append(Span(hits, body, starts[hits], ends[hits]))
            return again
        self.status[places] = status
        if len(hits):
            self.spans.append(Span(places[hits], body, starts[hits], ends[hits]))
        left: Places = places[again]
        return left

    def _check(
        self,
        check: Check,
        places: Places | None,
        rows: Rows,
        body: memoryview,
        starts: Offsets,
        ends: Offsets,
    ) -> None:
        """Check the hits: a damaged blob is asked for once more, then it is a miss."""
        if check.passes_whole(body[wire.answer_head_bytes(len(rows.status)) :], rows.crc32c, rows.length):
            return
        for row in np.flatnonzero(rows.status == Status.HIT).tolist():
            place = row if places is None else int(places[row])
            content = body[int(starts[row]) : int(ends[row])]
            if check.passes(int(rows.crc32c[row]), content):
                continue
            rows.status[row] = Status.MISS if place in self._damaged else Status.DEFERRED
            self._damaged.add(place)

    def _require_genuine(
        self, places: Places | None, rows: Rows, body: memoryview, starts: Offsets, ends: Offsets
    ) -> None:
        """Hash the hits or a sample of them; a server that forged one is not asked any more.

        Without a checksum the network may be to blame, so a blob is then asked for once more.
        """
        hits = np.flatnonzero(rows.status == Status.HIT)
        if self.context.verification == "sampled":
            hits = hits[self.group.link.sample(len(hits))]
        for row in hits.tolist():
            place = row if places is None else int(places[row])
            content = body[int(starts[row]) : int(ends[row])]
            if hashlib.sha256(content).digest() == self._hashes[place].tobytes():
                continue
            if self.context.check is None and place not in self._damaged:
                self._damaged.add(place)
                rows.status[row] = Status.DEFERRED
                continue
            self.status = np.full(len(self._hashes), Status.SKIPPED, np.uint8)
            self.spans.clear()
            raise self.group.link.exclude()

    def failed(self) -> None:
        """Make a miss of every place that the server did not look at."""
        open_places = (self.status == Status.SKIPPED) | (self.status == Status.DEFERRED)
        self.status[open_places] = Status.MISS


def _read_answer(
    context: Context, count: int, want: int, head: ResponseHead, connection: Connection, deadline: float
) -> tuple[Rows, memoryview]:
    frame_bytes = wire.answer_head_bytes(count)
    most = min(_MAX_ANSWER_BYTES, frame_bytes + want * context.max_blob_bytes)
    if not frame_bytes <= head.body_bytes <= most:
        raise FrameError(f"answer of {head.body_bytes} bytes to {count} hashes; {frame_bytes} to {most} fit")
    body = context.buffers.lend(head.body_bytes)
    connection.fill(body, deadline)
    rows = wire.answer_rows(body, count, context.max_blob_bytes, head.body_bytes - frame_bytes)
    wire.require_consistent(rows.status, want)
    return rows, body


class LookupPart(Part):
    """Asks which blobs are there."""

    def __init__(self, context: Context, group: Group, hashes: Hashes, claim: bool):
        super().__init__(context, group)
        self._hashes = hashes
        self._claim = claim
        self.status: Statuses = np.zeros(len(hashes), np.uint8)

    def ask(self) -> None:
        """Ask one question and keep its rows."""
        count = len(self._hashes)
        frame = wire.question(self._hashes, count, self._claim)

        def read(head: ResponseHead, connection: Connection, deadline: float) -> Statuses:
            if head.body_bytes != wire.answer_head_bytes(count):
                raise FrameError(f"answer of {head.body_bytes} bytes to a lookup of {count}")
            body = bytearray(head.body_bytes)
            connection.fill(memoryview(body), deadline)
            self.claim_lease = head.claim_lease
            return wire.answer_rows(body, count, 0, 0).status

        request = Request("POST", wire.LOOKUP_PATH, self.context.headers, (frame,))
        self.status = self.group.link.exchange(request, read)


class PutPart(Part):
    """Offers blobs; a server checks them against their hashes."""

    def __init__(
        self,
        context: Context,
        group: Group,
        hashes: Hashes,
        spaces: Sequence[str],
        payloads: Sequence[Any],
        priorities: Priorities,
    ):
        super().__init__(context, group)
        self._hashes = hashes
        self._spaces = spaces
        self._payloads = payloads
        self._priorities = priorities
        self.lowest: int | None = None
        self.receipts: Statuses = np.full(len(hashes), Receipt.UNKNOWN, np.uint8)

    def ask(self) -> None:
        """Make one offer and keep its receipts."""
        count = len(self._hashes)
        lengths = [len(payload) for payload in self._payloads]
        head = wire.offer_head(self._hashes, self._spaces, lengths, self._priorities)

        def read(answer: ResponseHead, connection: Connection, deadline: float) -> tuple[Statuses, int]:
            if answer.body_bytes != wire.RECEIPT_HEADER_BYTES + count:
                raise FrameError(f"receipt of {answer.body_bytes} bytes for {count} blobs")
            body = bytearray(answer.body_bytes)
            connection.fill(memoryview(body), deadline)
            return wire.receipts(bytes(body), count)

        request = Request("PUT", wire.BLOBS_PATH, self.context.headers, (head, *self._payloads))
        self.receipts, self.lowest = self.group.link.exchange(request, read)


class RankPart(Part):
    """Gives blobs new priorities."""

    def __init__(self, context: Context, group: Group, hashes: Hashes, priorities: Priorities, space: str):
        super().__init__(context, group)
        self._count = len(hashes)
        self._frame = wire.ranking(hashes, priorities, space)
        self.kept = 0
        self.lowest: int | None = None

    def ask(self) -> None:
        """Send the priorities and keep the answer."""

        def read(head: ResponseHead, connection: Connection, deadline: float) -> tuple[int, int]:
            if head.body_bytes != wire.RANKED_BYTES:
                raise FrameError(f"answer of {head.body_bytes} bytes to a ranking")
            body = bytearray(head.body_bytes)
            connection.fill(memoryview(body), deadline)
            return wire.ranked(bytes(body), self._count)

        request = Request("POST", wire.RANK_PATH, self.context.headers, (self._frame,))
        self.kept, self.lowest = self.group.link.exchange(request, read)
