"""Random blobs and their hashes."""

from __future__ import annotations

import hashlib
import random

Blob = tuple[bytes, bytes]


def blob(content: bytes) -> Blob:
    return hashlib.sha256(content).digest(), content


def random_blobs(count: int, size: int, seed: int) -> list[Blob]:
    """Blobs of up to this size that no other seed makes."""
    source = random.Random(seed)
    return [blob(source.randbytes(source.randrange(1, size))) for _ in range(count)]
