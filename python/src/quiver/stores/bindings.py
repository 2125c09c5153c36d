"""Imports obstore so that it can be used in every process, also after a fork.

The threads that do obstore's work do not survive a fork, and the module waits for them for ever. A forked
process therefore loads a copy of the extension, with threads of its own. A process whose parent has not used
obstore, as workers of a training process mostly are, needs none.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
import tempfile
import threading
from typing import Any

_PACKAGE = "obstore"
_EXTENSION = "obstore._obstore"
_lock = threading.RLock()
_stale = False
_inherited: list[Any] = []
"""Everything of a parent's that must not be freed here: freeing it talks to threads that are not there."""


def _forked() -> None:
    global _lock, _stale
    _lock = threading.RLock()
    _stale = _stale or _EXTENSION in sys.modules


os.register_at_fork(after_in_child=_forked)


def obstore() -> Any:
    """Return the module for this process.

    :raises ImportError: if it is not installed
    """
    global _stale
    with _lock:
        if _stale:
            _load_copy()
            _stale = False
        importlib.import_module("obstore.store")
        return importlib.import_module(_PACKAGE)


def inherit(thing: object) -> None:
    """Keep something that a parent made from being freed in this process."""
    _inherited.append(thing)


def _load_copy() -> None:
    place = sys.modules[_EXTENSION].__file__
    assert place is not None
    for name in [each for each in sys.modules if each.split(".")[0] == _PACKAGE]:
        inherit(sys.modules.pop(name))
    # The loader takes a file that it has loaded before for the same library, whatever its name.
    with tempfile.TemporaryDirectory(prefix="quiver-obstore-") as folder:
        spec = importlib.util.spec_from_file_location(_EXTENSION, shutil.copy(place, folder))
        assert spec is not None
        assert spec.loader is not None
        extension = importlib.util.module_from_spec(spec)
        sys.modules[_EXTENSION] = extension
        spec.loader.exec_module(extension)
