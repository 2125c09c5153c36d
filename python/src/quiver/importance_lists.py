"""The lists that a job reads by importance, epoch after epoch (SHADE, §4)."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from quiver.importance import DEFAULT_FLOOR, ItemScores, Repetition, draw, lay_out
from quiver.list_curve import Curve, list_curve, next_uses
from quiver.order.lists import ItemList
from quiver.order.permutation import MASK, SeededPermutation, derive
from quiver.packed_scores import PackedScores, PackedUses

ImportanceMode = Literal["shade", "shade-boundary", "shade-paper"]
"""The ways to draw lists.

``shade`` draws one epoch ahead with a floor for coverage and the repeats of a sample close together, and
keeps what is used soonest. ``shade-boundary`` draws when the epoch begins: scores are newer, and less is
foreseen. ``shade-paper`` has the paper's equations alone and keeps the highest score.
"""

HIGHEST_PRIORITY = 0xFFFFFFFF
"""The priority of a sample that is used at once; one of 0 is used no more, or unknown."""

_NO_SCORES = PackedScores(0)

Places = npt.NDArray[np.int64]


class _Drawn(NamedTuple):
    """A list and the scores it was drawn by, of which there are none where all had the same chance.

    :param unknown: the score of items that had none
    """

    epoch: int
    list: ItemList
    scores: PackedScores
    unknown: int
    mean: float


class ImportanceLists:
    """Takes losses and gives the samples of an epoch, with the weight and the priority of each.

    All ranks of a job have the same scores before an epoch begins, so all draw the same list.

    :param step: samples of all ranks in one step
    :param seed: decides all lists
    :param floor: the least share of different samples in an epoch; by default 0.6, and 0 in ``shade-paper``
    :param pool: below 1, an epoch draws from this share of the data set: see :class:`Repetition`

    >>> lists = ImportanceLists(items=1000, step=8, seed=7)
    >>> lists.begin(0)
    >>> len(lists.list), lists.list.distinct
    (1000, 641)
    """

    def __init__(
        self,
        items: int,
        step: int,
        seed: int,
        mode: ImportanceMode = "shade",
        floor: float | None = None,
        pool: float = 1.0,
    ):
        if mode not in get_args(ImportanceMode):
            raise ValueError(f"mode {mode!r}; use one of {', '.join(get_args(ImportanceMode))}")
        if step < 1:
            raise ValueError(f"steps of {step} samples")
        self._items, self._step, self._seed, self._mode = items, step, seed, mode
        usual = 0.0 if mode == "shade-paper" else DEFAULT_FLOOR
        self._floor = usual if floor is None else floor
        self.scores = ItemScores(items)
        self._pool = Repetition(self.scores, pool, seed) if pool != 1 else None
        self.uniform = False
        self._nothing = ItemList(items, [])
        self._current = _Drawn(-1, self._nothing, _NO_SCORES, 0, 0.0)
        self._next: _Drawn | None = None
        self._uses = PackedUses(np.empty(0, np.int32))

    def begin(self, epoch: int) -> None:
        """Begin an epoch: its list is drawn now, unless it was drawn when the one before began."""
        if epoch < 0:
            raise ValueError(f"epoch {epoch}; they count from 0")
        ahead = self._next
        self._current = ahead if ahead is not None and ahead.epoch == epoch else self._draw(epoch)
        self._next = self._draw(epoch + 1) if self._mode == "shade" else None
        self._uses = PackedUses(next_uses(self.list, self.following))

    def _draw(self, epoch: int) -> _Drawn:
        order = derive(~self._seed & MASK, epoch)
        if self.uniform:
            entries = SeededPermutation(self._items, order).at(np.arange(self._items))
            return _Drawn(epoch, ItemList(self._items, entries), _NO_SCORES, 0, 0.0)
        by = self.scores.all()
        if self._pool is None:
            drawn, mean = draw(self.scores, self._floor, self._seed, epoch), by.mean()
        else:
            drawn, mean = self._pool.draw(epoch), by[self._pool.pool(epoch)].mean()
        if self._mode != "shade-paper":
            drawn = lay_out(drawn, self._items, self._step, order)
        laid_out = ItemList(self._items, drawn)
        return _Drawn(epoch, laid_out, self.scores.copy(), self.scores.middle, float(mean))

    @property
    def epoch(self) -> int:
        """The epoch that was begun last; -1 before the first."""
        return self._current.epoch

    @property
    def list(self) -> ItemList:
        """The list of the epoch."""
        return self._current.list

    @property
    def following(self) -> ItemList:
        """The list of the next epoch; empty where it is not drawn yet."""
        return self._nothing if self._next is None else self._next.list

    @property
    def ranks_by_score(self) -> bool:
        """True if priorities are scores instead of positions of next uses."""
        return self._mode == "shade-paper"

    def priorities(self, places: npt.ArrayLike) -> Places:
        """Return the priority in the cache that the samples at these places have once they were read.

        Larger the sooner a sample is used again, or the larger its score; 0 if it need not be kept.
        """
        at = np.asarray(places, np.int64)
        if self.ranks_by_score:
            return self.scores.known_scores(self.list.entries[at])
        uses = self._uses.at(at)
        position = self.epoch * self._items + uses
        return np.where(uses < 0, 0, np.maximum(1, HIGHEST_PRIORITY - position))

    def position(self, place: int) -> int:
        """Return the number of samples that come before a place, in this epoch and all before it."""
        return self.epoch * self._items + place

    def weights(self, items: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return weights of losses that make the mean over the list one over the data set.

        They are 1 / (N · p), where p is an item's chance in a draw (SHADE, Equation 1).
        """
        at = np.asarray(items, np.int64)
        drawn = self._current
        return np.ones(len(at)) if len(drawn.scores) == 0 else drawn.mean / drawn.scores.at(at, drawn.unknown)

    def unread(self) -> Curve:
        """Return the share of reads that go to the store with each sixteenth of the data cached."""
        return self.curve()()

    def curve(self) -> Callable[[], Curve]:
        """Return what works out :meth:`unread` of the lists as they are now, in any thread."""
        return partial(list_curve, self.list if self._next is None else self._next.list, self.list)

    def state(self) -> dict[str, Any]:
        """Return what is saved with a checkpoint: numbers and text."""
        scores, largest = self.scores.state()
        return {
            "scores": packed(scores),
            "largest_batch": largest,
            "uniform": self.uniform,
            "drawn": [_document(each) for each in (self._current, self._next) if each is not None],
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on where a state was saved."""
        drawn = [_drawn(self._items, each) for each in state["drawn"]]
        self.scores.load_state(unpacked(state["scores"], self._items), int(state["largest_batch"]))
        self.uniform = bool(state["uniform"])
        self._current = drawn[0]
        # Another mode may go on, which does not look ahead.
        self._next = drawn[1] if len(drawn) > 1 and self._mode == "shade" else None
        self._uses = PackedUses(next_uses(self.list, self.following))


def _document(drawn: _Drawn) -> dict[str, Any]:
    return {
        "epoch": drawn.epoch,
        "list": packed(drawn.list.entries),
        "scores": packed(drawn.scores.all(drawn.unknown).astype(np.int32)),
        "mean": drawn.mean,
    }


def _drawn(items: int, document: Mapping[str, Any]) -> _Drawn:
    scores = unpacked(document["scores"], items)
    if len(scores) not in (0, items):
        raise ValueError(f"a list drawn by the scores of {len(scores)} items; the data set has {items}")
    entries = ItemList(items, unpacked(document["list"], items))
    return _Drawn(int(document["epoch"]), entries, PackedScores.of(scores), 0, float(document["mean"]))


def packed(numbers: npt.NDArray[np.int32]) -> str:
    """Return numbers as text."""
    return base64.b64encode(zlib.compress(numbers.astype("<i4").tobytes(), 1)).decode("ascii")


def unpacked(text: str, most: int) -> npt.NDArray[np.int32]:
    """Return the numbers of a text, of which there may be so many."""
    data = zlib.decompressobj().decompress(base64.b64decode(text), 4 * most + 1)
    if len(data) > 4 * most or len(data) % 4:
        raise ValueError(f"a saved list of more than {most} entries")
    return np.frombuffer(data, "<i4").astype(np.int32)
