"""Priorities that are told to the cache, and misses that are worth an insert."""

from __future__ import annotations

import numpy as np
import pytest

from quiver.credentials import Credentials
from quiver.reading.access import CacheAccess
from quiver.reading.ranker import Ranker
from quiver.reading.reader import _once
from quiver.reading.request import Ranking


@pytest.fixture
def ranker() -> Ranker:
    return Ranker(CacheAccess("job", "dataset", Credentials.none()))


@pytest.mark.parametrize(
    ("lowest", "priorities", "expected"),
    [
        (0, [0, 7, 3, -1], [True, True, True, False]),  # there is space left
        (5, [0, 7, 3, -1], [False, True, False, False]),
        (9, [0, 7, 3, -1], [False, True, False, False]),  # the best may tell that less is kept now
        (9, [-1, -1], [False, False]),
        (9, [], []),
    ],
)
def test_misses_below_the_lowest_priority_are_not_worth_an_insert(
    ranker: Ranker, lowest: int, priorities: list[int], expected: list[bool]
) -> None:
    ranker.heard(lowest)
    assert ranker.worth(np.array(priorities, np.int64)).tolist() == expected


def test_nobody_waits_for_a_cache_that_is_not_there(ranker: Ranker) -> None:
    hashes = np.zeros((1, 32), np.uint8)
    for _ in range(10_000):
        ranker.tell("ds-x.ranked", hashes, np.array([1]), 5)
    ranker.close()
    ranker.tell("ds-x.ranked", hashes, np.array([1]), 5)


def test_a_sample_that_stands_twice_in_a_batch_is_read_once_and_kept_for_its_last_next_use() -> None:
    items = np.array([7, 3, 7, 5], np.int32)
    once, places, ranking = _once(items, Ranking("job", 4, np.array([90, 50, 20, -1])))
    assert once[places].tolist() == items.tolist()
    assert ranking is not None
    assert dict(zip(once.tolist(), ranking.priorities.tolist(), strict=True)) == {3: 50, 5: -1, 7: 20}
