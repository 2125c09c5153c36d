"""Memory for answers, used again and again: fresh pages cost the kernel more time than the copy into them."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt

_MINIMUM = 1 << 16

Block = npt.NDArray[np.uint8]


class BufferPool:
    """Lends buffers that come back by themselves when nothing refers to them any more.

    So views of a buffer may be kept as long as anybody likes. What is lent is bounded by what callers
    keep, what lies here for further use by ``kept_bytes``. Safe for many threads; the return of a buffer
    may happen anywhere, even inside this class, so it takes no lock that it would have to wait for.

    >>> pool = BufferPool(kept_bytes=1 << 20)
    >>> view = pool.lend(1000)
    >>> len(view), pool.kept
    (1000, 0)
    >>> del view
    >>> pool.kept
    65536
    """

    def __init__(self, kept_bytes: int):
        self._most = kept_bytes
        self._lock = threading.Lock()
        self._lent: set[_Lease] = set()
        self._returned: deque[_Lease] = deque()
        self._free: dict[int, list[Block]] = {}
        self._kept = 0

    def lend(self, size: int) -> memoryview:
        """Lend a buffer of this many bytes, whose content is whatever was there before."""
        capacity = _capacity(size)
        with self._lock:
            self._collect()
            blocks = self._free.get(capacity)
            if blocks:
                block = blocks.pop()
                self._kept -= capacity
            else:
                block = np.empty(capacity, np.uint8)
            owner = block[:size]
            self._lent.add(_Lease(owner, block, self._came_back))
        return memoryview(owner)  # type: ignore[arg-type,unused-ignore]

    @property
    def kept(self) -> int:
        """The number of bytes that lie here for further use."""
        with self._lock:
            self._collect()
            return self._kept

    def _came_back(self, lease: Any) -> None:
        self._returned.append(lease)
        if self._lock.acquire(blocking=False):
            try:
                self._collect()
            finally:
                self._lock.release()

    def _collect(self) -> None:
        while self._returned:
            lease = self._returned.popleft()
            self._lent.discard(lease)
            capacity = len(lease.block)
            if self._kept + capacity <= self._most:
                self._free.setdefault(capacity, []).append(lease.block)
                self._kept += capacity


class _Lease(weakref.ref):  # type: ignore[type-arg]
    """Tells when the last view of a block is gone, and keeps the block for the next."""

    __slots__ = ("block",)

    def __new__(cls, owner: Block, block: Block, callback: Any) -> _Lease:
        del block
        return super().__new__(cls, owner, callback)

    def __init__(self, owner: Block, block: Block, callback: Any):
        super().__init__(owner, callback)  # type: ignore[call-arg]
        self.block = block

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def _capacity(size: int) -> int:
    """Round up to one of four steps for every doubling: a buffer fits the next answer too."""
    if size <= _MINIMUM:
        return _MINIMUM
    step = 1 << ((size - 1).bit_length() - 3)
    return -(-size // step) * step
