"""The report of a judge says what is missing, how steady it is, what misleads it and what it cost."""

from assay.evaluation.judging.answers import JudgeRatings, Rating, Usage
from assay.evaluation.judging.probe import NEUTRAL, ProbeFigures
from assay.evaluation.judging.rubric import Criterion, JudgeRubric, Prices, RubricLevel
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.document.document import Document, Note, tables_of
from assay.report.evaluation.judge_report import judge_report, usage_words

QUALITY = Criterion("quality", (RubricLevel(1.0, "poor"), RubricLevel(2.0, "good")), "How good?")
ROWS = (Rating("a", "quality", 1, 2.0, "Fine."), Rating("b", "quality", 1, None, problem="empty text"))


def figures(probe: str, low: float, share: float, high: float) -> ProbeFigures:
    return ProbeFigures(probe, probe.title(), "quality", 9, 5, 5, Estimate(share, low, high), Estimate(1.0, 0.5, 1.5))


def report(rows: tuple[Rating, ...] = ROWS, runs: int = 1, probes: tuple[ProbeFigures, ...] = ()) -> Document:
    return judge_report(
        JudgeRatings("m", rows, 2),
        JudgeRubric((QUALITY,), "A task."),
        url="http://localhost:1/v1",
        model="m",
        runs=runs,
        probes=probes,
        probe_items=9,
        usage=Usage(2, 10, 5),
        provenance=Provenance("1"),
    )


def cautions(document: Document) -> list[object]:
    blocks = (block for section in document.sections for block in section.blocks)
    return [block.spans for block in blocks if isinstance(block, Note) and block.kind == "caution"]


def test_what_is_missing_is_said_first() -> None:
    document = report()
    assert document.verdict_lead == "1 of 2 ratings given."
    assert "1 rating could not be had" in document.verdict_rest
    assert cautions(document) == ["50.0\xa0% of the ratings are missing."]
    missing = next(table for table in tables_of(document) if table.name == "no_rating")
    assert missing.rows == (("empty text", 1),)


def test_sections_come_only_where_there_is_something_to_say() -> None:
    assert [section.title for section in report(ROWS[:1]).sections] == ["Ratings", "Reasons", "Rubric and cost"]
    longer = report(runs=2, probes=(figures(NEUTRAL, 0, 0.1, 0.2),))
    assert [section.title for section in longer.sections][1:3] == ["Runs", "Text that misleads"]


def test_a_probe_beyond_the_control_is_a_caution() -> None:
    misled = (figures(NEUTRAL, 0.0, 0.1, 0.3), figures("plea", 0.6, 0.9, 1.0), figures("fence", 0.2, 0.4, 0.6))
    assert "More than the control moves “quality”: plea." in cautions(report(ROWS[:1], probes=misled))
    assert cautions(report(ROWS[:1], probes=misled[:1] + misled[2:])) == []


def test_a_judge_without_reasons_is_said_to_have_none() -> None:
    bare = report((Rating("a", "quality", 1, 2.0),))
    assert "no reasons" in str(bare.sections[1])


def test_what_it_took_is_said_in_one_line() -> None:
    assert usage_words(Usage(1, 1000, 100), Prices(1, 2, "EUR")) == "1 request, 1,000 tokens in, 100 out, 0.0012 EUR"
    assert "no prices are given" in usage_words(Usage(1, 1, 1), None)
    assert "did not count" in usage_words(Usage(1, 1, 1, 1), Prices(1, 2))
