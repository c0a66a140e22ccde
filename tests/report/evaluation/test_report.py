"""The evaluation report says what the figures say, no more, and holds for any evaluation."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import Verdict
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.charts.charts import HeatMap, IntervalPlot
from assay.report.document.document import Document, Paragraph, Section, tables_of
from assay.report.document.metric_words import METRIC_WORDS, as_share, shown
from assay.report.document.values import Table
from assay.report.document.values import plain as words_of
from assay.report.evaluation.data import scale_words
from assay.report.evaluation.distributions import bias_words, distribution_words
from assay.report.evaluation.facts import decisive, shifts
from assay.report.evaluation.report import evaluation_report
from assay.report.evaluation.verdict import groups_sentence, second_reader_words, verdict_lead, verdict_rest
from assay.report.render.html import to_html
from assay.report.render.tables_csv import csv_files
from assay.scale import ScoreScale
from tests.report.evaluation.evaluations import PROVENANCE, constant, plain, rich

MET, DOUBT, MISSED = "met", "met, not certain", "not met"


def report_of(evaluation: Evaluation, provenance: Provenance = PROVENANCE) -> Document:
    return evaluation_report(evaluation, title="Evaluation", source="autumn.csv", provenance=provenance)


def section_of(document: Document, title: str) -> Section:
    return next(section for section in document.sections if section.title == title)


def text_of(section: Section) -> str:
    return " ".join(words_of(block.spans) for block in section.blocks if isinstance(block, Paragraph))


def table_of(document: Document, name: str) -> Table:
    return next(table for table in tables_of(document) if table.name == name)


# --- the verdict ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "lead"),
    [
        ([MET] * 5, "All five thresholds are met."),
        ([MET] * 4 + [MISSED], "Four of five thresholds are met."),
        ([MET] * 4 + [DOUBT], "All five thresholds are met, one of them not certainly."),
        ([DOUBT] * 3 + [MISSED] * 2, "Three of five thresholds are met, none of them certainly."),
        ([MET] + [MISSED] * 4, "One of five thresholds is met."),
        ([DOUBT] + [MISSED] * 4, "One of five thresholds is met, though not certainly."),
        ([MISSED] * 5, "None of five thresholds is met."),
        ([MET, None], "The one threshold that could be judged is met."),
        (["not met, not certain", None], "The one threshold that could be judged is not met, though not certainly."),
        ([None] * 5, "No threshold could be judged."),
    ],
)
def test_the_lead_counts_thresholds_and_owns_up_to_doubt(verdicts: list[Verdict | None], lead: str) -> None:
    assert verdict_lead(verdicts) == lead


def test_the_verdict_of_a_typical_evaluation() -> None:
    document = report_of(rich())

    assert (
        document.subtitle == "System score against human score, 400 responses, scale 1 to 6. 15 November 2026, 14:20."
    )
    assert document.verdict_lead == "Four of five thresholds are met."
    assert document.verdict_rest == (
        "The system agrees with people about as well as a second reader does (QWK 0.76 against 0.72). "
        "Compared with people, the system scores Vietnamese too low and Tagalog too high (first_language). "
        "Exact agreement (43.2\u00a0%) is below threshold; disattenuated correlation (0.897) seems to be."
    )


def test_a_bad_engine_is_told_so_calmly() -> None:
    rest = verdict_rest(plain(noise=2.0, offset=0.8, raters=2))

    assert rest.startswith("The system agrees with people less than a second reader does (QWK 0.33 against 0.85). ")
    assert "It scores too high on average, by 0.67 standard deviations." in rest


@pytest.mark.parametrize(
    ("difference", "verdict", "claim"),
    [
        (Estimate(0.05, 0.01, 0.09), MET, "The system agrees with people more closely than a second reader does"),
        (Estimate(0.0, -0.05, 0.05), MET, "The system agrees with people about as well as a second reader does"),
        (Estimate(-0.05, -0.08, -0.02), MET, "The system agrees with people a little less than a second reader does"),
        (
            Estimate(-0.05, -0.2, 0.1),
            DOUBT,
            "The system seems to agree with people about as well as a second reader does",
        ),
        (Estimate(-0.2, -0.3, -0.15), MISSED, "The system agrees with people less than a second reader does"),
    ],
)
def test_no_claim_goes_beyond_the_interval(difference: Estimate, verdict: Verdict, claim: str) -> None:
    assert second_reader_words(difference, verdict) == claim


def test_without_a_second_reader_exact_agreement_stands_in_and_the_report_says_what_is_not_known() -> None:
    document = report_of(plain())

    assert [f.name for f in document.key_figures][3:] == ["Exact agreement", "Adjacent agreement"]
    assert document.verdict_rest == (
        "Agreement with people reaches its threshold. "
        "No response was read by a second person, so how well people agree with each other is not known."
    )
    assert "--second-human" in text_of(section_of(document, "Human and human"))
    assert "--second-human" in text_of(section_of(document, "True score"))
    assert "--groups" in text_of(section_of(document, "Subgroups"))


def test_groups_are_named_by_direction_and_certainty() -> None:
    found = shifts(rich())
    unsure = [replace(s, verdict="not met, not certain") for s in found if s.verdict == "not met"]
    within = [replace(s, verdict="met") for s in found]

    assert groups_sentence(unsure) == (
        "Compared with people, the system seems to score Vietnamese too low and Tagalog too high (first_language)."
    )
    assert groups_sentence(within) == "No group is shifted by more than 0.10 standard deviations."
    assert groups_sentence([replace(within[0], verdict="met, not certain"), *within[1:]]) == (
        "No group is shifted by more than 0.10 standard deviations; this is not certain for one of four."
    )
    assert groups_sentence([]) == ""


def test_a_figure_that_could_not_be_judged_is_named_with_its_reason() -> None:
    assert verdict_rest(constant()) == "All scores of either rater are equal."
    assert verdict_rest(constant(system=False, scale=ScoreScale(1, 6))).endswith(
        "could not be judged: all human scores are equal."
    )


def test_a_figure_just_below_its_threshold_does_not_read_as_equal_to_it() -> None:
    assert shown("qwk", Estimate(0.6996, 0.6, 0.8)).number.decimals == 4  # type: ignore[union-attr]
    assert shown("qwk", Estimate(0.76, 0.6, 0.8)).number.decimals == 2  # type: ignore[union-attr]


# --- the figures ---------------------------------------------------------------------------------------------------


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


def test_exclusions_add_up() -> None:
    table = table_of(report_of(rich()), "data_composition")

    numbers = [row[1] for row in table.rows]
    assert numbers == [412, -7, -4, -1]
    assert sum(n for n in numbers if isinstance(n, int)) == table.foot[0][1] == 400


def test_per_cent_figures_become_shares_once() -> None:
    share = as_share(Estimate(47.3, 42.5, 52.2))

    assert (share.value, share.low, share.high) == pytest.approx((0.473, 0.425, 0.522))


def test_every_metric_has_words() -> None:
    evaluation = rich()

    assert {*PAIR_METRICS, *evaluation.further, *evaluation.reliability} <= set(METRIC_WORDS)
    assert {judgement.name for judgement in evaluation.judgements} <= set(METRIC_WORDS)


def test_the_heat_map_keeps_points_nobody_gave_so_that_neighbours_are_one_step_apart() -> None:
    human = np.array([1.0, 2.0, 4.0, 4.0] * 10)
    evaluation = evaluate_engine(Ratings(human[:, None], human), Plan(ScoreScale(1, 6)))

    (chart,) = [b for b in section_of(report_of(evaluation), "Agreement").blocks if isinstance(b, HeatMap)]

    assert chart.levels == ("1", "2", "3", "4", "5", "6")
    assert [chart.counts[i][i] for i in range(6)] == [10, 10, 0, 20, 0, 0]
    assert "none is further apart" in chart.says


def test_small_groups_are_counted_but_never_shown() -> None:
    document = report_of(rich())

    assert "Mandarin has 2 responses, fewer than 10: counted, but not shown." in text_of(
        section_of(document, "Subgroups")
    )
    holding = [name for name, text in csv_files(document).items() if "Mandarin" in text]
    assert holding == []


def test_scores_given_more_or_less_often_are_flagged_with_their_source() -> None:
    evaluation = rich()
    high = replace(evaluation.distribution[0], difference=Estimate(6.5, 3, 9))
    low = replace(evaluation.distribution[1], difference=Estimate(-7.25, -9, -3))

    assert distribution_words((high, low)) == (
        "The system gives 1 (+6.5) more often and 2 (−7.2) less often than people do, by more than 5 percentage points "
        "(flagged as in RSMTool 12)."
    )
    assert distribution_words(()) == (
        "No score is given more than 5 percentage points more or less often by the system than by people."
    )


def test_bias_by_level_tells_regression_to_the_mean_only_where_it_is() -> None:
    levels = rich().levels
    flat = tuple(replace(level, bias=Estimate(0.1, 0.0, 0.2)) for level in levels)

    assert bias_words(levels).endswith("it pulls to the middle.")
    assert bias_words(flat) == "The bias runs from +0.10 at 1 to +0.10 at 1."


@pytest.mark.parametrize(
    ("declared", "ending"),
    [
        (True, ", as declared."),
        (False, "as seen in the human scores; declare it with --scale if the rubric allows other scores."),
        (None, "The scale runs from 1 to 6."),
    ],
)
def test_how_the_scale_is_known_is_said_only_where_it_is_known(declared: bool | None, ending: str) -> None:
    evaluation = plain()
    known = replace(evaluation, plan=replace(evaluation.plan, scale_declared=declared))

    assert scale_words(known).endswith(ending)


def test_the_provenance_names_version_command_input_digest_and_settings() -> None:
    rows = {words_of(row[0]): words_of(row[1]) for row in table_of(report_of(rich()), "provenance").rows}  # type: ignore[arg-type]

    assert rows["Version"] == "Assay 0.1"
    assert rows["Command"] == PROVENANCE.command
    assert rows["Input"] == f"autumn.csv, SHA-256 {'4f1c' * 16}"
    assert rows["Seed"] == "none: nothing was drawn at random"
    assert rows["Scale"] == "1 to 6"


# --- any evaluation ------------------------------------------------------------------------------------------------

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


def test_without_score_points_no_agreement_in_per_cent_is_claimed() -> None:
    document = report_of(plain(scale=None))

    assert [f.name for f in document.key_figures][3:] == ["Variance explained", "Typical error"]
    assert not [row for row in table_of(document, "eval_short").rows if row[0] == "Exact agreement"]
    assert "lie on no regular score points" in text_of(section_of(document, "Data and exclusions"))


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


def test_hostile_names_of_groups_and_engines_stay_words() -> None:
    hostile = "<script>alert(1)</script>"
    human = np.tile(np.arange(1.0, 6.0), 20)
    groups = GroupColumn.of(hostile, [hostile, "b"] * 50)
    ratings = Ratings(human[:, None], human + 0.1, groups=(groups,))

    page = to_html(report_of(evaluate_engine(ratings, Plan(SIX), engine=hostile)))

    assert hostile not in page
    assert "&lt;script&gt;" in page


def test_a_given_error_variance_is_said_to_be_given() -> None:
    human = np.tile(np.arange(1.0, 6.0), 20)
    plan = Plan(SIX, error_variance=0.25)
    document = report_of(evaluate_engine(Ratings(human[:, None], human + 0.1), plan))

    assert "The variance of reading errors, 0.250, was given." in text_of(section_of(document, "True score"))
