from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.raters.corrections import (
    CorrectionPlan,
    corrected_means,
    items_next,
    jury_of,
    more_labels,
    pass_rates,
)
from assay.evaluation.raters.panel_ratings import Labels
from tests.evaluation.raters.panels import panel_from, random_table

YES_NO = Labels("boolean", ("no", "yes"))


def few_labels(labeled: int = 200, items: int = 1000) -> np.ndarray:
    """One person on the first items and two judges on all, the first half a point too high."""
    rng = np.random.default_rng(4)
    true = rng.normal(3, 1, size=items)
    people = np.where(np.arange(items) < labeled, true + rng.normal(0, 0.3, items), np.nan)
    judges = [true + shift + rng.normal(0, noise, items) for shift, noise in ((0.5, 0.3), (0.0, 1.0))]
    return np.column_stack([people, *judges])


def test_a_mean_is_corrected_by_the_items_people_rated() -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(3, 1, size=1000)
    people = np.where(np.arange(1000) < 200, true + rng.normal(0, 0.3, 1000), np.nan)
    panel = panel_from(np.column_stack([people, true + 0.5 + rng.normal(0, 0.3, 1000)]), 1)

    (corrected,) = corrected_means(panel)

    assert corrected.judge_mean == pytest.approx(true.mean() + 0.5, abs=0.05)
    assert corrected.mean.low < true.mean() < corrected.mean.high
    assert corrected.mean.high - corrected.mean.low < corrected.human_mean.high - corrected.human_mean.low
    assert (corrected.labeled, corrected.unlabeled) == (200, 800)


def test_items_that_people_rated_need_no_correction() -> None:
    (first, _) = corrected_means(panel_from(random_table(5, gaps=0.0), 2))

    assert first.reason == "people rated every item of the judge"


def test_a_narrower_interval_takes_more_labels() -> None:
    panel = panel_from(few_labels(), 2)
    wide, narrow = (corrected_means(panel, CorrectionPlan(within=within))[0] for within in (0.08, 0.06))

    assert wide.labels_within is not None
    assert narrow.labels_within is not None
    assert wide.labels_within < narrow.labels_within
    assert more_labels([wide]) == [(wide.judge, 200, wide.labels_within)]


def test_labels_alone_say_how_many_more_are_needed_where_people_rated_everything() -> None:
    panel = panel_from(random_table(5, gaps=0.0), 2)
    (first, _) = corrected_means(panel, CorrectionPlan(within=0.1))
    spread = first.human_mean.high - first.human_mean

    assert first.labels_within == pytest.approx(60 * (spread / 0.1) ** 2, rel=0.02)


def test_pass_rates_are_corrected_by_sensitivity_and_specificity() -> None:
    rng = np.random.default_rng(8)
    true = rng.random(3000) < 0.3
    judge = np.where(true, rng.random(3000) < 0.8, rng.random(3000) < 0.1).astype(float)
    people = np.where(np.arange(3000) < 600, true, np.nan).astype(float)

    (rate,) = pass_rates(panel_from(np.column_stack([people, judge]), 1, YES_NO), CorrectionPlan())

    assert rate.judged.value == pytest.approx(judge.mean())
    assert rate.sensitivity == pytest.approx(judge[:600][true[:600]].mean())
    assert rate.specificity == pytest.approx(1 - judge[:600][~true[:600]].mean())
    assert rate.rate.low < true[600:].mean() < rate.rate.high
    assert (rate.labeled, rate.unlabeled) == (600, 2400)


def test_scores_pass_from_the_mark_on() -> None:
    panel = panel_from(random_table(5, items=100), 2)

    assert pass_rates(panel, CorrectionPlan()) == ()
    first, _ = pass_rates(panel, CorrectionPlan(pass_mark=3))
    column = panel.of_rater(4)
    assert first.judged.value == pytest.approx((column[np.isfinite(column)] >= 3).mean())


def test_a_tie_among_people_on_yes_or_no_counts_for_neither() -> None:
    table = np.array([[0, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 1]] * 5, dtype=float)

    (rate,) = pass_rates(panel_from(table, 1, YES_NO), CorrectionPlan())

    assert rate.labeled == 15
    assert (rate.sensitivity.value, rate.specificity.value) == (1, 0.5)


def test_a_jury_weighs_the_better_judge_more_and_beats_it() -> None:
    jury = jury_of(panel_from(few_labels(1000), 2), seed=1)

    assert [member.judge for member in jury.members] == ["gpt-1", "gpt-2"]
    assert jury.members[0].weight > 5 * jury.members[1].weight
    assert jury.best_judge == "gpt-1"
    assert jury.error <= jury.equal_weights_error


@pytest.mark.parametrize(
    ("table", "judges", "labels", "reason"),
    [
        (random_table(1, judges=1), 1, Labels("number"), "a jury has two judges or more"),
        (random_table(1), 2, Labels("category", tuple("_abcde")), "categories have no mean"),
        (random_table(1, people=0), 2, Labels("number"), "there are no human ratings"),
    ],
)
def test_without_a_jury_there_is_a_reason(table: np.ndarray, judges: int, labels: Labels, reason: str) -> None:
    assert jury_of(panel_from(table, judges, labels), seed=1).reason == reason


def test_items_to_label_next_have_no_human_label_and_favor_disagreement() -> None:
    table = few_labels(500)
    table[500:750, 1:] = 3.0  # judges agree on these
    items = items_next(panel_from(table, 2), CorrectionPlan(next_items=100))

    assert len(items) == 100
    assert all(item.people == 0 for item in items)
    agreed = sum(item.apart == 0 for item in items)
    assert agreed < 40
    assert min(item.probability for item in items) > 0


def test_items_with_one_human_rating_come_next_where_all_have_one() -> None:
    table = np.column_stack([np.ones(20), np.where(np.arange(20) < 12, 2.0, np.nan), np.arange(20) % 3])

    items = items_next(panel_from(table, 1), CorrectionPlan())

    assert {item.item for item in items} == {f"i{i}" for i in range(12, 20)}
    assert items_next(panel_from(table[:12], 1), CorrectionPlan()) == ()


def test_criteria_are_named_beside_their_item() -> None:
    panel = panel_from(np.array([[1.0, 2.0], [np.nan, 3.0]]), 1)
    panel = replace(panel, criteria=("style",), criterion=np.zeros(3, dtype=np.int64))

    assert [item.item for item in items_next(panel, CorrectionPlan())] == ["i1, style"]
