"""Servers that misbehave, for tests of what clients make of it."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator

from crc32c import crc32c

from quiver.wire import Status


class Exchange:
    """One request as it came, and the connection to do what one likes with."""

    def __init__(self, number: int, path: str, body: bytes, connection: socket.socket):
        self.number = number
        self.path = path
        self.body = body
        self.connection = connection

    @property
    def hashes(self) -> list[bytes]:
        count = struct.unpack_from("<I", self.body, 8)[0]
        return [self.body[16 + 32 * i : 48 + 32 * i] for i in range(count)]

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def reset(self) -> None:
        """End the connection with a reset instead of an orderly close."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


def http(body: bytes, status: str = "200 OK", headers: str = "", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {size}\r\n{headers}\r\n".encode() + body


def answer(payloads: list[bytes | None], flip: int | None = None) -> bytes:
    """Make an answer with hits for payloads and misses for None; one payload's checksum may be wrong."""
    rows = b"".join(
        struct.pack("<BBHIQ", Status.MISS, 0, 0, 0, 0)
        if payload is None
        else struct.pack("<BBHIQ", Status.HIT, 0, 0, crc32c(payload) ^ int(index == flip), len(payload))
        for index, payload in enumerate(payloads)
    )
    joined = b"".join(payload for payload in payloads if payload is not None)
    return struct.pack("<4sIQ", b"QVR1", len(payloads), len(joined)) + rows + joined


@contextlib.contextmanager
def hostile(behave: Callable[[Exchange], object]) -> Iterator[str]:
    """Run a server on loopback that does what it is told with every request; yields its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    connections: list[socket.socket] = []
    numbers = iter(range(1 << 30))

    def serve(connection: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError, ValueError), connection:
            while True:
                path, body = _read_request(connection)
                if behave(Exchange(next(numbers), path, body, connection)) is False:
                    return

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connections.append(connection)
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def _read_request(connection: socket.socket) -> tuple[str, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    lengths = [int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length")]
    length = sum(lengths)
    while len(body) < length:
        body += _some(connection)
    return lines[0].split(" ")[1], body


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(1 << 16)
    if not data:
        raise EOFError
    return data
