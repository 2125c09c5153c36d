"""Scores of samples and lists drawn by them."""

from __future__ import annotations

import gc
import hashlib
import json
import math
import tracemalloc

import numpy as np
import pytest

from quiver.importance import ItemScores, Repetition, draw, lay_out, weights
from quiver.importance_lists import ImportanceLists
from quiver.order.permutation import MASK, SeededRandom, derive
from quiver.packed_scores import MOST_CODES, PackedScores, PackedUses
from quiver.rank_score import rank_scores, score_of


def loss(written):
    return math.nan if written is None else float(written)


def digest(entries):
    return hashlib.sha256(entries.astype("<i4").tobytes()).hexdigest()


def test_the_recorded_lists_follow_from_the_recorded_reports(vectors):
    for case in json.loads((vectors / "importance" / "importance.json").read_text()):
        scores = ItemScores(case["items"])
        for report in case["reports"]:
            losses = [loss(each) for each in report["losses"]]
            assert rank_scores(losses).tolist() == report["scores"]
            scores.report(report["items"], losses)
        for epoch in case["epochs"]:
            drawn = draw(scores, case["floor"], case["seed"], epoch["epoch"])
            assert digest(drawn) == epoch["drawn"]
            laid = lay_out(drawn, case["items"], case["batch"], derive(~case["seed"] & MASK, epoch["epoch"]))
            assert digest(laid) == epoch["laid_out"]
            repeated = Repetition(scores, case["pool"], case["seed"]).draw(epoch["epoch"])
            assert digest(repeated) == epoch["repeated"]


