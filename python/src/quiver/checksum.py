"""How a client convinces itself that the bytes of a hit are the right ones."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

Verification = Literal["auto", "none", "crc32c", "sha256"]

_POLYNOMIAL = 0x82F63B78
_COLUMNS = np.arange(4, dtype=np.int64) << 8

Words = npt.NDArray[np.uint32]

_crc32c: Callable[[Any], int] | None
try:
    from crc32c import crc32c

    _crc32c = crc32c
except ImportError:
    _crc32c = None


class Check(Protocol):
    """A way to check payloads."""

    def passes(self, digest: bytes, checksum: int, content: Any) -> bool:
        """Whether a hash, a CRC32C and a content belong together."""
        ...

    def passes_whole(self, body: Any, checksums: Words, lengths: npt.NDArray[np.int64]) -> bool:
        """Whether all payloads of a body are right; False if they have to be looked at one by one."""
        ...


class Crc32cCheck:
    """By the checksum that the store recorded at insertion."""

    def passes(self, digest: bytes, checksum: int, content: Any) -> bool:
        """Whether the content has this checksum."""
        del digest
        assert _crc32c is not None
        return _crc32c(content) == checksum

    def passes_whole(self, body: Any, checksums: Words, lengths: npt.NDArray[np.int64]) -> bool:
        """Whether the body has the checksum that follows from those of its parts: one pass over it all.

        Thousands of small payloads would cost more in calls than in sums, and all under the interpreter's
        lock.
        """
        assert _crc32c is not None
        return _crc32c(body) == combine(checksums, lengths)


class Sha256Check:
    """By the hash itself: proof against everything, at the speed of SHA-256."""

    def passes(self, digest: bytes, checksum: int, content: Any) -> bool:
        """Whether the content has this hash."""
        del checksum
        return hmac.compare_digest(hashlib.sha256(content).digest(), digest)

    def passes_whole(self, body: Any, checksums: Words, lengths: npt.NDArray[np.int64]) -> bool:
        """Hashes cannot be combined."""
        del body, checksums, lengths
        return False


def check_for(verification: Verification) -> Check | None:
    """The check that a verification stands for; None for no check at all."""
    if verification == "sha256":
        return Sha256Check()
    if verification == "none" or (verification == "auto" and _crc32c is None):
        return None
    if verification not in ("auto", "crc32c"):
        raise ValueError(f"unknown verification {verification!r}; use auto, none, crc32c or sha256")
    if _crc32c is None:
        raise ValueError("verification by crc32c needs a fast one: pip install quiver[crc]")
    return Crc32cCheck()


def combine(checksums: Words, lengths: npt.NDArray[np.int64]) -> int:
    """The CRC32C of contents laid end to end, from that of each.

    A checksum moves up by multiplication with x^8 for each byte that follows its content, and they add up.
    The multiplications are looked up for each byte of the number of bytes that follow.
    """
    if len(checksums) == 0:
        return 0
    following = np.cumsum(lengths[::-1])[::-1] - lengths
    moved = checksums.astype("<u4")
    digit = 0
    while int(following[0]) >> (8 * digit):
        moved = _multiply(_powers(digit), (following >> (8 * digit)) & 0xFF, moved)
        digit += 1
    return int(np.bitwise_xor.reduce(moved))


def _multiply(table: Words, powers: npt.NDArray[np.int64], values: Words) -> Words:
    """Values when as many bytes follow as the powers say, each byte of a value looked up by itself."""
    places = (powers << 10)[:, None] + _COLUMNS
    places += values.view(np.uint8).reshape(-1, 4)
    found = table.take(places)
    return found[:, 0] ^ found[:, 1] ^ found[:, 2] ^ found[:, 3]


@lru_cache(maxsize=8)
def _powers(digit: int) -> Words:
    """For n = 0 … 255 and each byte of a checksum: what it becomes when n · 256^digit bytes follow."""
    table = np.empty((256, 1024), "<u4")
    for byte in range(4):
        table[0, 256 * byte : 256 * (byte + 1)] = np.arange(256) << (8 * byte)
    for power in range(1, 256):
        table[power] = _step(digit, table[power - 1])
    return table.reshape(-1)


def _step(digit: int, values: Words) -> Words:
    """What values become when 256^digit bytes follow."""
    if digit == 0:
        return (values >> np.uint32(8)) ^ _byte_table().take(values & np.uint32(0xFF))
    # 256 steps of the digit below: 255 and one more.
    lower = _powers(digit - 1)
    most = _multiply(lower, np.full(len(values), 255), values)
    return _multiply(lower, np.ones(len(values), np.int64), most)


@lru_cache(maxsize=1)
def _byte_table() -> Words:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> np.uint32(1)) ^ np.where(table & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    return table
