"""Other ways to cache a bucket, where they are installed: JuiceFS and MosaicML Streaming."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from quiver.bench.bucket import KEY, SECRET, free_port
from quiver.examples.program import ExampleError, end_with_parent

_SHARD_BYTES = 4_000_000
_SHARDS_IN_CACHE = 8
_READY_SECONDS = 60.0


def installed(system: str) -> bool:
    """Return True if a peer can be measured on this machine."""
    if system == "juicefs":
        return all(shutil.which(name) for name in ("juicefs", "redis-server")) and Path("/dev/fuse").exists()
    if system == "mosaicml":
        return importlib.util.find_spec("streaming") is not None
    return True


def write_shards(folder: Path, sources: Path, names: Sequence[str], cache_bytes: int) -> None:
    """Write samples as MosaicML's shards, of which a cache of so many bytes holds several."""
    from streaming import MDSWriter

    size = min(_SHARD_BYTES, cache_bytes // _SHARDS_IN_CACHE)
    with MDSWriter(out=str(folder), columns={"x": "bytes"}, size_limit=size) as out:
        for name in names:
            out.write({"x": (sources / name).read_bytes()})


class JuiceFs:
    """A file system whose blocks lie in a bucket, mounted with a cache of so many bytes."""

    def __init__(self, folder: Path, endpoint: str, cache_bytes: int):
        self._folder, self._endpoint, self._cache_bytes = folder, endpoint, cache_bytes
        self.mounted = folder / "mounted"
        self._metadata = ""

    @contextlib.contextmanager
    def formatted(self) -> Iterator[None]:
        """Make the file system; its metadata is in a database of its own while the context lasts."""
        self.mounted.mkdir(parents=True)
        port = free_port()
        command = ["redis-server", "--port", str(port), "--save", "", "--bind", "127.0.0.1", "--dir"]
        database = subprocess.Popen(
            [*command, str(self._folder)], stdout=subprocess.DEVNULL, preexec_fn=end_with_parent
        )
        try:
            _await(port)
            self._metadata = f"redis://127.0.0.1:{port}/0"
            keys = ["--access-key", KEY, "--secret-key", SECRET]
            bucket = ["--storage", "s3", "--bucket", f"{self._endpoint}/juicefs"]
            _run("format", *bucket, *keys, "--trash-days", "0", self._metadata, "bench")
            yield
        finally:
            database.terminate()
            database.wait(20)

    @contextlib.contextmanager
    def mount(self) -> Iterator[int]:
        """Mount it with an empty cache; yields the process that serves it."""
        cache = self._folder / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        sizes = [
            "--cache-dir",
            str(cache),
            "--cache-size",
            str(self._cache_bytes >> 20),
            "--free-space-ratio",
            "0.01",
        ]
        log = (self._folder / "mount.log").open("ab")
        with log:
            process = subprocess.Popen(
                ["juicefs", "mount", "--no-usage-report", *sizes, self._metadata, str(self.mounted)],
                stdout=log,
                stderr=log,
                env={**os.environ, "JFS_SUPERVISOR": "test"},
                preexec_fn=end_with_parent,
            )
        try:
            end = time.monotonic() + _READY_SECONDS
            while not self.mounted.is_mount():
                if process.poll() is not None or time.monotonic() > end:
                    raise ExampleError(
                        f"juicefs did not mount: {(self._folder / 'mount.log').read_text()[-500:]}"
                    )
                time.sleep(0.05)
            yield process.pid
        finally:
            subprocess.run(["juicefs", "umount", str(self.mounted)], capture_output=True, check=False)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            if process.poll() is None:
                process.kill()
                process.wait(20)


def _run(*arguments: str) -> None:
    done = subprocess.run(["juicefs", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ExampleError(f"juicefs {arguments[0]} failed: {done.stderr[-500:]}")


def _await(port: int) -> None:
    end = time.monotonic() + _READY_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise ExampleError("redis-server did not start") from None
            time.sleep(0.05)
