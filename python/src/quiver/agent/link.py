"""Keeps a job in touch with the cache manager.

Reports every second, and at once when something happened that a plan depends on; and waits for new plans.
Nobody waits for the manager: while it is away the job goes on with the plan it has.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable
from typing import Any

from quiver import rules
from quiver.manager import BUSY, CONFLICT, OK, UNKNOWN, Cluster, ManagerCalls, RefusedError, Reply, reachable
from quiver.plan import SHARED_SPACE, JobPlan, PlanError

Report = Callable[[int, bool], dict[str, Any]]
"""Makes the report of the moment from a sequence number and whether it is the last."""


class PlanLink:
    """Reports and plans of one job.

    :param report: makes reports
    :param planned: told of every new plan: parsed, and as the manager wrote it
    :param shared: the space for what the job misses where there is no manager
    :param news: told ``{"reachable": …}`` or ``{"refused": …}`` when the manager's status changes, and
        ``{"scores": …}`` when it says what other jobs found
    """

    def __init__(
        self,
        calls: ManagerCalls,
        fits: Callable[[JobPlan], bool],
        report: Report,
        planned: Callable[[JobPlan, Any], None],
        news: Callable[[dict[str, Any]], None],
        shared: str = SHARED_SPACE,
    ):
        self._calls, self._shared = calls, shared
        self._fits, self._report, self._planned, self._news = fits, report, planned, news
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._woken = self._closed = False
        self._sequence = 0
        self._version = 0
        self._lost_since: float | None = None
        self._manager_status: str | None = None

    def open(self) -> None:
        """Find out what the address is, introduce the job and go on in the background."""
        threading.Thread(target=self._begin, name="quiver-report", daemon=True).start()

    def _begin(self) -> None:
        cluster = self._found()
        if cluster is None:
            return
        if not cluster.managed:
            self._alone(cluster)
            return
        # Whoever asks for plans by a name that another job has would be given that job's.
        self._send(leaving=False)
        threading.Thread(target=self._poll_on, name="quiver-plans", daemon=True).start()
        self._report_on()

    def _found(self) -> Cluster | None:
        """Find out what the address is; tries until somebody answers."""
        pause = rules.FIRST_MANAGER_PAUSE
        while not self._closed:
            try:
                return self._calls.find()
            except RefusedError as e:
                self._refused(e.reply)
            except (OSError, KeyError, TypeError, ValueError) as e:
                self._lost(e, at_once=True)
            self._wait(pause)
            pause = min(2 * pause, rules.LONGEST_MANAGER_PAUSE)
        return None

    def _alone(self, cluster: Cluster) -> None:
        """Use servers without a manager as one space that takes every miss."""
        members = [{"name": uri, "uri": uri, "weight": 1} for uri in cluster.servers]
        document = {
            "version": 1,
            "members": members,
            "dataset": None,
            "ring_role": "leader",
            "shared": self._shared,
            "managed": False,
        }
        self._take(Reply(OK, document))

    def nudge(self) -> None:
        """Report at once that something a plan depends on has changed."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def _report_on(self) -> None:
        while not self._closed:
            with self._changed:
                self._changed.wait_for(lambda: self._woken or self._closed, rules.REPORT_EVERY)
                self._woken = False
            self._send(leaving=False)

    def _send(self, *, leaving: bool) -> None:
        with self._sending:
            if self._closed and not leaving:
                return
            self._sequence += 1
            try:
                self._take(self._calls.report(self._report(self._sequence, leaving)))
            except (OSError, PlanError) as e:
                self._lost(e)

    def _poll_on(self) -> None:
        pause = rules.FIRST_MANAGER_PAUSE
        while not self._closed:
            if self._poll():
                pause = rules.FIRST_MANAGER_PAUSE
            else:
                self._wait(pause)
                pause = min(2 * pause, rules.LONGEST_MANAGER_PAUSE)

    def _poll(self) -> bool:
        try:
            reply = self._calls.poll(self._version)
            if reply.status == UNKNOWN:
                self.nudge()
                return False
            return self._take(reply)
        except (OSError, PlanError) as e:
            self._lost(e)
            return False

    def _take(self, reply: Reply) -> bool:
        if reply.status == BUSY:
            # It has just started, or has much to do: plans come when it has listened for a while.
            self._met()
            return False
        if reply.status != OK:
            self._refused(reply)
            return False
        plan = JobPlan.parse(reply.document)
        with self._changed:
            fresh = plan.version > self._version and self._fits(plan)
            if fresh:
                self._version = plan.version
                for member in reply.document["members"]:
                    member["uri"] = reachable(member["uri"], self._calls.address)
                self._planned(JobPlan.parse(reply.document), reply.document)
        if reply.document.get("scores") is not None:
            self._news({"scores": reply.document["scores"]})
        self._met()
        return True

    def _met(self) -> None:
        self._lost_since = None
        self._tell("met", {"reachable": True})

    def _lost(self, reason: Exception, *, at_once: bool = False) -> None:
        if self._closed:
            return
        now = time.monotonic()
        self._lost_since = self._lost_since or now
        if at_once or now - self._lost_since >= rules.UNREACHABLE_AFTER:
            remedy = "; give its issuer's certificate with trust=" if isinstance(reason, ssl.SSLError) else ""
            text = f"the cache at {self._calls} does not answer ({reason}){remedy}"
            self._tell("lost", {"reachable": False, "reason": text})

    def _refused(self, reply: Reply) -> None:
        text = f"the manager at {self._calls.address} refuses the job ({reply.status}): {reply.complaint}"
        news = {"refused": text, "name_taken": reply.status == CONFLICT}
        self._tell(f"refused {reply.status}", news)

    def _tell(self, manager_status: str, news: dict[str, Any]) -> None:
        if self._manager_status != manager_status:
            self._manager_status = manager_status
            self._news(news)

    def _wait(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed, seconds)

    def close(self) -> None:
        """Say goodbye."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._manager_status == "met" and self._sequence:
            self._send(leaving=True)
