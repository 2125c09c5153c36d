"""The samplers against the files that Java's tests are held to, too."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from cluster import HOME
from quiver.order import (
    EpochState,
    ItemList,
    ListOrder,
    ListState,
    RankEpochSampling,
    Residency,
    RingPatience,
    Setup,
    begin,
    resume,
)
from quiver.order.layout import ChunkLayout
from quiver.order.permutation import MASK, SeededPermutation, SeededRandom, derive
from quiver.order.picker import _with_tree, draw_owners

FOLDER = HOME / "test-vectors" / "order"
EPOCHS = sorted(FOLDER.glob("epoch-*.json"))


def read(name):
    return json.loads((FOLDER / name).read_text())


def state_of(case, words):
    delivered = np.array([int(word, 16) for word in words], np.uint64)
    return EpochState(case["seed"], case["epoch"], case["items"], delivered)


def setup_of(case, chunks=None):
    return Setup(
        items=case["items"],
        chunks=chunks or case["chunks"],
        batch=case["batch"],
        seed=case["seed"],
        rank=case["rank"],
        ranks=case["ranks"],
        drop_last=case["drop_last"],
        equal_steps=case["equal_steps"],
        homogeneous=case.get("homogeneous", False),
    )


def test_permutations():
    for case in read("permutations.json"):
        places = np.array(case.get("places", range(case["size"])), np.int64)
        order = SeededPermutation(case["size"], case["seed"] & MASK).at(places)
        assert order.tolist() == case["order"], case


def test_layouts():
    for case in read("layouts.json"):
        layout = ChunkLayout(case["items"], case["chunks"])
        assert (layout.unit, layout.partitions) == (case["unit"], case["partitions"]), case
        assert [layout.size(chunk) for chunk in case["of"]] == case["sizes"]
        for chunk, size, members in zip(case["of"], case["sizes"], case["members"], strict=True):
            places = [place for place in (0, 1, 2, 7, size - 1) if 0 <= place < size]
            assert layout.members(chunk, np.array(places, np.int64)).tolist() == members, case
        assert [layout.chunk_of(item) for item in case["item"]] == case["chunk_of"]
        assert layout.chunks_of(np.array(case["item"], np.int32)).tolist() == case["chunk_of"]


def test_numbers_and_lots():
    for case in read("numbers.json"):
        if "lots" in case:
            count = len(case["owners"])
            assert draw_owners(case["lots"], count, SeededRandom(case["seed"])) == case["owners"]
            bounds = np.arange(sum(case["lots"]), sum(case["lots"]) - count, -1).astype(np.uint64)
            tickets = SeededRandom(case["seed"]).below_all(bounds).tolist()
            assert _with_tree(case["lots"], tickets) == case["owners"]
            continue
        seed = case["seed"] & MASK
        assert [f"{derive(seed, part & MASK):x}" for part in (0, 1, -1, -8, 12_345)] == case["derived"]
        random = SeededRandom(seed)
        assert [random.below(bound) for bound in case["bounds"]] == case["below"]
        together = SeededRandom(seed).below_all(np.array(case["bounds"], np.uint64))
        assert together.tolist() == case["below"]


@pytest.mark.parametrize("file", EPOCHS, ids=lambda file: file.stem)
def test_epochs_with_a_cache_that_comes_and_goes(file):
    for run, case in enumerate(json.loads(file.read_text())):
        setup = setup_of(case)
        if case["before"] is None:
            sampler = begin(case["kind"], setup, case["epoch"])
        else:
            sampler = resume(case["kind"], setup, state_of(case, case["before"]))
        draws = []
        for number, step in enumerate(case["steps"]):
            where = f"{file.stem}, run {run}, step {number}"
            if "settle" in step:
                sampler.settle(draws[step["settle"]], step["delivered"])
                assert sampler.available() == step["available"], where
            else:
                draws += play(sampler, step, where)
        assert [sampler.available(chunk) for chunk in range(setup.chunks)] == case["left"]
        assert sampler.finished == case["finished"]
        assert sampler.state() == state_of(case, case["after"])


def list_state(case, entries, part):
    ahead = np.array([int(word, 16) for word in part["ahead"]], np.uint64)
    return ListState.of(case["seed"], case["epoch"], entries, part["position"], ahead)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("list-*.json")), ids=lambda file: file.stem)
def test_lists_with_repeats(file):
    for run, case in enumerate(json.loads(file.read_text())):
        setup = setup_of(case)
        entries = ItemList(case["items"], case["list"])
        assert entries.sha256 == case["sha256"]
        if case["before"] is None:
            order = ListOrder.begin(setup, case["epoch"], entries, case["look_ahead"])
        else:
            order = ListOrder(setup, list_state(case, entries, case["before"]), case["look_ahead"])
        draws = []
        for number, step in enumerate(case["steps"]):
            where = f"{file.stem}, run {run}, step {number}"
            if "settle" in step:
                order.settle(draws[step["settle"]], step["delivered"])
                assert order.available() == step["available"], where
            else:
                draws += play(order, step, where)
        assert [order.available(chunk) for chunk in range(setup.chunks)] == case["left"]
        assert order.finished == case["finished"]
        after = order.state()
        assert after == list_state(case, entries, case["after"])
        assert after.position == case["after"]["position"]
        assert [f"{word:016x}" for word in after.ahead.tolist()] == case["after"]["ahead"]
        assert ListState.from_dict(json.loads(json.dumps(after.to_dict()))) == after


def play(sampler, step, where):
    if "upcoming" in step:
        wanted = 3 + sampler._setup.batch
        assert sampler.upcoming(wanted).tolist() == step["upcoming"], where
    chunks = {name: tuple(step["draw"][name]) for name in ("pinned", "window", "loading")}
    draw = sampler.draw(Residency(**chunks, ring=step["draw"]["ring"]), step["ring_role"])
    if draw is None:
        assert "want" not in step, where
        return []
    assert draw.want == step["want"], where
    assert draw.candidates.tolist() == step["candidates"], where
    assert draw.fetch.tolist() == step["fetch"], where
    assert draw.padding_count == step["padding"], where
    return [draw]


@pytest.mark.parametrize("kind", ["substitute", "strict"])
def test_long_epochs(kind):
    (case,) = [case for case in read("long-epochs.json") if case["kind"] == kind]
    sampler = begin(kind, Setup(case["items"], case["chunks"], case["batch"], case["seed"]), epoch=5)
    sha = hashlib.sha256()
    for number in range(10_000):
        at = number // 12
        window = (10 + at % 40, 10 + (at + 1) % 40)
        draw = sampler.draw(Residency(tuple(range(10)), window, (10 + (at + 2) % 40,)))
        if draw is None:
            break
        for part in (draw.candidates, np.array([-1, draw.want]), draw.fetch):
            sha.update(part.astype("<i4").tobytes())
        found = draw.candidates[: draw.want]
        sampler.settle(draw, np.concatenate((found, draw.missing(found))))
    assert sampler.finished
    assert sha.hexdigest() == case["sha256"]


def test_divisions_among_ranks():
    for case in read("ranks.json"):
        before = case["before"] and state_of(case, case["before"])
        sampling = RankEpochSampling(case["kind"], setup_of(case, chunks=1), case["epoch"], before or None)
        sampler = sampling.begin(3)
        assert sampler.state() == state_of(case, case["begun"]), case
        assert (-1 if sampling.padding_item is None else sampling.padding_item) == case["padding_item"]
        order = []
        while (draw := sampler.draw(Residency(pinned=(1,)))) is not None:
            found = draw.candidates[: draw.want]
            batch = np.concatenate((found, draw.missing(found)))
            sampler.settle(draw, batch)
            order += batch.tolist()
        assert order == case["order"], case


class Unread:
    def __init__(self, left):
        self.left = left

    def available(self, chunk=None):
        return sum(self.left) if chunk is None else self.left[chunk]


def test_waiting_for_the_ring():
    patience = RingPatience(batch=8)
    for case in read("patience.json"):
        residency = Residency(
            tuple(case["pinned"]), tuple(case["window"]), tuple(case["loading"]), case["ring"]
        )
        waits = patience.waits(
            residency,
            case["held"],
            6,
            Unread(case["left"]),
            own_chunk=16,
            out=case["out"],
            reachable=case["reachable"],
            now=case["now_ms"] / 1000,
        )
        assert waits == case["waits"], case
