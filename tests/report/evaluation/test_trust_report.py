"""Trust in words and as a report: what is certain, what is still needed, and no drift beyond what was seen."""

from dataclasses import replace
from functools import cache

import polars as pl
import pytest

from assay.evaluation.trust.judgement import Trust
from assay.metrics.intervals import Estimate
from assay.report.evaluation.trust_report import (
    RESPONSES,
    anchoring_words,
    drift_words,
    precision_words,
    trust_blocks,
    trust_report,
    verdict_words,
    why_words,
)
from assay.workflows.evaluation.trust import trust
from tests.report.reading import column_of, section_of, table_of, text_of, titles_of
from tests.workflows.evaluation.test_trust import REVIEWS


@cache
def judged(human: str = "teacher") -> Trust:
    """Two hundred of 240 responses are reviewed."""
    return trust(REVIEWS, id="response", human=human, system="engine", scale="1-6", within=0.01, most=4).trust


def test_the_report_opens_with_the_verdict_and_lists_what_to_review_next() -> None:
    document = trust_report(judged(), engine="engine", source="reviews.csv", when="2026-11-17T10:00:00+00:00")

    assert document.title == "How far “engine” can be trusted"
    assert document.subtitle == "200 reviewed, 40 waiting, read from reviews.csv; 2026-11-17"
    assert titles_of(document)[:2] == ["Reviews", "Review next"]
    assert {"Agreement", "Bias by score", "Drift", "All figures"} <= set(titles_of(document))
    table = table_of(document, "review_next")
    assert column_of(table, "Response") == [one.name for one in judged().next]
    assert column_of(table, "Why") == [why_words(one, RESPONSES) for one in judged().next]
    assert "if they were not drawn at random" in text_of(section_of(document, "Reviews"))


def test_before_any_review_nothing_is_claimed() -> None:
    nobody = REVIEWS.with_columns(teacher=pl.lit(None, pl.Float64))
    before = trust(nobody, human="teacher", system="engine", scale="1-6").trust

    assert verdict_words(before, RESPONSES)[0] == "Nothing is reviewed yet."
    assert anchoring_words(before) == ""
    assert drift_words(before) == "Too few reviews to look for drift: about 16 are the least."
    assert titles_of(trust_report(before, engine="e", source="", when="")) == ["Reviews", "Review next"]


def test_how_many_more_reviews_it_takes_is_a_number_or_a_plain_no() -> None:
    precision = judged().precision

    words = precision_words(precision, RESPONSES)
    assert f"About {precision.more:,} more reviews ({precision.needed:,} in all)" in words
    enough = replace(precision, needed=len(judged().pairs))
    assert precision_words(enough, RESPONSES).endswith("already, as closely as asked (±0.01).")
    assert "More reviews than anybody can make" in precision_words(replace(precision, needed=None), RESPONSES)


@pytest.mark.parametrize(
    ("drift", "words"),
    [
        (Estimate(0.1, -0.1, 0.3), "No drift beyond chance"),
        (Estimate(0.3, 0.1, 0.5), "The system scores higher against people than before"),
        (Estimate(-0.3, -0.5, -0.1), "The system scores lower against people than before"),
    ],
)
def test_drift_is_claimed_only_where_the_interval_leaves_zero_out(drift: Estimate, words: str) -> None:
    assert drift_words(replace(judged(), drift=drift)).startswith(words)


def test_pictures_hold_every_stretch_of_reviews() -> None:
    evaluation = judged().evaluation
    assert evaluation is not None
    blocks = trust_blocks(judged(), evaluation)

    assert [len(block.rows) for block in blocks["drift"]] == [len(judged().periods)] * 2  # type: ignore[union-attr]
    assert blocks["groups"] == ()
