"""Reads S3, Azure, Google Cloud and HTTP through obstore, which is Rust's object_store.

Drivers in Python need ten times the processor time for a small object.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from quiver.stores import bindings
from quiver.stores.options import native_options
from quiver.stores.refusals import CREDENTIALS, TransientError, refusal

KINDS = {
    "s3": "s3",
    "s3a": "s3",
    "az": "az",
    "azure": "az",
    "adl": "az",
    "abfs": "az",
    "abfss": "az",
    "gs": "gs",
    "gcs": "gs",
    "http": "http",
    "https": "http",
}
"""The kind of store by the scheme of its address; no other scheme is read natively."""

_CLASSES = {"s3": "S3Store", "az": "AzureStore", "gs": "GCSStore", "http": "HTTPStore"}
_NO_RETRIES = {"max_retries": 0, "retry_timeout": timedelta(seconds=1)}


class NativeObjects:
    """The objects below an address. Safe for many threads, which share its connections.

    Only for the process that made it.

    :raises ValueError: if an option is unknown or makes no sense
    """

    def __init__(self, uri: str, storage_options: Mapping[str, Any], timeout: float):
        parts = urlsplit(uri)
        self._kind = KINDS[parts.scheme]
        self._bucket = uri if self._kind == "http" else f"{parts.scheme}://{parts.netloc}"
        self._obstore = bindings.obstore()
        self._store = self._open(uri, storage_options, timeout)
        self._whole = False
        self._has_read = False

    def _open(self, uri: str, given: Mapping[str, Any], timeout: float) -> Any:
        settings = native_options(self._kind, uri, given, timeout)
        more: dict[str, Any] = {"client_options": settings.client, "retry_config": _NO_RETRIES}
        if self._kind != "http":
            more |= {"config": settings.config, "credential_provider": settings.credentials}
        address = f"gs{uri[3:]}" if uri.startswith("gcs:") else uri
        errors = self._obstore.exceptions
        try:
            return getattr(self._obstore.store, _CLASSES[self._kind]).from_url(address, **more)
        except errors.UnknownConfigurationKeyError as e:
            said = str(e).splitlines()[0]
            remedy = "for options of an fsspec driver use Store(…, driver='fsspec')"
            raise ValueError(f"storage_options for {self._bucket}: {said}; {remedy}") from None
        except errors.BaseError as e:
            raise ValueError(f"{uri} cannot be opened: {str(e).splitlines()[0]}") from None

    def read(self, name: str, offset: int, length: int) -> memoryview:
        """Read at most so many bytes of an object, or all of it where a server knows no ranges."""
        try:
            data = self._ask(name, offset, length)
        except (self._obstore.exceptions.BaseError, FileNotFoundError) as e:
            raise self._refusal(e) from None
        self._has_read = True
        return memoryview(data)

    def _ask(self, name: str, offset: int, length: int) -> Any:
        if not self._whole:
            try:
                return self._obstore.get_range(self._store, name, start=offset, length=length)
            except self._obstore.exceptions.NotSupportedError:
                self._whole = True
        return self._obstore.get(self._store, name).bytes()

    def _refusal(self, error: Exception) -> Exception:
        if isinstance(error, self._obstore.exceptions.InvalidPathError):
            return ValueError(f"{str(error).splitlines()[0]}; such names need Store(…, driver='fsspec')")
        made = refusal(self._kind, self._bucket, str(error))
        remedy = CREDENTIALS.get(self._kind)
        # After a first success there are credentials, and the service behind them fails for a while.
        if isinstance(made, TransientError) and not self._has_read and remedy and remedy in str(made):
            return PermissionError(str(made))
        return made
