"""Orders of a known list that may repeat items."""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from quiver.order.base import BatchOrder
from quiver.order.draw import Draw, Items
from quiver.order.layout import ChunkLayout
from quiver.order.setup import NOTHING_RESIDENT, Residency, RingRole, Setup
from quiver.order.state import Words, pack, unpack
from quiver.order.steps import RankSteps, padding_place

Flags = npt.NDArray[np.bool_]


class ItemList:
    """The items that a job reads in one epoch, in order; an item may stand in it any number of times.

    :param items: how many items the data set has
    :ivar entries: indices of items, in the order they are to be read
    :ivar sha256: the list's name, as ``docs/ledger-format.md`` defines it

    >>> ItemList(5, [2, 2, 0]).distinct
    2
    """

    __slots__ = ("entries", "items", "sha256")

    def __init__(self, items: int, entries: npt.ArrayLike):
        wide = np.asarray(entries, np.int64)
        outside = wide[(wide < 0) | (wide >= items)]
        if len(outside):
            raise ValueError(f"item {outside[0]} of {items} in a list")
        self.items = items
        self.entries: Items = wide.astype(np.int32)
        head = struct.pack("<II", items, len(self.entries))
        self.sha256 = hashlib.sha256(head + self.entries.astype("<i4").tobytes()).hexdigest()

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def distinct(self) -> int:
        """Return how many different items the list has."""
        return len(np.unique(self.entries))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ItemList) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __repr__(self) -> str:
        return f"ItemList({self.sha256[:8]}, {len(self)} entries)"


