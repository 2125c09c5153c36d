from __future__ import annotations

import contextlib
import json
import shlex
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import cluster
from quiver.bench import jobs, peers
from quiver.bench.line import Line


class Folder(BaseHTTPRequestHandler):
    """Serves the files of a folder to whoever asks; ranges are whole files."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    root = Path()

    def do_GET(self) -> None:
        body = (self.root / self.path[1:]).read_bytes()
        asked = self.headers.get("Range")
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"{asked.replace('=', ' ')}/{len(body)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def serving(folder: Path, home: Path) -> Iterator[int]:
    """Serve a folder in place of the benchmark's S3 server."""
    Folder.root = folder
    server = ThreadingHTTPServer(("127.0.0.1", 0), Folder)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def fetch(port: int, name: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as caller:
        caller.sendall(f"GET /{name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while piece := caller.recv(1 << 16):
            answer += piece
    return answer.split(b"\r\n\r\n", 1)[1]


def test_a_line_carries_everything_and_no_faster_than_its_rate(tmp_path: Path) -> None:
    content = bytes(range(250)) * 4000
    (tmp_path / "x").write_bytes(content)
    with serving(tmp_path, tmp_path) as port, Line(port, 5e6) as line:
        began = time.monotonic()
        found: list[bytes] = []
        callers = [threading.Thread(target=lambda: found.append(fetch(line.port, "x"))) for _ in range(3)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(60)
        assert found == [content] * 3
        assert time.monotonic() - began >= 0.55, "3 MB at 5 MB/s"
        assert 3e6 <= line.carried < 3.01e6


def test_every_job_gets_every_sample_exactly_once_and_reads_are_counted_at_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Judges no times, and no ratios that depend on them: two busy cores give a plan late."""
    monkeypatch.setattr(jobs, "s3_server", serving)
    words = ["--systems", "quiver", "none", "--sizes", "2000", "--megabytes", "1", "--jobs", "2"]
    words += ["--mbps", "1", "--share", "0.6", "--batch", "8", "--workers", "1", "--json", "--quiet"]
    words += ["--folder", str(tmp_path), "--quiver", shlex.join(cluster.quiver_command())]
    assert jobs.main(words) in (0, 1)
    rows = {row["system"]: row for row in json.loads(capfd.readouterr().out)}
    assert list(rows) == ["quiver", "none"]
    assert all(row["exactly_once"] for row in rows.values())
    assert rows["none"]["store_reads_per_epoch"] > 2
    assert 0.4 < rows["quiver"]["store_reads_per_epoch"] <= 1.1 * rows["none"]["store_reads_per_epoch"], rows
    assert all(row["cpu_seconds"] > 0 and row["seconds"] > row["epoch2_seconds"] > 0 for row in rows.values())


def test_a_system_that_is_not_installed_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert peers.installed("none")
    assert jobs.main(["--systems", "juicefs", "--json"]) == 0
    captured = capfd.readouterr()
    assert json.loads(captured.out) == []
    assert "left out: juicefs" in captured.err
