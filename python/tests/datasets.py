"""Small data sets of random bytes with real digests, made by the real program."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import cluster

ITEMS = 203


class Data(NamedTuple):
    """A data set on disk; the items are in the order of the digest."""

    digest: Path
    store: Path
    contents: list[bytes]
    names: list[str]

    def item(self, content: Any) -> int:
        """Return the item that has these bytes."""
        return self.contents.index(bytes(content))


def digest_of(store: Path, digest: Path, *options: str) -> Path:
    made = cluster.quiver("digest", "create", "-q", "-o", str(digest), *options, str(store))
    assert made.returncode == 0, made.stderr
    return digest


def files(folder: Path, count: int, size: int, seed: int, classes: int = 4) -> Data:
    """Make files of random bytes, each at least half the size, in folders named by their class."""
    source = random.Random(seed)
    contents: dict[str, bytes] = {}
    for index in range(count):
        name = f"class{index % classes}/{index:05}.bin"
        contents[name] = source.randbytes(source.randrange(size // 2, size))
    root = folder / "objects"
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    names = sorted(contents)
    return Data(digest_of(root, folder / "data.qdg"), root, [contents[name] for name in names], names)


def records(folder: Path, count: int, size: int, seed: int) -> Data:
    """Make one file of fixed records, the first byte of each being its label, after a header of 8 bytes."""
    source = random.Random(seed)
    contents = [bytes([index % 3]) + source.randbytes(size - 1) for index in range(count)]
    root = folder / "objects"
    root.mkdir(parents=True)
    (root / "all.bin").write_bytes(b"8 bytes." + b"".join(contents))
    options = [
        "--kind",
        "records",
        "--record-bytes",
        str(size),
        "--record-header",
        "8",
        "--record-label",
        "0",
    ]
    return Data(digest_of(root, folder / "data.qdg", *options), root, contents, ["all.bin"] * count)
