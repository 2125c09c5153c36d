"""A page with plots that needs nothing else: scalable graphics written by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from quiver.examples.equality import summarize

_COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#a463f2", "#9c6b4e")
_WIDTH, _ROW, _LEFT, _RIGHT = 720, 44, 230, 30
_VALUE = 70


def page(title: str, figures: Sequence[str], notes: Sequence[str]) -> str:
    """Return a whole page."""
    body = "\n".join(figures) + "".join(f"<p>{escape(note)}</p>" for note in notes)
    style = (
        "body{font:15px sans-serif;max-width:800px;margin:2em auto;padding:0 1em;color:#222}"
        "svg text{font:13px sans-serif}pre{font-size:12px;overflow-x:auto}"
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style><h1>{escape(title)}</h1>\n{body}</html>\n"
    )


def dots(title: str, groups: Mapping[str, Sequence[float]], unit: str) -> str:
    """Plot one row for each group: every value a dot, the mean with its 95 % confidence interval a bar."""
    low, high = _span([value for values in groups.values() for value in values])

    def x(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    height = _ROW * (len(groups) + 2)
    parts = [_heading(title)]
    for tick in _ticks(low, high):
        parts += [
            _line(x(tick), 30, x(tick), height - 34, "#ddd", 1),
            f'<text x="{x(tick):.1f}" y="{height - 16}" text-anchor="middle">{tick:g}{escape(unit)}</text>',
        ]
    for row, (name, values) in enumerate(groups.items()):
        parts += _row(name, values, _ROW * (row + 1) + 12, _COLOURS[row % len(_COLOURS)], x)
    return _svg(height, parts, title)


def _row(name: str, values: Sequence[float], y: float, colour: str, x: Callable[[float], float]) -> list[str]:
    summary = summarize(values)
    parts = [f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>']
    for value in values:
        parts += [f'<circle cx="{x(value):.1f}" cy="{y}" r="5" fill="{colour}" fill-opacity="0.55"/>']
    if summary.count > 1:
        left, right = x(summary.mean - summary.half), x(summary.mean + summary.half)
        parts.append(_line(max(left, _LEFT - 8), y + 12, min(right, _WIDTH), y + 12, colour, 3))
    parts.append(_line(x(summary.mean), y - 9, x(summary.mean), y + 16, "#222", 2))
    return parts


def bars(title: str, values: Mapping[str, float], unit: str) -> str:
    """Plot one bar for each value, all from zero."""
    longest = max(values.values()) or 1.0
    height = _ROW * (len(values) + 1)
    parts = [_heading(title)]
    for row, (name, value) in enumerate(values.items()):
        y, colour = _ROW * (row + 1) - 6, _COLOURS[row % len(_COLOURS)]
        width = max(0.0, value) / longest * (_WIDTH - _LEFT - _VALUE)
        parts += [
            f'<text x="{_LEFT - 12}" y="{y + 16}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="24" fill="{colour}"/>',
            f'<text x="{_LEFT + width + 8:.1f}" y="{y + 16}">{value:.3g}{escape(unit)}</text>',
        ]
    return _svg(height, parts, title)


def lines(title: str, groups: Mapping[str, Sequence[float]], unit: str) -> str:
    """Plot one line for each group, with a value for each epoch."""
    low, high = _span([value for values in groups.values() for value in values])
    longest = max(len(values) for values in groups.values())
    height, top, bottom = 320, 34, 40

    def point(epoch: int, value: float) -> str:
        across = _LEFT + epoch / max(1, longest - 1) * (_WIDTH - _LEFT - _RIGHT)
        return f"{across:.1f},{top + (high - value) / (high - low) * (height - top - bottom):.1f}"

    parts = [_heading(title)]
    for tick in _ticks(low, high):
        y = float(point(0, tick).split(",")[1])
        parts += [
            _line(_LEFT, y, _WIDTH - _RIGHT, y, "#ddd", 1),
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}{escape(unit)}</text>',
        ]
    for epoch in range(longest):
        across = point(epoch, low).split(",")[0]
        parts.append(f'<text x="{across}" y="{height - 18}" text-anchor="middle">{epoch + 1}</text>')
    for row, (name, values) in enumerate(groups.items()):
        colour = _COLOURS[row % len(_COLOURS)]
        path = " ".join(point(epoch, value) for epoch, value in enumerate(values))
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="0" y="{top + 22 + 20 * row}" fill="{colour}">{escape(name)}</text>'
        )
    return _svg(height, parts, title)


def _heading(title: str) -> str:
    return f'<text x="0" y="18" font-weight="bold">{escape(title)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def _svg(height: float, parts: Sequence[str], title: str) -> str:
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">'
    return opening + "".join(parts) + "</svg>"


def _span(values: Sequence[float]) -> tuple[float, float]:
    margin = 0.08 * (max(values) - min(values)) or 0.5
    return min(values) - margin, max(values) + margin


def _ticks(low: float, high: float) -> list[float]:
    """Choose about five round numbers between two others."""
    steps = [base * 10.0**power for power in range(-3, 6) for base in (1, 2, 5)]
    step = next(step for step in steps if (high - low) / step <= 6)
    first = int(-(-low // step))
    return [round(step * number, 6) for number in range(first, int(high // step) + 1)]
