"""A ``torch.utils.data.DataLoader`` whose samples come through the cache."""

from __future__ import annotations

import os
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, get_args

import numpy as np
import torch
from torch.utils.data import DataLoader

from quiver import rules
from quiver.agent.handle import CacheLink
from quiver.agent.setup import AgentSetup
from quiver.credentials import Credentials, PathLike
from quiver.errors import QuiverWarning
from quiver.importance_lists import ImportanceMode
from quiver.ledger import LedgerHeader, LedgerOrder, LedgerWriter, ledger_path
from quiver.manager import cache_addresses
from quiver.order import EpochState, EqualSteps, Kind, ListState, RankEpochSampling, Setup
from quiver.plan import SHARED_SPACE, ranked_space
from quiver.torch.batches import Collate, DrawSampler, EpochIterator
from quiver.torch.dataset import QuiverDataset
from quiver.torch.importance import HandedBatch, JobImportance, Numbers, as_indices, as_losses, importance_of
from quiver.torch.list_draws import ListSampling
from quiver.torch.meter import JobMeter, Tally
from quiver.torch.ranks import Ranks, RunName, agreed, gather
from quiver.torch.read_ahead import BATCHES, MOST_BATCHES, Ahead
from quiver.torch.run import EpochRun, Job
from quiver.torch.score_sharing import ScoreSharing, sharing_of
from quiver.torch.state import Delivered, LoaderState, Sampler, loaded_state, merge_states, require_same_kind

_LIGHTNING = {"lightning.pytorch", "pytorch_lightning"}


