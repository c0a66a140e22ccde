"""Tables 1 to 4 of a study: essays, correlations, means and weights of features."""

from dataclasses import replace

import pytest

from assay.report.study import paper
from assay.report.study.features import correlations_section, essays_section, means_section, weights_section
from tests.report.reading import charts_of, column_of, tables_in, text_of
from tests.report.study.studies import bare, full


def test_the_essays_of_all_programs_add_up() -> None:
    study = full()
    table = tables_in(essays_section(study))["table1_descriptives"]

    essays = [row[1] for row in table.rows]
    assert len(table.rows) == len(study.programs)
    assert sum(count for count in essays if isinstance(count, int)) == table.foot[0][1]
    assert "mean of the first two ratings" in text_of(essays_section(study))
    assert "There is one rating per essay" in text_of(essays_section(bare()))


def test_what_was_left_out_is_said() -> None:
    section = essays_section(replace(full(), left_out={"no score": 3}))

    assert "Left out: 3 with no score." in text_of(section)
    assert "Left out" not in text_of(essays_section(full()))


def test_correlations_are_those_of_the_study_beside_the_papers_range() -> None:
    study = full()
    table = tables_in(correlations_section(study))["table2_correlations"]

    assert column_of(table, "All prompts") == pytest.approx(
        [study.correlations.overall[n] for n in paper.FEATURE_WORDS]
    )
    lowest, highest = column_of(table, "Paper, lowest"), column_of(table, "Paper, highest")
    assert all(low <= high for low, high in zip(lowest, highest, strict=True))  # type: ignore[operator]


def test_every_feature_is_one_at_the_lowest_score() -> None:
    table = tables_in(means_section(full()))["table3_relative_means"]

    assert [row[1] for row in table.rows] == pytest.approx([1.0] * len(table.rows))


def test_the_largest_weights_are_named() -> None:
    section = weights_section(full())
    shares = tables_in(section)["table4_weights"]
    averages = dict(zip(column_of(shares, "Feature"), column_of(shares, "Average"), strict=True))
    best = max(averages, key=lambda name: averages[name])  # type: ignore[arg-type,return-value]

    assert str(best).lower() in charts_of(section)["table4_chart"].says.lower()
