"""Makes a store as slow as a distant one, to see what that does to a job."""

from __future__ import annotations

import fcntl
import hashlib
import os
import struct
import tempfile
import time
from pathlib import Path

_MEGA = 1e6
_LONGEST_QUEUE_SECONDS = 600.0
_STAMP = struct.Struct("<dQ")


class Throttle:
    """One line of so many bytes per second that all processes of this machine share, and a delay.

    When the line is free again stands in a small file under a lock, so jobs, their workers and agents wait
    for each other as they would for the real store. What has come through is counted beside it.

    :param uri: of the store; those that read the same share the line
    :param mbps: megabytes per second; None for no bound
    :param latency_ms: what every read waits in addition
    """

    def __init__(self, uri: str, mbps: float | None, latency_ms: float):
        if (mbps is not None and not mbps > 0) or not 0 <= latency_ms <= 60_000:
            raise ValueError(
                f"mbps={mbps}, latency_ms={latency_ms} make no sense; use more than 0 MB/s and 0 to 60000 ms"
            )
        self._rate = None if mbps is None else mbps * _MEGA
        self._latency = latency_ms / 1000
        key = hashlib.sha256(f"{uri} {mbps}".encode()).hexdigest()[:16]
        self._path = Path(tempfile.gettempdir()) / f"quiver-throttle-{os.getuid()}-{key}"

    def wait(self, length: int) -> None:
        """Wait until so many bytes have come through."""
        end = time.monotonic() + self._latency
        if self._rate is not None:
            end = self._book(length, self._rate) + self._latency
        pause = end - time.monotonic()
        if pause > 0:
            time.sleep(pause)

    def carried(self) -> int:
        """Return the bytes that have come through the line so far, for all processes; 0 without a bound."""
        try:
            return int(_STAMP.unpack(self._path.read_bytes())[1])
        except (FileNotFoundError, struct.error):
            return 0

    def _book(self, length: int, rate: float) -> float:
        """Take the next free time of the line; says when it is over."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            stamp = os.pread(descriptor, _STAMP.size, 0)
            now = time.monotonic()
            free, carried = _STAMP.unpack(stamp) if len(stamp) == _STAMP.size else (now, 0)
            if not now <= free <= now + _LONGEST_QUEUE_SECONDS:
                free = now
            end = free + length / rate
            os.pwrite(descriptor, _STAMP.pack(end, carried + length), 0)
            return float(end)
        finally:
            os.close(descriptor)
