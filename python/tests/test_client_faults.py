"""The client against servers that fail in every way we could think of."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

import cluster
from blobs import blob, random_blobs
from hostile import answer, hostile, http
from quiver import CacheClient, Credentials
from quiver.placement import SlotTable
from quiver.wire import Receipt, Status

HELLO = blob(b"hello" * 1000)
OTHER = blob(b"other" * 1000)


def client_of(address, **options):
    settings = {"retries": 0, "request_timeout": 2.0, "connect_timeout": 1.0, "verify": "crc32c"}
    return CacheClient([address] if isinstance(address, str) else address, **(settings | options))


def unused_address():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def kinds(result):
    return [failure.kind for failure in result.failures]


def test_a_server_that_refuses_connections_is_a_miss_with_a_reason():
    address = unused_address()
    with client_of(address) as client:
        got = client.get([HELLO[0]])
        assert got.status.tolist() == [Status.MISS]
        assert kinds(got) == ["unreachable"]
        assert got.failures[0].server == address
    with client_of(address) as client:
        assert client.lookup([HELLO[0]], claim=True).status.tolist() == [Status.MISS]
    with client_of(address) as client:
        put = client.put([HELLO])
        assert put.receipts.tolist() == [Receipt.UNKNOWN]
        assert not put.here.any()


def test_a_failed_server_is_left_alone_for_a_while():
    with client_of(unused_address()) as client:
        client.get([HELLO[0]])
        assert kinds(client.get([HELLO[0]])) == ["resting"]


def test_a_server_is_asked_again_after_its_rest():
    with hostile(lambda exchange: exchange.reset() if exchange.number == 0 else hello(exchange)) as address:
        with client_of(address) as client:
            assert kinds(client.get([HELLO[0]])) == ["broken"]
            end = time.monotonic() + 20
            while client.get([HELLO[0]]).hits == 0:
                assert time.monotonic() < end


def test_an_outage_is_told_once_and_its_end_once(caplog):
    with hostile(lambda exchange: exchange.reset() if exchange.number < 3 else hello(exchange)) as address:
        with client_of(address) as client, caplog.at_level("WARNING", logger="quiver"):
            end = time.monotonic() + 20
            while client.get([HELLO[0]]).hits == 0:
                assert time.monotonic() < end
    server = re.escape(address.removeprefix("http://"))
    gone, back = [record.getMessage() for record in caplog.records]
    assert re.fullmatch(
        rf"server {server} does not answer \(.+\); reading from the store, next try in \d+ m?s", gone
    )
    assert re.fullmatch(rf"server {server} answers again", back)


def hello(exchange):
    exchange.send(http(answer([HELLO[1] if each == HELLO[0] else None for each in exchange.hashes])))


def test_an_answer_cut_at_any_place_is_a_miss():
    whole = http(answer([HELLO[1], None]))
    cuts = [*range(0, 200, 7), len(whole) // 2, len(whole) - 1]

    def cut(exchange):
        exchange.send(whole[: cuts[exchange.number]])
        return False

    with hostile(cut) as address:
        for _ in cuts:
            with client_of(address) as client:
                got = client.get([HELLO[0], OTHER[0]])
                assert got.status.tolist() == [Status.MISS, Status.MISS]
                assert kinds(got) == ["broken"]


def test_a_connection_reset_in_mid_answer_is_tried_again():
    def once(exchange):
        if exchange.number == 0:
            exchange.send(http(answer([HELLO[1]]))[:2000])
            exchange.reset()
            return False
        return hello(exchange)

    with hostile(once) as address, client_of(address, retries=2) as client:
        got = client.get([HELLO[0]])
        assert bytes(got.payload(0)) == HELLO[1]
        assert got.failures == []


def test_a_server_that_does_not_answer_costs_one_timeout():
    with hostile(lambda exchange: None) as address, client_of(address, request_timeout=0.3) as client:
        assert kinds(client.get([HELLO[0]])) == ["timeout"]
        assert kinds(client.get([HELLO[0]])) == ["resting"]


def test_a_server_that_trickles_is_cut_at_the_deadline():
    done = threading.Event()

    def trickle(exchange):
        for byte in http(answer([HELLO[1]])):
            if done.wait(0.01):
                return False
            exchange.send(bytes([byte]))
        return None

    with hostile(trickle) as address, client_of(address, request_timeout=0.5) as client:
        assert kinds(client.get([HELLO[0]])) == ["timeout"]
        done.set()


def test_a_damaged_blob_is_asked_for_once_more():
    def first_is_damaged(exchange):
        flip = 1 if exchange.number == 0 else None
        contents = {HELLO[0]: HELLO[1], OTHER[0]: OTHER[1]}
        exchange.send(http(answer([contents[each] for each in exchange.hashes], flip)))

    with hostile(first_is_damaged) as address, client_of(address) as client:
        got = client.get([HELLO[0], OTHER[0]])
        assert [bytes(view) for view in got.payloads()] == [HELLO[1], OTHER[1]]


@pytest.mark.parametrize("verify", ["crc32c", "sha256"])
def test_a_blob_that_stays_damaged_is_a_miss(verify):
    asked = []

    def damaged(exchange):
        asked.append(len(exchange.hashes))
        exchange.send(http(answer([HELLO[1], HELLO[1][:-1] + b"!"][: len(exchange.hashes)][::-1], 0)))

    with hostile(damaged) as address, client_of(address, verify=verify) as client:
        got = client.get([OTHER[0], HELLO[0]])
        assert got.status.tolist() == [Status.MISS, Status.HIT]
        assert got.payload(0) is None
        assert asked == [2, 1]


@pytest.mark.parametrize("verify", ["sampled", "sha256"])
def test_a_server_that_sends_wrong_bytes_with_a_right_checksum_is_not_asked_again(verify, caplog):
    asked = []

    def forge(exchange):
        asked.append(len(exchange.hashes))
        exchange.send(http(answer([OTHER[1]] * len(exchange.hashes))))

    with hostile(forge) as address, client_of(address, verify=verify) as client:
        for _ in range(3):
            got = client.get([OTHER[0], HELLO[0]])
            assert got.status.tolist() == [Status.MISS, Status.MISS]
            assert got.payloads() == [None, None]
            assert kinds(got) == ["forged"]
        assert asked == [2]
    assert caplog.text.count("find out who runs it") == 1


@pytest.mark.parametrize(
    "reply",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 two hundred\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 4000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 10,
        http(b""),
        http(b"x" * 31),
        http(b"x" * 5000),
        http(answer([None, None])),
        http(answer([HELLO[1]]) + b"more"),
    ],
)
def test_what_is_no_answer_is_a_miss_that_blames_the_protocol(reply):
    def speak(exchange):
        exchange.send(reply)
        return False

    with hostile(speak) as address, client_of(address) as client:
        got = client.get([HELLO[0]])
        assert got.status.tolist() == [Status.MISS]
        assert kinds(got) == ["protocol"]


def test_more_hits_than_wanted_are_refused():
    with hostile(lambda exchange: exchange.send(http(answer([b"a", b"b"])))) as address:
        with client_of(address) as client:
            assert kinds(client.get([HELLO[0], OTHER[0]], want=1)) == ["protocol"]


def test_a_busy_server_is_asked_again_and_a_refusal_is_not():
    def busy_once(exchange):
        exchange.send(http(b"later", "503 Busy")) if exchange.number == 0 else hello(exchange)

    with hostile(busy_once) as address, client_of(address, retries=1) as client:
        assert client.get([HELLO[0]]).hits == 1
    asked = []

    def refuse(exchange):
        asked.append(1)
        exchange.send(http(b"no\x00 such\n thing", "404 Not Found"))

    with hostile(refuse) as address, client_of(address, retries=3) as client:
        got = client.get([HELLO[0]])
        assert kinds(got) == ["refused"]
        assert "404" in got.failures[0].reason
        assert len(asked) == 1
        assert kinds(client.get([HELLO[0]])) == ["refused"]


def test_a_connection_closed_while_idle_is_replaced_without_a_failure():
    def answer_and_close(exchange):
        hello(exchange)
        return False

    with hostile(answer_and_close) as address, client_of(address) as client:
        for _ in range(5):
            got = client.get([HELLO[0]])
            assert got.hits == 1
            assert got.failures == []


def test_closing_ends_calls_under_way():
    asked = threading.Event()
    results = []
    with hostile(lambda exchange: asked.set()) as address:
        client = client_of(address, request_timeout=60)
        thread = threading.Thread(target=lambda: results.append(client.get([HELLO[0]])))
        thread.start()
        assert asked.wait(10)
        client.close()
        thread.join(10)
        assert not thread.is_alive()
        assert kinds(results[0]) == ["closed"]


@pytest.fixture
def default_interrupts():
    """Take interrupts as a foreground process does; one started in the background ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_call_promptly(default_interrupts):
    def interrupt(exchange):
        os.kill(os.getpid(), signal.SIGINT)

    with hostile(interrupt) as address, client_of(address, request_timeout=60) as client:
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            client.get([HELLO[0]])
        assert time.monotonic() - start < 5


