"""The evaluation report says what the figures say, no more, and holds for any evaluation."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.metrics.intervals import Estimate
from assay.report.document.metric_words import METRIC_WORDS
from assay.report.evaluation.facts import decisive
from assay.report.evaluation.left_out import WHY
from assay.report.evaluation.report import evaluation_report
from assay.report.render.html import to_html
from assay.report.render.tables_csv import csv_files
from assay.scale import ScoreScale
from tests.report.evaluation.evaluations import PROVENANCE, constant, plain, report_of, rich
from tests.report.reading import section_of, table_of, text_of


def test_the_verdict_of_a_typical_evaluation() -> None:
    document = report_of(rich())

    assert (
        document.subtitle == "System score against human score, 400 responses, scale 1 to 6. 15 November 2026, 14:20."
    )
    assert document.verdict_lead == "Six of nine thresholds are met, one of them uncertain."
    assert document.verdict_rest == (
        "The system agrees with the human scores about as well as a second rater does (QWK 0.76 against 0.72). "
        "Compared with the human scores, the system scores Vietnamese too low and Tagalog too high (first_language). "
        "Exact agreement (43.2\u00a0%) is below threshold; disattenuated correlation (0.897) seems to be."
    )


def test_without_a_second_reader_exact_agreement_stands_in_and_the_report_says_what_is_not_known() -> None:
    document = report_of(plain())

    assert [f.name for f in document.key_figures][3:] == ["Exact agreement", "Adjacent agreement"]
    assert document.verdict_rest == (
        "Agreement with human scores reaches its threshold. "
        "No response was scored by a second rater, so how well raters agree with each other is not known."
    )
    assert "Add a second human score" in text_of(section_of(document, "Two raters"))
    assert "scored by a second rater" in text_of(section_of(document, "True score"))
    assert "name the columns" in text_of(section_of(document, "Subgroups"))


def test_nothing_a_reader_of_the_report_is_advised_is_an_option_of_a_command() -> None:
    texts = [text_of(section) for evaluation in (plain(), rich()) for section in report_of(evaluation).sections]

    assert not any("--" in text for text in texts)
    assert not any("--" in why for why in WHY.values())


def test_the_tables_hold_the_figures_of_the_evaluation() -> None:
    evaluation = rich()
    document = report_of(evaluation)

    short = {row[0]: row[1] for row in table_of(document, "eval_short").rows}
    for name, measured in decisive(evaluation).items():
        cell = short[METRIC_WORDS[name].title]
        share = 100 if METRIC_WORDS[name].number.percent else 1
        assert isinstance(cell, Estimate)
        assert (share * cell.value, share * cell.low) == pytest.approx((measured.value, measured.low))
    assert {row[0] for row in table_of(document, "eval").rows} == set(evaluation.variants)
    prmse = table_of(document, "true_score").rows[0][1]
    assert isinstance(prmse, Estimate)
    assert prmse.value == evaluation.true_score["scale_trim"].prmse.value


SIX = ScoreScale(1, 6)
ANY: dict[str, Callable[[], Evaluation]] = {
    "rich": rich,
    "real-valued human scores": lambda: plain(scale=None, raters=2, groups=3),
    "everything constant": constant,
    "everything constant on a scale": lambda: constant(scale=SIX),
    "human constant": lambda: constant(system=False, scale=SIX),
    "system constant": lambda: constant(human=False, scale=SIX),
    "perfect": lambda: constant(human=False, system=False, scale=SIX),
    "one response": lambda: plain(1, raters=2, groups=1),
    "two responses": lambda: plain(2, raters=3, groups=2),
    "three readers": lambda: plain(raters=3),
    "one group": lambda: plain(groups=1),
    "only small groups": lambda: plain(40, groups=8, least_group=10),
    "200 groups": lambda: plain(4000, groups=200, raters=2, least_group=10),
    "61 score points": lambda: plain(5000, scale=ScoreScale(0, 60), raters=2),
    "101 score points": lambda: plain(20000, scale=ScoreScale(0, 100), raters=2),
    "1001 score points": lambda: plain(2000, scale=ScoreScale(0, 1000)),
    "half points": lambda: plain(scale=ScoreScale(1, 6, 0.5)),
    "weights": lambda: plain(weights=True, raters=2, groups=3),
}


@pytest.mark.parametrize("case", ANY)
def test_any_evaluation_makes_a_whole_report(case: str) -> None:
    document = report_of(ANY[case]())

    page = to_html(document)

    assert len(document.sections) == 9
    assert all(section.blocks for section in document.sections)
    assert len(document.key_figures) == 5
    assert len(page.encode()) < 2_000_000
    assert not re.search(r"\bnan\b|\bNone\b(?! of)|\bn/a</t[dh]>|\bn/a</b></", page)
    assert not re.search(r"\b1 (responses|groups|figures)\b", re.sub("<[^>]+>", "", page))
    assert csv_files(document).keys() >= {"eval_short.csv", "data_composition.csv", "provenance.csv", "thresholds.csv"}


def test_a_report_is_called_as_asked_and_signed_by_the_version_that_made_it() -> None:
    document = evaluation_report(plain(), title="Autumn", source="", provenance=PROVENANCE)

    assert document.title == "Autumn"
    assert "Assay 0.1" in document.footer
    assert "rows of the table" in [row[2] for row in table_of(document, "data_composition").rows]


def test_without_score_points_no_agreement_in_per_cent_is_claimed() -> None:
    document = report_of(plain(scale=None))

    assert [f.name for f in document.key_figures][3:] == ["Variance explained", "Typical error"]
    (exact,) = [row for row in table_of(document, "eval_short").rows if row[0] == "Exact agreement"]
    assert (getattr(exact[1], "reason", ""), exact[4]) == ("the human scores lie on no regular points", None)
    assert "lie on no regular score points" in text_of(section_of(document, "Data and exclusions"))


def test_hostile_names_of_groups_and_engines_stay_words() -> None:
    hostile = "<script>alert(1)</script>"
    human = np.tile(np.arange(1.0, 6.0), 20)
    groups = GroupColumn.of(hostile, [hostile, "b"] * 50)
    ratings = Ratings(human[:, None], human + 0.1, groups=(groups,))

    page = to_html(report_of(evaluate_engine(ratings, Plan(SIX), engine=hostile)))

    assert hostile not in page
    assert "&lt;script&gt;" in page
