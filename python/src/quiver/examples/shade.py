"""Does sampling by importance pay? Trains on Fashion-MNIST, and reads it through a real cache.

``python -m quiver.examples.shade`` trains a small network with plain shuffles and by importance, on the data
as it comes (``clean``) and on a part of it whose classes are unequal and of whose labels 10 % are wrong
(``hard``). Then a job reads what these runs have read, through a real cache server of 10, 20, 50 and 75 % of
the data and from a store behind a slow line. The samplings:

* ``shuffle``: every sample once per epoch
* ``shade``: drawn one epoch ahead, with weights; ``shade-boundary``: drawn when the epoch begins
* ``shade-paper``: the equations of the paper alone, without weights
* ``repetition``: ``shade`` from a half of the data that changes from epoch to epoch
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

from quiver.examples import garments
from quiver.examples.garments import Part
from quiver.examples.program import ExampleError, end_in_order, launcher, serving
from quiver.examples.progress import Progress
from quiver.examples.shade_live import POLICIES, LiveReading
from quiver.examples.shade_report import document, html, table
from quiver.examples.shade_training import SAMPLINGS, Course, GarmentSet, clean, hard, train

_SHARES = (0.1, 0.2, 0.5, 0.75)
_DISK = 256 << 20


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison; the exit code."""
    options = _options(arguments)
    progress = Progress("shade", quiet=options.quiet)
    try:
        with tempfile.TemporaryDirectory(prefix="quiver-shade-") as scratch:
            report = _run(options, Path(scratch), progress)
    except ExampleError as e:
        print(f"shade: {e}", file=sys.stderr)
        return 1
    Path(options.plot).write_text(html(report))
    print(json.dumps(report, indent=2) if options.json else table(report))
    progress.say(f"plot: {options.plot}")
    return 0


def _run(options: argparse.Namespace, folder: Path, progress: Progress) -> dict[str, Any]:
    whole, test = garments.load(options.data)
    part = whole.first(options.limit)
    sets = {"clean": clean(part), "hard": hard(part)}
    courses = {
        name: _train_all(options, name, sets[name], test, progress) for name in sets if name in options.sets
    }
    first = next(iter(courses))
    readings = list(_read_all(options, folder, sets[first].part, courses[first], progress))
    settings = {
        "items": {name: len(sets[name].part.labels) for name in courses},
        "epochs": options.epochs,
        "batch": options.batch,
        "seeds": options.seeds,
        "live_epochs": min(options.live_epochs, options.epochs),
        "live_set": first,
        "store_mbps": options.mbps,
    }
    return document(settings, courses, readings)


def _train_all(
    options: argparse.Namespace, name: str, data: GarmentSet, test: Part, progress: Progress
) -> list[Course]:
    """Train all samplings and seeds of a data set, two at a time."""
    todo = [(sampling, seed) for seed in range(options.seeds) for sampling in SAMPLINGS]
    courses = []
    with ProcessPoolExecutor(2, get_context("forkserver"), torch.set_num_threads, (1,)) as pool:
        runs = [pool.submit(_trained, options, name, data, test, sampling, seed) for sampling, seed in todo]
        for number, run in enumerate(runs, 1):
            course = run.result()
            courses.append(course)
            progress.say(
                f"{name}, run {number} of {len(runs)}: {course.sampling}, seed {course.seed}, "
                f"{course.accuracies[-1]:.2f} %"
            )
    return courses


def _trained(
    options: argparse.Namespace, name: str, data: GarmentSet, test: Part, sampling: str, seed: int
) -> Course:
    """Train once, unless the run is kept from before."""
    if options.work is None:
        return train(sampling, data, test, options.epochs, options.batch, seed)
    size = f"{len(data.part.labels)}-{options.epochs}-{options.batch}"
    path = Path(options.work) / f"{name}-{size}-{sampling}-{seed}.npz"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        train(sampling, data, test, options.epochs, options.batch, seed).save(path)
    return Course.load(sampling, seed, path)


def _read_all(
    options: argparse.Namespace, folder: Path, part: Part, courses: list[Course], progress: Progress
) -> Iterator[dict[str, Any]]:
    """Read the runs of the first seed through caches of all sizes."""
    command = launcher(options.quiver)
    store, digest = garments.make_store(command, folder, part)
    first = {course.sampling: course for course in courses if course.seed == 0}
    with serving(command, folder / "cache", "server", "--capacity", str(_DISK)) as ready:
        live = LiveReading(
            digest,
            store,
            str(ready["server"]),
            options.batch,
            min(options.live_epochs, options.epochs),
            options.mbps,
        )
        for version, (share, policy) in enumerate(
            ((share, policy) for share in options.cache for policy in POLICIES), 1
        ):
            found = live.read(policy, share, first[POLICIES[policy].sampling], version)
            progress.say(f"{POLICIES[policy].title}, {share:.0%} cached: {found['hit_ratio']:.3f} hits")
            yield found


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m quiver.examples.shade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--data", type=Path, help="folder of the four idx files (default: where the Debian package puts them)"
    )
    add("--sets", nargs="+", choices=("clean", "hard"), default=["clean", "hard"], help="(default: both)")
    add("--work", help="where finished runs are kept, which are not repeated (default: nowhere)")
    add("--seeds", type=int, default=3, help="runs of each sampling (default: 3)")
    add("--epochs", type=int, default=6, help="(default: 6)")
    add("--batch", type=int, default=128, help="(default: 128)")
    add("--limit", type=int, default=20_000, help="train on the first so many images (default: 20000)")
    add("--cache", type=float, nargs="+", default=list(_SHARES), help="shares that are cached")
    add("--live-epochs", type=int, default=3, help="epochs that are read through the cache (default: 3)")
    add("--mbps", type=float, default=2.0, help="MB/s of the line to the store (default: 2)")
    add("--quick", action="store_true", help="2,000 images, 3 epochs and one seed, to see that it works")
    add("--quiver", help="the quiver command (default: QUIVER_COMMAND, or the checkout's)")
    add("--plot", default="shade.html", help="where the plots go (default: shade.html)")
    add("--json", action="store_true", help="print the result as JSON and nothing else")
    add("--quiet", action="store_true", help="no progress")
    options = parser.parse_args(arguments)
    if options.quick:
        options.limit, options.epochs, options.seeds, options.batch = min(options.limit, 2000), 3, 1, 32
    if options.epochs < 2 or options.live_epochs < 2:
        parser.error("at least 2 epochs: hits are counted from the second one on")
    return options


if __name__ == "__main__":
    end_in_order()
    sys.exit(main())
