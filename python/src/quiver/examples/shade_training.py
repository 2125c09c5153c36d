"""Trains a small network by importance, in memory, and records every loss.

What a job reads follows from its seed and its losses, so what it reads through a cache of any size can be
repeated from the record, without training again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from quiver.examples.garments import Part
from quiver.examples.network import HIGHEST_RATE, accuracy, inputs, make_network
from quiver.importance_lists import ImportanceLists, ImportanceMode
from quiver.torch import per_sample_cross_entropy

_PARTS_OF_EPOCH = 2


class Sampling(NamedTuple):
    """A way to choose the samples of an epoch.

    :param title: for people
    :param mode: of the lists; None for plain shuffles
    :param weighted: whether losses are weighted, so that the mean over draws is that over the data set
    :param pool: the share of the data set from which an epoch draws
    """

    title: str
    mode: ImportanceMode | None
    weighted: bool = True
    pool: float = 1.0


SAMPLINGS = {
    "shuffle": Sampling("shuffle", None),
    "shade": Sampling("shade, one epoch ahead", "shade"),
    "shade-boundary": Sampling("shade, at the boundary", "shade-boundary"),
    "shade-paper": Sampling("shade-paper", "shade-paper", weighted=False),
    "repetition": Sampling("shade with repetition", "shade", pool=0.5),
}


@dataclass(frozen=True)
class Course:
    """One training run.

    :param accuracies: on the test images, in percent, twice in an epoch
    :param coverage: the share of different samples of each epoch
    :param wrong: the share of samples with a wrong label among those of each epoch
    :param losses: of the samples of each epoch, in the order they were read
    """

    sampling: str
    seed: int
    accuracies: list[float]
    coverage: list[float]
    wrong: list[float]
    losses: list[npt.NDArray[np.float32]]

    def samples_to(self, target: float, items: int) -> float | None:
        """Return how many samples were read until an accuracy was reached; None if it was not."""
        for number, reached in enumerate(self.accuracies, 1):
            if reached >= target:
                return number * items / _PARTS_OF_EPOCH
        return None

    def save(self, path: Path) -> None:
        """Write the run to a file."""
        np.savez_compressed(
            path,
            accuracies=self.accuracies,
            coverage=self.coverage,
            wrong=self.wrong,
            losses=np.stack(self.losses),
        )

    @staticmethod
    def load(sampling: str, seed: int, path: Path) -> Course:
        """Return a run from its file."""
        with np.load(path) as kept:
            accuracies, coverage, wrong = (
                kept[name].tolist() for name in ("accuracies", "coverage", "wrong")
            )
            return Course(sampling, seed, accuracies, coverage, wrong, list(kept["losses"]))

    def document(self) -> dict[str, Any]:
        """Return the findings, ready for JSON."""
        return {
            "sampling": self.sampling,
            "seed": self.seed,
            "accuracies": self.accuracies,
            "coverage": self.coverage,
            "wrong_labels": self.wrong,
        }


class GarmentSet(NamedTuple):
    """A data set to train on.

    :param part: images and the labels that are learnt
    :param wrong: a flag for each: True if its label is wrong
    """

    part: Part
    wrong: npt.NDArray[np.bool_]


def clean(part: Part) -> GarmentSet:
    """Return a data set as it is."""
    return GarmentSet(part, np.zeros(len(part.labels), np.bool_))


def hard(part: Part, share: float = 0.1) -> GarmentSet:
    """Return a data set whose last class has a tenth of the first one's samples, with wrong labels."""
    source = np.random.default_rng(13)
    kept = source.random(len(part.labels)) < 10.0 ** (-part.labels.astype(np.float64) / 9)
    images, labels = part.images[kept], part.labels[kept].copy()
    wrong = source.random(len(labels)) < share
    labels[wrong] = (labels[wrong] + source.integers(1, 10, int(wrong.sum()), dtype=np.uint8)) % 10
    return GarmentSet(Part(images, labels), wrong)


def train(name: str, data: GarmentSet, test: Part, epochs: int, batch: int, seed: int) -> Course:
    """Train with Adam and one cycle of the learning rate."""
    sampling = SAMPLINGS[name]
    lists = make_lists(sampling, len(data.part.labels), batch, seed)
    images, labels = torch.tensor(data.part.images), torch.tensor(data.part.labels).long()
    torch.manual_seed(seed)
    network = make_network()
    optimizer = torch.optim.Adam(network.parameters())
    steps = -(-len(labels) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, HIGHEST_RATE, total_steps=epochs * steps)
    course = Course(name, seed, [], [], [], [])
    tested = {steps * part // _PARTS_OF_EPOCH for part in range(1, _PARTS_OF_EPOCH + 1)}
    for epoch in range(epochs):
        lists.begin(epoch)
        entries = lists.list.entries.astype(np.int64)
        recorded = np.empty(len(entries), np.float32)
        for step in range(steps):
            some = entries[step * batch : (step + 1) * batch]
            chosen = torch.from_numpy(some)
            network.train()
            losses = per_sample_cross_entropy(network(inputs(images[chosen])), labels[chosen])
            weights = torch.from_numpy(lists.weights(some)).float() if sampling.weighted else 1.0
            optimizer.zero_grad()
            torch.autograd.backward((losses * weights).mean())
            optimizer.step()
            schedule.step()
            recorded[step * batch : step * batch + len(some)] = losses.detach().numpy()
            lists.scores.report(some, recorded[step * batch : step * batch + len(some)])
            if step + 1 in tested:
                course.accuracies.append(accuracy(network, test))
        course.losses.append(recorded)
        course.coverage.append(lists.list.distinct / len(entries))
        course.wrong.append(float(data.wrong[entries].mean()))
    return course


def make_lists(sampling: Sampling, items: int, batch: int, seed: int) -> ImportanceLists:
    """Make the lists that a job with this sampling reads."""
    lists = ImportanceLists(items, batch, seed, sampling.mode or "shade", pool=sampling.pool)
    lists.uniform = sampling.mode is None
    return lists
