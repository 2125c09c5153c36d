"""Tells when accuracy falls, so that sampling by importance ends where it hurts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

REPORTS = 6
"""The number of latest accuracies that are looked at."""

_MOST_RISES = 1


class AccuracyTrend:
    """The one-sided test of Mann and Kendall on the latest six accuracies, at a level of 0.8 %.

    Accuracies fall if at least 14 of their 15 pairs do. The test knows no scale: percent, shares and
    scores of any kind do, as long as more is better.

    >>> trend = AccuracyTrend()
    >>> [trend.report(a) for a in (0.90, 0.91, 0.89, 0.88, 0.87, 0.86)]
    [False, False, False, False, False, True]
    """

    def __init__(self, latest: Sequence[float] = ()):
        self.latest = [float(each) for each in latest][-REPORTS:]

    def report(self, accuracy: float) -> bool:
        """Note an accuracy; returns True if accuracy falls. One that is no number changes nothing."""
        if math.isfinite(accuracy):
            self.latest = [*self.latest, float(accuracy)][-REPORTS:]
        return self.falls

    @property
    def falls(self) -> bool:
        """True if the latest accuracies fall."""
        pairs = list(itertools.combinations(self.latest, 2))
        falls = sum(later < earlier for earlier, later in pairs)
        return len(self.latest) == REPORTS and falls >= len(pairs) - _MOST_RISES
