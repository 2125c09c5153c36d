"""The importance of samples as one rank of a job knows it."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from quiver.accuracy_trend import AccuracyTrend
from quiver.group_scores import Heard
from quiver.importance_lists import ImportanceLists, ImportanceMode, packed, unpacked
from quiver.order import Kind, Setup
from quiver.rank_score import rank_scores
from quiver.score_column import MAX_ITEMS, ScoreColumn, check_of
from quiver.torch.rank_agreement import RankAgreement
from quiver.torch.ranks import Ranks, gather, share_group
from quiver.torch.score_sharing import ScoreSharing
from quiver.torch.unread_curve import UnreadCurve

_LOG = logging.getLogger("quiver")
_GROUP = re.compile("[A-Za-z0-9._-]{1,100}")

Numbers = Any
"""A tensor on any device, an array, or a sequence of numbers."""


class HandedBatch(NamedTuple):
    """The samples of a batch, beside what the user's collate function made of them.

    :param indices: of the samples in the data set
    :param weights: of their losses, so that the mean over draws is that over the data set; 1 where every
        sample has the same chance
    """

    indices: torch.Tensor
    weights: torch.Tensor


class _Told(NamedTuple):
    """A rank's news for the other ranks.

    :param heard: of other jobs, by the first rank
    """

    drawn: tuple[str, str]
    items: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    largest_batch: int
    uniform: bool
    heard: Heard


class JobImportance:
    """Scores that all ranks agree on whenever an epoch begins, and the lists that follow from them.

    :param pool: see :class:`quiver.importance.Repetition`
    :param return_to_uniform: whether falling accuracy ends sampling by importance
    :param workers: how many batches each rank reads at a time
    :param group: of jobs that share scores with each other; None for a job that samples by its own
    :ivar spread: repeats of a sample are so many times further apart than for a job that reads one batch at a
        time: a repeat that is read while the sample itself is read would be read from the store
    :ivar curve: what caches of each size would spare the job
    """

    def __init__(
        self,
        mode: ImportanceMode,
        pool: float,
        return_to_uniform: bool,
        workers: int = 0,
        group: str | None = None,
    ):
        self.mode: ImportanceMode = mode
        self.group = group
        self.spread = 1 + workers // 4
        self.pool, self._returns = pool, return_to_uniform
        self._trend = AccuracyTrend()
        self._made: ImportanceLists | None = None
        self._fresh: npt.NDArray[np.int32] | None = None
        self._saved: Mapping[str, Any] | None = None
        self._apart = False
        self._round = 0
        self.curve = UnreadCurve()

    @property
    def lists(self) -> ImportanceLists:
        """The lists; there are some as soon as an epoch has begun."""
        if self._made is None:
            raise ValueError("losses before the first epoch; iterate over the loader first")
        return self._made

    def begin(
        self, setup: Setup, epoch: int, *, goes_on: bool, sharing: ScoreSharing | None = None
    ) -> ImportanceLists:
        """Begin an epoch, after all ranks have told each other what they scored.

        :param goes_on: whether the epoch is one that was begun before a state was saved
        :param sharing: with ranks outside of a process group, and with other jobs
        """
        knows_nothing = self._made is None and self._saved is None
        lists = self._made or self._make(setup)
        ranks = Ranks(setup.rank, setup.ranks)
        if ranks.world_size == 1 or share_group(ranks):
            self._agree(lists, ranks, epoch, sharing)
        elif sharing is None or sharing.agreement is None:
            raise ValueError(
                f"{ranks} cannot agree with the other ranks on what is important; call init_process_group "
                "first, or give cache= the address of a manager, or use another sampler"
            )
        elif not knows_nothing:
            self._agree_by_hand(lists, setup, epoch, sharing, sharing.agreement)
        if not goes_on:
            lists.begin(epoch)
        return lists

    def _make(self, setup: Setup) -> ImportanceLists:
        step = setup.batch * setup.ranks * self.spread
        lists = ImportanceLists(setup.items, step, setup.seed, self.mode, pool=self.pool)
        self._made, self._fresh = lists, None
        if setup.ranks > 1 or self.group is not None:
            self._fresh = np.zeros(setup.items, np.int32)
        if self._saved is not None:
            self._restore(lists, self._saved)
        return lists

    def _agree(self, lists: ImportanceLists, ranks: Ranks, epoch: int, sharing: ScoreSharing | None) -> None:
        heard = Heard.nothing() if sharing is None else sharing.heard()
        told = _Told((lists.list.sha256, lists.following.sha256), *self._news(lists), self._ends(), heard)
        everybody: list[_Told] = [told] if ranks.world_size == 1 else gather(told)
        if any(each.drawn != told.drawn for each in everybody):
            raise ValueError(
                f"{ranks} follows another list than other ranks, so that samples would be lost and repeated: "
                "give all ranks states that were saved at the same step"
            )
        found = np.zeros(len(lists.scores), np.int32)
        for each in everybody:
            lists.scores.merge(each.items.astype(np.int64), each.scores, each.largest_batch)
            found[each.items] = each.scores
        self._share(lists, found, everybody[0].heard, epoch, sharing)
        self._end_importance(lists, any(each.uniform for each in everybody))

    def _agree_by_hand(
        self,
        lists: ImportanceLists,
        setup: Setup,
        epoch: int,
        sharing: ScoreSharing,
        agreement: RankAgreement,
    ) -> None:
        """Take the scores over that the first rank has merged; the first rank merges them."""
        self._round += 1
        order = (setup.seed, setup.ranks, setup.batch, self.mode, self.pool, self.spread)
        check = check_of(lists.list.sha256, lists.following.sha256, *order)
        items, scores, largest = self._news(lists)
        found = np.zeros(len(lists.scores), np.int32)
        found[items] = scores
        news = ScoreColumn(self._round, largest, found, uniform=self._ends(), check=check)
        if setup.rank > 0:
            agreed = agreement.follow(news)
            lists.scores.load_state(agreed.scores, agreed.largest_batch)
            self._end_importance(lists, agreed.uniform)
            return
        others = agreement.gather(self._round, check)
        for column, _ in others:
            at = np.flatnonzero(column.scores)
            lists.scores.merge(at, column.scores[at], column.largest_batch)
            found[at] = column.scores[at]
        self._share(lists, found, sharing.heard(), epoch, sharing)
        self._end_importance(lists, news.uniform or any(column.uniform for column, _ in others))
        whole, largest = lists.scores.state()
        seen = tuple(name for _, name in others)
        agreement.publish(ScoreColumn(self._round, largest, whole, True, lists.uniform, check, seen))

    @staticmethod
    def _share(
        lists: ImportanceLists,
        found: npt.NDArray[np.int32],
        heard: Heard,
        epoch: int,
        sharing: ScoreSharing | None,
    ) -> None:
        """Tell other jobs what this one found, and take into account what they did."""
        if sharing is not None and sharing.shares and found.any():
            sharing.tell_group(ScoreColumn(epoch, lists.scores.largest_batch, found))
        heard.merge_into(lists.scores, found)

    def _end_importance(self, lists: ImportanceLists, ends: bool) -> None:
        if ends and not lists.uniform:
            lists.uniform = True
            _LOG.warning(
                "accuracy falls (%s): the lists drawn from now on have every sample once, without importance",
                ", ".join(f"{each:g}" for each in self._trend.latest) or "in another rank",
            )

    def _news(self, lists: ImportanceLists) -> tuple[Any, Any, int]:
        fresh = self._fresh
        items = np.empty(0, np.int32) if fresh is None else np.flatnonzero(fresh).astype(np.int32)
        scores = items if fresh is None else fresh[items]
        if fresh is not None:
            self._fresh = np.zeros_like(fresh)
        return items, scores, lists.scores.largest_batch

    def _ends(self) -> bool:
        return self._returns and self._trend.falls

    def report(self, items: npt.NDArray[np.int64], losses: npt.NDArray[np.float64]) -> None:
        """Take the losses of samples into account; they need not be of the batch handed out last."""
        lists = self.lists
        lists.scores.report(items, losses)
        if self._fresh is not None:
            scores = rank_scores(losses)
            told = scores > 0
            self._fresh[items[told]] = scores[told]

    def report_validation(self, accuracy: float) -> None:
        """Take an accuracy into account."""
        self._trend.report(accuracy)

    def state(self) -> dict[str, Any] | None:
        """Return what is saved with a checkpoint; None before the first epoch."""
        if self._made is None:
            return None if self._saved is None else dict(self._saved)
        fresh = "" if self._fresh is None else packed(self._fresh)
        return {
            "lists": self._made.state(),
            "fresh": [{"scores": fresh, "largest_batch": self._made.scores.largest_batch}],
            "accuracies": self._trend.latest,
        }

    def load(self, state: Mapping[str, Any] | None, *, whole: bool) -> None:
        """Go on with a saved state when the next epoch begins.

        :param whole: whether it is the state of all ranks together
        """
        self._made, self._saved, self._apart = None, state, not whole
        self._trend = AccuracyTrend([] if state is None else state["accuracies"])

    def _restore(self, lists: ImportanceLists, state: Mapping[str, Any]) -> None:
        lists.load_state(state["lists"])
        for each in state["fresh"]:
            scores = unpacked(each["scores"], len(lists.scores)) if each["scores"] else np.empty(0, np.int32)
            items = np.flatnonzero(scores)
            lists.scores.merge(items, scores[items], int(each["largest_batch"]))
            if self._apart and self._fresh is not None:
                self._fresh[items] = scores[items]
        self._saved = None


def importance_of(
    kind: Kind | ImportanceMode,
    pool: float,
    return_to_uniform: bool,
    homogeneous: bool,
    workers: int,
    items: int,
    group: str | None = None,
) -> JobImportance | None:
    """Return the importance of a sampler's samples; None for one to which all are alike."""
    if group is not None:
        _require_group(group, kind, items)
    if kind == "substitute" or kind == "strict":
        if pool != 1:
            raise ValueError(f"pool={pool} repeats samples, which only samplers by importance do")
        return None
    if homogeneous:
        raise ValueError(f"homogeneous=True: sampler={kind!r} draws from the whole data set")
    if not 0 < pool <= 1:
        raise ValueError(f"pool={pool}; use a share of the data set, 0.1 to 1")
    return JobImportance(kind, pool, return_to_uniform, workers, group)


