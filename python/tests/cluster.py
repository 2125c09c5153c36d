"""Real cache servers for tests: the Java program in a process of its own, on free ports of loopback."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
READY_SECONDS = 300  # the first start in a checkout builds the program


def quiver_command() -> list[str]:
    """Return the command that starts the program: ``QUIVER_COMMAND``, or the launcher of this checkout."""
    return shlex.split(os.environ.get("QUIVER_COMMAND", str(HOME / "quiver")))


def end_with_parent() -> None:
    """End the program with its parent: a killed test run leaves no server behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Node:
    """A process that tells in one line of JSON when it is ready, and where it listens."""

    def __init__(self, arguments: list[str], log: Path):
        self._log = log
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [*quiver_command(), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        try:
            self.ready = json.loads(self._first_line())
        except BaseException:
            self.kill()
            raise

    def _first_line(self) -> bytes:
        assert self.process.stdout is not None
        line = b""
        end = time.monotonic() + READY_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise AssertionError(f"not ready in {READY_SECONDS} s: {self._log.read_text()}")
                some = os.read(self.process.stdout.fileno(), 4096)
                if not some:
                    raise AssertionError(f"ended with {self.process.wait(10)}: {self._log.read_text()}")
                line += some
        return line

    @property
    def pid(self) -> int:
        return int(self.ready["pid"])

    @property
    def servers(self) -> list[str]:
        """The addresses of its cache servers."""
        return list(self.ready["servers"]) if "servers" in self.ready else [self.ready["server"]]

    @property
    def manager(self) -> str:
        """The address of its manager and status page (``quiver up`` only)."""
        return str(self.ready["status"])

    def stop(self) -> None:
        """End it in an orderly way."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Let it stand still: it accepts connections but answers nothing. Threads stop one by one."""
        os.kill(self.pid, signal.SIGSTOP)
        end = time.monotonic() + 20
        while not all(_stands_still(task) for task in Path(f"/proc/{self.pid}/task").iterdir()):
            assert time.monotonic() < end, f"process {self.pid} does not stop"
            time.sleep(0.001)

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, how)
                os.kill(self.process.pid, signal.SIGCONT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(20)
        if self.process.stdout:
            self.process.stdout.close()


@contextlib.contextmanager
def server(folder: Path, *options: str, port: int = 0, capacity: str = "1GB") -> Iterator[Node]:
    """Run one cache server by itself (``quiver server``), with its data in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["server", "--json", "--port", str(port), "--capacity", capacity]
    node = Node([*arguments, "--data", str(folder / "data"), *options], folder / "server.log")
    try:
        yield node
    finally:
        node.stop()


@contextlib.contextmanager
def up(folder: Path, *options: str, servers: int = 1, capacity: str = "1GB") -> Iterator[Node]:
    """Run a whole cache (``quiver up``): servers, manager and status page."""
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["up", "--json", "--port", "0", "--servers", str(servers), "--capacity", capacity]
    node = Node([*arguments, "--data", str(folder / "data"), *options], folder / "up.log")
    try:
        yield node
    finally:
        node.stop()


def quiver(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run one command of the program to its end."""
    return subprocess.run(
        [*quiver_command(), *arguments], capture_output=True, text=True, timeout=timeout, check=False
    )


def _stands_still(task: Path) -> bool:
    """Return True if a thread is stopped, or has ended."""
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] in "TtZX"
    except FileNotFoundError:
        return True
