"""Runs one benchmark: ``python -m quiver.bench client --help``."""

from __future__ import annotations

import importlib
import sys

BENCHMARKS = {
    "client": "batch gets with several threads, beside the Java client on the same server",
    "sampler": "samples drawn and settled in a second",
    "loader": "QuiverDataLoader beside torch's own DataLoader over local files",
}


def main() -> int:
    """Start the benchmark that is named first."""
    if len(sys.argv) < 2 or sys.argv[1] not in BENCHMARKS:
        print("usage: python -m quiver.bench BENCHMARK [options]\n\nBenchmarks:")
        for name, what in BENCHMARKS.items():
            print(f"  {name:8}  {what}")
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    module = importlib.import_module(f"quiver.bench.{sys.argv[1]}")
    return int(module.main(sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
