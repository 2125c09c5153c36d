"""The setup of a sampler, and the residency it is told for each draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["substitute", "strict"]
"""``substitute`` draws among what the cache holds; ``strict`` is one seeded shuffle whatever is cached."""

RingRole = Literal["leader", "follower"]
"""``sets``: one of the fastest jobs, mixes pinned and rotating items. ``follows``: takes the window first."""

EqualSteps = Literal["off", "pad", "drop"]
"""The way to equal steps: ranks with an item less repeat one (``pad``), or those with one more drop it."""

MAX_CHUNKS = 10_000


@dataclass(frozen=True)
class Setup:
    """The data set, batch, seed and ranks that a sampler is made for.

    :param items: how many items the data set has
    :param chunks: how many chunks it is divided into
    :param batch: how many items a batch has
    :param seed: decides every order; all ranks of a job share it (a signed number of 64 bits)
    :param rank: which of the job's processes this is, from 0
    :param ranks: how many processes share the epoch
    :param drop_last: whether a last batch that would be short is left out
    :param equal_steps: whether all ranks take the same number of steps
    :param homogeneous: whether a batch comes from one stretch of the data set; not for strict order
    """

    items: int
    chunks: int
    batch: int
    seed: int
    rank: int = 0
    ranks: int = 1
    drop_last: bool = False
    equal_steps: EqualSteps = "off"
    homogeneous: bool = False

    def __post_init__(self) -> None:
        if self.items < 0 or self.items >= 1 << 31 or self.batch < 1:
            raise ValueError(f"batches of {self.batch} from {self.items} items")
        if self.ranks < 1 or not 0 <= self.rank < self.ranks:
            raise ValueError(f"rank {self.rank} of {self.ranks}")
        if not 1 <= self.chunks <= MAX_CHUNKS:
            raise ValueError(f"{self.chunks} chunks; a data set has 1 to {MAX_CHUNKS} of them")
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise ValueError(f"seed {self.seed}; it is a signed number of 64 bits")
        if self.equal_steps not in ("off", "pad", "drop"):
            raise ValueError(f"equal steps {self.equal_steps!r}; use 'off', 'pad' or 'drop'")


@dataclass(frozen=True)
class Residency:
    """The chunks a job may expect in the cache, as the latest plan tells. A hint, never a promise.

    :param pinned: chunks that stay across epochs
    :param window: chunks that rotate, the one that leaves first in front
    :param loading: chunks that are being brought in, the one needed first in front
    :param ring: whether all other chunks get their turn in the cache too
    """

    pinned: tuple[int, ...] = ()
    window: tuple[int, ...] = ()
    loading: tuple[int, ...] = ()
    ring: bool = True

    def __post_init__(self) -> None:
        chunks = (*self.pinned, *self.window, *self.loading)
        if len(set(chunks)) != len(chunks):
            raise ValueError(
                f"a chunk is listed twice: pinned {self.pinned}, window {self.window}, loading {self.loading}"
            )


NOTHING_RESIDENT = Residency()
