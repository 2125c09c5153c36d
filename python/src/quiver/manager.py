"""Calls to the cache managers, each with a deadline."""

from __future__ import annotations

import http.client
import json
import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from quiver.credentials import Credentials

_CONNECT_SECONDS = 2.0
_REPORT_SECONDS = 3.0
_POLL_SECONDS = 8.0
_POLL_TIMEOUT_SECONDS = 12.0
_MAX_BYTES = 4 << 20
_ANY_HOST = ("0.0.0.0", "[::]", "::")  # noqa: S104 - recognised, not bound

CACHE_VARIABLE = "QUIVER_CACHE"

OK = 200
UNAUTHORIZED = 401
FORBIDDEN = 403
UNKNOWN = 404
CONFLICT = 409
BUSY = 503


class Reply(NamedTuple):
    """The answer of a manager: a status of HTTP and a document."""

    status: int
    document: Any

    @property
    def complaint(self) -> str:
        """The manager's reason for a refusal, and its remedy if it names one."""
        document = self.document if isinstance(self.document, dict) else {}
        parts = [str(document.get("error") or "no reason given"), str(document.get("remedy") or "")]
        if self.status in (UNAUTHORIZED, FORBIDDEN):
            parts[1] = (
                "give token_file=, or set QUIVER_TOKEN_FILE or QUIVER_TOKEN, to a token with the role job"
            )
        return "; ".join(filter(None, parts))


class Cluster(NamedTuple):
    """The processes behind an address.

    :param managed: False for a single server without a manager
    :param servers: addresses of the cache servers
    """

    managed: bool
    servers: tuple[str, ...]


class RefusedError(Exception):
    """A manager does not answer this caller; ``reply`` says why."""

    def __init__(self, reply: Reply):
        super().__init__(reply.complaint)
        self.reply = reply


def cache_addresses(cache: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the addresses given, by default those of the environment; none for a job without a cache."""
    chosen = cache if cache is not None else os.environ.get(CACHE_VARIABLE)
    return parse_addresses(chosen) if chosen else ()


def parse_addresses(text: str | Sequence[str]) -> tuple[str, ...]:
    """Return the addresses of managers from a list of them, or from text with commas between them.

    >>> parse_addresses("localhost:7400, https://10.0.0.8:7400")
    ('http://localhost:7400', 'https://10.0.0.8:7400')
    """
    parts = re.split("[, ]+", text.strip()) if isinstance(text, str) else text
    if not parts:
        raise ValueError("no address of a cache; write http://host:port or host:port")
    return tuple(map(_parse_address, parts))


def _parse_address(text: str) -> str:
    full = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(full)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port and parts.path in ("", "/")
        fine = fine and parts.username is None
    except ValueError:
        fine = False
    if not fine:
        raise ValueError(f"not an address: {text!r}; write http://host:port or host:port")
    return f"{parts.scheme}://{parts.netloc}"


def reachable(server: str, node: str) -> str:
    """Return the address of a server; one that listens everywhere is where its node was reached."""
    parts = urlsplit(server)
    if parts.hostname not in _ANY_HOST:
        return server
    return f"{parts.scheme}://{urlsplit(node).hostname}:{parts.port}"


class ManagerCalls:
    """The calls of one job to one of several managers. Safe for many threads.

    A call goes to the address that answered last; if that one fails, the others are tried in order.

    :param addresses: at least one
    """

    def __init__(self, addresses: Sequence[str], job: str, credentials: Credentials):
        self._addresses = addresses
        self._path = f"/v1/jobs/{job}"
        self._credentials = credentials
        self._preferred = 0

    @property
    def address(self) -> str:
        """The address that answered last, or the first one before that."""
        return self._addresses[self._preferred]

    def __str__(self) -> str:
        return ", ".join(self._addresses)

    def find(self) -> Cluster:
        """Ask an address what it is: a node with a manager, or a single cache server.

        :raises OSError: if nobody answers, or somebody else
        :raises RefusedError: if the answer is for others only
        """
        reply = self._call("GET", "/v1/status", None, _CONNECT_SECONDS)
        if reply.status in (UNAUTHORIZED, FORBIDDEN):
            raise RefusedError(reply)
        if reply.status != OK or not isinstance(reply.document, dict):
            raise ConnectionError(f"{self.address} answered with status {reply.status}; is it a quiver node?")
        if reply.document.get("kind") != "node":
            return Cluster(False, (self.address,))
        listed = reply.document.get("servers") or ()
        return Cluster(True, tuple(reachable(str(each["uri"]), self.address) for each in listed))

    def report(self, document: dict[str, Any]) -> Reply:
        """Send a report; the answer is a plan."""
        return self._call("POST", f"{self._path}/heartbeat", document, _REPORT_SECONDS)

    def poll(self, after: int) -> Reply:
        """Wait for a plan after this version; answers with the same one after a while."""
        path = f"{self._path}/plan?after={after}&wait_ms={int(_POLL_SECONDS * 1000)}"
        return self._call("GET", path, None, _POLL_TIMEOUT_SECONDS)

    def _call(self, method: str, path: str, document: Any, timeout: float) -> Reply:
        first = self._preferred
        failure = OSError("no address")
        for step in range(len(self._addresses)):
            index = (first + step) % len(self._addresses)
            try:
                reply = self._send(self._addresses[index], method, path, document, timeout)
            except OSError as e:
                failure = e
            else:
                self._preferred = index
                return reply
        raise failure

    def _send(self, address: str, method: str, path: str, document: Any, timeout: float) -> Reply:
        authorization = self._credentials.authorization()
        reply = self._send_once(address, method, path, document, timeout, authorization)
        if reply.status == UNAUTHORIZED and self._credentials.renewed(authorization):
            authorization = self._credentials.authorization()
            reply = self._send_once(address, method, path, document, timeout, authorization)
        return reply

    def _send_once(
        self, address: str, method: str, path: str, document: Any, timeout: float, authorization: str | None
    ) -> Reply:
        body = None if document is None else json.dumps(document).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        if authorization is not None:
            headers["Authorization"] = authorization
        connection = self._connection(address)
        try:
            connection.connect()
            connection.sock.settimeout(timeout)
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            data = response.read(_MAX_BYTES + 1)
        except http.client.HTTPException as e:
            raise ConnectionError(f"{address} does not speak HTTP as expected: {type(e).__name__}") from e
        finally:
            connection.close()
        try:
            return Reply(response.status, json.loads(data))
        except ValueError as e:
            raise ConnectionError(f"{address} answered {path} with something that is not JSON") from e

    def _connection(self, address: str) -> http.client.HTTPConnection:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        if parts.scheme == "https":
            tls = self._credentials.tls()
            return http.client.HTTPSConnection(host, port, timeout=_CONNECT_SECONDS, context=tls)
        return http.client.HTTPConnection(host, port, timeout=_CONNECT_SECONDS)
