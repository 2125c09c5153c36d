"""Translates what a store answers into exceptions that name what is missing and the remedy.

``FileNotFoundError``, ``PermissionError`` and ``EOFError`` are final, as is every other ``OSError``; only a
:class:`TransientError` is worth another attempt.
"""

from __future__ import annotations

import re

_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w{1,64})</Code>")
_METADATA_SERVICE = re.compile(r"/latest/api/token|/metadata/identity|computeMetadata|169\.254\.\d+\.\d+")
_BUCKET_CODES = {"NoSuchBucket", "ContainerNotFound", "InvalidBucketName"}
_KEY_CODES = {
    "InvalidAccessKeyId",
    "XAdminUserNotFound",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
}
_REGION_CODES = {"PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException"}
_ABSENT, _DENIED, _BEYOND_END = (404, 410), (401, 403, 407), 416
_PASSING = (408, 425, 429)
_UNABLE = (501, 505)

CREDENTIALS = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a profile with "
    "storage_options={'profile': …} (pip install 'quiver[s3]'), or read anonymously with {'anon': True}",
    "az": "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, "
    "or read anonymously with {'anon': True}",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS to a key file, or read anonymously with {'anon': True}",
}


class TransientError(OSError):
    """The store failed for a reason that may pass."""


class BeyondEndError(EOFError):
    """The object ends before the range that was asked for."""


def refusal(kind: str, bucket: str, said: str) -> OSError | EOFError:
    """Return the exception for what a driver said of a failed read.

    Only the status and the store's code are quoted: answers repeat signatures.

    :param kind: of store: ``s3``, ``az``, ``gs`` or ``http``
    :param bucket: its address
    :param said: the driver's own words
    """
    status, code = _first(_STATUS, said), _first(_CODE, said)
    if _METADATA_SERVICE.search(said):
        return TransientError(f"no credentials for {bucket}: {CREDENTIALS.get(kind, 'name some')}")
    if not status:
        return TransientError(f"no usable answer from {bucket}: {said.splitlines()[0][:300] if said else ''}")
    answer = f"the store answered {status}" + (f" ({code})" if code else "")
    return _of_status(int(status), code, kind, bucket, answer)


def _of_status(status: int, code: str, kind: str, bucket: str, answer: str) -> OSError | EOFError:
    if code in _BUCKET_CODES:
        return FileNotFoundError(
            f"{bucket} is not there: {answer}; check its name, the endpoint and the region"
        )
    if code in _REGION_CODES:
        return OSError(f"{bucket} lies in another region: {answer}; name it: storage_options={{'region': …}}")
    if code in _KEY_CODES or status in _DENIED:
        return PermissionError(f"access to {bucket} is denied: {answer}; check {_credentials(kind)}")
    if status in _ABSENT:
        return FileNotFoundError(f"it is not there: {answer}; put it back or make the digest again")
    if status == _BEYOND_END:
        return BeyondEndError(answer)
    if status in _PASSING or (status >= 500 and status not in _UNABLE):
        return TransientError(answer)
    return OSError(f"{bucket}: {answer}")


def _credentials(kind: str) -> str:
    remedy = CREDENTIALS.get(kind)
    return (
        "the address and its headers" if remedy is None else f"the credentials this job runs with: {remedy}"
    )


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1) if found else ""
