from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from quiver.store import Store

OBJECT = bytes(range(256)) * 40


class Web(BaseHTTPRequestHandler):
    """Serves one object, with or without ranges, and fails as often as it is told to."""

    ranges = True
    failures = 0
    silent = threading.Event()

    def do_GET(self) -> None:
        if self.path.startswith("/silent"):
            self.silent.wait(30)
            return
        if not self.is_allowed():
            self.send_error(403)
            return
        if "missing" in self.path or "malformed" in self.path:
            self.send_error(404 if "missing" in self.path else 400)
            return
        if type(self).failures > 0:
            type(self).failures -= 1
            self.send_error(500)
            return
        body, status = OBJECT, 200
        asked = self.headers.get("Range")
        if self.ranges and asked:
            first, last = asked.removeprefix("bytes=").split("-")
            if int(first) >= len(OBJECT):
                self.send_error(416)
                return
            body, status = OBJECT[int(first) : int(last) + 1], 206
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def is_allowed(self) -> bool:
        return True

    def log_message(self, *arguments: object) -> None:
        pass


class Bucket(Web):
    """A bucket that one reader may read."""

    def is_allowed(self) -> bool:
        signed = self.headers.get("Authorization", "")
        return self.path.startswith("/bucket/images/") and "Credential=reader/" in signed


@contextlib.contextmanager
def serving(handler: type[Web]) -> Iterator[str]:
    Web.ranges, Web.failures = True, 0
    Web.silent.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
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
    """A bucket's address and the reader's credentials, as fsspec's driver takes them."""
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
    store = Store.open(web)
    Web.failures = 2
    assert store.read("x.bin", 0, 10) == OBJECT[:10]
    Web.failures = 100
    with pytest.raises(OSError, match="after 3 attempts"):
        store.read("x.bin", 0, 10)
    assert Web.failures == 97
    with pytest.raises(FileNotFoundError):
        store.read("missing.bin", 0, 10)


def test_a_range_beyond_the_end_is_told_as_too_short(web: str) -> None:
    with pytest.raises(EOFError, match=r"no byte of 5 bytes from 20000"):
        Store.open(web).read("x.bin", 20_000, 5)


def test_a_bucket_is_read_with_the_users_own_credentials(bucket: dict[str, str]) -> None:
    store = Store.open("s3://bucket/images", bucket)
    assert store.read("a b/ü.bin", 300, 700) == OBJECT[300:1000]
    with pytest.raises(FileNotFoundError):
        store.read("missing.bin", 0, 10)
    with pytest.raises(EOFError):
        store.read("x.bin", 20_000, 5)
    with pytest.raises(OSError, match="after 3 attempts"):
        store.read("malformed.bin", 0, 10)
    with pytest.raises(PermissionError):
        Store.open("s3://bucket/images", {**bucket, "key": "stranger"}).read("x.bin", 0, 10)


def test_processes_read_a_bucket_after_a_fork(bucket: dict[str, str]) -> None:
    store = Store.open("s3://bucket/images", bucket)
    assert store.read("x.bin", 0, 10) == OBJECT[:10]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap_async(store.read, [("x.bin", at, 50) for at in range(40)]).get(60)
    assert found == [OBJECT[at : at + 50] for at in range(40)]


def test_a_store_that_does_not_answer_is_given_up_in_time(web: str) -> None:
    store = Store.open(web.replace("/root", "/silent"), timeout=0.2)
    began = time.monotonic()
    with pytest.raises(OSError, match="after 3 attempts"):
        store.read("x.bin", 0, 10)
    assert time.monotonic() - began < 10


def test_a_store_travels_by_its_address(web: str) -> None:
    store = Store.open(web, {"block_size": 4096}, timeout=7)
    store.read("x.bin", 0, 10)
    copy = pickle.loads(pickle.dumps(store))
    assert (copy.uri, copy.storage_options, copy.timeout) == (store.uri, {"block_size": 4096}, 7)
    assert copy.read("x.bin", 0, 10) == OBJECT[:10]


def test_an_unknown_store_says_what_to_install() -> None:
    with pytest.raises(ImportError, match=r"pip install 'quiver\[gcs\]'"):
        Store.open("gs://bucket/prefix").read("x", 0, 1)


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
