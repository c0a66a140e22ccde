"""Section 2 of an evaluation report: figures of agreement, and human by system score."""

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import HeatMap
from assay.report.document.metric_words import METRIC_WORDS
from assay.report.document.values import Table
from assay.report.evaluation.agreement import MOST_CELLS, agreement_section, confusion_map, raters_map, short_table
from assay.report.evaluation.facts import decisive
from assay.scale import ScoreScale
from tests.report.evaluation.evaluations import constant, plain, report_of, rich
from tests.report.reading import blocks_of, charts_of, column_of, section_of, text_of


def test_the_heat_map_keeps_points_nobody_gave_so_that_neighbours_are_one_step_apart() -> None:
    human = np.array([1.0, 2.0, 4.0, 4.0] * 10)
    evaluation = evaluate_engine(Ratings(human[:, None], human), Plan(ScoreScale(1, 6)))

    (chart,) = [b for b in section_of(report_of(evaluation), "Agreement").blocks if isinstance(b, HeatMap)]

    assert chart.levels == ("1", "2", "3", "4", "5", "6")
    assert [chart.counts[i][i] for i in range(6)] == [10, 10, 0, 20, 0, 0]
    assert "none is further apart" in chart.says


def test_the_short_table_has_figures_with_a_threshold_first_and_judges_only_those() -> None:
    evaluation = rich()
    table = short_table(evaluation)
    values = dict(zip(column_of(table, "Figure"), column_of(table, "Value"), strict=True))
    judged = dict(zip(column_of(table, "Figure"), column_of(table, "Verdict"), strict=True))

    title, kappa = METRIC_WORDS["qwk"].title, METRIC_WORDS["kappa"].title
    qwk = values[title]
    assert isinstance(qwk, Estimate)
    assert qwk.value == decisive(evaluation)["qwk"].value
    assert list(judged)[:3] == [METRIC_WORDS[name].title for name in ("qwk", "r", "smd")]
    assert (judged[title], judged[kappa]) == ("met", None)


def test_every_response_is_in_the_table_of_human_by_system_score() -> None:
    evaluation = rich()
    assert evaluation.crossed is not None
    assert evaluation.crossed_raters is not None
    assert evaluation.consistency is not None

    by_system, by_rater = (
        confusion_map(evaluation, evaluation.crossed),
        raters_map(evaluation, evaluation.crossed_raters),
    )

    assert sum(map(sum, by_system.counts)) == evaluation.n
    assert sum(map(sum, by_rater.counts)) == evaluation.consistency.n
    assert (by_rater.row_title, by_rater.column_title) == ("Score of rater_1", "Score of rater_2")


def test_a_long_scale_is_crossed_by_bands() -> None:
    evaluation = plain(5000, scale=ScoreScale(0, 60), raters=2)
    assert evaluation.crossed is not None
    assert np.count_nonzero(evaluation.crossed.counts) > 0

    chart = confusion_map(evaluation, evaluation.crossed)

    assert len(chart.levels) ** 2 <= MOST_CELLS or len(chart.levels) == 61
    assert sum(map(sum, chart.counts)) == evaluation.n


@pytest.mark.parametrize(
    ("human", "system", "words"),
    [
        (True, True, "all scores of either are equal"),
        (True, False, "all human scores are equal"),
        (False, True, "all system scores are equal"),
        (False, False, "about the same spread"),
    ],
)
def test_means_and_spread_are_said_in_a_sentence(human: bool, system: bool, words: str) -> None:
    evaluation = constant(human=human, system=system, scale=ScoreScale(1, 6))

    assert words in text_of(agreement_section(evaluation))


def test_cut_scores_have_a_row_each_with_shares() -> None:
    section = agreement_section(rich())
    (cuts,) = [b for b in blocks_of(section.blocks) if isinstance(b, Table) and b.name == "cut_scores"]

    assert column_of(cuts, "Cut score") == ["3.5", "5"]
    for cell in column_of(cuts, "Same decision"):
        assert isinstance(cell, Estimate)
        assert 0 <= cell.low <= cell.value <= cell.high <= 1
    assert "confusion_matrix" in charts_of(section)
