"""Variance components beside lme4 and the analysis of variance; decision studies by hand."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels import generalizability
from assay.evaluation.panels.design import LongRatings
from assay.evaluation.panels.generalizability import (
    EFFECTS,
    conditional_error,
    decision_study,
    mixed_decision_study,
    variance_components,
)
from assay.metrics.bins import Scores

NAN = float("nan")
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def simulated(items: int, raters: int, criteria: int, seed: int, gaps: float = 0.0) -> Scores:
    rng = np.random.default_rng(seed)
    shapes = [(items, 1, 1), (1, raters, 1), (1, 1, criteria), (items, raters, 1), (items, 1, criteria)]
    shapes += [(1, raters, criteria), (items, raters, criteria)]
    variances = (1.0, 0.3, 0.2, 0.4, 0.15, 0.1, 0.5)
    scores = sum(rng.normal(0, v**0.5, shape) for v, shape in zip(variances, shapes, strict=True))
    return np.asarray(np.where(rng.random((items, raters, criteria)) < gaps, NAN, scores))


def test_a_table_with_gaps_as_lme4_has_it() -> None:
    table = np.array(
        [[5.1, 4.0, NAN], [3.2, 2.9, 3.9], [4.4, NAN, 5.0], [NAN, 2.0, 2.2], [6.0, 5.2, 6.3], [2.5, 1.9, 3.3]]
    )
    fit = variance_components(table)

    # lme4 1.1.31: lmer(y ~ 1 + (1 | item) + (1 | rater)), REML, bobyqa to 1e-12
    assert fit.method == "REML"
    assert (fit.item, fit.rater, fit.residual) == pytest.approx((1.9719037, 0.2365259, 0.0927044), abs=1e-5)
    assert fit.mean == pytest.approx(3.8474677, abs=1e-6)
    assert fit.log_likelihood == pytest.approx(-17.0186875, abs=1e-6)


def test_three_facets_with_gaps_as_lme4_has_them() -> None:
    table = np.round(simulated(20, 4, 3, seed=1, gaps=0.25), 2)
    fit = variance_components(table)

    # the same with (1 | criterion) and the three interactions of two
    values = [getattr(fit, name).value for name in (*EFFECTS, "residual")]
    assert values == pytest.approx(
        [0.4008303, 0.2184873, 0.7500585, 0.1838597, 0.1431165, 0.0714552, 0.5137493], abs=2e-4
    )
    assert fit.log_likelihood == pytest.approx(-262.4125213, abs=1e-6)


def test_a_full_table_has_the_components_of_the_analysis_of_variance() -> None:
    table = np.array(SHROUT_FLEISS, dtype=float)
    rows, columns = table.mean(axis=1), table.mean(axis=0)
    ms_rows = 4 * np.var(rows, ddof=1)
    ms_columns = 6 * np.var(columns, ddof=1)
    ms_error = ((table - rows[:, None] - columns + table.mean()) ** 2).sum() / 15
    fit = variance_components(table)

    expected = ((ms_rows - ms_error) / 4, (ms_columns - ms_error) / 6, ms_error)
    assert (fit.item, fit.rater, fit.residual) == pytest.approx(expected, abs=1e-6)
    assert fit.item_rater.reason == "part of the residual: each rater scored an item once"


@pytest.mark.parametrize("shape", [(40, 5, 1), (30, 4, 3)])
def test_both_methods_agree_on_a_full_table(shape: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    table = simulated(*shape, seed=7)
    likely = variance_components(table)
    monkeypatch.setattr(generalizability, "MOST_WORK", 0)
    summed = variance_components(table)

    assert summed.method == "Henderson"
    assert not summed.item.has_interval
    assert likely.defined() == pytest.approx(summed.defined(), abs=2e-4)


def test_known_components_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generalizability, "MOST_WORK", 0)
    fits = [variance_components(simulated(150, 12, 6, seed, gaps=0.3)) for seed in range(20)]
    means = {name: np.mean([getattr(fit, name).value for fit in fits]) for name in (*EFFECTS, "residual")}

    assert list(means.values()) == pytest.approx([1.0, 0.3, 0.2, 0.4, 0.15, 0.1, 0.5], abs=0.06)


def test_repeated_scores_tell_disagreement_from_noise() -> None:
    rng = np.random.default_rng(3)
    cell = rng.normal(0, 1, (80, 1)) + rng.normal(0, 0.5, (80, 4))
    runs = np.stack([cell + rng.normal(0, 0.3, cell.shape) for _ in range(3)])
    run, item, rater = np.indices(runs.shape).reshape(3, -1)
    fit = variance_components(LongRatings.of_long(item, rater, runs.ravel()))

    assert run.size == item.size
    assert fit.item_rater == pytest.approx(0.25, abs=0.06)
    assert fit.residual == pytest.approx(0.09, abs=0.02)


def test_intervals_hold_their_estimate_and_widen_with_fewer_raters() -> None:
    few, many = variance_components(simulated(100, 4, 1, 2)), variance_components(simulated(100, 40, 1, 2))
    for fit in (few, many):
        for estimate in (fit.item, fit.rater, fit.residual):
            assert estimate.low < estimate < estimate.high
    assert few.rater.high / few.rater.low > 3 * many.rater.high / many.rater.low
    assert any("4 raters" in note for note in few.cautions)


@pytest.mark.parametrize(
    ("table", "expected"),
    [([[1, 1], [2, 2], [3, 3]], (1, 0, 0)), ([[1, 2], [1, 2], [1, 2]], (0, 0.5, 0)), ([[1, 2], [2, 3]], (0.5, 0.5, 0))],
)
def test_ratings_without_a_residual_are_exact(table: list[list[float]], expected: tuple[float, ...]) -> None:
    fit = variance_components(table)

    assert (fit.item, fit.rater, fit.residual) == pytest.approx(expected, abs=1e-9)
    assert fit.item.reason == "no residual to tell its error from"


def test_a_component_of_which_little_is_known_has_no_interval() -> None:
    reasons = set()
    for seed in range(12):
        fit = variance_components(simulated(12, 3, 1, seed) - simulated(12, 3, 1, seed).mean(axis=0))
        reasons |= {fit.item.reason, fit.rater.reason, fit.residual.reason}
        assert all(e.low < e < e.high for e in (fit.item, fit.rater, fit.residual) if e.has_interval)

    assert reasons & {"at the end of its range", "too little is known of it for an interval"}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2, 3]], "only one item"),
        ([[1], [2], [3]], "only one rater"),
        ([[1, NAN], [NAN, 2], [3, NAN]], "no item has two ratings"),
        ([[2, 2], [2, 2]], "all ratings are equal"),
        ([[NAN, NAN]], "every cell is empty"),
    ],
)
def test_what_has_no_components_is_refused(table: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        variance_components(table)


def test_disconnected_raters_are_named() -> None:
    rng = np.random.default_rng(1)
    table = np.full((40, 4), NAN)
    table[:20, :2], table[20:, 2:] = rng.normal(size=(2, 20, 2))

    assert "2 groups that share no item" in variance_components(table).cautions[0]


def test_a_decision_study_by_hand() -> None:
    fit = variance_components(SHROUT_FLEISS)
    one, four = decision_study(fit, raters=(1, 4))

    # ICC(3,1), ICC(2,1), ICC(3,4) and ICC(2,4) of Shrout & Fleiss (1979), table 4
    assert (one.relative, one.absolute) == pytest.approx((0.71, 0.29), abs=0.006)
    assert (four.relative, four.absolute) == pytest.approx((0.91, 0.62), abs=0.006)
    assert four.relative_error == pytest.approx(np.sqrt(fit.residual / 4))
    with pytest.raises(InputError, match="at least one rater"):
        decision_study(fit, raters=(0,))


def test_more_criteria_make_scores_more_reliable() -> None:
    fit = variance_components(simulated(80, 5, 3, seed=4))

    assert decision_study(fit, raters=(2,), criteria=6)[0].absolute > decision_study(fit, raters=(2,))[0].absolute


def test_a_panel_of_people_and_judges() -> None:
    rng = np.random.default_rng(6)
    truth = rng.normal(0, 1, 4000)
    bent = 0.9 * truth + rng.normal(0, 0.3, 4000)  # what all judges see, and people do not
    people = truth[:, None] + rng.normal(0, 0.8, (4000, 3))
    judges = bent[:, None] + rng.normal(0, 0.4, (4000, 4))
    people[rng.random(people.shape) < 0.3] = NAN
    plans = [(1, 0), (2, 0), (2, 1), (0, 4)]

    reached = [row.reliability for row in mixed_decision_study(people, judges, plans)]

    error, machine = 0.64, 0.9**2 + 0.09
    expected = [
        1 / (1 + error),
        1 / (1 + error / 2),
        (2 + 0.9) ** 2 / (4 + 2 * error + machine + 0.16 + 2 * 2 * 0.9),
        0.81 / (machine + 0.16 / 4),
    ]
    assert reached == pytest.approx(expected, abs=0.03)


def test_panels_that_cannot_be_planned_say_why() -> None:
    rng = np.random.default_rng(2)
    people = rng.normal(size=(30, 1)) + rng.normal(0, 0.1, (30, 2))
    rows = mixed_decision_study(people, people[:, :1], [(0, 2), (0, 0)])
    assert [row.reason for row in rows] == [
        "too few raters of a kind to know how they go together",
        "the panel has no variance",
    ]
    turned = mixed_decision_study(np.column_stack([people[:, 0], -people[:, 0]]), people, [(1, 1)])
    assert turned[0].reason == "people do not agree beyond chance"
    with pytest.raises(InputError, match="the same items"):
        mixed_decision_study(people, people[:5], [(1, 1)])


def test_conditional_errors_are_those_of_the_items() -> None:
    fit = conditional_error(np.array([[1, 1, 1], [2, 3, 4], [5, NAN, 5], [6, 4, NAN], [9, NAN, NAN]]), classes=2)

    assert fit.by_item[:4] == pytest.approx([0, np.sqrt(1 / 3), 0, 1])
    assert np.isnan(fit.by_item[4])
    assert fit.items.sum() == 4
    with pytest.raises(InputError, match="no item has two ratings"):
        conditional_error([[1, NAN], [NAN, 2]])


def test_scores_at_the_ends_of_a_scale_have_smaller_errors() -> None:
    rng = np.random.default_rng(5)
    scores = rng.binomial(10, rng.uniform(0.02, 0.98, 3000)[:, None], (3000, 4))
    fit = conditional_error(scores, classes=5)

    assert fit.one_rating[2] > 1.3 * max(fit.one_rating[[0, -1]])
    assert (np.diff(fit.level) > 0).all()
