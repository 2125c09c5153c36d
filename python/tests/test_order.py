"""Samplers under a loader and a cache that misbehave."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from quiver.order import (
    EpochState,
    ItemList,
    ListOrder,
    ListState,
    RankEpochSampling,
    Residency,
    Setup,
    begin,
    resume,
)


def play(sampler, source, chunks, resident, seen, manner="completes", depth=4, most=10**9):
    """Plays until the epoch ends or so many batches were delivered; what is out then goes back."""
    out, batches, fruitless = [], 0, 0
    while not sampler.finished and batches < most:
        order = source.sample(range(chunks), chunks)
        pinned = source.randrange(chunks + 1)
        window = source.randrange(chunks - pinned + 1)
        residency = Residency(
            tuple(order[:pinned]), tuple(order[pinned : pinned + window]), (), source.random() < 0.7
        )
        if len(out) < depth:
            draw = sampler.draw(residency, source.choice(["sets", "follows"]))
            if draw is not None:
                out.append(draw)
                continue
        assert out, "nothing is out, nothing can be drawn, and it is not finished"
        draw = out.pop(source.randrange(len(out)))
        found = [item for item in draw.candidates.tolist() if resident(item)][: draw.want]
        given = found + (draw.missing(found) if manner == "completes" else draw.fetch).tolist()
        if manner == "fails" and source.random() < 0.3:
            given = given[: source.randrange(len(given) + 1)]
        sampler.settle(draw, given)
        for item in given:
            if not draw.is_padding(item):
                seen[item] += 1
        fruitless = 0 if given else fruitless + 1
        assert fruitless < 200, "no progress"
        batches += bool(given)
    for draw in out:
        sampler.settle(draw, [])
    return batches


@pytest.mark.parametrize("kind", ["substitute", "strict"])
@pytest.mark.parametrize("manner", ["completes", "takes", "fails"])
@pytest.mark.parametrize("seed", range(6))
def test_every_item_comes_exactly_once_over_all_ranks(kind, manner, seed):
    source = random.Random(f"{kind} {manner} {seed}")
    items, chunks, ranks = source.randrange(1, 800), source.randrange(1, 12), source.randrange(1, 4)
    homogeneous = kind == "substitute" and source.random() < 0.4
    batch = source.randrange(1, 40)
    seen = np.zeros(items, int)
    for rank in range(ranks):
        setup = Setup(items, chunks, batch, seed, rank, ranks, homogeneous=homogeneous)
        sampler = begin(kind, setup, epoch=seed)
        play(sampler, source, chunks, lambda item: item % 3 > 0, seen, manner)
    assert (seen == 1).all()


@pytest.mark.parametrize("kind", ["substitute", "strict"])
@pytest.mark.parametrize("seed", range(6))
def test_a_resumed_epoch_delivers_the_rest_with_another_number_of_ranks(kind, seed):
    source = random.Random(f"resume {kind} {seed}")
    items, before, after = source.randrange(50, 500), source.randrange(1, 4), source.randrange(1, 5)
    seen = np.zeros(items, int)
    states = []
    for rank in range(before):
        sampling = RankEpochSampling(kind, Setup(items, 1, 8, 3, rank, before), epoch=1)
        sampler = sampling.begin(chunks=5)
        play(sampler, source, 5, lambda item: True, seen, most=4)
        own = sampler.state().mask()
        own[seen == 0] = False
        states.append(EpochState.of_mask(3, 1, own))
    saved = json.loads(json.dumps(EpochState.merge(states).to_dict()))
    for rank in range(after):
        setup = Setup(items, 1, 8, 3, rank, after)
        sampling = RankEpochSampling(kind, setup, epoch=1, before=EpochState.from_dict(saved))
        play(sampling.begin(chunks=7), source, 7, lambda item: True, seen)
    assert (seen == 1).all()


@pytest.mark.parametrize("kind", ["substitute", "strict"])
@pytest.mark.parametrize("equal_steps", ["pad", "drop"])
@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("items", [100, 101, 107, 64, 5])
def test_equal_steps_give_every_rank_as_many_batches(kind, equal_steps, drop_last, items):
    steps = set()
    for rank in range(4):
        setup = Setup(items, 1, 8, 3, rank, 4, drop_last=drop_last, equal_steps=equal_steps)
        sampler = RankEpochSampling(kind, setup, epoch=0).begin(chunks=3)
        count = play(sampler, random.Random(rank), 3, lambda item: True, np.zeros(items, int), depth=1)
        steps.add(count)
    assert len(steps) == 1


def test_the_division_among_ranks_is_what_drawing_it_would_give():
    for kind in ("substitute", "strict"):
        for rank in range(3):
            setup = Setup(200, 1, 9, 5, rank, 3, equal_steps="pad")
            sampler = begin(kind, setup, epoch=4)
            drawn = []
            while (draw := sampler.draw()) is not None:
                drawn += draw.fetch.tolist()
                sampler.settle(draw, draw.fetch)
            rest = RankEpochSampling(kind, setup, epoch=4).begin(chunks=4).state().mask()
            assert sorted(drawn) == np.flatnonzero(~rest).tolist()


def test_the_order_depends_on_seed_and_epoch_only():
    def order(seed, epoch):
        sampler = begin("strict", Setup(100, 4, 10, seed), epoch)
        return sampler.upcoming(100).tolist()

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(2, 0)
    assert order(1, 0) != order(1, 1)
    assert sorted(order(1, 0)) == list(range(100))


@pytest.mark.parametrize("kind", ["substitute", "strict"])
def test_settling_refuses_what_was_not_drawn_and_changes_nothing(kind):
    sampler = begin(kind, Setup(100, 4, 10, seed=1), epoch=0)
    draw = sampler.draw(Residency(pinned=(0, 1)))
    other = sampler.draw(Residency(pinned=(0, 1)))
    good = np.concatenate((draw.candidates[: draw.want], draw.missing(draw.candidates[: draw.want])))
    stranger = other.candidates[0] if len(other.candidates) else other.fetch[0]
    for wrong in (
        [*good[:-1], good[0]],
        [*good[:-1], stranger],
        [*good[:-1], 100],
        [*good[:-1], -1],
        [*good, stranger],
    ):
        with pytest.raises(ValueError, match="delivered"):
            sampler.settle(draw, wrong)
    assert sampler.state().delivered_items == 0
    sampler.settle(draw, good)
    assert sampler.state().delivered_items == 10
    with pytest.raises(ValueError, match="settled before"):
        sampler.settle(draw, good)


def test_missing_names_what_is_to_be_read_instead():
    sampler = begin("substitute", Setup(1000, 10, 50, seed=1), epoch=0)
    draw = sampler.draw(Residency(pinned=(1, 2), ring=False))
    found = draw.candidates[3 : draw.want]
    reads = draw.missing(found)
    assert len(found) + len(reads) == draw.size
    assert not set(found.tolist()) & set(reads.tolist())
    assert reads[: len(draw.fetch)].tolist() == draw.fetch.tolist()


def test_a_state_refuses_what_does_not_fit():
    state = EpochState(1, 0, 100, np.zeros(2, np.uint64))
    with pytest.raises(ValueError, match="does not fit"):
        resume("substitute", Setup(101, 1, 1, 1), state)
    with pytest.raises(ValueError, match="does not fit"):
        resume("substitute", Setup(100, 1, 1, 2), state)
    with pytest.raises(ValueError, match="words"):
        EpochState(1, 0, 100, np.zeros(3, np.uint64))
    with pytest.raises(ValueError, match="beyond"):
        EpochState(1, 0, 100, np.array([0, 1 << 40], np.uint64))
    with pytest.raises(ValueError, match="merged"):
        EpochState.merge([state, EpochState(2, 0, 100, np.zeros(2, np.uint64))])
    damaged = state.to_dict() | {"items": 10_000}
    with pytest.raises(ValueError, match="bytes"):
        EpochState.from_dict(damaged)


@pytest.mark.parametrize(
    "wrong",
    [
        {"items": -1},
        {"batch": 0},
        {"chunks": 0},
        {"chunks": 10_001},
        {"rank": 2, "ranks": 2},
        {"seed": 1 << 63},
        {"equal_steps": "maybe"},
    ],
)
def test_setups_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=r"\d|maybe"):
        Setup(**({"items": 10, "chunks": 1, "batch": 1, "seed": 0} | wrong))


def test_a_chunk_listed_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        Residency(pinned=(1, 2), loading=(2,))


def test_ranks_deliver_a_list_with_its_repeats_also_after_an_interruption():
    source = random.Random(3)
    for run in range(60):
        items = source.randrange(1, 200)
        entries = ItemList(items, [source.randrange(items) for _ in range(source.randrange(300))])
        setup = Setup(items, 3, source.randrange(1, 20), seed=run)
        state = ListState.beginning(run, 1, entries)
        seen = np.zeros(items, np.int64)
        for leg in range(3):
            ranks, states = source.randrange(1, 4), []
            for rank in range(ranks):
                made = replace(setup, rank=rank, ranks=ranks)
                order = ListOrder(made, state, look_ahead=source.choice((0, 9)))
                steps = 10_000 if leg == 2 else source.randrange(5)
                while steps and not order.finished:
                    draw = order.draw()
                    found = draw.candidates[: source.randrange(draw.want + 1)]
                    whole = np.concatenate((found, draw.missing(found)))
                    order.settle(draw, whole)
                    np.add.at(seen, whole, 1)
                    steps -= 1
                states.append(ListState.from_dict(order.state().to_dict()))
            state = ListState.merge(states)
        assert seen.tolist() == np.bincount(entries.entries, minlength=items).tolist(), run


def test_lists_refuse_what_makes_no_sense():
    entries = ItemList(4, [1, 1, 3])
    order = ListOrder.begin(Setup(4, 1, 2, seed=7), 0, entries)
    draw = order.draw()
    with pytest.raises(ValueError, match="too often"):
        order.settle(draw, [1, 3])
    order.settle(draw, [1, 1])
    with pytest.raises(ValueError, match="not out"):
        order.settle(draw, [1, 1])
    assert order.state().position == 2
    with pytest.raises(ValueError, match="item 4 of 4"):
        ItemList(4, [4])
    with pytest.raises(ValueError, match="does not fit"):
        ListOrder(Setup(4, 1, 2, seed=8), order.state())
    with pytest.raises(ValueError, match="homogeneous"):
        ListOrder.begin(Setup(4, 1, 2, seed=7, homogeneous=True), 0, entries)
    with pytest.raises(ValueError, match="different epochs or jobs"):
        ListState.merge([order.state(), ListState.beginning(8, 0, entries)])
