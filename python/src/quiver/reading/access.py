"""The cache as a job sees it: the servers its plan names, at times none."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from quiver.checksum import Verification
from quiver.client import Answer, CacheClient, HashesLike, Lookup, Member
from quiver.credentials import Credentials
from quiver.plan import JobPlan

_LOG = logging.getLogger("quiver")


class CacheAccess:
    """Asks the servers of the latest plan. Safe for many threads; plans come from one.

    :param ranking_job: the name under which all ranks of a job rank blobs; empty if it does not
    """

    def __init__(
        self,
        job: str,
        dataset: str,
        credentials: Credentials,
        verify: Verification = "sampled",
        ranking_job: str = "",
    ):
        self._job = job
        self._ranking_job = ranking_job
        self._dataset = dataset
        self._credentials = credentials
        self._verify: Verification = verify
        self._made: CacheClient | None = None
        self.client: CacheClient | None = None
        self.version = 0
        self._servers = 0

    def follow(self, plan: JobPlan) -> None:
        """Use the servers of a plan."""
        try:
            self.turn_to(Member.of_plan(plan.members), plan.version)
        except ValueError as e:
            _LOG.warning("the servers of plan %d are of no use: %s", plan.version, e)

    def turn_to(self, servers: Sequence[str | Member], version: int = 0) -> None:
        """Use these servers; none if there are none."""
        self.version = version
        self._servers = len(servers)
        if not servers:
            self.client = None
            return
        if self._made is None:
            self._made = CacheClient(
                servers,
                job=self._job,
                dataset=self._dataset,
                ranking_job=self._ranking_job,
                verify=self._verify,
                credentials=self._credentials,
            )
        else:
            self._made.update(servers)
        self.client = self._made

    def get(self, hashes: HashesLike, want: int | None = None, *, claim: bool = False) -> Answer | None:
        """Ask the cache; None when there is none."""
        client = self.client
        return None if client is None else client.get(hashes, want, claim=claim)

    def lookup(self, hashes: HashesLike, *, claim: bool) -> Lookup | None:
        """Look items up; None when there is no cache."""
        client = self.client
        return None if client is None else client.lookup(hashes, claim=claim)

    def all_failed(self, failures: int) -> bool:
        """Return True if so many failures are all servers there are."""
        return 0 < self._servers <= failures

    def close(self) -> None:
        """Close the connections."""
        if self._made is not None:
            self._made.close()
