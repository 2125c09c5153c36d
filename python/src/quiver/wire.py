"""The frames that travel between clients and cache servers, little-endian, each with a magic of four bytes.

``POST /v1/blobs/get`` and ``…/lookup`` carry a question and are answered by rows, after which a get sends
the payloads of the hits in order. ``PUT /v1/blobs`` carries an offer with its payloads and is answered by
receipts. ``POST /v1/blobs/rank`` carries new priorities. ``test-vectors/protocol`` has examples.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

GET_PATH = "/v1/blobs/get"
LOOKUP_PATH = "/v1/blobs/lookup"
RANK_PATH = "/v1/blobs/rank"
BLOBS_PATH = "/v1/blobs"
FRAME_TYPE = "application/vnd.quiver.frame"
JOB_HEADER = "Quiver-Job"
DATASET_HEADER = "Quiver-Dataset"
PLAN_HEADER = "Quiver-Plan"
RANKING_JOB_HEADER = "Quiver-Ranking-Job"
POSITION_HEADER = "Quiver-Position"
CLAIM_LEASE_HEADER = "Quiver-Claim-Lease-Ms"

HASH_BYTES = 32
MAX_JOB_LENGTH = 128
MAX_BATCH = 16_384
MAX_SPACES = 1024
MAX_PRIORITY = 0xFFFF_FFFF
MAX_POSITION = 1 << 53
DEFAULT_MAX_BLOB_BYTES = 256 << 20

ANSWER_HEADER_BYTES = 16
ROW_BYTES = 16
RECEIPT_HEADER_BYTES = 12
RANKED_BYTES = 12

_SPACE = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")

Hashes = npt.NDArray[np.uint8]
"""One row of 32 bytes for each blob."""

Statuses = npt.NDArray[np.uint8]
"""One code for each blob asked for or offered."""

Priorities = npt.NDArray[np.uint32]
"""One priority for each blob: 0 for none, a score, or made by :func:`next_use_priorities`."""


class Status:
    """The codes of a server's answer to one hash."""

    MISS = 0
    """Not here."""
    HIT = 1
    """Here; after a get its payload follows."""
    YOURS = 2
    """Not here, and the asking job has the claim: it should fetch and insert the blob."""
    PENDING = 3
    """Not here, but another job has the claim and is fetching it."""
    SKIPPED = 4
    """Not looked at: enough hits were found before it."""
    DEFERRED = 5
    """The answer was full before this one: ask again."""


class Receipt:
    """The codes for the outcome of one offered blob."""

    STORED = 0
    ALREADY_HERE = 1
    HASH_MISMATCH = 2
    TOO_LARGE = 3
    NO_ROOM = 4
    DISK_FAILURE = 5
    NOT_PLANNED = 6
    UNKNOWN = 255
    """The server did not answer; never on the wire."""


class FrameError(ValueError):
    """A frame that breaks the wire contract; the message names the value and what is allowed."""


class Rows(NamedTuple):
    """The checked head of an answer: one entry for each hash asked for."""

    status: Statuses
    crc32c: npt.NDArray[np.uint32]
    length: npt.NDArray[np.int64]


_ROW = np.dtype([("status", "u1"), ("zero", "u1"), ("zero2", "<u2"), ("crc32c", "<u4"), ("length", "<u8")])
_OFFER_ROW = np.dtype([("hash", "u1", 32), ("space", "<u4"), ("priority", "<u4"), ("length", "<u8")])
_RANK_ROW = np.dtype([("hash", "u1", 32), ("priority", "<u4"), ("zero", "<u4")])


def question(hashes: Hashes, want: int, claim: bool) -> bytes:
    """Ask for any ``want`` of these blobs, in order of preference; repeats are legal."""
    count = len(hashes)
    if not 1 <= count <= MAX_BATCH:
        raise ValueError(f"a question is for 1 to {MAX_BATCH} blobs, not {count}")
    if not 1 <= want <= count:
        raise ValueError(f"want {want} of {count} blobs")
    return struct.pack("<4sIII", b"QVA1", int(claim), count, want) + hashes.tobytes()


def answer_head_bytes(count: int) -> int:
    """Return the length of the head of an answer to so many hashes."""
    return ANSWER_HEADER_BYTES + count * ROW_BYTES


def answer_rows(head: Any, count: int, max_blob_bytes: int, body_payload_bytes: int) -> Rows:
    """Read and check the head of an answer.

    :param head: a buffer that begins with it
    :param count: how many hashes were asked for
    :param body_payload_bytes: how many bytes follow the head
    """
    if len(head) < answer_head_bytes(count):
        raise FrameError(f"answer of {len(head)} bytes; its rows alone take {answer_head_bytes(count)}")
    magic, rows_count, payload = struct.unpack_from("<4sIQ", head, 0)
    if magic != b"QVR1":
        raise FrameError(f"answer begins with {magic!r}, expected b'QVR1'")
    if rows_count != count:
        raise FrameError(f"answer to {rows_count} hashes, {count} were asked for")
    rows = np.frombuffer(head, _ROW, count, ANSWER_HEADER_BYTES)
    status, length = rows["status"].copy(), rows["length"]
    if int(status.max()) > Status.DEFERRED:
        raise FrameError(f"unknown status {int(status.max())} in an answer")
    if int(length.max()) > max_blob_bytes or length[status != Status.HIT].any():
        raise FrameError(f"answer with a payload of {int(length.max())} bytes")
    total = int(length.sum())
    if total != payload or payload != body_payload_bytes:
        raise FrameError(
            f"answer announces {payload} bytes of payload, lists {total} and carries {body_payload_bytes}"
        )
    return Rows(status, rows["crc32c"].copy(), length.astype(np.int64))


