from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.raters.panel import Panel, panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.report.document.values import plain
from assay.report.panel.first_screen import board, cautions, headline, judge_words
from tests.evaluation.raters.panels import panel_from, random_table

PLAN = ReplacementPlan(least_items=20)


@pytest.fixture(scope="module")
def usual() -> Panel:
    table = random_table(4, items=150, people=4, judges=3, gaps=0.0)
    table[:, 4] = np.rint(np.median(table[:, :4], axis=1))
    table[:, 5] = 1
    return panel_of(panel_from(table, 3), PLAN)


@pytest.fixture(scope="module")
def with_noise() -> Panel:
    table = random_table(2, items=200, people=5)
    table[:, 2] = np.where(np.isfinite(table[:, 2]), np.random.default_rng(102).integers(1, 6, size=200), np.nan)
    return panel_of(panel_from(table, 2), PLAN)


def test_the_headline_names_who_can_and_who_cannot(usual: Panel) -> None:
    text = headline(usual)

    assert "judges can replace a rater on this task" in text
    assert "gpt-4" in text.split(".")[0]
    assert "gpt-5 cannot." in text


def test_a_rater_who_agrees_with_nobody_is_named_first_and_both_results_are_said(with_noise: Panel) -> None:
    assert headline(with_noise).startswith("Without h2, who agrees with nobody, ")
    assert "With h2, " in headline(with_noise)
    same = replace(with_noise, replacement=replace(with_noise.replacement, judges=with_noise.without.judges))  # type: ignore[union-attr]
    assert headline(same).endswith("With h2, no verdict changes.")
    first = plain(cautions(with_noise)[0])
    assert first.startswith("h2 agrees with nobody (QWK ")
    assert "verdicts are shown both ways" in first


def test_the_board_has_people_on_top_and_the_best_judge_next(usual: Panel) -> None:
    shown = board(usual)

    assert shown.rows[0].name == "People"
    assert len(shown.rows[0].dots) == 4
    values = [row.estimate.value for row in shown.rows[1:]]
    assert values == sorted(values, reverse=True)
    assert shown.line == usual.replacement.ceiling.value
    assert not shown.second_title


def test_the_board_shows_verdicts_with_and_without(with_noise: Panel) -> None:
    shown = board(with_noise)

    assert shown.second_title == "With h2"
    assert all(row.second for row in shown.rows[1:])
    assert shown.rows[0].note == "4 raters"


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        ("met", "gpt-4 can replace a rater on this task."),
        ("not met", "gpt-4 cannot replace a rater on this task."),
    ],
)
def test_one_judge_has_one_sentence(usual: Panel, verdict: str, words: str) -> None:
    judge = replace(usual.replacement.judges[0], verdict=verdict)  # type: ignore[arg-type]
    one = replace(usual, replacement=replace(usual.replacement, judges=(judge,)))

    assert headline(one) == words


def test_no_verdict_has_a_reason_and_no_judge_a_sentence() -> None:
    one = panel_of(panel_from(random_table(1, people=1), 2), PLAN)
    none = panel_of(panel_from(random_table(1, judges=0), 0), PLAN)

    assert "cannot be told from these ratings" in headline(one)
    assert dict(judge_words(one))["gpt-1"].startswith("n/a: ")
    assert headline(none).startswith("There is no judge in this table. People agree with each other at QWK ")


def test_cautions_of_the_data_follow(usual: Panel) -> None:
    assert cautions(replace(usual, cautions=("Much is left out.",))) == ("Much is left out.",)


def test_many_who_agree_with_nobody_are_three_names_and_a_count(with_noise: Panel) -> None:
    person = with_noise.replacement.unrelated[0]
    crowd = tuple(replace(person, name=f"w{number}") for number in range(40))
    shown = [
        plain(caution)
        for caution in cautions(replace(with_noise, replacement=replace(with_noise.replacement, people=crowd)))
    ]

    assert [text.split(" ")[0] for text in shown[:3]] == ["w0", "w1", "w2"]
    assert shown[3].startswith("They and 37 more agree with nobody.")
