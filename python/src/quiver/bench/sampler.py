"""Samples drawn and settled in a second, as a training process does it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence

import numpy as np

from quiver.order import Kind, Residency, Setup, begin

TARGET = 300_000


def items_per_second(kind: Kind, homogeneous: bool, items: int, chunks: int, batch: int) -> float:
    """Draw one epoch with a fifth pinned and a window that moves on; every draw is delivered whole."""
    start = time.perf_counter()
    setup = Setup(items, chunks, batch, seed=1, homogeneous=homogeneous)
    sampler = begin(kind, setup, epoch=0)
    pinned = chunks // 5
    rotating = chunks - pinned
    per_chunk = max(1, items // chunks // batch)
    turn = 0
    while True:
        at = turn // per_chunk
        window = tuple(pinned + (at + step) % rotating for step in range(2))
        draw = sampler.draw(Residency(tuple(range(pinned)), window, (pinned + (at + 2) % rotating,)))
        if draw is None:
            break
        found = draw.candidates[: draw.want]
        sampler.settle(draw, np.concatenate((found, draw.missing(found))))
        turn += 1
    assert sampler.finished
    return items / (time.perf_counter() - start)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and tell by the exit code whether the target was met."""
    parser = argparse.ArgumentParser("python -m quiver.bench sampler", description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--json", action="store_true", help="print one document and nothing else")
    options = parser.parse_args(arguments)
    kinds: list[tuple[str, Kind, bool]] = [
        ("substitute", "substitute", False),
        ("strict", "strict", False),
        ("homogeneous", "substitute", True),
    ]
    rates = {
        name: items_per_second(kind, alike, options.items, options.chunks, options.batch)
        for name, kind, alike in kinds
    }
    if options.json:
        print(json.dumps({"items_per_second": rates, "target": TARGET}))
    else:
        for name, rate in rates.items():
            print(f"{name:12} {rate:12,.0f} items/s")
    return 0 if min(rates["substitute"], rates["strict"]) >= TARGET else 1
