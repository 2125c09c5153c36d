"""Fixtures that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import cluster


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
