"""Ledgers, also as the Java program sees them."""

from __future__ import annotations

import json
import random

import pytest

from cluster import quiver
from quiver.ledger import (
    LedgerBatch,
    LedgerError,
    LedgerHeader,
    LedgerList,
    LedgerWriter,
    read_ledger,
    read_lists,
)
from quiver.order import ItemList, RankEpochSampling, Residency, Setup


def golden(vectors, name="epochs-v2"):
    document = json.loads((vectors / "ledger" / f"{name}.json").read_text())
    batches = [LedgerBatch(b["epoch"], b["step"], b["items"], b["padding"]) for b in document.pop("batches")]
    lists = [LedgerList(**each) for each in document.pop("lists", [])]
    return LedgerHeader(**document), batches, lists


def write(path, header, batches):
    with LedgerWriter(path, header) as writer:
        for batch in batches:
            writer.append(batch.epoch, batch.step, batch.items, batch.padding)


def test_a_golden_ledger_of_version_one_is_read(vectors):
    header, batches, _ = golden(vectors, "two-epochs")
    assert read_ledger(vectors / "ledger" / "two-epochs.qlg") == (header, batches)


def test_the_golden_epochs_are_read_and_written_byte_for_byte(vectors, tmp_path):
    header, batches, _ = golden(vectors)
    file = vectors / "ledger" / "epochs-v2.qlg"
    assert read_ledger(file) == (header, batches)
    write(tmp_path / "copy.qlg", header, batches)
    assert (tmp_path / "copy.qlg").read_bytes() == file.read_bytes()


def test_the_golden_lists_are_read_and_written_byte_for_byte(vectors, tmp_path):
    header, batches, lists = golden(vectors, "lists-v2")
    file = vectors / "ledger" / "lists-v2.qlg"
    assert read_ledger(file) == (header, batches)
    assert read_lists(file) == lists
    entries = {0: lists[0].entries, 3: [1, 1], 4: []}
    with LedgerWriter(tmp_path / "copy.qlg", header) as writer:
        for listed in lists:
            known = ItemList(header.items, entries[listed.epoch])
            writer.append_list(listed.epoch, known, whole=listed.entries is not None)
            for batch in batches:
                if batch.epoch == listed.epoch:
                    writer.append(batch.epoch, batch.step, batch.items, batch.padding)
    assert (tmp_path / "copy.qlg").read_bytes() == file.read_bytes()


def test_lists_come_before_their_batches_and_only_in_ledgers_of_lists(tmp_path):
    entries = ItemList(10, [1, 1])
    with LedgerWriter(tmp_path / "l.qlg", LedgerHeader("job", "00c0ffee", 10, 0, "list")) as writer:
        with pytest.raises(ValueError, match="before its list"):
            writer.append(0, 0, [1])
        writer.append_list(1, entries, whole=True)
        with pytest.raises(ValueError, match="too late"):
            writer.append_list(1, entries, whole=True)
    data = (tmp_path / "l.qlg").read_bytes()
    (tmp_path / "torn.qlg").write_bytes(data[:-1])
    assert read_lists(tmp_path / "torn.qlg") == [LedgerList(1, 2, entries.sha256, None)]
    with (
        LedgerWriter(tmp_path / "e.qlg", LedgerHeader("job", "00c0ffee", 10, 0, "strict")) as writer,
        pytest.raises(ValueError, match="order is strict"),
    ):
        writer.append_list(0, entries, whole=False)


def test_every_number_survives(tmp_path):
    source = random.Random(1)
    items = [source.randrange(1 << source.randrange(1, 31)) for _ in range(3000)]
    header = LedgerHeader("numbers", "00000000", 2**31 - 1, -1, "substitute", 2, 5)
    batches = [LedgerBatch(0, source.randrange(1 << 62), items[:1000], 7), LedgerBatch(9, 0, items[1000:], 0)]
    write(tmp_path / "x.qlg", header, batches)
    assert read_ledger(tmp_path / "x.qlg") == (header, batches)


def test_a_torn_tail_ends_the_ledger_and_damage_before_it_is_told(vectors, tmp_path):
    header, batches, _ = golden(vectors)
    write(tmp_path / "whole.qlg", header, batches[:2])
    whole = (tmp_path / "whole.qlg").read_bytes()
    torn = tmp_path / "torn.qlg"
    first = len(header.encode())
    for end in range(first, len(whole)):
        torn.write_bytes(whole[:end])
        assert read_ledger(torn)[1] in ([], batches[:1])
    damaged = bytearray(whole)
    damaged[first + 9] ^= 1
    torn.write_bytes(damaged)
    with pytest.raises(LedgerError, match="damaged"):
        read_ledger(torn)
    torn.write_bytes(b"\x00" + whole[1:])
    with pytest.raises(LedgerError, match="no ledger"):
        read_ledger(torn)


def test_nonsense_is_refused_before_it_is_written(tmp_path):
    header = LedgerHeader("job", "00c0ffee", 10, 0, "strict")
    with LedgerWriter(tmp_path / "x.qlg", header) as writer:
        writer.append(1, 0, [1, 2])
        for epoch, items, padding in ((0, [1], 0), (1, [10], 0), (1, [-1], 0), (1, [1], 2)):
            with pytest.raises(ValueError, match=r"epoch|item|padding"):
                writer.append(epoch, 1, items, padding)
    assert read_ledger(tmp_path / "x.qlg")[1] == [LedgerBatch(1, 0, [1, 2], 0)]
    with pytest.raises(FileExistsError):
        LedgerWriter(tmp_path / "x.qlg", header)


def test_the_java_program_proves_an_epoch_that_python_delivered(tmp_path):
    files = []
    for rank in range(3):
        setup = Setup(1000, 1, 32, 5, rank, 3, equal_steps="pad")
        sampling = RankEpochSampling("substitute", setup, epoch=0)
        sampler = sampling.begin(chunks=7)
        files.append(str(tmp_path / f"run.qlg.r{rank}"))
        header = LedgerHeader("proof", "00c0ffee", 1000, 5, "substitute", rank, 3)
        with LedgerWriter(files[-1], header) as ledger:
            step = 0
            while (draw := sampler.draw(Residency(pinned=(1, 3)))) is not None:
                found = draw.candidates[: draw.want]
                batch = [*found.tolist(), *draw.missing(found).tolist()]
                sampler.settle(draw, batch)
                padding = batch.count(sampling.padding_item)
                batch.sort(key=lambda item: item == sampling.padding_item)
                ledger.append(0, step, batch, padding)
                step += 1
    proof = quiver("ledger", "verify", *files)
    assert proof.returncode == 0, proof.stdout + proof.stderr
    lacking = quiver("ledger", "verify", *files[:2])
    assert lacking.returncode != 0
