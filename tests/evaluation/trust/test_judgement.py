"""What reviews say: figures, bands, periods, drift, precision and what to review next."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from assay.evaluation.trust.evidence import Pairs, ReviewEvidence
from assay.evaluation.trust.judgement import (
    LEAST_IN_PART,
    Precision,
    by_band,
    by_period,
    drift,
    judge,
    mean_error,
    next_reviews,
    precision,
    round_edges,
)
from assay.evaluation.trust.review_order import Waiting
from assay.metrics.intervals import Estimate
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale

SCALE = ScoreScale(1, 6)
RNG = np.random.default_rng(5)
HUMAN = RNG.integers(1, 7, 40).astype(float)
SYSTEM = HUMAN + RNG.normal(0, 0.5, 40)


def pairs(human: np.ndarray = HUMAN, system: np.ndarray = SYSTEM, **options: object) -> Pairs:
    n = len(human)
    values: dict[str, object] = {
        "names": tuple(f"r{i}" for i in range(n)),
        "readings": human[:, None],
        "system": system,
        "when": (None,) * n,
        "confirmed": 0,
        "groups": {"school": tuple(("East", "West")[i % 2] for i in range(n))},
        "drawn": tuple(i % 2 == 0 for i in range(n)),
    }
    return Pairs(**(values | options))  # type: ignore[arg-type]


def evidence(known: Pairs, waiting: list[float], scale: ScoreScale | None = SCALE) -> ReviewEvidence:
    system = np.array(waiting)
    return ReviewEvidence(
        scale=scale,
        pairs=known,
        names=tuple(f"w{i}" for i in range(len(waiting))),
        links=("",) * len(waiting),
        waiting=Waiting(system, system, np.full(system.size, np.nan), np.zeros(system.size, dtype=np.bool_)),
        waiting_groups={},
        sample=None,
    )


def test_the_figures_are_those_of_the_reviewed() -> None:
    judged = judge(evidence(pairs(), [2.4]), only_sample=False, figure="qwk", within=0.05)
    assert judged.evaluation is not None
    trimmed = ScoreScale(1, 6).trim(SYSTEM)
    assert judged.evaluation.figures()["qwk"] == pytest.approx(quadratic_weighted_kappa(HUMAN, trimmed))
    assert {grouping.column for grouping in judged.evaluation.groupings} == {"school"}


def test_the_random_sample_alone_can_be_judged() -> None:
    judged = judge(evidence(pairs(), []), only_sample=True, figure="qwk", within=None)
    assert len(judged.pairs) == 20
    assert judged.pairs.names[1] == "r2"


def test_with_two_reviews_there_is_a_plan_and_no_figure() -> None:
    judged = judge(evidence(pairs(HUMAN[:2], SYSTEM[:2]), []), only_sample=False, figure="qwk", within=0.1)
    assert judged.evaluation is None
    assert judged.precision.needed == 105
    assert judged.precision.more == 103


def test_more_reviews_are_needed_to_know_a_figure_more_closely() -> None:
    asked = [judge(evidence(pairs(), []), only_sample=False, figure="qwk", within=w).precision for w in (0.02, 0.01)]
    assert asked[0].needed is not None
    assert asked[1].needed is not None
    assert 40 < asked[0].needed < asked[1].needed


def test_a_shift_between_the_halves_is_drift_and_its_interval_says_so() -> None:
    shifted = SYSTEM + np.where(np.arange(40) < 20, 0.0, 1.5)
    moved = drift(pairs(system=shifted))
    error = shifted - HUMAN
    assert moved == pytest.approx(error[20:].mean() - error[:20].mean())
    assert moved.low > 0.5
    assert drift(pairs()).low < 0 < drift(pairs()).high


def test_drift_needs_enough_reviews() -> None:
    few = 2 * LEAST_IN_PART - 1
    assert drift(pairs(HUMAN[:few], SYSTEM[:few])).reason == "fewer than 16 reviews"
    assert by_period(pairs(HUMAN[:few], SYSTEM[:few])) == ()


def test_periods_are_equal_parts_in_the_order_of_the_reviews() -> None:
    assert [part.label for part in by_period(pairs())] == ["1 to 8", "9 to 16", "17 to 24", "25 to 32", "33 to 40"]
    start = datetime(2026, 3, 1, 9, tzinfo=UTC)
    dated = by_period(pairs(when=tuple(start + timedelta(days=i) for i in range(40))))
    assert dated[0].label == "1 Mar to 8 Mar"
    assert sum(part.n for part in dated) == 40


def test_bands_lie_between_round_numbers_and_hold_every_response() -> None:
    human = np.array([61.0, 66.0, 78.0, 97.3])
    bands = by_band(pairs(human, human + 2))
    assert [(band.label, band.n) for band in bands] == [("60 to 70", 2), ("70 to 80", 1), ("90 to 100", 1)]
    assert bands[0].error.value == pytest.approx(2)
    assert round_edges(np.array([3.0, 3.0])).size >= 2


def test_the_mean_error_has_the_interval_of_student() -> None:
    error = mean_error(HUMAN, SYSTEM)
    difference = SYSTEM - HUMAN
    assert error == pytest.approx(difference.mean())
    reach = 2.0226909 * difference.std(ddof=1) / np.sqrt(40)
    assert error.high - error == pytest.approx(reach, rel=1e-6)


def test_what_waits_is_ordered_by_what_it_teaches() -> None:
    known = pairs(np.full(30, 3.0), np.full(30, 3.0))
    picks = next_reviews(evidence(known, [3.0, 5.0, 3.0]), most=2)
    assert [pick.name for pick in picks] == ["w1", "w0"]
    assert picks[0].pick.why == "few"
    assert next_reviews(evidence(known, [])) == ()


def test_three_reviews_are_the_least_to_judge_by() -> None:
    three = judge(evidence(pairs(HUMAN[:3], SYSTEM[:3]), []), only_sample=False, figure="qwk", within=0.1)
    assert three.evaluation is not None
    assert three.evaluation.n == 3
    assert three.precision.reviewed == 3


def test_zeros_count_raters_are_readers_and_only_groups_that_part_are_kept() -> None:
    human = np.array([0.0, 1, 2, 3] * 6)
    groups = {
        "alike": ("x",) * 24,
        "two": tuple("ab"[i % 2] for i in range(24)),
        "twenty": tuple(str(i % 20) for i in range(24)),
        "more": tuple(str(i % 21) for i in range(24)),
    }
    known = pairs(human, human + 0.5, readings=np.column_stack([human, human]), groups=groups)
    found = judge(evidence(known, [], ScoreScale(0, 3)), only_sample=False, figure="r", within=None).evaluation
    assert found is not None
    assert (found.n, found.raters) == (24, ("rater 1", "rater 2"))
    assert [grouping.column for grouping in found.groupings] == ["two", "twenty"]
    assert {group.shown for group in found.groupings[0].groups} == {True}
    assert {group.shown for group in found.groupings[1].groups} == {False}  # one or two responses each
    assert (found.plan.least_group, found.plan.scale_declared) == (5, True)


def test_bands_stand_in_for_points_where_the_scale_has_none() -> None:
    on_points = judge(evidence(pairs(), []), only_sample=False, figure="r", within=None)
    off_points = judge(evidence(pairs(), [], None), only_sample=True, figure="r", within=None)
    assert on_points.levels == ()
    assert sum(part.n for part in off_points.levels) == 20
    assert (on_points.only_sample, off_points.only_sample) == (False, True)
    assert off_points.evaluation is not None
    assert off_points.evaluation.plan.scale_declared is None


@pytest.mark.parametrize(
    ("figure", "scale", "within"),
    [
        ("qwk", SCALE, 0.05),
        ("r", SCALE, 0.05),
        ("smd", SCALE, 0.1),
        ("exact_agreement", SCALE, 5.0),
        ("adjacent_agreement", SCALE, 3.0),
        ("rmse", ScoreScale(1, 6, 0.5), 0.05),
        ("mae", SCALE, 0.1),
        ("mse", None, 1.0),
        ("something else", SCALE, 0.05),
    ],
)
def test_unless_asked_a_figure_should_be_known_as_closely_as_its_unit_says(
    figure: str, scale: ScoreScale | None, within: float
) -> None:
    found = judge(evidence(pairs(), [], scale), only_sample=False, figure=figure, within=None).precision
    assert found.within == pytest.approx(within)
    assert found.figure == (figure if figure != "something else" else "qwk")
    asked = judge(evidence(pairs(), [], scale), only_sample=False, figure=figure, within=0.01).precision
    assert asked.within == 0.01
    assert asked.now == pytest.approx((asked.estimate.high - asked.estimate.low) / 2)


@pytest.mark.parametrize(
    ("figure", "within", "needed"),
    [("r", 0.1, 105), ("kappa", 0.1, 105), ("r", 0.5, None), ("smd", 0.1, None), ("rmse", 0.1, None)],
)
def test_before_any_review_only_correlations_can_be_planned(figure: str, within: float, needed: int | None) -> None:
    found = precision(evidence(pairs(HUMAN[:2], SYSTEM[:2]), []), None, 2, figure, within)
    assert (found.needed, found.estimate.reason, np.isnan(found.now)) == (needed, "no reviews", True)
    assert found.more == (None if needed is None else needed - 2)


def test_no_more_reviews_are_needed_than_there_are_not_fewer_than_none() -> None:
    assert Precision("r", Estimate(0.5), 0.1, 0.2, needed=30, reviewed=40).more == 0
    assert Precision("r", Estimate(0.5), 0.1, 0.2, needed=40, reviewed=30).more == 10
    assert Precision("r", Estimate(0.5), 0.1, 0.2, needed=None, reviewed=30).more is None


@pytest.mark.parametrize(
    ("scores", "edges"),
    [
        ([0.0, 5.0], [0, 1, 2, 3, 4, 5]),
        ([0.0, 6.0], [0, 2, 4, 6]),
        ([0.0, 10.0], [0, 2, 4, 6, 8, 10]),
        ([0.0, 11.0], [0, 5, 10, 15]),
        ([0.0, 26.0], [0, 10, 20, 30]),
        ([-3.0, 3.0], [-4, -2, 0, 2, 4]),
        ([0.0, 0.3], [0, 0.1, 0.2, 0.3]),
        ([61.0, 97.3], [60, 70, 80, 90, 100]),
    ],
)
def test_bands_are_at_most_five_and_lie_on_ones_twos_fives_and_tens(scores: list[float], edges: list[float]) -> None:
    assert round_edges(np.array(scores)).tolist() == edges


def test_one_score_alone_has_a_band_of_its_own() -> None:
    low, high = round_edges(np.array([3.0]))
    assert low <= 3 < high
    assert round_edges(np.array([0.0, 9.0]), most=3).tolist() == [0, 5, 10]


def test_a_score_on_an_edge_is_in_the_band_above_and_the_highest_in_the_last() -> None:
    human = np.array([0.0, 1.0, 2.0, 4.0, 5.0])
    bands = by_band(pairs(human, human))
    assert [(band.label, band.n) for band in bands] == [("0 to 1", 1), ("1 to 2", 1), ("2 to 3", 1), ("4 to 5", 2)]
    assert by_band(pairs(human[:0], human[:0])) == ()


def test_a_part_of_one_review_has_an_error_but_no_agreement() -> None:
    human = np.array([0.0, 0.5, 0.7, 4.5])
    system = human + np.array([0.5, 0.5, 2, 0.5])
    low, high = by_band(pairs(human, system))
    assert (high.n, high.error.value, high.qwk.reason) == (1, 0.5, "no responses")
    assert low.qwk == pytest.approx(quadratic_weighted_kappa(human[:3], system[:3]))
    assert high.error.reason == "too few responses"


def test_errors_of_nobody_and_of_two() -> None:
    assert mean_error(HUMAN[:0], SYSTEM[:0]).reason == "no responses"
    assert mean_error(np.array([1.0, 2]), np.array([2.0, 5])) == 2.0


def test_there_are_at_most_six_periods() -> None:
    many = np.tile(HUMAN, 3)
    assert [part.n for part in by_period(pairs(many, many + 0.5))] == [20] * 6
    sixteen = by_period(pairs(HUMAN[:16], SYSTEM[:16]))
    assert [(part.label, part.n) for part in sixteen] == [("1 to 8", 8), ("9 to 16", 8)]
    assert sixteen[1].error == pytest.approx((SYSTEM - HUMAN)[8:16].mean())
    assert sixteen[1].qwk == pytest.approx(quadratic_weighted_kappa(HUMAN[8:16], SYSTEM[8:16]))


@pytest.mark.parametrize(
    ("minutes", "labels"),
    [
        (1, ["1 Mar, 12:00 to 12:07", "1 Mar, 12:08 to 12:15"]),
        (0, ["1 Mar, 12:00", "1 Mar, 12:00"]),
        (24 * 60, ["1 Mar to 8 Mar", "9 Mar to 16 Mar"]),
    ],
)
def test_a_period_is_named_by_its_days_or_by_its_hours(minutes: int, labels: list[str]) -> None:
    start = datetime(2026, 3, 1, 12).astimezone()
    when = tuple(start + timedelta(minutes=minutes * i) for i in range(16))
    assert [part.label for part in by_period(pairs(HUMAN[:16], SYSTEM[:16], when=when))] == labels


def test_a_period_with_an_unknown_end_is_named_by_its_place() -> None:
    start = datetime(2026, 3, 1, 12).astimezone()
    when = (*(start + timedelta(days=i) for i in range(15)), None)
    assert [p.label for p in by_period(pairs(HUMAN[:16], SYSTEM[:16], when=when))] == ["1 Mar to 8 Mar", "9 to 16"]


def test_the_interval_of_drift_is_welchs_on_the_smaller_half() -> None:
    """17 reviews: halves of 8 and 9, t(7) = 2.364624."""
    error = np.array([0.1, 0.3, -0.2, 0.4, 0.0, 0.2, -0.1, 0.5, 1.0, 0.7, 1.3, 0.9, 1.1, 0.6, 1.2, 0.8, 1.4])
    found = drift(pairs(np.ones(17), 1 + error))
    halves = error[:8], error[8:]
    reach = 2.364624252 * np.sqrt(halves[0].var(ddof=1) / 8 + halves[1].var(ddof=1) / 9)
    value = halves[1].mean() - halves[0].mean()
    assert (found.value, found.low, found.high) == pytest.approx((value, value - reach, value + reach))


def test_drift_without_any_spread_has_no_interval() -> None:
    human = np.tile([1.0, 2], 8)
    found = drift(pairs(human, human + np.repeat([0.0, 0.5], 8)))
    assert (found.value, found.has_interval, found.reason) == (0.5, False, "no spread")


def test_what_waits_is_parted_by_score_level_and_by_group() -> None:
    """Five reviews at each level but 6, which has none; of the schools, West has none."""
    system = np.repeat([1.0, 2, 3, 4, 5], 5)
    known = pairs(system, system, groups={"school": ("East",) * 25})
    asked = replace(
        evidence(known, [3.4, 5.6, 3.5]),
        links=("/a", "/b", "/c"),
        waiting_groups={"school": ("East", "East", "West"), "alike": ("x", "x", "x")},
    )
    picks = next_reviews(asked)
    assert [(p.name, p.link, p.pick.why, p.pick.part, p.pick.reviewed) for p in picks] == [
        ("w2", "/c", "few", "West", 0),
        ("w1", "/b", "few", "6", 0),
        ("w0", "/a", "cut", "", 0),
    ]
    assert [(p.system, p.raw, np.isnan(p.spread)) for p in picks][1] == (5.6, 5.6, True)
    assert len(next_reviews(asked, most=1)) == 1


def test_unknown_groups_are_one_group_and_more_than_twenty_are_no_parting() -> None:
    known = pairs(np.ones(20), np.ones(20), groups={"g": ("a",) * 20})
    asked = replace(evidence(known, [1.0, 1.0]), waiting_groups={"g": ("a", None)})
    assert [(p.name, p.pick.part) for p in next_reviews(asked)] == [("w1", "No info"), ("w0", "a")]
    crowd = pairs(np.ones(20), np.ones(20), groups={"g": tuple(f"{i:02}" for i in range(20))})
    for extra, part in (("19", "19"), ("20", "1")):
        crowded = replace(evidence(crowd, [1.0]), waiting_groups={"g": (extra,)})
        assert next_reviews(crowded)[0].pick.part == part


def test_without_points_the_levels_are_bands_of_all_system_scores() -> None:
    known = pairs(np.full(30, 12.0), np.full(30, 12.0))
    picks = next_reviews(evidence(known, [13.0, 48.0, np.nan], None))
    assert [(p.name, p.pick.why, p.pick.part, p.pick.reviewed) for p in picks] == [
        ("w2", "no score", "", 0),
        ("w1", "few", "40 to 50", 0),
        ("w0", "few", "10 to 20", 30),
    ]
    nobody = evidence(pairs(HUMAN[:0], SYSTEM[:0]), [np.nan], None)
    assert [p.pick.why for p in next_reviews(nobody)] == ["no score"]


def test_eight_responses_are_proposed_unless_another_number_is_asked_for() -> None:
    asked = evidence(pairs(), [1.0 + i / 4 for i in range(12)])
    assert len(next_reviews(asked)) == 8
    assert len(judge(asked, only_sample=False, figure="r", within=None).next) == 8
    assert len(judge(asked, only_sample=False, figure="r", within=None, most=10).next) == 10


def test_a_part_of_more_reviews_than_there_are_blocks_keeps_all_of_them() -> None:
    human = np.tile([1.0, 2, 3, 4, 5], 240)
    system = human + np.tile([0.0, 0.5, -0.5, 1, 0, 0.25], 200)
    (band,) = by_band(pairs(human / 100, system / 100))[:1]
    rows = human == 1
    assert (band.label, band.n) == ("0.01 to 0.02", 240)
    assert band.qwk == pytest.approx(quadratic_weighted_kappa(human[rows], system[rows]), abs=1e-9)
    whole = by_period(pairs(np.tile(human, 3), np.tile(system, 3)))
    assert [part.n for part in whole] == [600] * 6
    assert whole[0].qwk == pytest.approx(quadratic_weighted_kappa(human[:600], system[:600]))


def test_a_part_that_would_not_be_full_is_shared_out_among_the_others() -> None:
    found = by_period(pairs(HUMAN[:20], SYSTEM[:20]))
    assert [part.label for part in found] == ["1 to 10", "11 to 20"]
