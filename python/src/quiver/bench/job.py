"""One training process of the benchmark of jobs, whatever its samples come through."""

from __future__ import annotations

import fcntl
import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from quiver.store import Store
from quiver.torch import QuiverDataLoader, QuiverDataset, TensorDecoder

NUMBER_BYTES = 8
"""Every sample begins with its number."""

_WIDTH = 100
_BEGIN_SECONDS = 300.0
_TELL_SECONDS = 0.5


@dataclass(frozen=True)
class Training:
    """The settings that all jobs of one run have in common.

    :param system: what samples come through
    :param place: a folder or an address, as the system needs it
    :param names: of the samples, by number
    :param digest: of the samples, for Quiver; for MosaicML Streaming the folder of its own caches
    :param cache: the address of a cache, for Quiver; for MosaicML Streaming the most bytes of its own
    """

    system: str
    place: str
    names: list[str]
    item_bytes: int
    epochs: int
    batch: int
    workers: int
    storage_options: dict[str, Any]
    digest: Path | None = None
    cache: str = ""


def make_network() -> nn.Module:
    """Make a small network, whose work grows with the bytes of a sample as that of real ones does."""
    return nn.Sequential(
        nn.AvgPool2d(2),
        nn.Conv2d(1, 8, 5, stride=2),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, stride=2),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(4),
        nn.Flatten(),
        nn.Linear(8 * 16, 2),
    )


class Files(Dataset[Tensor]):
    """One file or object for each sample, read when it is asked for."""

    def __init__(self, training: Training):
        self._names = training.names
        self._size = training.item_bytes
        self._store = Store.open(training.place, training.storage_options)
        self._decode = TensorDecoder((self._size,))

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: int) -> Tensor:
        return self._decode(self._store.read(self._names[index], 0, self._size))


def run_job(training: Training, number: int, begin: Barrier, messages: Any) -> None:
    """Train in a process of its own; tell how far it is and what came of it."""
    try:
        messages.put(_train(training, number, begin, messages.put))
    except BaseException as e:
        begin.abort()
        messages.put({"error": f"{type(e).__name__}: {e}"})
        raise


def _train(training: Training, number: int, begin: Barrier, tell: Callable[[Any], None]) -> dict[str, Any]:
    torch.set_num_threads(1)
    torch.manual_seed(number)
    network = make_network()
    optimizer = torch.optim.SGD(network.parameters(), 0.01)
    loader = _loader(training, number)
    begin.wait(_BEGIN_SECONDS)
    began, cpu = time.monotonic(), _cpu_seconds()
    told, done, ends, exact = began, 0, [], True
    for _ in range(training.epochs):
        seen = torch.zeros(len(training.names), dtype=torch.int32)
        for samples in loader:
            numbers = samples[:, :NUMBER_BYTES].contiguous().view(torch.int64).flatten()
            seen.index_add_(0, numbers, torch.ones(len(numbers), dtype=torch.int32))
            rows = samples[:, : training.item_bytes // _WIDTH * _WIDTH].view(len(samples), 1, -1, _WIDTH)
            loss = nn.functional.cross_entropy(network(rows.float() / 128 - 1), numbers % 2)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            done += len(numbers)
            if time.monotonic() - told > _TELL_SECONDS:
                told = time.monotonic()
                tell({"job": number, "share": done / len(training.names) / training.epochs})
        ends.append(time.monotonic())
        exact = exact and bool((seen == 1).all())
    reads = {}
    if isinstance(loader, QuiverDataLoader):
        loader.close()
        reads = loader.statistics()
    del loader  # its workers end, so that their time is known
    return {
        "job": number,
        "began": began,
        "ends": ends,
        "exact": exact,
        "reads": reads,
        "cpu": _cpu_seconds() - cpu,
    }


def _cpu_seconds() -> float:
    """Return the processor time of this process and of all children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _loader(training: Training, number: int) -> DataLoader[Any]:
    options: dict[str, Any] = {"batch_size": training.batch, "num_workers": training.workers}
    if training.workers > 0:
        # Workers are forked as in a script that one starts oneself: these jobs come from a fork server.
        options |= {"persistent_workers": True, "multiprocessing_context": "fork"}
    if training.system == "mosaicml":
        return _streaming(training, number, options)
    if training.system != "quiver":
        return DataLoader(Files(training), shuffle=True, **options)
    assert training.digest is not None
    dataset = QuiverDataset(
        training.digest,
        Store.open(training.place, training.storage_options),
        decode=TensorDecoder((training.item_bytes,)),
        labels=False,
    )
    return QuiverDataLoader(
        dataset, cache=training.cache, job=f"bench-{number}", epochs=training.epochs, seed=number, **options
    )


def _streaming(training: Training, number: int, options: dict[str, Any]) -> DataLoader[Any]:
    from streaming import StreamingDataset

    given = training.storage_options
    os.environ |= {
        "S3_ENDPOINT_URL": given["endpoint"],
        "AWS_ACCESS_KEY_ID": given["access_key_id"],
        "AWS_SECRET_ACCESS_KEY": given["secret_access_key"],
    }

    class Samples(StreamingDataset):  # type: ignore[misc]
        """Samples of shards, as tensors."""

        def __getitem__(self, index: int) -> Any:
            return torch.frombuffer(bytearray(super().__getitem__(index)["x"]), dtype=torch.uint8)

    # Shuffled within blocks that its cache can hold: shuffled more widely it reads a shard for every sample.
    block = max(training.batch, int(training.cache) // training.item_bytes // 4)
    # Jobs that start at once would take the same names for their shared memory: one after the other.
    with Path(f"{training.digest}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        dataset = Samples(
            remote=training.place,
            local=f"{training.digest}-{number}",
            shuffle=True,
            shuffle_seed=number,
            batch_size=training.batch,
            cache_limit=int(training.cache),
            num_canonical_nodes=1,
            shuffle_block_size=block,
            predownload=block,
        )
    return DataLoader(dataset, **options)
