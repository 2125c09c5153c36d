"""Resumes real runs of Lightning, where that is installed (``pip install lightning``)."""

from __future__ import annotations

import collections
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import datasets
from quiver.torch import QuiverDataLoader, QuiverDataset

pytest.importorskip("lightning", reason="Lightning is not installed")
import lightning
import torch

ITEMS = 101
BATCH = 8
EPOCHS = 2
LONGEST_SECONDS = 180


class Recording(lightning.LightningModule):
    """Learns nothing, and remembers the samples of every step; may save a checkpoint after one."""

    def __init__(self, save_after: int = 0, checkpoint: str = ""):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.seen: list[tuple[int, list[int]]] = []
        self._save_after, self._checkpoint = save_after, checkpoint

    def training_step(self, batch: torch.Tensor, number: int) -> torch.Tensor:
        self.seen.append((self.current_epoch, batch.tolist()))
        return (self.weight * batch.float().mean()).sum()

    def on_train_batch_end(self, *_: Any) -> None:
        if self.global_step == self._save_after:
            self.trainer.save_checkpoint(self._checkpoint)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), 0.0)


def sizes(samples: list[bytes]) -> torch.Tensor:
    return torch.tensor([int.from_bytes(sample[:4], "big") for sample in samples])


def fit(
    data: datasets.Data, module: Recording, resume: str | None = None, *, devices: int = 1, **options: Any
) -> list[tuple[int, list[int]]]:
    dataset = QuiverDataset(data.digest, data.store, labels=False)
    loader = QuiverDataLoader(dataset, BATCH, seed=3, collate_fn=sizes, gather_state=devices > 1, **options)
    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False}
    trainer = lightning.Trainer(
        accelerator="cpu",
        devices=devices,
        strategy="ddp" if devices > 1 else "auto",
        max_epochs=EPOCHS,
        enable_checkpointing=False,
        use_distributed_sampler=False,
        **quiet,  # type: ignore[arg-type]
    )
    trainer.fit(module, loader, ckpt_path=resume, weights_only=False)
    loader.close()
    return module.seen


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.files(tmp_path_factory.mktemp("data"), ITEMS, 500, seed=21)


@pytest.mark.parametrize("sampler", ["substitute", "strict"])
@pytest.mark.parametrize("after", [5, 13, 18])
def test_a_run_goes_on_as_if_it_had_not_been_interrupted(
    data: datasets.Data, tmp_path: Path, sampler: Any, after: int
) -> None:
    checkpoint = str(tmp_path / "half.ckpt")
    whole = fit(data, Recording(after, checkpoint), sampler=sampler)
    assert len(whole) == 2 * 13
    assert fit(data, Recording(), checkpoint, sampler=sampler) == whole[after:]


def test_every_epoch_of_a_loader_that_is_not_reshuffled_has_the_same_few_samples(data: datasets.Data) -> None:
    loader = QuiverDataLoader(
        QuiverDataset(data.digest, data.store, labels=False), BATCH, collate_fn=sizes, reshuffle=False
    )
    module = Recording()
    lightning.Trainer(
        accelerator="cpu", max_epochs=3, overfit_batches=2, logger=False, enable_checkpointing=False
    ).fit(module, loader)
    epochs = [[batch for number, batch in module.seen if number == epoch] for epoch in range(3)]
    assert len(epochs[0]) == 2
    assert epochs[0] == epochs[1] == epochs[2]


def both_ranks(data: datasets.Data, folder: Path, after: int, resume: str | None) -> list[Any]:
    """Run this file as a script with two ranks; returns what each has seen."""
    words = [str(data.digest), str(data.store), str(folder), str(after), resume or ""]
    paths = [str(Path(__file__).resolve().parents[1] / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, __file__, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


@pytest.mark.long
@pytest.mark.parametrize("after", [3, 10])
def test_two_ranks_go_on_from_the_one_state_that_lightning_keeps(
    data: datasets.Data, tmp_path: Path, after: int
) -> None:
    whole = both_ranks(data, tmp_path, after, None)
    again = both_ranks(data, tmp_path, 0, str(tmp_path / "half.ckpt"))
    keys = {int.from_bytes(content[:4], "big") for content in data.contents}
    for epoch in range(EPOCHS):
        taken = [batch for rank in range(2) for number, batch in whole[rank][:after] if number == epoch]
        taken += [batch for rank in range(2) for number, batch in again[rank] if number == epoch]
        counts = collections.Counter(itertools.chain(*taken))
        assert counts.keys() == keys
        assert counts.total() == ITEMS + 1, "one rank repeats a sample"


def main(digest: str, store: str, folder: str, after: str, resume: str) -> None:
    module = Recording(int(after), str(Path(folder) / "half.ckpt"))
    given = datasets.Data(Path(digest), Path(store), [], [])
    seen = fit(given, module, resume or None, devices=2, num_workers=1)
    (Path(folder) / f"{module.global_rank}.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
