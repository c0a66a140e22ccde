"""A summary of experiments: the spread of agreement and of weights."""

from assay.report.rsm.experiments import EvaluatedExperiment
from assay.report.rsm.summary_report import (
    features_section,
    key_figures,
    made_section,
    models_section,
    summary_report,
    true_scores_section,
    weight_boxes,
)
from tests.report.reading import (
    charts_of,
    column_of,
    tables_in,
    text_of,
)
from tests.report.rsm.experiments import (
    PROVENANCE,
    in_groups,
    named,
    stored,
)

GOOD, BAD = {"Kenya": 0.0, "Peru": 0.1}, {"Kenya": 2.0, "Peru": -2.0}


def weighted(name: str, words: float, errors: float) -> EvaluatedExperiment:
    return stored(name, betas=named("words errors", "standardized", words, errors))


def test_the_lead_tells_the_lowest_and_the_highest_agreement() -> None:
    found = [in_groups("good", GOOD), in_groups("bad", BAD)]
    low, high = (part.figure("qwk").value for part in reversed(found))

    document = summary_report(found, title="T", provenance=PROVENANCE)

    assert document.verdict_lead == f"QWK runs from {low:.2f} (bad) to {high:.2f} (good)."
    assert [(figure.name, figure.verdict is not None) for figure in key_figures(found)] == [
        ("good", True),
        ("bad", True),
    ]
    alone = summary_report(found[:1], title="T", provenance=PROVENANCE)
    assert alone.verdict_lead == f"QWK is {high:.2f}."
    none = summary_report([stored()], title="T", provenance=PROVENANCE)
    assert none.verdict_lead == "No experiment holds scores that can be judged."


def test_a_weight_that_changes_its_sign_between_experiments_is_named() -> None:
    section = models_section([weighted("old", 0.5, -0.1), weighted("new", 0.4, 0.2)])

    assert charts_of(section)["betas"].says == "The weight of errors changes its sign between experiments."
    assert column_of(tables_in(section)["model_summary"], "Negative weights") == [1, 0]


def test_weights_over_many_folds_are_boxes_from_the_lowest_to_the_highest() -> None:
    chart = weight_boxes(["words"], [{"words": value} for value in (0.1, 0.3, 0.2)], of="folds")

    (row,) = chart.rows
    assert (row.n, row.low, row.median, row.high) == (3, 0.1, 0.2, 0.3)
    assert chart.says == "No feature changes the sign of its weight."
    assert weight_boxes(["words"], [{"words": -0.1}, {"words": 0.1}]).says.endswith("words changes its sign.")


def test_what_no_experiment_has_is_said_in_place() -> None:
    assert text_of(features_section([stored()])) == "No experiment has features."
    assert text_of(true_scores_section([stored()])) == "No experiment has responses that two raters scored."


def test_the_provenance_names_command_and_input() -> None:
    (table,) = tables_in(made_section(PROVENANCE)).values()

    assert [row[0] for row in table.rows] == ["Version", "Made", "Command", "Input"]
