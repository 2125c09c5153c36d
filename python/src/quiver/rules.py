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


def may_claim(reads: int, under_way: int, *, demand_waits: bool) -> int:
    """Return how many items a job may claim to preload.

    Items are claimed in lots, and only few lots at a time, so that the rest is left to other jobs. While
    batches wait for the store, one item at a time is claimed: the next would hold a claim in a queue behind
    them, and other jobs would wait for it.

    :param reads: how many reads from the store preload at once
    :param under_way: how many claimed items are not in the cache yet
    """
    if demand_waits:
        return 1 if under_way == 0 else 0
    return reads if PRELOAD_LOTS * reads - under_way >= reads else 0
