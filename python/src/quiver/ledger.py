"""Ledgers: what a rank delivered, batch by batch; ``quiver ledger verify`` proves epochs from them."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy.typing as npt

from quiver.sampling.setup import Kind


class LedgerHeader(NamedTuple):
    """Whose ledger it is.

    :param dataset: the first four bytes of the data set's identity, as 8 hex digits
    """

    job: str
    dataset: str
    items: int
    seed: int
    sampler: Kind
    rank: int = 0
    ranks: int = 1


class LedgerWriter:
    """Writes the ledger of one run of one rank; each batch is one write."""

    def __init__(self, path: str | os.PathLike[str], header: LedgerHeader):
        raise NotImplementedError

    def append(self, epoch: int, step: int, items: npt.ArrayLike, padding: int = 0) -> None:
        """Add a batch that was delivered. Epochs never go back. The last ``padding`` items are padding."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError
