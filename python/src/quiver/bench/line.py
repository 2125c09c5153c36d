"""A line of so many bytes per second in front of a server, which all its callers share."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections import deque
from types import TracebackType

_PIECE = 1 << 17
_BURST_SECONDS = 0.004
_FULL_SECONDS = 0.001
_IDLE_SECONDS = 0.2
_READ = select.EPOLLIN | select.EPOLLONESHOT


class _Way:
    """One direction of a connection; reads again only when all that it has read is written."""

    def __init__(self, source: socket.socket, sink: socket.socket, *, metered: bool):
        self.source, self.sink, self.metered = source, sink, metered
        self.pending = b""


class Line:
    """Passes connections on to a server; what the server sends comes at the line's rate at most.

    Connections that have something to carry take turns. One thread does it all, with few calls for each
    piece: it shares the processors with what is measured.

    :param port: of the server, on loopback
    :ivar rate: bytes per second; None for no bound
    :ivar carried: bytes that the server has sent
    """

    def __init__(self, port: int, rate: float | None):
        self._server = port
        self.rate = rate
        self.carried = 0
        self._free = 0.0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._epoll = select.epoll()
        self._ways: dict[int, _Way] = {}
        self._turns: deque[_Way] = deque()
        self._full: list[_Way] = []
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="line", daemon=True)

    @property
    def port(self) -> int:
        """The port that callers use."""
        return int(self._listener.getsockname()[1])

    def __enter__(self) -> Line:
        self._epoll.register(self._listener.fileno(), select.EPOLLIN)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._thread.join(10)
        for way in list(self._ways.values()):
            self._end(way)
        self._listener.close()
        self._epoll.close()

    def _run(self) -> None:
        while not self._closed:
            for number, _ in self._epoll.poll(self._pause()):
                way = self._ways.get(number)
                if way is not None and way.metered:
                    self._turns.append(way)
                elif way is not None:
                    self._carry(way)
                elif number == self._listener.fileno():
                    self._accept()
            full, self._full = self._full, []
            for way in full:
                self._write(way)
            while self._turns and self._lead() < _BURST_SECONDS:
                self._carry(self._turns.popleft())

    def _lead(self) -> float:
        """Return the seconds for which the line is busy with what it has carried."""
        return 0.0 if self.rate is None else self._free - time.monotonic()

    def _pause(self) -> float:
        pause = max(0.001, self._lead() - _BURST_SECONDS / 2) if self._turns else _IDLE_SECONDS
        return min(pause, _FULL_SECONDS) if self._full else pause

    def _accept(self) -> None:
        caller, _ = self._listener.accept()
        try:
            server = socket.create_connection(("127.0.0.1", self._server))
        except OSError:
            caller.close()
            return
        for source, sink in ((caller, server), (server, caller)):
            source.setblocking(False)
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._ways[source.fileno()] = _Way(source, sink, metered=source is server)
            self._epoll.register(source.fileno(), _READ)

    def _carry(self, way: _Way) -> None:
        try:
            way.pending = way.source.recv(_PIECE)
        except OSError:
            way.pending = b""
        if not way.pending:
            self._end(way)
            return
        if way.metered:
            self.carried += len(way.pending)
            if self.rate is not None:
                self._free = max(self._free, time.monotonic()) + len(way.pending) / self.rate
        self._write(way)

    def _write(self, way: _Way) -> None:
        try:
            way.pending = way.pending[way.sink.send(way.pending) :]
        except BlockingIOError:
            pass
        except OSError:
            self._end(way)
            return
        if way.pending:
            self._full.append(way)
        else:
            self._epoll.modify(way.source.fileno(), _READ)

    def _end(self, way: _Way) -> None:
        for end in (way.source, way.sink):
            self._ways.pop(end.fileno(), None)
            end.close()
