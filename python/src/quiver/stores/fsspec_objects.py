"""Reads whatever fsspec has a driver for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quiver.stores.refusals import BeyondEndError, TransientError

_BEYOND_END = {416, "416"}


class FsspecObjects:
    """The objects below an address. Only for the process that made it.

    :raises ImportError: naming what to install
    """

    def __init__(self, uri: str, storage_options: Mapping[str, Any], timeout: float):
        self._timeout = timeout
        try:
            import fsspec

            self._filesystem, root = fsspec.core.url_to_fs(uri, skip_instance_cache=True, **storage_options)
        except ImportError as e:
            remedy = "pip install fsspec and the driver it names"
            raise ImportError(f"{uri} needs a driver that is not installed ({e}); {remedy}") from e
        except OSError as e:
            raise TransientError(f"{uri} cannot be opened: {e}") from e
        self._root = str(root).rstrip("/")

    def read(self, name: str, offset: int, length: int) -> bytes:
        """Read at most so many bytes of an object, or all of it where a server knows no ranges."""
        try:
            return self._range(f"{self._root}/{name}", offset, length)
        except FileNotFoundError as e:
            raise FileNotFoundError("it is not there; put it back or make the digest again") from e
        except PermissionError as e:
            raise PermissionError(f"access is denied; check the credentials this job runs with ({e})") from e
        except EOFError:
            raise
        except Exception as e:
            if _is_beyond_end(e):
                raise BeyondEndError from e
            raise TransientError(f"{type(e).__name__}: {e}") from e

    def _range(self, path: str, offset: int, length: int) -> bytes:
        filesystem = self._filesystem
        if not getattr(filesystem, "async_impl", False):
            return bytes(filesystem.cat_file(path, start=offset, end=offset + length))
        from fsspec.asyn import sync

        end = offset + length
        call = sync(filesystem.loop, filesystem._cat_file, path, start=offset, end=end, timeout=self._timeout)
        return bytes(call)


def _is_beyond_end(error: Exception) -> bool:
    """Return True if a store says that an object ends before the range (416), in any driver's way."""
    names = ("status", "status_code", "code")
    status = next((getattr(error, name) for name in names if hasattr(error, name)), None)
    # The driver for S3 makes one error of many answers; what it was made of tells.
    answer = getattr(error.__cause__, "response", None)
    if isinstance(answer, dict):
        status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", status)
    return status in _BEYOND_END
