"""The client against real servers that are well."""

from __future__ import annotations

import gc
import json
import os
import pickle
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cluster
from blobs import blob, random_blobs
from quiver import CacheClient, Member
from quiver.wire import Receipt, Status, next_use_priorities


def hashes_of(blobs):
    return [digest for digest, _ in blobs]


def test_what_was_put_is_read_back_byte_for_byte(shared_server):
    blobs = [*random_blobs(50, 200_000, seed=1), blob(b"")]
    with CacheClient(shared_server.servers, job="t1") as client:
        put = client.put(blobs)
        assert put.receipts.tolist() == [Receipt.STORED] * 51
        assert put.here.all()
        answer = client.get(hashes_of(blobs))
    assert answer.hits == 51
    assert answer.failures == []
    assert [bytes(view) for view in answer.payloads()] == [content for _, content in blobs]


def test_an_array_of_hashes_asks_the_same_as_a_list(shared_server):
    blobs = random_blobs(10, 1000, seed=2)
    rows = np.frombuffer(b"".join(hashes_of(blobs)), np.uint8).reshape(-1, 32)
    with CacheClient(shared_server.servers) as client:
        client.put(blobs)
        assert client.get(rows[::2]).hits == 5


def test_what_is_not_there_is_a_miss_without_payload(shared_server):
    here, absent = random_blobs(2, 1000, seed=3)
    with CacheClient(shared_server.servers) as client:
        client.put([here])
        answer = client.get([absent[0], here[0]])
    assert answer.status.tolist() == [Status.MISS, Status.HIT]
    assert answer.payload(0) is None
    assert bytes(answer.payload(1)) == here[1]
    assert answer.places().tolist() == [1]


def test_any_k_of_n_brings_k_the_first_ones_best(shared_server):
    blobs = random_blobs(20, 1000, seed=4)
    with CacheClient(shared_server.servers) as client:
        client.put(blobs[5:])
        answer = client.get(hashes_of(blobs), want=8)
    assert answer.hits == 8
    assert answer.status.tolist() == [Status.MISS] * 5 + [Status.HIT] * 8 + [Status.SKIPPED] * 7


def test_any_k_of_n_over_several_servers_brings_k(three_servers):
    blobs = random_blobs(300, 1000, seed=5)
    with CacheClient(three_servers.servers) as client:
        client.put(blobs[:150])
        answer = client.get(hashes_of(blobs), want=140)
        assert answer.hits == 140
        everything = client.get(hashes_of(blobs), want=151)
    assert everything.hits == 150
    for place in everything.places():
        assert bytes(everything.payload(place)) == blobs[place][1]


def test_answers_larger_than_a_server_sends_at_once_come_in_rounds(tmp_path):
    blobs = random_blobs(64, 200_000, seed=6)
    with cluster.server(tmp_path, "--max-response", "1MiB") as node, CacheClient(node.servers) as client:
        client.put(blobs)
        answer = client.get(hashes_of(blobs))
    assert [bytes(view) for view in answer.payloads()] == [content for _, content in blobs]


def test_batches_longer_than_a_question_are_cut(shared_server):
    here = random_blobs(1, 100, seed=7)[0]
    with CacheClient(shared_server.servers) as client:
        client.put([here])
        answer = client.get([here[0]] * 20_000)
        assert answer.hits == 20_000
        assert client.lookup([here[0]] * 20_000).status.all()


def test_lookup_claims_for_one_job_what_others_see_pending(shared_server):
    here, absent = random_blobs(2, 1000, seed=8)
    servers = shared_server.servers
    with CacheClient(servers, job="first") as first, CacheClient(servers, job="second") as second:
        first.put([here])
        mine = first.lookup([here[0], absent[0]], claim=True)
        assert mine.status.tolist() == [Status.HIT, Status.YOURS]
        assert 0 < mine.claim_lease <= 60
        assert second.lookup([absent[0]], claim=True).status.tolist() == [Status.PENDING]
        assert second.lookup([absent[0]]).status.tolist() in ([Status.MISS], [Status.PENDING])


def test_get_can_claim_what_is_missing(shared_server):
    absent = random_blobs(1, 1000, seed=9)[0]
    with CacheClient(shared_server.servers, job="claims") as client:
        answer = client.get([absent[0]], claim=True)
    assert answer.status.tolist() == [Status.YOURS]
    assert answer.claim_lease > 0


def test_put_tells_what_was_refused(shared_server):
    good, other = random_blobs(2, 1000, seed=10)
    with CacheClient(shared_server.servers, max_blob_bytes=5000) as client:
        answer = client.put([good, (other[0], b"not these bytes"), blob(bytes(5001)), good])
        assert answer.receipts[1] == Receipt.HASH_MISMATCH
        assert answer.receipts[2] == Receipt.TOO_LARGE
        assert {int(answer.receipts[0]), int(answer.receipts[3])} <= {Receipt.STORED, Receipt.ALREADY_HERE}
        assert client.put([good]).receipts.tolist() == [Receipt.ALREADY_HERE]


