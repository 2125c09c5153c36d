"""Training processes of their own, and what they leave behind."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("training.py")
LONGEST_SECONDS = 180


class Training:
    """The script of :mod:`training` with these options."""

    def __init__(self, **options: Any):
        paths = [str(Path(__file__).resolve().parents[1] / "src"), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            # Tests that run in the background of a shell ignore interrupts, and so would their children.
            ["env", "--default-signal=INT", sys.executable, str(SCRIPT), json.dumps(options, default=str)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        self.begun: dict[str, Any] = {}

    def begin(self) -> Training:
        """Wait for the first batch."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate(timeout=LONGEST_SECONDS)[1]
        self.begun = json.loads(line)
        return self

    def end(self) -> dict[str, Any]:
        """Wait for the end; returns the training's last words."""
        assert self.process.stdout is not None
        last = self.process.stdout.readline()
        _, errors = self.process.communicate(timeout=LONGEST_SECONDS)
        assert self.process.returncode == 0, errors
        return dict(json.loads(last))


@contextlib.contextmanager
def trainings(count: int, **options: Any) -> Iterator[list[Training]]:
    """Run several trainings; those that still run at the end are killed."""
    started: list[Training] = []
    try:
        for index in range(count):
            each = {
                key: value[index] if isinstance(value, tuple) else value for key, value in options.items()
            }
            started.append(Training(**each))
        yield started
    finally:
        for each_one in started:
            if each_one.process.poll() is None:
                each_one.process.kill()
            each_one.process.communicate(timeout=LONGEST_SECONDS)


def alive(pid: int) -> bool:
    """Return True if a process runs; one that only waits to be noticed does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


def wait_until(fact: Any, what: str, seconds: float = 30) -> None:
    """Wait for something that no event tells."""
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def shared_memory(pids: Iterable[int]) -> list[str]:
    """Return the names of torch's shared memory that these processes made and nobody removed."""
    made = tuple(f"torch_{pid}_" for pid in pids)
    return [path.name for path in Path("/dev/shm").iterdir() if path.name.startswith(made)]
