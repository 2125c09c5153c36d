"""Scores of samples by their losses (SHADE, Equation 6), in integers: they are equal in every language."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.int64]

NO_SCORE = 0
"""The score of a sample whose loss is not a number."""

FRACTION_BITS = 16

MAX_BATCH = 1 << 20
"""Most samples of one report."""

_BIAS = 10
_LOG_BITS = 24
_LN2 = 11_629_080  # 2^24 · ln 2


def _logarithm(x: int) -> int:
    """Return 2^16 · ln(x), cut off: squaring doubles the binary logarithm, bit by bit."""
    whole = x.bit_length() - 1
    mantissa = x << (31 - whole)
    log = whole
    for _ in range(_LOG_BITS):
        mantissa = (mantissa * mantissa) >> 31
        log <<= 1
        if mantissa >= 1 << 32:
            mantissa >>= 1
            log |= 1
    return (log * _LN2) >> (2 * _LOG_BITS - FRACTION_BITS)


_table: Scores = np.array([_logarithm(smaller + _BIAS) for smaller in range(1024)], np.int64)


def scores_below(count: int) -> Scores:
    """Return the scores of samples when 0, 1, 2 … others have a smaller loss: at least so many."""
    global _table
    if count > len(_table):
        more = [_logarithm(smaller + _BIAS) for smaller in range(len(_table), count)]
        _table = np.concatenate([_table, np.array(more, np.int64)])
    return _table


def rank_scores(losses: npt.ArrayLike) -> Scores:
    """Score the samples of a batch by how many of the others have a smaller loss (Equation 6).

    Equal losses have equal scores; a loss that is not a number has none.

    >>> (rank_scores([0.3, 0.5, 0.4]) / 65536).round(3).tolist()
    [2.303, 2.485, 2.398]
    """
    values = np.asarray(losses, np.float64).ravel()
    if len(values) > MAX_BATCH:
        raise ValueError(f"{len(values)} losses in one report; at most {MAX_BATCH} are taken")
    smaller = np.searchsorted(np.sort(values), values, side="left")
    return np.where(np.isnan(values), NO_SCORE, scores_below(len(values))[smaller])


def score_of(smaller: int) -> int:
    """Return the score of a sample when this many others have a smaller loss."""
    return _logarithm(smaller + _BIAS)
