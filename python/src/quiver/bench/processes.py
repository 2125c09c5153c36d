"""The Java program beside which Python is measured."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

JAVA_CLIENT = "io.quiver.benchmarks.load.JavaLoadProcess"


def find_launcher(given: str | None) -> list[str]:
    """The command that starts Quiver: the one given, ``QUIVER_COMMAND``, or that of a checkout above."""
    if given or os.environ.get("QUIVER_COMMAND"):
        return shlex.split(given or os.environ["QUIVER_COMMAND"])
    for folder in (Path.cwd(), *Path(__file__).resolve().parents):
        if (folder / "quiver").is_file() and (folder / "mvnw").is_file():
            return [str(folder / "quiver")]
    sys.exit("no launcher found; run this in a checkout of Quiver or name it with --quiver")


class Server(NamedTuple):
    """A cache server that is ready."""

    address: str
    pid: int

    @property
    def port(self) -> int:
        """Where it listens on loopback."""
        return int(self.address.rpartition(":")[2])

    def java(self) -> list[str]:
        """The virtual machine it runs in, with its options and classes, for another program."""
        words = Path(f"/proc/{self.pid}/cmdline").read_bytes().decode().split("\0")
        return words[: words.index("-cp") + 2]


def _end_with_parent() -> None:
    """In a child that is about to become the server: a killed benchmark leaves nothing behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@contextlib.contextmanager
def cache_server(launcher: Sequence[str], folder: Path, *options: str) -> Iterator[Server]:
    """A cache server in a process of its own (``quiver server``) with its data in a folder."""
    command = [*launcher, "server", "--json", "--port", "0", "--data", str(folder / "data"), *options]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            preexec_fn=_end_with_parent,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            sys.exit(f"the server did not start: {(folder / 'server.log').read_text()}")
        ready = json.loads(line)
        yield Server(ready["server"], ready["pid"])
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)
        if process.stdout:
            process.stdout.close()
