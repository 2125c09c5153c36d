"""The owner's own store, read in ranges: a folder, a bucket, a web server, or whatever fsspec can open.

>>> store = Store.open("/data/images")  # doctest: +SKIP
>>> store = Store.open("s3://bucket/images", {"profile": "research"})  # doctest: +SKIP
>>> store.read("n01440764/1.jpg", 0, 109527)  # doctest: +SKIP
b'...'
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import unquote, urlsplit

from quiver.stores import bindings
from quiver.stores.fsspec_objects import FsspecObjects
from quiver.stores.native import KINDS, NativeObjects
from quiver.stores.refusals import BeyondEndError, TransientError
from quiver.throttle import Throttle

_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 10.0
_MOST_RETRIES = 100

Driver = Literal["native", "fsspec"]


class RemoteObjects(Protocol):
    """Objects below an address, read in single attempts."""

    def read(self, name: str, offset: int, length: int) -> bytes | memoryview:
        """Read so many bytes of an object; more or fewer if the store gives more or fewer."""


class Store:
    """Objects by name below a root, read with the user's own credentials.

    Pickled by its address: every process opens connections of its own, also after a fork. Safe for many
    threads, which share connections. A read that fails for a passing reason is repeated, with pauses from
    0.1 s doubling to 10 s.

    :param uri: a folder, ``file://…``, ``s3://bucket/prefix``, ``az://…``, ``abfs://…``, ``gs://…``,
        ``http(s)://…``, or any other address fsspec knows
    :param storage_options: credentials, endpoints: by obstore's names or those of fsspec's drivers
    :param mbps: read at most so many megabytes per second, all processes of this machine together: to see
        what a slower store does to a job
    :param latency_ms: wait so long for every read, as for a store far away
    :param timeout: longest time for one attempt to read, in seconds, where the driver allows to end it
    :param retries: most repetitions of one read, 0 to 100
    :param driver: ``"native"`` or ``"fsspec"``; by default native for S3, Azure, Google Cloud and HTTP
    """

    def __init__(
        self,
        uri: str | os.PathLike[str],
        storage_options: Mapping[str, Any] | None = None,
        *,
        mbps: float | None = None,
        latency_ms: float = 0.0,
        timeout: float = 60.0,
        retries: int = 5,
        driver: Driver | None = None,
    ):
        self.uri = os.fspath(uri)
        self.storage_options = dict(storage_options or {})
        self.mbps, self.latency_ms, self.timeout, self.retries = mbps, latency_ms, timeout, retries
        self.driver = driver
        if not 0 <= retries <= _MOST_RETRIES:
            raise ValueError(f"retries={retries}; use 0 to {_MOST_RETRIES}")
        self._native = _is_native(self.uri, driver)
        self._throttle = Throttle(self.uri, mbps, latency_ms) if mbps or latency_ms else None
        self._root = _folder(self.uri)
        self._lock = threading.Lock()
        self._opened: tuple[int, RemoteObjects] | None = None

    @staticmethod
    def open(
        uri: str | os.PathLike[str] | Store, storage_options: Mapping[str, Any] | None = None, **options: Any
    ) -> Store:
        """Open the store at an address; one that is open already stays as it is."""
        return uri if isinstance(uri, Store) else Store(uri, storage_options, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("mbps", "latency_ms", "timeout", "retries", "driver")
        return _reopen, (self.uri, self.storage_options, {name: getattr(self, name) for name in names})

    def __repr__(self) -> str:
        return f"Store({self.uri!r})"

    def read(self, name: str, offset: int, length: int) -> bytes | memoryview:
        """Read so many bytes of an object.

        :raises FileNotFoundError: if it, or its bucket, is not there
        :raises PermissionError: if credentials are missing or not good enough
        :raises EOFError: if it is too short
        :raises OSError: for anything else, after some attempts
        """
        if self._throttle is not None:
            self._throttle.wait(length)
        if self._root is not None:
            return _read_file(self._root / name, offset, length)
        return self._read_remote(name, offset, length) if length else b""

    def _read_remote(self, name: str, offset: int, length: int) -> bytes | memoryview:
        for attempt in range(self.retries + 1):
            try:
                return _cut(self._objects().read(name, offset, length), offset, length)
            except TransientError as e:
                if attempt == self.retries:
                    raise OSError(f"{e} (after {attempt + 1} attempts)") from e
                pause = min(_FIRST_PAUSE_SECONDS * 2**attempt, _LONGEST_PAUSE_SECONDS)
                time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - so that readers do not come at once
            except BeyondEndError as e:
                raise EOFError(f"no byte of {length} bytes from {offset}") from e
        raise AssertionError("unreachable")

    def _objects(self) -> RemoteObjects:
        opened = self._opened
        if opened is not None and opened[0] == os.getpid():
            return opened[1]
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                bindings.inherit(self._opened)
                kind = NativeObjects if self._native else FsspecObjects
                self._opened = os.getpid(), kind(self.uri, self.storage_options, self.timeout)
            return self._opened[1]


def _reopen(uri: str, options: dict[str, Any], more: dict[str, Any]) -> Store:
    return Store(uri, options, **more)


def _is_native(uri: str, driver: Driver | None) -> bool:
    known = uri.split("://", 1)[0] in KINDS
    if driver not in (None, "native", "fsspec") or (driver == "native" and not known):
        raise ValueError(f"driver={driver!r} for {uri}; use 'fsspec', or 'native' for {', '.join(KINDS)}")
    return known and driver != "fsspec"


def _folder(uri: str) -> Path | None:
    """Return the folder that an address means; None for a remote store."""
    if "://" not in uri:
        return Path(uri).absolute()
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _read_file(path: Path, offset: int, length: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.pread(descriptor, length, offset)
        while len(data) < length:
            more = os.pread(descriptor, length - len(data), offset + len(data))
            if not more:
                raise EOFError(f"{len(data)} of {length} bytes from {offset}")
            data += more
        return data
    finally:
        os.close(descriptor)


def _cut(data: bytes | memoryview, offset: int, length: int) -> bytes | memoryview:
    """Cut out the bytes asked for; some web servers send the whole object whatever is asked for."""
    if len(data) > length:
        data = data[offset : offset + length]
    if len(data) < length:
        raise EOFError(f"{len(data)} of {length} bytes from {offset}")
    return data
