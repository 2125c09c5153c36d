"""The owner's own store, read in ranges: a folder, or whatever fsspec can open.

>>> store = Store.open("/data/images")  # doctest: +SKIP
>>> store = Store.open("s3://bucket/images", {"profile": "research"})  # doctest: +SKIP
>>> store.read("n01440764/1.jpg", 0, 109527)  # doctest: +SKIP
b'...'
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from quiver.throttle import Throttle

_ATTEMPTS = 3
_FIRST_PAUSE_SECONDS = 0.1
_BEYOND_END = {416, "416"}
_REMEDIES = {"s3": "quiver[s3]", "gs": "quiver[gcs]", "gcs": "quiver[gcs]", "az": "quiver[azure]"}
_REMEDIES |= {
    "abfs": "quiver[azure]",
    "abfss": "quiver[azure]",
    "http": "quiver[http]",
    "https": "quiver[http]",
}


class Store:
    """Objects by name below a root, read with the user's own credentials.

    Pickled by its address: every process opens connections of its own, also after a fork. Safe for many
    threads. A read that fails for a passing reason is repeated a few times.

    :param uri: a folder, ``file://…``, ``s3://bucket/prefix``, ``az://…``, ``abfs://…``, ``gs://…``,
        ``http(s)://…``, or any other address fsspec knows
    :param storage_options: what fsspec passes to the store: credentials, endpoints
    :param mbps: read at most so many megabytes per second, all processes of this machine together: to see
        what a slower store does to a job
    :param latency_ms: wait so long for every read, as for a store far away
    :param timeout: longest time for one read, in seconds, where the store's driver allows to end it
    """

    def __init__(
        self,
        uri: str | os.PathLike[str],
        storage_options: Mapping[str, Any] | None = None,
        *,
        mbps: float | None = None,
        latency_ms: float = 0.0,
        timeout: float = 60.0,
    ):
        self.uri = os.fspath(uri)
        self.storage_options = dict(storage_options or {})
        self.mbps, self.latency_ms, self.timeout = mbps, latency_ms, timeout
        self._throttle = Throttle(self.uri, mbps, latency_ms) if mbps or latency_ms else None
        self._root = _folder(self.uri)
        self._lock = threading.Lock()
        self._opened: tuple[int, Any, str] | None = None

    @staticmethod
    def open(
        uri: str | os.PathLike[str] | Store, storage_options: Mapping[str, Any] | None = None, **options: Any
    ) -> Store:
        """Open the store at an address; one that is open already stays as it is."""
        return uri if isinstance(uri, Store) else Store(uri, storage_options, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self.uri, self.storage_options, self.mbps, self.latency_ms, self.timeout)

    def __repr__(self) -> str:
        return f"Store({self.uri!r})"

    def read(self, name: str, offset: int, length: int) -> bytes:
        """Read so many bytes of an object.

        :raises FileNotFoundError: if it is not there
        :raises EOFError: if it is too short
        :raises OSError: for anything else, after some attempts
        """
        if self._throttle is not None:
            self._throttle.wait(length)
        if self._root is not None:
            return _read_file(self._root / name, offset, length)
        return self._read_remote(name, offset, length) if length else b""

    def _read_remote(self, name: str, offset: int, length: int) -> bytes:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return _cut(self._range(name, offset, length), offset, length)
            except (FileNotFoundError, PermissionError, EOFError, ImportError):
                raise
            except Exception as e:
                if _is_beyond_end(e):
                    raise EOFError(f"no byte of {length} bytes from {offset}") from e
                if attempt == _ATTEMPTS:
                    raise OSError(f"{type(e).__name__}: {e} (after {attempt} attempts)") from e
                time.sleep(_FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
        raise AssertionError("unreachable")

    def _range(self, name: str, offset: int, length: int) -> bytes:
        filesystem, root = self._filesystem()
        path = f"{root.rstrip('/')}/{name}"
        if getattr(filesystem, "async_impl", False):
            from fsspec.asyn import sync

            call = sync(
                filesystem.loop,
                filesystem._cat_file,
                path,
                start=offset,
                end=offset + length,
                timeout=self.timeout,
            )
            return bytes(call)
        return bytes(filesystem.cat_file(path, start=offset, end=offset + length))

    def _filesystem(self) -> tuple[Any, str]:
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                self._opened = (os.getpid(), *_connect(self.uri, self.storage_options))
            return self._opened[1], self._opened[2]


def _reopen(
    uri: str, options: dict[str, Any], mbps: float | None, latency_ms: float, timeout: float
) -> Store:
    return Store(uri, options, mbps=mbps, latency_ms=latency_ms, timeout=timeout)


def _folder(uri: str) -> Path | None:
    """Return the folder that an address means; None for a remote store."""
    if "://" not in uri:
        return Path(uri).absolute()
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _connect(uri: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    import fsspec

    try:
        filesystem, root = fsspec.core.url_to_fs(uri, skip_instance_cache=True, **options)
    except ImportError as e:
        extra = _REMEDIES.get(uri.split("://", 1)[0])
        remedy = f"pip install '{extra}'" if extra else "install the driver that fsspec names"
        raise ImportError(f"{uri} needs a driver that is not installed ({e}); {remedy}") from e
    return filesystem, root


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


def _is_beyond_end(error: Exception) -> bool:
    """Return True if a store says that an object ends before the range (416), in any driver's way."""
    names = ("status", "status_code", "code")
    status = next((getattr(error, name) for name in names if hasattr(error, name)), None)
    # The driver for S3 makes one error of many answers; what it was made of tells.
    answer = getattr(error.__cause__, "response", None)
    if isinstance(answer, dict):
        status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", status)
    return status in _BEYOND_END


def _cut(data: bytes, offset: int, length: int) -> bytes:
    """Cut out the bytes asked for; some web servers send the whole object whatever is asked for."""
    if len(data) > length:
        data = data[offset : offset + length]
    if len(data) < length:
        raise EOFError(f"{len(data)} of {length} bytes from {offset}")
    return data