def test_all_connections_busy_is_a_timeout_that_says_so():
    asked = threading.Event()
    with hostile(lambda exchange: asked.set()) as address:
        with client_of(address, connections=1, request_timeout=1.0) as client:
            thread = threading.Thread(target=lambda: client.get([HELLO[0]]))
            thread.start()
            assert asked.wait(10)
            got = client.get([HELLO[0]])
            thread.join(10)
            assert kinds(got) in (["timeout"], ["resting"])


def test_one_dead_server_of_two_takes_only_its_own_blobs_along(shared_server):
    blobs = random_blobs(200, 1000, seed=30)
    dead = unused_address()
    servers = [shared_server.servers[0], dead]
    with client_of(servers) as client:
        put = client.put(blobs)
        got = client.get([digest for digest, _ in blobs])
        assert 0 < got.hits < 200
        assert got.hits == int(put.here.sum())
        assert [failure.server for failure in got.failures] == [dead]
        for place in got.places():
            assert bytes(got.payload(place)) == blobs[place][1]


def test_a_server_killed_in_mid_answer_gives_misses_and_works_again_after_a_restart(tmp_path):
    blobs = random_blobs(300, 200_000, seed=31)
    hashes = [digest for digest, _ in blobs]
    with cluster.server(tmp_path) as node:
        port = int(node.servers[0].rpartition(":")[2])
        with client_of(node.servers, request_timeout=10) as client:
            assert client.put(blobs).here.all()
            killer = threading.Timer(0.05, node.kill)
            killer.start()
            failed = False
            end = time.monotonic() + 30
            while not failed:
                got = client.get(hashes)
                for place in got.places():
                    assert len(got.payload(place)) == len(blobs[place][1])
                failed = bool(got.failures)
                assert time.monotonic() < end
            killer.join()
            with cluster.server(tmp_path, port=port):
                end = time.monotonic() + 60
                while client.get(hashes).hits == 0:
                    assert time.monotonic() < end


