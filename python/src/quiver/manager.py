"""A job's calls to the cache manager, each with a deadline, and what lies behind an address."""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any, NamedTuple
from urllib.parse import urlsplit

CONNECT_SECONDS = 2.0
REPORT_SECONDS = 3.0
POLL_SECONDS = 8.0
_POLL_TIMEOUT_SECONDS = POLL_SECONDS + 4
_MAX_BYTES = 4 << 20
_ANY_HOST = ("0.0.0.0", "[::]", "::")  # noqa: S104 - recognised, not bound

OK = 200
UNKNOWN = 404
CONFLICT = 409
BUSY = 503


class Reply(NamedTuple):
    """What the manager said: a status of HTTP and a document."""

    status: int
    document: Any

    @property
    def complaint(self) -> str:
        """Why it refused."""
        return str(self.document.get("error")) if isinstance(self.document, dict) else "no reason given"


class Cluster(NamedTuple):
    """What an address stands for.

    :param manager: the address of the manager; None for a single server without one
    :param servers: addresses of the cache servers
    """

    manager: str | None
    servers: tuple[str, ...]


def parse_address(text: str) -> str:
    """Read ``http://host:port``, or ``host:port`` for short.

    >>> parse_address("localhost:7400")
    'http://localhost:7400'
    """
    full = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(full)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port and parts.path in ("", "/")
    except ValueError:
        fine = False
    if not fine:
        raise ValueError(f"not an address: {text!r}; write http://host:port or host:port")
    return f"{parts.scheme}://{parts.netloc}"


def find(address: str, trust: str | None = None) -> Cluster:
    """Ask an address what it is: a node with a manager, or a single cache server.

    :raises OSError: if nobody answers, or somebody else
    """
    status = _call(address, "GET", "/v1/status", None, CONNECT_SECONDS, trust)
    if status.status != OK or not isinstance(status.document, dict):
        raise ConnectionError(f"{address} answered with status {status.status}; is it a quiver node?")
    if status.document.get("kind") != "node":
        return Cluster(None, (address,))
    listed = status.document.get("servers") or ()
    return Cluster(address, tuple(reachable(str(each["uri"]), address) for each in listed))


def reachable(server: str, node: str) -> str:
    """The address of a server that listens everywhere: where its node was reached."""
    parts = urlsplit(server)
    if parts.hostname not in _ANY_HOST:
        return server
    return f"{parts.scheme}://{urlsplit(node).hostname}:{parts.port}"


class ManagerCalls:
    """Reports of one job and questions for its plan. Safe for many threads."""

    def __init__(self, manager: str, job: str, trust: str | None = None):
        self.manager = manager
        self._job = job
        self._trust = trust

    def report(self, document: dict[str, Any]) -> Reply:
        """Send a report; the answer is a plan."""
        path = f"/v1/jobs/{self._job}/heartbeat"
        return _call(self.manager, "POST", path, document, REPORT_SECONDS, self._trust)

    def poll(self, after: int) -> Reply:
        """Wait for a plan after this version; answers with the same one after a while."""
        path = f"/v1/jobs/{self._job}/plan?after={after}&wait_ms={int(POLL_SECONDS * 1000)}"
        return _call(self.manager, "GET", path, None, _POLL_TIMEOUT_SECONDS, self._trust)


def _call(address: str, method: str, path: str, document: Any, timeout: float, trust: str | None) -> Reply:
    parts = urlsplit(address)
    connection = _connection(parts.scheme, parts.hostname or "", parts.port, trust)
    try:
        connection.connect()
        connection.sock.settimeout(timeout)
        body = None if document is None else json.dumps(document).encode()
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
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


def _connection(scheme: str, host: str, port: int | None, trust: str | None) -> http.client.HTTPConnection:
    if scheme == "https":
        context = ssl.create_default_context(cafile=trust)
        return http.client.HTTPSConnection(host, port, timeout=CONNECT_SECONDS, context=context)
    return http.client.HTTPConnection(host, port, timeout=CONNECT_SECONDS)
