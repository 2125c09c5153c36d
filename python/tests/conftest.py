"""Fixtures that all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import cluster
import datasets
from quiver.examples import garments

# Tests write many small files, and servers wait for their disks: memory does not make them wait.
_MEMORY = Path("/dev/shm")
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
# Processes of tests share few cores with each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out tests that are marked long unless they are asked for."""
    if os.environ.get("QUIVER_TEST_LONG", "false") in ("", "0", "false"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip("long; QUIVER_TEST_LONG=true"))


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The golden files that all languages share."""
    return cluster.HOME / "test-vectors"


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[cluster.Node]:
    """One cache server for all tests that neither stop it nor fill it."""
    with cluster.server(tmp_path_factory.mktemp("shared-server")) as node:
        yield node


@pytest.fixture(scope="session")
def three_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[cluster.Node]:
    """A cache of three servers that takes whatever is put, for tests that do not stop it."""
    with cluster.up(tmp_path_factory.mktemp("three-servers"), "--planner", "none", servers=3) as node:
        yield node


@pytest.fixture(scope="session")
def shared_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[cluster.Node]:
    """A cache with a manager and two servers, for tests that do not stop it."""
    with cluster.up(tmp_path_factory.mktemp("shared-node"), servers=2) as node:
        yield node


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    """A data set for tests that do not care which."""
    return datasets.files(tmp_path_factory.mktemp("data"), datasets.ITEMS, 2500, seed=11)


@pytest.fixture(scope="session")
def tiny_garments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Images that a network can tell apart: a bright band whose place is the class."""
    folder = tmp_path_factory.mktemp("idx")
    source = np.random.default_rng(5)
    for name, count in (("train", 1200), ("t10k", 200)):
        labels = source.integers(0, 10, count, dtype=np.uint8)
        images = source.integers(0, 60, (count, 28, 28), dtype=np.uint8)
        for image, label in zip(images, labels, strict=True):
            image[2 * label + 3 : 2 * label + 5] += 150
        garments.write_idx(folder / f"{name}-images-idx3-ubyte", images)
        garments.write_idx(folder / f"{name}-labels-idx1-ubyte", labels)
    return folder
