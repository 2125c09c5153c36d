"""How a client convinces itself that the bytes of a hit are the right ones."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Any, Literal

Verification = Literal["auto", "none", "crc32c", "sha256"]

Check = Callable[[bytes, int, Any], bool]
"""Whether (hash, CRC32C, content) belong together."""

_crc32c: Callable[[Any], int] | None
try:
    from crc32c import crc32c

    _crc32c = crc32c
except ImportError:
    _crc32c = None


def check_for(verification: Verification) -> Check | None:
    """The check that a verification stands for; None for no check at all."""
    if verification == "sha256":
        return _by_sha256
    if verification == "none" or (verification == "auto" and _crc32c is None):
        return None
    if verification not in ("auto", "crc32c"):
        raise ValueError(f"unknown verification {verification!r}; use auto, none, crc32c or sha256")
    if _crc32c is None:
        raise ValueError("verification by crc32c needs a fast one: pip install quiver[crc]")
    return _by_crc32c


def _by_crc32c(digest: bytes, expected: int, content: Any) -> bool:
    del digest
    assert _crc32c is not None
    return _crc32c(content) == expected


def _by_sha256(digest: bytes, expected: int, content: Any) -> bool:
    del expected
    return hmac.compare_digest(hashlib.sha256(content).digest(), digest)
