from __future__ import annotations

from typing import Any

import pytest

from quiver.manager import parse_addresses, reachable
from quiver.plan import JobPlan, PlanError
from quiver.speeds import Interval, LoopClock, SpeedMeter


def document(**changes: Any) -> dict[str, Any]:
    plan = {
        "version": 7,
        "members": [{"name": "s1", "uri": "http://127.0.0.1:1", "weight": 16}],
        "dataset": {
            "dataset": "0123456789abcdef",
            "items": 100,
            "bytes": 1000,
            "chunks": 10,
            "ring": True,
            "held": [
                {"chunk": 1, "generation": 1, "role": "PINNED", "state": "ACTIVE"},
                {"chunk": 2, "generation": 2, "role": "ROTATING", "state": "ACTIVE"},
                {"chunk": 3, "generation": 3, "role": "rotating", "state": "marked"},
                {"chunk": 4, "generation": 4, "role": "ROTATING", "state": "LOADING"},
                {"chunk": 5, "generation": 5, "role": "PINNED", "state": "LOADING"},
            ],
        },
        "ring_role": "FOLLOWER",
        "shared": None,
        "probe": {"id": 3, "supply_mode": "MISS", "batches": 5},
        "something_new": 1,
    }
    return {**plan, **changes}


def test_a_plan_tells_what_samplers_may_expect() -> None:
    plan = JobPlan.parse(document())
    assert plan.dataset is not None
    residency = plan.dataset.residency()
    assert residency.pinned == (1,)
    assert residency.window == (3, 2), "the one that leaves first in front"
    assert residency.loading == (4, 5)
    assert plan.dataset.space(4) == "ds-0123456789abcdef.10.4"
    assert (plan.ring_role, plan.shared, plan.probe and plan.probe.batches) == ("follower", None, 5)


def test_a_plan_of_an_older_manager_is_followed() -> None:
    plan = JobPlan.parse({"version": 1, "members": [], "dataset": None, "ring_role": "LEADER"})
    assert (plan.shared, plan.probe) == (None, None)


def test_a_plan_about_another_data_set_does_not_fit() -> None:
    plan = JobPlan.parse(document())
    assert plan.fits("0123456789abcdef", 100)
    assert not plan.fits("0123456789abcdef", 101)
    assert not plan.fits("fedcba9876543210", 100)


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": "x"},
        {"members": None},
        {"members": [{}]},
        {"ring_role": "gallop"},
        {"dataset": {"dataset": "x", "items": 1, "chunks": 0, "ring": True, "held": []}},
        {"dataset": 7},
    ],
)
def test_nonsense_is_refused_as_such(wrong: dict[str, Any]) -> None:
    with pytest.raises(PlanError, match="makes no sense"):
        JobPlan.parse(document(**wrong))


def test_addresses_are_read_in_both_forms() -> None:
    assert parse_addresses("localhost:7400") == ("http://localhost:7400",)
    assert parse_addresses(["https://cache.example:443/"]) == ("https://cache.example:443",)
    for wrong in ("localhost", "ftp://x:1", "http://x:1/path", "http://x:port", "", "a:1,", [], "u:p@x:1"):
        with pytest.raises(ValueError, match="write http://host:port"):
            parse_addresses(wrong)
    assert reachable("http://0.0.0.0:7401", "http://node:7400") == "http://node:7401"


def test_the_clock_tells_work_from_waiting() -> None:
    clock = LoopClock()
    clock.asked(0)
    assert clock.answered(1, 10) == Interval(None, 1)
    clock.asked(3)
    assert clock.answered(3.5, 10) == Interval(2.5, 0.5)
    assert clock.item_seconds == pytest.approx(0.2)


def test_speeds_are_measured_by_supply_mode_in_whole_blocks() -> None:
    meter = SpeedMeter(ahead=2)
    for step in range(30):
        meter.delivered(10, Interval(1.0, 0.25), "hit", False, step)
    speeds = meter.speeds(to_come=-1, last_probe=0, now=30)
    assert speeds["hit"]["seconds"] == pytest.approx(0.1)
    assert speeds["hit"]["batches"] == 24
    assert speeds["miss"]["seconds"] == 0
    assert speeds["stall"] == pytest.approx(0.25)


def test_a_pause_of_the_loop_is_no_speed() -> None:
    meter = SpeedMeter(ahead=1)
    for step in range(40):
        seconds = 50.0 if step == 20 else 1.0
        meter.delivered(10, Interval(seconds, 0.0), "miss", False, step)
    assert meter.speeds(-1, 0, 40)["miss"]["seconds"] == pytest.approx(0.1)
