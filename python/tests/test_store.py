from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import pytest

from quiver.store import Driver, Store

OBJECT = bytes(range(256)) * 40


class Web(BaseHTTPRequestHandler):
    """Serves one object, with or without ranges, and fails as often or as long as it is told to."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    ranges = True
    failures = 0
    busy_until = 0.0
    silent = threading.Event()
    connections: ClassVar[set[object]] = set()

    def do_GET(self) -> None:
        self.connections.add(self.client_address)
        if self.path.startswith("/silent"):
            self.silent.wait(30)
            return
        if refused := self.refusal():
            self.refuse(*refused)
            return
        if type(self).failures > 0:
            type(self).failures -= 1
            self.refuse(500, "InternalError")
            return
        if time.monotonic() < self.busy_until:
            self.refuse(503, "SlowDown")
            return
        asked = self.headers.get("Range")
        if not self.ranges or not asked:
            self.answer(200, OBJECT)
            return
        first, last = asked.removeprefix("bytes=").split("-")
        body = OBJECT[int(first) : int(last) + 1]
        if body:
            place = f"bytes {first}-{int(first) + len(body) - 1}/{len(OBJECT)}"
            self.answer(206, body, {"Content-Range": place})
        else:
            self.refuse(416, "InvalidRange")

    def refusal(self) -> tuple[int, str] | None:
        """Return the status and code of an answer to what cannot be had."""
        if "malformed" in self.path:
            return 400, "InvalidArgument"
        return (404, "NoSuchKey") if "missing" in self.path else None

    def refuse(self, status: int, code: str) -> None:
        self.answer(status, f"<Error><Code>{code}</Code><Signature>s3cr3t</Signature></Error>".encode())

    def answer(self, status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


class Bucket(Web):
    """A bucket that one reader may read."""

    def refusal(self) -> tuple[int, str] | None:
        if "Credential=reader/" not in self.headers.get("Authorization", ""):
            return 403, "InvalidAccessKeyId"
        if not self.path.startswith("/bucket/"):
            return 404, "NoSuchBucket"
        return (404, "NoSuchKey") if not self.path.startswith("/bucket/images/") else super().refusal()


@contextlib.contextmanager
def serving(handler: type[Web]) -> Iterator[str]:
    Web.ranges, Web.failures, Web.busy_until = True, 0, 0.0
    Web.connections.clear()
    Web.silent.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    Web.silent.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def web() -> Iterator[str]:
    with serving(Web) as address:
        yield f"{address}/root"


@pytest.fixture
def bucket() -> Iterator[dict[str, str]]:
    """A bucket's address and the reader's credentials, as fsspec's driver would take them, too."""
    with serving(Bucket) as address:
        yield {"endpoint_url": address, "key": "reader", "secret": "s"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "x.bin").write_bytes(OBJECT)
    return tmp_path


@pytest.mark.parametrize("form", ["path", "uri"])
def test_a_folder_is_read_in_ranges(folder: Path, form: str) -> None:
    store = Store.open(folder if form == "path" else folder.as_uri())
    assert store.read("a b/x.bin", 5, 1000) == OBJECT[5:1005]
    assert store.read("a b/x.bin", 0, 0) == b""


def test_what_is_not_there_or_too_short_is_told_apart(folder: Path) -> None:
    store = Store.open(folder)
    with pytest.raises(FileNotFoundError):
        store.read("nothing", 0, 1)
    with pytest.raises(EOFError, match=r"of 20 bytes"):
        store.read("a b/x.bin", len(OBJECT) - 10, 20)


@pytest.mark.parametrize("ranges", [True, False])
def test_a_web_server_is_read_in_ranges_even_if_it_knows_none(web: str, ranges: bool) -> None:
    Web.ranges = ranges
    assert Store.open(web).read("x.bin", 300, 700) == OBJECT[300:1000]


def test_a_passing_failure_is_repeated_and_a_lasting_one_is_not_for_ever(web: str) -> None:
    store = Store.open(web, retries=2)
    Web.failures = 2
    assert store.read("x.bin", 0, 10) == OBJECT[:10]
    Web.failures = 100
    with pytest.raises(OSError, match=r"answered 500 .*after 3 attempts"):
        store.read("x.bin", 0, 10)
    assert Web.failures == 97
    with pytest.raises(FileNotFoundError):
        store.read("missing.bin", 0, 10)


@pytest.mark.parametrize("kind", ["web", "bucket"])
def test_a_store_that_is_busy_for_a_second_does_not_end_a_read(kind: str) -> None:
    with serving(Bucket if kind == "bucket" else Web) as address:
        keys = {"endpoint_url": address, "key": "reader", "secret": "s"}
        store = Store.open("s3://bucket/images", keys) if kind == "bucket" else Store.open(f"{address}/root")
        Web.busy_until = time.monotonic() + 1
        assert store.read("x.bin", 0, 10) == OBJECT[:10]


@pytest.mark.parametrize("retries", [-1, 101])
def test_a_senseless_number_of_retries_is_refused(folder: Path, retries: int) -> None:
    with pytest.raises(ValueError, match="use 0 to 100"):
        Store.open(folder, retries=retries)


def test_a_range_beyond_the_end_is_told_as_too_short(web: str) -> None:
    with pytest.raises(EOFError, match=r"no byte of 5 bytes from 20000"):
        Store.open(web).read("x.bin", 20_000, 5)


