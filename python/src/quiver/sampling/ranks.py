"""The samplers of a job with several ranks."""

from __future__ import annotations

from quiver.sampling.sampler import Sampler
from quiver.sampling.setup import Kind, Setup
from quiver.sampling.state import EpochState


class RankEpochSampling:
    """Makes the sampler of one rank for one epoch.

    The items are divided among the ranks before they are divided into chunks: so all ranks agree on who
    reads what even while they follow different plans, and the number of chunks may change in mid-epoch.

    :param setup: the job's; its ``chunks`` are not looked at
    :param before: what all ranks together had delivered of this epoch before it was resumed
    """

    def __init__(self, kind: Kind, setup: Setup, epoch: int, before: EpochState | None = None):
        self.kind = kind
        self.setup = setup
        self.epoch = epoch
        self.before = before
        self.padding_item: int | None = None

    def begin(self, chunks: int) -> Sampler:
        """The beginning of the epoch, or where it is taken up again."""
        raise NotImplementedError

    def again(self, chunks: int, state: EpochState) -> Sampler:
        """The same rest with another number of chunks; nothing of it may be out."""
        raise NotImplementedError
