"""Digests: which items a data set has, what they hash to and where they lie in the owner's store.

The file is mapped into memory and never read as a whole, so a digest of a billion items opens at once.
``docs/digest-format.md`` describes the bytes.

>>> digest = Digest.open("images.qdg")  # doctest: +SKIP
>>> digest.items, digest.location(0)  # doctest: +SKIP
(1281167, Location(name='n01440764/1.jpg', offset=0, length=109527))
"""

from __future__ import annotations

import builtins
import hashlib
import os
import struct
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

MAGIC = b"\x89QDG\r\n\x1a\n"
_VERSION = 1
_FIXED_BYTES = 128
_LINE_BYTES = 32
_MAX_SECTIONS = 64
_MAX_ITEMS = 1_000_000_000
_MAX_BYTES = 1 << 60
_MAX_STRING_BYTES = 1 << 16
_REBUILD = "copy the file again or build it again"

_HASHES, _SIZES, _OBJECTS, _OFFSETS, _LABELS, _LENGTHS = 1, 2, 3, 4, 5, 6
_OBJECT_NAMES, _ITEM_NAMES, _CLASS_NAMES, _METADATA = 7, 9, 11, 13
_WIDTHS = {1: 32, 2: 8, 3: 4, 4: 8, 5: 4, 6: 4, 7: 8, 8: 1, 9: 8, 10: 1, 11: 8, 12: 1, 13: 8, 14: 1}
_REQUIRED = (_HASHES, _SIZES, _OBJECTS, _OFFSETS, _OBJECT_NAMES, _OBJECT_NAMES + 1, _METADATA, _METADATA + 1)


class DigestError(ValueError):
    """A file that is no digest, or a damaged one; the message says where, what and how to mend it."""

    def __init__(self, path: str | os.PathLike[str], position: int, problem: str, remedy: str = _REBUILD):
        super().__init__(f"{os.fspath(path)}: at byte {position}: {problem}; {remedy}")
        self.position = position


class Location(NamedTuple):
    """The place of an item's bytes: ``length`` bytes of the object ``name`` from ``offset`` on."""

    name: str
    offset: int
    length: int


class _Section(NamedTuple):
    position: int
    bytes: int
    crc: int


