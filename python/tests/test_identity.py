"""Clusters that tell callers apart: tokens, certificates and several managers, in every process of a job."""

from __future__ import annotations

import collections
import itertools
import logging
import pickle
import socket
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cluster
import datasets
from blobs import random_blobs
from hostile import hostile
from quiver import CacheClient, Credentials
from quiver.manager import ManagerCalls
from quiver.torch import QuiverDataLoader, QuiverDataset, QuiverWarning
from quiver.transport import Request

ITEMS = datasets.ITEMS
TOKEN = "the-token-of-a-training-job"
VIEWER = "the-token-of-a-mere-viewer"


@pytest.fixture(autouse=True)
def no_credentials_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QUIVER_TOKEN", "QUIVER_TOKEN_FILE", "QUIVER_TLS_CERT", "QUIVER_TLS_KEY", "QUIVER_CACHE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def dataset(data: datasets.Data) -> QuiverDataset:
    return QuiverDataset(data.digest, data.store, labels=False)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[cluster.Node]:
    """A cluster that knows a job and a viewer by their tokens."""
    folder = tmp_path_factory.mktemp("guarded")
    tokens = folder / "tokens"
    tokens.write_text(f"{TOKEN} job trainer\n{VIEWER} viewer someone\n")
    with cluster.up(folder, "--token-file", str(tokens), servers=2) as node:
        yield node


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a private CA (ca.pem) and certificates of its own for a node and a job."""
    folder = tmp_path_factory.mktemp("authority")

    def openssl(*arguments: str) -> None:
        done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            pytest.skip(f"no usable openssl: {done.stderr.decode()}")

    new = (
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    )
    openssl(*new, "-subj", "/CN=private CA", "-keyout", "ca.key", "-out", "ca.pem")
    issued = ("-CA", "ca.pem", "-CAkey", "ca.key")
    node = ("-subj", "/CN=node", "-addext", "subjectAltName=IP:127.0.0.1")
    openssl(*new, *issued, *node, "-keyout", "node.key", "-out", "node.pem")
    openssl(*new, *issued, "-subj", "/CN=trainer", "-keyout", "job.key", "-out", "job.pem")
    return folder


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory, authority: Path) -> Iterator[cluster.Node]:
    """A cluster behind TLS that knows a job by its certificate or by a token."""
    folder = tmp_path_factory.mktemp("encrypted")
    tokens = folder / "tokens"
    tokens.write_text(f"{TOKEN} job other\ncert job trainer\n")
    files = ["--tls-cert", authority / "node.pem", "--tls-key", authority / "node.key"]
    files += ["--tls-client-ca", authority / "ca.pem", "--token-file", tokens]
    with cluster.up(folder, *map(str, files)) as node:
        yield node


def as_bytes(samples: list[bytes]) -> list[bytes]:
    return samples


def dead_address() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def trained(
    dataset: QuiverDataset,
    data: datasets.Data,
    workers: int = 0,
    method: Any = None,
    *,
    cached: int = 0,
    **options: Any,
) -> tuple[dict[str, int], list[str]]:
    """Train for three epochs; returns the loader's statistics and the warnings.

    :param cached: trains on until the cache had more samples than this: inserts take their time
    """
    deadline = time.monotonic() + 60
    options |= {"num_workers": workers, "multiprocessing_context": method, "persistent_workers": workers > 0}
    with (
        warnings.catch_warnings(record=True) as caught,
        QuiverDataLoader(dataset, batch_size=12, collate_fn=as_bytes, **options) as loader,
    ):
        warnings.simplefilter("always")
        for epoch in itertools.count():
            late = loader.statistics()["cached"] <= cached > 0 and time.monotonic() < deadline
            if epoch >= 3 and not late:
                break
            counts = collections.Counter(sample for batch in loader for sample in batch)
            assert counts == collections.Counter(data.contents)
        return loader.statistics(), [str(w.message) for w in caught if w.category is QuiverWarning]


@pytest.mark.parametrize(
    ("token", "reason"), [(None, "401"), ("a-token-nobody-knows", "401"), (VIEWER, "403")]
)
def test_a_cluster_with_tokens_refuses_other_jobs_which_go_on_from_the_store_and_are_told_once(
    dataset: QuiverDataset, data: datasets.Data, guarded: cluster.Node, token: str | None, reason: str
) -> None:
    counts, told = trained(dataset, data, workers=1, cache=guarded.manager, token=token)
    assert counts["store_reads"] == 3 * ITEMS
    (message,) = told
    assert f"refuses the job ({reason})" in message
    assert "token_file=" in message
    assert "QUIVER_TOKEN_FILE" in message
    assert "training goes on" in message
    assert token is None or token not in message


@pytest.mark.parametrize(
    ("workers", "method", "source"),
    [
        (0, None, "token"),
        (2, "fork", "token_file"),
        (1, "fork", "QUIVER_TOKEN_FILE"),
        pytest.param(2, "spawn", "token", marks=pytest.mark.long),
    ],
)
def test_a_token_lets_every_process_of_a_job_use_the_cluster(
    dataset: QuiverDataset,
    data: datasets.Data,
    guarded: cluster.Node,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
    method: Any,
    source: str,
) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    options: dict[str, Any] = {"token": {"token": TOKEN}, "token_file": {"token_file": file}}.get(source, {})
    if source == "QUIVER_TOKEN_FILE":
        monkeypatch.setenv("QUIVER_TOKEN", "a-token-nobody-knows")
        monkeypatch.setenv("QUIVER_TOKEN_FILE", str(file))
    counts, told = trained(dataset, data, workers, method, cache=guarded.manager, cached=ITEMS, **options)
    assert told == []
    assert counts["cached"] > ITEMS


@pytest.mark.parametrize(("workers", "method"), [(0, None), (1, "fork"), (1, "spawn")])
def test_a_private_authority_is_trusted_in_every_process_of_a_job(
    dataset: QuiverDataset,
    data: datasets.Data,
    encrypted: cluster.Node,
    authority: Path,
    workers: int,
    method: Any,
) -> None:
    options: dict[str, Any] = {"cache": encrypted.manager, "trust": authority / "ca.pem", "token": TOKEN}
    counts, told = trained(dataset, data, workers, method, cached=ITEMS, **options)
    assert told == []
    assert counts["cached"] > ITEMS


def test_a_certificate_shows_who_a_job_is(
    dataset: QuiverDataset,
    data: datasets.Data,
    encrypted: cluster.Node,
    authority: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options: dict[str, Any] = {"cache": encrypted.manager, "trust": authority / "ca.pem", "workers": 1}
    with QuiverDataLoader(dataset, collate_fn=len, cache=encrypted.manager) as stranger:
        with pytest.warns(QuiverWarning, match="trust="):
            next(iter(stranger))
    monkeypatch.setenv("QUIVER_TLS_CERT", str(authority / "job.pem"))
    monkeypatch.setenv("QUIVER_TLS_KEY", str(authority / "job.key"))
    counts, told = trained(dataset, data, cached=ITEMS, **options)
    assert told == []
    assert counts["cached"] > ITEMS


def test_the_first_of_two_managers_may_be_dead(
    dataset: QuiverDataset, data: datasets.Data, guarded: cluster.Node
) -> None:
    listed = [dead_address(), guarded.manager]
    counts, told = trained(dataset, data, cache=listed, token=TOKEN, cached=ITEMS)
    assert told == []
    assert counts["cached"] > ITEMS
    counts, told = trained(dataset, data, workers=1, cache=", ".join(listed), token=TOKEN, cached=ITEMS)
    assert told == []
    assert counts["cached"] > ITEMS


def test_calls_go_to_the_manager_that_answered_last_and_then_to_the_others_in_order() -> None:
    asked: list[str] = []

    def manager(name: str) -> Any:
        def answer(exchange: Any) -> None:
            asked.append(name)
            exchange.send(b"HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\n{}")

        return answer

    with hostile(manager("second")) as second:
        with hostile(manager("first")) as first:
            calls = ManagerCalls((first, second), "job", Credentials())
            assert calls.poll(0).status == 503, "a refusal is an answer"
            assert calls.address == first
        calls.poll(0)
        calls.report({})
        assert calls.address == second
    with pytest.raises(OSError, match=r"refused|reset"):
        calls.poll(0)
    assert asked == ["first", "second", "second"]


def test_a_token_file_that_changed_is_read_again_after_a_refusal(
    guarded: cluster.Node, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blobs = random_blobs(20, 1000, seed=72)
    hashes = [digest for digest, _ in blobs]
    file = tmp_path / "token"
    file.write_text("a-token-nobody-knows")
    credentials = Credentials(token_file=file)
    with caplog.at_level(logging.DEBUG), CacheClient(guarded.servers, credentials=credentials) as client:
        failures = client.get(hashes).failures
        assert {failure.kind for failure in failures} == {"refused"}
        assert "401 the token is not known" in failures[0].reason
        client.get(hashes)
        file.write_text(TOKEN)
        assert client.get(hashes).failures == []
    told = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert sorted(each.split(" (")[0] for each in told if "refuses" in each) == sorted(
        f"server {server.removeprefix('http://')} refuses this job" for server in guarded.servers
    )
    assert sum("answers again" in each for each in told) == 2
    assert TOKEN not in caplog.text


def test_a_job_that_was_refused_uses_the_cluster_once_its_token_file_is_right(
    dataset: QuiverDataset, guarded: cluster.Node, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("a-token-nobody-knows")
    with QuiverDataLoader(
        dataset, batch_size=12, collate_fn=as_bytes, cache=guarded.manager, token_file=file
    ) as loader:
        with pytest.warns(QuiverWarning, match="refuses the job"):
            list(loader)
        assert loader.statistics()["cached"] == 0
        file.write_text(TOKEN)
        for _ in range(1000):
            list(loader)
            if loader.statistics()["cached"] > 0:
                break
        assert loader.statistics()["cached"] > 0


def test_a_token_is_in_no_text_pickle_or_process_argument(
    dataset: QuiverDataset, guarded: cluster.Node
) -> None:
    credentials = Credentials(token=TOKEN)
    request = Request("GET", "/", "", ()).authorized(credentials.authorization())
    assert TOKEN in request.headers
    assert TOKEN not in repr((credentials, request))
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(credentials)
    with QuiverDataLoader(
        dataset, batch_size=12, collate_fn=as_bytes, cache=guarded.manager, token=TOKEN, num_workers=1
    ) as loader:
        next(iter(loader))
        agent = loader._job.cache.agent
        assert agent is not None
        workers = [w.pid for w in getattr(loader._inner(), "_workers", [])]  # type: ignore[misc]
        for pid in (agent.pid, *workers):
            assert TOKEN.encode() not in Path(f"/proc/{pid}/cmdline").read_bytes()
        list(loader)
        assert TOKEN.encode() not in pickle.dumps((dataset, loader.state_dict()))
        assert TOKEN not in repr((loader.__dict__, loader._job, loader._job.cache._setup))


def test_credentials_that_make_no_sense_are_refused_with_a_remedy(
    tmp_path: Path, authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "two secret-words"
    (tmp_path / "token").write_text(secret)
    job, node = authority / "job.pem", authority / "node.key"
    cases: list[tuple[dict[str, Any], str]] = [
        ({"token": secret}, "one word of printable ASCII"),
        ({"token_file": tmp_path / "token"}, "one word of printable ASCII"),
        ({"token_file": tmp_path / "none"}, "No such file"),
        ({"token": "a", "token_file": "b"}, "give one of them"),
        ({"cert": job}, "belong together"),
        ({"cert": job, "key": node}, "do they belong together"),
        ({"trust": tmp_path / "none"}, "cannot be trusted"),
    ]
    for options, remedy in cases:
        with pytest.raises(ValueError, match=remedy) as refused:
            Credentials(**options)
        assert "secret" not in str(refused.value)
    monkeypatch.setenv("QUIVER_TLS_KEY", str(node))
    with pytest.raises(ValueError, match="QUIVER_TLS_CERT"):
        Credentials()


def test_certificates_that_change_are_loaded_again_and_a_broken_one_leaves_the_old(
    tmp_path: Path, authority: Path
) -> None:
    trust = tmp_path / "ca.pem"
    trust.write_bytes((authority / "ca.pem").read_bytes())
    credentials = Credentials(trust=trust)
    first = credentials.tls()
    assert credentials.tls() is first
    trust.write_text("not a certificate")
    credentials._tls.expire()
    assert credentials.tls() is first
    trust.write_bytes((authority / "node.pem").read_bytes())
    credentials._tls.expire()
    assert credentials.tls() is not first
