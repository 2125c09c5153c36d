"""Writes names.json from the description of names in docs/wire-protocol.md, with nothing of Quiver."""

import hashlib
import hmac
import json
import pathlib
import struct


def part(content: bytes) -> bytes:
    return struct.pack("<I", len(content)) + content


def name(key: bytes, store: str, item: str, version: str, block_bytes: int, block: int) -> str:
    text = b"".join(part(each.encode("utf-8")) for each in (store, item, version))
    numbers = part(struct.pack("<Q", block_bytes)) + part(struct.pack("<Q", block))
    return hmac.new(key, text + numbers, hashlib.sha256).hexdigest()


CASES = [
    (bytes(range(16)), "s3://bucket", "train/0001.tar", '"9b2cf535f27731c974343645a3985328"', 4194304, 0),
    (bytes(range(16)), "s3://bucket", "train/0001.tar", '"9b2cf535f27731c974343645a3985328"', 4194304, 1),
    (bytes(range(16)), "s3://bucket", "train/0001.tar", '"00000000000000000000000000000000"', 4194304, 0),
    (bytes(range(1, 17)), "s3://bucket", "train/0001.tar", '"9b2cf535f27731c974343645a3985328"', 4194304, 0),
    (b"k" * 100, "s3://bucket", "train/0001.tar", '"9b2cf535f27731c974343645a3985328"', 4194304, 0),
    (bytes(range(32)), "", "a", "1", 1, 0),
    (bytes(range(32)), "a", "", "1", 1, 0),
    (bytes(range(32)), "ab", "c", "1", 1, 0),
    (bytes(range(32)), "a", "bc", "1", 1, 0),
    (bytes(range(32)), "a", "b", "c1", 1, 0),
    (bytes(range(32)), "file:///data", "Stra\u00dfe/\u4e2d\u6587/\U0001f4f7.jpg", "1700000000-5", 1048576, 7),
    (bytes(range(32)), "file:///data", "line\nbreak \"quoted\" \\ back", "1700000000-5", 9223372036854775807, 9223372036854775807),
]

FIELDS = ("key", "store", "object", "version", "block_bytes", "block", "name")

if __name__ == "__main__":
    rows = []
    for case in CASES:
        values = (case[0].hex(), *case[1:], name(*case))
        rows.append(json.dumps(dict(zip(FIELDS, values))))
    pathlib.Path(__file__).with_name("names.json").write_text("[\n" + ",\n".join(rows) + "\n]\n")
