"""Figures within groups, DSM, and what the raters do there."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation, GroupFigures
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale

RNG = np.random.default_rng(31)
N = 240
GROUP = np.array(["A", "B", "C", ""], dtype="<U4")[RNG.choice(4, N, p=[0.5, 0.3, 0.19, 0.01])]
GROUP[:3] = "", "", "tiny"
HUMAN = RNG.integers(1, 6, (N, 2)).astype(float)
HUMAN[:, 1] = np.where(RNG.random(N) < 0.5, np.clip(HUMAN[:, 0] + RNG.integers(-1, 2, N), 1, 5), np.nan)
SYSTEM = np.clip(HUMAN[:, 0] + RNG.normal(0, 0.5, N) + np.where(GROUP == "B", 0.4, 0.0), 0.6, 5.4).astype(np.float64)
SEX = np.array(["f", "m"])[RNG.integers(0, 2, N)]


def evaluated(**choices: int) -> Evaluation:
    columns = (GroupColumn.of("school", GROUP.tolist()), GroupColumn.of("sex", SEX.tolist()))
    return evaluate_engine(
        Ratings(HUMAN, SYSTEM, groups=columns), Plan(ScoreScale(1, 5), least_group=choices.get("least", 1))
    )


FOUND = evaluated()
SCHOOLS = {group.name: group for group in FOUND.groupings[0].groups}


def members(name: str) -> NDArray[np.bool_]:
    return np.asarray(np.where(GROUP == "", "No info", GROUP) == name)


def test_every_response_is_in_one_group_of_each_column() -> None:
    assert [grouping.column for grouping in FOUND.groupings] == ["school", "sex"]
    for grouping in FOUND.groupings:
        assert sum(group.n for group in grouping.groups) == N
    assert sorted(SCHOOLS) == ["A", "B", "C", "No info", "tiny"]
    assert {name: group.n for name, group in SCHOOLS.items()} == {name: int(members(name).sum()) for name in SCHOOLS}


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_the_figures_of_a_group_are_those_of_its_responses_alone(name: str) -> None:
    rows = members(name)
    alone = evaluate_engine(Ratings(HUMAN[rows], SYSTEM[rows]), Plan(ScoreScale(1, 5)))
    group = SCHOOLS[name]
    for form in ("raw_trim", "raw_trim_round"):
        for metric, estimate in alone.forms[form].metrics.items():
            found = group.system[form].metrics[metric]
            assert (found.value, found.low, found.high) == pytest.approx((estimate.value, estimate.low, estimate.high))
    assert group.raters is not None
    assert alone.consistency is not None
    assert group.raters.n == alone.consistency.n
    assert group.raters.metrics["qwk"].value == pytest.approx(alone.consistency.metrics["qwk"].value)


def test_weights_count_within_groups() -> None:
    weights = RNG.uniform(0.2, 3, N)
    columns = (GroupColumn.of("school", GROUP.tolist()),)
    found = evaluate_engine(Ratings(HUMAN, SYSTEM, groups=columns, weights=weights), Plan(ScoreScale(1, 5)))
    group, rows = found.groupings[0].groups[0], members("A")
    expected = quadratic_weighted_kappa(HUMAN[rows, 0], SYSTEM[rows], weights=weights[rows])
    assert group.system["raw_trim"].metrics["qwk"].value == pytest.approx(expected)
    twice = rows & ~np.isnan(HUMAN[:, 1])
    expected = quadratic_weighted_kappa(HUMAN[twice, 0], HUMAN[twice, 1], weights=weights[twice])
    assert group.raters is not None
    assert group.raters.metrics["qwk"].value == pytest.approx(expected)


def test_dsm_is_the_mean_difference_of_z_scores_of_everyone() -> None:
    z_human, z_system = ((x - x.mean()) / x.std(ddof=1) for x in (HUMAN[:, 0], SYSTEM))
    for name, group in SCHOOLS.items():
        expected = np.mean((z_system - z_human)[members(name)])
        assert group.system["raw_trim"].metrics["dsm"].value == pytest.approx(expected), name


def test_the_generous_group_is_found_and_named() -> None:
    shift = SCHOOLS["B"].system["raw_trim"].metrics["dsm"]
    assert 0 < shift.low < shift.value < shift.high
    assert FOUND.figures()["dsm[school=B]"] == shift


def test_the_dsm_of_the_raters_takes_the_first_raters_spread_from_everyone() -> None:
    read_twice = ~np.isnan(HUMAN[:, 1])
    first, second = HUMAN[:, 0], HUMAN[read_twice, 1]
    rows = members("A") & read_twice
    expected = (HUMAN[rows, 1].mean() - second.mean()) / second.std(ddof=1)
    expected -= (first[rows].mean() - first.mean()) / first.std(ddof=1)
    raters = SCHOOLS["A"].raters
    assert raters is not None
    assert raters.metrics["dsm"].value == pytest.approx(expected)


def test_a_group_of_one_has_a_dsm_without_an_interval() -> None:
    tiny = SCHOOLS["tiny"]
    dsm = tiny.system["raw_trim"].metrics["dsm"]
    assert tiny.n == 1
    assert (dsm.defined, np.isnan(dsm.low), dsm.reason) == (True, True, "too few responses")
    assert tiny.system["raw_trim"].metrics["r"].reason == "only one response"


def test_small_groups_are_counted_but_not_shown_nor_named_as_the_worst() -> None:
    found = evaluated(least=30)
    shown = {group.name: group.shown for group in found.groupings[0].groups}
    assert shown == {name: int(members(name).sum()) >= 30 for name in SCHOOLS}
    assert not shown["tiny"]
    assert not any("tiny" in name for name in found.figures())
    largest = found.figures()["largest_dsm"]
    candidates = [g for grouping in found.groupings for g in grouping.groups if g.shown]
    assert largest in [group.system["raw_trim"].metrics["dsm"] for group in candidates]


def test_a_group_of_just_the_least_size_is_shown() -> None:
    size = SCHOOLS["C"].n
    for least, shown in ((size, True), (size + 1, False)):
        groups = {group.name: group.shown for group in evaluated(least=least).groupings[0].groups}
        assert groups["C"] is shown


def test_a_group_whose_responses_were_all_left_out_is_not_listed() -> None:
    human = HUMAN.copy()
    human[members("C"), 0] = np.nan
    columns = (GroupColumn.of("school", GROUP.tolist()),)
    found = evaluate_engine(Ratings(human, SYSTEM, groups=columns), Plan(ScoreScale(1, 5)))
    assert [group.name for group in found.groupings[0].groups] == ["A", "B", "No info", "tiny"]


def test_a_group_that_no_second_rater_read_has_empty_rater_figures() -> None:
    human = HUMAN.copy()
    human[members("C"), 1] = np.nan
    columns = (GroupColumn.of("school", GROUP.tolist()),)
    found = evaluate_engine(Ratings(human, SYSTEM, groups=columns), Plan(ScoreScale(1, 5)))
    group = next(g for g in found.groupings[0].groups if g.name == "C")
    assert group.raters is not None
    assert (group.raters.n, group.raters.metrics["qwk"].reason) == (0, "no responses")
    assert group.disattenuated is not None
    assert not group.disattenuated.corrected.defined


def test_with_one_rater_groups_have_no_rater_figures() -> None:
    columns = (GroupColumn.of("school", GROUP.tolist()),)
    found = evaluate_engine(Ratings(HUMAN[:, :1], SYSTEM, groups=columns), Plan(ScoreScale(1, 5)))
    assert {(g.raters, g.disattenuated) for g in found.groupings[0].groups} == {(None, None)}


def test_two_columns_may_be_crossed_into_one_by_whoever_reads_them() -> None:
    both = [f"{school or 'No info'} & {sex}" for school, sex in zip(GROUP, SEX, strict=True)]
    found = evaluate_engine(Ratings(HUMAN, SYSTEM, groups=(GroupColumn.of("both", both),)), Plan(ScoreScale(1, 5)))
    group: GroupFigures = next(g for g in found.groupings[0].groups if g.name == "A & f")
    rows = members("A") & (SEX == "f")
    assert group.n == rows.sum()
    trimmed = group.system["raw_trim"].metrics["qwk"].value
    assert trimmed == pytest.approx(quadratic_weighted_kappa(HUMAN[rows, 0], SYSTEM[rows]))


def test_fairness_is_that_of_the_trimmed_score() -> None:
    fairness = FOUND.groupings[0].fairness
    assert fairness.base_group == "A"
    difference = {c.name: c for c in fairness.overall_difference.coefficients}
    errors = SYSTEM - HUMAN[:, 0]
    assert difference["B"].estimate == pytest.approx(errors[members("B")].mean() - errors[members("A")].mean())
    assert fairness.overall_difference.p < 0.001


def test_everyone_with_one_score_leaves_the_dsm_undefined() -> None:
    columns = (GroupColumn.of("g", ["a", "b", "b", "a"]),)
    found = evaluate_engine(Ratings(np.full((4, 1), 3.0), np.arange(1.0, 5), groups=columns), Plan(ScoreScale(1, 5)))
    dsm = found.groupings[0].groups[0].system["raw_trim"].metrics["dsm"]
    assert (dsm.defined, dsm.reason) == (False, "all human or all system scores are equal")
    assert "largest_dsm" not in found.figures()
