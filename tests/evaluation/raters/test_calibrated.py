import numpy as np
import pytest

from assay.evaluation.panels.calibration import ece, fit_isotonic
from assay.evaluation.panels.equating import equate_equipercentile, equate_linear
from assay.evaluation.raters.calibrated import calibration_gap, calibrations_of, equatings_of, listed_points
from assay.evaluation.raters.panel_ratings import Labels
from tests.evaluation.raters.panels import panel_from, random_table

YES_NO = Labels("boolean", ("no", "yes"))


def lenient(items: int = 400) -> np.ndarray:
    """One person on a scale of 1 to 5 and a judge who adds a point and squeezes the scale."""
    rng = np.random.default_rng(3)
    true = rng.normal(3, 1, items)
    human, judge = true + rng.normal(0, 0.4, items), 2 + 0.7 * true + rng.normal(0, 0.3, items)
    return np.clip(np.rint(np.column_stack([human, judge])), 1, 5)


def test_calibration_takes_a_lenient_judge_to_the_human_scale() -> None:
    (fit,) = calibrations_of(panel_from(lenient(), 1), seed=1)
    best = next(method for method in fit.methods if method.name == fit.best)

    assert fit.raw is not None
    assert best.error.high < fit.raw.error.low
    assert best.calibration_error < 0.1 < fit.raw.calibration_error
    assert fit.scores["5"] < 5
    assert [method.name for method in fit.methods] == ["isotonic", "ordinal"]


def test_the_curve_holds_every_item_once_and_people_within_its_intervals() -> None:
    (fit,) = calibrations_of(panel_from(lenient(), 1), seed=1)

    assert sum(point.items for point in fit.curve) == fit.items == 400
    inside = [p.observed.low <= p.predicted <= p.observed.high for p in fit.curve if p.observed.has_interval]
    assert sum(inside) >= len(inside) - 1


def test_the_map_of_one_person_is_that_of_plain_isotonic_regression() -> None:
    table = lenient()
    (fit,) = calibrations_of(panel_from(table, 1), seed=1)
    plain = fit_isotonic(table[:, 1], table[:, 0])

    if fit.best == "isotonic":
        assert fit.scores["4"] == pytest.approx(float(plain([4.0])[0]), abs=1e-12)
    assert fit.scores["4"] == pytest.approx(float(plain([4.0])[0]), abs=0.1)


def test_yes_and_no_are_calibrated_to_probabilities() -> None:
    rng = np.random.default_rng(5)
    judge = rng.random(500) < 0.5
    human = np.where(judge, rng.random(500) < 0.7, rng.random(500) < 0.2)
    (fit,) = calibrations_of(panel_from(np.column_stack([human, judge]).astype(float), 1, YES_NO), seed=1)

    assert [method.name for method in fit.methods] == ["isotonic", "platt"]
    assert fit.scores["yes"] == pytest.approx(0.7, abs=0.06)
    assert fit.scores["no"] == pytest.approx(0.2, abs=0.06)
    assert fit.raw is not None
    assert fit.raw.error.value == pytest.approx((human != judge).mean())


def test_each_item_counts_once_however_many_people_rated_it() -> None:
    table = lenient()
    several = np.column_stack([table[:, 0], table[:, 0], table[:, 0], table[:, 1]])

    (one,), (three,) = (calibrations_of(panel_from(t, 1), seed=1) for t in (table, several))

    assert three.scores == pytest.approx(one.scores)
    assert three.methods[0].error.low == pytest.approx(one.methods[0].error.low, rel=0.05)  # other folds


def test_the_gap_of_probabilities_is_the_expected_calibration_error() -> None:
    rng = np.random.default_rng(6)
    chance = rng.uniform(0.001, 1, 300)
    passed = (rng.random(300) < chance).astype(float)
    ends = np.concatenate([chance, [0.0, 1.0]]), np.concatenate([passed, [0.0, 1.0]])

    assert calibration_gap(*ends)[0] == pytest.approx(ece(*ends).value, abs=1e-12)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (lenient(20), "fewer than 30 items in common with people"),
        (np.column_stack([np.arange(40) % 4, np.full(40, 2)]), "all ratings of the judge are equal"),
        (np.column_stack([np.full(40, 2), np.arange(40) % 4]), "all ratings of people are equal"),
    ],
)
def test_without_a_calibration_there_is_a_reason(table: np.ndarray, reason: str) -> None:
    assert calibrations_of(panel_from(table.astype(float), 1), seed=1)[0].reason == reason


def test_categories_are_neither_calibrated_nor_equated() -> None:
    panel = panel_from(random_table(1), 2, Labels("category", tuple("_abcde")))

    assert calibrations_of(panel, seed=1) == ()
    assert equatings_of(panel) == ()


def test_equated_scores_are_those_of_the_plain_functions() -> None:
    table = lenient()
    (scale,) = equatings_of(panel_from(table, 1))

    linear, ranks = equate_linear(table[:, 1], table[:, 0]), equate_equipercentile(table[:, 1], table[:, 0])
    for label in scale.linear:
        assert scale.linear[label] == pytest.approx(float(linear([float(label)])[0]))
        assert scale.equipercentile[label] == pytest.approx(float(ranks([float(label)])[0]))
        assert scale.linear[label].low < scale.linear[label] < scale.linear[label].high


def test_scores_that_are_no_whole_numbers_are_equated_by_a_line_only() -> None:
    (scale,) = equatings_of(panel_from(lenient() + 0.25, 1))

    assert scale.linear
    assert scale.equipercentile == {}


def test_many_scores_are_listed_at_some_of_them() -> None:
    assert listed_points(np.arange(1000.0)).size == 41
