"""Checksums of many payloads at once."""

from __future__ import annotations

import random

import numpy as np
import pytest
from crc32c import crc32c

from quiver import checksum
from quiver.checksum import check_for, combine


def checksums_of(contents):
    return (
        np.array([crc32c(each) for each in contents], np.uint32),
        np.array([len(each) for each in contents], np.int64),
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_checksum_of_the_whole_follows_from_those_of_its_parts(seed):
    source = random.Random(seed)
    longest = source.choice([1, 3, 300, 5000, 200_000])
    contents = [source.randbytes(source.randrange(longest)) for _ in range(source.randrange(1, 60))]
    assert combine(*checksums_of(contents)) == crc32c(b"".join(contents))


def test_no_parts_and_empty_parts_have_the_checksum_of_nothing():
    assert combine(*checksums_of([])) == crc32c(b"") == 0
    assert combine(*checksums_of([b"", b""])) == 0
    assert combine(*checksums_of([b"", b"x", b""])) == crc32c(b"x")


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
    with pytest.raises(ValueError, match=r"pip install quiver\[crc\]"):
        check_for("crc32c")
