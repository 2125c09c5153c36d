"""Digests: the golden ones, damaged ones, and what workers do with them."""

from __future__ import annotations

import json
import os
import pickle

import pytest

from cluster import HOME, quiver
from quiver import Digest, DigestError

GOLDEN = sorted((HOME / "test-vectors" / "digest").glob("*.qdg"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_digest_holds_what_its_json_says(file):
    expected = json.loads(file.with_suffix(".json").read_text())
    digest = Digest.open(file)
    digest.verify()
    assert digest.items == len(digest) == expected["items"]
    assert digest.bytes == expected["total_bytes"]
    assert digest.largest_item == expected["largest_item"]
    assert digest.identity.hex() == expected["identity"]
    assert digest.key == expected["identity"][:16]
    assert digest.object_names == expected["object_names"]
    assert digest.class_names == (expected["class_names"] or [])
    assert digest.metadata == expected["metadata"]
    columns = [(expected[name] or []) for name in ("hash", "size", "object", "offset")]
    for item, (hash_, size, index, offset) in enumerate(zip(*columns, strict=True)):
        assert digest.hash(item).hex() == hash_
        name = expected["object_names"][index] if isinstance(index, int) else index
        assert digest.location(item) == (name, offset, size)
    for name, column in (("label", digest.labels), ("length", digest.lengths)):
        assert (None if column is None else column.tolist()) == expected[name]
    if expected["name"] is not None:
        assert [digest.item_name(item) for item in range(digest.items)] == expected["name"]


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_digest_cut_at_any_byte_is_refused(file, tmp_path):
    whole = file.read_bytes()
    cut = tmp_path / "cut.qdg"
    cut.write_bytes(whole + b"\x00")
    with pytest.raises(DigestError):
        Digest.open(cut)
    # Shortened where it lies: a file system may wait for its disk when a file is written anew.
    for length in reversed(range(len(whole))):
        os.truncate(cut, length)
        with pytest.raises(DigestError):
            Digest.open(cut)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_every_flipped_bit_is_found(file, tmp_path):
    whole = file.read_bytes()
    flipped = tmp_path / "flipped.qdg"
    flipped.write_bytes(whole)
    with flipped.open("r+b", buffering=0) as stream:
        for at in range(len(whole)):
            os.pwrite(stream.fileno(), bytes([whole[at] ^ 1 << at % 8]), at)
            with pytest.raises(DigestError):
                Digest.open(flipped).verify()
            os.pwrite(stream.fileno(), whole[at : at + 1], at)


def test_items_outside_are_refused():
    digest = Digest.open(GOLDEN[0])
    for item in (-1, digest.items):
        for ask in (digest.hash, digest.location, digest.size, digest.describe):
            with pytest.raises(IndexError):
                ask(item)


def test_a_digest_is_pickled_by_its_path():
    file = next(each for each in GOLDEN if each.stem == "labels")
    pickled = pickle.dumps(Digest.open(file))
    assert len(pickled) < 300
    assert pickle.loads(pickled).hash(0) == Digest.open(file).hash(0)


def test_its_text_shows_no_whole_hash():
    digest = Digest.open(GOLDEN[0])
    assert digest.identity.hex()[:8] in repr(digest)
    assert digest.identity.hex()[:12] not in repr(digest)


def test_what_is_no_digest_is_told_with_a_remedy(tmp_path):
    with pytest.raises(DigestError, match="quiver digest create"):
        Digest.open(tmp_path / "missing.qdg")
    (tmp_path / "text.qdg").write_text("x" * 500)
    with pytest.raises(DigestError, match="no digest"):
        Digest.open(tmp_path / "text.qdg")


def test_a_digest_made_by_the_java_program_is_read(tmp_path):
    folder = tmp_path / "images"
    for label in ("cat", "dog"):
        (folder / label).mkdir(parents=True)
        for index in range(3):
            (folder / label / f"{index}.jpg").write_bytes(f"{label} {index}".encode())
    made = quiver("digest", "create", str(folder), "--output", str(tmp_path / "x.qdg"))
    assert made.returncode == 0, made.stdout + made.stderr
    digest = Digest.open(tmp_path / "x.qdg")
    digest.verify()
    assert digest.items == 6
    assert digest.class_names == ["cat", "dog"]
    assert digest.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert digest.location(4) == ("dog/1.jpg", 0, 5)
    assert digest.describe(4) == "dog/1.jpg"
