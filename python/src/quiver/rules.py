"""Every constant of the reading protocol: waits, retries and shares.

``test-vectors/engine/constants.json`` holds Python and Java to the same values; times here are seconds.
"""

from __future__ import annotations

FIRST_PLAN_WAIT = 6.0
REPORT_EVERY = 1.0
UNREACHABLE_AFTER = 3.0
FIRST_MANAGER_PAUSE = 0.05
LONGEST_MANAGER_PAUSE = 2.0
DRAW_AGAIN_AFTER = 0.02
RING_WAIT = 0.6
FIRST_PENDING_PAUSE = 0.005
LONGEST_PENDING_PAUSE = 0.02
PENDING_WAIT = 6.0
SHORTEST_PENDING_WAIT = 0.05
PATIENCE_DOUBLES_AFTER = 10.0
STORE_READS = 16
PRELOAD_READS = 8
STORE_ATTEMPTS = 2
PRELOAD_EVERY = 16
PRELOAD_LOTS = 3
PRELOAD_LOOK = 256
LOOK_AGAIN = 0.004
LOOK_AGAIN_EACH = 0.0002
PRELOAD_STUCK = 0.5
PRELOAD_TROUBLE = 0.2
PRELOAD_NAP = 1.0
INSERT_ITEMS = 64
INSERT_BYTES = 4 << 20
INSERT_QUEUE_BYTES = 128 << 20
INSERT_ATTEMPTS = 5
INSERT_LINGER = 0.005
HASHED_FIRST = 64
HASHED_EVERY = 64


def may_claim(reads: int, under_way: int) -> int:
    """Return how many items a job may claim to preload.

    Items are claimed in lots, and only few lots at a time, so that the rest is left to other jobs. Java's
    jobs claim less while batches wait for the store, because both share its connections. An agent has
    connections of its own, and the sooner a chunk is whole the less do batches read the store.

    :param reads: how many reads from the store preload at once
    :param under_way: how many claimed items are not in the cache yet
    """
    return reads if PRELOAD_LOTS * reads - under_way >= reads else 0
