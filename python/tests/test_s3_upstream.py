"""The S3 endpoint in front of a service that is neither ours nor a Java one: moto, versitygw."""

from __future__ import annotations

import io
import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cluster

boto3 = pytest.importorskip("boto3")
exceptions = pytest.importorskip("botocore.exceptions")
_BUCKET = "upstream"
_KEYS = {"AWS_ACCESS_KEY_ID": "upstream-key", "AWS_SECRET_ACCESS_KEY": "upstream-secret"}
_PART = 5 << 20


def _client(url: str, key: str, secret: str) -> Any:
    return boto3.client(
        "s3",
        endpoint_url=url,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        region_name="us-east-1",
        config=boto3.session.Config(signature_version="s3v4", retries={"total_max_attempts": 2}),
    )


def _await_answer(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url) as answer:  # a server of this test
                answer.read()
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            assert process.poll() is None, "the service ended"
            assert time.monotonic() < end, "the service does not answer"
            time.sleep(0.05)


def _command(name: str, port: int, folder: Path) -> list[str]:
    """Return the command of a service, or skip the test where it is not installed."""
    if name == "moto":
        pytest.importorskip("moto", reason="moto is not installed; pip install 'moto[server]'")
        return [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    found = shutil.which(name) or shutil.which(name, path=str(Path.home() / "go" / "bin"))
    if found is None:
        pytest.skip(f"{name} is not installed")
    keys = ["--access", _KEYS["AWS_ACCESS_KEY_ID"], "--secret", _KEYS["AWS_SECRET_ACCESS_KEY"]]
    return [found, *keys, "--port", f"127.0.0.1:{port}", "--quiet", "posix", str(folder)]


@pytest.fixture(scope="module", params=["moto", "versitygw"])
def upstream(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service of another make with one bucket; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        _command(request.param, port, tmp_path_factory.mktemp(request.param)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=cluster.end_with_parent,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _await_answer(url, process)
        _client(url, *_KEYS.values()).create_bucket(Bucket=_BUCKET)
        yield url
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def behind(upstream: str) -> Iterator[Any]:
    """A client of the service itself."""
    client = _client(upstream, *_KEYS.values())
    yield client
    client.close()


@pytest.fixture(scope="module")
def s3(upstream: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of the endpoint in front of it, which asks the service about every request."""
    folder = tmp_path_factory.mktemp("endpoint")
    arguments = ["gateway", f"data=s3://{_BUCKET}", "--s3-endpoint", upstream, "--s3-region", "us-east-1"]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _KEYS.items():
            patch.setenv(name, value)
        node = cluster.Node([*arguments, "--port", "0", "--freshness-s", "0", "--json"], folder / "log")
    client = _client(node.ready["endpoint"], node.ready["access_key"], node.ready["secret_key"])
    yield client
    client.close()
    node.stop()


def _body(client: Any, bucket: str, key: str, **more: Any) -> bytes:
    return bytes(client.get_object(Bucket=bucket, Key=key, **more)["Body"].read())


def test_objects_are_read_with_their_ranges_types_and_metadata(s3: Any, behind: Any) -> None:
    content = random.Random(1).randbytes(9_000_001)
    behind.put_object(
        Bucket=_BUCKET, Key="a b/ä+%41", Body=content, ContentType="image/png", Metadata={"one": "two"}
    )
    assert _body(s3, "data", "a b/ä+%41") == content
    assert _body(s3, "data", "a b/ä+%41", Range="bytes=4194000-4195000") == content[4194000:4195001]
    assert _body(s3, "data", "a b/ä+%41", Range="bytes=-7") == content[-7:]
    head = s3.head_object(Bucket="data", Key="a b/ä+%41")
    mine = behind.head_object(Bucket=_BUCKET, Key="a b/ä+%41")
    for field in ("ETag", "ContentLength", "ContentType", "LastModified", "Metadata"):
        assert head[field] == mine[field]
    with pytest.raises(exceptions.ClientError, match="304"):
        s3.get_object(Bucket="data", Key="a b/ä+%41", IfNoneMatch=head["ETag"])
    with pytest.raises(exceptions.ClientError, match="NoSuchKey"):
        s3.get_object(Bucket="data", Key="missing")


def test_listings_go_page_by_page_in_both_versions(s3: Any, behind: Any) -> None:
    keys = [f"list/{number % 3}/{number:03}" for number in range(60)]
    for key in keys:
        behind.put_object(Bucket=_BUCKET, Key=key, Body=b"x")
    for version in ("list_objects_v2", "list_objects"):
        pages = s3.get_paginator(version).paginate(
            Bucket="data", Prefix="list/", PaginationConfig={"PageSize": 7}
        )
        assert [item["Key"] for page in pages for item in page["Contents"]] == sorted(keys)
    folders = s3.list_objects_v2(Bucket="data", Prefix="list/", Delimiter="/")
    assert [item["Prefix"] for item in folders["CommonPrefixes"]] == ["list/0/", "list/1/", "list/2/"]


def test_writes_pass_through_and_are_seen_at_once(s3: Any, behind: Any) -> None:
    s3.put_object(Bucket="data", Key="new", Body=io.BytesIO(b"first"), Metadata={"k": "v"})
    assert _body(behind, _BUCKET, "new") == b"first"
    assert _body(s3, "data", "new") == b"first"
    s3.put_object(Bucket="data", Key="new", Body=b"second")
    assert _body(s3, "data", "new") == b"second"
    s3.copy_object(Bucket="data", Key="copied", CopySource={"Bucket": "data", "Key": "new"})
    assert _body(behind, _BUCKET, "copied") == b"second"
    s3.delete_objects(Bucket="data", Delete={"Objects": [{"Key": "new"}, {"Key": "copied"}]})
    with pytest.raises(exceptions.ClientError, match="NoSuchKey"):
        _body(s3, "data", "new")
    assert "Contents" not in behind.list_objects_v2(Bucket=_BUCKET, Prefix="copied")


def test_uploads_in_parts_are_completed_or_abandoned(s3: Any, behind: Any) -> None:
    content = random.Random(2).randbytes(2 * _PART + 9)
    upload = s3.create_multipart_upload(Bucket="data", Key="parts")["UploadId"]
    parts = []
    for number in (1, 2, 3):
        piece = content[(number - 1) * _PART : number * _PART]
        tag = s3.upload_part(Bucket="data", Key="parts", UploadId=upload, PartNumber=number, Body=piece)[
            "ETag"
        ]
        parts.append({"PartNumber": number, "ETag": tag})
    assert len(s3.list_parts(Bucket="data", Key="parts", UploadId=upload)["Parts"]) == 3
    s3.complete_multipart_upload(
        Bucket="data", Key="parts", UploadId=upload, MultipartUpload={"Parts": parts}
    )
    assert _body(s3, "data", "parts") == content
    assert _body(behind, _BUCKET, "parts") == content
    other = s3.create_multipart_upload(Bucket="data", Key="other")["UploadId"]
    s3.abort_multipart_upload(Bucket="data", Key="other", UploadId=other)
    assert "Uploads" not in s3.list_multipart_uploads(Bucket="data")


def test_a_change_behind_the_endpoint_is_seen_and_never_mixed(s3: Any, behind: Any) -> None:
    first, second = (bytes([letter]) * 9_000_000 for letter in b"ab")
    behind.put_object(Bucket=_BUCKET, Key="changing", Body=first)
    answer = s3.get_object(Bucket="data", Key="changing")
    some = answer["Body"].read(1000)
    behind.put_object(Bucket=_BUCKET, Key="changing", Body=second)
    try:
        rest = answer["Body"].read()
    except (exceptions.BotoCoreError, OSError):
        rest = b""  # the store has the old version no more
    assert set(some + rest) == {first[0]}
    assert _body(s3, "data", "changing") == second


def test_the_service_refuses_what_only_it_knows(s3: Any) -> None:
    with pytest.raises(exceptions.ClientError, match="NoSuchUpload"):
        s3.list_parts(Bucket="data", Key="parts", UploadId="unknown")
    assert os.environ.get("AWS_ACCESS_KEY_ID") != _KEYS["AWS_ACCESS_KEY_ID"]


def test_nothing_of_the_endpoint_is_asked_of_the_service_unsigned(upstream: str, tmp_path: Path) -> None:
    arguments = ["gateway", f"data=s3://{_BUCKET}", "--s3-endpoint", upstream, "--anonymous"]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _KEYS.items():
            patch.setenv(name, value)
        node = cluster.Node([*arguments, "--port", "0", "--json"], tmp_path / "log")
    try:
        request = urllib.request.Request(f"{node.ready['endpoint']}/data/denied", b"x", method="PUT")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)  # an endpoint of this test
        assert refused.value.code == 403
        assert b"AccessDenied" in refused.value.read()
    finally:
        node.stop()
