"""Makes importance.json, lists.json, groups.json and column.bin with the Python package: PYTHONPATH=python/src python generate.py."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

import numpy as np

from quiver.group_scores import GroupScores
from quiver.importance import ItemScores, Repetition, draw, lay_out, rank_scores
from quiver.importance_lists import ImportanceLists
from quiver.order.permutation import derive
from quiver.score_column import ScoreColumn

MASK = (1 << 64) - 1
NAMES = {math.inf: "inf", -math.inf: "-inf"}


def shown(loss: float) -> float | str | None:
    return None if math.isnan(loss) else NAMES.get(loss, loss)


def digest(entries: np.ndarray) -> str:
    return hashlib.sha256(entries.astype("<i4").tobytes()).hexdigest()


def case(items: int, batch: int, seed: int, floor: float, pool: float, reports: int, odd: bool) -> dict:
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
        repeated = Repetition(scores, pool, seed).draw(epoch)
        laid = lay_out(drawn, items, batch, derive(~seed & MASK, epoch))
        epochs.append(
            {
                "epoch": epoch,
                "drawn": digest(drawn),
                "laid_out": digest(laid),
                "repeated": digest(repeated),
                "first": [each[:8].tolist() for each in (drawn, laid, repeated)],
                "distinct": len(np.unique(drawn)),
            }
        )
    setup = {"items": items, "batch": batch, "seed": seed, "floor": floor, "pool": pool}
    return setup | {"reports": told, "epochs": epochs}


CASES = [
    case(1, 1, 1, 0.6, 1, 0, odd=False),
    case(10, 4, 2, 0, 0.3, 3, odd=True),
    case(1_000, 32, 3, 0.6, 0.5, 10, odd=True),
    case(1_000, 32, -4, 0.75, 0.01, 10, odd=False),
    case(1_000, 32, 5, 1, 0.999, 5, odd=False),
    case(100_000, 256, 2**63 - 1, 0.6, 0.45, 6, odd=False),
]


def job(items: int, step: int, seed: int, mode: str, epochs: int, pool: float = 1.0) -> dict:
    """Record the lists of a job whose losses follow from epoch and item; it returns to uniform in the end."""
    lists = ImportanceLists(items, step, seed, mode, pool=pool)
    recorded = []
    for epoch in range(epochs):
        lists.uniform = epoch >= epochs - 2
        lists.begin(epoch)
        places = np.arange(0, items, max(1, items // 50))
        recorded.append(
            {
                "list": digest(lists.list.entries),
                "following": digest(lists.following.entries),
                "priorities": lists.priorities(places).tolist(),
                "weights": lists.weights(places).tolist(),
                "unread": lists.unread(),
            }
        )
        for first in range(0, items, step):
            some = lists.list.entries[first : first + step].astype(np.int64)
            lists.scores.report(some, (some * 7919 + epoch * 104729) % 1009)
    setup = {"items": items, "step": step, "seed": seed, "mode": mode, "pool": pool}
    return setup | {"epochs": recorded}


JOBS = [
    job(10, 4, 1, "shade", 4),
    job(1_000, 32, 2, "shade", 5),
    job(1_000, 32, -3, "shade-boundary", 4),
    job(1_000, 32, 4, "shade-paper", 4),
    job(1_000, 32, 5, "shade", 5, pool=0.4),
    job(20_000, 256, 2**63 - 1, "shade", 4),
]


def group(items: int, batch: int, jobs: int, seed: int) -> tuple[dict, bytes]:
    """Record what the jobs of a group report before an epoch, and the scores that follow for the first one."""
    random = np.random.default_rng(seed)
    told, columns = [], []
    merged = ItemScores(items)
    for number in range(jobs):
        found = ItemScores(items)
        reports = []
        for _ in range(4):
            places, losses = random.integers(0, items, batch), np.round(random.exponential(1, batch), 2)
            found.report(places, losses)
            if number == 0:
                merged.report(places, losses)
            reports.append({"items": places.tolist(), "losses": losses.tolist()})
        told.append(reports)
        columns.append(ScoreColumn(3, found.largest_batch, found.state()[0]))
    heard = GroupScores(items)
    for column in columns[1:]:
        heard.hear(column)
    heard.take().merge_into(merged, columns[0].scores)
    packed = columns[0].pack(bytes.fromhex("8b0c940ea2bacea9"), salt=5)
    return {
        "items": items,
        "round": 3,
        "dataset": "8b0c940ea2bacea9",
        "salt": 5,
        "jobs": told,
        "merged": merged.state()[0].tolist(),
        "column": hashlib.sha256(packed).hexdigest(),
    }, packed


GROUPS = [group(10, 4, 2, 1), group(300, 16, 5, 2), group(40, 8, 1, 3)]


def write(name: str, cases: list[dict]) -> None:
    text = ",\n".join(json.dumps(each) for each in cases)
    (Path(__file__).parent / name).write_text(f"[\n{text}\n]\n")


write("importance.json", CASES)
write("lists.json", JOBS)
write("groups.json", [recorded for recorded, _ in GROUPS])
(Path(__file__).parent / "column.bin").write_bytes(GROUPS[0][1])
