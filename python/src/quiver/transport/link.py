"""One server: asks again where that may help, and leaves the server alone for a while when it does not."""

from __future__ import annotations

import json
import logging
import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from quiver import rules
from quiver.credentials import Credentials
from quiver.transport.breaker import CircuitBreaker, RetryBudget
from quiver.transport.connection import Connection, Endpoint, ResponseHead
from quiver.transport.errors import ExchangeError, StaleConnectionError, Trouble
from quiver.transport.pool import ConnectionPool
from quiver.wire import FrameError

_LOG = logging.getLogger("quiver")
_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.5
_SHORTEST_REST = 0.1
_LONGEST_REST = 30.0
_RETRIES_IN_ADVANCE = 20
_MAX_REASON_BYTES = 4096
_MAX_REASON_CHARACTERS = 300

T = TypeVar("T")

Reader = Callable[[ResponseHead, Connection, float], T]
"""Reads the body of an answer from a connection before a deadline."""


class LinkConfig(NamedTuple):
    """The settings of the link to one server; times in seconds."""

    connections: int = 8
    connect_timeout: float = 2.0
    request_timeout: float = 10.0
    retries: int = 2


class Request(NamedTuple):
    """One request, which may be sent several times; ``headers`` are whole lines that end with CR LF."""

    method: str
    path: str
    headers: str
    body: Sequence[Any]

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path})"  # the headers may have a token

    def authorized(self, authorization: str | None) -> Request:
        """Return a copy that says who asks."""
        if authorization is None:
            return self
        return self._replace(headers=f"Authorization: {authorization}\r\n{self.headers}")

    def buffers(self, host: str) -> list[Any]:
        """Return the bytes of the request to a host."""
        length = sum(len(part) for part in self.body)
        head = (
            f"{self.method} {self.path} HTTP/1.1\r\nHost: {host}\r\n{self.headers}"
            f"Content-Length: {length}\r\n\r\n"
        )
        return [head.encode("ascii"), *self.body]


