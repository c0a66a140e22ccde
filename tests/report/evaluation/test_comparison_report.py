"""The comparison report names the better engine only as surely as the figures do."""

import re
from dataclasses import replace

import pytest

from assay.evaluation.compare import Comparison
from assay.evaluation.exclusions import NO_SYSTEM, ZERO_HUMAN, Exclusions
from assay.metrics.intervals import Estimate
from assay.report.document.document import Document, tables_of
from assay.report.evaluation.comparison_report import better, comparison_report, qwk_difference, turned
from assay.report.render.html import to_html
from tests.report.evaluation.evaluations import PROVENANCE, compared
from tests.report.reading import section_of, table_of, text_of


def report_of(comparison: Comparison) -> Document:
    return comparison_report(comparison, title="Comparison", provenance=replace(PROVENANCE, created="2026-11-15"))


def test_two_engines_with_a_certain_difference() -> None:
    document = report_of(compared(0.4, 0.9))

    assert document.subtitle == "2 engines against human scores, 300 responses each. 15 November 2026."
    assert document.verdict_lead == "“alpha” agrees with the human scores more closely than “beta”."
    assert document.verdict_rest == "QWK of “alpha” is 0.83, of “beta” 0.72: a difference of +0.11 (+0.07 to +0.16)."


def test_a_difference_that_may_be_chance_is_not_claimed() -> None:
    comparison = compared(0.4, 0.42)
    unsure = replace(comparison, differences=tuple(replace(d, p_adjusted=0.2) for d in comparison.differences))

    assert report_of(unsure).verdict_lead == "No significant difference between “beta” and “alpha”."


def test_of_several_engines_the_leader_is_named_with_those_it_is_not_certainly_ahead_of() -> None:
    assert report_of(compared(0.4, 0.42, 0.9)).verdict_lead == (
        "“beta” has the highest agreement, but is not significantly ahead of “alpha”."
    )
    assert report_of(compared(0.2, 0.9, 1.5)).verdict_lead == (
        "Of three engines, “alpha” agrees with the human scores most closely."
    )


def test_the_first_chart_has_one_axis_for_all_engines() -> None:
    figures = report_of(compared(0.2, 0.9, 1.8)).key_figures

    assert len({figure.axis for figure in figures}) == 1
    low, high = figures[0].axis or (0.0, 0.0)
    assert all(low < figure.estimate.low < figure.estimate.high <= high for figure in figures)


def test_what_was_left_out_is_said_first_and_listed_by_reason() -> None:
    left_out = Exclusions(400, {NO_SYSTEM: 90, ZERO_HUMAN: 10})
    comparison = compared(0.4, 0.9)
    known = replace(comparison, exclusions=dict.fromkeys(comparison.engines, left_out), unscored={"alpha": 90})
    document = report_of(known)

    assert document.verdict_rest.startswith("90 of 400 responses (22 %) are left out: no system score. QWK of “alpha”")
    section = section_of(document, "Data and exclusions")
    assert "100 of 400 responses left out: human score 0 10 and no system score 90." in text_of(section) or (
        "100 of 400 responses left out: no system score 90 and human score 0 10." in text_of(section)
    )
    assert "by engine: “alpha” 90." in text_of(section)
    assert [row[1] for row in table_of(document, "data_composition").rows] == [400, -90, -10]


def test_engines_on_other_responses_are_compared_with_a_warning() -> None:
    document = report_of(compared(0.4, 0.9, same=False))

    assert document.verdict_rest.endswith(
        "They scored different responses, so part of a difference may lie in the responses."
    )
    assert "The engines did not score the same responses" in to_html(document)


def test_an_undefined_engine_is_named_with_its_reason() -> None:
    comparison = compared(0.4, 0.9)
    broken = {**comparison.metrics["beta"], "qwk": Estimate(reason="all system scores are equal")}
    metrics = {**comparison.metrics, "beta": broken}

    document = report_of(replace(comparison, metrics=metrics))

    assert document.verdict_lead == "The engines cannot be compared."
    assert document.verdict_rest == "“beta” could not be judged: all system scores are equal."


def test_a_difference_can_be_seen_from_either_engine() -> None:
    comparison = compared(0.4, 0.9)
    there = qwk_difference(comparison, "alpha", "beta")
    back = qwk_difference(comparison, "beta", "alpha")

    assert (back.estimate.value, back.estimate.low) == (-there.estimate.value, -there.estimate.high)
    assert better(there) == better(back) == "alpha"
    assert turned(turned(there)) == there


def test_for_errors_less_is_better() -> None:
    difference = next(d for d in compared(0.4, 0.9).differences if d.metric == "rmse")

    assert difference.estimate.value < 0
    assert better(difference) == "alpha"
    assert better(replace(difference, p_adjusted=0.2)) == "neither"
    assert better(replace(difference, metric="smd")) == ""


def test_the_tables_hold_the_figures_of_the_comparison() -> None:
    comparison = compared(0.4, 0.9)
    tables = {table.name: table for table in tables_of(report_of(comparison))}

    engines = {row[0]: row[1] for row in tables["engines"].rows}
    cell = engines["Quadratic weighted kappa (QWK)"]
    assert isinstance(cell, Estimate)
    assert cell.value == comparison.metrics["alpha"]["qwk"].value
    assert len(tables["differences"].rows) == len(comparison.differences)


@pytest.mark.parametrize("noises", [(0.4, 0.9), (0.4, 0.5, 0.6), tuple(0.3 + 0.1 * i for i in range(8))])
@pytest.mark.parametrize("n", [2, 3, 300])
def test_any_comparison_makes_a_whole_report(noises: tuple[float, ...], n: int) -> None:
    page = to_html(report_of(compared(*noises, n=n)))

    assert not re.search(r"\b(nan|None)\b", re.sub("<style>.*</style>", "", page, flags=re.S).replace("None of", ""))