def require_consistent(status: Statuses, want: int) -> None:
    """Require that a server sent no more than was wanted and skipped nothing it should have looked at."""
    hits = int(np.count_nonzero(status == Status.HIT))
    if hits > want or (hits < want and bool((status == Status.SKIPPED).any())):
        raise FrameError(f"answer with {hits} hits, {want} were wanted")


def next_use_priorities(positions: npt.ArrayLike) -> Priorities:
    """Return the priorities of blobs that a job uses next at these positions.

    A position counts the samples that all ranks of the job have listed since its first epoch.

    >>> next_use_priorities([0, 1000]).tolist()
    [4294967295, 4294966295]
    """
    within = np.asarray(positions, np.int64) & MAX_PRIORITY
    priorities: Priorities = np.maximum(1, MAX_PRIORITY - within).astype(np.uint32)
    return priorities


def priorities_of(values: npt.ArrayLike | None, count: int) -> Priorities:
    """Check one priority for each blob; None stands for none at all."""
    if values is None:
        return np.zeros(count, np.uint32)
    given = np.asarray(values)
    if given.shape != (count,):
        raise ValueError(f"priorities of shape {given.shape} for {count} blobs")
    if count and (
        given.dtype.kind not in "iu" or not 0 <= int(given.min()) <= int(given.max()) <= MAX_PRIORITY
    ):
        raise ValueError(
            f"priorities are whole numbers from 0 to {MAX_PRIORITY}, not {given.dtype} up to {given.max()}"
        )
    return given.astype(np.uint32)


def offer_head(
    hashes: Hashes, spaces: Sequence[str], lengths: Sequence[int], priorities: Priorities | None = None
) -> bytes:
    """Return the head of an insert; the payloads follow it without gaps, in the order of the rows."""
    count = len(hashes)
    if not 1 <= count <= MAX_BATCH:
        raise ValueError(f"an offer is of 1 to {MAX_BATCH} blobs, not {count}")
    places: dict[str, int] = {}
    for space in spaces:
        places.setdefault(space, len(places))
    if len(places) > MAX_SPACES:
        raise ValueError(f"an offer names {len(places)} spaces; {MAX_SPACES} are allowed")
    table = _space_table(places)
    rows = np.zeros(count, _OFFER_ROW)
    rows["hash"] = hashes
    rows["space"] = [places[space] for space in spaces]
    rows["length"] = lengths
    if priorities is not None:
        rows["priority"] = priorities
    return struct.pack("<4sIII", b"QVP1", count, len(places), len(table)) + table + rows.tobytes()


def _space_table(names: Iterable[str]) -> bytes:
    table = b"".join(bytes([len(name)]) + require_space(name).encode("ascii") for name in names)
    return table + bytes(-len(table) % 8)


def require_space(name: str) -> str:
    """Check the name of a space."""
    if not _SPACE.fullmatch(name):
        raise ValueError(f"not the name of a space: {name!r}")
    return name


def receipts(frame: bytes, count: int) -> tuple[Statuses, int]:
    """Read the answer to an insert: a :class:`Receipt` for each blob, and the lowest priority kept."""
    if len(frame) != RECEIPT_HEADER_BYTES + count:
        raise FrameError(f"receipt of {len(frame)} bytes for {count} blobs")
    magic, listed, lowest = struct.unpack_from("<4sII", frame, 0)
    if magic != b"QVC2":
        raise FrameError(f"receipt begins with {magic!r}, expected b'QVC2'")
    if listed != count:
        raise FrameError(f"receipt for {listed} blobs, {count} were offered")
    codes = np.frombuffer(frame, np.uint8, count, RECEIPT_HEADER_BYTES).copy()
    if count and int(codes.max()) > Receipt.NOT_PLANNED:
        raise FrameError(f"unknown receipt {int(codes.max())}")
    return codes, lowest


def ranking(hashes: Hashes, priorities: Priorities, space: str) -> bytes:
    """Return new priorities for blobs of a ranked space; of several for one blob the last one counts."""
    count = len(hashes)
    if not 1 <= count <= MAX_BATCH:
        raise ValueError(f"1 to {MAX_BATCH} blobs are ranked at a time, not {count}")
    table = _space_table([space])
    rows = np.zeros(count, _RANK_ROW)
    rows["hash"] = hashes
    rows["priority"] = priorities
    return struct.pack("<4sIII", b"QVK1", count, 1, len(table)) + table + rows.tobytes()


def ranked(frame: bytes, count: int) -> tuple[int, int]:
    """Read the answer to new priorities: how many blobs are kept, and the lowest priority kept."""
    if len(frame) != RANKED_BYTES:
        raise FrameError(f"answer of {len(frame)} bytes to a ranking; it has {RANKED_BYTES}")
    magic, kept, lowest = struct.unpack("<4sII", frame)
    if magic != b"QVL1":
        raise FrameError(f"answer to a ranking begins with {magic!r}, expected b'QVL1'")
    if kept > count:
        raise FrameError(f"{kept} blobs are said to be kept, ranked were {count}")
    return kept, lowest
