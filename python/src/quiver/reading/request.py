"""The messages between the training process and its workers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.credentials import Credentials
from quiver.order import Draw


class Ranking(NamedTuple):
    """The priorities of the items of a draw, once they were read.

    :param job: the name under which all ranks of a job rank
    :param position: how many samples the job has read then; None where priorities are scores
    :param priorities: of each fetched item of the draw, larger for what is kept longer; -1 for those that
        keep the one they have
    """

    job: str
    position: int | None
    priorities: npt.NDArray[np.int64]


class BatchRequest(NamedTuple):
    """One draw to be read.

    :param sequence: which of the epoch's requests this is
    :param draw: what to read
    :param probed: whether nothing is looked up and everything is read from the store
    :param job: the name claims are held under
    :param version: of the plan; 0 for none
    :param plan: the plan as JSON, read only when its version is new to the worker; empty for none
    :param ranking: how much the items matter from now on; None where all matter alike
    :param credentials: show the cache servers who asks
    """

    sequence: int
    draw: Draw
    probed: bool
    job: str
    version: int
    plan: bytes
    ranking: Ranking | None
    credentials: Credentials

    def __reduce__(self) -> Any:
        """Pack the credentials, with the token, for the pipe to a worker."""
        return _received, (*self[:-1], self.credentials.pack())


def _received(*fields: Any) -> BatchRequest:
    return BatchRequest._make((*fields[:-1], Credentials.unpack(fields[-1])))


class Counts(NamedTuple):
    """The sources of a batch's items.

    :param cached: from the cache at once
    :param cooperative: from the cache after another job had fetched them
    :param stored: from the store
    :param stored_bytes: how many bytes those had
    :param substituted: taken in place of others
    :param changed: not what the digest says
    :param cache_failure: why no cache server answered; empty if one did
    """

    cached: int = 0
    cooperative: int = 0
    stored: int = 0
    stored_bytes: int = 0
    substituted: int = 0
    changed: int = 0
    cache_failure: str = ""


class ReadBatch(NamedTuple):
    """A batch whose items have all been read.

    :param items: their indices
    :param payloads: their bytes, as ``bytes`` or ``memoryview``
    """

    items: Any
    payloads: list[Any]
    counts: Counts
