"""Plans: which servers there are and what the cache holds of a job's data set, as the manager says.

Everybody who reads a plan moves toward it; who reads an old one loses time, never data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from quiver.order import Residency, RingRole

SHARED_SPACE = "ds-lru"
"""The space that takes whatever jobs miss where no chunks are planned."""

_RANKED_SUFFIX = ".ranked"

MAX_CHUNKS = 10_000


class PlanError(ValueError):
    """A document that is no plan; the message says what is wrong."""


def ranked_space(dataset: str) -> str:
    """Return the space that keeps items of a data set by the priorities that jobs give them."""
    return f"ds-{dataset}{_RANKED_SUFFIX}"


@dataclass(frozen=True)
class ChunkEntry:
    """A chunk in the cache or on its way.

    :param generation: tells this stay in the cache from earlier and later ones
    """

    chunk: int
    generation: int
    role: Literal["pinned", "rotating"]
    state: Literal["loading", "active", "marked"]


@dataclass(frozen=True)
class DatasetPlan:
    """The chunks of one data set that the cache should have.

    :param dataset: its key
    :param ring: whether chunks rotate; if not, what is not held is read from the store
    :param held: in the order they came
    :param document: the same as the manager wrote it, to be sent back in reports
    """

    dataset: str
    items: int
    chunks: int
    ring: bool
    held: tuple[ChunkEntry, ...]
    document: Mapping[str, Any] = field(compare=False, repr=False)

    def residency(self) -> Residency:
        """Return the chunks that a sampler may expect in the cache."""
        return Residency(
            pinned=tuple(c.chunk for c in self.held if c.role == "pinned" and c.state == "active"),
            window=self._window(),
            loading=tuple(c.chunk for c in self.held if c.state == "loading"),
            ring=self.ring,
        )

    def _window(self) -> tuple[int, ...]:
        """Return the rotating chunks that can be read, the one that leaves first in front."""
        rotating = [c for c in self.held if c.role == "rotating" and c.state != "loading"]
        return tuple(c.chunk for c in sorted(rotating, key=lambda c: c.state != "marked"))

    def space(self, chunk: int) -> str:
        """Return the space of a chunk."""
        return f"ds-{self.dataset}.{self.chunks}.{chunk}"


@dataclass(frozen=True)
class Probe:
    """A few batches to be read from the store alone, so that it becomes known what the cache is worth."""

    id: int
    batches: int


@dataclass(frozen=True)
class JobPlan:
    """A job's part of the plan.

    :param members: (name, uri, weight) of the cache servers
    :param dataset: None when no chunk of its data is to be cached
    :param shared: the space that takes whatever the job misses; None where there is none
    :param managed: whether a manager made it, through which jobs and ranks hear of each other
    """

    version: int
    members: tuple[tuple[str, str, int], ...]
    dataset: DatasetPlan | None
    ring_role: RingRole
    shared: str | None
    probe: Probe | None
    managed: bool = True

    @staticmethod
    def parse(document: Any) -> JobPlan:
        """Check and read what a manager sent."""
        try:
            return _job_plan(document)
        except (KeyError, TypeError, ValueError, AttributeError) as e:
            raise PlanError(f"the manager's plan makes no sense: {type(e).__name__}: {e}") from e

    @property
    def is_ranked(self) -> bool:
        """True if what the job misses is kept by the priorities it gives."""
        return self.shared is not None and self.shared.endswith(_RANKED_SUFFIX)

    def fits(self, dataset: str, items: int) -> bool:
        """Return True if the plan is about this data set, or about none."""
        about = self.dataset
        return about is None or (about.dataset == dataset and about.items == items)


def _job_plan(document: Any) -> JobPlan:
    probe = document.get("probe")
    about = document.get("dataset")
    return JobPlan(
        version=int(document["version"]),
        members=tuple((str(m["name"]), str(m["uri"]), int(m["weight"])) for m in document["members"]),
        dataset=None if about is None else _dataset_plan(about),
        ring_role=_one_of(document.get("ring_role") or "leader", "leader", "follower"),
        shared=None if document.get("shared") is None else str(document["shared"]),
        probe=None if probe is None else Probe(int(probe["id"]), int(probe["batches"])),
        managed=document.get("managed") is not False,
    )


def _dataset_plan(document: Any) -> DatasetPlan:
    chunks = int(document["chunks"])
    held = tuple(
        ChunkEntry(
            int(each["chunk"]),
            int(each["generation"]),
            _one_of(each["role"], "pinned", "rotating"),
            _one_of(each["state"], "loading", "active", "marked"),
        )
        for each in document["held"]
    )
    if not 1 <= chunks <= MAX_CHUNKS or any(not 0 <= c.chunk < chunks for c in held):
        raise ValueError(f"chunks {[c.chunk for c in held]} of {chunks}")
    return DatasetPlan(
        str(document["dataset"]), int(document["items"]), chunks, bool(document["ring"]), held, document
    )


def _one_of(value: Any, *allowed: str) -> Any:
    word = str(value).lower()
    if word not in allowed:
        raise ValueError(f"{value!r} is not one of {', '.join(allowed)}")
    return word
