"""A data set that is described by a digest and lies in its owner's store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch.utils.data

from quiver import rules
from quiver.checksum import Verification, check_for
from quiver.digest import Digest
from quiver.errors import LoadError
from quiver.reading.items import ItemReader, OnMismatch
from quiver.reading.reader import BatchReader
from quiver.reading.request import BatchRequest
from quiver.store import Store
from quiver.torch.batches import in_worker
from quiver.torch.decoders import Decode, decoder
from quiver.torch.labels import Labels

Transform = Callable[[Any], Any]


class QuiverDataset(torch.utils.data.Dataset[Any]):
    """The samples of a digest, with labels as ``ImageFolder`` has them.

    A sample is what ``decode`` and ``transform`` make of an item's bytes; with labels it is a pair of that
    and the label. ``dataset[7]`` reads straight from the store; the cache is used by the loader.

    >>> dataset = QuiverDataset("images.qdg", "/data/images", decode="image")  # doctest: +SKIP
    >>> len(dataset), dataset.classes[:2]  # doctest: +SKIP
    (1281167, ['n01440764', 'n01443537'])
    >>> image, label = dataset[0]  # doctest: +SKIP

    :param digest: the digest, or the name of its file
    :param store: where the items lie (see :class:`quiver.store.Store`); by default where the digest was made
    :param decode: makes something of an item's bytes: a callable that takes a bytes-like object,
        ``"image"`` for PIL images, or ``"bytes"``
    :param transform: applied to what was decoded
    :param target_transform: applied to the label
    :param labels: a number for each item, in the order of the digest; or whether samples have labels, by
        default if the digest or the folders tell any
    :param storage_options: of the store (see :class:`quiver.store.Store`): credentials, endpoints
    :param on_mismatch: what becomes of items that changed in the store: ``"refuse"`` or ``"serve"``
    :param store_reads: most reads from the store that one worker has under way
    :param verify: how bytes from cache servers are checked: ``"sampled"`` hashes a few, ``"sha256"`` all;
        see :class:`quiver.client.CacheClient`
    """

    def __init__(
        self,
        digest: Digest | str | os.PathLike[str],
        store: Store | str | os.PathLike[str] | None = None,
        decode: str | Decode | None = None,
        transform: Transform | None = None,
        target_transform: Transform | None = None,
        *,
        labels: bool | Iterable[int] | None = None,
        storage_options: Mapping[str, Any] | None = None,
        on_mismatch: OnMismatch = "refuse",
        store_reads: int = rules.STORE_READS,
        verify: Verification = "sampled",
    ):
        if on_mismatch not in ("refuse", "serve"):
            raise ValueError(f"on_mismatch={on_mismatch!r}; use 'refuse' or 'serve'")
        if store_reads < 1:
            raise ValueError(f"store_reads={store_reads}; use at least 1")
        self.digest = digest if isinstance(digest, Digest) else Digest.open(digest)
        self.store = Store.open(_place(self.digest) if store is None else store, storage_options)
        self.decode = decoder(decode)
        self.transform = transform
        self.target_transform = target_transform
        self.on_mismatch: OnMismatch = on_mismatch
        self.store_reads = store_reads
        check_for(verify)
        self.verify: Verification = verify
        if labels is None or isinstance(labels, bool):
            self._labels = None if labels is False else Labels.of(self.digest)
        else:
            self._labels = Labels.given(labels, self.digest)
        if labels is True and self._labels is None:
            raise ValueError(
                f"{self.digest.path} has no labels and its items lie in no folders; use labels=False"
            )
        self._reader: BatchReader | None = None

    @property
    def classes(self) -> list[str]:
        """The names of the classes, by label; empty without labels."""
        return [] if self._labels is None else self._labels.classes

    @property
    def class_to_idx(self) -> dict[str, int]:
        """The label of each class."""
        return {} if self._labels is None else self._labels.class_to_idx

    @property
    def targets(self) -> list[int]:
        """The label of every item; empty without labels."""
        return [] if self._labels is None else self._labels.targets.tolist()

    def __len__(self) -> int:
        return self.digest.items

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, BatchRequest):
            return in_worker(index.sequence, lambda: self._read_batch(index))
        item = int(index)
        item = item + len(self) if item < 0 else item
        if not 0 <= item < len(self):
            raise IndexError(f"sample {index} of {len(self)}")
        return self._samples([item], [self._items().read(item).content])[0]

    def _items(self) -> ItemReader:
        return ItemReader(self.digest, self.store, self.on_mismatch)

    def _read_batch(self, request: BatchRequest) -> tuple[Any, ...]:
        batch = self._batch_reader(request).read(request)
        samples = self._samples(batch.items.tolist(), batch.payloads)
        return request.sequence, batch.items.tobytes(), batch.counts, samples

    def read_ahead(self, request: BatchRequest) -> None:
        """Begin to read what the loader asks for later."""
        self._batch_reader(request).read_ahead(request)

    def give_up_ahead(self) -> None:
        """Give up what was begun and not asked for."""
        if self._reader is not None and self._reader.pid == os.getpid():
            self._reader.give_up_ahead()

    def _batch_reader(self, request: BatchRequest) -> BatchReader:
        """Return the reader of this process; what a fork brought along belongs to the parent."""
        reader = self._reader
        if reader is None or reader.pid != os.getpid() or reader.job != request.job:
            reader = BatchReader(
                self.digest,
                self.store,
                request.job,
                request.credentials,
                on_mismatch=self.on_mismatch,
                store_reads=self.store_reads,
                verify=self.verify,
                ranking_job="" if request.ranking is None else request.ranking.job,
            )
            self._reader = reader
        return reader

    def _samples(self, items: list[int], payloads: list[Any]) -> list[Any]:
        samples = self._apply("decode", self.decode, payloads, items)
        if self.transform is not None:
            samples = self._apply("transform", self.transform, samples, items)
        if self._labels is None:
            return samples
        targets: list[Any] = self._labels.targets[items].tolist()
        if self.target_transform is not None:
            targets = self._apply("target_transform", self.target_transform, targets, items)
        return list(zip(samples, targets, strict=True))

    def _apply(
        self, what: str, function: Callable[[Any], Any], values: list[Any], items: list[int]
    ) -> list[Any]:
        """Apply a function to all values; if it fails, name the item it failed on."""
        results: list[Any] = []
        try:
            for value in values:
                results.append(function(value))  # noqa: PERF401 - how far it got is to be known
        except Exception as e:
            item = items[len(results)]
            place = f"item {item} ({self.digest.describe(item)!r} in {self.store.uri})"
            raise LoadError(f"{place}: {what} failed: {type(e).__name__}: {e}") from e
        return results

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_reader": None}

    def close(self) -> None:
        """Close what this process has open; it is opened again when needed."""
        if self._reader is not None and self._reader.pid == os.getpid():
            self._reader.close()
        self._reader = None


def _place(digest: Digest) -> str:
    source = digest.metadata.get("source")
    if not source:
        raise ValueError(f"{digest.path} does not say where its items lie; name the store")
    return source
