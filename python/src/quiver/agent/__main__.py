"""``python -m quiver.agent``: started by a loader, of no use by itself."""

from __future__ import annotations

import json
import logging
import math
import os
import signal
import sys
import threading
import time
import traceback
from typing import Any

from quiver.agent.job_agent import JobAgent
from quiver.agent.setup import AgentSetup

_LOOK_FOR_PARENT_SECONDS = 0.5
_LONGEST_AFTER_SIGTERM_SECONDS = 5.0


class _LineWriter:
    """Writes lines for the training process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: dict[str, Any] = {}

    def say(self, message: dict[str, Any]) -> None:
        with self._lock:
            if message == self._last:
                return
            self._last = message
            try:
                sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
                sys.stdout.buffer.flush()
            except OSError:
                pass  # the training process is gone; standard input says so too


def _listen(agent: JobAgent, over: threading.Event) -> None:
    try:
        for line in sys.stdin.buffer:
            if line.strip() and not agent.heard(line):
                break
    finally:
        over.set()


class _Summons:
    """Remembers that a scheduler told all processes of the job to end.

    The training process may save its model first, and reads on until then. The goodbye has to be said before
    the scheduler kills what is left.
    """

    def __init__(self) -> None:
        self._deadline = math.inf
        signal.signal(signal.SIGTERM, self._heed)

    def _heed(self, *_: Any) -> None:
        self._deadline = min(self._deadline, time.monotonic() + _LONGEST_AFTER_SIGTERM_SECONDS)

    def is_due(self) -> bool:
        return time.monotonic() >= self._deadline


def main() -> int:
    """Serve a training process until it ends."""
    # Ctrl-C is meant for the training process, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    summons = _Summons()
    logging.basicConfig(level=logging.WARNING, format="quiver agent: %(message)s")
    parent = os.getppid()
    first = sys.stdin.buffer.readline()
    if not first:
        return 0
    agent = JobAgent(AgentSetup.parse(first), _LineWriter().say)
    agent.start()
    over = threading.Event()
    threading.Thread(target=_listen, args=(agent, over), name="quiver-listen", daemon=True).start()
    # Forked workers keep the pipe open when the training process is killed: look for it, too.
    while not (over.wait(_LOOK_FOR_PARENT_SECONDS) or summons.is_due()) and os.getppid() == parent:
        pass
    agent.close()
    return 0


def serve() -> None:
    """Serve a training process and end at once: threads may be stuck in a store that does not answer."""
    status = 1
    try:
        status = main()
    finally:
        if status:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve()
