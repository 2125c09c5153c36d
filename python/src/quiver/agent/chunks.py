"""How far one chunk is on its way into the cache, as one job knows."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence


class ChunkLoad:
    """Every member is unseen, missing, being fetched by this job, elsewhere, or done with.

    Elsewhere: another job fetches it. Done with: in the cache or refused for good. Safe for several threads;
    times are seconds of a steady clock, passed in.

    :param members: the chunk's items, in the order in which this job looks at them
    """

    def __init__(self, members: Sequence[int], now: float):
        self._members = members
        self._unseen_from = 0
        self._missing: deque[int] = deque()
        self._elsewhere: deque[int] = deque()
        self._mine = 0
        self._lock = threading.Lock()
        self.moved_at = now
        self.looked_at = now

    def unseen(self, most: int) -> Sequence[int]:
        """The next members nobody has looked for yet."""
        return self._members[self._unseen_from : self._unseen_from + most]

    def seen(self, count: int, absent: Iterable[int], now: float) -> None:
        """The first of those unseen were looked for; these are not in the cache."""
        with self._lock:
            self._unseen_from += count
            self._missing.extend(absent)
            self.moved_at = now

    def take_missing(self, most: int) -> list[int]:
        """Missing members to be claimed."""
        with self._lock:
            return [self._missing.popleft() for _ in range(min(most, len(self._missing)))]

    def fetching(self, now: float) -> None:
        """Note that this job fetches a member."""
        with self._lock:
            self._mine += 1
            self.moved_at = now

    def fetched(self, now: float) -> None:
        """A member this job fetched is in the cache, or never will be."""
        with self._lock:
            self._mine -= 1
            self.moved_at = now

    def failed(self, item: int) -> None:
        """A fetch of this job's has failed: the member is looked for again later."""
        with self._lock:
            self._mine -= 1
            self._elsewhere.append(item)

    def leave(self, items: Iterable[int]) -> None:
        """Others fetch these."""
        with self._lock:
            self._elsewhere.extend(items)

    def take_elsewhere(self, most: int, now: float) -> list[int]:
        """Members that others fetch, to be looked for again."""
        with self._lock:
            self.looked_at = now
            return [self._elsewhere.popleft() for _ in range(min(most, len(self._elsewhere)))]

    def reclaim(self, now: float) -> None:
        """What others were to fetch may be this job's turn after all."""
        with self._lock:
            self._missing.extend(self._elsewhere)
            self._elsewhere.clear()
            self.moved_at = now

    @property
    def has_unseen(self) -> bool:
        """Whether there are members nobody has looked for."""
        return self._unseen_from < len(self._members)

    @property
    def has_missing(self) -> bool:
        """Whether there are members to be claimed."""
        return bool(self._missing)

    @property
    def awaited(self) -> int:
        """How many members others fetch, when there is nothing else left to do; otherwise none."""
        with self._lock:
            return 0 if self.has_unseen or self._missing else len(self._elsewhere)

    @property
    def is_whole(self) -> bool:
        """Whether all of it is in the cache, or as much as ever will be."""
        with self._lock:
            return not (self.has_unseen or self._missing or self._elsewhere or self._mine)
