"""Importance of samples: losses become scores, and scores the list of an epoch (SHADE, §4).

All arithmetic is in integers, so that the same reports give the same list in every language.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from quiver.order.permutation import MASK, SeededPermutation, SeededRandom, derive
from quiver.packed_scores import PackedScores
from quiver.rank_score import NO_SCORE, Scores, rank_scores, score_of

Items = npt.NDArray[np.int64]

#: The least share of different samples in an epoch; drawing evenly would give 63 %.
DEFAULT_FLOOR = 0.6

#: The share of the data set from which an epoch with repetition draws.
DEFAULT_POOL = 0.5

_ROTATION = -1  # part of the seed that decides the order in which items come up
_LEAST_BATCHES = 4
_MOST_BATCHES = 12


class ItemScores:
    """The latest score of every item of a data set, in two bytes each, or four (see :class:`PackedScores`).

    An item that was never scored counts as one in the middle of its batch.
    """

    def __init__(self, items: int):
        if items < 1:
            raise ValueError(f"scores of {items} items")
        self._scores = PackedScores(items)
        self.largest_batch = 0

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def known(self) -> int:
        """The number of items that have been scored."""
        return self._scores.known

    @property
    def middle(self) -> int:
        """The score of an item that was never scored."""
        return score_of(self.largest_batch // 2)

    def copy(self) -> PackedScores:
        """Return a copy of the scores that are known."""
        return self._scores.copy()

    @property
    def nbytes(self) -> int:
        """The bytes of all scores."""
        return self._scores.nbytes

    def all(self) -> Scores:
        """Return the score of every item, that of a middling one where none is known."""
        return self._scores.all(self.middle)

    def known_scores(self, items: npt.NDArray[np.int32]) -> Scores:
        """Return the scores of items, 0 where none is known."""
        return self._scores.at(items)

    def report(self, items: Sequence[int] | Items, losses: npt.ArrayLike) -> None:
        """Take the losses of a batch into account.

        A loss that is not a number changes nothing; any other counts by its rank alone. Of an item
        that stands in the batch twice, the later loss counts.
        """
        values = np.asarray(losses, np.float64).ravel()
        places = np.asarray(items, np.int64).ravel()
        if len(values) != len(places):
            raise ValueError(f"{len(values)} losses for a batch of {len(places)} items")
        self.merge(places, rank_scores(values), len(values))

    def merge(self, items: Sequence[int] | Items, scores: npt.ArrayLike, batch: int) -> None:
        """Take scores over that another rank has computed in batches of so many samples."""
        places = np.asarray(items, np.int64).ravel()
        latest = np.asarray(scores, np.int64).ravel()
        if len(latest) != len(places):
            raise ValueError(f"{len(latest)} scores for {len(places)} items")
        wrong = places[(places < 0) | (places >= len(self._scores))]
        if len(wrong):
            raise ValueError(f"a loss of item {wrong[0]}; the data set has {len(self)} items")
        self.largest_batch = max(self.largest_batch, batch)
        told = latest > NO_SCORE
        self._scores.put(places[told], latest[told])

    def state(self) -> tuple[npt.NDArray[np.int32], int]:
        """Return what is saved with a checkpoint: all scores, and the size of the largest batch."""
        return self._scores.all().astype(np.int32), self.largest_batch

    def load_state(self, scores: npt.NDArray[np.int32], largest_batch: int) -> None:
        """Take saved scores over."""
        if len(scores) != len(self):
            raise ValueError(f"saved scores of {len(scores)} items; the data set has {len(self)}")
        if scores.min() < NO_SCORE:
            raise ValueError(f"a saved score of {scores.min()}; none is below {NO_SCORE}")
        self._scores = PackedScores.of(scores)
        self.largest_batch = largest_batch


def weights(scores: ItemScores) -> npt.NDArray[np.float64]:
    """Return 1 / (N · p) for every item: weights that keep the mean over draws that over all."""
    known = scores.all()
    weight: npt.NDArray[np.float64] = known.mean() / known
    return weight


def draw(scores: ItemScores, floor: float, seed: int, epoch: int) -> Items:
    """Draw as many samples as there are items, with replacement and in proportion to scores.

    Where fewer than the floor's share are different, repeats give way to samples not drawn.
    """
    if not 0 <= floor <= 1:
        raise ValueError(f"a coverage of at least {floor}; use 0 to 1")
    own = derive(seed & MASK, epoch)
    count = len(scores)
    entries = _owners(scores.all(), count, own)
    drawn = np.bincount(entries, minlength=count)
    missing = math.ceil(floor * count) - int(np.count_nonzero(drawn))
    if missing > 0:
        _spread(entries, drawn, missing, derive(own, 1))
    return entries


def _owners(shares: Scores, count: int, seed: int) -> Items:
    """Draw places in proportion to their shares."""
    sums = np.cumsum(shares)
    points = SeededRandom(seed).below_same(int(sums[-1]), count)
    # Looking points up in their order is several times faster: neighbours lie in the processor's cache.
    order = np.argsort(points)
    owners = np.empty(count, np.int64)
    owners[order] = np.searchsorted(sums, points[order], side="right")
    return owners


class Repetition:
    """Draws epochs from a pool that is a part of the data set, half of it new in every epoch.

    Each sample comes more often, so the cache answers more reads; all samples come up in turn. An
    epoch has at most the pool's share of different samples.
    """

    def __init__(self, scores: ItemScores, pool: float = DEFAULT_POOL, seed: int = 0):
        if not 0 < pool <= 1:
            raise ValueError(f"a pool of {pool} of the data set; use 0.1 to 1")
        self._scores = scores
        self._seed = seed & MASK
        self._rotation = SeededPermutation(len(scores), derive(self._seed, _ROTATION & MASK))
        self.size = math.ceil(pool * len(scores))

    def pool(self, epoch: int) -> Items:
        """Return the items of the pool of an epoch."""
        first = epoch * ((self.size + 1) // 2)
        return self._rotation.at((first + np.arange(self.size)) % len(self._scores))

    def draw(self, epoch: int) -> Items:
        """Draw as many samples as there are items, from the pool and in proportion to scores."""
        pool = self.pool(epoch)
        count = len(self._scores)
        return pool[_owners(self._scores.all()[pool], count, derive(self._seed, epoch))]

    def weights(self, epoch: int) -> npt.NDArray[np.float64]:
        """Return 1 / (size · p) for the items of the pool, which keep its mean; 0 for others."""
        pool = self.pool(epoch)
        known = self._scores.all()[pool]
        weight = np.zeros(len(self._scores))
        weight[pool] = known.mean() / known
        return weight


def _spread(entries: Items, drawn: Items, missing: int, seed: int) -> None:
    """Put items that were not drawn in the place of repeats, those drawn last first."""
    order = SeededPermutation(len(drawn), seed).at(np.arange(len(drawn)))
    undrawn = order[drawn[order] == 0]
    # An entry is a repeat if its item stands before it, too.
    _, first = np.unique(entries, return_index=True)
    repeats = np.ones(len(entries), bool)
    repeats[first] = False
    places = np.flatnonzero(repeats)[::-1][:missing]
    entries[places] = undrawn[:missing]


def lay_out(drawn: Items, items: int, batch: int, seed: int) -> Items:
    """Put samples in random order, the repeats of a sample 4 to 12 batches apart."""
    if batch < 1:
        raise ValueError(f"batches of {batch} samples")
    size = len(drawn)
    words = SeededRandom(seed)
    first = words.below_same(size, size)
    gaps = SeededRandom(seed).below_same(_MOST_BATCHES - _LEAST_BATCHES + 1, size)
    gaps = batch * (_LEAST_BATCHES + gaps)
    keys = np.empty(size, np.int64)
    last = np.full(items, -1, np.int64)
    waiting = np.arange(size)
    while len(waiting):
        # The next occurrence of each item that has one left.
        _, index = np.unique(drawn[waiting], return_index=True)
        places = waiting[index]
        before = last[drawn[places]]
        after = before + gaps[places]
        reflected = np.where(after < size, after, np.maximum(0, before - gaps[places]))
        keys[places] = np.where(before < 0, first[places], reflected)
        last[drawn[places]] = keys[places]
        waiting = np.delete(waiting, index)
    return drawn[np.lexsort((np.arange(size), keys))]
