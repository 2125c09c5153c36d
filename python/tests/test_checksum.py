"""Checksums of many payloads at once."""

from __future__ import annotations

import random

import numpy as np
import pytest
from crc32c import crc32c

from quiver import checksum
from quiver.checksum import check_for


def checksums_of(contents):
    return (
        np.array([crc32c(each) for each in contents], np.uint32),
        np.array([len(each) for each in contents], np.int64),
    )


@pytest.mark.parametrize("seed", range(20))
def test_right_payloads_of_any_lengths_pass_in_one_go_and_are_left_as_they_were(seed):
    source = random.Random(seed)
    longest = source.choice([5, 300, 5000, 200_000])
    lengths = [source.choice([0, source.randrange(4, longest)]) for _ in range(source.randrange(1, 60))]
    contents = [source.randbytes(length) for length in lengths]
    body = bytearray(b"".join(contents))
    assert check_for("crc32c").passes_whole(body, *checksums_of(contents))
    assert body == b"".join(contents)


def test_no_payloads_and_empty_ones_pass():
    check = check_for("crc32c")
    assert check.passes_whole(bytearray(), *checksums_of([]))
    assert check.passes_whole(bytearray(), *checksums_of([b"", b""]))
    sums, lengths = checksums_of([b"", b"four"])
    sums[0] = 1
    assert not check.passes_whole(bytearray(b"four"), sums, lengths)


def test_payloads_shorter_than_a_checksum_are_left_to_be_looked_at_one_by_one():
    assert not check_for("crc32c").passes_whole(bytearray(b"xlonger"), *checksums_of([b"x", b"longer"]))


def test_payloads_that_changed_places_are_found():
    contents = [bytes([i]) * 64 for i in range(8)]
    check = check_for("crc32c")
    body = bytearray(b"".join(contents[::-1]))
    assert not check.passes_whole(body, *checksums_of(contents))
    assert body == b"".join(contents[::-1])


def test_one_wrong_bit_anywhere_is_found():
    contents = [bytes([i]) * 100 for i in range(50)]
    sums, lengths = checksums_of(contents)
    check = check_for("crc32c")
    body = bytearray(b"".join(contents))
    assert check.passes_whole(body, sums, lengths)
    for at in range(0, len(body), 37):
        body[at] ^= 4
        assert not check.passes_whole(body, sums, lengths)
        body[at] ^= 4
    sums[7] ^= 1
    assert not check.passes_whole(body, sums, lengths)


def test_without_a_fast_checksum_reads_are_not_checked_unless_told_so(monkeypatch):
    monkeypatch.setattr(checksum, "_crc32c", None)
    assert check_for("auto") is None
    with pytest.raises(ValueError, match=r"pip install crc32c"):
        check_for("crc32c")
