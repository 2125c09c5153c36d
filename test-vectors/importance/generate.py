"""Makes importance.json with the Python package: PYTHONPATH=python/src python generate.py."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

import numpy as np

from quiver.importance import ItemScores, draw, lay_out, rank_scores
from quiver.order.permutation import derive

MASK = (1 << 64) - 1
NAMES = {math.inf: "inf", -math.inf: "-inf"}


def shown(loss: float) -> float | str | None:
    return None if math.isnan(loss) else NAMES.get(loss, loss)


def digest(entries: np.ndarray) -> str:
    return hashlib.sha256(entries.astype("<i4").tobytes()).hexdigest()


def case(items: int, batch: int, seed: int, floor: float, reports: int, odd: bool) -> dict:
    random = np.random.default_rng(items)
    scores = ItemScores(items)
    told = []
    for _ in range(reports):
        places = random.integers(0, items, min(batch, items))
        losses = np.round(random.exponential(1, len(places)), 2)
        if odd:
            losses[:4] = [math.nan, math.inf, -math.inf, -1.5]
        scores.report(places, losses)
        told.append(
            {
                "items": places.tolist(),
                "losses": [shown(loss) for loss in losses.tolist()],
                "scores": rank_scores(losses).tolist(),
            }
        )
    epochs = []
    for epoch in (0, 1, 7):
        drawn = draw(scores, floor, seed, epoch)
        laid = lay_out(drawn, items, batch, derive(~seed & MASK, epoch))
        epochs.append(
            {
                "epoch": epoch,
                "drawn": digest(drawn),
                "laid_out": digest(laid),
                "first": [drawn[:8].tolist(), laid[:8].tolist()],
                "distinct": len(np.unique(drawn)),
            }
        )
    return {"items": items, "batch": batch, "seed": seed, "floor": floor, "reports": told, "epochs": epochs}


CASES = [
    case(1, 1, 1, 0.6, 0, odd=False),
    case(10, 4, 2, 0, 3, odd=True),
    case(1_000, 32, 3, 0.6, 10, odd=True),
    case(1_000, 32, -4, 0.75, 10, odd=False),
    case(1_000, 32, 5, 1, 5, odd=False),
    case(100_000, 256, 2**63 - 1, 0.6, 6, odd=False),
]
text = ",\n".join(json.dumps(each) for each in CASES)
(Path(__file__).parent / "importance.json").write_text(f"[\n{text}\n]\n")
