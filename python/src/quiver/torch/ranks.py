"""The ranks of a distributed job."""

from __future__ import annotations

import itertools
import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import torch.distributed

_loaders = itertools.count(1)


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

    def seed(self, seed: int | None, generator: torch.Generator | None) -> int:
        """Return the seed given; else one of torch's, or 0 for several ranks, which must agree."""
        if seed is not None or self.world_size > 1:
            return seed or 0
        return int(torch.empty((), dtype=torch.int64).random_(generator=generator).item())


def is_distributed() -> bool:
    """Return True if this process is one of a group."""
    return torch.distributed.is_available() and torch.distributed.is_initialized()


def gather(value: Any) -> list[Any]:
    """Return the values of all processes, by rank; every one of them has to call this."""
    if not is_distributed():
        return [value]
    values: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(values, value)
    return values


def job_name(ranks: Ranks) -> str:
    """Make a name for a job that has none: the script's, and one that tells this run from others.

    All ranks of a job make the same one, if they make their loaders in the same order.
    """
    script = re.sub(r"[^A-Za-z0-9._-]", "-", Path(sys.argv[0] or "python").stem or "python")[:40]
    shared = os.environ.get("TORCHELASTIC_RUN_ID") or os.environ.get("MASTER_PORT") or "ranks"
    run = str(os.getpid()) if ranks.world_size == 1 else re.sub(r"[^A-Za-z0-9._-]", "-", shared)[:40]
    number = next(_loaders)
    return f"{script}-{run}" if number == 1 else f"{script}-{run}-{number}"