def test_the_recorded_lists_of_jobs_are_drawn_again(vectors):
    for case in json.loads((vectors / "importance" / "lists.json").read_text()):
        items, step, epochs = case["items"], case["step"], case["epochs"]
        setup = {"mode": case["mode"], "pool": case["pool"]}
        lists = ImportanceLists(items, step, case["seed"], **setup)
        for epoch, expected in enumerate(epochs):
            lists.uniform = epoch >= len(epochs) - 2
            lists.begin(epoch)
            places = np.arange(0, items, max(1, items // 50))
            assert digest(lists.list.entries) == expected["list"]
            assert digest(lists.following.entries) == expected["following"]
            assert lists.priorities(places).tolist() == expected["priorities"]
            assert lists.weights(places) == pytest.approx(expected["weights"])
            assert lists.unread() == pytest.approx(expected["unread"])
            for first in range(0, items, step):
                some = lists.list.entries[first : first + step].astype(np.int64)
                lists.scores.report(some, (some * 7919 + epoch * 104729) % 1009)
            again = ImportanceLists(items, step, case["seed"], **setup)
            again.load_state(json.loads(json.dumps(lists.state())))
            lists = again


def rising(items):
    scores = ItemScores(items)
    scores.report(np.arange(items), np.arange(items))
    return scores


def test_scores_are_logarithms_of_ranks():
    losses = np.random.default_rng(1).permutation(3000)
    assert rank_scores(losses) / 65536 == pytest.approx(np.log(losses + 10), abs=1e-4)


def test_what_is_no_number_has_no_score_and_changes_nothing():
    scores = ItemScores(5)
    scores.report([1, 2, 3], [math.nan, math.inf, -1.0])
    assert scores.known == 2
    assert rank_scores([math.nan, math.inf, -1.0])[0] == 0


@pytest.mark.parametrize(
    ("items", "losses", "words"),
    [
        ([1, 2], [1.0], "1 losses for a batch of 2"),
        ([1, 5], [1.0, 2.0], "item 5; the data set has 5"),
        ([1, -1], [1.0, 2.0], "item -1"),
    ],
)
def test_a_report_that_does_not_fit_is_refused_whole(items, losses, words):
    scores = ItemScores(5)
    with pytest.raises(ValueError, match=words):
        scores.report(items, losses)
    assert scores.known == 0


def test_a_draw_keeps_the_floor():
    scores = rising(5000)
    for floor in (0.7, 1.0):
        assert len(np.unique(draw(scores, floor, 1, 0))) == 5000 * floor
    with pytest.raises(ValueError, match="use 0 to 1"):
        draw(scores, 1.5, 1, 0)


def test_weights_make_up_for_the_draw():
    scores = rising(64)
    weight = weights(scores)
    drawn = np.concatenate([draw(scores, 0, 1, epoch) for epoch in range(2000)])
    assert (weight[drawn] * drawn).mean() == pytest.approx(31.5, abs=0.5)


def test_repetition_draws_from_a_pool_in_which_every_sample_has_its_turn():
    repetition = Repetition(rising(1000), 0.3, 5)
    pools = [repetition.pool(epoch) for epoch in range(20)]
    assert all(np.isin(repetition.draw(epoch), pools[epoch]).all() for epoch in range(20))
    assert np.intersect1d(pools[0], pools[1]).size == 150
    assert np.bincount(np.concatenate(pools), minlength=1000).tolist() == [6] * 1000
    with pytest.raises(ValueError, match="a pool of 0 of"):
        Repetition(rising(10), 0)


def test_weights_make_up_for_repetition():
    repetition = Repetition(rising(64), 0.5, 1)
    sums = [
        repetition.weights(epoch)[drawn] @ drawn
        for epoch in range(2000)
        for drawn in [repetition.draw(epoch)]
    ]
    assert np.mean(sums) / 64 == pytest.approx(31.5, abs=0.5)


def test_a_layout_keeps_every_sample_and_pulls_repeats_together():
    drawn = draw(rising(20_000), 0, 1, 0)
    laid = lay_out(drawn, 20_000, 10, 7)
    assert np.array_equal(np.sort(laid), np.sort(drawn))
    order = np.lexsort((np.arange(len(laid)), laid))
    gaps = np.diff(order)[np.diff(laid[order]) == 0]
    assert ((gaps >= 30) & (gaps <= 160)).mean() > 0.9


def test_saved_scores_come_back():
    scores, again = rising(50), ItemScores(50)
    again.load_state(*scores.state())
    assert again.all().tolist() == scores.all().tolist()
    with pytest.raises(ValueError, match="saved scores of 50 items"):
        ItemScores(4).load_state(*scores.state())


def test_numbers_below_a_large_bound_are_those_of_single_draws():
    bound = (1 << 41) + 12345
    one_by_one = SeededRandom(9)
    assert SeededRandom(9).below_same(bound, 500).tolist() == [one_by_one.below(bound) for _ in range(500)]


def test_scores_take_two_bytes_until_one_is_no_batch_score():
    random = np.random.default_rng(8)
    for batch, size in ((MOST_CODES, 2), (MOST_CODES + 1, 4), (1000, 2)):
        scores = np.array([score_of(int(smaller)) for smaller in random.integers(0, batch - 1, 300)])
        scores[:2] = score_of(batch - 1), 0
        packed = PackedScores.of(scores)
        assert packed.nbytes == size * len(scores)
        assert packed.all().tolist() == scores.tolist()
        assert packed.at(np.array([1, 0]), unknown=5).tolist() == [5, scores[0]]
        packed.put(np.array([3, 3]), np.array([score_of(1), score_of(2)]))
        assert packed.at(np.array([3])).tolist() == [score_of(2)]
    before = packed.copy()
    packed.put(np.array([0]), np.array([score_of(3) + 1]))
    scores[[0, 3]] = score_of(3) + 1, score_of(2)
    assert packed.nbytes == 4 * len(scores)
    assert packed.all().tolist() == scores.tolist()
    assert before.at(np.array([0])).tolist() == [score_of(999)]
    assert packed.known == before.known == np.count_nonzero(scores)


@pytest.mark.parametrize("size", [1, 5, 32767, 32768, 100_000])
def test_next_uses_are_rounded_up_by_less_than_a_step(size):
    random = np.random.default_rng(size)
    places = np.arange(size)
    uses = np.where(random.random(size) < 0.2, -1, random.integers(places + 1, 2 * size))
    uses[0], step = 2 * size - 1, -(-2 * size // 65535)
    found = PackedUses(uses).at(places)
    assert np.array_equal(found < 0, uses < 0)
    off = (found - uses)[uses >= 0]
    assert off.min() >= 0
    assert off.max() < step


def test_a_job_takes_sixteen_bytes_for_each_sample():
    items, step = 200_000, 256
    rank_scores(np.zeros(step))
    gc.collect()
    tracemalloc.start()
    try:
        lists = ImportanceLists(items, step, seed=2)
        for epoch in range(3):
            lists.begin(epoch)
            for first in range(0, items, step):
                some = lists.list.entries[first : first + step].astype(np.int64)
                lists.scores.report(some, (some * 7919 + epoch) % 1009)
        del some
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 15.9 * items < taken <= 16 * items + 50_000, taken / items
