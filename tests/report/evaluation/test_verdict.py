"""The verdict in words: thresholds are counted, doubt is owned up to, and no claim goes beyond its interval."""

from dataclasses import replace

import pytest

from assay.evaluation.thresholds import Verdict
from assay.metrics.intervals import Estimate
from assay.report.evaluation.facts import shifts
from assay.report.evaluation.verdict import groups_sentence, second_rater_words, verdict_lead, verdict_rest
from assay.scale import ScoreScale
from tests.report.evaluation.evaluations import constant, plain, rich

MET, DOUBT, MISSED = "met", "met, uncertain", "not met"


@pytest.mark.parametrize(
    ("verdicts", "lead"),
    [
        ([MET] * 5, "All five thresholds are met."),
        ([MET] * 4 + [MISSED], "Four of five thresholds are met."),
        ([MET] * 4 + [DOUBT], "All five thresholds are met, one of them uncertain."),
        ([DOUBT] * 3 + [MISSED] * 2, "Three of five thresholds are met, all of them uncertain."),
        ([MET] + [MISSED] * 4, "One of five thresholds is met."),
        ([DOUBT] + [MISSED] * 4, "One of five thresholds is met, but uncertain."),
        ([MISSED] * 5, "None of five thresholds is met."),
        ([MET, None], "The one threshold that could be judged is met."),
        (["not met, uncertain", None], "The one threshold that could be judged is not met, but uncertain."),
        ([None] * 5, "No threshold could be judged."),
    ],
)
def test_the_lead_counts_thresholds_and_owns_up_to_doubt(verdicts: list[Verdict | None], lead: str) -> None:
    assert verdict_lead(verdicts) == lead


def test_a_bad_engine_is_told_so_calmly() -> None:
    rest = verdict_rest(plain(noise=2.0, offset=0.8, raters=2))

    assert rest.startswith(
        "The system agrees with the human scores less than a second rater does (QWK 0.33 against 0.85). "
    )
    assert "It scores too high on average, by 0.67 standard deviations." in rest


@pytest.mark.parametrize(
    ("difference", "verdict", "claim"),
    [
        (
            Estimate(0.05, 0.01, 0.09),
            MET,
            "The system agrees with the human scores more closely than a second rater does",
        ),
        (
            Estimate(0.0, -0.05, 0.05),
            MET,
            "The system agrees with the human scores about as well as a second rater does",
        ),
        (
            Estimate(-0.05, -0.08, -0.02),
            MET,
            "The system agrees with the human scores a little less than a second rater does",
        ),
        (
            Estimate(-0.05, -0.2, 0.1),
            DOUBT,
            "The system seems to agree with the human scores about as well as a second rater does",
        ),
        (Estimate(-0.2, -0.3, -0.15), MISSED, "The system agrees with the human scores less than a second rater does"),
    ],
)
def test_no_claim_goes_beyond_the_interval(difference: Estimate, verdict: Verdict, claim: str) -> None:
    assert second_rater_words(difference, verdict) == claim


def test_groups_are_named_by_direction_and_certainty() -> None:
    found = shifts(rich())
    unsure = [replace(s, verdict="not met, uncertain") for s in found if s.verdict == "not met"]
    within = [replace(s, verdict="met") for s in found]

    assert groups_sentence(unsure) == (
        "Compared with the human scores, the system seems to score Vietnamese too low and Tagalog too high "
        "(first_language)."
    )
    assert groups_sentence(within) == "No group is shifted by more than 0.10 standard deviations."
    assert groups_sentence([replace(within[0], verdict="met, uncertain"), *within[1:]]) == (
        "No group is shifted by more than 0.10 standard deviations; this is uncertain for one of four."
    )
    assert groups_sentence([]) == ""


def test_a_figure_that_could_not_be_judged_is_named_with_its_reason() -> None:
    assert verdict_rest(constant()).endswith("could not be judged: all scores of either rater are equal.")
    assert verdict_rest(constant(system=False, scale=ScoreScale(1, 6))).endswith(
        "could not be judged: all human scores are equal."
    )
