"""Shows a sweep as a document, a table and a page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from quiver.examples import chart
from quiver.examples.sweep_run import Outcome

ARMS = {"plain": "plain PyTorch", "quiver": "Quiver"}
"""The sides of the comparison, and their names."""


def document(settings: Mapping[str, Any], plain: Outcome, quiver: Outcome, share: float) -> dict[str, Any]:
    """Return all findings, ready for JSON."""
    ideal = 1 - share + quiver.rotating
    return {
        "settings": dict(settings),
        "plain": {**plain.__dict__, "later": plain.later},
        "quiver": {**quiver.__dict__, "later": quiver.later},
        "speedup": plain.seconds / quiver.seconds,
        "ideal": ideal,
        "against_ideal": quiver.later / ideal,
    }


def table(found: Mapping[str, Any]) -> str:
    """Return the result for people."""
    rows = [("", "wall time", "first epoch", "later epochs", "training accuracy by learning rate")]
    for arm, name in ARMS.items():
        each = found[arm]
        accuracy = ", ".join(f"{rate}: {right:g} %" for rate, right in each["right"].items())
        rows.append(
            (name, f"{each['seconds']:.1f} s", f"{each['epochs'][0]:.2f}", f"{each['later']:.2f}", accuracy)
        )
    lines = [f"{row[0]:14}{row[1]:>10}{row[2]:>13}{row[3]:>14}   {row[4]}" for row in rows]
    return "\n".join(
        [*lines, "(epochs: data sets read from the store, all jobs together)", "", _verdict(found)]
    )


def _verdict(found: Mapping[str, Any]) -> str:
    quiver = found["quiver"]
    shares = f"{quiver['held']:.2f} held, {quiver['rotating']:.2f} of it rotating"
    return (
        f"{found['speedup']:.1f} times as fast. 1 - c + w is {found['ideal']:.2f} data sets ({shares}); "
        f"later epochs read {found['against_ideal']:.2f} times that."
    )


def html(found: Mapping[str, Any]) -> str:
    """Return a page with wall times and the amounts read."""
    seconds = {name: found[arm]["seconds"] for arm, name in ARMS.items()}
    reads = {
        f"{name}, {when}": found[arm]["epochs"][0] if when == "first epoch" else found[arm]["later"]
        for arm, name in ARMS.items()
        for when in ("first epoch", "later epochs")
    }
    figures = [
        chart.bars("Wall time of the sweep", seconds, " s"),
        chart.bars("Data sets read from the store in an epoch, all jobs together", reads, ""),
        f"<pre>{escape(table(found))}</pre>",
    ]
    settings = ", ".join(f"{name} {value}" for name, value in found["settings"].items())
    return chart.page("A sweep over learning rates behind a slow line", figures, [settings])
