"""What the training process asks of a worker, and what comes back."""

from __future__ import annotations

from typing import Any, NamedTuple

from quiver.order import Draw


class BatchRequest(NamedTuple):
    """One draw to be read.

    :param sequence: which of the epoch's requests this is
    :param draw: what to read
    :param probed: whether nothing is looked up and everything is read from the store
    :param job: the name claims are held under
    :param version: of the plan; 0 for none
    :param plan: the plan as JSON, read only when its version is new to the worker; empty for none
    """

    sequence: int
    draw: Draw
    probed: bool
    job: str
    version: int
    plan: bytes


class Counts(NamedTuple):
    """Where the items of a batch came from.

    :param cached: from the cache at once
    :param cooperative: from the cache after another job had fetched them
    :param stored: from the store
    :param stored_bytes: how many bytes those had
    :param substituted: taken in place of others
    :param changed: not what the digest says
    :param cache_down: whether no cache server answered
    """

    cached: int = 0
    cooperative: int = 0
    stored: int = 0
    stored_bytes: int = 0
    substituted: int = 0
    changed: int = 0
    cache_down: bool = False


class ReadBatch(NamedTuple):
    """A batch whose items have all been read.

    :param items: their indices
    :param payloads: their bytes, as ``bytes`` or ``memoryview``
    """

    items: Any
    payloads: list[Any]
    counts: Counts