class QuiverDataLoader(DataLoader[Any]):
    """Batches of a :class:`QuiverDataset`, every sample exactly once per epoch, in random order.

    Takes what torch's own loader takes, with the same meaning and defaults, except that it shuffles. Workers,
    prefetching, pinned memory, timeouts and start methods are torch's own.

    >>> loader = QuiverDataLoader(dataset, batch_size=256, num_workers=8)  # doctest: +SKIP
    >>> for epoch in range(90):  # doctest: +SKIP
    ...     for images, labels in loader:
    ...         train(images, labels)

    :param dataset: a :class:`QuiverDataset`
    :param sampler: ``"substitute"`` draws at random among what the cache holds; ``"strict"`` is one seeded
        shuffle whatever is cached; ``"shade"`` draws samples with large losses more often, see
        :meth:`report`; ``"shade-boundary"`` and ``"shade-paper"`` are its variants (docs/pytorch.md)
    :param cache: ``http://host:port`` of a node (``quiver up``) or a single server; several managers, as a
        list or with commas between them, are tried in order. By default what the environment variable
        QUIVER_CACHE says; without either, everything is read from the store
    :param seed: decides every order. By default drawn from ``generator`` or torch's global one, so that
        ``torch.manual_seed`` decides; 0 in a distributed job, where all ranks must agree
    :param reshuffle: whether every epoch has an order of its own; False repeats the first one's, to overfit
        a few batches on purpose
    :param job: its name at the cache; something is added to it while another job has it
    :param epochs: how many epochs there will be, if known: helps the cache to plan
    :param rank: which of ``world_size`` processes this is; by default what ``torch.distributed`` says
    :param uneven: what several ranks do that cannot share an epoch evenly, so that all take equally many
        steps: ``"pad"`` repeats a sample, ``"drop"`` leaves some out
    :param gather_state: whether :meth:`state_dict` is that of all ranks together, and called by all of them:
        Lightning does so, and keeps the first rank's only
    :param homogeneous: whether a batch comes from one stretch of the data set (items of similar length)
    :param pool: of a sampler by importance: below 1, an epoch draws from this share of the data set, which
        repeats samples and leaves out the others until their turn comes
    :param return_to_uniform: whether a sampler by importance ends in favour of plain shuffles when
        :meth:`report_validation` was told falling accuracies
    :param share_scores: a name for a group of jobs: a job of a sampler by importance samples by what all
        jobs found that read this data set and name the group. Importance depends on the model: name one
        group only for jobs that train the same
    :param ledger: a file to note in what was delivered; ``quiver ledger verify`` proves epochs from it
    :param gpus: how many GPUs wait when this process waits
    :param read_ahead: without workers, how many batches of a known order (every sampler's but
        ``"substitute"``) are read before the training loop asks for them, at most 64 MiB of them; 0 for none
    :param token: shows a cluster with ``--token-file`` whose job this is; by default QUIVER_TOKEN
    :param token_file: a file that holds the token, read again when it changes; by default QUIVER_TOKEN_FILE
    :param cert: a PEM file with the job's certificate, for mTLS; by default QUIVER_TLS_CERT
    :param key: a PEM file with the certificate's key; by default QUIVER_TLS_KEY
    :param trust: a PEM file with the issuers of acceptable servers; by default the platform's
    """

    def __init__(
        self,
        dataset: QuiverDataset,
        batch_size: int = 1,
        shuffle: bool | None = None,
        sampler: Sampler | None = None,
        batch_sampler: None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: torch.Generator | None = None,
        *,
        cache: str | Sequence[str] | None = None,
        seed: int | None = None,
        reshuffle: bool = True,
        job: str | None = None,
        epochs: int | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        uneven: EqualSteps = "pad",
        gather_state: bool = False,
        homogeneous: bool = False,
        pool: float = 1.0,
        return_to_uniform: bool = True,
        share_scores: str | None = None,
        ledger: str | os.PathLike[str] | None = None,
        gpus: int = 1,
        preload_reads: int = rules.PRELOAD_READS,
        read_ahead: int = BATCHES,
        token: str | None = None,
        token_file: PathLike | None = None,
        cert: PathLike | None = None,
        key: PathLike | None = None,
        trust: PathLike | None = None,
        **torch_options: Any,
    ):
        _require_sense(dataset, batch_size, shuffle, sampler, batch_sampler, read_ahead)
        self._kind: Sampler = sampler or ("substitute" if reshuffle else "strict")
        if not reshuffle and self._kind != "strict":
            raise ValueError("reshuffle=False repeats an order, which only sampler='strict' can")
        self._importance = importance_of(
            self._kind, pool, return_to_uniform, homogeneous, num_workers, len(dataset), share_scores
        )
        self._sharing: ScoreSharing | None = None
        self._credentials = Credentials.none()
        self._reshuffle = reshuffle
        self._rank_given, self._seed_given, self._uneven = (rank, world_size), seed, uneven
        self._setup = Setup(
            items=len(dataset),
            chunks=1,
            batch=batch_size,
            seed=_drawn(generator) if seed is None else seed,
            drop_last=drop_last,
            homogeneous=homogeneous,
        )
        self._ranks = Ranks(0, 1)
        self._begun = self._agreed = False
        self._gather_state = gather_state
        self._find_ranks()
        self._run: EpochRun | None = None
        self._inner: weakref.ref[Any] | None = None
        self._resume: LoaderState | None = None
        self._next_epoch = 0
        self._epochs = epochs
        self._ledger_base = None if ledger is None else Path(ledger).absolute()
        super().__init__(
            dataset,
            batch_sampler=DrawSampler(self, batch_size, drop_last),
            num_workers=num_workers,
            collate_fn=collate_fn,
            pin_memory=pin_memory,
            timeout=timeout,
            worker_init_fn=worker_init_fn,
            multiprocessing_context=multiprocessing_context,
            generator=generator,
            **torch_options,
        )
        self.collate_fn = Collate(self.collate_fn)
        # Torch leaves these to a batch sampler; frameworks look for them here.
        object.__setattr__(self, "batch_size", batch_size)
        object.__setattr__(self, "drop_last", drop_last)
        if reshuffle:  # torch's own one claims that all epochs have one order
            object.__setattr__(self, "sampler", self.batch_sampler)
        addresses = cache_addresses(cache)
        if addresses:
            self._credentials = Credentials(
                token=token, token_file=token_file, cert=cert, key=key, trust=trust
            )
        self._job = self._make_job(dataset, addresses, gpus, preload_reads, read_ahead, self._credentials)
        self._job_given = job
        self._name_job(RunName.make(self._ranks))

    def _find_ranks(self) -> None:
        """Find the ranks, which torch may know only after the loader was made, but not after it began."""
        found = Ranks.find(*self._rank_given)
        if found == self._ranks:
            return
        if self._begun:
            raise RuntimeError(
                f"this loader began as {self._ranks} and is now {found}, so ranks would read other samples "
                "than their own; make another loader after init_process_group"
            )
        several = found.world_size > 1
        self._setup = replace(
            self._setup,
            rank=found.rank,
            ranks=found.world_size,
            equal_steps=self._uneven if several else "off",
            seed=0 if several and self._seed_given is None else self._setup.seed,
        )
        self._ranks = found

    def _make_job(
        self,
        dataset: QuiverDataset,
        addresses: tuple[str, ...],
        gpus: int,
        preload_reads: int,
        read_ahead: int,
        credentials: Credentials,
    ) -> Job:
        setup = None
        if addresses:
            setup = AgentSetup(
                job="",
                group="",
                digest=dataset.digest,
                store=dataset.store,
                cache=addresses,
                batch=self._setup.batch,
                preload_reads=preload_reads,
                gpus=gpus,
                credentials=credentials,
                shared=SHARED_SPACE if self._importance is None else ranked_space(dataset.digest.key),
            )
        known = self._kind != "substitute" and self.num_workers == 0 and read_ahead > 0
        batches = read_ahead if known else self.num_workers * (self.prefetch_factor or 1)
        return Job(
            store=dataset.store.uri,
            cache=CacheLink(setup),
            credentials=credentials,
            meter=JobMeter(max(1, batches)),
            tally=Tally(),
            ledger=None,
            is_last=lambda epoch: self._epochs is not None and epoch >= self._epochs - 1,
            to_come=self._to_come,
            ahead=Ahead(dataset.digest, batches, dataset.read_ahead, dataset.give_up_ahead)
            if known
            else None,
        )

    def _to_come(self, epoch: int, batches: int) -> int:
        if self._epochs is None:
            return -1
        return max(0, (self._epochs - epoch) * self.steps() - batches)

    def _name_job(self, run: RunName) -> None:
        self._run_name = run
        self._group = self._job_given or run.name
        rank = f".r{self._ranks.rank}" if self._ranks.world_size > 1 else ""
        self._job.cache.rename(self._group, rank, run.suffix)

    def _agree(self) -> None:
        """Agree with the other ranks on a name, and make sure that they have this order."""
        order: dict[str, Any] = {
            "seed": self._setup.seed,
            "sampler": self._kind,
            "reshuffle": self._reshuffle,
        }
        if self._importance is not None:
            order |= {"pool": self._importance.pool, "spread": self._importance.spread}
        dataset = self.dataset.digest.key  # type: ignore[attr-defined]
        self._name_job(agreed(self._run_name, self._ranks, dataset, order))

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        self._find_ranks()
        if not self._agreed:
            self._agree()
        self._begun = self._agreed = True
        if self._run is not None:
            self._run.close()
            self._run = None
        self._job.cache.open()
        if self._importance is not None and self._sharing is None:
            self._sharing = self._share(self._importance)
        return EpochIterator(self._begin, self.timeout)

    def _begin(self) -> tuple[EpochRun, Any]:
        """Begin the next epoch, when its first batch is asked for: Lightning says late which one it is."""
        if self._run is not None:
            self._run.close()
        self._run = run = self._next_run()
        inner = super().__iter__()
        self._inner = weakref.ref(inner)
        return run, inner

    def _share(self, importance: JobImportance) -> ScoreSharing | None:
        digest = self.dataset.digest  # type: ignore[attr-defined]
        job, group = self._group, importance.group
        return sharing_of(self._job.cache, digest, self._credentials, job, group, self._ranks)

    def _next_run(self) -> EpochRun:
        resume, self._resume = self._resume, None
        epoch = self._next_epoch
        self._next_epoch = epoch + 1
        if self._ledger_base is not None and self._job.ledger is None:
            self._job.ledger = self._open_ledger(self._ledger_base, goes_on=resume is not None or epoch > 0)
        own = resume if resume is not None and resume.rank is not None else None
        before = None if resume is None else resume.delivered if own is None else own.before
        if self._importance is None:
            return EpochRun(self._job, self._sampling(epoch, before), own)
        return EpochRun(self._job, self._list_sampling(self._importance, epoch, resume, before), own)

    def _sampling(self, epoch: int, before: Delivered | None) -> RankEpochSampling:
        shared = before if isinstance(before, EpochState) else None
        kind: Kind = "strict" if self._kind == "strict" else "substitute"
        return RankEpochSampling(kind, self._setup, epoch, shared, reshuffle=self._reshuffle)

    def _list_sampling(
        self, importance: JobImportance, epoch: int, resume: LoaderState | None, before: Delivered | None
    ) -> ListSampling:
        lists = importance.begin(self._setup, epoch, goes_on=resume is not None, sharing=self._sharing)
        if self._job.ledger is not None:
            self._job.ledger.append_list(epoch, lists.list, whole=self._ranks.rank == 0)
        plan = self._job.cache.plan()
        if self._job.cache.agent is not None and (plan is None or plan.managed):
            importance.curve.begin(lists)
        shared = before if isinstance(before, ListState) else None
        return ListSampling(importance.mode, self._setup, lists, importance.curve.latest, shared)

    def _open_ledger(self, base: Path, *, goes_on: bool) -> LedgerWriter:
        path = ledger_path(base, *self._ranks, goes_on=goes_on)
        digest = self.dataset.digest  # type: ignore[attr-defined]
        header = LedgerHeader(
            self._group,
            digest.identity[:4].hex(),
            digest.items,
            self._setup.seed,
            _ledger_order(self._kind),
            self._ranks.rank,
            self._ranks.world_size,
        )
        return LedgerWriter(path, header)

    def current_run(self) -> EpochRun:
        """Return the epoch that runs; for torch's iterator."""
        if self._run is None:
            raise RuntimeError("no epoch has begun; iterate over the loader")
        return self._run

    def steps(self) -> int:
        """Return the number of batches of a whole epoch of this rank."""
        self._find_ranks()
        setup = self._setup
        down = setup.equal_steps == "drop"
        share, rest = divmod(setup.items, setup.ranks)
        share += rest > 0 and not down and (setup.equal_steps == "pad" or setup.rank < rest)
        return share // setup.batch if setup.drop_last else -(-share // setup.batch)

    def __len__(self) -> int:
        return self.steps()

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch begins next, or has just begun; without this they count up from 0.

        An epoch begins when its first batch is asked for, not when an iterator is made.
        """
        if epoch < 0:
            raise ValueError(f"epoch {epoch}; they count from 0")
        if self._run is not None and self._run.begins and self._run.epoch == epoch:
            return
        if self._resume is not None and self._resume.delivered.epoch != epoch:
            self._resume = None
        self._next_epoch = epoch

    def state_dict(self) -> dict[str, Any]:
        """Return this rank's position: counts batches handed out, not those read ahead.

        Load it with as many ranks as there are now, each its own; for any other number of ranks, see
        :meth:`gather_state_dict` and :func:`quiver.torch.merge_states`.
        """
        own = self._state().to_dict()
        if self._gather_state:
            return merge_states(gather(own))
        if self._ranks.world_size > 1 and _LIGHTNING & sys.modules.keys():
            warnings.warn(
                "Lightning keeps the state of the first rank's loader only, from which no other rank can go "
                "on; make the loader with gather_state=True",
                QuiverWarning,
                stacklevel=2,
            )
        return own

    def gather_state_dict(self) -> dict[str, Any]:
        """Return the whole job's position, for any number of ranks to go on; every rank has to call this."""
        return merge_states(gather(self._state().to_dict()))

    def _state(self) -> LoaderState:
        self._find_ranks()
        if self._resume is not None:
            return self._resume
        importance = None if self._importance is None else self._importance.state()
        if self._run is not None and self._run.epoch == self._next_epoch - 1:
            return replace(self._run.state(), importance=importance)
        nothing = EpochState.of_mask(
            self._setup.seed, self._next_epoch, np.zeros(self._setup.items, np.bool_)
        )
        return LoaderState(nothing, None, *self._ranks, 0, False, self._kind, importance=importance)

    def load_state_dict(self, state: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
        """Go on where a state was saved, when the loader is next iterated over.

        :param state: this rank's own, one of all ranks together, or a list of the states of all ranks
        """
        self._find_ranks()
        loaded = loaded_state(state, self._ranks, self._kind)
        delivered = loaded.delivered
        if delivered.items != self._setup.items:
            raise ValueError(f"a state of {delivered.items} items; this data set has {self._setup.items}")
        begun = require_same_kind(loaded, by_importance=self._importance is not None)
        if self._importance is not None:
            self._importance.load(loaded.importance, whole=loaded.rank is None)
        self._begun = True
        self._setup = replace(self._setup, seed=delivered.seed)
        if self._run is not None:
            self._run.close()
            self._run = None
        self._resume = loaded if begun and not loaded.finished else None
        self._next_epoch = delivered.epoch + (1 if loaded.finished else 0)

    @property
    def batch(self) -> HandedBatch:
        """The batch that was handed out last: ``indices`` of its samples, and ``weights`` of their losses.

        :raises ValueError: before the first batch of an epoch
        """
        handed = None if self._run is None else self._run.handed
        if handed is None:
            raise ValueError("no batch of this epoch was handed out yet")
        return handed

    def report(self, losses: Numbers, indices: Numbers | None = None) -> None:
        """Tell the losses of samples, so that those with large ones come more often.

        A batch that is not reported keeps the scores it has, and so does a sample whose loss is not a number.
        Other samplers than those by importance take reports without making use of them.

        :param losses: one for each sample, as :func:`quiver.torch.per_sample_cross_entropy` computes them
        :param indices: the samples; by default those of the batch handed out last
        :raises ValueError: if there is not one loss for each sample, or no such sample; nothing has changed
        """
        values = as_losses(losses)
        items = as_indices(self.batch.indices if indices is None else indices)
        if len(values) != len(items):
            raise ValueError(
                f"{len(values)} losses for a batch of {len(items)} samples; report one for each sample, "
                "without averaging over the batch (reduction='none')"
            )
        if self._importance is not None:
            self._importance.report(items, values)

    def report_validation(self, accuracy: float) -> None:
        """Tell the accuracy on samples that are not trained on; more is better, on any scale.

        When it falls, sampling by importance ends with the list that is drawn next. Ranks need not all tell.
        """
        if self._importance is not None:
            self._importance.report_validation(float(accuracy))

    def statistics(self) -> dict[str, int]:
        """Count the items delivered so far by source, and those the agent has read ahead."""
        preloaded = self._job.cache.preloaded
        counts = self._job.tally.to_dict()
        return {**counts, "preloaded": preloaded.items, "preloaded_bytes": preloaded.bytes}

    @property
    def job(self) -> str:
        """The job's name at the cache."""
        return self._job.cache.job

    @property
    def seed(self) -> int:
        """The seed that decides every order."""
        return self._setup.seed

    def close(self) -> None:
        """End workers and agent; without this they end with the loader."""
        if self._run is not None:
            self._run.close()
        inner = None if self._inner is None else self._inner()
        shutdown = getattr(inner, "_shutdown_workers", None)
        if shutdown is not None:
            shutdown()
        object.__setattr__(self, "_iterator", None)
        if self._sharing is not None:
            self._sharing.close()
            self._sharing = None
        if self._importance is not None:
            self._importance.curve.close()
        self._job.cache.close()
        if self._job.ledger is not None:
            self._job.ledger.close()
            self._job.ledger = None

    def __enter__(self) -> QuiverDataLoader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _ledger_order(kind: Sampler) -> LedgerOrder:
    return kind if kind == "substitute" or kind == "strict" else "list"


def _drawn(generator: torch.Generator | None) -> int:
    return int(torch.empty((), dtype=torch.int64).random_(generator=generator).item())


def _require_sense(
    dataset: Any, batch_size: int, shuffle: bool | None, sampler: Any, batch_sampler: Any, read_ahead: int
) -> None:
    if not isinstance(dataset, QuiverDataset):
        raise TypeError(f"a data set of {type(dataset).__name__}; use a QuiverDataset")
    if len(dataset) == 0:
        raise ValueError(f"{dataset.digest.path} has no items")
    if batch_sampler is not None or sampler not in (None, "substitute", "strict", *get_args(ImportanceMode)):
        raise ValueError(
            "sampler is 'substitute', 'strict', 'shade', 'shade-boundary' or 'shade-paper'; the loader draws "
            "batches itself"
        )
    if not isinstance(read_ahead, int) or not 0 <= read_ahead <= MOST_BATCHES:
        raise ValueError(f"read_ahead={read_ahead}; use 0 to {MOST_BATCHES} batches")
    if not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError(f"batch_size={batch_size}; use at least 1")
    if shuffle is False:
        raise ValueError(
            "shuffle=False: this loader shuffles; for evaluation, where order does not matter, leave it out, "
            "or use torch.utils.data.DataLoader(dataset), which reads the store in order"
        )
