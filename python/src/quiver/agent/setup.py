"""The first message to an agent, which describes its job."""

from __future__ import annotations

import base64
import getpass
import hashlib
import json
import pickle
from dataclasses import dataclass, field, fields
from urllib.parse import urlsplit

from quiver import rules
from quiver.credentials import Credentials
from quiver.digest import Digest
from quiver.plan import SHARED_SPACE
from quiver.store import Store


def _user() -> str:
    try:
        return getpass.getuser()[:128]
    except (KeyError, OSError):
        return ""


@dataclass(frozen=True)
class AgentSetup:
    """A job as its agent knows it.

    :param job: its name, unique among those that run
    :param group: the name that all ranks of a distributed job share
    :param cache: the addresses of managers, tried in order, or of a single cache server
    :param batch: how many items it takes at a time
    :param preload_reads: how many reads from the store bring chunks in at a time
    :param user: whose job it is, for quotas
    :param gpus: how many GPUs wait when it waits
    :param shared: the space for what it misses at a single server without a manager
    """

    job: str
    group: str
    digest: Digest
    store: Store
    cache: tuple[str, ...]
    batch: int
    preload_reads: int = rules.PRELOAD_READS
    user: str = field(default_factory=_user)
    gpus: int = 1
    shared: str = SHARED_SPACE
    credentials: Credentials = field(default_factory=Credentials.none)

    def line(self) -> bytes:
        """Return one line for the agent's standard input; the store's options may be anything."""
        parts = {each.name: getattr(self, each.name) for each in fields(self)}
        parts["credentials"] = self.credentials.pack()
        packed = base64.b64encode(pickle.dumps(parts)).decode("ascii")
        return json.dumps({"setup": packed}).encode() + b"\n"

    @staticmethod
    def parse(line: bytes) -> AgentSetup:
        """Read what :meth:`line` wrote, which only this process's own parent does."""
        parts = pickle.loads(base64.b64decode(json.loads(line)["setup"]))  # noqa: S301
        parts["credentials"] = Credentials.unpack(parts["credentials"])
        return AgentSetup(**parts)


def store_identity(uri: str) -> str:
    """Return a short name of a store that is equal for all its jobs and does not tell where the store is.

    >>> store_identity("s3://bucket/a") == store_identity("s3://bucket/b")
    False
    """
    parts = urlsplit(uri if "://" in uri else f"file://{uri}")
    authority = "" if parts.hostname is None else f"{parts.hostname}:{parts.port or -1}"
    folder = parts.path.lstrip("/").split("/", 1)[0]
    place = f"{parts.scheme}://{authority}/{folder}"
    return hashlib.sha256(place.encode()).hexdigest()[:12]
