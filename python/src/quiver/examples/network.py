"""The small convolutional network that every order trains, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import torch
from torch import Tensor, nn

from quiver.examples.garments import Part
from quiver.examples.orders import Order

_MEAN, _DEVIATION = 72.94, 90.02  # of the pixels of Fashion-MNIST's training images
HIGHEST_RATE = 5e-3
_TEST_BATCH = 500

Batches = Iterable[tuple[Tensor, Tensor]]
"""Images as unsigned bytes (n, 28, 28), and labels."""

Progress = Callable[[int, float], None]
"""Told after each epoch: which, and the test accuracy in percent."""


def make_network() -> nn.Module:
    """Make a network of two convolutions and two dense layers: about 52,000 weights."""
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 49, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


def inputs(images: Tensor) -> Tensor:
    """Return images in the form that the network takes."""
    return ((images.float() - _MEAN) / _DEVIATION).unsqueeze(1)


def train(epochs: Iterable[Batches], steps: int, seed: int, test: Part, progress: Progress) -> list[float]:
    """Train with Adam and one cycle of the learning rate.

    :param epochs: the batches of each epoch
    :param steps: how many batches there will be in all
    :param seed: of the weights to begin with
    :return: test accuracy after each epoch, in percent
    """
    torch.manual_seed(seed)
    network = make_network()
    # Faster on CPUs. Torch's own types know this argument only from some versions on.
    convert: Callable[..., nn.Module] = network.to
    convert(memory_format=torch.channels_last)
    optimizer = torch.optim.Adam(network.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, HIGHEST_RATE, total_steps=steps)
    accuracies: list[float] = []
    for number, batches in enumerate(epochs):
        network.train()
        for images, labels in batches:
            loss = nn.functional.cross_entropy(network(inputs(images)), labels)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            schedule.step()
        accuracies.append(accuracy(network, test))
        progress(number, accuracies[-1])
    return accuracies


def accuracy(network: nn.Module, test: Part) -> float:
    """Return the test images that are told right, in percent."""
    network.eval()
    images, labels = torch.tensor(test.images), torch.tensor(test.labels).long()
    right = 0
    with torch.no_grad():
        for first in range(0, len(labels), _TEST_BATCH):
            guesses = network(inputs(images[first : first + _TEST_BATCH])).argmax(1)
            right += int((guesses == labels[first : first + _TEST_BATCH]).sum())
    return 100.0 * right / len(labels)


def in_memory(part: Part, order: Order, epochs: int) -> Iterator[Batches]:
    """Yield epochs of images that are in memory, in a given order."""
    images, labels = torch.tensor(part.images), torch.tensor(part.labels).long()

    def batches(epoch: int) -> Iterator[tuple[Tensor, Tensor]]:
        for indices in order.epoch(epoch):
            chosen = torch.from_numpy(indices)
            yield images[chosen], labels[chosen]

    return (batches(epoch) for epoch in range(epochs))
