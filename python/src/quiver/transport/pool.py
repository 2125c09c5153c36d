"""A bounded number of connections to one server; the one used last is used next."""

from __future__ import annotations

import threading
import time

from quiver.credentials import Credentials
from quiver.transport.connection import Connection, Endpoint
from quiver.transport.errors import ExchangeError, Trouble

_IDLE_SECONDS = 20.0


class ConnectionPool:
    """Hands out connections, which must be given back or discarded. Safe for many threads."""

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: Credentials,
        *,
        connections: int,
        connect_timeout: float,
        wake_seconds: float,
    ):
        self._endpoint = endpoint
        self._credentials = credentials
        self._connections = connections
        self._connect_timeout = connect_timeout
        self._wake_seconds = wake_seconds
        self._permits = threading.Semaphore(connections)
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._all: set[Connection] = set()
        self._retired = False
        self.closed = False

    def take(self, deadline: float) -> Connection:
        """Take an idle connection or a new one."""
        self._acquire(deadline)
        with self._lock:
            late = self._remove_late(time.monotonic())
            connection = self._idle.pop() if self._idle else None
        for each in late:
            self._forget(each)
        return connection or self._connect_or_release(deadline)

    def take_fresh(self, deadline: float) -> Connection:
        """Take a new connection; those that lie idle are closed, since they are likely dead too."""
        self._acquire(deadline)
        with self._lock:
            late, self._idle = self._idle, []
        for each in late:
            self._forget(each)
        return self._connect_or_release(deadline)

    def give_back(self, connection: Connection) -> None:
        """Keep a connection for the next exchange."""
        connection.used = True
        connection.idle_since = time.monotonic()
        with self._lock:
            kept = not self.closed and not self._retired
            if kept:
                self._idle.append(connection)
        if not kept:
            self._forget(connection)
        self._permits.release()

    def discard(self, connection: Connection) -> None:
        """End a connection that is of no more use."""
        self._forget(connection)
        self._permits.release()

    def close(self) -> None:
        """Close what is idle and cut what is in use."""
        with self._lock:
            self.closed = True
            idle, self._idle = self._idle, []
            busy = self._all.difference(idle)
        for connection in idle:
            self._forget(connection)
        for connection in busy:
            connection.cut()

    def retire(self) -> None:
        """Close what is idle now, and what is in use when it comes back."""
        with self._lock:
            self._retired = True
            idle, self._idle = self._idle, []
        for connection in idle:
            self._forget(connection)

    def abandon(self) -> None:
        """Close this process's ends, in a forked child. Takes no lock: a thread of the parent may have it."""
        self.closed = True
        for connection in list(self._all):
            connection.close()

    def _acquire(self, deadline: float) -> None:
        if not self._permits.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise ExchangeError(
                Trouble.TIMEOUT, f"all {self._connections} connections were busy until the time was over"
            )

    def _remove_late(self, now: float) -> list[Connection]:
        late = [each for each in self._idle if now - each.idle_since > _IDLE_SECONDS]
        if late:
            self._idle = [each for each in self._idle if now - each.idle_since <= _IDLE_SECONDS]
        return late

    def _connect_or_release(self, deadline: float) -> Connection:
        try:
            return self._connect(deadline)
        except BaseException:
            self._permits.release()
            raise

    def _connect(self, deadline: float) -> Connection:
        connection = Connection(self._endpoint, self._credentials, self._wake_seconds)
        with self._lock:
            if self.closed:
                raise ExchangeError(Trouble.CLOSED, "the client was closed")
            self._all.add(connection)
        try:
            connection.connect(min(self._connect_timeout, deadline - time.monotonic()))
            return connection
        except OSError as e:
            self._forget(connection)
            raise self._failure(e) from e
        except BaseException:
            self._forget(connection)
            raise

    def _failure(self, error: OSError) -> ExchangeError:
        if self.closed:
            return ExchangeError(Trouble.CLOSED, "the client was closed")
        if isinstance(error, TimeoutError):
            return ExchangeError(Trouble.TIMEOUT, f"no connection in {self._connect_timeout:g} s")
        return ExchangeError(Trouble.UNREACHABLE, f"no connection: {error}")

    def _forget(self, connection: Connection) -> None:
        connection.close()
        with self._lock:
            self._all.discard(connection)
