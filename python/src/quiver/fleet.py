"""The servers of a client: who owns what, and the links to them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from quiver.credentials import Credentials
from quiver.placement import SlotTable
from quiver.transport import Endpoint, LinkConfig, ServerLink
from quiver.wire import MAX_BATCH, Hashes

_MOST_THREADS = 64

Places = npt.NDArray[np.intp]
P = TypeVar("P")


class Member(NamedTuple):
    """A cache server as placement knows it and where it listens.

    :param name: decides with the others' names which blobs are its own
    :param weight: its share compared with the others', 1 to 2^24
    :param address: ``http://host:port`` or ``https://host:port``
    """

    name: str
    weight: int
    address: str

    @staticmethod
    def of(address: str) -> Member:
        """Make a server of weight 1 that is named by its own host and port.

        >>> Member.of("http://10.0.0.1:7071").name
        '10.0.0.1:7071'
        """
        return Member(Endpoint.of(address).id, 1, address)

    @staticmethod
    def of_plan(members: Iterable[tuple[str, str, int]]) -> list[Member]:
        """Make the servers of a plan from (name, uri, weight)."""
        return [Member(name, weight, uri) for name, uri, weight in members]


class Group(NamedTuple):
    """The places of a batch that belong to one server, in order."""

    link: ServerLink
    places: Places


class Fleet:
    """The links of one process to a set of servers, and threads to ask several at once."""

    def __init__(self, members: Sequence[Member], config: LinkConfig, credentials: Credentials):
        self._config = config
        self._credentials = credentials
        self._lock = threading.Lock()
        self._links: dict[Member, ServerLink] = {}
        self._threads: ThreadPoolExecutor | None = None
        self._formation = self._form(members)

    def replace(self, members: Sequence[Member]) -> None:
        """Use these servers; the links of servers that stay are kept."""
        with self._lock:
            before = dict(self._links)
            self._formation = self._form(members)
            kept = set(map(id, self._links.values()))
        for link in before.values():
            if id(link) not in kept:
                link.retire()

    def _form(self, members: Sequence[Member]) -> tuple[SlotTable, list[ServerLink]]:
        table = SlotTable.of((member.name, member.weight) for member in members)
        # Weights may change without a reason to connect anew.
        known = {(member.name, member.address): link for member, link in self._links.items()}
        self._links = {
            member: known.get((member.name, member.address)) or self._connect(member) for member in members
        }
        by_name = {member.name: link for member, link in self._links.items()}
        return table, [by_name[name] for name in table.names]

    def _connect(self, member: Member) -> ServerLink:
        return ServerLink(Endpoint.of(member.address), self._config, self._credentials)

    def split(self, hashes: Hashes, places: Places) -> list[Group]:
        """Split these places of a batch by owner, into groups no longer than a question may be."""
        table, links = self._formation
        if len(links) == 1:
            return [Group(links[0], part) for part in _cut(places)]
        owners = table.owner_of(hashes[places])
        groups: list[Group] = []
        for owner in np.unique(owners).tolist():
            groups.extend(Group(links[owner], part) for part in _cut(places[owners == owner]))
        return groups

    def each(self, parts: Sequence[P], run: Callable[[P], None]) -> None:
        """Run all parts, side by side, the first in the calling thread."""
        futures: list[Future[None]] = []
        try:
            for part in parts[1:]:
                future = self._submit(run, part)
                if future is None:
                    run(part)
                else:
                    futures.append(future)
            if parts:
                run(parts[0])
        except BaseException:
            for future in futures:
                future.cancel()
            raise
        for future in futures:
            future.result()

    def _submit(self, run: Callable[[P], None], part: P) -> Future[None] | None:
        with self._lock:
            if self._threads is None:
                most = min(_MOST_THREADS, self._config.connections * max(1, len(self._links)))
                self._threads = ThreadPoolExecutor(most, thread_name_prefix="quiver-client")
            threads = self._threads
        try:
            return threads.submit(run, part)
        except RuntimeError:
            # The interpreter is shutting down: no new threads, but the call can still be made.
            return None

    def close(self) -> None:
        """Close every link."""
        with self._lock:
            links, threads = list(self._links.values()), self._threads
        for link in links:
            link.close()
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)

    def abandon(self) -> None:
        """Close this process's ends of the parent's connections, in a forked child."""
        for link in list(self._links.values()):
            link.abandon()


def _cut(places: Places) -> Iterator[Places]:
    for first in range(0, len(places), MAX_BATCH):
        yield places[first : first + MAX_BATCH]
