"""A sampler."""

from __future__ import annotations

from quiver.sampling.sampler import Sampler
from quiver.sampling.setup import Setup
from quiver.sampling.state import EpochState


class StrictSampler(Sampler):
    """A sampler."""

    @classmethod
    def begin(cls, setup: Setup, epoch: int) -> Sampler:
        """Begin."""
        raise NotImplementedError

    @classmethod
    def resume(cls, setup: Setup, state: EpochState) -> Sampler:
        """Resume."""
        raise NotImplementedError
