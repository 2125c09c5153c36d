"""Runs of Lightning for tests, in a process of its own: importing it takes seconds and changes warnings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import lightning
import torch

import datasets
from quiver.torch import QuiverDataLoader, QuiverDataset

BATCH = 8
EPOCHS = 2
_QUIET: dict[str, Any] = {
    "accelerator": "cpu",
    "logger": False,
    "enable_checkpointing": False,
    "enable_progress_bar": False,
    "enable_model_summary": False,
}


class Recording(lightning.LightningModule):
    """Learns nothing, and remembers the samples of every step; may save a checkpoint after one."""

    def __init__(
        self,
        save_after: int = 0,
        checkpoint: str = "",
        folder: Path | None = None,
        save_after_epoch: int | None = None,
    ):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.seen: list[tuple[int, list[int]]] = []
        self._save_after, self._checkpoint = save_after, checkpoint
        self._folder, self._save_after_epoch = folder, save_after_epoch

    def training_step(self, batch: torch.Tensor, number: int) -> torch.Tensor:
        self.seen.append((self.current_epoch, batch.tolist()))
        return (self.weight * batch.float().mean()).sum()

    def on_train_batch_end(self, *_: Any) -> None:
        if self.global_step == self._save_after:
            self.trainer.save_checkpoint(self._checkpoint)

    def on_train_epoch_end(self) -> None:
        if self.current_epoch == self._save_after_epoch:
            self.trainer.save_checkpoint(self._checkpoint)

    def on_train_end(self) -> None:
        if self._folder:
            (self._folder / f"{self.global_rank}.json").write_text(json.dumps(self.seen))

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), 0.0)


def sizes(samples: list[bytes]) -> torch.Tensor:
    return torch.tensor([int.from_bytes(sample[:4], "big") for sample in samples])


def fit(
    data: datasets.Data, module: Recording, resume: str | None = None, *, devices: int = 1, **options: Any
) -> list[tuple[int, list[int]]]:
    """Train for two epochs, the first of which may be the rest of an interrupted one."""
    dataset = QuiverDataset(data.digest, data.store, labels=False)
    loader = QuiverDataLoader(dataset, BATCH, seed=3, collate_fn=sizes, gather_state=devices > 1, **options)
    trainer = lightning.Trainer(
        devices=devices,
        strategy="ddp_fork" if devices > 1 else "auto",  # processes that need not import all this again
        max_epochs=EPOCHS,
        use_distributed_sampler=False,
        **_QUIET,
    )
    trainer.fit(module, loader, ckpt_path=resume, weights_only=False)
    loader.close()
    return module.seen


def resumed(data: datasets.Data, folder: Path, sampler: str, **when: Any) -> dict[str, Any]:
    """Return the steps of a run that saves a checkpoint on its way, and of one that goes on from there."""
    checkpoint = str(folder / "half.ckpt")
    whole = fit(data, Recording(checkpoint=checkpoint, **when), sampler=sampler)
    return {"whole": whole, "again": fit(data, Recording(), checkpoint, sampler=sampler)}


def overfit(data: datasets.Data, epochs: int, batches: int) -> list[tuple[int, list[int]]]:
    dataset = QuiverDataset(data.digest, data.store, labels=False)
    loader = QuiverDataLoader(dataset, BATCH, collate_fn=sizes, reshuffle=False)
    module = Recording()
    lightning.Trainer(max_epochs=epochs, overfit_batches=batches, **_QUIET).fit(module, loader)
    return module.seen


def two_ranks(data: datasets.Data, folder: Path, **when: Any) -> dict[str, Any]:
    """Return what :func:`resumed` does, for each of two processes."""
    checkpoint = str(folder / "half.ckpt")
    outcome = {}
    for name, resume in (("whole", None), ("again", checkpoint)):
        (folder / name).mkdir()
        saves = {"checkpoint": checkpoint, **when} if resume is None else {}
        fit(data, Recording(folder=folder / name, **saves), resume, devices=2, num_workers=1)
        outcome[name] = [json.loads((folder / name / f"{rank}.json").read_text()) for rank in range(2)]
    return outcome


def main(digest: str, store: str, folder: str, cases: str) -> None:
    """Print the outcomes of cases as one document; those that fork come first."""
    data, home = datasets.Data(Path(digest), Path(store), [], []), Path(folder)
    outcomes: dict[str, Any] = {}
    for number, (name, case) in enumerate(json.loads(cases).items()):
        own = home / str(number)
        own.mkdir()
        kind = {"ranks": two_ranks, "resumed": resumed}.get(case.pop("kind"))
        outcomes[name] = kind(data, own, **case) if kind else overfit(data, **case)
    (home / "outcomes.json").write_text(json.dumps(outcomes))


if __name__ == "__main__":
    main(*sys.argv[1:])
