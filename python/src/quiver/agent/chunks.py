"""The progress of one chunk on its way into the cache, as far as one job can tell."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence

Members = Callable[[int, int], Sequence[int]]
"""Returns the items from one place of a chunk to another, in the order in which a job looks for them."""


class ChunkLoad:
    """Follows every member of a chunk: unseen, missing, being fetched by this job, elsewhere, or done with.

    Elsewhere: another job fetches it. Done with: in the cache or refused for good. Many chunks may wait to be
    loaded, so a member that is unseen costs nothing. Safe for several threads; times are seconds of a steady
    clock, passed in.
    """

    def __init__(self, size: int, members: Members, now: float):
        self._size, self._members = size, members
        self._unseen_from = 0
        self._missing: deque[int] = deque()
        self._elsewhere: deque[int] = deque()
        self._mine = 0
        self._lock = threading.Lock()
        self.moved_at = now
        self.looked_at = now

    def unseen(self, most: int) -> Sequence[int]:
        """Return the next members that nobody has looked for yet."""
        return self._members(self._unseen_from, min(self._size, self._unseen_from + most))

    def seen(self, count: int, absent: Iterable[int], now: float) -> None:
        """Note that the first unseen members were looked for, and that these are not in the cache."""
        with self._lock:
            self._unseen_from += count
            self._missing.extend(absent)
            self.moved_at = now

    def take_missing(self, most: int) -> list[int]:
        """Take missing members, to be claimed."""
        with self._lock:
            return [self._missing.popleft() for _ in range(min(most, len(self._missing)))]

    def fetching(self, now: float) -> None:
        """Note that this job fetches a member."""
        with self._lock:
            self._mine += 1
            self.moved_at = now

    def fetched(self, now: float) -> None:
        """Note that a member this job fetched is in the cache, or never will be."""
        with self._lock:
            self._mine -= 1
            self.moved_at = now

    def failed(self, item: int) -> None:
        """Note that a fetch of this job's has failed: the member is looked for again later."""
        with self._lock:
            self._mine -= 1
            self._elsewhere.append(item)

    def leave(self, items: Iterable[int]) -> None:
        """Note that other jobs fetch these members."""
        with self._lock:
            self._elsewhere.extend(items)

    def take_elsewhere(self, most: int, now: float) -> list[int]:
        """Take members that others fetch, to be looked for again."""
        with self._lock:
            self.looked_at = now
            return [self._elsewhere.popleft() for _ in range(min(most, len(self._elsewhere)))]

    def reclaim(self, now: float) -> None:
        """Make the members that others were to fetch missing again."""
        with self._lock:
            self._missing.extend(self._elsewhere)
            self._elsewhere.clear()
            self.moved_at = now

    @property
    def has_unseen(self) -> bool:
        """True if there are members that nobody has looked for."""
        return self._unseen_from < self._size

    @property
    def has_missing(self) -> bool:
        """True if there are members to be claimed."""
        return bool(self._missing)

    @property
    def awaited(self) -> int:
        """The number of members that others fetch, once there is nothing else left to do; before that 0."""
        with self._lock:
            return 0 if self.has_unseen or self._missing else len(self._elsewhere)

    @property
    def is_whole(self) -> bool:
        """True if all of it is in the cache, or as much as ever will be."""
        with self._lock:
            return not (self.has_unseen or self._missing or self._elsewhere or self._mine)
