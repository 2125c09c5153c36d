"""Holds placement to Java's, to the last bit."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from cluster import HOME
from quiver.placement import SLOTS, SlotTable, costs, draws

FOLDER = HOME / "test-vectors" / "placement"


def lines(name):
    for line in (FOLDER / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def test_draws_and_costs_are_those_of_the_golden_file():
    checked = 0
    for name, slot, _, draw, cost in lines("draws.tsv"):
        value = int(draw, 16)
        if name != "-":
            assert int(draws(name)[int(slot)]) == value
        assert int(costs(np.array([value], np.uint64))[0]) == int(cost)
        checked += 1
    assert checked > 10


def test_tables_are_those_of_the_golden_file():
    checked = 0
    for _, members, sha, shares, first in lines("tables.tsv"):
        table = SlotTable.of(parse(members))
        assert hashlib.sha256(table.owners.astype("<u2").tobytes()).hexdigest() == sha, members
        assert table.shares().tolist() == [int(n) for n in shares.split(",")]
        assert table.owners[:16].tolist() == [int(n) for n in first.split(",")]
        checked += 1
    assert checked > 3


def parse(text):
    for part in text.split(","):
        name, _, weight = part.rpartition("=")
        yield name, int(weight)


def test_a_member_that_leaves_gives_up_only_its_own_slots():
    before = SlotTable.of([("a", 1), ("b", 2), ("c", 3)])
    after = SlotTable.of([("a", 1), ("c", 3)])
    names = np.array(before.names)[before.owners]
    kept = names != "b"
    assert (np.array(after.names)[after.owners][kept] == names[kept]).all()


def test_a_blob_belongs_to_the_owner_of_its_first_two_bytes():
    table = SlotTable.of([("a", 1), ("b", 1)])
    hashes = np.random.default_rng(1).integers(0, 256, (100, 32), np.uint8)
    slots = hashes[:, 0].astype(int) * 256 + hashes[:, 1]
    assert (table.owner_of(hashes) == table.owners[slots]).all()
    assert len(table.owners) == SLOTS


@pytest.mark.parametrize(
    "members", [[], [("a", 1), ("a", 2)], [("", 1)], [("a b", 1)], [("a", 0)], [("a", (1 << 24) + 1)]]
)
def test_members_that_make_no_sense_are_refused(members):
    with pytest.raises(ValueError, match="member"):
        SlotTable.of(members)
