"""Starts the Java program for examples and benchmarks: a cache of its own, and single commands."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quiver.digest import Digest

_READY_SECONDS = 600.0  # the first start in a checkout builds the program
_END_SECONDS = 20.0
_LEAST_DISK = 256 << 20


class ExampleError(Exception):
    """Something the user has to mend; the message says how."""


def launcher(given: str | None = None) -> list[str]:
    """Return the command that starts Quiver: as given, ``QUIVER_COMMAND``, a checkout's or one installed."""
    named = given or os.environ.get("QUIVER_COMMAND")
    if named:
        return shlex.split(named)
    for folder in (Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents):
        if (folder / "quiver").is_file() and (folder / "mvnw").is_file():
            return [str(folder / "quiver")]
    installed = shutil.which("quiver")
    if installed is None:
        raise ExampleError("no quiver command found; run this in a checkout of Quiver, or set QUIVER_COMMAND")
    return [installed]


def end_in_order() -> None:
    """Let a termination end this process as an interrupt does, so that it ends what it has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def run(command: list[str], *arguments: str) -> str:
    """Run one command to its end; returns its output.

    :raises ExampleError: if it failed
    """
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ExampleError(f"{' '.join(arguments[:2])} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def capacity_for(digest: Path, share: int) -> tuple[int, str, str]:
    """Return the capacity and options of a cache that may hold so many bytes of samples.

    A store on disk pads what it keeps and has some in reserve, which is much of a small cache.
    """
    return max(_LEAST_DISK, 3 * share), "--quota", f"dataset={Digest.open(digest).key}:{share}"


@contextlib.contextmanager
def cache(command: list[str], folder: Path, capacity: int, *options: str) -> Iterator[str]:
    """Run a cache (``quiver up``) while the context lasts; yields its address."""
    with serving(command, folder, "up", "--capacity", str(capacity), *options) as ready:
        yield str(ready["status"])


@contextlib.contextmanager
def serving(command: list[str], folder: Path, name: str, *options: str) -> Iterator[dict[str, Any]]:
    """Run ``quiver up`` or ``quiver server`` while the context lasts; yields what it says when ready."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*command, name, "--json", "--port", "0", "--data", str(folder / "data"), *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
    try:
        yield json.loads(_first_line(process, log))
    finally:
        _end(process)


def end_with_parent() -> None:
    """End the program with its parent: a killed example leaves nothing behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _first_line(process: subprocess.Popen[bytes], log: Path) -> bytes:
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        ready = selector.select(_READY_SECONDS)
    line = process.stdout.readline() if ready else b""
    if not line:
        why = log.read_text().strip() or f"not ready in {_READY_SECONDS:g} s"
        raise ExampleError(f"quiver did not start: {why}")
    return line


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_END_SECONDS)
    if process.stdout is not None:
        process.stdout.close()
