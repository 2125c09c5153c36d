"""Ledgers: what a rank delivered, batch by batch; ``quiver ledger verify`` proves epochs from them.

A ledger holds indices, never hashes; it may be handed around. ``docs/ledger-format.md`` has the bytes.

>>> header = LedgerHeader("train", digest.key[:8], digest.items, seed=7, sampler="strict")  # doctest: +SKIP
>>> with LedgerWriter("run.qlg", header) as ledger:  # doctest: +SKIP
...     ledger.append(epoch=0, step=0, items=[5, 3, 8])
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.order.lists import ItemList

_MAGIC = b"\x89QLG\r\n\x1a\n"
_VERSION = 2
_EPOCHS_ONLY = 1
_BATCH, _LIST, _ENTRIES = 0, 1, 2
_FIXED = struct.Struct("<8sIIqIIBBH4s")
_MAX_BATCH = 1 << 20
_MAX_PAYLOAD_BYTES = 5 * _MAX_BATCH + 45
_CODES: dict[str, int] = {"substitute": 1, "paper": 2, "strict": 3, "list": 4}

LedgerOrder = Literal["substitute", "paper", "strict", "list"]
"""The order of a job; ``list`` proves the entries of known lists, the others every item exactly once."""


class LedgerError(ValueError):
    """A file that is no ledger, or a damaged one; the message says where and what."""


class LedgerHeader(NamedTuple):
    """The job, rank and order that a ledger is about.

    :param dataset: the first four bytes of the data set's identity, as 8 hex digits
    """

    job: str
    dataset: str
    items: int
    seed: int
    sampler: LedgerOrder
    rank: int = 0
    ranks: int = 1

    def encode(self) -> bytes:
        """Return the bytes at the beginning of the file."""
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


class LedgerList(NamedTuple):
    """The list that an epoch follows; rank 0's ledger has its entries, those of others the name only."""

    epoch: int
    size: int
    sha256: str
    entries: list[int] | None


class LedgerWriter:
    """Writes the ledger of one run of one rank. Each batch is one write.

    A writer that dies leaves at most one frame that is not whole. A run that goes on after a restart
    writes a ledger of its own.
    """

    def __init__(self, path: str | os.PathLike[str], header: LedgerHeader):
        encoded = header.encode()
        self.header = header
        self._epoch = 0
        self._listed = -1
        self._file = Path(path).open("xb", buffering=0)  # noqa: SIM115
        self._file.write(encoded)

    def append(self, epoch: int, step: int, items: npt.ArrayLike, padding: int = 0) -> None:
        """Add a batch that was delivered. Epochs never go back. The last ``padding`` items are padding."""
        indices = np.asarray(items, np.int64)
        if self.header.sampler == "list" and epoch != self._listed:
            raise ValueError(f"a batch of epoch {epoch} before its list")
        if epoch < self._epoch:
            raise ValueError(f"epoch {epoch} after epoch {self._epoch}; begin a new ledger")
        if len(indices) > _MAX_BATCH or not 0 <= padding <= len(indices):
            raise ValueError(f"a batch of {len(indices)} items with {padding} of padding")
        outside = indices[(indices < 0) | (indices >= self.header.items)]
        if len(outside):
            raise ValueError(f"item {outside[0]} of {self.header.items}")
        head = np.array([_BATCH, epoch, step, len(indices), padding], np.int64)
        self._write(_varints(np.concatenate((head, indices))))
        self._epoch = epoch

    def append_list(self, epoch: int, entries: ItemList, *, whole: bool) -> None:
        """Add the list that the batches of an epoch follow, before the first of them.

        :param whole: with its entries, which one rank of a job writes; else by name only
        """
        if self.header.sampler != "list":
            raise ValueError(f"a list in the ledger of a job whose order is {self.header.sampler}")
        if epoch < self._epoch or epoch <= self._listed:
            raise ValueError(f"the list of epoch {epoch} comes too late")
        self._write(
            _varints(np.array([_LIST, epoch, len(entries)], np.int64)) + bytes.fromhex(entries.sha256)
        )
        for first in range(0, len(entries) if whole else 0, _MAX_BATCH):
            some = entries.entries[first : first + _MAX_BATCH].astype(np.int64)
            self._write(_varints(np.concatenate((np.array([_ENTRIES, first, len(some)], np.int64), some))))
        self._listed = epoch

    def _write(self, payload: bytes) -> None:
        length = struct.pack("<I", len(payload))
        crc = zlib.crc32(payload, zlib.crc32(length))
        self._file.write(length + struct.pack("<I", crc) + payload)

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
    """Return all batches of a ledger up to a torn tail, which a writer that died may leave."""
    header, batches, _ = _read(path)
    return header, batches


