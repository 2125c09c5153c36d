"""The ways an exchange with a server can fail, and what each means for retries and the server's standing."""

from __future__ import annotations

from enum import Enum


class Trouble(Enum):
    """What went wrong: its name, whether another attempt may help, whether the server is to blame."""

    UNREACHABLE = ("unreachable", True, True)
    TIMEOUT = ("timeout", False, True)
    BROKEN = ("broken", True, True)
    REFUSED = ("refused", False, False)
    BUSY = ("busy", True, False)
    PROTOCOL = ("protocol", True, True)
    RESTING = ("resting", False, False)
    CLOSED = ("closed", False, False)

    def __init__(self, text: str, retryable: bool, blames_server: bool):
        self.text = text
        self.retryable = retryable
        self.blames_server = blames_server


class ExchangeError(Exception):
    """One server's part of a call failed. Callers of the client never see it: it becomes a failure."""

    def __init__(self, trouble: Trouble, reason: str, retry_after: float = 0.0):
        super().__init__(reason)
        self.trouble = trouble
        self.reason = reason
        self.retry_after = retry_after


class StaleConnectionError(Exception):
    """A connection that lay idle was closed by the server meanwhile: a new one is worth a try."""
