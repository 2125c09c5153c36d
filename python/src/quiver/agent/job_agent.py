"""Puts a job's status, its plan and its preloading together."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from quiver.agent.link import PlanLink
from quiver.agent.preload import Preloader
from quiver.agent.setup import AgentSetup, store_identity
from quiver.manager import ManagerCalls
from quiver.plan import JobPlan
from quiver.reading.access import CacheAccess
from quiver.reading.inserter import Inserter
from quiver.reading.items import ItemReader

_LONGEST_SETTLING = 1.0

Say = Callable[[dict[str, Any]], None]
"""Tells the training process something."""


class JobAgent:
    """Reports for one job, follows its plans and preloads its chunks.

    :param say: tells the training process something; called from several threads
    """

    def __init__(self, setup: AgentSetup, say: Say):
        self._setup = setup
        self._say = say
        self._instance = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._status: dict[str, Any] = {}
        self._plan: JobPlan | None = None
        digest = setup.digest
        # Another holder of claims than the job's workers: what it fetches they wait for.
        self._access = CacheAccess(f"{setup.job}.agent", digest.key, setup.credentials)
        self._inserter = Inserter(self._access)
        self._preloader = Preloader(
            setup.job,
            digest,
            self._access,
            ItemReader(digest, setup.store, "refuse"),
            self._inserter,
            max(1, setup.preload_reads),
            self._nudge,
        )
        calls = ManagerCalls(setup.cache, setup.job, setup.credentials)
        self._link = PlanLink(calls, self._fits, self.report, self._planned, say, setup.shared)

    def start(self) -> None:
        """Start to report, to follow plans and to preload."""
        self._link.open()
        if self._setup.preload_reads > 0:
            self._preloader.start()

    def _nudge(self) -> None:
        self._link.nudge()

    def _fits(self, plan: JobPlan) -> bool:
        return plan.fits(self._setup.digest.key, self._setup.digest.items)

    def _planned(self, plan: JobPlan, document: Any) -> None:
        self._plan = plan
        self._access.follow(plan)
        self._preloader.follow(plan)
        self._say({"plan": document})

    def heard(self, line: bytes) -> bool:
        """Take a line of the training process; says whether to go on."""
        message = json.loads(line)
        if message.get("bye"):
            return False
        status = message.get("status")
        if status is not None:
            with self._lock:
                self._status.update(status)
            if status.get("demand"):
                self._preloader.demand(time.monotonic())
        if message.get("news"):
            self._link.nudge()
        self._tell_preloaded()
        return True

    def _tell_preloaded(self) -> None:
        self._say({"preloaded": list(self._preloader.read)})

    def report(self, sequence: int, leaving: bool) -> dict[str, Any]:
        """Return the job's report of the moment."""
        with self._lock:
            status = dict(self._status)
        plan, setup = self._plan, self._setup
        held = None if plan is None else plan.dataset
        remaining = status.get("remaining") or []
        if held is None or len(remaining) != held.chunks:
            remaining = []
        since = status.get("working_since")
        return {
            "job": setup.job,
            "group": setup.group,
            "instance": self._instance,
            "sequence": sequence,
            "dataset": setup.digest.key,
            "items": setup.digest.items,
            "bytes": setup.digest.bytes,
            "batch": setup.batch,
            "epoch": status.get("epoch", 0),
            "last_epoch": status.get("last_epoch", False),
            "chunks": len(remaining),
            "remaining": remaining,
            "loaded": [
                {"chunk": chunk, "generation": generation} for chunk, generation in self._preloader.loaded()
            ],
            "item_seconds": status.get("item_seconds", 0.0),
            "idle_seconds": 0.0 if since is None else max(0.0, time.monotonic() - since),
            "leaving": leaving,
            "plan_version": 0 if plan is None else plan.version,
            "held": None if held is None else held.document,
            "warming": False,
            "traits": {"user": setup.user, "gpus": setup.gpus, "store": store_identity(setup.store.uri)},
            "speeds": status.get("speeds"),
            "unread": status.get("unread") or [],
            "scores": status.get("scores") or [],
        }

    def close(self) -> None:
        """Bring in what was claimed, and say goodbye."""
        self._preloader.close(_LONGEST_SETTLING)
        self._tell_preloaded()
        self._inserter.close(_LONGEST_SETTLING)
        self._link.close()
        self._access.close()
