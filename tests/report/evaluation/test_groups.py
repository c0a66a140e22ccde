"""Subgroups in an evaluation report: compared, drawn where there are not too many, and never shown when small."""

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot
from assay.report.evaluation.facts import shifts
from assay.report.evaluation.groups import (
    coefficients_table,
    dsm_plot,
    full_groups_table,
    groups_section,
    raters_by_group_table,
)
from assay.report.render.tables_csv import csv_files
from tests.report.evaluation.evaluations import plain, report_of, rich
from tests.report.reading import column_of, section_of, table_of, text_of


def test_small_groups_are_counted_but_never_shown() -> None:
    document = report_of(rich())

    assert "Mandarin has 2 responses, fewer than 10: counted, but not shown." in text_of(
        section_of(document, "Subgroups")
    )
    holding = [name for name, text in csv_files(document).items() if "Mandarin" in text]
    assert holding == []


def test_one_group_is_not_a_threshold_met() -> None:
    document = report_of(plain(groups=1))

    assert "Largest group difference" not in [f.name for f in document.key_figures]
    assert "All responses belong to one group, group 000: there is nothing to compare." in text_of(
        section_of(document, "Subgroups")
    )


def test_of_200_groups_25_are_drawn_and_all_are_in_the_table() -> None:
    document = report_of(plain(4000, groups=200, least_group=10))

    plots = [b for b in section_of(document, "Subgroups").blocks if isinstance(b, IntervalPlot)]
    shown_groups = len(table_of(document, "eval_short_by_country").rows)
    assert [len(plot.rows) for plot in plots] == [25, 25]
    assert shown_groups > 150
    assert plots[0].says.endswith(
        f"Drawn are the 25 groups with the largest differences; the table has all {shown_groups}."
    )


def test_groups_are_drawn_the_largest_first_with_what_to_see_in_words() -> None:
    evaluation = rich()
    (grouping,) = evaluation.groupings
    shifted = shifts(evaluation)

    plot = dsm_plot(grouping, shifted)

    assert [row.label for row in plot.rows] == ["English", "Spanish", "Vietnamese", "Tagalog"]
    drawn, measured = {row.label: row.estimates[0] for row in plot.rows}, {s.name: s.dsm for s in shifted}
    assert {name: e.value for name, e in drawn.items() if e} == {name: e.value for name, e in measured.items()}
    assert plot.says == "Compared with the human scores, the system scores Vietnamese too low and Tagalog too high."


def test_the_full_table_holds_each_groups_figures_on_the_form_that_decides() -> None:
    evaluation = rich()
    (grouping,) = evaluation.groupings
    table = full_groups_table(evaluation, grouping)
    shown = [group for group in grouping.groups if group.shown]

    assert column_of(table, "first_language") == [group.name for group in shown]
    assert column_of(table, "Responses") == [group.n for group in shown]
    assert column_of(table, "Human mean") == [g.system[evaluation.plan.trimmed].first.mean for g in shown]


def test_errors_of_each_group_are_told_against_the_largest_and_small_groups_left_out() -> None:
    (grouping,) = rich().groupings
    table = coefficients_table(grouping)

    assert table.caption == "Errors by first_language, against English, the largest group"
    assert "Mandarin" not in column_of(table, "Group")
    assert all(
        isinstance(cell, Estimate) and cell.low <= cell.value <= cell.high for cell in column_of(table, "Difference")
    )


def test_two_people_within_a_group_are_counted_only_where_both_read() -> None:
    (grouping,), (alone,) = rich().groupings, plain(groups=2).groupings
    table = raters_by_group_table(grouping)

    assert table is not None
    assert column_of(table, "Responses") == [g.raters.n for g in grouping.groups if g.shown and g.raters]
    assert raters_by_group_table(alone) is None


def test_without_groups_the_section_says_how_to_name_them() -> None:
    assert "name the columns" in text_of(groups_section(plain()))
    assert "All have fewer than 10 responses each (40 responses in all)" in text_of(
        groups_section(plain(40, groups=8, least_group=10))
    )
