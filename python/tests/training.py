"""A training script for tests that need a process of their own: ``python training.py '{"…": …}'``.

Prints a line of JSON when it has begun and one at the end; between them, whatever a test makes it do.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch.distributed

from quiver.torch import QuiverDataLoader, QuiverDataset


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)  # noqa: T201 - the test reads it


def sizes(samples: list[bytes]) -> torch.Tensor:
    """Make a batch in shared memory that tells which samples it has: the first bytes of each."""
    return torch.tensor([int.from_bytes(sample[:8], "big") >> 1 for sample in samples])


def join(ranks: Any) -> None:
    """Join the other rank, if there is one."""
    if ranks is not None:
        rank, address = ranks
        torch.distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)


def report(loader: QuiverDataLoader, reports: bool) -> None:
    """Report losses that grow with the samples' indices, if the rank reports at all."""
    if reports:
        loader.report(loader.batch.indices)


def save(loader: QuiverDataLoader, path: str) -> None:
    """Save the loader's state so that a kill at any time leaves this state or the one before."""
    part = Path(f"{path}.part")
    part.write_text(json.dumps(loader.state_dict()))
    part.replace(path)


def main(options: dict[str, Any]) -> None:  # noqa: C901 - a script with an option for each test
    ranks, late = options.pop("ranks", None), options.pop("late", False)
    if not late:
        join(ranks)
    dataset = QuiverDataset(options.pop("digest"), options.pop("store"), labels=False)
    epochs, begun, after = options.pop("epochs"), False, options.pop("stop_after", None)
    state, reports = options.pop("state", None), options.pop("reports", False)
    checkpoint = options.pop("checkpoint", None)
    loader = QuiverDataLoader(dataset, collate_fn=sizes, **options)
    if late:
        join(ranks)
    if state is not None:
        loader.load_state_dict(state)
    steps, samples = [], []
    for epoch in range(epochs):
        count = 0
        for batch in loader:
            if not begun:
                agent = loader._job.cache.agent
                workers = [w.pid for w in getattr(loader._inner(), "_workers", [])]  # type: ignore[misc]
                say(pid=os.getpid(), agent=None if agent is None else agent.pid, workers=workers)
                begun = True
            if ranks is not None:
                torch.distributed.all_reduce(torch.ones(1))  # hangs unless all ranks take this step
            samples.append((epoch, batch.tolist()))
            report(loader, reports)
            count += 1
            if checkpoint is not None:
                save(loader, checkpoint)
            if count == after:
                break
        steps.append(count)
    say(
        length=len(loader),
        steps=steps,
        samples=samples,
        state=loader.state_dict(),
        whole=loader.gather_state_dict() if after else None,
        statistics=loader.statistics(),
        job=loader.job,
    )
    if ranks is not None:
        torch.distributed.barrier()
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
