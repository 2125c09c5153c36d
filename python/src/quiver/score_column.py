"""The scores that a job or a rank found, as others are told them: a blob that travels through the cache.

docs/wire-protocol.md has the layout; ``test-vectors/importance`` holds Java to it.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.rank_score import MAX_BATCH, NO_SCORE, score_of

#: Most items of a data set whose scores fit into a blob.
MAX_ITEMS = 60_000_000

_HEAD = struct.Struct("<4s5I8s16s")
_MAGIC = b"QVS1"
_WHOLE = 1
_UNIFORM = 2
_NO_CHECK = bytes(16)
_SEEN_BYTES = 8
_MOST_RANKS = 256


class ScoreColumn(NamedTuple):
    """A score for each item, 0 for those that were not scored.

    :param round: the epoch that began when the scores were told; the ranks of a job count on their own
    :param whole: whether these are all scores of a job, which its other ranks take over, instead of news
    :param uniform: whether lists are plain shuffles from now on
    :param check: equal for ranks that follow the same lists; zeros in what jobs tell each other
    :param seen: of a whole column, the beginning of the hash of each rank's news that is in it
    """

    round: int
    largest_batch: int
    scores: npt.NDArray[np.int32]
    whole: bool = False
    uniform: bool = False
    check: bytes = _NO_CHECK
    seen: tuple[bytes, ...] = ()

    def pack(self, dataset: bytes, salt: int = 0) -> bytes:
        """Return the column as bytes.

        :param dataset: the first eight bytes of the data set's identity
        :param salt: another one gives another hash, and so another server
        """
        flags = (_WHOLE if self.whole else 0) | (_UNIFORM if self.uniform else 0)
        scores = self.scores.astype("<u4")
        head = _HEAD.pack(
            _MAGIC, flags, len(scores), self.largest_batch, self.round, salt, dataset, self.check
        )
        return head + scores.tobytes() + b"".join(self.seen)

    @staticmethod
    def unpack(column: Any, dataset: bytes, items: int) -> ScoreColumn:
        """Read a column.

        :raises ValueError: if it is not one of this data set, or has a score that no batch gives
        """
        data = memoryview(column).cast("B")
        end = _HEAD.size + 4 * items
        wrong = ValueError(f"{len(data)} bytes are no column of scores of {items} items")
        if len(data) < end:
            raise wrong
        magic, flags, count, largest, number, _, about, check = _HEAD.unpack(data[: _HEAD.size])
        seen = _seen(data[end:])
        if magic != _MAGIC or flags > _WHOLE | _UNIFORM or count != items or seen is None:
            raise wrong
        if seen and not flags & _WHOLE:
            raise wrong
        if about != dataset:
            raise ValueError("a column of scores of another data set")
        if largest > MAX_BATCH or number >= 1 << 31:
            raise ValueError(f"a column of scores of batches of {largest} in epoch {number}")
        scores = np.frombuffer(data[_HEAD.size : end], "<u4")
        _require_possible(scores, largest)
        whole, uniform = bool(flags & _WHOLE), bool(flags & _UNIFORM)
        return ScoreColumn(number, largest, scores.astype(np.int32), whole, uniform, check, seen)


def seen_of(column: bytes) -> bytes:
    """Return the beginning of a column's hash, by which its rank knows that it was seen."""
    return column[:_SEEN_BYTES]


def _seen(data: memoryview) -> tuple[bytes, ...] | None:
    """Return what stands behind the scores; None if that is none of it."""
    count, rest = divmod(len(data), _SEEN_BYTES)
    if rest or count > _MOST_RANKS:
        return None
    return tuple(bytes(data[_SEEN_BYTES * i : _SEEN_BYTES * (i + 1)]) for i in range(count))


def _require_possible(scores: npt.NDArray[np.uint32], largest: int) -> None:
    least, most = score_of(0), score_of(largest - 1) if largest else NO_SCORE
    wrong = (scores != NO_SCORE) & ((scores < least) | (scores > most))
    if wrong.any():
        item = int(wrong.argmax())
        raise ValueError(
            f"a score of {scores[item]} for item {item}; batches of {largest} give {least} to {most}"
        )


def check_of(*parts: object) -> bytes:
    """Return sixteen bytes that are equal where all parts are.

    >>> check_of(1, "a") == check_of(1, "a") != check_of(1, "b")
    True
    """
    return hashlib.sha256(repr(parts).encode()).digest()[:16]
