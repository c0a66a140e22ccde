"""The example panels are what their script makes, and teach what the tutorials say."""

import polars as pl

import assay
from examples.make_panel import essays_table, judges_table
from tests.paths import EXAMPLES


def test_the_tables_in_the_repository_are_those_the_script_makes() -> None:
    assert pl.read_csv(EXAMPLES / "judges.csv").equals(judges_table())
    assert pl.read_csv(EXAMPLES / "essay_ratings.csv").equals(essays_table())


def test_one_person_of_the_first_panel_agrees_with_nobody() -> None:
    result = assay.panel(EXAMPLES / "judges.csv", humans=["ann", "ben", "cleo", "dan"], judges=["gpt", "qwen"])

    assert [person.name for person in result.panel.replacement.unrelated] == ["dan"]


def test_severities_of_the_second_panel_come_out_in_the_order_they_were_put_in() -> None:
    result = assay.panel(EXAMPLES / "essay_ratings.csv", item="essay", judges="engine")

    people = [rater.name for rater in result.panel.models.rasch.raters if not rater.judge]
    assert people[0] == "rater_3"
    assert people[-1] == "rater_1"
