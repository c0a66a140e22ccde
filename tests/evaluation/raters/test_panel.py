from dataclasses import replace

import numpy as np

from assay.evaluation.exclusions import Exclusions
from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from tests.evaluation.raters.panels import panel_from, random_table

PLAN = ReplacementPlan(least_items=20)


def test_every_judge_has_figures_that_gates_can_name() -> None:
    figures = panel_of(panel_from(random_table(1), 2), PLAN).figures()

    assert {"people.agreement", "gpt-4.agreement", "gpt-5.winning_rate", "gpt-5.difference"} <= figures.keys()


def test_verdicts_come_with_and_without_a_rater_who_agrees_with_nobody() -> None:
    table = random_table(2, items=200, people=5)
    table[:, 2] = np.where(np.isfinite(table[:, 2]), np.random.default_rng(102).integers(1, 6, size=200), np.nan)

    panel = panel_of(panel_from(table, 2), PLAN)

    assert panel.without is not None
    assert [person.name for person in panel.without.people] == ["h0", "h1", "h3", "h4"]
    assert panel.without.ceiling > panel.replacement.ceiling


def test_without_such_a_rater_there_is_one_answer() -> None:
    assert panel_of(panel_from(random_table(1), 2), PLAN).without is None


def test_a_reason_that_leaves_out_much_is_a_caution() -> None:
    ratings = replace(panel_from(random_table(1), 2), exclusions=Exclusions(1000, {"no label": 60, "not a number": 3}))

    cautions = panel_of(ratings, PLAN).cautions

    assert cautions[0] == "60 of 1,000 ratings (6%) are left out: no label."
    assert not any("not a number" in caution for caution in cautions)


def test_few_people_are_a_caution() -> None:
    two = panel_of(panel_from(random_table(3, people=2), 2), PLAN)
    one = panel_of(panel_from(random_table(3, people=1), 2), PLAN)
    none = panel_of(panel_from(random_table(3, people=0), 2), PLAN)

    assert two.cautions == ("There are two human raters; the alternative annotator test is meant for three or more.",)
    assert one.cautions[0].startswith("There is one human rater")
    assert none.cautions[0].startswith("There are no human ratings")


def test_the_design_counts_items_by_how_many_people_rated_them() -> None:
    table = np.array([[1, 2, 1], [1, np.nan, 2], [np.nan, np.nan, 3.0]])

    design = panel_of(panel_from(table, 1), PLAN).design

    assert design.items_by_people == {0: 1, 1: 1, 2: 1}
    assert (design.items, design.ratings) == (3, 6)
