"""States of a loader for checkpoints, by the conventions of torchdata's ``StatefulDataLoader``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from quiver.importance_lists import ImportanceMode
from quiver.order import EpochState, Kind, ListState
from quiver.torch.importance import merged_importance
from quiver.torch.ranks import Ranks

Sampler = Kind | ImportanceMode
Delivered = EpochState | ListState

_VERSION = 1


@dataclass(frozen=True)
class LoaderState:
    """The items, or entries of a list, that were delivered of an epoch.

    :param delivered: by this rank, or by all if ``rank`` is None
    :param before: what all ranks together had delivered when this rank's share was made; None for nothing
    :param rank: whose state it is; None for that of all ranks together
    :param world_size: how many ranks there were
    :param batches: how many batches this rank was handed in this epoch
    :param finished: whether the epoch is over
    :param sampler: made the order; empty if a state does not say
    :param padded: whether this rank was handed the sample it repeats of another's
    :param importance: of samples; None where they are not sampled by it
    """

    delivered: Delivered
    before: Delivered | None
    rank: int | None
    world_size: int
    batches: int
    finished: bool
    sampler: Sampler | Literal[""]
    padded: bool = False
    importance: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the state as numbers and text."""
        return {
            "quiver_state": _VERSION,
            "epoch": self.delivered.epoch,
            "batches": self.batches,
            "finished": self.finished,
            "sampler": self.sampler,
            "padded": self.padded,
            "rank": self.rank,
            "world_size": self.world_size,
            "delivered": _document(self.delivered),
            "before": None if self.before is None else _document(self.before),
            "importance": self.importance,
        }

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> LoaderState:
        """Read what :meth:`to_dict` wrote."""
        if document.get("quiver_state") != _VERSION:
            raise ValueError("not a state of a QuiverDataLoader, or one of a newer version")
        before, importance = document["before"], document.get("importance")
        return LoaderState(
            _delivered(document["delivered"], importance),
            None if before is None else _delivered(before, importance),
            document["rank"],
            int(document["world_size"]),
            int(document["batches"]),
            bool(document["finished"]),
            document.get("sampler", ""),
            bool(document["padded"]),
            importance,
        )

    def everything(self) -> Delivered:
        """Return what is known to be delivered, by whichever rank."""
        return self.delivered if self.before is None else _union([self.delivered, self.before])


def _document(progress: Delivered) -> dict[str, Any]:
    """Return progress as numbers and text; the list itself stands with the importance of samples."""
    document = progress.to_dict()
    document.pop("list", None)
    return document


def _delivered(document: Mapping[str, Any], importance: Mapping[str, Any] | None) -> Delivered:
    if document.get("kind") != "list":
        return EpochState.from_dict(document)
    if importance is None:
        raise ValueError("the state of a list without the list")
    return ListState.from_dict({**document, "list": importance["lists"]["drawn"][0]["list"]})


def _union(states: Sequence[Delivered]) -> Delivered:
    lists = [state for state in states if isinstance(state, ListState)]
    epochs = [state for state in states if isinstance(state, EpochState)]
    if lists and epochs:
        raise ValueError("the states of a list and of an epoch cannot be merged; they are of different jobs")
    return ListState.merge(lists) if lists else EpochState.merge(epochs)


def merge_states(states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the states of all ranks of a job into one, from which any number of ranks can go on.

    >>> loader.load_state_dict(merge_states([torch.load(f) for f in files]))  # doctest: +SKIP
    """
    return merged([LoaderState.from_dict(state) for state in states]).to_dict()


def merged(states: Sequence[LoaderState]) -> LoaderState:
    """Merge the states of all ranks."""
    if not states:
        raise ValueError("no states to merge; give those of all ranks")
    first = states[0]
    if len(states) == 1 and (first.rank is None or first.world_size == 1):
        return replace(first, delivered=first.everything(), before=None, rank=None)
    found = sorted(-1 if state.rank is None else state.rank for state in states)
    if found != list(range(first.world_size)):
        raise ValueError(
            f"the states of ranks {found} of {first.world_size}; give one of each rank, "
            "or gather them while the job runs with loader.gather_state_dict()"
        )
    if len({state.delivered.epoch for state in states}) > 1:
        raise ValueError("the states are of different epochs; save them at the same step in all ranks")
    return LoaderState(
        delivered=_union([state.everything() for state in states]),
        before=None,
        rank=None,
        world_size=first.world_size,
        batches=max(state.batches for state in states),
        finished=all(state.finished for state in states),
        sampler=first.sampler,
        importance=merged_importance([state.importance for state in states]),
    )


def loaded_state(
    state: Mapping[str, Any] | Sequence[Mapping[str, Any]], ranks: Ranks, sampler: Sampler
) -> LoaderState:
    """Read the state from which a rank goes on: its own, or one of all ranks together."""
    if not isinstance(state, Mapping):
        return merged([LoaderState.from_dict(each) for each in state])
    loaded = LoaderState.from_dict(state)
    if loaded.rank is None:
        return loaded
    if loaded.world_size == 1:
        return loaded if ranks.world_size == 1 else merged([loaded])
    if (loaded.rank, loaded.world_size) != ranks:
        raise ValueError(
            f"this is the state of rank {loaded.rank} of {loaded.world_size}, not of {ranks}; "
            "give the states of all ranks as a list, or one made by gather_state_dict()"
        )
    if loaded.sampler not in ("", sampler):
        raise ValueError(
            f"{ranks} was saved with sampler={loaded.sampler!r}, which divides epochs among ranks otherwise "
            f"than {sampler!r}, so that samples would come twice; use that sampler, or give all ranks' "
            "states as a list"
        )
    return loaded


def require_same_kind(loaded: LoaderState, *, by_importance: bool) -> bool:
    """Return True if a state is one in the middle of an epoch of the kind that the sampler has.

    :raises ValueError: if it is in the middle of an epoch of the other kind
    """
    delivered = loaded.delivered
    a_list = isinstance(delivered, ListState)
    if a_list == by_importance:
        return True
    begun = isinstance(delivered, ListState) or delivered.delivered_items > 0 or loaded.before is not None
    if begun and not loaded.finished:
        raise ValueError(
            f"a state in the middle of an epoch of sampler={loaded.sampler!r}, which follows "
            f"{'a list with repeats' if a_list else 'no list'}; go on with that sampler until the epoch ends"
        )
    return False
