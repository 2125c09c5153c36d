"""Columns of scores, and the means of those of a group."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from quiver.group_scores import GroupScores
from quiver.importance import ItemScores
from quiver.rank_score import MAX_BATCH, rank_scores, score_of
from quiver.score_column import ScoreColumn, check_of

DATASET = bytes(range(8))
ITEMS = 500
BATCH = 64


def scores(seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    found = np.array([score_of(int(smaller)) for smaller in random.integers(0, BATCH, ITEMS)], np.int32)
    return np.where(random.random(ITEMS) < 0.5, found, 0).astype(np.int32)


def news(seed: int) -> ScoreColumn:
    return ScoreColumn(7, BATCH, scores(seed))


def test_a_column_comes_back_as_it_was() -> None:
    whole = ScoreColumn(7, BATCH, scores(1), True, True, check_of("lists"), (b"12345678", b"abcdefgh"))
    for column in (news(1), whole):
        back = ScoreColumn.unpack(column.pack(DATASET, salt=9), DATASET, ITEMS)
        assert back.scores.tolist() == column.scores.tolist()
        assert back._replace(scores=column.scores) == column


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (3, b"2"),
        (4, b"\x04\0\0\0"),
        (8, struct.pack("<I", ITEMS - 1)),
        (12, struct.pack("<I", MAX_BATCH + 1)),
        (12, struct.pack("<I", 0)),
        (16, struct.pack("<I", 1 << 31)),
        (24, b"another!"),
        (48, struct.pack("<I", score_of(0) - 1)),
        (48, struct.pack("<I", score_of(BATCH))),
        (48, b"\xff\xff\xff\xff"),
    ],
)
def test_a_column_with_a_wrong_field_is_refused(place: int, value: bytes) -> None:
    packed = news(1).pack(DATASET)
    damaged = packed[:place] + value + packed[place + len(value) :]
    with pytest.raises(ValueError, match=r"column of scores|a score of"):
        ScoreColumn.unpack(damaged, DATASET, ITEMS)


def test_a_column_of_another_length_is_refused() -> None:
    packed = news(1).pack(DATASET)
    for wrong in (b"", packed[:47], packed[:-1], packed + b"\0", packed + bytes(8), packed * 2):
        with pytest.raises(ValueError, match="no column of scores"):
            ScoreColumn.unpack(wrong, DATASET, ITEMS)


def test_scores_found_more_than_once_count_as_their_mean_in_any_order() -> None:
    columns = [news(seed) for seed in range(5)]
    expected = np.zeros(ITEMS, np.int64)
    for item in range(ITEMS):
        found = [int(column.scores[item]) for column in columns if column.scores[item]]
        expected[item] = sum(found) // len(found) if found else 0
    for turn in range(5):
        group = GroupScores(ITEMS)
        others = columns[turn:] + columns[:turn]
        for column in others[1:]:
            group.hear(column)
        merged = ItemScores(ITEMS)
        own = others[0]
        items = np.flatnonzero(own.scores)
        merged.merge(items, own.scores[items], BATCH)
        group.take().merge_into(merged, own.scores)
        assert merged.state()[0].tolist() == expected.tolist()
        assert len(group.take().items) == 0, "it was taken"


def test_what_nobody_else_found_keeps_its_score() -> None:
    own = ItemScores(ITEMS)
    own.report([1, 2], [1.0, 2.0])
    before = own.state()[0].tolist()
    GroupScores(ITEMS).take().merge_into(own, np.zeros(ITEMS, np.int32))
    assert own.state()[0].tolist() == before
    assert before[1:3] == rank_scores([1.0, 2.0]).tolist()


def test_groups_merge_and_tell_as_recorded(vectors: Path) -> None:
    recorded = json.loads((vectors / "importance" / "groups.json").read_text())
    for case in recorded:
        columns = []
        merged = ItemScores(case["items"])
        for number, reports in enumerate(case["jobs"]):
            found = ItemScores(case["items"])
            for each in reports:
                found.report(each["items"], each["losses"])
                if number == 0:
                    merged.report(each["items"], each["losses"])
            columns.append(ScoreColumn(case["round"], found.largest_batch, found.state()[0]))
        group = GroupScores(case["items"])
        for column in columns[1:]:
            group.hear(column)
        group.take().merge_into(merged, columns[0].scores)
        assert merged.state()[0].tolist() == case["merged"]
        packed = columns[0].pack(bytes.fromhex(case["dataset"]), case["salt"])
        assert hashlib.sha256(packed).hexdigest() == case["column"]
    first = recorded[0]
    golden = (vectors / "importance" / "column.bin").read_bytes()
    column = ScoreColumn.unpack(golden, bytes.fromhex(first["dataset"]), first["items"])
    assert column.pack(bytes.fromhex(first["dataset"]), first["salt"]) == golden
