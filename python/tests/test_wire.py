"""Frames, byte for byte as the golden files have them."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from quiver import wire
from quiver.wire import FrameError, Receipt, Status


def rows(*texts):
    digests = b"".join(hashlib.sha256(text).digest() for text in texts)
    return np.frombuffer(digests, np.uint8).reshape(-1, 32)


def golden(vectors, name):
    return (vectors / "protocol" / name).read_bytes()


ANSWER = [
    (Status.HIT, b"hello"),
    (Status.MISS, b""),
    (Status.YOURS, b""),
    (Status.PENDING, b""),
    (Status.HIT, b""),
    (Status.HIT, b"world!"),
    (Status.SKIPPED, b""),
    (Status.DEFERRED, b""),
]


def test_questions_are_written_as_in_the_golden_files(vectors):
    assert wire.question(rows(b"a", b"b", b"c"), 2, False) == golden(vectors, "ask.bin")
    assert wire.question(rows(b"", b""), 1, True) == golden(vectors, "ask-claim.bin")


def test_the_golden_answer_is_read(vectors):
    frame = golden(vectors, "answer.bin")
    head = wire.answer_head_bytes(8)
    answer = wire.answer_rows(frame, 8, 100, len(frame) - head)
    assert answer.status.tolist() == [status for status, _ in ANSWER]
    assert answer.length.tolist() == [len(payload) for _, payload in ANSWER]
    from crc32c import crc32c

    at = head
    for row, (status, payload) in enumerate(ANSWER):
        assert frame[at : at + len(payload)] == payload
        assert answer.crc32c[row] == (crc32c(payload) if status == Status.HIT else 0)
        at += len(payload)


PRIORITIES = np.array([*wire.next_use_priorities([1000]), 0, 1], np.uint32)


def test_the_golden_offer_is_written(vectors):
    contents = [b"hello", b"", b"world!"]
    head = wire.offer_head(rows(*contents), ["default", "imagenet.chunk-3", "default"], [5, 0, 6], PRIORITIES)
    assert head + b"".join(contents) == golden(vectors, "offer.bin")


def test_the_golden_receipt_is_read(vectors):
    codes, lowest = wire.receipts(golden(vectors, "receipt.bin"), 7)
    assert codes.tolist() == list(range(Receipt.STORED, Receipt.NOT_PLANNED + 1))
    assert lowest == wire.next_use_priorities([2000])[0]


def test_the_golden_ranking_is_written_and_its_answer_is_read(vectors):
    priorities = np.array([wire.MAX_PRIORITY - 1000, 0, wire.MAX_PRIORITY], np.uint32)
    frame = wire.ranking(rows(b"hello", b"", b"world!"), priorities, "ds-0123456789abcdef.ranked")
    assert frame == golden(vectors, "rank.bin")
    assert wire.ranked(golden(vectors, "ranked.bin"), 3) == (2, wire.MAX_PRIORITY - 2000)
    with pytest.raises(FrameError, match="2 blobs"):
        wire.ranked(golden(vectors, "ranked.bin"), 1)


def test_positions_beyond_the_priorities_begin_again():
    positions = [0, 1, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32]
    assert wire.next_use_priorities(positions).tolist() == [0xFFFF_FFFF, 0xFFFF_FFFE, 1, 1, 0xFFFF_FFFF]


@pytest.mark.parametrize("values", [[1], [1, 2, 3], [[1, 2]], [-1, 0], [0, 1 << 32], [0.5, 1.0]])
def test_priorities_that_the_wire_does_not_take_are_refused(values):
    with pytest.raises(ValueError, match="priorities"):
        wire.priorities_of(values, 2)


def test_every_prefix_and_every_changed_magic_is_refused(vectors):
    answer, receipt = golden(vectors, "answer.bin"), golden(vectors, "receipt.bin")
    ranked = golden(vectors, "ranked.bin")
    head = wire.answer_head_bytes(8)
    for end in range(head):
        with pytest.raises(FrameError):
            wire.answer_rows(answer[:end], 8, 100, len(answer) - head)
    for end in range(len(receipt)):
        with pytest.raises(FrameError):
            wire.receipts(receipt[:end], 7)
    for end in range(len(ranked)):
        with pytest.raises(FrameError):
            wire.ranked(ranked[:end], 3)
    for at in range(4):
        for frame, read in (
            (answer, lambda f: wire.answer_rows(f, 8, 100, len(answer) - head)),
            (receipt, lambda f: wire.receipts(f, 7)),
            (ranked, lambda f: wire.ranked(f, 3)),
        ):
            changed = bytearray(frame)
            changed[at] ^= 0x20
            with pytest.raises(FrameError, match="begins with"):
                read(bytes(changed))


def test_answers_that_contradict_themselves_are_refused(vectors):
    answer = golden(vectors, "answer.bin")
    payload = len(answer) - wire.answer_head_bytes(8)

    def changed(at, value):
        frame = bytearray(answer)
        frame[at] = value
        return bytes(frame)

    second_row = 16 + 16
    for frame, count, most, carried in (
        (answer, 7, 100, payload),
        (answer, 8, 5, payload),
        (answer, 8, 100, payload + 1),
        (changed(8, 12), 8, 100, payload),
        (changed(16, 6), 8, 100, payload),
        (changed(16 + 8, 6), 8, 100, payload),
        (changed(16 + 15, 0xFF), 8, 100, payload),
        (changed(second_row + 8, 1), 8, 100, payload + 1),
    ):
        with pytest.raises(FrameError):
            wire.answer_rows(frame, count, most, carried)


def test_more_hits_than_wanted_or_skipping_too_early_is_refused():
    wire.require_consistent(np.array([1, 0, 1, 4], np.uint8), 2)
    for statuses, want in (([1, 1], 1), ([1, 4], 2)):
        with pytest.raises(FrameError, match="wanted"):
            wire.require_consistent(np.array(statuses, np.uint8), want)


def test_questions_and_offers_out_of_bounds_are_not_made():
    with pytest.raises(ValueError, match="16384"):
        wire.question(np.zeros((16_385, 32), np.uint8), 1, False)
    with pytest.raises(ValueError, match="want 3"):
        wire.question(rows(b"a", b"b"), 3, False)
    with pytest.raises(ValueError, match="space"):
        wire.offer_head(rows(b"a"), ["Not A Space"], [1])
    with pytest.raises(ValueError, match="16384"):
        wire.ranking(np.zeros((16_385, 32), np.uint8), np.zeros(16_385, np.uint32), "s")
