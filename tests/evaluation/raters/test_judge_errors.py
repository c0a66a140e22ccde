"""Errors that were put in are found again, at the size they were put in."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from assay.evaluation.raters.judge_errors import JudgeErrors, errors_of, largest_disagreements
from assay.evaluation.raters.panel_ratings import Labels, PanelRatings, Repeats
from tests.evaluation.raters.panels import panel_from

RNG = np.random.default_rng(1)
TRUE = RNG.integers(1, 6, size=400).astype(float)
PEOPLE = np.clip(TRUE[:, None] + RNG.normal(0, 0.3, size=(400, 3)).round(), 1, 5)


def panel(judge: np.ndarray) -> PanelRatings:
    return panel_from(np.column_stack([PEOPLE, judge]), 1)


def errors(ratings: PanelRatings) -> JudgeErrors:
    return errors_of(ratings).judges[0]


def test_severity_is_the_mean_gap_with_students_interval() -> None:
    judge = TRUE - 0.5
    gap = judge - PEOPLE.mean(axis=1)
    low, high = stats.t.interval(0.95, 399, gap.mean(), stats.sem(gap))

    severity = errors(panel(judge)).severity

    assert (severity.value, severity.low, severity.high) == pytest.approx((gap.mean(), low, high), abs=1e-3)


def test_a_judge_who_stays_in_the_middle_has_a_spread_below_one() -> None:
    spread = errors(panel(3 + (TRUE - 3) / 2)).spread

    assert spread == pytest.approx(np.std(TRUE / 2) / PEOPLE.std(), abs=1e-9)
    assert spread.high < 1


def test_levels_are_those_people_gave() -> None:
    judge = np.where(TRUE == 5, 3, TRUE)

    levels = {part.name: part for part in errors(panel(judge)).levels}

    assert levels["5"].gap == pytest.approx(-2, abs=0.35)
    assert levels["5"].gap.high < -1
    assert abs(levels["2"].gap) < 0.2
    assert sum(part.items for part in levels.values()) == 400


def test_a_liking_for_length_is_found() -> None:
    length = RNG.normal(100, 20, size=400)
    judge = TRUE + 0.3 * (length - length.mean()) / length.std()

    slope = errors(replace(panel(judge), length=length)).length

    assert slope == pytest.approx(0.3, abs=0.05)
    assert errors(panel(judge)).length.reason == "no length in the table"


def test_groups_hold_together_and_small_ones_are_not_shown() -> None:
    group = np.where(np.arange(400) < 200, 0, 1)
    group[:4] = 2
    judge = TRUE + np.where(group == 1, 0.4, 0)
    ratings = replace(panel(judge), groups={"topic": (("x", "y", "z"), group)})

    parts = {part.name: part for part in errors(ratings).groups["topic"]}

    assert parts["y"].gap.low > 0.2
    assert parts["x"].gap.low < 0 < parts["x"].gap.high
    assert parts["z"].gap.reason == "fewer than 10 items"


def test_drift_in_time_and_preference_for_the_own_family_are_found() -> None:
    order = np.arange(400) / 399
    author = ["openai" if i % 2 else "meta" for i in range(400)]
    judge = TRUE + order + 0.5 * (np.arange(400) % 2)
    ratings = panel(judge)
    time = np.where(ratings.rater == 3, ratings.item, 0).astype(float)

    one = errors(replace(ratings, time=time, author=author, family={"gpt-3": "openai"}))

    assert one.order == pytest.approx(1.0, abs=0.15)
    assert one.own_family == pytest.approx(0.5, abs=0.1)


def test_noise_from_run_to_run_is_the_spread_within_items() -> None:
    ratings = panel(TRUE)
    again = TRUE + RNG.choice([-1.0, 1.0], size=400)
    repeats = Repeats(np.arange(400), np.full(400, 3), again, np.ones(400, dtype=np.int64))

    noise = errors(replace(ratings, repeats=repeats)).run_noise

    assert noise == pytest.approx(np.sqrt(0.5), abs=1e-9)


def test_halo_is_a_judge_whose_criteria_go_together() -> None:
    items, rng = 150, np.random.default_rng(3)
    style, content = rng.normal(size=(2, items))
    scores = {
        "h0": (style, content),
        "h1": (style + rng.normal(0, 0.1, items), content),
        "gpt": (style, style + 0.1 * content),
    }
    value = np.concatenate([np.stack(pair, axis=1).ravel() for pair in scores.values()])
    ratings = PanelRatings(
        items=tuple(map(str, range(items))),
        raters=tuple(scores),
        judges=np.array([False, False, True]),
        labels=Labels("number"),
        item=np.tile(np.repeat(np.arange(items), 2), 3),
        rater=np.repeat(np.arange(3), 2 * items),
        value=value,
        criteria=("style", "content"),
        criterion=np.tile([0, 1], 3 * items),
    )

    one = errors(ratings)

    assert one.halo > 0.8
    assert one.halo.low > 0.5
    assert [part.name for part in one.criteria] == ["style", "content"]


def test_categories_have_a_share_of_other_labels() -> None:
    labels = Labels("category", ("", "a", "b", "c", "d", "e"))
    ratings = panel_from(np.column_stack([PEOPLE, np.where(TRUE == 2, 3, TRUE)]), 1, labels)

    one = errors(ratings)

    assert one.severity == pytest.approx(float(np.mean(np.where(TRUE == 2, 3, TRUE)[:, None] != PEOPLE)), abs=1e-12)
    assert one.spread.reason == "categories have no spread"
    worst = max(one.levels, key=lambda part: part.gap.value)
    assert worst.name == "b"


def test_the_items_to_look_at_are_those_of_the_largest_gap() -> None:
    judge = TRUE.copy()
    judge[7] = 1 if TRUE[7] > 3 else 5
    ratings = replace(panel(judge), texts=[f"text {i}" for i in range(400)])

    items = largest_disagreements(ratings)

    assert items[0].item == "i7"
    assert items[0].text == "text 7"
    assert len(items) <= 20
    assert abs(items[0].gap) >= abs(items[-1].gap)
