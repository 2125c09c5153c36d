"""Merges the scores that the jobs of a group found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.importance import ItemScores
from quiver.rank_score import NO_SCORE
from quiver.score_column import ScoreColumn


class Heard(NamedTuple):
    """Scores that other jobs found: for some items the sum and the number of their scores."""

    items: npt.NDArray[np.int64]
    sums: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    largest_batch: int

    @staticmethod
    def nothing() -> Heard:
        """Return what is heard of nobody."""
        empty = np.empty(0, np.int64)
        return Heard(empty, empty, empty, 0)

    def merge_into(self, scores: ItemScores, own: npt.NDArray[np.int32]) -> None:
        """Put the mean of everything found into a job's scores.

        :param own: what the job found itself since it last did so, 0 elsewhere
        """
        found = own[self.items].astype(np.int64)
        counts = self.counts + (found != NO_SCORE)
        scores.merge(self.items, (self.sums + found) // counts, self.largest_batch)


class GroupScores:
    """Adds up what other jobs found until the next list is drawn.

    A score that was found more than once counts as the mean: no job of a group outweighs the others, and
    the order in which they are heard does not matter. Takes twelve bytes for each item, however many jobs
    there are. For one thread.
    """

    def __init__(self, items: int):
        self._sums = np.zeros(items, np.int64)
        self._counts = np.zeros(items, np.int32)
        self._largest = 0

    def hear(self, column: ScoreColumn) -> None:
        """Note the scores of another job."""
        self._sums += column.scores
        self._counts += column.scores != NO_SCORE
        self._largest = max(self._largest, column.largest_batch)

    def take(self) -> Heard:
        """Return what was heard since the last time."""
        items = np.flatnonzero(self._counts)
        heard = Heard(items, self._sums[items], self._counts[items].astype(np.int64), self._largest)
        self._sums[items] = 0
        self._counts[items] = 0
        return heard
