"""The ranks of a distributed job, and what they have to agree on."""

from __future__ import annotations

import collections
import itertools
import json
import os
import re
import secrets
import socket
import sys
from pathlib import Path
from typing import Any, NamedTuple

import torch.distributed

_loaders: collections.Counter[str] = collections.Counter()
_unknown_ranks = itertools.count(1)


class Ranks(NamedTuple):
    """The rank of this process, and the number of processes."""

    rank: int
    world_size: int

    @staticmethod
    def find(rank: int | None, world_size: int | None) -> Ranks:
        """Take the rank that is given; else that of ``torch.distributed``; else the only one."""
        if (rank is None) != (world_size is None):
            raise ValueError("rank and world_size only come together")
        if rank is not None and world_size is not None:
            if not 0 <= rank < world_size:
                raise ValueError(f"rank={rank} of world_size={world_size}; ranks count from 0")
            return Ranks(rank, world_size)
        if is_distributed():
            return Ranks(torch.distributed.get_rank(), torch.distributed.get_world_size())
        return Ranks(0, 1)

    def __str__(self) -> str:
        return f"rank {self.rank} of {self.world_size}"


class RunName(NamedTuple):
    """The names of a run, which all its ranks share.

    :param name: of a job that was given none: the script's, a host's, and a random part
    :param suffix: tells this run from another whose job has the same name
    """

    name: str
    suffix: str

    @staticmethod
    def make(ranks: Ranks) -> RunName:
        """Make the names that this process would choose."""
        suffix = secrets.token_hex(4)
        script, host = _word(Path(sys.argv[0]).stem) or "python", _word(socket.gethostname())
        if ranks.world_size == 1 or is_distributed():
            return RunName(f"{script}-{host}-{suffix}", suffix)
        return RunName(f"{script}-{_launch()}-{next(_unknown_ranks)}", suffix)


def agreed(name: RunName, ranks: Ranks, dataset: str, order: dict[str, Any]) -> RunName:
    """Return the names that the first rank to come has chosen; refuses an order that is not that rank's.

    Uses the key-value store of the process group, so that no rank waits for another. The n-th loader of a
    data set is the n-th one in all ranks.
    """
    if not share_group(ranks):
        return name
    _loaders[dataset] += 1
    store = torch.distributed.distributed_c10d._get_default_store()
    said = store.compare_set(f"quiver/{dataset}/{_loaders[dataset]}", "", json.dumps([name, order]))
    first, others = json.loads(said)
    if others != order:
        raise ValueError(
            f"{ranks} has {_listed(order)}, another rank has {_listed(others)}: together they would lose and "
            "repeat samples. Give all ranks the same, and make their loaders in the same order"
        )
    return RunName(*first)


def _listed(order: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in order.items())


def _word(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", text)[:30]


def _launch() -> str:
    """Return a name for the run that its launcher gives all ranks, of which torch knows nothing."""
    names = ("TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "MASTER_PORT")
    given = [os.environ.get(name, "none") for name in names]
    return _word(next((each for each in given if each != "none"), "ranks"))


def is_distributed() -> bool:
    """Return True if this process is one of a group."""
    return torch.distributed.is_available() and torch.distributed.is_initialized()


def share_group(ranks: Ranks) -> bool:
    """Return True if these ranks are those of this process's group, so that they can gather values."""
    return is_distributed() and torch.distributed.get_world_size() == ranks.world_size


def gather(value: Any) -> list[Any]:
    """Return the values of all processes, by rank; every one of them has to call this."""
    if not is_distributed():
        return [value]
    values: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(values, value)
    return values