def test_a_server_that_stands_still_times_out_and_is_used_again_when_it_goes_on(tmp_path):
    blobs = random_blobs(10, 1000, seed=32)
    hashes = [digest for digest, _ in blobs]
    with cluster.server(tmp_path) as node, client_of(node.servers, request_timeout=0.5) as client:
        with client_of(node.servers, request_timeout=60) as patient:
            assert patient.put(blobs).here.all()
        node.pause()
        try:
            assert kinds(client.get(hashes)) == ["timeout"]
            assert kinds(client.get(hashes)) == ["resting"]
        finally:
            node.go_on()
        end = time.monotonic() + 60
        while client.get(hashes).hits < 10:
            assert time.monotonic() < end


def test_blobs_travel_encrypted_when_the_server_is_trusted(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        + ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
        capture_output=True,
        check=False,
    )
    if made.returncode != 0:
        pytest.skip("no usable openssl")
    blobs = random_blobs(50, 100_000, seed=33)
    hashes = [digest for digest, _ in blobs]
    with cluster.server(tmp_path, "--tls-cert", str(certificate), "--tls-key", str(key)) as node:
        assert node.servers[0].startswith("https")
        with client_of(
            node.servers, credentials=Credentials(trust=certificate), connect_timeout=20, request_timeout=30
        ) as client:
            assert client.put(blobs).here.all()
            got = client.get(hashes)
            assert [bytes(view) for view in got.payloads()] == [content for _, content in blobs]
        with client_of(node.servers) as stranger:
            assert kinds(stranger.get(hashes)) == ["unreachable"]


def test_no_descriptor_is_left_open(shared_server):
    blobs = random_blobs(5, 1000, seed=34)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        with client_of(shared_server.servers) as client:
            client.put(blobs)
            client.get([digest for digest, _ in blobs])
        with client_of(unused_address()) as client:
            client.get([HELLO[0]])
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_what_each_server_owns_is_decided_by_the_table_of_names():
    table = SlotTable.of([("127.0.0.1:1", 1), ("127.0.0.1:2", 1)])
    assert abs(int(table.shares()[0]) - 32768) < 1000
