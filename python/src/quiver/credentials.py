"""The means by which a client shows who it is, and by which it checks whom it talks to.

Tokens come from arguments, files and the environment, never from a command line. No log, error, ``repr`` or
pickle has them.
"""

from __future__ import annotations

import logging
import math
import os
import ssl
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

_LOG = logging.getLogger("quiver")
_LOOK_EVERY_SECONDS = 1.0

TOKEN_VARIABLE = "QUIVER_TOKEN"  # noqa: S105 - a name, not a token
TOKEN_FILE_VARIABLE = "QUIVER_TOKEN_FILE"  # noqa: S105
CERTIFICATE_VARIABLE = "QUIVER_TLS_CERT"
KEY_VARIABLE = "QUIVER_TLS_KEY"

PathLike = str | os.PathLike[str]
Packed = tuple[str | None, str | None, str | None, str | None, str | None]
T = TypeVar("T")


class Credentials:
    """A bearer token, a client certificate and the issuers of acceptable servers; each may be lacking.

    Files are read again when they change. An argument counts before a variable of the environment, and a
    token file before a token.

    >>> Credentials(token="the-token-of-a-job")
    Credentials(token)

    :param token: the token itself, by default ``QUIVER_TOKEN``
    :param token_file: a file that holds the token, by default ``QUIVER_TOKEN_FILE``
    :param cert: a PEM file with the client's certificate, by default ``QUIVER_TLS_CERT``
    :param key: a PEM file with its key, by default ``QUIVER_TLS_KEY``
    :param trust: a PEM file with the issuers of acceptable servers, by default the platform's
    :raises ValueError: if they make no sense; the token is not in the message
    """

    def __init__(
        self,
        *,
        token: str | None = None,
        token_file: PathLike | None = None,
        cert: PathLike | None = None,
        key: PathLike | None = None,
        trust: PathLike | None = None,
    ):
        if token is not None and token_file is not None:
            raise ValueError("token and token_file are both given; give one of them")
        if token is None and token_file is None:
            token_file = os.environ.get(TOKEN_FILE_VARIABLE) or None
            token = None if token_file else os.environ.get(TOKEN_VARIABLE) or None
        if cert is None and key is None:
            cert = os.environ.get(CERTIFICATE_VARIABLE) or None
            key = os.environ.get(KEY_VARIABLE) or None
        if (cert is None) != (key is None):
            raise ValueError(
                f"cert and key belong together, and so do {CERTIFICATE_VARIABLE} and {KEY_VARIABLE}"
            )
        checked = None if token is None else _checked(token, f"token (or {TOKEN_VARIABLE})")
        self._set((checked, *map(_absolute, (token_file, cert, key, trust))))  # type: ignore[arg-type]
        try:
            if token_file is not None:
                self._token.get()
            if cert is not None or trust is not None:
                self._tls.get()
        except OSError as e:
            raise ValueError(f"the credentials cannot be read: {e}") from e

    def _set(self, packed: Packed) -> None:
        self._packed = packed
        token, token_file, cert, key, trust = packed
        if token_file is None:
            self._token: _Reloaded[str | None] = _Reloaded([], lambda: token)
        else:
            self._token = _Reloaded([token_file], lambda: _read_token(token_file))
        files = [file for file in (cert, key, trust) if file is not None]
        self._tls = _Reloaded(files, lambda: _tls_context(cert, key, trust))

    @staticmethod
    def none() -> Credentials:
        """Return no token and no certificate, whatever the environment says."""
        return Credentials.unpack((None, None, None, None, None))

    @staticmethod
    def unpack(packed: Packed) -> Credentials:
        """Make credentials from those another process has packed; nothing is read before it is used."""
        credentials = object.__new__(Credentials)
        credentials._set(packed)
        return credentials

    def pack(self) -> Packed:
        """Return the parts for a pipe to a process of the same job, with the token: not for files."""
        return self._packed

    def authorization(self) -> str | None:
        """Return the value of the Authorization field; None without a token."""
        try:
            token = self._token.get()
        except (OSError, ValueError) as e:
            _LOG.debug("no token: %s", e)
            return None
        return None if token is None else f"Bearer {token}"

    def renewed(self, refused: str | None) -> bool:
        """Read the token file again, after a refusal; returns True if another token is worth a try."""
        self._token.expire()
        return self.authorization() not in (None, refused)

    def tls(self) -> ssl.SSLContext:
        """Return the client's side of TLS, with the newest certificates.

        :raises OSError: if the files cannot be used
        """
        return self._tls.get()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Credentials) and self._packed == other._packed

    def __hash__(self) -> int:
        return hash(self._packed)

    def __repr__(self) -> str:
        names = ("token", "token_file", "cert", "key", "trust")
        given = (name for name, value in zip(names, self._packed, strict=True) if value is not None)
        return f"Credentials({', '.join(given)})"

    def __reduce__(self) -> str:
        raise TypeError("credentials are not pickled: a pickle may end in a file; make them in each process")


class _Reloaded(Generic[T]):
    """A value made from files, and made again when they change.

    The files are looked at when the value is asked for, at most once a second. If their new state makes no
    sense, the old value stays and a warning says so once. Takes no lock: forked children use it, too.
    """

    def __init__(self, files: Sequence[str], load: Callable[[], T]):
        self._files = files
        self._load = load
        self._looked_at = -math.inf
        self._made: tuple[list[object], T] | None = None

    def get(self) -> T:
        """Return the newest value that made sense; raises what loading raises if there was none yet."""
        made = self._made
        now = time.monotonic()
        if made is not None and (not self._files or now - self._looked_at < _LOOK_EVERY_SECONDS):
            return made[1]
        self._looked_at = now
        found = [_stamp(file) for file in self._files]
        if made is not None and made[0] == found:
            return made[1]
        try:
            made = (found, self._load())
        except (OSError, ValueError) as e:
            if made is None:
                raise
            _LOG.warning("%s changed but cannot be used; the old one stays in use: %s", self._files, e)
            made = (found, made[1])
        self._made = made
        return made[1]

    def expire(self) -> None:
        """Let the next call check the files."""
        self._looked_at = -math.inf


def _stamp(file: str) -> object:
    try:
        status = Path(file).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _absolute(path: PathLike | None) -> str | None:
    return None if path is None else str(Path(path).absolute())


def _read_token(file: str) -> str:
    return _checked(Path(file).read_text("utf-8"), file)


def _checked(text: str, source: str) -> str:
    token = text.strip()
    if not token or not all("!" <= character <= "~" for character in token):
        raise ValueError(f"{source} has no token: one word of printable ASCII")
    return token


def _tls_context(cert: str | None, key: str | None, trust: str | None) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=trust)
    except OSError as e:
        raise OSError(f"the certificates in {trust} cannot be trusted ({e})") from e
    if cert is not None:
        try:
            # Without a password OpenSSL would ask for one at the terminal.
            context.load_cert_chain(cert, key, password="")
        except OSError as e:
            raise OSError(
                f"the certificate {cert} cannot be used with the key {key} ({e}); do they belong together?"
            ) from e
    return context
