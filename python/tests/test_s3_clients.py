"""Programs that nobody changes read and write through the S3 endpoint of ``quiver up``."""

from __future__ import annotations

import io
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cluster

boto3 = pytest.importorskip("boto3")
_CONTENT = bytes(range(256)) * 4000
_HOSTILE = ["with space", "plus+sign", "per%20cent", "ä-日本-😀", "a=b&c;d,e", "quote'\"<>"]


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """An endpoint that shows one folder as the bucket ``data``."""
    folder = tmp_path_factory.mktemp("s3")
    data = folder / "objects"
    (data / "a").mkdir(parents=True)
    (data / "a" / "big").write_bytes(_CONTENT)
    for number in range(25):
        (data / f"n{number:02}").write_text(str(number))
    with cluster.up(folder, "--s3", f"data={data}", "--s3-port", "0") as node:
        yield {
            "url": node.ready["endpoint"],
            "key": node.ready["access_key"],
            "secret": node.ready["secret_key"],
            "folder": data,
        }


@pytest.fixture
def s3(endpoint: dict[str, Any]) -> Iterator[Any]:
    """A client of boto3."""
    client = boto3.client(
        "s3",
        endpoint_url=endpoint["url"],
        aws_access_key_id=endpoint["key"],
        aws_secret_access_key=endpoint["secret"],
        region_name="eu-west-1",
        config=boto3.session.Config(signature_version="s3v4"),
    )
    yield client
    client.close()


def test_boto3_reads_lists_and_signs_addresses(s3: Any) -> None:
    assert s3.get_object(Bucket="data", Key="a/big")["Body"].read() == _CONTENT
    part = s3.get_object(Bucket="data", Key="a/big", Range="bytes=1000-1999")
    assert part["Body"].read() == _CONTENT[1000:2000]
    assert s3.head_object(Bucket="data", Key="a/big")["ContentLength"] == len(_CONTENT)
    for version in ("list_objects_v2", "list_objects"):
        pages = s3.get_paginator(version).paginate(
            Bucket="data", Prefix="n", PaginationConfig={"PageSize": 7}
        )
        keys = [item["Key"] for page in pages for item in page["Contents"]]
        assert keys == [f"n{number:02}" for number in range(25)]
    address = s3.generate_presigned_url("get_object", {"Bucket": "data", "Key": "n07"}, ExpiresIn=60)
    with urllib.request.urlopen(address) as answer:  # signed for an endpoint of this test
        assert answer.read() == b"7"


def test_boto3_writes_through(s3: Any, endpoint: dict[str, Any]) -> None:
    for key in _HOSTILE:
        s3.put_object(Bucket="data", Key=f"new/{key}", Body=io.BytesIO(key.encode()))
        assert s3.get_object(Bucket="data", Key=f"new/{key}")["Body"].read() == key.encode()
        assert (endpoint["folder"] / "new" / key).read_bytes() == key.encode()
    listed = s3.list_objects_v2(Bucket="data", Prefix="new/")["Contents"]
    assert sorted(item["Key"] for item in listed) == sorted(f"new/{key}" for key in _HOSTILE)
    objects = [{"Key": f"new/{key}"} for key in _HOSTILE]
    assert len(s3.delete_objects(Bucket="data", Delete={"Objects": objects})["Deleted"]) == len(_HOSTILE)
    assert "Contents" not in s3.list_objects_v2(Bucket="data", Prefix="new/")


def test_strangers_get_nothing(endpoint: dict[str, Any]) -> None:
    client = boto3.client(
        "s3",
        endpoint_url=endpoint["url"],
        aws_access_key_id=endpoint["key"],
        aws_secret_access_key="not the secret of this key",
        region_name="us-east-1",
    )
    with pytest.raises(client.exceptions.ClientError, match="SignatureDoesNotMatch"):
        client.get_object(Bucket="data", Key="n00")


def _filesystem(endpoint: dict[str, Any]) -> Any:
    s3fs = pytest.importorskip("s3fs")
    return s3fs.S3FileSystem(
        key=endpoint["key"],
        secret=endpoint["secret"],
        client_kwargs={"endpoint_url": endpoint["url"]},
        skip_instance_cache=True,
    )


def test_s3fs_reads_and_writes(endpoint: dict[str, Any]) -> None:
    files = _filesystem(endpoint)
    assert "data/a" in files.ls("data")
    assert files.glob("data/n0*") == [f"data/n{number:02}" for number in range(10)]
    with files.open("data/a/big", "rb") as file:
        file.seek(500_000)
        assert file.read(1000) == _CONTENT[500_000:501_000]
    with files.open("data/written", "wb") as file:
        file.write(b"by s3fs")
    assert (endpoint["folder"] / "written").read_bytes() == b"by s3fs"


def _parquet(folder: Path) -> Any:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"number": list(range(50_000)), "text": [str(n) for n in range(50_000)]})
    parquet.write_table(table, folder / "table.parquet", row_group_size=5_000)
    return table


def test_pyarrow_reads_parquet(endpoint: dict[str, Any]) -> None:
    table = _parquet(endpoint["folder"])
    parquet = pytest.importorskip("pyarrow.parquet")
    files = pytest.importorskip("pyarrow.fs").S3FileSystem(
        access_key=endpoint["key"],
        secret_key=endpoint["secret"],
        endpoint_override=endpoint["url"].removeprefix("http://"),
        scheme="http",
        region="us-east-1",
    )
    assert parquet.read_table("data/table.parquet", filesystem=files).equals(table)
    assert parquet.read_table("data/table.parquet", filesystem=files, columns=["text"]).num_columns == 1


def test_duckdb_queries_parquet(endpoint: dict[str, Any]) -> None:
    _parquet(endpoint["folder"])
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register_filesystem(_filesystem(endpoint))
    query = "SELECT count(*), sum(number) FROM 's3://data/table.parquet'"
    assert connection.execute(query).fetchall() == [(50_000, sum(range(50_000)))]
