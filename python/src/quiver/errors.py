"""Errors and warnings that users of the loaders see."""

from __future__ import annotations


class LoadError(RuntimeError):
    """A sample that cannot be had; the message names it, says why and what can be done."""


class QuiverWarning(UserWarning):
    """Something is not as it should be, and training goes on."""