def read_lists(path: str | os.PathLike[str]) -> list[LedgerList]:
    """Return the lists that a ledger names, of which some have their entries."""
    return _read(path)[2]


def _read(path: str | os.PathLike[str]) -> tuple[LedgerHeader, list[LedgerBatch], list[LedgerList]]:
    data = Path(path).read_bytes()
    header, version, start = _header(data)
    batches: list[LedgerBatch] = []
    lists: list[LedgerList] = []
    for at, payload in _payloads(data, start):
        kind = _BATCH if version == _EPOCHS_ONLY else payload[0]
        rest = payload if version == _EPOCHS_ONLY else payload[1:]
        if kind == _BATCH:
            batches.append(_batch(rest, at))
        elif kind == _LIST:
            epoch, size = _numbers(rest[:-32])
            lists.append(LedgerList(epoch, size, rest[-32:].hex(), [] if size == 0 else None))
        elif kind == _ENTRIES and lists:
            lists[-1] = _with_entries(lists[-1], rest, at)
        else:
            raise LedgerError(f"the frame at byte {at} is of unknown kind {kind}")
    return header, batches, [_whole(each, header.items) for each in lists]


def _header(data: bytes) -> tuple[LedgerHeader, int, int]:
    if len(data) < _FIXED.size or data[:8] != _MAGIC:
        raise LedgerError("this is no ledger")
    _, version, items, seed, rank, ranks, code, length, _, dataset = _FIXED.unpack_from(data)
    end = _FIXED.size + length
    if version not in (_EPOCHS_ONLY, _VERSION):
        raise LedgerError(f"version {version}; this program reads versions 1 and {_VERSION}")
    if data[end : end + 4] != struct.pack("<I", zlib.crc32(data[:end])):
        raise LedgerError("the header's checksum is wrong: the file is damaged")
    samplers = {number: name for name, number in _CODES.items()}
    if code not in samplers:
        raise LedgerError(f"unknown order {code}")
    job = data[_FIXED.size : end].decode()
    order: LedgerOrder = samplers[code]  # type: ignore[assignment]
    return LedgerHeader(job, dataset.hex(), items, seed, order, rank, ranks), version, end + 4


def _payloads(data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
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
            raise LedgerError(f"the frame at byte {at} is damaged")
        yield at, payload
        at = end


def _batch(payload: bytes, at: int) -> LedgerBatch:
    epoch, step, count, padding, *items = _numbers(payload)
    if len(items) != count:
        raise LedgerError(f"the batch at byte {at} lists {len(items)} items, not {count}")
    return LedgerBatch(epoch, step, items, padding)


def _with_entries(before: LedgerList, payload: bytes, at: int) -> LedgerList:
    first, count, *items = _numbers(payload)
    known = before.entries or []
    if first != len(known) or len(items) != count or first + count > before.size:
        raise LedgerError(f"the frame at byte {at} has entries that no list has")
    return before._replace(entries=known + items)


def _whole(listed: LedgerList, items: int) -> LedgerList:
    """Drop entries that a torn tail left incomplete, and check those that are whole."""
    if listed.entries is None or len(listed.entries) < listed.size:
        return listed._replace(entries=None)
    if ItemList(items, listed.entries).sha256 != listed.sha256:
        raise LedgerError(f"the entries of the list of epoch {listed.epoch} have another hash")
    return listed


def _varints(numbers: npt.NDArray[np.int64]) -> bytes:
    """Encode seven bits a byte, the lowest first; the top bit is set on all but a number's last byte."""
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


def ledger_path(base: Path, rank: int, world_size: int, *, goes_on: bool) -> Path:
    """Return the next free name: ``run.qlg``, ``run.qlg.r1`` of a rank, ``run.qlg.run2`` of a later run.

    ``run.qlg*`` names them all.

    :param goes_on: whether this run continues an earlier one; if not, none may be there
    """
    suffix = f".r{rank}" if world_size > 1 else ""
    base.parent.mkdir(parents=True, exist_ok=True)
    form = re.compile(re.escape(base.name) + r"(?:\.run(\d{1,6}))?(?:\.r\d{1,6})?")
    runs = [0]
    for file in base.parent.iterdir():
        match = form.fullmatch(file.name)
        if match and (not re.search(r"\.r\d+$", file.name) or file.name.endswith(suffix or "\0")):
            runs.append(int(match.group(1) or 1))
    run = max(runs) + 1
    if run > 1 and not goes_on:
        raise FileExistsError(
            f"{base} is there already; load the state where it ends to go on, or name another ledger"
        )
    return base.with_name(base.name + (f".run{run}" if run > 1 else "") + suffix)
