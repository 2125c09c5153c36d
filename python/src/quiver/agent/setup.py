"""What an agent is told when it starts."""

from __future__ import annotations

import base64
import hashlib
import json
import pickle
from dataclasses import dataclass
from urllib.parse import urlsplit

from quiver.digest import Digest
from quiver.store import Store


@dataclass(frozen=True)
class AgentSetup:
    """A job as its agent knows it.

    :param job: its name, unique among those that run
    :param cache: the address of a node or of a single cache server
    :param batch: how many items it takes at a time
    :param ahead: how many reads from the store bring chunks in at a time
    :param user: whose job it is, for quotas
    :param gpus: how many GPUs wait when it waits
    """

    job: str
    digest: Digest
    store: Store
    cache: str
    batch: int
    preload_reads: int = 8
    user: str = ""
    gpus: int = 1
    trust: str | None = None

    def line(self) -> bytes:
        """As one line for the agent's standard input; the store's options may be anything."""
        packed = base64.b64encode(pickle.dumps(self)).decode("ascii")
        return json.dumps({"setup": packed}).encode() + b"\n"

    @staticmethod
    def parse(line: bytes) -> AgentSetup:
        """From :meth:`line`, which only this process's own parent writes."""
        setup = pickle.loads(base64.b64decode(json.loads(line)["setup"]))  # noqa: S301
        if not isinstance(setup, AgentSetup):
            raise TypeError(f"a setup of {type(setup)}")
        return setup


def store_identity(uri: str) -> str:
    """A short name of a store, the same for all jobs that read it, that does not tell where it is.

    >>> store_identity("s3://bucket/a") == store_identity("s3://bucket/b")
    False
    """
    parts = urlsplit(uri if "://" in uri else f"file://{uri}")
    authority = "" if parts.hostname is None else f"{parts.hostname}:{parts.port or -1}"
    folder = parts.path.lstrip("/").split("/", 1)[0]
    place = f"{parts.scheme}://{authority}/{folder}"
    return hashlib.sha256(place.encode()).hexdigest()[:12]