def test_put_takes_arrays_and_many_megabytes(shared_server):
    big = np.random.default_rng(11).integers(0, 256, 20 << 20, np.uint8)
    small = random_blobs(100, 400_000, seed=11)
    blobs = [(blob(big.tobytes())[0], big), *small]
    with CacheClient(shared_server.servers, request_timeout=60) as client:
        assert client.put(blobs).here.all()
        answer = client.get(hashes_of(blobs), want=1)
        assert bytes(answer.payload(0)) == big.tobytes()


def test_empty_questions_have_empty_answers(shared_server):
    with CacheClient(shared_server.servers) as client:
        assert len(client.get([])) == 0
        assert len(client.lookup([]).status) == 0
        assert len(client.put([]).receipts) == 0


def test_many_threads_share_one_client(three_servers):
    blobs = random_blobs(200, 20_000, seed=12)
    with CacheClient(three_servers.servers, connections=2) as client:
        client.put(blobs)

        def read(turn: int) -> None:
            some = blobs[turn % 7 :: 3]
            answer = client.get(hashes_of(some))
            assert [bytes(view) for view in answer.payloads()] == [content for _, content in some]

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(read, range(100)))


def test_payloads_stay_as_they_are_while_they_are_held(shared_server):
    first, second = random_blobs(40, 50_000, seed=13), random_blobs(40, 50_000, seed=14)
    with CacheClient(shared_server.servers) as client:
        client.put(first + second)
        held = client.get(hashes_of(first)).payloads()
        part = np.frombuffer(client.get(hashes_of(second)).payload(3), np.uint8)
        for _ in range(20):
            client.get(hashes_of(second))
    assert [bytes(view) for view in held] == [content for _, content in first]
    assert part.tobytes() == second[3][1]


def test_buffers_are_used_again_when_nobody_holds_them(shared_server):
    blobs = random_blobs(20, 100_000, seed=15)
    with CacheClient(shared_server.servers) as client:
        client.put(blobs)
        for _ in range(30):
            client.get(hashes_of(blobs))
        gc.collect()
        assert 0 < client._context.buffers.kept < 3 * sum(len(content) for _, content in blobs)


def test_members_of_a_plan_are_found_by_name(three_servers):
    blobs = random_blobs(60, 100, seed=16)
    plain = [Member.of(address) for address in three_servers.servers]
    renamed = Member.of_plan([(f"node-{i}", m.address, 1 + i) for i, m in enumerate(plain)])
    with CacheClient(plain) as client, CacheClient(renamed) as other:
        client.put(blobs)
        other.put(blobs)
        assert client.get(hashes_of(blobs)).hits == 60
        assert other.get(hashes_of(blobs)).hits == 60


def test_update_turns_to_other_servers(three_servers):
    blobs = random_blobs(100, 100, seed=17)
    servers = three_servers.servers
    with CacheClient(servers[:1]) as client:
        client.put(blobs)
        client.update(servers)
        assert 0 < client.get(hashes_of(blobs)).hits < 100
        client.update(servers[:1])
        assert client.get(hashes_of(blobs)).hits == 100


def test_update_while_calls_are_under_way_fails_none(three_servers):
    blobs = random_blobs(100, 20_000, seed=18)
    servers = three_servers.servers
    done = threading.Event()
    with CacheClient(servers) as client:
        client.put(blobs)

        def flip() -> None:
            while not done.is_set():
                client.update(servers[:2])
                client.update(servers)

        flipper = threading.Thread(target=flip)
        flipper.start()
        try:
            for _ in range(50):
                assert client.get(hashes_of(blobs)).failures == []
        finally:
            done.set()
            flipper.join(10)


@pytest.mark.parametrize("verify", ["none", "crc32c", "sampled", "sha256", "auto"])
def test_every_verification_passes_what_is_right(shared_server, verify):
    blobs = random_blobs(5, 1000, seed=19)
    with CacheClient(shared_server.servers, verify=verify) as client:
        client.put(blobs)
        assert client.get(hashes_of(blobs)).hits == 5


def test_a_client_cannot_be_pickled_but_says_what_to_do(shared_server):
    with CacheClient(shared_server.servers) as client, pytest.raises(TypeError, match="each process"):
        pickle.dumps(client)


def test_a_closed_client_refuses_calls(shared_server):
    client = CacheClient(shared_server.servers)
    client.close()
    client.close()
    with pytest.raises(ValueError, match="closed"):
        client.get([bytes(32)])


