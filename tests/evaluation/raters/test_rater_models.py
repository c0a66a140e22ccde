"""The glue between a panel and the models, whose own tests are in tests/evaluation/panels."""

from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.panels.rasch import fit_rasch
from assay.evaluation.raters.panel_ratings import Labels, Preferences
from assay.evaluation.raters.rater_models import (
    consensus_of,
    error_by_level,
    models_of,
    preferences_of,
    rater_model,
    studies_of,
)
from tests.evaluation.raters.panels import panel_from, random_table


def test_severities_are_those_of_the_model_about_the_mean_of_people() -> None:
    table = random_table(1, items=120, gaps=0.1)
    fit = fit_rasch(table - 1)

    model = rater_model(panel_from(table, 2))

    by_name = {rater.name: rater for rater in model.raters}
    zero = fit.severity[:4].mean()
    assert by_name["h1"].severity == pytest.approx(fit.severity[1] - zero, abs=1e-6)
    assert by_name["gpt-5"].severity == pytest.approx(fit.severity[5] - zero, abs=1e-6)
    assert by_name["h1"].infit == pytest.approx(fit.infit[1], abs=1e-6)
    values = [rater.severity.value for rater in model.raters]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("table", "labels", "reason"),
    [
        (random_table(1), Labels("category", tuple("abcdef")), "categories have no severity"),
        (np.full((5, 3), 2.0), Labels("number"), "all ratings are equal"),
        (np.arange(90.0).reshape(30, 3), Labels("number"), "labels have 90 levels, more than 15"),
    ],
)
def test_without_a_model_there_is_a_reason(table: np.ndarray, labels: Labels, reason: str) -> None:
    assert rater_model(panel_from(table, 1, labels)).reason == reason


def test_who_scores_at_random_is_last_in_the_consensus() -> None:
    table = random_table(2, items=150, people=4, gaps=0.0, noise=0.4)
    table[:, 1] = np.random.default_rng(1).integers(1, 6, size=150)

    consensus = consensus_of(panel_from(table, 2))

    assert consensus.raters[-1].name == "h1"
    assert consensus.raters[0].accuracy > 0.8
    assert np.allclose(np.sum(consensus.raters[0].confusion, axis=1), 1)
    assert consensus.labels is not None
    assert consensus.labels.shape == (150, 2)


def test_two_raters_have_no_consensus() -> None:
    assert consensus_of(panel_from(random_table(2, people=1, judges=1), 1)).reason == "fewer than three raters"


def test_the_ruler_holds_every_item_and_thresholds_rise() -> None:
    model = rater_model(panel_from(random_table(3, items=200, noise=0.6), 2))

    assert sum(count for _, count in model.ruler) == 200
    assert list(model.thresholds) == sorted(model.thresholds)
    assert model.measures is not None
    assert model.measures.shape == (200, 2)
    assert 1 < model.raters[0].fair_average < 5


def test_errors_of_measurement_are_given_from_low_to_high_items() -> None:
    rng = np.random.default_rng(5)
    true = rng.uniform(1, 9, 400)
    noise = np.where(true > 5, 1.0, 0.3)[:, None]
    table = np.column_stack([true[:, None] + noise * rng.normal(size=(400, 3)), true])

    levels = error_by_level(panel_from(table, 1))

    assert levels[0].one_rating == pytest.approx(0.3, abs=0.1)
    assert levels[-1].one_rating == pytest.approx(1.0, abs=0.15)
    assert sum(level.items for level in levels) == 400


def test_strengths_are_given_for_people_and_each_judge() -> None:
    rng = np.random.default_rng(6)
    first, second = rng.integers(0, 3, size=(2, 300))
    apart = first != second
    first, second = first[apart], second[apart]
    size = first.size
    outcome = (rng.random(size) < 1 / (1 + np.exp(second - first))).astype(float)
    table = Preferences(("x", "y", "z"), first, second, outcome, np.arange(size) % 2, np.arange(size))
    panel = replace(panel_from(random_table(7, people=1, judges=1, gaps=0.0), 1), preferences=table)

    people, judge = preferences_of(panel)

    assert (people.who, judge.who) == ("people", "gpt-1")
    assert people.strengths["z"] > people.strengths["x"]
    assert people.first_wins.low < 0.5 < people.first_wins.high
    assert people.swaps is None


def test_a_judge_is_held_against_the_preferences_of_people_on_the_same_pairs() -> None:
    # pairs 0 to 3 of x and y: people prefer x, x, y, x; the judge sees each in both orders
    people: tuple[list[float], ...] = ([0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 1])
    judge: tuple[list[float], ...] = ([0, 1, 0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0, 1, 0], [1, 0, 1, 1, 0, 1, 0.5, 0.5])
    first, second, outcome = (np.array([*a, *b]) for a, b in zip(people, judge, strict=True))
    rater, item = np.repeat([0, 1], [4, 8]), np.array([0, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3])
    table = Preferences(("x", "y"), first.astype(np.int64), second.astype(np.int64), outcome, rater, item)
    panel = replace(panel_from(random_table(7, people=1, judges=1, gaps=0.0), 1), preferences=table)

    own = preferences_of(panel)[1]

    assert own.with_people is not None
    # same on pair 0 and 2; on pair 1 the first shown won both times, a tie; pair 3 is a tie
    assert (own.with_people.same, own.with_people.comparisons) == (0.5, 4)
    assert own.swaps is not None
    assert (own.swaps.pairs, own.swaps.consistent, own.swaps.first_both) == (4, 0.75, 0.25)


def test_a_panel_of_more_raters_is_worth_more() -> None:
    decisions, components = studies_of(panel_from(random_table(9, items=150, gaps=0.1), 2))

    by_plan = {(d.people, d.judges): d.reliability for d in decisions}
    assert by_plan[1, 0] < by_plan[2, 0] < by_plan[3, 0]
    assert by_plan[2, 0] < by_plan[2, 1] < by_plan[3, 1] <= 1
    assert components["item"] > components["residual"] > 0
    assert studies_of(panel_from(random_table(9, people=1), 2)) == ((), {})


def test_every_model_answers_or_says_why_not() -> None:
    models = models_of(panel_from(random_table(8), 2))

    assert models.rasch.raters
    assert models.consensus.raters
    assert models.preferences == ()
