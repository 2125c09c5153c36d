"""A made-up data set of pictures for the sweep: classes that a network can learn, under noise."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from quiver.examples.program import run

SIDE = 64
SHAPE = (3, SIDE, SIDE)
BYTES = 3 * SIDE * SIDE
CLASSES = 8
_NOISE = 160


def make(command: list[str], folder: Path, count: int, seed: int) -> tuple[Path, Path]:
    """Write so many pictures, one file each in a folder for its class, and make the digest.

    :return: the folder that is the store, and the digest
    """
    store, digest = folder / "store", folder / "pictures.qdg"
    source = np.random.default_rng(seed)
    waves = [_wave(number) for number in range(CLASSES)]
    for number in range(CLASSES):
        (store / f"class{number}").mkdir(parents=True)
    for index in range(count):
        number = index % CLASSES
        noise = source.integers(0, _NOISE, SHAPE, dtype=np.uint8)
        (store / f"class{number}" / f"{index:06}.raw").write_bytes((waves[number] + noise).tobytes())
    run(command, "digest", "create", "-q", "-o", str(digest), str(store))
    return store, digest


def _wave(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Draw stripes whose direction and width are the class."""
    down, across = np.mgrid[0:SIDE, 0:SIDE]
    angle = np.pi * number / CLASSES
    phase = (down * np.sin(angle) + across * np.cos(angle)) * 2 * np.pi / (8 + 2 * (number % 3))
    return np.broadcast_to((40 + 40 * np.sin(phase)).astype(np.uint8), SHAPE)
