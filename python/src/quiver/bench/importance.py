"""Losses that become scores in a second of one processor, and the time of a list that is drawn by them."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence

import numpy as np

from quiver.importance import ItemScores
from quiver.importance_lists import ImportanceLists

TARGET = 1_000_000
_SHORTEST = 2.0


def losses_per_second(items: int, batch: int) -> float:
    """Report batches of random losses for two seconds of processor time."""
    random = np.random.default_rng(1)
    scores = ItemScores(items)
    batches = [(random.integers(0, items, batch), random.random(batch)) for _ in range(64)]
    reported, start = 0, time.process_time()
    while time.process_time() - start < _SHORTEST:
        for places, losses in batches:
            scores.report(places, losses)
        reported += batch * len(batches)
    return reported / (time.process_time() - start)


def seconds_per_list(items: int, batch: int) -> float:
    """Begin an epoch of a job whose items are all scored: draws a list and lays it out."""
    lists = ImportanceLists(items, batch, seed=1)
    lists.begin(0)
    everything = np.arange(items)
    losses = np.random.default_rng(2).random(items)
    for first in range(0, items, batch):
        lists.scores.report(everything[first : first + batch], losses[first : first + batch])
    start = time.process_time()
    lists.begin(1)
    return time.process_time() - start


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and tell by the exit code whether the target was met."""
    parser = argparse.ArgumentParser("python -m quiver.bench importance", description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--json", action="store_true", help="print one document and nothing else")
    options = parser.parse_args(arguments)
    rate = losses_per_second(options.items, options.batch)
    drawn = seconds_per_list(options.items, options.batch)
    if options.json:
        print(json.dumps({"losses_per_second": rate, "target": TARGET, "seconds_per_list": drawn}))
    else:
        print(f"losses       {rate:12,.0f} a second")
        print(f"a list       {drawn:12,.2f} s for {options.items:,} items")
    return 0 if rate >= TARGET else 1