def _require_group(group: str, kind: Kind | ImportanceMode, items: int) -> None:
    if kind == "substitute" or kind == "strict":
        raise ValueError(f"share_scores={group!r}: sampler={kind!r} has no scores; use sampler='shade'")
    if not isinstance(group, str) or not _GROUP.fullmatch(group):
        raise ValueError(f"share_scores={group!r}; use 1 to 100 letters, digits and . _ -")
    if items > MAX_ITEMS:
        raise ValueError(
            f"share_scores={group!r}: {items} items; scores of at most {MAX_ITEMS} can be shared"
        )


def merged_importance(states: Sequence[Mapping[str, Any] | None]) -> dict[str, Any] | None:
    """Merge the states of all ranks, in their order."""
    if any(state is None for state in states):
        return None
    fresh = [each for state in states if state is not None for each in state["fresh"]]
    return {**states[0], "fresh": fresh}  # type: ignore[dict-item]


def as_losses(values: Numbers) -> npt.NDArray[np.float64]:
    """Return the numbers of a tensor, an array or a sequence, whatever its dimensions."""
    plain = values.detach().cpu().double().numpy() if isinstance(values, torch.Tensor) else values
    return np.asarray(plain, np.float64).reshape(-1)


def as_indices(values: Numbers) -> npt.NDArray[np.int64]:
    """Return whole numbers."""
    plain = np.asarray(values.cpu() if isinstance(values, torch.Tensor) else values).reshape(-1)
    if len(plain) and plain.dtype.kind not in "iu":
        raise ValueError(
            f"indices of type {plain.dtype}; give whole numbers, as loader.batch.indices has them"
        )
    return plain.astype(np.int64)


def per_sample_cross_entropy(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the cross-entropy of each sample (SHADE, Equation 3), to be weighted, averaged and reported.

    Where a sample has several targets, as pixels or words, its loss is their mean.

    >>> per_sample_cross_entropy(torch.zeros(2, 10), torch.tensor([3, 4])).shape
    torch.Size([2])
    """
    losses = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
    return losses if losses.dim() == 1 else losses.flatten(1).mean(1)
