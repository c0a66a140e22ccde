"""The figures of the paper, and how a corpus is set beside them."""

from math import nan

import pytest

from assay.metrics.intervals import Estimate
from assay.report.study.paper import (
    AGREEMENT,
    CORRELATIONS,
    FEATURE_RELIABILITY,
    FEATURE_WORDS,
    WEIGHTS,
    axis_from,
    beside_paper,
    figures,
    in_a_sentence,
    program_words,
    reported_figures,
)
from tests.report.study.studies import full


def test_the_papers_own_figures_are_complete() -> None:
    """Attali & Burstein (2005): ten programs in Table 2; the weights of Table 4 add up to 1 but for rounding."""
    assert set(CORRELATIONS) == set(FEATURE_WORDS)
    assert {len(row) for row in CORRELATIONS.values()} == {10}
    assert sum(WEIGHTS.values()) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize(
    ("values", "axis"),
    [([0.32, 0.44], (0.3, 0.5)), ([0.3, nan], (0.3, 0.4)), ([nan], (0.0, 1.0)), ([-0.05], (-0.1, 0.0))],
)
def test_an_axis_ends_at_the_tenths_around_its_values(values: list[float], axis: tuple[float, float]) -> None:
    assert axis_from(values) == pytest.approx(axis)


def test_a_program_is_shown_at_two_weights_of_length_beside_v1_and_people() -> None:
    shown = reported_figures(full().systems, "grade 8")

    assert {(own.system, own.length_weight) for own in shown} >= {("v1", None), ("human", None), ("generic12", 0.2)}
    assert reported_figures(full().systems, "no such program") == []


def test_each_feature_is_drawn_here_and_in_the_paper() -> None:
    chart = beside_paper("c", "T", values={"grammar": (Estimate(0.1), 0.06)}, says="S", alt="A")

    (row,) = chart.rows
    assert row.label == "Grammar"
    assert [estimate.value for estimate in row.estimates if estimate] == [0.1, 0.06]


def test_names_and_columns_of_the_paper() -> None:
    assert set(FEATURE_RELIABILITY) == set(FEATURE_WORDS)
    assert all(len(pair) == 2 for pair in AGREEMENT.values())
    assert (in_a_sentence("grammar"), program_words("grade 8")) == ("grammar", "grade 8")
    assert [column.kind for column in figures("A", "B")] == ["number", "number"]
