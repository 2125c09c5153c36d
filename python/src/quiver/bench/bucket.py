"""A real S3 server over a folder on this machine: what lies in the folder is in the bucket."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from quiver.examples.program import ExampleError, end_with_parent

KEY, SECRET = "bench", "bench-secret"
_READY_SECONDS = 120.0


@contextlib.contextmanager
def s3_server(folder: Path, home: Path) -> Iterator[int]:
    """Run a server while the context lasts; yields its port on loopback.

    Every folder in ``folder`` is a bucket. versitygw is used where it is installed, else the S3Proxy that
    the Java tests use.

    :param home: a checkout of Quiver, for S3Proxy
    """
    port = free_port()
    log = folder.parent / "s3-server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(folder, port, home),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "ROOT_ACCESS_KEY": KEY, "ROOT_SECRET_KEY": SECRET},
            preexec_fn=end_with_parent,
        )
    try:
        _await(process, port, log)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)


def _command(folder: Path, port: int, home: Path) -> list[str]:
    gateway = shutil.which("versitygw")
    if gateway is not None:
        return [gateway, "--port", f"127.0.0.1:{port}", "--keep-alive", "--quiet", "posix", str(folder)]
    return _s3proxy(folder, port, home)


_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>io.quiver</groupId><artifactId>bench-bucket</artifactId><version>0</version>
<dependencyManagement><dependencies><dependency><groupId>com.fasterxml.jackson</groupId>
<artifactId>jackson-bom</artifactId><version>{jackson}</version><type>pom</type><scope>import</scope>
</dependency></dependencies></dependencyManagement><dependencies><dependency>
<groupId>org.gaul</groupId><artifactId>s3proxy</artifactId><version>{s3proxy}</version>
</dependency></dependencies></project>"""


def _version(home: Path, name: str) -> str:
    """Return the version of a library that the checkout uses."""
    found = re.search(rf"<{name}.version>([^<]+)<", (home / "pom.xml").read_text())
    if found is None:
        raise ExampleError(f"the checkout in {home} names no version of {name}; install versitygw")
    return found.group(1)


def _s3proxy(folder: Path, port: int, home: Path) -> list[str]:
    if not (home / "mvnw").is_file():
        raise ExampleError("no S3 server found; install versitygw, or run this in a checkout of Quiver")
    pom, paths = folder.parent / "pom.xml", folder.parent / "s3proxy-classpath"
    # S3Proxy alone resolves to parts of Jackson that do not fit together.
    pom.write_text(_POM.format(s3proxy=_version(home, "s3proxy"), jackson=_version(home, "jackson")))
    words = ["-q", "-f", str(pom), "dependency:build-classpath", f"-Dmdep.outputFile={paths}"]
    done = subprocess.run([str(home / "mvnw"), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ExampleError(f"the classes of S3Proxy cannot be had: {done.stdout[-500:]}; install versitygw")
    settings = folder.parent / "s3proxy.properties"
    settings.write_text(
        f"s3proxy.endpoint=http://127.0.0.1:{port}\n"
        "s3proxy.authorization=aws-v2-or-v4\n"
        f"s3proxy.identity={KEY}\ns3proxy.credential={SECRET}\n"
        f"jclouds.provider=filesystem-nio2\njclouds.filesystem.basedir={folder}\n"
    )
    java = Path(os.environ["JAVA_HOME"]) / "bin" / "java" if "JAVA_HOME" in os.environ else Path("java")
    return [str(java), "-cp", paths.read_text(), "org.gaul.s3proxy.Main", "--properties", str(settings)]


def free_port() -> int:
    """Return a port of loopback that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def _await(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + _READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise ExampleError(f"the S3 server did not start: {log.read_text(errors='replace')[-500:]}")
