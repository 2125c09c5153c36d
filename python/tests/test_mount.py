"""Programs that nobody changes read a mounted folder: torchvision's own loader of images."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster

_CLASSES = ("cat", "dog", "owl")
_IMAGES = 40

if shutil.which("fusermount3") is None or not os.access("/dev/fuse", os.W_OK):
    pytest.skip("needs fusermount3 (package fuse3) and /dev/fuse", allow_module_level=True)


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of images in folders of classes, as torchvision wants them."""
    pillow = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    folder = tmp_path_factory.mktemp("images")
    source = np.random.default_rng(3)
    for name in _CLASSES:
        (folder / name).mkdir()
        for number in range(_IMAGES):
            pixels = source.integers(0, 256, (24, 32, 3), dtype=np.uint8)
            pillow.fromarray(pixels).save(folder / name / f"{number:03}.png")
    return folder


@pytest.fixture
def mounted(images: Path, tmp_path: Path) -> Iterator[Path]:
    """Mount the same folder."""
    target = tmp_path / "mounted"
    target.mkdir()
    node = cluster.Node(["mount", str(images), str(target), "--json"], tmp_path / "log")
    try:
        yield Path(node.ready["mount"])
    finally:
        node.stop()
    assert list(target.iterdir()) == []


def test_an_image_folder_is_the_same_through_the_mount(images: Path, mounted: Path) -> None:
    datasets = pytest.importorskip("torchvision.datasets", reason="torchvision is not installed")
    own, seen = datasets.ImageFolder(str(images)), datasets.ImageFolder(str(mounted))
    assert seen.classes == list(_CLASSES)
    assert seen.targets == own.targets
    assert [Path(name).name for name, _ in seen.samples] == [Path(name).name for name, _ in own.samples]
    for (mine, label), (theirs, other) in zip(seen, own, strict=True):
        assert label == other
        assert np.array_equal(np.asarray(mine), np.asarray(theirs))


def test_workers_of_a_data_loader_read_the_mount_together(images: Path, mounted: Path) -> None:
    datasets = pytest.importorskip("torchvision.datasets", reason="torchvision is not installed")
    transforms = pytest.importorskip("torchvision.transforms", reason="torchvision is not installed")
    data = pytest.importorskip("torch.utils.data")
    tensors = transforms.ToTensor()
    expected = {(label, tensors(image).sum().item()) for image, label in datasets.ImageFolder(str(images))}
    seen: list[tuple[int, Any]] = []
    loader = data.DataLoader(
        datasets.ImageFolder(str(mounted), tensors), batch_size=16, shuffle=True, num_workers=2
    )
    for batch, labels in loader:
        seen += [(int(label), image.sum().item()) for image, label in zip(batch, labels, strict=True)]
    assert len(seen) == len(_CLASSES) * _IMAGES
    assert set(seen) == expected
