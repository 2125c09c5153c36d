#!/usr/bin/env python3
"""Reference implementation of the slot table, written from README.md beside it.

Prints the golden vectors: `generate.py draws > draws.tsv`, `generate.py tables > tables.tsv`.
Plain integers only; slow and obvious on purpose.
"""

import hashlib
import struct
import sys

SLOTS = 65536
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def seed(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode("ascii")).digest()[:8], "big")


def draw(member_seed: int, slot: int) -> int:
    z = (member_seed + (slot + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def logarithm(x: int) -> int:
    bits = 0
    for _ in range(32):
        x = (x * x) >> 31
        bits <<= 1
        if x >= 1 << 32:
            x >>= 1
            bits |= 1
    return bits


LOG2 = [logarithm((1 << 31) + (i << 19)) for i in range(4096)] + [1 << 32]


def cost(value: int) -> int:
    value |= 1
    zeros = 64 - value.bit_length()
    fraction = ((value << (zeros + 1)) & MASK) >> 32
    index, rest = fraction >> 20, fraction & 0xFFFFF
    log = LOG2[index] + (((LOG2[index + 1] - LOG2[index]) * rest) >> 20)
    return ((zeros + 1) << 32) - log


def table(members: dict[str, int]) -> list[int]:
    names = sorted(members)
    seeds = [seed(name) for name in names]
    weights = [members[name] for name in names]
    owners = []
    for slot in range(SLOTS):
        best = None
        for place, member_seed in enumerate(seeds):
            value = draw(member_seed, slot)
            bid = (cost(value), weights[place], value, place)
            if best is None or beats(bid, best):
                best = bid
        owners.append(best[3])
    return owners


def beats(one, other) -> bool:
    left, right = one[0] * other[1], other[0] * one[1]
    if left != right:
        return left < right
    return one[2] > other[2] if one[2] != other[2] else one[3] < other[3]


MEMBERSHIPS = {
    "alone": {"127.0.0.1:7070": 1},
    "pair": {"10.0.0.1:7070": 1, "10.0.0.2:7070": 1},
    "three": {"cache-a:7070": 1, "cache-b:7070": 1, "cache-c:7070": 1},
    "three-less-one": {"cache-a:7070": 1, "cache-c:7070": 1},
    "weighted": {"small": 1, "medium": 2, "large": 5},
    "capacities": {"rack1/node1": 894, "rack1/node2": 894, "rack2/node1": 1787, "rack2/node2": 3576},
    "extreme": {"tiny": 1, "huge": 1 << 24},
    "twenty": {f"node-{i:02d}.cluster.local:7070": 1 for i in range(20)},
}


def print_draws() -> None:
    print("# name\tslot\tseed\tdraw\tcost")
    for name in ("127.0.0.1:7070", "cache-a:7070", "node-00.cluster.local:7070", "[::1]:7070"):
        for slot in (0, 1, 2, 255, 256, 32767, 65535):
            value = draw(seed(name), slot)
            print(f"{name}\t{slot}\t{seed(name):016x}\t{value:016x}\t{cost(value)}")
    for value in (0, 1, 2, 3, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 63) + 1, MASK - 1, MASK):
        print(f"-\t-\t-\t{value:016x}\t{cost(value)}")


def print_tables() -> None:
    print("# membership\tmembers with weights\tSHA-256 of the owners\tslots of each\tfirst 16 owners")
    for name, members in MEMBERSHIPS.items():
        owners = table(members)
        listed = ",".join(f"{member}={weight}" for member, weight in members.items())
        digest = hashlib.sha256(struct.pack(f"<{SLOTS}H", *owners)).hexdigest()
        shares = ",".join(str(owners.count(i)) for i in range(len(members)))
        first = ",".join(map(str, owners[:16]))
        print(f"{name}\t{listed}\t{digest}\t{shares}\t{first}")


if __name__ == "__main__":
    {"draws": print_draws, "tables": print_tables}[sys.argv[1]]()
