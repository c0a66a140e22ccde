"""One pass over responses: what is tallied, what is too large to tally, how parts add up."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.tallying import MOST_POINTS_TO_CROSS, EvaluationTally, LevelTally
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale

NAN = np.nan
HUMAN = np.array([[1, 1, NAN], [2, 0, 2], [3, 3, 3], [4, NAN, NAN], [2, 3, np.inf]])
SYSTEM = np.array([1.2, 2.6, 3, 3.4, 1.9])
PLAN = Plan(ScoreScale(1, 4))


def tally_of(human: Scores = HUMAN, system: Scores = SYSTEM, plan: Plan = PLAN, **columns: object) -> EvaluationTally:
    ratings = Ratings(human, system, **columns)  # type: ignore[arg-type]
    return EvaluationTally.of(ratings.where(np.ones(len(system), dtype=bool)), plan)


def test_each_pair_of_raters_is_tallied_on_the_responses_both_read() -> None:
    """A zero or an infinite score of a further rater is no reading."""
    found = {pair: int(tally.n.sum()) for pair, tally in tally_of().raters.items()}
    assert found == {(0, 1): 3, (0, 2): 2, (1, 2): 1}


def test_zeros_of_further_raters_count_when_zeros_do() -> None:
    found = tally_of(plan=Plan(ScoreScale(0, 4), leave_out_zeros=False))
    assert int(found.raters[0, 1].n.sum()) == 4


def test_every_form_is_tallied_on_every_response() -> None:
    tally = tally_of()
    assert list(tally.system) == ["raw", "raw_trim", "raw_trim_round"]
    assert {int(t.n.sum()) for t in tally.system.values()} == {5}
    assert tally.ratings.system_error.shape[0] == 3


def test_a_response_of_unknown_length_is_left_out_of_the_correlation_with_length_alone() -> None:
    tally = tally_of(length=np.array([10, NAN, 30, 40, 20.0]))
    assert tally.length is not None
    assert [int(t.n.sum()) for t in tally.length] == [4, 4]
    assert tally_of().length is None


def test_halves_are_counted_at_the_level_that_rounding_gives_them() -> None:
    human = np.array([[1.5], [2.5], [3.5], [2], [9]])
    kept = Ratings(human, SYSTEM).where(np.ones(5, dtype=bool))
    levels = LevelTally.of(kept, human[:, 0], SYSTEM, ScoreScale(1, 4))
    assert levels.n.sum(axis=1).tolist() == [0, 3, 0, 1]  # 9 is off the scale
    assert ScoreScale(1, 4).round(human[:4, 0]).tolist() == [2, 2, 4, 2]


def test_half_points_are_levels_of_their_own_wherever_the_scale_begins() -> None:
    human, system = np.array([[2.0], [2.5], [4.0]]), np.array([2.25, 3.0, 3.75])
    levels = tally_of(human, system, Plan(ScoreScale(2, 4, 0.5))).levels
    assert levels is not None
    assert levels.n.sum(axis=1).tolist() == [1, 1, 0, 0, 1]
    assert levels.error.sum(axis=1).tolist() == pytest.approx([0.25, 0.5, 0, 0, -0.25])


def test_errors_by_level_are_system_less_human() -> None:
    kept = Ratings(HUMAN, SYSTEM, weights=np.array([1, 2, 1, 1, 2.0])).where(np.ones(5, dtype=bool))
    levels = LevelTally.of(kept, HUMAN[:, 0], SYSTEM, ScoreScale(1, 4))
    assert levels.error.sum(axis=1).tolist() == pytest.approx([0.2, 2 * 0.6 - 2 * 0.1, 0, -0.6])
    assert levels.squared_error.sum(axis=1).tolist() == pytest.approx([0.04, 2 * 0.36 + 2 * 0.01, 0, 0.36])
    assert levels.weight.sum(axis=1).tolist() == [1, 4, 1, 1]


@pytest.mark.parametrize(("points", "kept"), [(MOST_POINTS_TO_CROSS, True), (MOST_POINTS_TO_CROSS + 1, False)])
def test_a_scale_of_too_many_points_is_not_tallied_point_by_point(points: int, kept: bool) -> None:
    tally = tally_of(plan=Plan(ScoreScale(1, points)))
    assert [part is not None for part in (tally.levels, tally.crossed, tally.rated)] == [kept] * 3


def test_a_huge_scale_costs_no_more_than_a_small_one() -> None:
    tally = tally_of(human=HUMAN * 1e6, system=SYSTEM * 1e6, plan=Plan(ScoreScale(1e6, 4e6)))
    assert tally.levels is None
    assert all(t.points.size == 0 for t in tally.system.values())


def test_too_many_combinations_of_raters_points_are_given_up_and_the_rest_stands() -> None:
    rng = np.random.default_rng(1)
    human = rng.integers(0, 101, (25_000, 3)).astype(float)
    plan = Plan(ScoreScale(0, 100), leave_out_zeros=False)
    whole = tally_of(human, human[:, 0], plan)
    assert whole.rated is None
    assert whole.crossed is not None
    halves = [tally_of(human[part], human[part, 0], plan) for part in (slice(0, 12_500), slice(12_500, None))]
    assert all(half.rated is not None for half in halves)
    assert (halves[0] + halves[1]).rated is None


def test_parts_must_number_their_groups_alike() -> None:
    """Otherwise the second part's first group would be added to the first part's first group."""
    parts = [tally_of(groups=(GroupColumn.of("g", [name] * 5),)) for name in "AB"]
    with pytest.raises(InputError, match="number their groups differently: A and B"):
        parts[0] + parts[1]


def test_groups_hold_the_decisive_forms_and_the_first_two_raters() -> None:
    tally = tally_of(groups=(GroupColumn.of("g", ["A", "A", "B", "B", None]),))
    group = tally.groups["g"]
    assert group.levels == ("A", "B", "No info")
    assert list(group.system) == ["raw_trim", "raw_trim_round"]
    assert group.system["raw_trim"].n.sum(axis=1).tolist() == [2, 2, 1]
    assert group.raters is not None
    assert group.raters.n.sum(axis=1).tolist() == [1, 1, 1]


def test_the_step_of_the_scale_is_that_of_every_tally_and_one_without_a_scale() -> None:
    groups = (GroupColumn.of("g", ["A", "A", "B", "B", None]),)
    for plan, step in ((Plan(ScoreScale(1, 4, 0.5)), 0.5), (Plan(None), 1.0)):
        tally = tally_of(plan=plan, groups=groups)
        group = tally.groups["g"]
        assert group.raters is not None
        steps = {t.step for t in (*tally.system.values(), *tally.raters.values(), *group.system.values(), group.raters)}
        assert steps == {step}


def test_lengths_are_correlated_with_the_human_and_with_the_trimmed_system_score() -> None:
    length, system = np.array([10, 20, 30, 40, 25.0]), np.array([1.2, 2.6, 3, 9, 1.9])
    tally = tally_of(system=system, length=length, weights=np.array([1, 2, 1, 1, 3.0]))
    assert tally.length is not None
    human_length, system_length = (t.merged() for t in tally.length)
    assert float(human_length.human_mean) == pytest.approx((1 + 4 + 3 + 4 + 6) / 8)
    assert float(human_length.system_mean) == pytest.approx((10 + 40 + 30 + 40 + 75) / 8)
    assert float(system_length.human_mean) == pytest.approx((1.2 + 5.2 + 3 + 4.4998 + 5.7) / 8)
    assert float(system_length.weight) == 8


def test_parts_add_up_whatever_they_hold() -> None:
    def part(rows: slice) -> EvaluationTally:
        column = GroupColumn("g", ("A", "B"), np.array([0, 1, 0, 1, 1])[rows])
        length = np.array([10, 20, 30, 40, 25.0])[rows]
        return tally_of(HUMAN[rows], SYSTEM[rows], groups=(column,), length=length, first_row=rows.start)

    whole, added = part(slice(0, 5)), part(slice(0, 2)) + part(slice(2, 5))
    assert whole.levels is not None
    assert added.levels is not None
    for name in ("n", "weight", "error", "squared_error"):
        assert getattr(added.levels, name) == pytest.approx(getattr(whole.levels, name)), name
    assert whole.crossed is not None
    assert added.crossed is not None
    assert added.crossed.patterns.tolist() == whole.crossed.patterns.tolist()
    assert added.crossed.count.tolist() == whole.crossed.count.tolist()
    assert whole.rated is not None
    assert added.rated is not None
    np.testing.assert_array_equal(added.rated.patterns, whole.rated.patterns)
    assert added.length is not None
    assert [int(t.n.sum()) for t in added.length] == [5, 5]
    assert added.ratings.system_error == pytest.approx(whole.ratings.system_error)
    assert added.groups["g"].errors.n.tolist() == whole.groups["g"].errors.n.tolist()
    assert added.groups["g"].system["raw_trim"].n.tolist() == whole.groups["g"].system["raw_trim"].n.tolist()


def test_a_part_without_points_leaves_the_whole_without() -> None:
    counted, uncounted = tally_of(), tally_of(plan=Plan(ScoreScale(1, 400)))
    for both in (counted + uncounted, uncounted + counted):
        assert (both.levels, both.crossed, both.rated) == (None, None, None)


def test_one_rater_alone_has_no_patterns_of_raters() -> None:
    tally = tally_of(HUMAN[:, :1], groups=(GroupColumn.of("g", ["A"] * 5),))
    assert (tally.rated, tally.raters, tally.groups["g"].raters) == (None, {}, None)
    assert tally.crossed is not None


def test_the_final_score_is_crossed_with_the_human_one_and_raters_with_each_other() -> None:
    """The system gives 1.2, 2.6, 3, 3.4, 1.9, so 1, 3, 3, 3, 2; people 1, 2, 3, 4, 2."""
    tally = tally_of()
    assert tally.crossed is not None
    assert tally.crossed.patterns.tolist() == [[1, 1], [2, 2], [2, 3], [3, 3], [4, 3]]
    assert tally.rated is not None
    assert tally.rated.raters == 3
    assert tally.rated.ratings_given.sum() == 5 + 3 + 2


@pytest.mark.parametrize(
    ("scale", "kept"),
    [
        (ScoreScale(0, 100), True),
        (ScoreScale(0, 60, 0.5), True),
        (ScoreScale(0, 140), True),
        (ScoreScale(0, 141), False),
    ],
)
def test_a_hundred_points_and_sixty_in_halves_are_still_counted(scale: ScoreScale, kept: bool) -> None:
    assert (tally_of(plan=Plan(scale)).crossed is not None) is kept
