"""Translates ``storage_options`` into what obstore takes: its own names, and those of fsspec's drivers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

_FRESH = timedelta(minutes=5)
_S3 = {
    "key": "access_key_id",
    "secret": "secret_access_key",
    "token": "session_token",
    "endpoint_url": "endpoint",
    "region_name": "region",
    "anon": "skip_signature",
    "aws_access_key_id": "access_key_id",
    "aws_secret_access_key": "secret_access_key",
    "aws_session_token": "session_token",
}
_NAMES = {
    "s3": _S3,
    "az": {"anon": "skip_signature", "sas_token": "sas_key"},
    "gs": {"anon": "skip_signature", "endpoint_url": "base_url"},
    "http": {},
}
_CLIENT = {"headers": "default_headers", "proxy": "proxy_url"}
# Variables in which obstore itself finds credentials.
_S3_ENVIRONMENT = (
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)


class NativeOptions(NamedTuple):
    """The settings of one native store.

    :param config: by obstore's names
    :param client: of its HTTP client
    :param credentials: asked when the last credentials are no longer fresh; None for obstore's own ways
    """

    config: dict[str, Any]
    client: dict[str, Any]
    credentials: Callable[[], dict[str, Any]] | None


def native_options(kind: str, uri: str, given: Mapping[str, Any], timeout: float) -> NativeOptions:
    """Return the settings for an address.

    :param kind: of store: ``s3``, ``az``, ``gs`` or ``http``
    :raises ImportError: if a profile is named that cannot be read
    """
    flat = dict(given)
    flat.update(flat.pop("client_kwargs", {}))
    client: dict[str, Any] = {"timeout": timedelta(seconds=timeout)}
    client["connect_timeout"] = timedelta(seconds=min(timeout, 5.0))
    client.update(flat.pop("client_options", {}))
    client.update({_CLIENT[name]: flat.pop(name) for name in list(flat) if name in _CLIENT})
    authority = flat.pop("verify", os.environ.get("AWS_CA_BUNDLE") if kind == "s3" else None)
    if isinstance(authority, (str, os.PathLike)):
        client["root_certificate"] = Path(authority).read_bytes()
    profile = flat.pop("profile", None)
    config = {_NAMES[kind].get(name, name): value for name, value in flat.items()}
    credentials = _s3_credentials(config, profile) if kind == "s3" else None
    if kind == "http" and config:
        raise ValueError(
            f"storage_options {sorted(config)} mean nothing to {uri}; use 'headers', 'client_options'"
        )
    endpoints = (uri, config.get("endpoint"), config.get("base_url"), *_endpoint_variables(kind))
    if any(str(each).startswith("http://") for each in endpoints):
        client.setdefault("allow_http", True)
    return NativeOptions(config, client, credentials)


def _endpoint_variables(kind: str) -> tuple[str | None, ...]:
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT") if kind == "s3" else ()
    return tuple(os.environ.get(name) for name in names)


def _s3_credentials(config: dict[str, Any], profile: str | None) -> Callable[[], dict[str, Any]] | None:
    """Find a profile's credentials with AWS's own library, where obstore has no way; adds its region."""
    if config.get("skip_signature") or "access_key_id" in config:
        return None
    profile = profile or os.environ.get("AWS_PROFILE")
    if profile is None and any(os.environ.get(name) for name in _S3_ENVIRONMENT):
        return None
    try:
        from botocore.session import Session
    except ImportError as e:
        if profile is None:
            return None
        raise ImportError(f"profile {profile!r} needs botocore; pip install 'quiver[s3]'") from e
    session = Session(profile=profile)
    scoped = session.get_scoped_config()  # says which profiles there are if this is none
    for name, value in (("region", scoped.get("region")), ("endpoint", scoped.get("endpoint_url"))):
        if value:
            config.setdefault(name, value)
    found = session.get_credentials()
    return None if found is None else lambda: _frozen(found)


def _frozen(found: Any) -> dict[str, Any]:
    """Return the credentials of the moment; those that are renewed are asked for again soon."""
    now = found.get_frozen_credentials()
    renewed = hasattr(found, "refresh_needed")
    return {
        "access_key_id": now.access_key,
        "secret_access_key": now.secret_key,
        "token": now.token,
        "expires_at": datetime.now(timezone.utc) + _FRESH if renewed else None,
    }
