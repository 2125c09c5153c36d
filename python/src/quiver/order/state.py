"""The progress of a job in an epoch."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from quiver.order.setup import Setup

Words = npt.NDArray[np.uint64]


class OrderState(Protocol):
    """The progress of an order: of a whole epoch, or of a list."""

    seed: int
    epoch: int

    @property
    def items(self) -> int:
        """The number of items of the data set."""

    def require_fits(self, setup: Setup) -> None:
        """Refuse a setup that this state was not made with."""

    def to_dict(self) -> dict[str, Any]:
        """Return the state as numbers and text, for checkpoints and JSON."""


class EpochState:
    """The progress of an epoch, enough to go on after a restart, also with another number of ranks.

    Counts what was delivered to the training loop, not what was read ahead. ``delivered`` has one bit for
    each item, in words of 64 from the lowest bit up.

    >>> state = EpochState(seed=7, epoch=2, items=100, delivered=np.array([0b101, 0], np.uint64))
    >>> state.delivered_items, EpochState.from_dict(state.to_dict()) == state
    (2, True)
    """

    __slots__ = ("delivered", "epoch", "items", "seed")

    def __init__(self, seed: int, epoch: int, items: int, delivered: Words):
        words = np.array(delivered, np.uint64)
        if len(words) != (items + 63) // 64:
            raise ValueError(f"{len(words)} words of bits for {items} items; expected {(items + 63) // 64}")
        if items % 64 and int(words[-1]) >> (items % 64):
            raise ValueError(f"bits are set beyond the last of {items} items")
        self.seed = seed
        self.epoch = epoch
        self.items = items
        self.delivered = words

    @staticmethod
    def merge(ranks: Sequence[EpochState]) -> EpochState:
        """Merge the states of all ranks into one."""
        first = ranks[0]
        union = first.delivered.copy()
        for rank in ranks:
            if (rank.seed, rank.epoch, rank.items) != (first.seed, first.epoch, first.items):
                raise ValueError(
                    f"the states of different epochs or jobs cannot be merged: {first} and {rank}"
                )
            union |= rank.delivered
        return EpochState(first.seed, first.epoch, first.items, union)

    @staticmethod
    def of_mask(seed: int, epoch: int, delivered: npt.NDArray[np.bool_]) -> EpochState:
        """Make a state from one flag for each item."""
        return EpochState(seed, epoch, len(delivered), pack(delivered))

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return a flag for each item, set if it was delivered."""
        return unpack(self.delivered, self.items)

    @property
    def delivered_items(self) -> int:
        """The number of items that were delivered."""
        return int(self.mask().sum())

    def require_fits(self, setup: Setup) -> None:
        """Refuse a setup that this state was not made with."""
        if self.items != setup.items or self.seed != setup.seed:
            raise ValueError(
                f"a state of {self.items} items and seed {self.seed} does not fit a job of "
                f"{setup.items} items and seed {setup.seed}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the state as numbers and text, for checkpoints and JSON."""
        packed = zlib.compress(self.delivered.astype("<u8").tobytes(), 1)
        return {
            "seed": self.seed,
            "epoch": self.epoch,
            "items": self.items,
            "delivered": base64.b64encode(packed).decode("ascii"),
        }

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> EpochState:
        """Read what :meth:`to_dict` wrote."""
        items = int(document["items"])
        length = (items + 63) // 64 * 8
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(document["delivered"]), length + 1)
        if len(data) != length:
            raise ValueError(f"a state of {items} items whose bits do not have {length} bytes")
        return EpochState(int(document["seed"]), int(document["epoch"]), items, np.frombuffer(data, "<u8"))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, EpochState)
            and (self.seed, self.epoch, self.items) == (other.seed, other.epoch, other.items)
            and bool(np.array_equal(self.delivered, other.delivered))
        )

    def __hash__(self) -> int:
        return hash((self.seed, self.epoch, self.items))

    def __repr__(self) -> str:
        return (
            f"EpochState(epoch {self.epoch} of seed {self.seed}, "
            f"{self.delivered_items} of {self.items} items delivered)"
        )


def pack(flags: npt.NDArray[np.bool_]) -> Words:
    """Pack flags into words of 64 bits from the lowest up."""
    words = np.zeros((len(flags) + 63) // 64, "<u8")
    packed = np.packbits(flags, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.uint64, copy=False)


def unpack(words: Words, items: int) -> npt.NDArray[np.bool_]:
    """Unpack the flags of words of 64 bits."""
    flags = np.unpackbits(words.astype("<u8", copy=False).view(np.uint8), count=items, bitorder="little")
    return flags.view(np.bool_)