@pytest.mark.parametrize("driver", ["native", "fsspec"])
def test_a_bucket_is_read_with_the_users_own_credentials(bucket: dict[str, str], driver: Driver) -> None:
    store = Store.open("s3://bucket/images", bucket, driver=driver, retries=1)
    assert store.read("a b/ü.bin", 300, 700) == OBJECT[300:1000]
    with pytest.raises(FileNotFoundError, match="it is not there"):
        store.read("missing.bin", 0, 10)
    with pytest.raises(EOFError, match=r"no byte of 5 bytes"):
        store.read("x.bin", 20_000, 5)
    with pytest.raises(EOFError, match=r"10 of 20 bytes"):
        store.read("x.bin", len(OBJECT) - 10, 20)
    with pytest.raises(PermissionError, match="denied"):
        Store.open("s3://bucket/images", {**bucket, "key": "stranger"}, driver=driver).read("x.bin", 0, 10)


def test_errors_of_a_bucket_name_what_is_missing_and_no_secrets(bucket: dict[str, str]) -> None:
    with pytest.raises(FileNotFoundError, match=r"s3://other is not there.*NoSuchBucket.*endpoint") as absent:
        Store.open("s3://other/images", bucket).read("x.bin", 0, 10)
    with pytest.raises(
        PermissionError, match=r"s3://bucket.*InvalidAccessKeyId.*AWS_ACCESS_KEY_ID"
    ) as denied:
        Store.open("s3://bucket/images", {**bucket, "key": "stranger"}).read("x.bin", 0, 10)
    with pytest.raises(
        OSError, match=r"s3://bucket: the store answered 400 \(InvalidArgument\)$"
    ) as malformed:
        Store.open("s3://bucket/images", bucket).read("malformed.bin", 0, 10)
    assert "s3cr3t" not in str([absent.value, denied.value, malformed.value])
    with pytest.raises(ValueError, match=r"'colour' is not valid.*driver='fsspec'"):
        Store.open("s3://bucket/images", {**bucket, "colour": "red"}).read("x.bin", 0, 10)


def test_missing_credentials_are_told_with_the_ways_to_give_them(
    bucket: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [each for each in os.environ if each.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    # Amazon's machines have a service that hands out credentials; this one has none.
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    endpoints = {"endpoint_url": bucket["endpoint_url"], "metadata_endpoint": bucket["endpoint_url"]}
    with pytest.raises(PermissionError, match=r"no credentials for s3://bucket.*'profile'.*'anon': True"):
        Store.open("s3://bucket/images", endpoints).read("x.bin", 0, 10)


def test_a_profile_gives_credentials_and_endpoint(
    bucket: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys = f"aws_access_key_id = {bucket['key']}\naws_secret_access_key = s\n"
    (tmp_path / "config").write_text(f"[profile research]\nendpoint_url = {bucket['endpoint_url']}\n{keys}")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    store = Store.open("s3://bucket/images", {"profile": "research"})
    assert store.read("x.bin", 0, 10) == OBJECT[:10]


def test_processes_read_a_bucket_after_a_fork(bucket: dict[str, str]) -> None:
    store = Store.open("s3://bucket/images", bucket)
    assert store.read("x.bin", 0, 10) == OBJECT[:10]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap_async(read_copy, [(store, at) for at in range(40)]).get(60)
    assert found == [OBJECT[at : at + 50] for at in range(40)]
    assert store.read("x.bin", 0, 10) == OBJECT[:10]


def read_copy(store: Store, at: int) -> bytes:
    return bytes(store.read("x.bin", at, 50))


def test_threads_share_connections(bucket: dict[str, str]) -> None:
    store = Store.open("s3://bucket/images", bucket)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda at: read_copy(store, at), range(100)))
    assert found == [OBJECT[at : at + 50] for at in range(100)]
    assert len(Web.connections) <= 8, "a hundred reads of four threads"


def test_a_store_that_does_not_answer_is_given_up_in_time(web: str) -> None:
    store = Store.open(web.replace("/root", "/silent"), timeout=0.2, retries=2)
    with pytest.raises(OSError, match="after 3 attempts"):
        store.read("x.bin", 0, 10)


def test_a_store_travels_by_its_address(web: str) -> None:
    store = Store.open(web, {"headers": {"X-Team": "a"}}, timeout=7, retries=9)
    store.read("x.bin", 0, 10)
    copy = pickle.loads(pickle.dumps(store))
    assert (copy.uri, copy.storage_options, copy.timeout) == (store.uri, {"headers": {"X-Team": "a"}}, 7)
    assert copy.retries == 9
    assert copy.read("x.bin", 0, 10) == OBJECT[:10]


def test_any_other_store_is_read_through_fsspec() -> None:
    import fsspec

    with fsspec.open("memory://images/x.bin", "wb") as file:
        file.write(OBJECT)
    store = Store.open("memory://images")
    assert store.read("x.bin", 5, 100) == OBJECT[5:105]
    with pytest.raises(FileNotFoundError, match="make the digest again"):
        store.read("missing.bin", 0, 1)
    with pytest.raises(ImportError, match=r"gs://bucket needs a driver .* pip install"):
        Store.open("gs://bucket", driver="fsspec").read("x", 0, 1)
    with pytest.raises(ValueError, match="driver='native'"):
        Store.open("memory://images", driver="native")


def test_a_slow_store_is_slow_for_all_readers_together(folder: Path) -> None:
    stores = [Store.open(folder, mbps=0.2, latency_ms=1) for _ in range(3)]
    began = time.monotonic()
    threads = [
        threading.Thread(target=s.read, args=("a b/x.bin", 0, 10_000)) for s in stores for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began >= 0.3  # 60,000 bytes at 200,000 a second


@pytest.mark.parametrize(("mbps", "latency_ms"), [(0.0001, -1), (-2, 0), (1, 1e9)])
def test_a_senseless_throttle_is_refused(folder: Path, mbps: float, latency_ms: float) -> None:
    with pytest.raises(ValueError, match="make no sense"):
        Store.open(folder, mbps=mbps, latency_ms=latency_ms)
