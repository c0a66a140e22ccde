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
