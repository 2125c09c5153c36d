"""Does sampling by chunks cost accuracy where the items of a batch are alike? Trains on lines of text.

``python -m quiver.examples.sequences`` trains a small recurrent network to tell the next character of lines
of the standard library's source, which every Python has. Lines are sorted by length and batches have lines of
similar length, so that little is padded, as jobs on speech or text do. The orders, several seeds each:

* ``alike``: such batches from all of the data set, shuffled
* ``quiver``: Quiver's homogeneous batches with a schedule of 2 resident chunks that rotate through all 10
* ``shuffle``: batches of any lengths, a global shuffle
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from quiver.examples.fashion_report import Result, document, table
from quiver.examples.orders import AlikeBatches, GlobalShuffle, Order, RotatingChunks

ARMS = {
    "alike": "batches of similar length from everything",
    "quiver": "Quiver, homogeneous batches, 20 % cached",
    "shuffle": "global shuffle",
}
"""The orders that are compared, and what they are called."""

_AGAINST = "alike"
_SHORTEST, _LONGEST = 12, 100
_PADDING, _CODES = 0, 128
_TEST_SHARE = 10
_HIGHEST_RATE = 1e-2
_CLIP = 1.0


@dataclass(frozen=True)
class Settings:
    """The settings that a result depends on beside order and seed."""

    python: str
    lines: int
    epochs: int
    batch: int
    chunks: int
    resident: int


def lines_of_source(count: int) -> tuple[list[bytes], list[bytes]]:
    """Return lines to train on, sorted by length, and a tenth as many to test with, all different."""
    found: dict[bytes, None] = {}
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        for line in path.read_bytes().splitlines():
            text = line.strip()
            if _SHORTEST <= len(text) <= _LONGEST and text.isascii():
                found[text] = None
    lines = list(found)
    tests = count // _TEST_SHARE
    chosen = np.random.default_rng(1).permutation(len(lines))[: count + tests].tolist()
    test, train = chosen[:tests], chosen[tests:]
    return sorted((lines[place] for place in train), key=len), [lines[place] for place in test]


def padded(lines: list[bytes]) -> Tensor:
    """Return lines as rows of codes, the shorter ones with padding at the end."""
    rows = np.full((len(lines), max(map(len, lines))), _PADDING, np.int64)
    for row, line in zip(rows, lines, strict=True):
        row[: len(line)] = np.frombuffer(line, np.uint8)
    return torch.from_numpy(rows)


class NextCharacter(nn.Module):
    """Tells the next character of a line from those before: about 75,000 weights."""

    def __init__(self, width: int = 96):
        super().__init__()
        self._embedding = nn.Embedding(_CODES, 32, padding_idx=_PADDING)
        self._cells = nn.GRU(32, width, batch_first=True)
        self._guess = nn.Linear(width, _CODES)

    def forward(self, codes: Tensor) -> Tensor:
        """Return the scores of each character after the first."""
        scores: Tensor = self._guess(self._cells(self._embedding(codes[:, :-1]))[0])
        return scores


def train(
    lines: list[bytes], test: list[bytes], order: Order, settings: Settings, seed: int
) -> Iterator[float]:
    """Train with Adam and one cycle of the learning rate; yields the test accuracy after each epoch."""
    torch.manual_seed(seed)
    network = NextCharacter()
    optimizer = torch.optim.Adam(network.parameters())
    steps = settings.epochs * -(-len(lines) // settings.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _HIGHEST_RATE, total_steps=steps)
    for epoch in range(settings.epochs):
        for indices in order.epoch(epoch):
            codes = padded([lines[index] for index in indices.tolist()])
            scores = network(codes).transpose(1, 2)
            loss = nn.functional.cross_entropy(scores, codes[:, 1:], ignore_index=_PADDING)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
            optimizer.step()
            schedule.step()
        yield accuracy(network, test)


def accuracy(network: nn.Module, test: list[bytes]) -> float:
    """Return the characters that are told right, in percent."""
    codes = padded(test)
    with torch.no_grad():
        guesses = network(codes).argmax(2)
    counted = codes[:, 1:] != _PADDING
    return 100.0 * float((guesses == codes[:, 1:])[counted].float().mean())


def make_order(arm: str, settings: Settings, items: int, seed: int) -> Order:
    """Make an order by its name."""
    if arm == "shuffle":
        return GlobalShuffle(items, settings.batch, seed)
    if arm == "alike":
        return AlikeBatches(items, settings.batch, seed, settings.chunks)
    return RotatingChunks(items, settings.batch, seed, settings.chunks, settings.resident, homogeneous=True)


def compare_orders(
    settings: Settings, orders: list[str], seeds: int, say: Callable[[str], None]
) -> list[Result]:
    """Train every order with every seed."""
    lines, test = lines_of_source(settings.lines)
    results = []
    for seed in range(seeds):
        for arm in orders:
            begun, accuracies = time.monotonic(), []
            for found in train(lines, test, make_order(arm, settings, len(lines), seed), settings, seed):
                accuracies.append(found)
                say(f"{arm}, seed {seed}: epoch {len(accuracies)} of {settings.epochs}, {found:.2f} %")
            results.append(Result(arm, seed, accuracies, time.monotonic() - begun, {}))
    return results


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison; the exit code."""
    options = _options(arguments)
    torch.set_num_threads(1)
    settings = Settings(
        platform.python_version(),
        options.lines,
        options.epochs,
        options.batch,
        options.chunks,
        options.resident,
    )
    results = compare_orders(
        settings, options.orders, options.seeds, (lambda _: None) if options.quiet else _progress
    )
    report = document(asdict(settings), results, options.margin, ARMS, _AGAINST)
    print(json.dumps(report, indent=2) if options.json else table(report, ARMS, _AGAINST))
    return 0


def _progress(text: str) -> None:
    print(f"sequences: {text}", file=sys.stderr, flush=True)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m quiver.examples.sequences",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--seeds", type=int, default=5, help="runs of each order (default: 5)")
    add("--orders", nargs="+", choices=list(ARMS), default=list(ARMS), help="what to compare (default: all)")
    add("--lines", type=int, default=20_000, help="most lines to train on (default: 20000)")
    add("--epochs", type=int, default=3, help="(default: 3)")
    add("--batch", type=int, default=64, help="(default: 64)")
    add("--chunks", type=int, default=10, help="also the number of stretches of similar length (default: 10)")
    add("--resident", type=int, default=2, help="chunks in the cache at a time (default: 2)")
    add("--margin", type=float, default=0.5, help="points within which accuracies are equal (default: 0.5)")
    add("--json", action="store_true", help="print the result as JSON and nothing else")
    add("--quiet", action="store_true", help="no progress")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