class Digest:
    """One data set, item by item. Pickled by its path: a worker process maps the file again.

    Opening checks the header and that every section lies where it must; :meth:`verify` reads everything.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        if not self.path.is_file():
            raise DigestError(self.path, 0, "there is no such file", "make it with 'quiver digest create'")
        if self.path.stat().st_size < _FIXED_BYTES:
            raise DigestError(self.path, 0, f"{self.path.stat().st_size} bytes are too few for a digest")
        self.items: int
        self.objects: int
        self.bytes: int
        self.largest_item: int
        self.identity: builtins.bytes
        self._file: npt.NDArray[np.uint8] = np.memmap(self.path, dtype=np.uint8, mode="r")
        self._read_header()
        self._check_places()
        self._check_lengths()
        self.hashes: npt.NDArray[np.uint8] = self._view(_HASHES).reshape(self.items, 32)
        self.sizes: npt.NDArray[np.int64] = self._view(_SIZES).view("<i8")
        self.labels: npt.NDArray[np.int32] | None = self._optional(_LABELS)
        self.lengths: npt.NDArray[np.int32] | None = self._optional(_LENGTHS)
        self._objects: npt.NDArray[np.int32] = self._view(_OBJECTS).view("<i4")
        self._offsets: npt.NDArray[np.int64] = self._view(_OFFSETS).view("<i8")

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Digest:
        """Map a digest and check its structure; raises :class:`DigestError` if it is no digest."""
        return Digest(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return Digest, (str(self.path.absolute()),)

    def __len__(self) -> int:
        return self.items

    def __repr__(self) -> str:
        return f"Digest({str(self.path)!r}, {self.items} items, {self.bytes} bytes, {self.key[:8]}…)"

    @property
    def key(self) -> str:
        """The name of the data set in plans and spaces: the first 16 hex digits of its identity."""
        return self.identity[:8].hex()

    def hash(self, item: int) -> builtins.bytes:
        """Return the SHA-256 of an item's bytes. Whoever has it may read the blob: never log it whole."""
        digest: builtins.bytes = self.hashes[self._checked(item)].tobytes()
        return digest

    def location(self, item: int) -> Location:
        """Return the place of an item in the owner's store."""
        self._checked(item)
        return Location(self._object_name(item), self._offset(item), self.size(item))

    def size(self, item: int) -> int:
        """Return the number of bytes of an item."""
        size = int(self.sizes[self._checked(item)])
        if not 0 <= size <= _MAX_BYTES:
            raise self._damaged(_SIZES, f"item {item} has {size} bytes")
        return size

    def label(self, item: int) -> int:
        """Return an item's class, −1 for none."""
        return -1 if self.labels is None else int(self.labels[self._checked(item)])

    def describe(self, item: int) -> str:
        """Describe an item's place for error messages: object, and name or offset inside it."""
        self._checked(item)
        inside = self._string(_ITEM_NAMES, item) if _ITEM_NAMES in self._sections else ""
        if inside:
            return f"{self._object_name(item)}!{inside}"
        offset = self._offset(item)
        return f"{self._object_name(item)}@{offset}" if offset else self._object_name(item)

    def item_name(self, item: int) -> str:
        """Return an item's own name inside its object, such as a member of an archive; else nothing."""
        self._checked(item)
        return self._string(_ITEM_NAMES, item) if _ITEM_NAMES in self._sections else ""

    @property
    def object_names(self) -> list[str]:
        """The names of all objects of the store that hold items."""
        return [self._string(_OBJECT_NAMES, index) for index in range(self.objects)]

    @property
    def class_names(self) -> list[str]:
        """The names of the classes; the n-th belongs to label n. Empty if they have none."""
        return self._strings(_CLASS_NAMES) if _CLASS_NAMES in self._sections else []

    @property
    def metadata(self) -> dict[str, str]:
        """The writer's notes: source, kind of ingest, program."""
        words = self._strings(_METADATA)
        return dict(zip(words[0::2], words[1::2], strict=False))

    def verify(self) -> None:
        """Read the whole digest and check every byte; raises :class:`DigestError` at the first wrong one."""
        self._verify_sections()
        if hashlib.sha256(self.hashes.data if self.items else b"").digest() != self.identity:
            raise DigestError(self.path, 64, "the identity does not belong to these hashes")
        self._verify_numbers()
        for kind in (_OBJECT_NAMES, _ITEM_NAMES, _CLASS_NAMES, _METADATA):
            if kind in self._sections:
                self._verify_strings(kind)

    def _read_header(self) -> None:
        header = self._file[:_FIXED_BYTES].tobytes()
        if header[:8] != MAGIC:
            raise DigestError(self.path, 0, "this is no digest", "make one with 'quiver digest create'")
        version, flags = struct.unpack_from("<II", header, 8)
        if version != _VERSION or flags != 0:
            raise DigestError(
                self.path, 8, f"version {version} with flags {flags}; this program reads version {_VERSION}"
            )
        counts = struct.unpack_from("<5q", header, 16)
        self.items, self.objects, self.bytes, self.largest_item, length = counts
        count, crc = struct.unpack_from("<II", header, 56)
        if length != len(self._file):
            raise DigestError(
                self.path, min(length, len(self._file)), f"the file has {len(self._file)} bytes, not {length}"
            )
        if count > _MAX_SECTIONS or _FIXED_BYTES + count * _LINE_BYTES > length:
            raise DigestError(self.path, 56, f"{count} sections")
        self._table = self._file[_FIXED_BYTES : _FIXED_BYTES + count * _LINE_BYTES].tobytes()
        if zlib.crc32(header[:60] + bytes(4) + header[64:] + self._table) != crc:
            raise DigestError(self.path, 60, "the header's checksum is wrong")
        self.identity = header[64:96]
        if not (0 <= self.items <= _MAX_ITEMS and 0 <= self.objects <= _MAX_ITEMS):
            raise DigestError(self.path, 16, f"{self.items} items in {self.objects} objects")

    def _check_places(self) -> None:
        self._sections: dict[int, _Section] = {}
        expected = _FIXED_BYTES + len(self._table)
        previous = 0
        for line in range(0, len(self._table), _LINE_BYTES):
            kind, width, position, size, crc = struct.unpack_from("<IIqqI", self._table, line)
            if kind <= previous or position != expected or not 0 <= size <= len(self._file) - position:
                problem = f"section {kind} lies at {position} with {size} bytes, expected at {expected}"
                raise DigestError(self.path, _FIXED_BYTES + line, problem)
            if _WIDTHS.get(kind, width) != width:
                raise DigestError(
                    self.path, _FIXED_BYTES + line + 4, f"section {kind} has entries of {width} bytes"
                )
            self._sections[kind] = _Section(position, size, crc)
            previous, expected = kind, (position + size + 7) & ~7
        if expected != len(self._file):
            raise DigestError(
                self.path, expected, f"sections end at {expected}, the file at {len(self._file)}"
            )

    def _check_lengths(self) -> None:
        for kind in _REQUIRED:
            if kind not in self._sections:
                raise DigestError(self.path, _FIXED_BYTES, f"section {kind} is missing")
        counts = dict.fromkeys((_HASHES, _SIZES, _OBJECTS, _OFFSETS, _LABELS, _LENGTHS), self.items)
        counts.update({_OBJECT_NAMES: self.objects + 1, _ITEM_NAMES: self.items + 1})
        for kind, count in counts.items():
            section = self._sections.get(kind)
            if section and section.bytes != count * _WIDTHS[kind]:
                raise self._damaged(kind, f"{section.bytes} bytes for {count} entries")
        for kind in (_OBJECT_NAMES, _ITEM_NAMES, _CLASS_NAMES, _METADATA):
            self._check_table(kind)

    def _check_table(self, kind: int) -> None:
        starts, text = self._sections.get(kind), self._sections.get(kind + 1)
        if starts is None and text is None:
            return
        if starts is None or text is None:
            raise DigestError(self.path, _FIXED_BYTES, f"sections {kind} and {kind + 1} only come together")
        if starts.bytes == 0 or starts.bytes % 8:
            raise self._damaged(kind, f"{starts.bytes} bytes of starts")
        column = self._view(kind).view("<i8")
        if int(column[0]) != 0 or int(column[-1]) != text.bytes:
            raise self._damaged(kind, f"strings reach from {column[0]} to {column[-1]} of {text.bytes} bytes")

    def _view(self, kind: int) -> Any:
        section = self._sections[kind]
        return np.asarray(self._file[section.position : section.position + section.bytes])

    def _optional(self, kind: int) -> npt.NDArray[np.int32] | None:
        return self._view(kind).view("<i4") if kind in self._sections else None

    def _checked(self, item: int) -> int:
        if not 0 <= item < self.items:
            raise IndexError(f"item {item} of {self.items}")
        return item

    def _object_name(self, item: int) -> str:
        index = int(self._objects[item])
        if not 0 <= index < self.objects:
            raise self._damaged(_OBJECTS, f"item {item} is in object {index} of {self.objects}")
        return self._string(_OBJECT_NAMES, index)

    def _offset(self, item: int) -> int:
        offset = int(self._offsets[item])
        if not 0 <= offset <= _MAX_BYTES:
            raise self._damaged(_OFFSETS, f"item {item} starts at {offset}")
        return offset

    def _string(self, kind: int, index: int) -> str:
        starts = self._view(kind).view("<i8")
        first, end = int(starts[index]), int(starts[index + 1])
        text = self._sections[kind + 1]
        if not 0 <= first <= end <= text.bytes or end - first > _MAX_STRING_BYTES:
            raise self._damaged(kind, f"string {index} reaches from {first} to {end} of {text.bytes} bytes")
        data = self._file[text.position + first : text.position + end].tobytes()
        try:
            return data.decode()
        except UnicodeDecodeError as e:
            raise self._damaged(kind + 1, f"string {index} is not UTF-8") from e

    def _strings(self, kind: int) -> list[str]:
        count = self._sections[kind].bytes // 8 - 1
        return [self._string(kind, index) for index in range(count)]

    def _verify_sections(self) -> None:
        for kind, section in self._sections.items():
            end = section.position + section.bytes
            if zlib.crc32(self._file[section.position : end].data) != section.crc:
                raise self._damaged(kind, "the checksum is wrong")
            if self._file[end : (end + 7) & ~7].any():
                raise DigestError(self.path, end, "the padding is not zero")
        header = self._file[96:_FIXED_BYTES]
        if header.any():
            raise DigestError(self.path, 96, "reserved bytes are not zero")

    def _verify_numbers(self) -> None:
        sums = int(self.sizes.sum()) if self.items else 0
        largest = int(self.sizes.max()) if self.items else 0
        if self.items and (int(self.sizes.min()) < 0 or largest > _MAX_BYTES):
            raise self._damaged(_SIZES, "a size is out of range")
        if sums != self.bytes or largest != self.largest_item:
            raise self._damaged(_SIZES, f"sizes add up to {sums}, the largest is {largest}")
        for kind, column, least, most in (
            (_OBJECTS, self._objects, 0, self.objects - 1),
            (_OFFSETS, self._offsets, 0, _MAX_BYTES),
            (_LABELS, self.labels, -1, 2**31),
            (_LENGTHS, self.lengths, -1, 2**31),
        ):
            if column is not None and column.size and (column.min() < least or column.max() > most):
                raise self._damaged(kind, f"a value is not {least} to {most}")

    def _verify_strings(self, kind: int) -> None:
        if kind == _METADATA and self._sections[kind].bytes // 8 % 2 == 0:
            raise self._damaged(kind, "a key without a value")
        self._strings(kind)

    def _damaged(self, kind: int, problem: str) -> DigestError:
        return DigestError(self.path, self._sections[kind].position, f"section {kind}: {problem}")
