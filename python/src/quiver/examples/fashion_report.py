"""Shows the accuracy comparison as a table, a document and a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from quiver.examples import chart
from quiver.examples.equality import compare, summarize

ARMS = {
    "shuffle": "global shuffle",
    "quiver": "Quiver, 20 % cached",
    "sorted": "Quiver, ordered by class",
    "live": "Quiver live, ordered by class",
    "contiguous": "contiguous chunks of classes",
}
"""The orders that are compared, and what they are called."""


@dataclass(frozen=True)
class Result:
    """One training run.

    :param accuracies: on the test images after each epoch, in percent
    :param reads: where its images came from, if it ran through a cache
    """

    arm: str
    seed: int
    accuracies: list[float]
    seconds: float
    reads: dict[str, int]


def document(
    settings: Mapping[str, Any],
    results: Sequence[Result],
    margin: float,
    arms: Mapping[str, str] = ARMS,
    against: str = "shuffle",
) -> dict[str, Any]:
    """Return all findings, ready for JSON.

    :param against: the order that the others are compared with
    """
    groups = {arm: [each for each in results if each.arm == arm] for arm in arms}
    finals = {arm: [each.accuracies[-1] for each in runs] for arm, runs in groups.items() if runs}
    found: dict[str, Any] = {}
    for arm, values in finals.items():
        found[arm] = {**asdict(summarize(values)), "runs": [asdict(each) for each in groups[arm]]}
        if arm != against and min(len(values), len(finals.get(against, []))) > 1:
            found[arm][f"against_{against}"] = asdict(compare(values, finals[against], margin))
    return {"settings": dict(settings), "margin": margin, "orders": finite(found)}


def finite(value: Any) -> Any:
    """Replace NaN, for which JSON has no word."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def table(report: Mapping[str, Any], arms: Mapping[str, str] = ARMS, against: str = "shuffle") -> str:
    """Return the result for people."""
    rows = [("order", "seeds", "test accuracy, 95 % CI", "difference, 95 % CI", "p (Welch)", "p (TOST)")]
    for arm, found in report["orders"].items():
        mean, tests = _interval(found["mean"], found["half"], ""), _tests(found.get(f"against_{against}"))
        rows.append((arms[arm], str(found["count"]), mean, *tests))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    margin = report["margin"]
    return "\n".join(
        [
            *(line.rstrip() for line in lines),
            "",
            f"p (Welch): small if the accuracy differs from that of: {arms[against]}.",
            f"p (TOST): small if it is the same within ±{margin:g} points.",
        ]
    )


def _tests(against: Mapping[str, Any] | None) -> tuple[str, str, str]:
    if against is None:
        return "", "", ""
    difference = _interval(against["difference"], against["half"], "+")
    return difference, _p(against["p_equal"]), _p(against["p_equivalent"])


def _interval(middle: float, half: float | None, sign: str) -> str:
    return f"{middle:{sign}.2f}" + ("" if half is None else f" ± {half:.2f}")


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def html(report: Mapping[str, Any]) -> str:
    """Return a page with the final accuracies and how they came about."""
    orders = report["orders"]
    finals = {ARMS[arm]: [run["accuracies"][-1] for run in found["runs"]] for arm, found in orders.items()}
    near = {name: values for name, values in finals.items() if name != ARMS["contiguous"]}
    courses = {ARMS[arm]: _mean_course(found["runs"]) for arm, found in orders.items()}
    figures = (
        [chart.dots("Final test accuracy, each run a dot, mean and 95 % interval", near, " %")]
        if near
        else []
    )
    if courses:
        figures.append(chart.lines("Mean test accuracy after each epoch", courses, " %"))
    text = f"<pre>{escape(table(report))}</pre>"
    settings = ", ".join(f"{name} {value}" for name, value in report["settings"].items())
    return chart.page("Fashion-MNIST: does sampling by chunks cost accuracy?", [*figures, text], [settings])


def _mean_course(runs: Sequence[Mapping[str, Any]]) -> list[float]:
    epochs = min(len(run["accuracies"]) for run in runs)
    return [sum(run["accuracies"][epoch] for run in runs) / len(runs) for epoch in range(epochs)]
