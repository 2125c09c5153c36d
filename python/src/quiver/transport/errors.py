"""The ways an exchange with a server can fail."""

from __future__ import annotations

from enum import Enum


class Trouble(Enum):
    """A kind of failure: its name, and if another attempt may help, and if the server is to blame."""

    UNREACHABLE = ("unreachable", True, True)
    TIMEOUT = ("timeout", False, True)
    BROKEN = ("broken", True, True)
    REFUSED = ("refused", False, False)
    BUSY = ("busy", True, False)
    PROTOCOL = ("protocol", True, True)
    RESTING = ("resting", False, False)
    FORGED = ("forged", False, False)
    CLOSED = ("closed", False, False)

    def __init__(self, text: str, retryable: bool, blames_server: bool):
        self.text = text
        self.retryable = retryable
        self.blames_server = blames_server


class ExchangeError(Exception):
    """One server's part of a call failed. Callers of the client never see it: it becomes a failure.

    :param status: of HTTP, if the server answered
    """

    def __init__(self, trouble: Trouble, reason: str, retry_after: float = 0.0, status: int = 0):
        super().__init__(reason)
        self.trouble = trouble
        self.reason = reason
        self.retry_after = retry_after
        self.status = status


class StaleConnectionError(Exception):
    """A connection that lay idle was closed by the server meanwhile: a new one is worth a try."""
