"""Why this score: the tree of the scoring plan's section 6, laid end to end so that it adds up."""

import numpy as np

from assay.annotations.grading.explanation import ScoreComponent, explain, losses
from assay.annotations.grading.result import SubmissionScore
from assay.report.document.document import (
    Block,
    Breakdown,
    BreakdownRow,
    Column,
    Disclosure,
    Number,
    Paragraph,
    Row,
    Table,
)

TIMES = "\u2009\u00d7\u2009"
POINTS = Number(decimals=1)
FINE = Number(decimals=2)


def breakdown_blocks(score: SubmissionScore) -> tuple[Block, ...]:
    """The picture, and behind a disclosure the same match by match."""
    if score.tally.vacuous:
        return (
            Paragraph("There was nothing to find and nothing was drawn: 100 points, which say nothing about the work."),
        )
    return (breakdown(score), *_match_by_match(score))


def breakdown(score: SubmissionScore) -> Breakdown:
    """Quality and completeness, the parts of each, and the total."""
    rows = (*_quality_rows(score), *_completeness_rows(score))
    total = score.overall
    summary = "; ".join(f"{row.label.strip()} {row.points:+.1f}" for row in rows)
    return Breakdown(
        name="breakdown",
        title="How the score adds up",
        says=_says(score),
        alt=f"Parts laid end to end from 0 to {total:.1f} points: {summary}; score {total:.1f}.",
        rows=(*rows, BreakdownRow("Score", "of 100", 0.0, total, kind="whole")),
    )


def _says(score: SubmissionScore) -> str:
    q, c = score.rubric.weights.of_overall
    tally = score.tally
    quality = tally.quality if tally.matched else 0.0
    return (
        f"{quality:.1f} × {q:.3g} for the quality of what was matched and {tally.completeness:.1f} × {c:.3g} for "
        f"completeness make {score.overall:.1f}. Each missed object and each extra annotation takes points back."
    )


def _quality_rows(score: SubmissionScore) -> tuple[BreakdownRow, ...]:
    q, _ = score.rubric.weights.of_overall
    tally = score.tally
    quality = tally.quality if tally.matched else 0.0
    top = BreakdownRow("Match quality", f"{quality:.1f}{TIMES}{q:.3g}", 0.0, q * quality)
    if not tally.matched:
        return (top,)
    parts = np.column_stack([score.localisation, score.label, np.nan_to_num(score.attributes, nan=1.0)])
    reached, weights = 100 * parts.mean(axis=0), score.match_weights.mean(axis=0)
    points = 100 * q * (score.match_weights * parts).mean(axis=0)
    ends = np.cumsum(points)
    even = bool(np.allclose(score.match_weights, score.match_weights[0]))
    none = int(np.count_nonzero(np.isnan(score.attributes)))
    rest = {"Attributes": f"; {none:,} have none"} if none and even else {}
    rows = [
        BreakdownRow(
            name,
            (f"{reached[i]:.1f}{TIMES}{weights[i]:.3g}{TIMES}{q:.3g}" if even else f"{reached[i]:.1f} reached")
            + rest.get(name, ""),
            float(ends[i] - points[i]),
            float(ends[i]),
            1,
            "piece",
        )
        for i, name in enumerate(("Place", "Label", "Attributes"))
    ]
    if abs(q * quality - ends[-1]) > 1e-9:
        rows.append(BreakdownRow("Overrides", "by a person", float(ends[-1]), q * quality, 1, "piece"))
    return (top, *rows)


def _completeness_rows(score: SubmissionScore) -> tuple[BreakdownRow, ...]:
    q, c = score.rubric.weights.of_overall
    tally, lost = score.tally, losses(score)
    start = q * tally.quality if tally.matched else 0.0
    full = start + 100 * c
    rows = [
        BreakdownRow("Completeness", f"{tally.completeness:.1f}{TIMES}{c:.3g}", start, start + c * tally.completeness),
        BreakdownRow("All found, no extra", f"100{TIMES}{c:.3g}", start, full, 1, "piece"),
    ]
    if tally.missed:
        rows.append(BreakdownRow(f"{tally.missed:,} missed", f"recall {tally.recall:.1f}", full, full - lost.missed, 1))
    after = full - lost.missed
    if tally.extra:
        note = f"precision {tally.precision:.1f}"
        rows.append(BreakdownRow(f"{tally.extra:,} extra", note, after, after - lost.extra, 1))
    return tuple(rows)


def _match_by_match(score: SubmissionScore) -> tuple[Block, ...]:
    """The matches that cost most, one by one."""
    quality = next((p for p in explain(score).children if p.name == "average match quality"), None)
    if quality is None or not quality.children:
        return ()
    columns = (
        Column("Match"),
        *(Column(name, "number", POINTS) for name in ("Place", "Label", "Attributes", "Match score")),
        Column("Points of the score", "number", FINE),
    )
    table = Table(
        "matches_by_points",
        f"The {len(quality.children)} parts of match quality; their points add up to {quality.points:.1f}",
        columns,
        tuple(_match_row(part) for part in quality.children),
        foot=(("Match quality", None, None, None, quality.value, quality.points),),
    )
    return (Disclosure("Match by match, those that cost most first", (table,)),)


def _match_row(part: ScoreComponent) -> Row:
    values: list[float | None] = [child.value for child in part.children[:3]]
    values += [None] * (3 - len(values))
    return (part.name, *values, part.value, part.points)
