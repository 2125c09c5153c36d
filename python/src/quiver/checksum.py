"""Checks that the bytes of a hit are undamaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

Verification = Literal["auto", "none", "crc32c", "sampled", "sha256"]

_WORD = 4

Words = npt.NDArray[np.uint32]

_crc32c: Callable[[Any], int] | None
try:
    from crc32c import crc32c

    _crc32c = crc32c
except ImportError:
    _crc32c = None


class Check(Protocol):
    """A way to check payloads."""

    def passes(self, checksum: int, content: Any) -> bool:
        """Return True if the content has this checksum."""
        ...

    def passes_whole(self, body: Any, checksums: Words, lengths: npt.NDArray[np.int64]) -> bool:
        """Return True if all payloads of a body are right; False if they have to be checked one by one."""
        ...


class Crc32cCheck:
    """By the checksum that the store recorded at insertion."""

    def passes(self, checksum: int, content: Any) -> bool:
        """Return True if the content has this checksum."""
        assert _crc32c is not None
        return _crc32c(content) == checksum

    def passes_whole(self, body: Any, checksums: Words, lengths: npt.NDArray[np.int64]) -> bool:
        """Return True if one pass over the whole body ends as it must; the body is changed meanwhile.

        Thousands of small payloads would cost more in calls than in sums, and all under the interpreter's
        lock. A running CRC acts on the next four bytes as if it were XORed into them: with the checksum of
        a payload put into the beginning of the next, that one starts afresh, and what comes out at the end
        is the checksum of the last one, if all were right.
        """
        assert _crc32c is not None
        checksums, lengths, sound = _without_empty(checksums, lengths)
        if not sound or len(lengths) == 0:
            return sound
        if int(lengths.min()) < _WORD:
            return False
        words = np.ndarray(len(body) - _WORD + 1, "<u4", body, strides=(1,))
        starts = np.cumsum(lengths[:-1])
        own = words[starts]
        words[starts] = own ^ checksums[:-1]
        try:
            return _crc32c(body) == int(checksums[-1])
        finally:
            words[starts] = own


def _without_empty(
    checksums: Words, lengths: npt.NDArray[np.int64]
) -> tuple[Words, npt.NDArray[np.int64], bool]:
    """Return the parts that are not empty, and True if the others have the checksum of nothing."""
    full = lengths > 0
    if full.all():
        return checksums, lengths, True
    return checksums[full], lengths[full], not checksums[~full].any()


def check_for(verification: Verification) -> Check | None:
    """Return the check of checksums that a verification stands for; None for no check at all."""
    if verification not in get_args(Verification):
        known = ", ".join(get_args(Verification))
        raise ValueError(f"unknown verification {verification!r}; use one of {known}")
    if verification == "none" or (verification != "crc32c" and _crc32c is None):
        return None
    if _crc32c is None:
        raise ValueError("verification by crc32c needs a fast one: pip install crc32c")
    return Crc32cCheck()