class ServerLink:
    """The connections, the circuit breaker and the retries of one server. Connects when first asked."""

    def __init__(self, endpoint: Endpoint, config: LinkConfig, credentials: Credentials):
        self.endpoint = endpoint
        self._config = config
        self._credentials = credentials
        self._told_gone = False  # people are told once that the server is gone and once that it is back
        shortest = min(config.connect_timeout, config.request_timeout)
        self._pool = ConnectionPool(
            endpoint,
            credentials,
            connections=config.connections,
            connect_timeout=config.connect_timeout,
            wake_seconds=min(0.25, max(0.002, shortest / 8)),
        )
        self._breaker = CircuitBreaker(_SHORTEST_REST, _LONGEST_REST)
        self._budget = RetryBudget(_RETRIES_IN_ADVANCE)
        self._closing = threading.Event()
        self._sampled = 0
        self._excluded = False

    def sample(self, count: int) -> npt.NDArray[np.bool_]:
        """Tell which of the next blobs are hashed: the first ones, then a few that nobody can foresee."""
        chosen = np.random.default_rng().random(count) < 1 / rules.HASHED_EVERY
        chosen[: max(0, rules.HASHED_FIRST - self._sampled)] = True
        self._sampled += count
        return chosen

    def exclude(self) -> ExchangeError:
        """Ask this server nothing any more, because it forged a blob; return the error to raise."""
        if not self._excluded:
            self._excluded = True
            _LOG.error(
                "server %s sent wrong bytes with a right checksum and is not asked any more; find out who"
                " runs it, and let known servers only join the cluster",
                self.endpoint.id,
            )
        return ExchangeError(Trouble.FORGED, "not asked: it sent wrong bytes")

    def exchange(self, request: Request, reader: Reader[T]) -> T:
        """Ask until there is an answer, an end of patience or an end of time; raises ExchangeError."""
        if self._excluded:
            raise self.exclude()
        start = time.monotonic()
        ticket = self._breaker.try_pass(start)
        if ticket is None:
            raise ExchangeError(Trouble.RESTING, "not asked: it failed a short while ago")
        try:
            answer = self._persist(request, reader, start + self._config.request_timeout)
        except ExchangeError as e:
            self._settle(ticket, start, e)
            raise
        except BaseException:
            self._breaker.withdrawn(ticket)
            raise
        self._budget.succeeded()
        self._back()
        return answer

    def _persist(self, request: Request, reader: Reader[T], deadline: float) -> T:
        attempt = renewals = 0
        authorization = self._credentials.authorization()
        while True:
            try:
                return self._once(request.authorized(authorization), reader, deadline)
            except ExchangeError as e:
                if e.status == 401 and not renewals and self._credentials.renewed(authorization):
                    authorization = self._credentials.authorization()
                    renewals = 1
                    continue
                if not e.trouble.retryable or attempt >= self._config.retries or not self._budget.try_take():
                    raise
                self._pause(attempt, e, deadline)
                attempt += 1

    def _pause(self, attempt: int, failure: ExchangeError, deadline: float) -> None:
        """Wait before the next attempt, or give up when that would be too late."""
        growing = min(_LONGEST_PAUSE, _FIRST_PAUSE * (1 << min(attempt, 10)))
        wait = max(random.uniform(growing / 2, growing), failure.retry_after)  # noqa: S311
        if time.monotonic() + wait >= deadline:
            raise failure
        if self._closing.wait(wait):
            raise ExchangeError(Trouble.CLOSED, "the client was closed")

    def _once(self, request: Request, reader: Reader[T], deadline: float) -> T:
        try:
            return self._over(self._pool.take(deadline), request, reader, deadline)
        except StaleConnectionError:
            return self._over(self._pool.take_fresh(deadline), request, reader, deadline)

    def _over(self, connection: Connection, request: Request, reader: Reader[T], deadline: float) -> T:
        reusable = False
        try:
            head = self._ask(connection, request, deadline)
            if head.status != 200:
                raise _refusal(head, connection, deadline)
            result = reader(head, connection, deadline)
            reusable = head.keep_alive and not connection.surplus()
            return result
        except OSError as e:
            raise self._failure(e) from e
        except FrameError as e:
            raise ExchangeError(Trouble.PROTOCOL, str(e)) from e
        finally:
            if reusable and not connection.was_cut:
                self._pool.give_back(connection)
            else:
                self._pool.discard(connection)

    def _ask(self, connection: Connection, request: Request, deadline: float) -> ResponseHead:
        """Send the request and read the head of the answer, which may come before all is sent."""
        sending: OSError | None = None
        try:
            connection.send(request.buffers(self.endpoint.id), deadline)
        except OSError as e:
            sending = e
        try:
            return connection.receive_head(deadline)
        except OSError as e:
            if connection.used and not self._pool.closed:
                raise StaleConnectionError from e
            raise (sending or e) from e

    def _failure(self, error: OSError) -> ExchangeError:
        if self._pool.closed:
            return ExchangeError(Trouble.CLOSED, "the client was closed")
        return ExchangeError(Trouble.BROKEN, f"the connection broke: {error}")

    def _gone(self, rest: float, error: ExchangeError) -> None:
        """Say once per outage that the server does not answer."""
        level = logging.DEBUG if self._told_gone else logging.WARNING
        self._told_gone = True
        _LOG.log(
            level,
            "server %s does not answer (%s); reading from the store, next try in %s",
            self.endpoint.id,
            error,
            f"{math.ceil(rest * 1000)} ms" if rest < 1 else f"{int(rest)} s",
        )

    def _denied(self, error: ExchangeError) -> None:
        """Say once that the server serves others only."""
        self._breaker.succeeded()
        level = logging.DEBUG if self._told_gone else logging.WARNING
        self._told_gone = True
        _LOG.log(level, "server %s refuses this job (%s); reading from the store", self.endpoint.id, error)

    def _back(self) -> None:
        """Say once that the server answers again."""
        self._breaker.succeeded()
        if self._told_gone:
            self._told_gone = False
            _LOG.warning("server %s answers again", self.endpoint.id)

    def _settle(self, ticket: int, start: float, error: ExchangeError) -> None:
        if error.trouble.blames_server:
            now = time.monotonic()
            rest = self._breaker.failed(ticket, now, now - start)
            if rest > 0:
                self._gone(rest, error)
        elif error.status in (401, 403):
            self._denied(error)
        elif error.trouble in (Trouble.REFUSED, Trouble.BUSY):
            self._back()
        else:
            self._breaker.withdrawn(ticket)

    def close(self) -> None:
        """End exchanges under way and close every connection."""
        self._closing.set()
        self._pool.close()

    def retire(self) -> None:
        """Let calls under way end, then close every connection."""
        self._pool.retire()

    def abandon(self) -> None:
        """Close this process's ends of the parent's connections, in a forked child."""
        self._pool.abandon()


def _refusal(head: ResponseHead, connection: Connection, deadline: float) -> ExchangeError:
    text = bytearray(min(_MAX_REASON_BYTES, head.body_bytes))
    connection.fill(memoryview(text), deadline)
    words = " ".join(_complaint(text.decode("utf-8", "replace")).split())
    shown = words if len(words) <= _MAX_REASON_CHARACTERS else words[:_MAX_REASON_CHARACTERS] + "…"
    trouble = Trouble.BUSY if head.status in (429, 503) else Trouble.REFUSED
    return ExchangeError(trouble, f"the server answered {head.status} {shown}", head.retry_after, head.status)


def _complaint(text: str) -> str:
    """Return the reason in a refusal, which is JSON if a server of ours wrote it."""
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return text