class ListState:
    """The progress of a :class:`ListOrder`: which places of the list were delivered.

    :ivar position: how many entries at the front of the list were all delivered
    """

    __slots__ = ("_delivered", "epoch", "list", "position", "seed")

    def __init__(self, seed: int, epoch: int, entries: ItemList, delivered: Flags):
        if len(delivered) != len(entries):
            raise ValueError(f"{len(delivered)} flags for {entries}")
        self.seed, self.epoch, self.list = seed, epoch, entries
        self._delivered = delivered.copy()
        pending = np.flatnonzero(~self._delivered)
        self.position = int(pending[0]) if len(pending) else len(entries)

    @staticmethod
    def beginning(seed: int, epoch: int, entries: ItemList) -> ListState:
        """Return the state at the beginning of an epoch."""
        return ListState(seed, epoch, entries, np.zeros(len(entries), np.bool_))

    @staticmethod
    def of(seed: int, epoch: int, entries: ItemList, position: int, ahead: Words) -> ListState:
        """Return a state from its parts, as they were saved; ``ahead`` is as the property of that name."""
        if not 0 <= position <= len(entries):
            raise ValueError(f"position {position} of {entries}")
        flags = unpack(np.asarray(ahead, np.uint64), 64 * len(ahead))
        rest = len(entries) - position
        if flags[rest:].any():
            raise ValueError(f"bits are set beyond the last entry of {entries}")
        delivered = np.zeros(len(entries), np.bool_)
        delivered[:position] = True
        delivered[position : position + len(flags)] = flags[:rest]
        return ListState(seed, epoch, entries, delivered)

    @staticmethod
    def merge(ranks: Sequence[ListState]) -> ListState:
        """Return one state for all ranks, from the state of each."""
        first = ranks[0]
        union = first.delivered
        for rank in ranks:
            if (rank.seed, rank.epoch, rank.list) != (first.seed, first.epoch, first.list):
                raise ValueError(
                    f"the states of different epochs or jobs cannot be merged: {first} and {rank}"
                )
            union |= rank._delivered
        return ListState(first.seed, first.epoch, first.list, union)

    @property
    def ahead(self) -> Words:
        """A bit for each place from the position on, set if delivered, without words of zeros at the end."""
        words = pack(self._delivered[self.position :])
        used = np.flatnonzero(words)
        return words[: int(used[-1]) + 1 if len(used) else 0]

    @property
    def delivered(self) -> Flags:
        """A copy of the flags of all places."""
        return self._delivered.copy()

    @property
    def items(self) -> int:
        """The number of items of the data set."""
        return self.list.items

    @property
    def delivered_entries(self) -> int:
        """The number of entries that were delivered."""
        return int(self._delivered.sum())

    def require_fits(self, setup: Setup) -> None:
        """Refuse a setup that this state was not made with."""
        if self.list.items != setup.items or self.seed != setup.seed:
            raise ValueError(
                f"a state of {self.list.items} items and seed {self.seed} does not fit a job of "
                f"{setup.items} items and seed {setup.seed}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the state as numbers and text, for checkpoints and JSON."""
        return {
            "kind": "list",
            "seed": self.seed,
            "epoch": self.epoch,
            "items": self.list.items,
            "position": self.position,
            "ahead": _packed(self.ahead.astype("<u8").tobytes()),
            "size": len(self.list),
            "list": _packed(self.list.entries.astype("<i4").tobytes()),
        }

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> ListState:
        """Return the state that :meth:`to_dict` made the document of."""
        if document.get("kind") != "list":
            raise ValueError("not the state of a list")
        size = int(document["size"])
        data = _unpacked(document["list"], 4 * size)
        if len(data) != 4 * size:
            raise ValueError(f"a list of {size} entries that has {len(data)} bytes")
        entries = ItemList(int(document["items"]), np.frombuffer(data, "<i4"))
        ahead = np.frombuffer(_unpacked(document["ahead"], (size + 63) // 64 * 8), "<u8")
        seed, epoch, position = (int(document[name]) for name in ("seed", "epoch", "position"))
        return ListState.of(seed, epoch, entries, position, ahead)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ListState)
            and (self.seed, self.epoch, self.list) == (other.seed, other.epoch, other.list)
            and bool(np.array_equal(self._delivered, other._delivered))
        )

    def __hash__(self) -> int:
        return hash((self.seed, self.epoch, self.list))

    def __repr__(self) -> str:
        return f"ListState(epoch {self.epoch} of seed {self.seed}, position {self.position} of {self.list})"


class ListOrder(BatchOrder):
    """Draws the entries of a known list, each exactly as often as it stands there.

    Ranks take turns of the entries that are left. Without look-ahead a draw is exactly the rank's next
    entries. With a look-ahead, a draw names those and so many after them as candidates, of which those in
    the cache may come first. An entry is passed over at most once: then it is due, and the next draw
    demands it. An item is a candidate once in a draw; its repeats are fetched with the batch, or wait.

    :param state: what all ranks together had delivered
    :param look_ahead: how many entries beyond a batch may come before it; 0 for the order of the list
    """

    def __init__(self, setup: Setup, state: ListState, look_ahead: int = 0):
        state.require_fits(setup)
        if setup.homogeneous:
            raise ValueError("a list cannot be read in homogeneous batches")
        if look_ahead < 0:
            raise ValueError(f"a look-ahead of {look_ahead} entries")
        self.epoch = state.epoch
        self._setup, self._list, self._look_ahead = setup, state.list, look_ahead
        self._layout = ChunkLayout(setup.items, setup.chunks)
        self._delivered = state.delivered
        left = np.flatnonzero(~self._delivered)
        self._steps = RankSteps(setup, len(left))
        self._own = left[setup.rank :: setup.ranks][: self._steps.unpromised].astype(np.int32)
        padding = left[padding_place(setup, len(left))] if self._steps.padding else -1
        self._padding_item = int(self._list.entries[padding]) if padding >= 0 else -1
        self._next = 0
        self._due: list[int] = []
        self._returned: list[int] = []
        self._out: dict[Draw, tuple[list[int], list[int]]] = {}

    @classmethod
    def begin(cls, setup: Setup, epoch: int, entries: ItemList, look_ahead: int = 0) -> ListOrder:
        """Begin an epoch."""
        return cls(setup, ListState.beginning(setup.seed, epoch, entries), look_ahead)

    @property
    def _free(self) -> int:
        return len(self._due) + len(self._returned) + len(self._own) - self._next

    def draw(self, residency: Residency = NOTHING_RESIDENT, ring_role: RingRole = "leader") -> Draw | None:
        """Return what to read for the next batch; None while what is left is out, or at the end."""
        del residency, ring_role
        size = self._steps.next()
        padding = self._steps.padding_in(size)
        if size == 0 or size - padding > self._free:
            return None
        fetch, self._due = self._due[: size - padding], self._due[size - padding :]
        candidates: list[int] = []
        count = size - padding - len(fetch)
        if self._look_ahead == 0:
            fetch += [self._take() for _ in range(count)]
        elif count:
            self._choose(count, candidates, fetch)
        want = size - padding - len(fetch)
        entries = self._list.entries
        fetched = np.append(entries[fetch], np.full(padding, self._padding_item, np.int32))
        draw = Draw(entries[candidates], want, fetched.astype(np.int32), padding)
        self._steps.drawn(draw)
        self._out[draw] = (candidates, fetch)
        return draw

    def places(self, draw: Draw) -> list[int]:
        """Return the places in the list of what a draw that is out fetches, without padding."""
        return list(self._out[draw][1])

    def _choose(self, count: int, candidates: list[int], fetch: list[int]) -> None:
        """Take the batch's next entries, repeats among them as fetches, and look ahead after them."""
        entries = self._list.entries
        named = {int(entries[place]) for place in fetch}
        waiting: list[int] = []
        ahead = min(self._look_ahead, self._free - len(self._due) - count)
        for number in range(count + ahead):
            if number >= count and not candidates:
                break
            place = self._take()
            item = int(entries[place])
            if item not in named:
                candidates.append(place)
            else:
                (fetch if number < count else waiting).append(place)
            named.add(item)
        for place in waiting:
            insort(self._returned, place)

    def _take(self) -> int:
        """Take the first place that is neither due, out nor delivered."""
        if self._returned:
            return self._returned.pop(0)
        self._next += 1
        return int(self._own[self._next - 1])

    def settle(self, draw: Draw, delivered: npt.ArrayLike) -> None:
        """End a draw: what was not delivered goes back to its place in the list."""
        if draw not in self._out:
            raise ValueError("this draw was not out, or was settled before")
        given = np.asarray(delivered, np.int32).tolist()
        if len(given) > draw.size:
            raise ValueError(f"{len(given)} items delivered for a batch of {draw.size}")
        candidates, fetch = self._out[draw]
        marked = self._match(draw, given, sorted(candidates + fetch))
        del self._out[draw]
        self._delivered[marked] = True
        came = [i for i, place in enumerate(candidates) if self._delivered[place]]
        needed = max(draw.want, came[-1] + 1 if came else 0)
        for number, place in enumerate(candidates + fetch):
            if not self._delivered[place]:
                passed = number < needed or number >= len(candidates)
                insort(self._due if passed else self._returned, place)
        self._steps.settled(draw, len(marked), len(given) - len(marked))

    def _match(self, draw: Draw, given: list[int], places: list[int]) -> list[int]:
        """Return the places delivered, those of an item from the front on; what exceeds them is padding."""
        by_item: dict[int, list[int]] = {}
        for place in reversed(places):
            by_item.setdefault(int(self._list.entries[place]), []).append(place)
        marked: list[int] = []
        padding = draw.padding_count
        for item in given:
            if by_item.get(item):
                marked.append(by_item[item].pop())
            elif item == self._padding_item and padding:
                padding -= 1
            else:
                raise ValueError(f"item {item} was not out with this draw, or is delivered too often")
        return marked

    def state(self) -> ListState:
        """Return the progress of this rank, without what is out."""
        return ListState(self._setup.seed, self.epoch, self._list, self._delivered)

    @property
    def finished(self) -> bool:
        """True if every batch of this rank has been delivered."""
        return self._steps.finished

    def available(self, chunk: int | None = None) -> int:
        """Return the entries of this rank that can be drawn now: of a chunk, or of all."""
        if chunk is None:
            return min(self._free, self._steps.unpromised)
        if not 0 <= chunk < self._setup.chunks:
            raise ValueError(f"chunk {chunk} of {self._setup.chunks}")
        return int((self._layout.chunks_of(self.upcoming(self._free)) == chunk).sum())

    def upcoming(self, count: int) -> Items:
        """Return the next items in the order of the list, those that are due first."""
        some = max(0, count)
        own = self._own[self._next : self._next + some].tolist()
        places = np.array((self._due + self._returned + own)[:some], np.int32)
        return self._list.entries[places]


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii")


def _unpacked(text: str, most: int) -> bytes:
    """Return packed bytes, at most one more than may be there."""
    return zlib.decompressobj().decompress(base64.b64decode(text), most + 1)
