"""Talking HTTP/1.1 to one server: pooled connections, deadlines, retries, and rest for a failed server."""

from quiver.transport.connection import Endpoint
from quiver.transport.errors import ExchangeError, Trouble
from quiver.transport.link import LinkConfig, Request, ServerLink

__all__ = ["Endpoint", "ExchangeError", "LinkConfig", "Request", "ServerLink", "Trouble"]
