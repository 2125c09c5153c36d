"""Scores and next uses in two bytes each: a job keeps some of each sample of its data set."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quiver.rank_score import NO_SCORE, scores_below

MOST_CODES = 1 << 14
"""Batches up to this size give scores that take two bytes."""

_MOST_STEPS = 0xFFFF

Wide = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32] | Wide


class PackedScores:
    """A score of each item, without loss.

    A score says how many samples of its batch had a smaller loss, and that number is kept. Other scores,
    of larger batches and means over several jobs, take four bytes each, and then all do.
    """

    __slots__ = ("_stored",)

    def __init__(self, items: int):
        self._stored: npt.NDArray[np.uint16] | npt.NDArray[np.int32] = np.zeros(items, np.uint16)

    @staticmethod
    def of(scores: npt.ArrayLike) -> PackedScores:
        """Pack scores, 0 where there is none."""
        wide = np.asarray(scores, np.int64)
        packed = PackedScores(len(wide))
        packed.put(np.arange(len(wide)), wide)
        return packed

    def __len__(self) -> int:
        return len(self._stored)

    @property
    def nbytes(self) -> int:
        """The bytes of all scores."""
        return self._stored.nbytes

    @property
    def known(self) -> int:
        """The number of items that have a score."""
        return int(np.count_nonzero(self._stored))

    def copy(self) -> PackedScores:
        """Return a copy, which no longer changes with these."""
        copy = PackedScores(0)
        copy._stored = self._stored.copy()
        return copy

    def put(self, places: Wide, scores: Wide) -> None:
        """Give items other scores; of an item that stands there twice, the later one counts."""
        codes = _codes(scores) if self._stored.dtype == np.uint16 else None
        if codes is None:
            self._stored = self.all().astype(np.int32)
            self._stored[places] = scores
        else:
            self._stored[places] = codes

    def all(self, unknown: int = NO_SCORE) -> Wide:
        """Return the score of every item, or another number where there is none."""
        return self._scores(self._stored, unknown)

    def at(self, places: Places, unknown: int = NO_SCORE) -> Wide:
        """Return the scores of items, or another number where there is none."""
        return self._scores(self._stored[places], unknown)

    @staticmethod
    def _scores(stored: npt.NDArray[np.uint16] | npt.NDArray[np.int32], unknown: int) -> Wide:
        if stored.dtype == np.uint16:
            scores: Wide = np.concatenate((np.array([unknown]), scores_below(0)))[stored]
            return scores
        return np.where(stored == NO_SCORE, unknown, stored).astype(np.int64)


def _codes(scores: Wide) -> npt.NDArray[np.uint16] | None:
    """Return the code of each score: 1 more than the number of smaller losses; None if one has no code."""
    table = scores_below(0)
    if len(scores) and int(scores.max()) > table[-1]:
        table = scores_below(MOST_CODES)
    table = table[:MOST_CODES]
    smaller = np.minimum(np.searchsorted(table, scores), len(table) - 1)
    none = scores == NO_SCORE
    if not np.array_equal(table[smaller][~none], scores[~none]):
        return None
    return np.where(none, 0, smaller + 1).astype(np.uint16)


class PackedUses:
    """The next place of the item of each place of a list.

    In lists of more than 32,767 entries that place is rounded up, by fewer entries than the list has times
    32,767: servers need to know no more than about when an item is used.

    :param uses: counted from the front of the list; -1 where there is no further use
    """

    __slots__ = ("_steps", "_unit")

    def __init__(self, uses: npt.NDArray[np.int32] | Wide):
        ahead = uses.astype(np.int64) - np.arange(len(uses))
        self._unit = max(1, -(-2 * len(uses) // _MOST_STEPS))
        self._steps = np.where(uses < 0, 0, -(-ahead // self._unit)).astype(np.uint16)

    @property
    def nbytes(self) -> int:
        """The bytes of all next uses."""
        return self._steps.nbytes

    def at(self, places: Wide) -> Wide:
        """Return the next uses of the items of places."""
        steps = self._steps[places].astype(np.int64)
        return np.where(steps == 0, -1, places + steps * self._unit)
