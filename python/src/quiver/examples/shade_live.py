"""Reads what a training run has read through a real cache server of a given size, and measures it."""

from __future__ import annotations

import json
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quiver.examples.program import ExampleError
from quiver.examples.shade_training import SAMPLINGS, Course
from quiver.plan import SHARED_SPACE, ranked_space
from quiver.store import Store
from quiver.torch import QuiverDataLoader, QuiverDataset


class CachePolicy(NamedTuple):
    """A way to read a data set through a cache.

    :param title: for people
    :param sampling: of the training run that is read again
    :param keeper: of the cache
    """

    title: str
    sampling: str
    keeper: str


POLICIES = {
    "lru": CachePolicy("shuffle, LRU", "shuffle", "recent"),
    "lru-same-draws": CachePolicy("draws by importance, LRU", "shade-paper", "recent"),
    "lru-laid-out": CachePolicy("shade's lists, LRU", "shade", "recent"),
    "shade-paper": CachePolicy("shade-paper", "shade-paper", "ranked"),
    "shade-boundary": CachePolicy("shade, at the boundary", "shade-boundary", "ranked"),
    "shade": CachePolicy("shade", "shade", "ranked"),
    "repetition": CachePolicy("shade with repetition", "repetition", "ranked"),
}


@dataclass(frozen=True)
class LiveReading:
    """The settings that all readings have in common.

    :param server: the address of a cache server by itself
    :param mbps: of the line to the store
    """

    digest: Path
    store: Path
    server: str
    batch: int
    epochs: int
    mbps: float

    def read(self, policy: str, share: float, course: Course, version: int) -> dict[str, Any]:
        """Read the epochs of a training run; its losses are reported again, so that its lists come again.

        :param share: of the data set that the cache may hold
        :param version: larger than that of any reading before
        """
        chosen = POLICIES[policy]
        sampling = SAMPLINGS[chosen.sampling]
        dataset = QuiverDataset(self.digest, Store.open(self.store, mbps=self.mbps), labels=False)
        job = f"{policy}-{version}"
        space = SHARED_SPACE if sampling.mode is None else ranked_space(dataset.digest.key)
        self._order(space, chosen.keeper, int(share * dataset.digest.bytes), job, version)
        loader = QuiverDataLoader(
            dataset,
            self.batch,
            sampler=sampling.mode or "strict",
            pool=sampling.pool,
            seed=course.seed,
            cache=self.server,
            job=job,
            collate_fn=len,
        )
        counts, seconds, distinct = [], [], []
        with loader:
            for epoch in range(self.epochs):
                seen: set[int] = set()
                seconds.append(_epoch(loader, course.losses[epoch], seen))
                counts.append(loader.statistics()["store_reads"])
                distinct.append(len(seen) / len(dataset))
        return self._found(policy, share, len(dataset), counts, seconds, distinct)

    def _found(
        self,
        policy: str,
        share: float,
        items: int,
        reads: list[int],
        seconds: list[list[float]],
        distinct: list[float],
    ) -> dict[str, Any]:
        later = [each for epoch in seconds[1:] for each in epoch]
        return {
            "policy": policy,
            "cache_fraction": share,
            "hit_ratio": 1 - (reads[-1] - reads[0]) / (items * (self.epochs - 1)),
            "hit_ratio_with_first_epoch": 1 - reads[-1] / (items * self.epochs),
            "coverage": float(np.mean(distinct)),
            "load_seconds_mean": float(np.mean(later)),
            "load_seconds_deviation": float(np.std(later)),
            "samples_per_second": items * (self.epochs - 1) / sum(later),
        }

    def _order(self, space: str, keeper: str, quota: int, job: str, version: int) -> None:
        """Order one space and nothing else; a space of the reading before goes."""
        jobs = {"jobs": [job]} if keeper == "ranked" else {}
        for number, spaces in enumerate(
            ([], [{"name": space, "keeper": keeper, "quota_bytes": quota, **jobs}])
        ):
            plan = {"version": 2 * version + number, "prefix": "ds-", "spaces": spaces}
            request = urllib.request.Request(  # noqa: S310 - our own server
                f"{self.server}/v1/spaces",
                json.dumps(plan).encode(),
                {"Content-Type": "application/json"},
                method="POST",
            )
            try:
                urllib.request.urlopen(request, timeout=60).close()  # noqa: S310
            except OSError as e:
                raise ExampleError(f"the cache server does not take the plan {plan}: {e}") from e


def _epoch(loader: QuiverDataLoader, losses: Any, seen: set[int]) -> list[float]:
    """Read an epoch; returns the time that each batch took."""
    seconds: list[float] = []
    place = 0
    batches = iter(loader)
    while True:
        begun = time.monotonic()
        count = next(batches, None)
        if count is None:
            return seconds
        seconds.append(time.monotonic() - begun)
        seen.update(loader.batch.indices.tolist())
        loader.report(losses[place : place + count])
        place += count
