"""The training process's side of its agent, and its one warning when the cache fails it."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import subprocess
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from quiver import rules
from quiver.agent.preload import Preloaded
from quiver.agent.setup import AgentSetup
from quiver.errors import QuiverWarning
from quiver.plan import JobPlan, PlanError

_LOG = logging.getLogger(__name__)
_START_SECONDS = 30.0
_GOODBYE_SECONDS = 3.0
_LONGEST_NAME = 80
_NOTHING = threading.Condition()

Hear = Callable[[Any], None]
"""Told what the manager says of the scores of other jobs."""

# The agent finds its modules where the training process found them; the script itself is not run.
_START = "import sys; sys.path[:] = {path!r}; from quiver.agent.__main__ import serve; serve()"


class CacheLink:
    """The agent of a job if it has a cache, and the one warning when that does not work.

    :param setup: what the agent is told; None for a job without a cache
    :ivar job: the job's name at the cache
    :ivar group: the name that all its ranks share
    """

    def __init__(self, setup: AgentSetup | None):
        self.job = self.group = ""
        self._setup = setup
        self._other_name = ("", "")
        self._agent: AgentHandle | None = None
        self._warned = False
        self._former = Preloaded(0, 0)
        self._scores: tuple[list[dict[str, Any]], Hear] | None = None

    def rename(self, group: str, rank: str, suffix: str) -> None:
        """Give the job its name before its agent starts.

        :param group: the name that all ranks share
        :param rank: added to it for this rank; empty if there is only one
        :param suffix: added to the group's if another job has the name
        """
        self.job, self.group = group + rank, group
        self._other_name = (f"{group[:_LONGEST_NAME]}-{suffix}", rank)
        if self._setup is not None:
            self._setup = replace(self._setup, job=self.job, group=group)

    def share_scores(self, offers: list[dict[str, Any]], hear: Hear) -> None:
        """Offer scores to other jobs and ranks from the first report on, and hear of theirs.

        :param hear: told what the manager says of others; to be brief
        """
        self._scores = (offers, hear)
        if self._agent is not None:
            self._agent.share_scores(*self._scores)

    def open(self) -> None:
        """Start the agent if there is to be one, and wait a moment for the first plan.

        A job whose name another one has goes on under another name.
        """
        if self._setup is None or self._agent is not None:
            return
        self._start(self._setup)
        if self._agent is not None and self._agent.name_taken:
            taken, taken_for = self.job, self._agent.complaint
            self.close()
            group, rank = self._other_name
            self.rename(group, rank, secrets.token_hex(2))
            _LOG.warning("job %s: %s; this one goes on as %s", taken, taken_for, self.job)
            self._start(self._setup)
        self.check()

    def _start(self, setup: AgentSetup) -> None:
        try:
            self._agent = AgentHandle(setup)
        except OSError as e:
            self.warn(f"the agent of job {setup.job} cannot be started ({e})")
            self._setup = None
            return
        if self._scores is not None:
            self._agent.share_scores(*self._scores)
        self._agent.wait_first(rules.FIRST_PLAN_WAIT)

    @property
    def agent(self) -> AgentHandle | None:
        """The agent, if there is one."""
        return self._agent

    @property
    def preloaded(self) -> Preloaded:
        """The items and bytes that the agent has read from the store ahead of time."""
        agent = self._agent
        own = Preloaded(0, 0) if agent is None else agent.preloaded
        return Preloaded(self._former.items + own.items, self._former.bytes + own.bytes)

    def plan(self) -> JobPlan | None:
        """Return the latest plan; None before there is one."""
        return None if self._agent is None else self._agent.plan

    def plan_json(self) -> bytes:
        """Return the latest plan as JSON, for workers; empty before there is one."""
        return b"" if self._agent is None else self._agent.plan_json

    def reachable(self) -> bool:
        """Return True if a new plan can come."""
        return self._agent is not None and self._agent.reachable

    def wait(self, seconds: float, ready: Callable[[], bool]) -> None:
        """Wait for news, at most so long."""
        changed = _NOTHING if self._agent is None else self._agent.changed
        with changed:
            if not ready():
                changed.wait(seconds)

    def check(self, cache_failure: str = "") -> None:
        """Warn, once, if the cache has failed the job."""
        agent = self._agent
        if agent is None or self._warned:
            return
        if agent.complaint:
            self.warn(agent.complaint)
        elif agent.ended:
            self.warn("the agent that keeps in touch with the cache has ended")
        elif cache_failure:
            self.warn(f"no cache server serves this job ({cache_failure})")

    def warn(self, what: str) -> None:
        """Say once that something is wrong and that training goes on."""
        if not self._warned:
            self._warned = True
            text = f"{what}; training goes on, reading from the store what the cache does not give"
            warnings.warn(text, QuiverWarning, stacklevel=2)

    def close(self) -> None:
        """End the agent."""
        if self._agent is not None:
            self._agent.close()
            self._former = self.preloaded
            self._agent = None


class AgentHandle:
    """Starts an agent, sends it the job's status and keeps the latest plan.

    Never blocks the training loop: a status that the pipe does not take is not sent. One small thread
    listens. Only for the process that made it; a forked child leaves it alone.

    :ivar changed: notified when there is a new plan or other news
    :ivar plan: the latest plan; None before there is one
    :ivar plan_json: the same as bytes, for workers
    :ivar reachable: whether the manager answered lately
    :ivar complaint: what went wrong last; empty if nothing did
    :ivar name_taken: whether the manager refuses the job because another one has its name
    :ivar preloaded: what the agent has read from the store
    """

    def __init__(self, setup: AgentSetup):
        self._pid = os.getpid()
        self.changed = threading.Condition()
        self.plan: JobPlan | None = None
        self.plan_json = b""
        self.reachable = False
        self.complaint = ""
        self.name_taken = False
        self.ended = False
        self.preloaded = Preloaded(0, 0)
        self._heard = False
        self._sending = threading.Lock()
        self._unsent = b""
        self._scores: list[dict[str, Any]] = []
        self._hear: Hear | None = None
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
            [sys.executable, "-c", _START.format(path=sys.path), "quiver-agent", setup.job],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("pipes were asked for")
        self._input = self._process.stdin.fileno()
        with contextlib.suppress(OSError):  # an agent that fails at once is noticed by the listener
            _write_all(self._input, setup.line())
        os.set_blocking(self._input, False)
        # The thread does not keep the handle alive: who drops the loader ends the agent.
        self._listener = threading.Thread(
            target=_listen, args=(self._process, weakref.ref(self)), name="quiver-agent", daemon=True
        )
        self._listener.start()
        self._end = weakref.finalize(self, _end, self._process, self._pid)

    @property
    def pid(self) -> int:
        """The agent's process."""
        return self._process.pid

    def wait_first(self, seconds: float) -> None:
        """Wait until there is a plan, or it is known that there is none soon.

        :param seconds: how long to wait for a manager that answers; the agent's own start does not count
        """
        with self.changed:
            self.changed.wait_for(lambda: self._heard or self.ended or self.reachable, _START_SECONDS)
            self.changed.wait_for(lambda: self._heard or self.ended, seconds)

    def send(self, status: dict[str, Any], *, news: bool = False) -> None:
        """Tell the agent how the job stands, unless it does not listen.

        :param news: whether to report it to the manager at once
        """
        if self.ended or os.getpid() != self._pid:
            return
        with self._sending:
            line = json.dumps({"status": {**status, "scores": self._scores}, "news": news}).encode() + b"\n"
            if self._unsent and not self._flush():
                return
            self._unsent = line
            self._flush()

    def share_scores(self, offers: list[dict[str, Any]], hear: Hear) -> None:
        """Report these offers of scores from now on, at once, and pass on what others offer."""
        self._scores, self._hear = offers, hear
        self.send({}, news=True)

    def _flush(self) -> bool:
        try:
            written = os.write(self._input, self._unsent)
            self._unsent = self._unsent[written:]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = b""
        return not self._unsent

    def end(self) -> None:
        """Note that the agent has ended."""
        with self.changed:
            self.ended = True
            self.reachable = False
            self.changed.notify_all()

    def take(self, message: dict[str, Any]) -> None:
        """Note what the agent says."""
        with self.changed:
            if "plan" in message:
                self._take_plan(message["plan"])
            elif "reachable" in message:
                self.reachable = bool(message["reachable"])
                self.complaint = "" if self.reachable else str(message.get("reason"))
                self._heard = self._heard or not self.reachable
            elif "refused" in message:
                self.complaint = str(message["refused"])
                self.name_taken = bool(message.get("name_taken"))
                self._heard = True
            elif "scores" in message:
                if self._hear is not None:
                    self._hear(message["scores"])
                return
            elif "preloaded" in message:
                self.preloaded = Preloaded(*message["preloaded"])
                return
            self.changed.notify_all()

    def _take_plan(self, document: Any) -> None:
        with contextlib.suppress(PlanError):
            self.plan = JobPlan.parse(document)
            self.plan_json = json.dumps(document).encode()
            self.reachable = True
            self._heard = True

    def close(self) -> None:
        """Say goodbye and wait a moment for the agent to end."""
        self._end()
        self._listener.join(_GOODBYE_SECONDS)


def _listen(process: subprocess.Popen[bytes], owner: weakref.ref[AgentHandle]) -> None:
    """Pass on what the agent says for as long as there is somebody to tell."""
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout or ():
            handle = owner()
            if handle is None:
                return
            handle.take(json.loads(line))
            del handle
    handle = owner()
    if handle is not None:
        handle.end()


def _end(process: subprocess.Popen[bytes], pid: int) -> None:
    if os.getpid() != pid or process.stdin is None:
        return
    with contextlib.suppress(OSError, ValueError):
        os.set_blocking(process.stdin.fileno(), False)
        os.write(process.stdin.fileno(), b'\n{"bye": true}\n')
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_GOODBYE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_GOODBYE_SECONDS)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
