"""Columns of scores that jobs and ranks tell each other through the cache."""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from quiver.digest import Digest
from quiver.reading.access import CacheAccess
from quiver.score_column import ScoreColumn
from quiver.wire import HASH_BYTES, require_space

_LOG = logging.getLogger("quiver")

#: A server that refuses a column, or is down, is passed over by another hash.
_ATTEMPTS = 4
_MOST_COLUMNS = 256


class Part(NamedTuple):
    """A part in a group.

    :param member: who tells, unique in the group
    :param listens: whether the columns of the others are wanted
    """

    group: str
    member: str
    listens: bool


class Told(NamedTuple):
    """A column that another member offers."""

    group: str
    member: str
    round: int
    column: bytes


class ScoreBoard:
    """Puts columns into the cache and offers them in reports; knows those that others offer.

    Safe for many threads. Nothing here waits for a manager; a call of a server has the client's own bounds.

    :param follow: has the access follow the latest plan
    :param send: gives offers to the reports of the job
    """

    def __init__(
        self,
        digest: Digest,
        access: CacheAccess,
        follow: Callable[[], None],
        send: Callable[[list[dict[str, Any]]], None],
        parts: Sequence[Part],
    ):
        self._dataset = digest.identity[:8]
        self._items = digest.items
        self._access, self._follow, self._send = access, follow, send
        self._changed = threading.Condition()
        self._space: str | None = None
        self._told: tuple[Told, ...] = ()
        self._offers: dict[str, dict[str, Any]] = {
            part.group: {**part._asdict(), "round": 0, "column": None} for part in parts
        }

    def offers(self) -> list[dict[str, Any]]:
        """Return the job's parts in groups, for its reports."""
        with self._changed:
            return list(self._offers.values())

    def hear(self, document: Any) -> None:
        """Take the manager's answer; one that makes no sense changes nothing."""
        try:
            space = require_space(str(document["space"]))
            told = tuple(_told(each) for each in document["columns"][:_MOST_COLUMNS])
        except (KeyError, TypeError, ValueError):
            _LOG.debug("the scores of other jobs make no sense", exc_info=True)
            return
        with self._changed:
            self._space, self._told = space, told
            self._changed.notify_all()

    def told(self, group: str) -> list[Told]:
        """Return the columns that others offer in a group."""
        with self._changed:
            return [each for each in self._told if each.group == group]

    def wait(self, seconds: float, over: Callable[[], bool] = lambda: False) -> None:
        """Wait for news, at most so long."""
        with self._changed:
            if not over():
                self._changed.wait(seconds)

    def wake(self) -> None:
        """End the wait of every thread."""
        with self._changed:
            self._changed.notify_all()

    def tell(self, group: str, column: ScoreColumn) -> bytes | None:
        """Put a column into the cache and offer it; return its hash, or None if no server took it."""
        with self._changed:
            space = self._space
        if space is None:
            return None
        for _ in range(_ATTEMPTS):
            # No two processes tell the same bytes: a rank knows its own column by the hash.
            packed = column.pack(self._dataset, secrets.randbits(32))
            name = hashlib.sha256(packed).digest()
            if self._put(name, packed, space):
                self.offer(group, column.round, name)
                return name
        return None

    def offer(self, group: str, round_: int, column: bytes) -> None:
        """Name a column in reports from now on; its own ranks tell each other so what they took."""
        with self._changed:
            self._offers[group] |= {"round": round_, "column": column.hex()}
        self.ask()

    def ask(self) -> None:
        """Report at once: the answer says what others offer."""
        self._send(self.offers())

    def _put(self, name: bytes, packed: bytes, space: str) -> bool:
        self._follow()
        client = self._access.client
        if client is None:
            return False
        try:
            return bool(client.put([(name, packed)], space, plan=self._access.version).here[0])
        except Exception:  # noqa: BLE001 - whatever it was, it may work later
            _LOG.debug("scores were not told", exc_info=True)
            return False

    def read(self, told: Told) -> ScoreColumn | None:
        """Return a column, or None if it cannot be had at the moment.

        :raises ValueError: if it is no column of this data set, now or ever
        """
        self._follow()
        try:
            answer = self._access.get([told.column])
            payload = None if answer is None else answer.payload(0)
        except Exception:  # noqa: BLE001 - whatever it was, it may work later
            _LOG.debug("the scores of %s cannot be read", told.member, exc_info=True)
            return None
        return None if payload is None else ScoreColumn.unpack(payload, self._dataset, self._items)


def _told(document: Any) -> Told:
    column = bytes.fromhex(str(document["column"]))
    if len(column) != HASH_BYTES:
        raise ValueError(f"a hash of {len(column)} bytes")
    return Told(str(document["group"]), str(document["member"]), int(document["round"]), column)
