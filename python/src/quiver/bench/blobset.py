"""Equally long random blobs in one file, with their hashes beside them in another."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from quiver import CacheClient
from quiver.wire import Hashes


class BlobSet:
    """Blobs that a seed decides, written so that the Java load generator reads them too."""

    def __init__(self, folder: Path, size: int, count: int, seed: int = 1):
        self.size = size
        self.count = count
        self.items = folder / f"items-{size}"
        self.names = folder / f"names-{size}"
        content = np.random.default_rng(seed).integers(0, 256, (count, size), np.uint8)
        self.hashes: Hashes = np.empty((count, 32), np.uint8)
        for row in range(count):
            self.hashes[row] = np.frombuffer(hashlib.sha256(content[row].data).digest(), np.uint8)
        content.tofile(self.items)
        self.hashes.tofile(self.names)
        self.content: Any = np.memmap(self.items, np.uint8, "r", shape=(count, size))

    def put(self, client: CacheClient) -> None:
        """Insert all of them."""
        step = max(1, (64 << 20) // self.size)
        for first in range(0, self.count, step):
            rows = range(first, min(self.count, first + step))
            answer = client.put([(self.hashes[row].tobytes(), self.content[row]) for row in rows])
            if not answer.here.all():
                raise RuntimeError(f"the server did not take a blob: {answer.failures or answer.receipts}")

    @property
    def argument(self) -> str:
        """The option that the Java load generator takes."""
        return f"{self.items}:{self.names}:{self.size}:{self.count}"
