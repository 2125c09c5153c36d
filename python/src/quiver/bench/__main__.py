"""Runs the benchmarks, all or one: ``python -m quiver.bench --help``."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import sys
from collections.abc import Sequence

from quiver.examples.program import ExampleError

BENCHMARKS = {
    "jobs": "training jobs that read one bucket at once, beside other ways; ten minutes, only when named",
    "client": "batch gets with several threads, beside the Java client on the same server",
    "loader": "QuiverDataLoader beside torch's own DataLoader over local files",
    "sampler": "samples drawn and settled in a second",
    "importance": "losses that become scores in a second, and lists drawn by them",
}
_NEEDS_NO_SERVER = ("sampler", "importance")
_ONLY_WHEN_NAMED = ("jobs",)


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark that is named first, with its own options, or all of them."""
    if arguments and arguments[0] in BENCHMARKS:
        return _run(arguments[0], arguments[1:])
    options = _options(arguments)
    codes, documents = [], {}
    for name, what in BENCHMARKS.items():
        if name in _ONLY_WHEN_NAMED:
            continue
        print(f"bench: {name}: {what}", file=sys.stderr, flush=True)
        words = [] if name in _NEEDS_NO_SERVER else _shared(options)
        if not options.json:
            codes.append(_run(name, words))
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            codes.append(_run(name, [*words, "--json"]))
        documents[name] = json.loads(printed.getvalue())
    if options.json:
        print(json.dumps(documents))
    return max(codes)


def _run(name: str, arguments: Sequence[str]) -> int:
    try:
        return int(importlib.import_module(f"quiver.bench.{name}").main(arguments))
    except ExampleError as e:
        sys.exit(f"bench: {e}")


def _shared(options: argparse.Namespace) -> list[str]:
    given = {"--quiver": options.quiver, "--folder": options.folder}
    return [word for name, value in given.items() if value for word in (name, value)]


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    listed = "\n".join(f"  {name:10}  {what}" for name, what in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        "python -m quiver.bench",
        usage="python -m quiver.bench [BENCHMARK] [options]",
        description="Runs the benchmarks one after the other, about four minutes, or the one named.\n"
        f"Ends with 1 if a target is missed.\n\nBenchmarks, each with a --help of its own:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quiver", help="the command that starts Quiver")
    parser.add_argument("--folder", help="where to put data (default: the system's temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one document and nothing else")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
