"""Responses in parts: what is added up when, and who is listed as left out."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.chunks import (
    CHUNK_PARTS,
    MOST_EXCLUDED_LISTED,
    ChunkTally,
    few_items,
    tallied_chunks,
    tally_parts,
    whole_tally,
)
from assay.evaluation.exclusions import FEW_ITEMS, FLAGGED, NO_HUMAN, NO_SYSTEM, Exclusions
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.scale import ScoreScale

NAN = np.nan
PLAN = Plan(ScoreScale(1, 6))
PART = Ratings.of([1.0, 2, NAN, 4], [1.0, NAN, 3, 5])
UNREAD = Ratings.of([NAN, NAN], [1.0, 2])


def test_parts_are_added_up_sixteen_at_a_time() -> None:
    chunks = list(tallied_chunks(((PART, ()) for _ in range(2 * CHUNK_PARTS + 1)), PLAN))
    assert CHUNK_PARTS == 16
    assert [len(chunk) for chunk in chunks] == [64, 64, 4]
    assert [int(c.tally.system["raw"].n.sum()) for c in chunks if c.tally is not None] == [32, 32, 2]
    assert list(tallied_chunks([], PLAN)) == []


def test_the_whole_is_all_chunks_and_all_that_was_left_out() -> None:
    tally, exclusions = tally_parts([PART, UNREAD, PART], PLAN)
    assert int(tally.system["raw"].n.sum()) == 4
    assert (exclusions.read, exclusions.used, dict(exclusions.left_out)) == (10, 4, {NO_HUMAN: 4, NO_SYSTEM: 2})


def test_a_chunk_without_a_tally_takes_that_of_the_other() -> None:
    (some,) = tallied_chunks([(PART, ())], PLAN)
    (none,) = tallied_chunks([(UNREAD, ())], PLAN)
    assert none.tally is None
    assert (none + some).tally is some.tally
    assert (some + none).tally is some.tally
    assert (none + none).tally is None
    assert len(none + some) == 6


def test_those_left_out_are_listed_by_id_with_their_reason_in_the_order_of_the_table() -> None:
    parts = [(PART, ["a", "b", "c", "d"]), (UNREAD, np.array([17, 18]))]
    _, _, excluded = whole_tally(tallied_chunks(parts, PLAN))
    assert excluded == (("b", NO_SYSTEM), ("c", NO_HUMAN), ("17", NO_HUMAN), ("18", NO_HUMAN))
    assert whole_tally(tallied_chunks([(PART, ())], PLAN))[2] == ()


def test_only_the_first_ten_thousand_left_out_are_listed() -> None:
    n = MOST_EXCLUDED_LISTED + 5
    many = Ratings.of(np.full(n, NAN), np.ones(n))
    (one,) = tallied_chunks([(many, range(n))], PLAN)
    two = ChunkTally(None, Exclusions(1), (("x", NO_HUMAN),)) + one
    assert MOST_EXCLUDED_LISTED == 10_000
    assert (len(one.excluded), len(one)) == (10_000, n)
    assert (len(two.excluded), two.excluded[0], two.excluded[-1][0]) == (10_000, ("x", NO_HUMAN), "9998")


def test_a_candidate_with_just_enough_usable_responses_stays() -> None:
    ratings = Ratings.of([1.0, 2, 3, NAN, 5], [1.0, 2, 3, 4, 5], candidate=["p", "p", "q", "q", "r"])
    for least, few in ((1, [False] * 5), (2, [False, False, True, True, True]), (3, [True] * 5)):
        assert few_items(ratings, Plan(ScoreScale(1, 6), least_items=least)).tolist() == few


def test_zeros_are_usable_where_they_are_scores() -> None:
    ratings = Ratings.of([0.0, 2], [1.0, 2], candidate=["p", "p"])
    for zeros_left_out, few in ((True, [True, True]), (False, [False, False])):
        plan = Plan(ScoreScale(0, 6), least_items=2, leave_out_zeros=zeros_left_out)
        assert few_items(ratings, plan).tolist() == few


def test_candidates_are_only_asked_for_where_one_response_is_too_few() -> None:
    for least in (0, 1):
        tally_parts([PART], Plan(ScoreScale(1, 6), least_items=least))
    with pytest.raises(InputError, match="needs a column that names candidates") as refused:
        tally_parts([PART], Plan(ScoreScale(1, 6), least_items=2))
    assert refused.value.field == "candidate"


def test_candidates_with_too_few_responses_are_listed_too() -> None:
    ratings = Ratings.of([1.0, 2, 3], [1.0, 2, 3], candidate=["p", "p", "q"])
    _, _, excluded = whole_tally(tallied_chunks([(ratings, "abc")], Plan(ScoreScale(1, 6), least_items=2)))
    assert excluded == (("c", FEW_ITEMS),)


def test_nothing_left_says_where_all_went() -> None:
    with pytest.raises(InputError, match="Of 2 read, left out were: no human score: 2") as refused:
        tally_parts([UNREAD], PLAN)
    assert refused.value.field == "human"
    with pytest.raises(InputError, match="The table has no rows"):
        tally_parts([], PLAN)


def test_a_flagged_response_is_counted_and_left_out_of_every_tally() -> None:
    flagged = Ratings(np.array([[1.0], [2], [3]]), np.array([1.0, 2, 6]), flagged=np.array([False, False, True]))
    tally, exclusions, excluded = whole_tally(tallied_chunks([(flagged, "abc")], PLAN))
    assert int(tally.system["raw"].n.sum()) == 2
    assert float(tally.system["raw"].squared_error.sum()) == 0
    assert (exclusions.used, dict(exclusions.left_out), excluded) == (2, {FLAGGED: 1}, (("c", FLAGGED),))
