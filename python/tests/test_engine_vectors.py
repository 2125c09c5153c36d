"""The reading protocol against the constants and decisions that Java's engine recorded."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cluster import HOME
from quiver import rules
from quiver.reading import missing
from quiver.reading.patience import ClaimPatience
from quiver.reading.shared_reads import Rank
from quiver.wire import Status

FOLDER = HOME / "test-vectors" / "engine"
STATUS = {"hit": Status.HIT, "miss": Status.MISS, "yours": Status.YOURS, "pending": Status.PENDING}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


def test_constants_are_those_of_the_java_engine() -> None:
    golden = json.loads((FOLDER / "constants.json").read_text())
    expected = {
        name.removesuffix("_us").upper(): value / 1e6 if name.endswith("_us") else value
        for name, value in golden.items()
    }
    assert {name: value for name, value in vars(rules).items() if name.isupper()} == expected


def test_preloading_is_throttled_as_in_the_java_engine() -> None:
    for case in lines("throttle.jsonl"):
        reads, under_way = case["reads"], case["under_way"]
        assert rules.may_claim(reads, under_way, demand_waits=False) == case["idle"]
        assert rules.may_claim(reads, under_way, demand_waits=True) == case["demand_waits"]


@pytest.mark.parametrize("case", lines("patience.jsonl"))
def test_patience_is_that_of_the_java_engine(case: dict[str, Any]) -> None:
    patience = ClaimPatience()
    for wait in case["waits"]:
        began, now = wait["began_ms"] / 1000, wait["now_ms"] / 1000
        (patience.delivered if wait["delivered"] else patience.in_vain)(began, now)
        assert patience.seconds(now) == pytest.approx(wait["wait_ns"] / 1e9)


class Answers:
    """A cache that answers as recorded, and a clock that passes as recorded."""

    def __init__(self, case: dict[str, Any]):
        self.questions = iter(case["questions"])
        self.now = 0.0
        self.actions: list[list[list[Any]]] = [[]]
        self.expected = [case["actions"]]
        self.pauses: list[float] = []
        self.expected_pauses: list[float] = []

    def get(self, hashes: Any, want: int | None = None, *, claim: bool = False) -> Any:
        asked = next(self.questions)
        assert claim
        assert hashes.tolist() == asked["ask"]
        self.now += asked["took_ms"] / 1000
        self.actions.append([])
        self.expected.append(asked["actions"])
        if asked["pause_ms"]:
            self.expected_pauses.append(asked["pause_ms"] / 1000)
        if asked["answer"] is None:
            return None
        status = np.array([STATUS[each] for each in asked["answer"]])
        return SimpleNamespace(
            status=status,
            failures=["down"] if asked["failing"] else [],
            payload=lambda place: b"x" if status[place] == Status.HIT else None,
        )

    def all_failed(self, failures: int) -> bool:
        return False

    def submit(self, call: Any, item: int, space: str | None, rank: Rank, shared: bool) -> None:
        assert (rank, shared) == (Rank(0, None), False)
        self.actions[-1].append(["fetch", item, -1 if space is None else int(space)])

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


@pytest.mark.parametrize("case", lines("misses.jsonl"))
def test_misses_are_resolved_as_in_the_java_engine(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Answers(case)
    monkeypatch.setattr(missing, "time", SimpleNamespace(monotonic=lambda: answers.now, sleep=answers.sleep))
    digest = SimpleNamespace(hashes=np.arange(1000))
    sources: Any = SimpleNamespace(digest=digest, access=answers, pool=answers, patience=ClaimPatience())
    spaces = [None if space < 0 else str(space) for space in case["spaces"]]
    resolved = missing.MissingItems(sources, case["items"], spaces)
    if case["supply"] == "store":
        resolved.from_store()
    else:
        resolved.together()
    fetched = [[each for each in actions if each[0] == "fetch"] for actions in answers.expected]
    assert answers.actions == fetched
    assert answers.pauses == pytest.approx(answers.expected_pauses)
    assert next(answers.questions, None) is None
    every = [each for actions in answers.expected for each in actions]
    assert resolved.cached == sum(each[0] == "hit" for each in every)
    assert resolved.cooperative == sum(each[0] == "cooperative" for each in every)
