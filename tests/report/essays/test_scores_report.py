"""Scores of many essays as a report: counted as they come, the first of them listed, and what they rest on."""

import pytest

from assay.essays.feedback.advisories import Advisory
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore, ScoringModel, unscored
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import read_scoring_model
from assay.provenance import Provenance
from assay.report.essays.scores_report import MOST_ROWS, ScoreSummary, essay_scores_report, model_report
from tests.paths import EXAMPLES
from tests.report.reading import all_charts, column_of, section_of, table_of, text_of

MADE = Provenance("0.1", "assay essays score", {}, 0, "2026-11-15T10:00:00+01:00")
NAME = next(iter(SCORE_TITLES))
DOUBTED = (Advisory(NAME, "so it seems"),)


def model() -> ScoringModel:
    return read_scoring_model(EXAMPLES / "essay_model.json")


def score(number: int, points: float = 4.0) -> EssayScore:
    return EssayScore(str(number), "", points, points, 3.0, 5.0, 60, {}, {"length": 0.42}, 3.58, ())


def summed(*scores: EssayScore) -> ScoreSummary:
    summary = ScoreSummary()
    summary.add(scores)
    return summary


def test_scores_are_counted_as_they_come_and_only_the_first_are_kept() -> None:
    summary = summed(*(score(number, 3.0 + number % 2) for number in range(MOST_ROWS + 50)))
    summary.add([unscored(Essay("x", ""), {}, DOUBTED)])

    assert (summary.essays, summary.given[3.0], summary.given[4.0]) == (MOST_ROWS + 51, 125, 125)
    assert len(summary.first) == MOST_ROWS
    assert summary.advisories[NAME] == 1


def test_the_report_counts_what_was_scored_and_what_was_not() -> None:
    summary = summed(score(1), score(2), score(3, 2.0), unscored(Essay("4", ""), {}, DOUBTED))
    document = essay_scores_report(summary, model(), name="essays.csv", provenance=MADE)

    assert document.title == "Scores of essays.csv"
    assert document.verdict_lead == f"3 essays scored on the scale {model().scale}."
    assert document.verdict_rest == "1 essay got no score; the advisories say why."
    (chart,) = all_charts(document)
    assert chart.says == "Most essays got 4: 2 of 3."
    assert column_of(table_of(document, "scores"), "Essay") == ["1", "2", "3", "4"]
    assert column_of(table_of(document, "scores"), "Score") == [4.0, 4.0, 2.0, None]
    assert table_of(document, "advisories").rows == ((SCORE_TITLES[NAME], 1, "score withheld"),)


def test_essays_beyond_the_first_are_pointed_to() -> None:
    document = essay_scores_report(
        summed(*map(score, range(MOST_ROWS + 1))), model(), name="essays.csv", provenance=MADE
    )

    assert "1 further essay: see scores.csv." in text_of(section_of(document, "Essay by essay"))
    assert document.verdict_rest == ""


def test_the_weights_of_a_model_are_shares_of_a_whole() -> None:
    document = model_report(model(), provenance=MADE)
    shares = column_of(table_of(document, "weights"), "Share of weights (%)")

    assert sum(abs(share) for share in shares if isinstance(share, float)) == pytest.approx(100)
    assert column_of(table_of(document, "agreement"), "Essays") == [e.essays for e in model().equations.values()]
