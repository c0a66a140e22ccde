"""Trust as a report: the verdict, reviews still needed, what to review next, bias, groups and drift."""

from assay.evaluation.result import Evaluation
from assay.evaluation.trust.judgement import Trust
from assay.report.document.document import Block, Column, Document, Paragraph, Section, Table
from assay.report.evaluation.trust_charts import (
    agreement_blocks,
    drift_blocks,
    group_blocks,
    level_blocks,
    table_blocks,
)
from assay.report.evaluation.trust_words import (
    BRINGS,
    RESPONSES,
    drift_words,
    precision_words,
    selection_words,
    verdict_words,
    why_words,
)
from assay.report.evaluation.verdict import key_figures


def trust_report(trust: Trust, *, engine: str, source: str, made: str) -> Document:
    """The whole report; `made` says when."""
    figures = key_figures(trust.evaluation) if trust.evaluation else ()
    lead, rest = verdict_words(trust, figures, RESPONSES)
    reviewed, waiting = len(trust.pairs), len(trust.evidence.names)
    subtitle = f"{reviewed:,} reviewed, {waiting:,} waiting, read from {source or 'a table'}"
    sections = [
        Section(
            "Reviews",
            (Paragraph(precision_words(trust.precision, RESPONSES)), Paragraph(selection_words(trust, RESPONSES))),
        ),
        Section("Review next", _next(trust)),
        *(_judged(trust, trust.evaluation) if trust.evaluation else ()),
    ]
    return Document(
        title=f"How far “{engine}” can be trusted",
        subtitle=f"{subtitle}; {made[:10]}" if made else subtitle,
        verdict_lead=lead,
        verdict_rest=rest,
        key_figures=figures,
        sections=tuple(sections),
    )


def _next(trust: Trust) -> tuple[Block, ...]:
    if not trust.next:
        return (Paragraph("Every response has a human score."),)
    rows = tuple((one.name, why_words(one, RESPONSES), BRINGS[one.pick.why]) for one in trust.next)
    columns = (Column("Response"), Column("Why"), Column("What it brings"))
    return (Table("review_next", "Responses to review next, the most telling first", columns, rows),)


def _judged(trust: Trust, evaluation: Evaluation) -> list[Section]:
    """A section for everything there is something to say of."""
    parts: dict[str, tuple[Block, ...]] = {
        "Agreement": agreement_blocks(evaluation),
        "Bias by score": level_blocks(trust, evaluation),
        "Groups": group_blocks(evaluation),
        "Drift": (Paragraph(drift_words(trust)), *drift_blocks(trust)),
        "All figures": table_blocks(evaluation),
    }
    return [Section(title, blocks) for title, blocks in parts.items() if blocks]
