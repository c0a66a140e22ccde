"""What to review next: the doubtful, and then all over the scale."""

import numpy as np

from assay.evaluation.trust.review_order import Stratum, Waiting, review_order


def waiting(raw: list[float], **known: list[float] | list[bool]) -> Waiting:
    """Responses on a scale of whole points, levels 1 to 6, none reviewed."""
    scores = np.array(raw, dtype=np.float64)
    rounded = np.rint(scores)
    levels = Stratum(
        "level", tuple("123456"), np.nan_to_num(rounded, nan=1).astype(np.int64) - 1, np.zeros(6, dtype=np.int64)
    )
    spread = np.array(known.get("spread", [np.nan] * len(raw)), dtype=np.float64)
    flagged = np.array(known.get("flagged", [False] * len(raw)), dtype=np.bool_)
    return Waiting(rounded, scores, spread, flagged, (levels,))


def test_a_response_without_a_score_comes_first_then_one_beside_a_cut() -> None:
    picks = review_order(waiting([3.0, np.nan, 4.49, 3.1]), step=1, most=2)
    assert [(pick.row, pick.why) for pick in picks] == [(1, "no score"), (2, "few")]


def test_beside_a_cut_weighs_more_where_the_level_is_well_reviewed() -> None:
    asked = waiting([3.0, 3.45, 3.1])
    asked.strata[0].reviewed[:] = 50
    assert [(p.row, p.why) for p in review_order(asked, step=1, most=1)] == [(1, "cut")]


def test_the_widest_interval_and_a_flag_are_reasons() -> None:
    asked = waiting([3.0, 3.0, 3.0], spread=[0.2, 0.9, 0.2], flagged=[False, False, True])
    asked.strata[0].reviewed[:] = 50
    picks = review_order(asked, step=None, most=3)
    assert [(pick.row, pick.why) for pick in picks[:2]] == [(2, "flagged"), (1, "interval")]


def test_intervals_that_are_all_as_wide_are_no_reason() -> None:
    asked = waiting([3.0, 3.5], spread=[0.6, 0.6])
    asked.strata[0].reviewed[:] = 50
    assert review_order(asked, step=1, most=1)[0].why == "cut"


def test_picks_spread_over_the_scale() -> None:
    raw = [2.0] * 20 + [3.0] * 20 + [4.0] * 20 + [5.0]
    picks = review_order(waiting(raw), step=None, most=8)
    levels = [raw[pick.row] for pick in picks]
    assert sorted(set(levels)) == [2.0, 3.0, 4.0, 5.0]
    assert max(levels.count(level) for level in set(levels)) <= 3
    assert len({pick.row for pick in picks}) == 8


def test_nothing_waiting_is_an_empty_list() -> None:
    assert review_order(waiting([]), step=1, most=5) == []


def reviewed_often(asked: Waiting, times: int = 10**8) -> Waiting:
    """So many reviews of every part that its rarity counts for nothing."""
    asked.strata[0].reviewed[:] = times
    return asked


def reasons(asked: Waiting, *, step: float | None, most: int = 9) -> list[tuple[int, str]]:
    return [(pick.row, pick.why) for pick in review_order(asked, step=step, most=most)]


def test_doubt_is_one_without_a_score_nine_tenths_at_the_widest_and_eight_tenths_at_a_cut() -> None:
    raw, spread = [3.0, 3.5, 3.0, np.nan, 3.0], [0.2, 0.2, 0.9, 0.2, 0.2]
    asked = reviewed_often(waiting(raw, spread=spread, flagged=[True, False, False, False, False]))
    assert reasons(asked, step=1) == [(0, "flagged"), (3, "no score"), (2, "interval"), (1, "cut"), (4, "few")]


def test_an_interval_counts_by_how_far_it_is_from_the_typical_to_the_widest() -> None:
    """Typical 0.2, widest 1: one of 0.9 has the doubt 0.9 * 0.7 / 0.8 = 0.7875; a raw score of 3.48 has 0.768."""
    raw = [3.0, 3.0, 3.0, 3.48, 3.0, 3.0]
    first = reviewed_often(waiting(raw, spread=[0.2, 0.9, 1.0, 0.2, 0.2, 0.2]))
    second = reviewed_often(waiting(raw, spread=[0.2, 0.85, 1.0, 0.2, 0.2, 0.2]))
    assert reasons(first, step=1, most=3) == [(2, "interval"), (1, "interval"), (3, "cut")]
    assert reasons(second, step=1, most=3) == [(2, "interval"), (3, "cut"), (1, "interval")]


def test_a_narrow_interval_is_no_doubt_and_an_unknown_one_neither() -> None:
    asked = reviewed_often(waiting([3.0, 3.1, 3.0, 3.0], spread=[0.1, np.nan, 0.9, 0.5]))
    assert reasons(asked, step=1)[:2] == [(2, "interval"), (1, "cut")]


def test_a_cut_lies_half_a_step_from_each_point() -> None:
    """In steps of 0.5 the cut is at 3.25, and 3.2 is nearer to it than 3.35; 3 is a point itself."""
    asked = reviewed_often(waiting([3.0, 3.2, 3.35, 3.25]))
    assert [row for row, _ in reasons(asked, step=0.5)] == [3, 1, 2, 0]


def test_a_part_with_few_reviews_says_how_many_it_has() -> None:
    asked = waiting([3.0, 5.0, 5.0])
    asked.strata[0].reviewed[:] = [9, 9, 8, 9, 3, 9]
    picks = review_order(asked, step=None, most=3)
    # 1 / sqrt(4) at 5; after one pick 1 / sqrt(5) = 0.45, still more than 1 / 3 at 3
    assert [(p.row, p.why, p.part, p.reviewed) for p in picks] == [
        (1, "few", "5", 3),
        (2, "few", "5", 3),
        (0, "few", "3", 8),
    ]


def test_the_rarer_of_two_partings_is_named() -> None:
    levels = Stratum("level", ("1", "2"), np.array([0, 1]), np.array([8, 8]))
    school = Stratum("school", ("East", "West"), np.array([0, 1]), np.array([8, 0]))
    unknown = np.full(2, np.nan)
    asked = Waiting(np.array([1.0, 2]), np.array([1.0, 2]), unknown, np.zeros(2, dtype=np.bool_), (levels, school))
    picks = review_order(asked, step=None, most=2)
    assert [(p.row, p.part, p.reviewed) for p in picks] == [(1, "West", 0), (0, "1", 8)]


def test_without_parts_the_doubt_alone_decides_and_ties_keep_their_order() -> None:
    blank = Waiting(np.ones(3), np.array([1.0, 1.4, 1.0]), np.full(3, np.nan), np.zeros(3, dtype=np.bool_))
    assert reasons(blank, step=1) == [(1, "cut"), (0, "no score"), (2, "no score")]
    assert len(review_order(blank, step=1, most=2)) == 2
    assert review_order(blank, step=1, most=0) == []
    assert (blank.strata, review_order(blank, step=1, most=1)[0].part) == ((), "")
    assert review_order(blank, step=1, most=1)[0].reviewed == 0
