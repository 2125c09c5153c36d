from __future__ import annotations

import itertools

import numpy as np

from quiver.order import RankEpochSampling, Setup
from quiver.plan import JobPlan
from quiver.torch.draws import RankDraws

ITEMS = 240


def plan(version: int, chunks: int) -> JobPlan:
    """Make a plan that holds all chunks: a sampler of fewer would not know the last of them."""
    held = [{"chunk": c, "generation": c, "role": "pinned", "state": "active"} for c in range(chunks)]
    dataset = {"dataset": "d", "items": ITEMS, "chunks": chunks, "ring": False, "held": held}
    return JobPlan.parse({"version": version, "members": [], "dataset": dataset})


def test_epoch_survives_divisions_that_change_between_any_two_looks_at_the_plan() -> None:
    plans = itertools.cycle([plan(1, 4), plan(2, 24), plan(3, 24), plan(4, 8)])
    sampling = RankEpochSampling("substitute", Setup(ITEMS, 1, 16, seed=9), 0, None)
    draws = RankDraws(sampling, None, lambda: next(plans), lambda: True, lambda: None)
    seen: list[int] = []
    for sequence in range(10 * ITEMS):
        if draws.all_read:
            break
        draw = draws.next(sequence, float(sequence))
        if draw is not None:
            items = np.concatenate((draw.candidates[: draw.want], draw.fetch))
            draws.deliver(sequence, items)
            seen += items.tolist()
    assert sorted(seen) == list(range(ITEMS))
