"""Fashion-MNIST: finds the real files, and lays them out as a store that a digest can describe."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.examples.program import ExampleError, run

PACKAGED = Path("/usr/share/datasets/fashion-mnist")
"""The folder of Debian's package dataset-fashion-mnist."""

_TYPE_BYTES = 8  # the idx format's code for unsigned bytes

Bytes = npt.NDArray[np.uint8]


class Part(NamedTuple):
    """Images (n × 28 × 28) with their labels."""

    images: Bytes
    labels: Bytes

    def by_class(self) -> Part:
        """Return a copy with all of class 0 first, then all of class 1, and so on."""
        order = np.argsort(self.labels, kind="stable")
        return Part(self.images[order], self.labels[order])

    def first(self, count: int) -> Part:
        """Return only the first so many."""
        return Part(self.images[:count], self.labels[:count])


def load(folder: Path | None) -> tuple[Part, Part]:
    """Load the images to train on and those to test with.

    :param folder: where the four idx files are, compressed or not; by default where the package puts them
    :raises ExampleError: if they are not there
    """
    place = folder or PACKAGED
    return _part(place, "train"), _part(place, "t10k")


def _part(folder: Path, name: str) -> Part:
    part = Part(
        read_idx(_find(folder, f"{name}-images-idx3-ubyte")),
        read_idx(_find(folder, f"{name}-labels-idx1-ubyte")),
    )
    if part.images.ndim != 3 or part.images.shape[0] != part.labels.shape[0]:
        raise ExampleError(
            f"{folder}: {part.images.shape} images and {part.labels.shape} labels do not belong together"
        )
    return part


def _find(folder: Path, name: str) -> Path:
    for candidate in (folder / f"{name}.gz", folder / name):
        if candidate.is_file():
            return candidate
    raise ExampleError(
        f"Fashion-MNIST is not in {folder} ({name}.gz is missing). On Debian or Ubuntu: "
        "apt install dataset-fashion-mnist. Elsewhere put the four idx files into a folder and name it "
        "with --data DIR."
    )


def read_idx(path: Path) -> Bytes:
    """Return the numbers of an idx file of unsigned bytes."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if len(data) < 4 or data[:2] != b"\0\0" or data[2] != _TYPE_BYTES:
        raise ExampleError(f"{path} is no idx file of unsigned bytes")
    dimensions = data[3]
    shape = struct.unpack_from(f">{dimensions}I", data, 4)
    numbers = np.frombuffer(data, np.uint8, offset=4 + 4 * dimensions)
    if numbers.size != int(np.prod(shape)):
        raise ExampleError(f"{path} has {numbers.size} numbers where its header promises {shape}")
    return numbers.reshape(shape)


def write_idx(path: Path, numbers: Bytes) -> None:
    """Write numbers as an idx file."""
    header = bytes([0, 0, _TYPE_BYTES, numbers.ndim]) + struct.pack(f">{numbers.ndim}I", *numbers.shape)
    path.write_bytes(header + np.ascontiguousarray(numbers).tobytes())


def make_store(command: list[str], folder: Path, part: Part) -> tuple[Path, Path]:
    """Lay images and labels out uncompressed, so that single ones can be read, and make the digest.

    :return: the folder that is the store, and the digest
    """
    store, digest = folder / "store", folder / "train.qdg"
    if not digest.is_file():
        store.mkdir(parents=True, exist_ok=True)
        write_idx(store / "train-images-idx3-ubyte", part.images)
        write_idx(store / "train-labels-idx1-ubyte", part.labels)
        run(
            command,
            "digest",
            "create",
            "-q",
            "--kind",
            "idx",
            "--include",
            "*images*",
            "-o",
            str(digest),
            str(store),
        )
    return store, digest
