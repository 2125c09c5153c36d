"""Where a server listens."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit


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
        """The endpoint of ``http://host:port`` or ``https://host:port``."""
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
