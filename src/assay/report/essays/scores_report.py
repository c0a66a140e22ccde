"""Scores of essays as a report: how they spread, what each rests on, what stands against some, what the model is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import isfinite

import numpy as np

from assay.essays.features.features import FEATURES
from assay.essays.integrity.consequences import CONSEQUENCES
from assay.essays.models.hybrid.model import by_family, by_feature, in_words
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore, ScoringModel
from assay.provenance import Provenance
from assay.report.charts.charts import Bar, Bars
from assay.report.document.document import Block, Document, Note, Paragraph, Section
from assay.report.document.values import INTEGER, Number, Table, columns_of
from assay.report.document.wording import counted, date_words
from assay.report.essays.words import CONSEQUENCE_WORDS, effect_words, reasons

MOST_EQUATIONS = 12
MOST_ROWS = 200
"""Essays listed in a report; scores.csv has all."""
TWO, SIGNED_THREE, ONE = Number(2), Number(3, signed=True), Number(1)


class ScoreSummary:
    """What scores were given, counted as they come: all that a report needs of a million essays."""

    def __init__(self) -> None:
        self.essays = 0
        self.given: Counter[float] = Counter()
        self.advisories: Counter[str] = Counter()
        self.first: list[EssayScore] = []

    def add(self, scores: Iterable[EssayScore]) -> None:
        """Some more scores."""
        for score in scores:
            self.essays += 1
            self.given.update([score.score] if score.scored else [])
            self.advisories.update(doubt.name for doubt in score.advisories)
            if len(self.first) < MOST_ROWS:
                self.first.append(score)


def essay_scores_report(summary: ScoreSummary, model: ScoringModel, *, name: str, provenance: Provenance) -> Document:
    """The report of one run of scoring."""
    given = summary.given.total()
    left = summary.essays - given
    by_features = model.explains_by == "feature"
    trained, origin = model.training.essays > 0, "trained on" if by_features else "from"
    spread: list[Block] = []
    bars = tuple(Bar(f"{point:g}", summary.given[point]) for point in sorted(summary.given))
    if bars:
        common = max(bars, key=lambda bar: bar.count)
        spread.append(
            Bars(
                name="score_points",
                title="Essays at each score point",
                says=f"Most essays got {common.label}: {common.count:,} of {given:,}.",
                alt="; ".join(f"score {bar.label}: {bar.count:,} essays" for bar in bars),
                bars=bars,
                bar_title="Score",
            )
        )
    if summary.advisories:
        follows = {**CONSEQUENCES, **model.consequences}
        doubts = tuple(
            (t, summary.advisories[n], CONSEQUENCE_WORDS[follows[n].partition(":")[0]])
            for n, t in SCORE_TITLES.items()
            if summary.advisories[n]
        )
        columns = columns_of("Advisory", ("Essays", INTEGER), "Consequence")
        spread.append(Table("advisories", "Flags", columns, doubts))
        spread.append(Paragraph("Let a person read these essays. scores.csv has the raw score of those withheld."))
    return Document(
        title=f"Scores of {name}",
        subtitle=f"{model.kind} model {origin} {counted(model.training.essays, 'essay')}" if trained else "by a judge",
        verdict_lead=f"{counted(given, 'essay')} scored on the scale {model.scale}.",
        verdict_rest=f"{counted(left, 'essay')} got no score; the advisories say why." if left else "",
        sections=(
            Section("Scores", tuple(spread)),
            Section("Essay by essay", tuple(_essay_blocks(summary, by_features=by_features, trained=trained))),
            Section("What the scores rest on", tuple(_model_blocks(model))),
        ),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.created)}. Command: {provenance.command}",
    )


def model_report(model: ScoringModel, *, provenance: Provenance) -> Document:
    """What a model is: agreement, weights, notes."""
    return Document(
        title=f"A {model.kind} model of essay scores",
        subtitle=f"trained on {counted(model.training.essays, 'essay')}, scale {model.scale}",
        sections=(Section("What the scores rest on", tuple(_model_blocks(model))),),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.created)}. Command: {provenance.command}",
    )


def _essay_blocks(summary: ScoreSummary, *, by_features: bool, trained: bool = True) -> Iterator[Block]:
    """A row an essay: what its score rests on by single features, or by families of features."""
    whole = all(point.is_integer() for point in summary.given)  # else some scores are halves
    causes = columns_of(("Percentile", INTEGER), "What moves it most")
    causes = causes if by_features else columns_of("By family of features", "By feature")
    points = (("Score", Number(0 if whole else 1)), ("Raw", TWO))
    columns = columns_of("Essay", *points, "9 in 10 such essays", *causes, "Advisories")
    rows: list[tuple[str | float | None, ...]] = []
    for score in summary.first:
        why: tuple[str | float | None, ...] = (None if by_features else "", "")
        if score.scored and by_features:
            why = (score.percentile if isfinite(score.percentile) else None, reasons(score))
        elif score.scored:
            why = (in_words(by_family(score.shares)), in_words(by_feature(score.shares)))
        interval = f"{score.low:.1f} to {score.high:.1f}" if isfinite(score.low) else ""
        given = (score.score, score.raw) if score.scored else (None, None)
        doubts = ", ".join(SCORE_TITLES.get(doubt.name, doubt.name) for doubt in score.advisories)
        doubts = ". ".join([*([doubts] if doubts else []), *effect_words(score)])
        rows.append((score.essay_id, *given, interval, *why, doubts))
    if not trained:
        said = "Shares are score points above or below the middle of the scale; they add up to the raw score."
    elif by_features:
        said = (
            "Shares are score points above or below an essay whose every feature is average; they add up to the raw "
            "score. Nine in ten training essays like this one had a human score within the interval."
        )
    else:
        said = (
            "Shares are score points above or below the average of all essays; over all features they add up to the "
            "raw score. scores.csv has every share."
        )
    yield Paragraph(said)
    yield Table("scores", "Scores", columns, tuple(rows))
    if by_features and (further := summary.essays - len(summary.first)):
        yield Paragraph(f"{counted(further, 'further essay')}: see scores.csv.", quiet=True)


def _model_blocks(model: ScoringModel) -> Iterator[Block]:
    """What a model is: its basis, the agreement of its equations, the weights of the first, and remarks."""
    if model.basis:
        yield Paragraph(model.basis)
    equations = list(model.equations.items())[:MOST_EQUATIONS]
    if equations:
        agreement = (("QWK", TWO), ("Kappa", TWO), ("Exact agreement (%)", ONE), ("r", TWO))
        columns = columns_of("Equation for", ("Essays", INTEGER), *agreement)
        agreed = [(group or "all essays", equation.essays, equation.agreement) for group, equation in equations]
        lines = tuple((name, essays, a["qwk"], a["kappa"], a["exact"], a["r"]) for name, essays, a in agreed)
        yield Paragraph(
            "Agreement with human scores of training essays, each scored by an equation that had not seen it."
        )
        yield Table("agreement", "Agreement of the model", columns, lines)
        group, equation = equations[0]
        weights = equation.weights
        weighed = (("Share of weights (%)", ONE), ("Standardised", SIGNED_THREE), ("Raw", Number(4, signed=True)))
        columns = columns_of("Feature", *weighed, ("Mean", Number(3)), ("SD", Number(3)))
        titles = [FEATURES[name].title if name in FEATURES else name for name in weights.names]
        figures = (100 * weights.relative, weights.standardised, weights.raw, weights.mean, weights.sd)
        rows = tuple((title, *row) for title, row in zip(titles, np.stack(figures, axis=1).tolist(), strict=True))
        yield Table("weights", f"Weights{f' for {group}' if group else ''}", columns, rows)
    for note in model.training.notes:
        yield Note(f"{note[:1].upper()}{note[1:]}.")
    for remark in model.extra.values():
        yield Paragraph(remark, quiet=True)
