"""Human raters among each other in an evaluation report, and the true score."""

import numpy as np

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.evaluation.result import COMPARED
from assay.metrics.intervals import Estimate
from assay.report.document.metric_words import METRIC_WORDS
from assay.report.document.values import Table
from assay.report.evaluation.raters import (
    MISSING,
    degradation_table,
    disattenuated_table,
    raters_section,
    true_score_section,
)
from assay.scale import ScoreScale
from tests.report.evaluation.evaluations import plain, report_of, rich
from tests.report.reading import charts_of, column_of, section_of, table_of, text_of


def test_a_given_error_variance_is_said_to_be_given() -> None:
    human = np.tile(np.arange(1.0, 6.0), 20)
    plan = Plan(ScoreScale(1, 6), error_variance=0.25)
    document = report_of(evaluate_engine(Ratings(human[:, None], human + 0.1), plan))

    assert "The rater error variance, 0.250, was given." in text_of(section_of(document, "True score"))


def test_two_raters_are_set_beside_the_system() -> None:
    evaluation = rich()
    assert evaluation.consistency is not None
    section = raters_section(evaluation)

    assert f"Two raters scored {evaluation.consistency.n} responses and reach QWK 0.72" in text_of(section)
    assert "The system agrees with the human scores about as well as a second rater does" in text_of(section)
    assert "confusion_matrix_raters" in charts_of(section)


def test_one_rater_is_told_how_to_name_a_second() -> None:
    assert "Add a second human score" in text_of(raters_section(plain()))
    assert text_of(true_score_section(plain())).startswith(MISSING)


def test_of_three_raters_every_pair_is_a_row() -> None:
    tables = {block.name: block for block in raters_section(plain(raters=3)).blocks if isinstance(block, Table)}

    assert len(tables["rater_pairs"].rows) == 3


def test_differences_and_corrected_correlations_are_those_of_the_evaluation() -> None:
    evaluation = rich()
    lower, corrected = degradation_table(evaluation), disattenuated_table(evaluation)

    assert column_of(lower, "Form") == list(evaluation.degradation)
    assert len(lower.columns) == 1 + len(COMPARED)
    values = [cell.value for cell in column_of(corrected, "Corrected r") if isinstance(cell, Estimate)]
    assert values == [d.corrected.value for d in evaluation.disattenuated.values()]


def test_the_true_score_is_explained_by_the_share_it_comes_to() -> None:
    evaluation = rich()
    prmse = evaluation.true_score[evaluation.plan.trimmed].prmse
    section = true_score_section(evaluation)

    assert f"the system explains {100 * prmse.value:.0f}\u00a0%" in text_of(section)
    assert f"PRMSE {prmse.value:.2f}" in text_of(section)
    assert f"comes from {evaluation.readings.multiple} responses scored twice" in text_of(section)


def test_the_difference_on_the_same_responses_stands_beside_the_usual_one() -> None:
    table = table_of(report_of(rich()), "consistency")
    heads = [column.title for column in table.columns]
    qwk = next(row for row in table.rows if row[0] == METRIC_WORDS["qwk"].title)

    assert qwk[heads.index("On the same responses")] == rich().figures()["degradation_common_qwk"]
    assert qwk[heads.index("Difference")] == rich().figures()["degradation_qwk"]
