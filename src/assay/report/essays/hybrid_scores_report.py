"""Scores of a hybrid or calibrated model as a report: how they spread, and what each rests on, in words."""

from collections import Counter
from collections.abc import Iterator

from assay.essays.models.calibrated.calibrate import CalibratedModel
from assay.essays.models.erater.score import SCORE_TITLES, EssayScore
from assay.essays.models.hybrid.explanation import by_family, by_feature, in_words
from assay.essays.models.hybrid.model import HybridModel
from assay.provenance import Provenance
from assay.report.document.document import Bar, Bars, Block, Column, Document, Note, Number, Paragraph, Section, Table
from assay.report.document.phrases import counted, date_words
from assay.report.essays.score_summary import ScoreSummary
from assay.report.essays.scores_report import point_format


def hybrid_scores_report(
    summary: ScoreSummary, model: HybridModel | CalibratedModel, *, name: str, provenance: Provenance
) -> Document:
    """The report of one run of scoring."""
    given = summary.given.total()
    left = summary.essays - given
    essays = model.training.essays if isinstance(model, HybridModel) else model.essays
    return Document(
        title=f"Scores of {name}",
        subtitle=f"{model.kind} model from {counted(essays, 'essay')}",
        verdict_lead=f"{counted(given, 'essay')} scored on the scale {model.scale}.",
        verdict_rest=f"{counted(left, 'essay')} got no score; the advisories say why." if left else "",
        sections=(
            Section("Scores", tuple(_spread(summary.given))),
            Section("Essay by essay", tuple(_essays(summary))),
            Section("What the scores rest on", tuple(_about(model))),
        ),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.made)}. Command: {provenance.command}",
    )


def _spread(counts: Counter[float]) -> Iterator[Block]:
    bars = tuple(Bar(f"{point:g}", counts[point]) for point in sorted(counts))
    if bars:
        common = max(bars, key=lambda bar: bar.count)
        yield Bars(
            name="score_points",
            title="Essays at each score point",
            says=f"Most essays got {common.label}: {common.count:,} of {counts.total():,}.",
            alt="; ".join(f"score {bar.label}: {bar.count:,} essays" for bar in bars),
            bars=bars,
            bar_title="Score",
        )


def _essays(summary: ScoreSummary) -> Iterator[Block]:
    columns = (
        Column("Essay"),
        Column("Score", "number", point_format(summary)),
        Column("Raw", "number", Number(2)),
        Column("9 in 10 such essays"),
        Column("By family of features"),
        Column("By feature"),
        Column("Advisories"),
    )
    yield Paragraph(
        "Shares are score points above or below the average of all essays; over all features they add up to the raw "
        "score. scores.csv has every share."
    )
    yield Table("scores", "Scores", columns, tuple(map(_row, summary.first)))


def _row(score: EssayScore) -> tuple[str, float | None, float | None, str, str, str, str]:
    doubts = ", ".join(SCORE_TITLES.get(doubt.name, doubt.name) for doubt in score.advisories)
    if not score.scored:
        return score.essay_id, None, None, "", "", "", doubts
    interval = f"{score.low:.1f} to {score.high:.1f}"
    families, features = in_words(by_family(score.shares)), in_words(by_feature(score.shares))
    return score.essay_id, score.score, score.raw, interval, families, features, doubts


def _about(model: HybridModel | CalibratedModel) -> Iterator[Block]:
    if isinstance(model, HybridModel):
        found = model.agreement
        yield Paragraph(
            f"Agreement with human scores of training essays, each scored by fits that had not seen it: quadratic "
            f"weighted kappa {found['qwk']:.2f}, kappa {found['kappa']:.2f}, exact agreement {found['exact']:.0f} %, "
            f"r {found['r']:.2f}."
        )
        notes = model.training.notes
    else:
        yield Paragraph(
            f"Ranked by a model of other prompts, and placed on the scale by {counted(model.scored, 'scored essay')} "
            f"among {counted(model.essays, 'essay')} of this prompt."
        )
        notes = model.notes
    for note in notes:
        yield Note(f"{note[:1].upper()}{note[1:]}.")
