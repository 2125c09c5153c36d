"""Shows what sampling by importance brings, as tables, a document and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

import numpy as np

from quiver.examples import chart
from quiver.examples.equality import summarize
from quiver.examples.fashion_report import finite
from quiver.examples.shade_live import POLICIES
from quiver.examples.shade_training import SAMPLINGS, Course

_BELOW_FINAL = 2.0


def document(
    settings: Mapping[str, Any],
    courses: Mapping[str, Sequence[Course]],
    readings: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return all findings, ready for JSON."""
    speeds = _speeds(readings)
    sets = {}
    for name, runs in courses.items():
        items = settings["items"][name]
        shuffled = [run.accuracies[-1] for run in runs if run.sampling == "shuffle"]
        target = float(np.mean(shuffled)) - _BELOW_FINAL
        sets[name] = {
            "target_accuracy": target,
            "samplings": {
                sampling: _sampling([run for run in runs if run.sampling == sampling], target, items, speeds)
                for sampling in SAMPLINGS
            },
        }
    found = {"settings": dict(settings), "training": sets, "reading": list(readings)}
    return {name: finite(each) for name, each in found.items()}


def _speeds(readings: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the samples a second of each sampling with the smallest cache, when the store limits."""
    if not readings:
        return {}
    least = min(each["cache_fraction"] for each in readings)
    return {
        POLICIES[each["policy"]].sampling: each["samples_per_second"]
        for each in readings
        if each["cache_fraction"] == least and not each["policy"].startswith("lru-")
    }


def _sampling(
    runs: Sequence[Course], target: float, items: int, speeds: Mapping[str, float]
) -> dict[str, Any]:
    samples = [found for run in runs if (found := run.samples_to(target, items)) is not None]
    speed = speeds.get(runs[0].sampling)
    mean = float(np.mean(samples)) if samples else None
    return {
        "final_accuracy": asdict(summarize([run.accuracies[-1] for run in runs])),
        "coverage": float(np.mean([run.coverage for run in runs])),
        "wrong_labels": float(np.mean([run.wrong for run in runs])),
        "reached_target": len(samples),
        "samples_to_target": mean,
        "load_seconds_to_target": None if mean is None or speed is None else mean / speed,
        "runs": [run.document() for run in runs],
    }


def table(report: Mapping[str, Any]) -> str:
    """Return the findings for people."""
    parts = []
    for name, found in report["training"].items():
        parts.append(f"{name}: {report['settings']['items'][name]} images")
        parts.append(_columns(_training_rows(found)))
    parts.append(f"read through a cache ({report['settings']['live_set']}):")
    parts.append(_columns(_reading_rows(report["reading"])))
    return "\n\n".join(parts)


def _training_rows(found: Mapping[str, Any]) -> list[tuple[str, ...]]:
    target = found["target_accuracy"]
    rows: list[tuple[str, ...]] = [
        (
            "sampling",
            "final accuracy",
            "coverage",
            "wrong labels",
            f"samples to {target:.1f} %",
            "load s to it",
        )
    ]
    for sampling, each in found["samplings"].items():
        final = each["final_accuracy"]
        half = "" if final["half"] is None else f" ± {final['half']:.2f}"
        rows.append(
            (
                SAMPLINGS[sampling].title,
                f"{final['mean']:.2f}{half}",
                f"{each['coverage']:.1%}",
                f"{each['wrong_labels']:.1%}",
                _number(each["samples_to_target"]),
                _number(each["load_seconds_to_target"]),
            )
        )
    return rows


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _reading_rows(readings: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        ("cached", "policy", "hits", "coverage", "load ms", "deviation ms", "samples/s", "of LRU")
    ]
    lru = {each["cache_fraction"]: each for each in readings if each["policy"] == "lru"}
    for each in readings:
        base = lru[each["cache_fraction"]]["samples_per_second"]
        rows.append(
            (
                f"{each['cache_fraction']:.0%}",
                POLICIES[each["policy"]].title,
                f"{each['hit_ratio']:.3f}",
                f"{each['coverage']:.1%}",
                f"{1000 * each['load_seconds_mean']:.1f}",
                f"{1000 * each['load_seconds_deviation']:.1f}",
                f"{each['samples_per_second']:,.0f}",
                f"{each['samples_per_second'] / base:.2f}",
            )
        )
    return rows


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def html(report: Mapping[str, Any]) -> str:
    """Return a page with plots."""
    figures = []
    readings = report["reading"]
    for share in sorted({each["cache_fraction"] for each in readings}):
        at = {POLICIES[r["policy"]].title: r["hit_ratio"] for r in readings if r["cache_fraction"] == share}
        figures.append(chart.bars(f"Hit ratio with {share:.0%} cached", at, ""))
    if readings:
        least = min(each["cache_fraction"] for each in readings)
        small = [each for each in readings if each["cache_fraction"] == least]
        for key, title in (("load_seconds_mean", "Mean"), ("load_seconds_deviation", "Deviation")):
            at = {POLICIES[each["policy"]].title: 1000 * each[key] for each in small}
            figures.append(chart.bars(f"{title} time to load a batch with {least:.0%} cached", at, " ms"))
    for name, found in report["training"].items():
        figures += _training_figures(name, found)
    text = f"<pre>{escape(table(report))}</pre>"
    settings = ", ".join(f"{name} {value}" for name, value in report["settings"].items())
    return chart.page("Does sampling by importance pay?", [*figures, text], [settings])


def _training_figures(name: str, found: Mapping[str, Any]) -> list[str]:
    finals, courses, coverage = {}, {}, {}
    for sampling, each in found["samplings"].items():
        title = SAMPLINGS[sampling].title
        runs = [run["accuracies"] for run in each["runs"]]
        finals[title] = [run[-1] for run in runs]
        courses[title] = np.mean(runs, axis=0).tolist()
        coverage[title] = 100 * each["coverage"]
    return [
        chart.dots(f"{name}: final test accuracy, each run a dot", finals, " %"),
        chart.lines(f"{name}: mean test accuracy after each half of an epoch", courses, " %"),
        chart.bars(f"{name}: share of different samples in an epoch", coverage, " %"),
    ]
