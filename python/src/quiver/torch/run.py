"""One rank in one epoch, as the training process sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from quiver import rules
from quiver.agent.handle import CacheLink
from quiver.credentials import Credentials
from quiver.errors import LoadError
from quiver.ledger import LedgerWriter
from quiver.order import EpochState, ListState, RankEpochSampling
from quiver.reading.request import BatchRequest, Counts
from quiver.torch.draws import RankDraws
from quiver.torch.importance import HandedBatch
from quiver.torch.list_draws import ListDraws, ListSampling
from quiver.torch.meter import JobMeter, Tally
from quiver.torch.read_ahead import Ahead, DrawnAhead
from quiver.torch.state import LoaderState

_GIVE_UP = 900.0
_STATUS_EVERY = 0.25


@dataclass
class Job:
    """The parts that all epochs of a loader share.

    :param ahead: reads ahead of the training loop; None where workers do, or the order is not known
    :param to_come: how many batches are to come after so many of an epoch; negative when nobody knows
    """

    store: str
    cache: CacheLink
    credentials: Credentials
    meter: JobMeter
    tally: Tally
    ledger: LedgerWriter | None
    is_last: Callable[[int], bool]
    to_come: Callable[[int, int], int]
    ahead: Ahead | None = None


class EpochRun:
    """Draws batches, keeps account of those being read and of those handed to the training loop.

    To the sampler an item is done with when it has been read: substitutes that were not needed can be drawn
    again at once. To the job it is done with when it is handed out; only that counts in :meth:`state`.

    :param sampling: of an epoch in which every item comes once, or of a list
    :param own: where this very rank was before it went on; None at a beginning
    :ivar blocking: whether :meth:`next_request` may wait while nothing is being read
    """

    def __init__(
        self,
        job: Job,
        sampling: RankEpochSampling | ListSampling,
        own: LoaderState | None = None,
    ):
        self._job, self._sampling = job, sampling
        self.epoch = sampling.epoch
        self.batches = self._batches_before = 0 if own is None else own.batches
        self.blocking = False
        self.closed = False
        self._sequence = 0
        self._probed: set[int] = set()
        self._status_at = 0.0
        self._demand = False
        self._handed: npt.NDArray[np.int32] | None = None
        self._draws = self._make_draws(own)
        self._ahead = None if job.ahead is None else DrawnAhead(job.ahead, self._draw)
        job.meter.begin()
        self._report(news=True)

    def _make_draws(self, own: LoaderState | None) -> RankDraws | ListDraws:
        sampling, cache = self._sampling, self._job.cache
        delivered = None if own is None else own.delivered
        padded = own is not None and own.padded
        if isinstance(sampling, ListSampling):
            before = (delivered, padded) if isinstance(delivered, ListState) else None
            return ListDraws(sampling, before)
        known = (delivered, padded) if isinstance(delivered, EpochState) else None
        return RankDraws(sampling, known, cache.plan, cache.reachable, self._news)

    @property
    def handed(self) -> HandedBatch | None:
        """The samples of the batch handed out last; None before the first."""
        items = self._handed
        if items is None:
            return None
        weights = self._draws.weights(items).astype(np.float32)
        return HandedBatch(torch.from_numpy(items.astype(np.int64)), torch.from_numpy(weights))

    @property
    def issued(self) -> int:
        """The number of draws that have been made."""
        return self._sequence

    @property
    def out(self) -> int:
        """The number of draws that have been made and not handed out."""
        return self._draws.out

    @property
    def begins(self) -> bool:
        """True until the first batch is handed out."""
        return not self.closed and self.batches == self._batches_before

    @property
    def finished(self) -> bool:
        """True if everything was read and handed out."""
        return self._draws.all_read

    def next_request(self) -> BatchRequest | None:
        """Return the next batch to read; None while there is none, which may change, or at the end."""
        request = self._next()
        deadline = time.monotonic() + _GIVE_UP
        while request is None and self.blocking and self._draws.out == 0 and not self._draws.all_read:
            if time.monotonic() > deadline:
                raise LoadError(f"nothing could be drawn for {_GIVE_UP:.0f} s: {self.describe()}")
            self._job.cache.wait(rules.DRAW_AGAIN_AFTER, lambda: False)
            request = self._next()
        return request

    def _next(self) -> BatchRequest | None:
        return self._draw() if self._ahead is None else self._ahead.next()

    def read_ahead(self) -> None:
        """Begin to read what the training loop will ask for, where that is known and no workers do."""
        if self._ahead is not None and not self.closed:
            self._ahead.top_up()

    def _draw(self) -> BatchRequest | None:
        if self.closed:
            return None
        link = self._job.cache
        plan = link.plan()
        draw = self._draws.next(self._sequence, time.monotonic())
        if draw is None:
            return None
        probed = self._job.meter.probes_next(plan)
        sequence = self._sequence
        if probed:
            self._probed.add(sequence)
        self._sequence += 1
        version = 0 if plan is None else plan.version
        ranking = self._draws.ranking(draw, link.group)
        return BatchRequest(
            sequence, draw, probed, link.job, version, link.plan_json(), ranking, self._job.credentials
        )

    def asked(self) -> None:
        """Note that the training loop asks for a batch."""
        self._job.meter.clock.asked(time.monotonic())

    def deliver(self, sequence: int, packed: bytes, counts: Counts) -> None:
        """Account for a batch that is handed to the training loop."""
        items = np.frombuffer(packed, np.int32)
        own, padding = self._draws.deliver(sequence, items)
        self._handed = items
        if self._job.ledger is not None:
            self._job.ledger.append(self.epoch, self.batches, np.concatenate((own, padding)), len(padding))
        self.batches += 1
        self._job.tally.add(len(items), counts)
        self._note(sequence, len(items), counts)

    def _note(self, sequence: int, items: int, counts: Counts) -> None:
        now = time.monotonic()
        plan = self._job.cache.plan()
        held = None if plan is None else plan.dataset
        probed = sequence in self._probed
        self._probed.discard(sequence)
        ended = self._job.meter.delivered(items, counts, held, probed, now)
        self._job.cache.check(counts.cache_failure)
        self._demand = self._demand or (counts.stored > 0 and not probed)
        drained = self._draws.note_drained()
        if ended or drained or self._draws.all_read or now - self._status_at >= _STATUS_EVERY:
            self._report(news=ended or drained or self._draws.all_read)

    def give_up(self, sequence: int | None) -> None:
        """Give up a batch that could not be made: the epoch goes on without it.

        :param sequence: which one; None for the oldest that is being read
        """
        given_up = self._draws.oldest() if sequence is None else sequence
        if given_up is not None:
            self._draws.give_up(given_up)

    def _news(self) -> None:
        self._status_at = 0.0

    def _report(self, *, news: bool) -> None:
        agent = self._job.cache.agent
        self._status_at = now = time.monotonic()
        if agent is None:
            return
        clock = self._job.meter.clock
        status: dict[str, Any] = {
            "epoch": self.epoch,
            "last_epoch": self._job.is_last(self.epoch),
            "remaining": self._draws.remaining(),
            "item_seconds": clock.item_seconds,
            "working_since": clock.working_since,
            "speeds": self._job.meter.speeds(self._job.to_come(self.epoch, self.batches), now),
            "demand": self._demand,
            "unread": self._draws.unread(),
        }
        self._demand = False
        agent.send(status, news=news)

    def state(self) -> LoaderState:
        """Return the items handed out, as a state."""
        setup = self._sampling.setup
        return LoaderState(
            self._draws.state(),
            self._sampling.before,
            setup.rank,
            setup.ranks,
            self.batches,
            self.finished,
            self._sampling.kind,
            self._draws.padded,
        )

    def describe(self) -> str:
        """Describe the reads under way, for errors about waiting."""
        return (
            f"job {self._job.cache.job}, epoch {self.epoch}, batch {self.batches}: {self._draws.out} batches "
            f"are being read from the cache and {self._job.store}, {self._draws.left} items are left to draw"
        )

    def close(self) -> None:
        """End this epoch's run: another epoch begins, or none."""
        self.closed = True
        if self._ahead is not None:
            self._ahead.close()
        self._job.meter.clock.rest()
