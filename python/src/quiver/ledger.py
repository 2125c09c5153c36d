"""Ledgers: what a rank delivered, batch by batch; ``quiver ledger verify`` proves epochs from them.

A ledger holds indices, never hashes; it may be handed around. ``docs/ledger-format.md`` has the bytes.

>>> header = LedgerHeader("train", digest.key[:8], digest.items, seed=7, sampler="strict")  # doctest: +SKIP
>>> with LedgerWriter("run.qlg", header) as ledger:  # doctest: +SKIP
...     ledger.append(epoch=0, step=0, items=[5, 3, 8])
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.order.setup import Kind

_MAGIC = b"\x89QLG\r\n\x1a\n"
_VERSION = 1
_FIXED = struct.Struct("<8sIIqIIBBH4s")
_MAX_BATCH = 1 << 20
_MAX_PAYLOAD_BYTES = 5 * _MAX_BATCH + 36
_CODES: dict[str, int] = {"substitute": 1, "paper": 2, "strict": 3}


class LedgerError(ValueError):
    """A file that is no ledger, or a damaged one; the message says where and what."""


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

    def encode(self) -> bytes:
        """The bytes at the beginning of the file."""
        job = self.job.encode()
        if not 1 <= len(job) <= 255:
            raise ValueError(f"a job's name of {len(job)} bytes; 1 to 255 fit a ledger")
        if self.sampler not in _CODES or len(self.dataset) != 8:
            raise ValueError(f"sampler {self.sampler!r}, data set {self.dataset!r}")
        fixed = _FIXED.pack(
            _MAGIC,
            _VERSION,
            self.items,
            self.seed,
            self.rank,
            self.ranks,
            _CODES[self.sampler],
            len(job),
            0,
            bytes.fromhex(self.dataset),
        )
        return _with_crc(fixed + job)


class LedgerBatch(NamedTuple):
    """A batch that was delivered; the last ``padding`` of its items repeat another rank's."""

    epoch: int
    step: int
    items: list[int]
    padding: int


class LedgerWriter:
    """Writes the ledger of one run of one rank. Each batch is one write.

    A writer that dies leaves at most one frame that is not whole. A run that goes on after a restart
    writes a ledger of its own.
    """

    def __init__(self, path: str | os.PathLike[str], header: LedgerHeader):
        encoded = header.encode()
        self.header = header
        self._epoch = 0
        self._file = Path(path).open("xb", buffering=0)  # noqa: SIM115
        self._file.write(encoded)

    def append(self, epoch: int, step: int, items: npt.ArrayLike, padding: int = 0) -> None:
        """Add a batch that was delivered. Epochs never go back. The last ``padding`` items are padding."""
        indices = np.asarray(items, np.int64)
        if epoch < self._epoch:
            raise ValueError(f"epoch {epoch} after epoch {self._epoch}; begin a new ledger")
        if len(indices) > _MAX_BATCH or not 0 <= padding <= len(indices):
            raise ValueError(f"a batch of {len(indices)} items with {padding} of padding")
        outside = indices[(indices < 0) | (indices >= self.header.items)]
        if len(outside):
            raise ValueError(f"item {outside[0]} of {self.header.items}")
        numbers = np.concatenate((np.array([epoch, step, len(indices), padding], np.int64), indices))
        payload = _varints(numbers)
        length = struct.pack("<I", len(payload))
        crc = zlib.crc32(payload, zlib.crc32(length))
        self._file.write(length + struct.pack("<I", crc) + payload)
        self._epoch = epoch

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> LedgerWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_ledger(path: str | os.PathLike[str]) -> tuple[LedgerHeader, list[LedgerBatch]]:
    """Everything in a ledger up to a torn tail, which a writer that died may leave."""
    data = Path(path).read_bytes()
    header, at = _header(data)
    return header, list(_batches(data, at))


def _header(data: bytes) -> tuple[LedgerHeader, int]:
    if len(data) < _FIXED.size or data[:8] != _MAGIC:
        raise LedgerError("this is no ledger")
    _, version, items, seed, rank, ranks, code, length, _, dataset = _FIXED.unpack_from(data)
    end = _FIXED.size + length
    if version != _VERSION:
        raise LedgerError(f"version {version}; this program reads version {_VERSION}")
    if data[end : end + 4] != struct.pack("<I", zlib.crc32(data[:end])):
        raise LedgerError("the header's checksum is wrong: the file is damaged")
    samplers = {number: name for name, number in _CODES.items()}
    if code not in samplers:
        raise LedgerError(f"unknown sampler {code}")
    job = data[_FIXED.size : end].decode()
    kind: Kind = samplers[code]  # type: ignore[assignment]
    return LedgerHeader(job, dataset.hex(), items, seed, kind, rank, ranks), end + 4


def _batches(data: bytes, start: int) -> Iterator[LedgerBatch]:
    at = start
    while at + 8 <= len(data):
        length, crc = struct.unpack_from("<II", data, at)
        end = at + 8 + length
        if end > len(data) and length <= _MAX_PAYLOAD_BYTES:
            return
        payload = data[at + 8 : end]
        if zlib.crc32(payload, zlib.crc32(data[at : at + 4])) != crc:
            if end >= len(data):
                return
            raise LedgerError(f"the batch at byte {at} is damaged")
        epoch, step, count, padding, *items = _numbers(payload)
        if len(items) != count:
            raise LedgerError(f"the batch at byte {at} lists {len(items)} items, not {count}")
        yield LedgerBatch(epoch, step, items, padding)
        at = end


def _varints(numbers: npt.NDArray[np.int64]) -> bytes:
    """Seven bits a byte, the lowest first, the top bit set on all but the last byte of a number."""
    widest = max(1, -(-int(numbers.max()).bit_length() // 7))
    shifts = 7 * np.arange(widest)
    groups = numbers[:, None] >> shifts
    more = (groups >> 7) > 0
    kept = np.ones_like(more)
    kept[:, 1:] = more[:, :-1]
    encoded = (groups & 0x7F | more.astype(np.int64) << 7).astype(np.uint8)
    return encoded[kept].tobytes()


def _numbers(payload: bytes) -> list[int]:
    numbers, value, shift = [], 0, 0
    for byte in payload:
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    return numbers


def _with_crc(data: bytes) -> bytes:
    return data + struct.pack("<I", zlib.crc32(data))
