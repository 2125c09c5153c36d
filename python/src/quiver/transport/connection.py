"""One HTTP/1.1 connection. Bodies go straight into the caller's buffer."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from quiver.credentials import Credentials
from quiver.transport.errors import ExchangeError, Trouble
from quiver.wire import CLAIM_LEASE_HEADER

_HEAD_BYTES = 16 << 10
_MAX_INTERIM_ANSWERS = 4
_MAX_HINT_SECONDS = 3600
_MOST_BUFFERS_AT_ONCE = 512
_CLAIM_LEASE = CLAIM_LEASE_HEADER.lower().encode("ascii")


class Endpoint(NamedTuple):
    """A server's address, taken apart.

    >>> Endpoint.of("http://[::1]:7071").id
    '[::1]:7071'
    """

    address: str
    host: str
    port: int
    encrypted: bool

    @staticmethod
    def of(address: str) -> Endpoint:
        """Parse ``http://host:port`` or ``https://host:port``."""
        parts = urlsplit(address)
        try:
            port = parts.port
        except ValueError:
            port = -1
        bare = parts.path in ("", "/") and not parts.query and not parts.fragment and parts.username is None
        if parts.scheme not in ("http", "https") or not parts.hostname or not bare or port == -1:
            raise ValueError(f"not a server: {address!r}; write http://host:port or https://host:port")
        encrypted = parts.scheme == "https"
        return Endpoint(address, parts.hostname, port or (443 if encrypted else 80), encrypted)

    @property
    def id(self) -> str:
        """The name by which placement knows the server when no plan names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class ResponseHead(NamedTuple):
    """The fields of an answer's head that the client needs; durations in seconds, 0 for none."""

    status: int
    body_bytes: int
    keep_alive: bool
    retry_after: float
    claim_lease: float


class Connection:
    """Used by one thread at a time; any thread may :meth:`cut` it, which ends what is under way.

    Plain sockets block in the kernel, which wakes them now and then to look at the deadline: that allows
    whole answers to be received by one call (``MSG_WAITALL``), without the interpreter's lock.
    """

    def __init__(self, endpoint: Endpoint, credentials: Credentials, wake_seconds: float):
        self._endpoint = endpoint
        self._credentials = credentials
        self._wake_seconds = wake_seconds
        self._socket: socket.socket | None = None
        self._scratch = bytearray(_HEAD_BYTES)
        self._view = memoryview(self._scratch)
        self._start = self._end = 0
        self._flags = 0 if endpoint.encrypted else socket.MSG_WAITALL
        self.used = False
        self.idle_since = 0.0
        self.was_cut = False

    def connect(self, timeout: float) -> None:
        """Make the connection; raises OSError."""
        sock = socket.create_connection((self._endpoint.host, self._endpoint.port), max(timeout, 0.001))
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._endpoint.encrypted:
                sock = self._credentials.tls().wrap_socket(sock, server_hostname=self._endpoint.host)
                sock.settimeout(self._wake_seconds)
            else:
                sock.settimeout(None)
                wake = struct.pack("@ll", *_timeval(self._wake_seconds))
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, wake)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, wake)
        except BaseException:
            sock.close()
            raise
        self._socket = sock
        if self.was_cut:
            raise ConnectionAbortedError("cut while connecting")

    def send(self, buffers: Sequence[Any], deadline: float) -> None:
        """Send all of these buffers."""
        if self._endpoint.encrypted:
            self._send_encrypted(b"".join(buffers), deadline)
            return
        rest = [memoryview(buffer).cast("B") for buffer in buffers if len(buffer)]
        sock = self._open()
        while rest:
            try:
                sent = sock.sendmsg(rest[:_MOST_BUFFERS_AT_ONCE])
            except BlockingIOError:
                _require_time(deadline)
                continue
            done = 0
            while done < len(rest) and sent >= len(rest[done]):
                sent -= len(rest[done])
                done += 1
            del rest[:done]
            if rest:
                rest[0] = rest[0][sent:]
                _require_time(deadline)

    def _send_encrypted(self, data: bytes, deadline: float) -> None:
        sock = self._open()
        view = memoryview(data)
        while view:
            with contextlib.suppress(TimeoutError):
                view = view[sock.send(view[: 1 << 20]) :]
            _require_time(deadline)

    def receive_head(self, deadline: float) -> ResponseHead:
        """Read the head of an answer; what came after it is kept for :meth:`fill`."""
        for _ in range(_MAX_INTERIM_ANSWERS):
            end = self._find_end(deadline)
            head = bytes(self._view[self._start : end])
            self._start = end + 4
            status, headers = _parse(head)
            if status >= 200:
                return _response(status, head, headers)
        raise ExchangeError(Trouble.PROTOCOL, "too many interim answers")

    def _find_end(self, deadline: float) -> int:
        if self._start == self._end:
            self._start = self._end = 0
        while True:
            end = self._scratch.find(b"\r\n\r\n", self._start, self._end)
            if end >= 0:
                return end
            if self._start:
                self._compact()
            if self._end == _HEAD_BYTES:
                raise ExchangeError(Trouble.PROTOCOL, f"a head of over {_HEAD_BYTES} bytes")
            count = self._receive(self._view[self._end :], deadline, 0)
            self._end += count

    def _compact(self) -> None:
        rest = bytes(self._view[self._start : self._end])
        self._view[: len(rest)] = rest
        self._start, self._end = 0, len(rest)

    def fill(self, target: memoryview, deadline: float) -> None:
        """Fill a buffer with the next bytes of the body."""
        at = min(self._end - self._start, len(target))
        target[:at] = self._view[self._start : self._start + at]
        self._start += at
        while at < len(target):
            at += self._receive(target[at:], deadline, self._flags)

    def _receive(self, target: memoryview, deadline: float, flags: int) -> int:
        sock = self._open()
        while True:
            try:
                count = sock.recv_into(target, 0, flags)
            except (BlockingIOError, TimeoutError):
                _require_time(deadline)
                continue
            if count == 0:
                raise ConnectionError("the server closed it before the answer was complete")
            if count < len(target):
                _require_time(deadline)
            return count

    def surplus(self) -> bool:
        """Return True if bytes have arrived that belong to no answer."""
        return self._start < self._end

    def _open(self) -> socket.socket:
        if self._socket is None or self.was_cut:
            raise ConnectionAbortedError("the connection was cut")
        return self._socket

    def cut(self) -> None:
        """End what is under way; the thread that uses the connection closes it."""
        self.was_cut = True
        sock = self._socket
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give up this process's end. Without a farewell: after a fork the parent goes on using its own."""
        self.was_cut = True
        sock = self._socket
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.close()


