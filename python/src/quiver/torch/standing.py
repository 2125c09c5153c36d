"""How a job stands with its cache."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable

from quiver import rules
from quiver.agent.handle import AgentHandle
from quiver.agent.preload import Preloaded
from quiver.agent.setup import AgentSetup
from quiver.errors import QuiverWarning
from quiver.plan import JobPlan

_NOTHING = threading.Condition()


class CacheStanding:
    """The agent of a job if it has a cache, and the one warning when that does not work.

    :param setup: what the agent is told; None for a job without a cache
    """

    def __init__(self, setup: AgentSetup | None):
        self._setup = setup
        self._agent: AgentHandle | None = None
        self._warned = False
        self._former = Preloaded(0, 0)

    def open(self) -> None:
        """Start the agent if there is to be one, and wait a moment for the first plan.

        :raises ValueError: if the manager will not have the job
        """
        if self._setup is None or self._agent is not None:
            return
        try:
            self._agent = AgentHandle(self._setup)
        except OSError as e:
            self.warn(f"the agent of job {self._setup.job} cannot be started ({e})")
            self._setup = None
            return
        self._agent.wait_first(rules.FIRST_PLAN_WAIT)
        if self._agent.refused:
            refused = self._agent.refused
            self.close()
            raise ValueError(f"job {self._setup.job}: {refused}")
        self.look()

    @property
    def agent(self) -> AgentHandle | None:
        """The agent, if there is one."""
        return self._agent

    @property
    def preloaded(self) -> Preloaded:
        """What the agent has read from the store ahead of time."""
        agent = self._agent
        own = Preloaded(0, 0) if agent is None else agent.preloaded
        return Preloaded(self._former.items + own.items, self._former.bytes + own.bytes)

    def plan(self) -> JobPlan | None:
        """The latest plan; None before there is one."""
        return None if self._agent is None else self._agent.plan

    def plan_json(self) -> bytes:
        """The same for workers."""
        return b"" if self._agent is None else self._agent.plan_json

    def reachable(self) -> bool:
        """Whether a new plan can come."""
        return self._agent is not None and self._agent.reachable

    def wait(self, seconds: float, ready: Callable[[], bool]) -> None:
        """Wait for news, at most so long."""
        changed = _NOTHING if self._agent is None else self._agent.changed
        with changed:
            if not ready():
                changed.wait(seconds)

    def look(self, *, cache_down: bool = False) -> None:
        """Warn, once, if the cache has failed the job."""
        agent = self._agent
        if agent is None or self._warned:
            return
        if agent.complaint:
            self.warn(agent.complaint)
        elif agent.ended:
            self.warn("the agent that keeps in touch with the cache has ended")
        elif cache_down:
            self.warn("no cache server answers")

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
