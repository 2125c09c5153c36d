"""Reads single items from the store and compares them with the digest."""

from __future__ import annotations

import hashlib
import logging
import threading
from typing import Literal, NamedTuple

from quiver import rules
from quiver.digest import Digest
from quiver.errors import LoadError
from quiver.store import Store

OnMismatch = Literal["refuse", "serve"]
"""The fate of items that changed in the store: an error, or they are served with a warning."""

_WARNINGS = 10
_LOG = logging.getLogger("quiver")


class Fetched(NamedTuple):
    """The bytes of an item, and whether they are what the digest says."""

    content: bytes | memoryview
    genuine: bool


class ItemReader:
    """Reads items of one data set; safe for many threads.

    The store has its own retries and deadlines; a read that came out wrong is repeated once here, because a
    damaged transfer looks like a changed object.
    """

    def __init__(self, digest: Digest, store: Store, on_mismatch: OnMismatch = "refuse"):
        self._digest = digest
        self._store = store
        self._on_mismatch = on_mismatch
        self._lock = threading.Lock()
        self._changed = 0

    def read(self, item: int) -> Fetched:
        """Read the bytes of an item.

        :raises LoadError: naming the item and its place, if it cannot be read or is refused
        """
        content: bytes | memoryview = b""
        for _ in range(rules.STORE_ATTEMPTS):
            content = self._once(item)
            if hashlib.sha256(content).digest() == self._digest.hash(item):
                return Fetched(content, True)
        return self._mismatch(item, content)

    def _once(self, item: int) -> bytes | memoryview:
        place = self._digest.location(item)
        try:
            return self._store.read(place.name, place.offset, place.length)
        except (OSError, EOFError, ValueError, ImportError) as e:
            raise LoadError(f"{self.place(item)} cannot be read: {_reason(e)}") from e

    def _mismatch(self, item: int, content: bytes | memoryview) -> Fetched:
        what = f"{self.place(item)} is not what the digest says: it changed since"
        if self._on_mismatch == "refuse":
            remedy = "make the digest again, or serve changed items as they are (on_mismatch='serve')"
            raise LoadError(f"{what}; {remedy}")
        with self._lock:
            self._changed += 1
            count = self._changed
        if count <= _WARNINGS:
            _LOG.warning("%s; it is served as it is and not cached", what)
        elif count & (count - 1) == 0:
            _LOG.warning("%d reads found changed items so far, the last one item %d", count, item)
        return Fetched(content, False)

    def place(self, item: int) -> str:
        """Describe an item for error messages."""
        size = self._digest.size(item)
        return f"item {item} ({self._digest.describe(item)!r} in {self._store.uri}, {size} bytes)"


def _reason(error: Exception) -> str:
    """Say why an item cannot be read; remote stores name what is missing, a file system does not."""
    if isinstance(error, EOFError):
        return "the object is too short; it changed since: make the digest again"
    if isinstance(error, FileNotFoundError) and error.errno is not None:
        return "it is not there; put it back or make the digest again"
    if isinstance(error, PermissionError) and error.errno is not None:
        return "access is denied; check the permissions this job runs with"
    return str(error)