def _timeval(seconds: float) -> tuple[int, int]:
    micros = max(1000, int(seconds * 1e6))
    return micros // 1_000_000, micros % 1_000_000


def _require_time(deadline: float) -> None:
    if time.monotonic() >= deadline:
        raise ExchangeError(Trouble.TIMEOUT, "no complete answer in time")


def _parse(head: bytes) -> tuple[int, dict[bytes, bytes]]:
    lines = head.split(b"\r\n")
    first = lines[0].split(b" ", 2)
    if len(first) < 2 or not first[0].startswith(b"HTTP/1.") or len(first[1]) != 3 or not first[1].isdigit():
        raise ExchangeError(Trouble.PROTOCOL, f"not an HTTP answer: {lines[0][:60]!r}")
    headers: dict[bytes, bytes] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(b":")
        key = name.lower()
        if not colon or (key == b"content-length" and key in headers):
            raise ExchangeError(Trouble.PROTOCOL, f"the answer has a bad header: {line[:60]!r}")
        headers[key] = value.strip()
    return int(first[1]), headers


def _response(status: int, head: bytes, headers: dict[bytes, bytes]) -> ResponseHead:
    if b"transfer-encoding" in headers:
        raise ExchangeError(Trouble.PROTOCOL, "the answer has a transfer encoding instead of a length")
    length = _number(headers.get(b"content-length"))
    if length is None:
        raise ExchangeError(Trouble.PROTOCOL, "the answer has no length")
    keep_alive = head.startswith(b"HTTP/1.1") and headers.get(b"connection", b"").lower() != b"close"
    retry_after = min(_MAX_HINT_SECONDS, _number(headers.get(b"retry-after")) or 0)
    lease = min(_MAX_HINT_SECONDS, (_number(headers.get(_CLAIM_LEASE)) or 0) / 1000)
    return ResponseHead(status, length, keep_alive, retry_after, lease)


def _number(value: bytes | None) -> int | None:
    return int(value) if value and len(value) <= 18 and value.isdigit() else None