@pytest.mark.parametrize(
    ("servers", "options", "complaint"),
    [
        ([], {}, "no server"),
        (["ftp://x:1"], {}, "not a server"),
        (["http://x:1/path"], {}, "not a server"),
        (["http://x:1", "http://x:1"], {}, "twice"),
        (["http://x:1"], {"job": "a b"}, "job name"),
        (["http://x:1"], {"connections": 0}, "connections is 0"),
        (["http://x:1"], {"request_timeout": 0}, "request timeout"),
        (["http://x:1"], {"verify": "md5"}, "md5"),
    ],
)
def test_nonsense_is_refused_by_name(servers, options, complaint):
    with pytest.raises(ValueError, match=complaint):
        CacheClient(servers, **options)


@pytest.mark.parametrize("hashes", [[b"short"], [bytes(31), bytes(33)], np.zeros((3, 31), np.uint8)])
def test_hashes_of_a_wrong_length_are_refused(shared_server, hashes):
    with CacheClient(shared_server.servers) as client, pytest.raises(ValueError, match="32 bytes"):
        client.get(hashes)


def test_want_must_fit(shared_server):
    with CacheClient(shared_server.servers) as client:
        for want in (0, 3, -1):
            with pytest.raises(ValueError, match="want"):
                client.get([bytes(32)] * 2, want=want)


def test_a_forked_child_uses_connections_of_its_own(shared_server):
    blobs = random_blobs(30, 50_000, seed=20)
    with CacheClient(shared_server.servers) as client:
        client.put(blobs)
        assert client.get(hashes_of(blobs)).hits == 30
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    rounds = [client.get(hashes_of(blobs)).payloads() for _ in range(10)]
                    right = all([bytes(v) for v in views] == [c for _, c in blobs] for views in rounds)
                    client.close()
                    code = 0 if right else 2
                finally:
                    os._exit(code)
            children.append(child)
        for _ in range(10):
            views = client.get(hashes_of(blobs)).payloads()
            assert [bytes(view) for view in views] == [content for _, content in blobs]
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]


def test_a_fork_while_other_threads_use_the_client_harms_neither(shared_server):
    blobs = random_blobs(30, 50_000, seed=21)
    done = threading.Event()
    failures: list[object] = []
    with CacheClient(shared_server.servers) as client:
        client.put(blobs)

        def read() -> None:
            while not done.is_set():
                answer = client.get(hashes_of(blobs))
                if answer.hits != 30:
                    failures.append(answer.failures)

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    os._exit(0 if client.get(hashes_of(blobs)).hits == 30 else 1)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        finally:
            done.set()
            for reader in readers:
                reader.join(20)
    assert failures == []


def order_ranked_space(node, space, quota, jobs):
    plan = {
        "prefix": space,
        "spaces": [{"name": space, "keeper": "ranked", "quota_bytes": quota, "jobs": jobs}],
    }
    for server in node.servers:
        request = urllib.request.Request(
            f"{server}/v1/spaces", json.dumps(plan).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(request, timeout=60).close()


def test_a_ranked_space_keeps_what_is_used_soonest(shared_server):
    order_ranked_space(shared_server, "py-ranked", 3000, ["sweep"])
    blobs = [blob(bytes([i]) * 1000) for i in range(5)]
    hashes = hashes_of(blobs)
    with CacheClient(shared_server.servers, job="sweep-0", ranking_job="sweep") as client:
        put = client.put(
            blobs[:3], "py-ranked", priorities=next_use_priorities([110, 150, 120]), position=100
        )
        assert put.receipts.tolist() == [Receipt.STORED] * 3
        assert put.lowest == next_use_priorities([150])[0]
        refused = client.put(blobs[3:4], "py-ranked", priorities=next_use_priorities([151]), position=100)
        assert refused.receipts.tolist() == [Receipt.NO_ROOM]
        ranked = client.rank(hashes[:4], next_use_priorities([900, 130, 140, 131]), "py-ranked", position=111)
        assert (ranked.kept, ranked.lowest, ranked.failures) == (3, next_use_priorities([900])[0], [])
        client.put(blobs[3:4], "py-ranked", priorities=next_use_priorities([131]), position=111)
        assert client.lookup(hashes).status.tolist() == [Status.MISS, *[Status.HIT] * 3, Status.MISS]


def test_rankings_that_are_refused_are_failures_and_bad_ones_errors(shared_server):
    with CacheClient(shared_server.servers) as client:
        refused = client.rank([bytes(32)], [1], "py-not-ranked")
        assert [failure.kind for failure in refused.failures] == ["refused"]
        assert (refused.kept, refused.lowest) == (0, 0)
        assert client.rank([], [], "py-not-ranked") == (0, 0, [])
        with pytest.raises(ValueError, match="priorities"):
            client.rank([bytes(32)], [1, 2], "py-not-ranked")
        with pytest.raises(ValueError, match="position is -1"):
            client.rank([bytes(32)], [1], "py-not-ranked", position=-1)
