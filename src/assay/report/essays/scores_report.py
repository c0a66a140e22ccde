"""Scores of essays as a report: how they spread, what each rests on, what stands against some, what the model is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import isnan

from assay.essays.features.features import FEATURES
from assay.essays.models.erater.equation import Equation
from assay.essays.models.hybrid.model import by_family, by_feature, in_words
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore, ScoringModel
from assay.provenance import Provenance
from assay.report.document.document import Bar, Bars, Block, Column, Document, Note, Number, Paragraph, Section, Table
from assay.report.document.phrases import counted, date_words
from assay.report.essays.words import NAMES

MOST_REASONS = 3
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
    origin = "trained on" if by_features else "from"
    return Document(
        title=f"Scores of {name}",
        subtitle=f"{model.kind} model {origin} {counted(model.training.essays, 'essay')}",
        verdict_lead=f"{counted(given, 'essay')} scored on the scale {model.scale}.",
        verdict_rest=f"{counted(left, 'essay')} got no score; the advisories say why." if left else "",
        sections=(
            Section("Scores", (*_spread(summary), *(_advisories(summary) if by_features else ()))),
            Section("Essay by essay", tuple(_essays(summary) if by_features else _essays_by_family(summary))),
            Section("What the scores rest on", tuple(_model_blocks(model))),
        ),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.made)}. Command: {provenance.command}",
    )


def model_report(model: ScoringModel, *, provenance: Provenance) -> Document:
    """What a model is: agreement, weights, notes."""
    return Document(
        title=f"A {model.kind} model of essay scores",
        subtitle=f"trained on {counted(model.training.essays, 'essay')}, scale {model.scale}",
        sections=(Section("What the scores rest on", tuple(_model_blocks(model))),),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.made)}. Command: {provenance.command}",
    )


def _spread(summary: ScoreSummary) -> Iterator[Block]:
    counts = summary.given
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


def _advisories(summary: ScoreSummary) -> Iterator[Block]:
    counts = summary.advisories
    if counts:
        rows = tuple((title, counts[name]) for name, title in SCORE_TITLES.items() if counts[name])
        yield Table(
            "advisories", "Reasons for doubt", (Column("Advisory"), Column("Essays", "number", Number(0))), rows
        )
        yield Paragraph("An advisory does not change a score. Let a person read these essays.")


def _essays(summary: ScoreSummary) -> Iterator[Block]:
    columns = (
        Column("Essay"),
        Column("Score", "number", point_format(summary)),
        Column("Raw", "number", TWO),
        Column("9 in 10 such essays"),
        Column("Percentile", "number", Number(0)),
        Column("What moves it most"),
        Column("Advisories"),
    )
    rows = tuple(_essay_row(score) for score in summary.first)
    yield Paragraph(
        "Shares are score points above or below an essay whose every feature is average; they add up to the raw score. "
        "Nine in ten training essays like this one had a human score within the interval."
    )
    yield Table("scores", "Scores", columns, rows)
    if further := summary.essays - len(summary.first):
        yield Paragraph(f"{counted(further, 'further essay')}: see scores.csv.", quiet=True)


def _essays_by_family(summary: ScoreSummary) -> Iterator[Block]:
    columns = (
        Column("Essay"),
        Column("Score", "number", point_format(summary)),
        Column("Raw", "number", TWO),
        Column("9 in 10 such essays"),
        Column("By family of features"),
        Column("By feature"),
        Column("Advisories"),
    )
    yield Paragraph(
        "Shares are score points above or below the average of all essays; over all features they add up to the raw "
        "score. scores.csv has every share."
    )
    yield Table("scores", "Scores", columns, tuple(map(_family_row, summary.first)))


def _family_row(score: EssayScore) -> tuple[str, float | None, float | None, str, str, str, str]:
    doubts = ", ".join(SCORE_TITLES.get(doubt.name, doubt.name) for doubt in score.advisories)
    if not score.scored:
        return score.essay_id, None, None, "", "", "", doubts
    interval = f"{score.low:.1f} to {score.high:.1f}"
    families, features = in_words(by_family(score.shares)), in_words(by_feature(score.shares))
    return score.essay_id, score.score, score.raw, interval, families, features, doubts


def point_format(summary: ScoreSummary) -> Number:
    """How score points are written: whole, unless some are halves.

    >>> summary = ScoreSummary()
    >>> summary.given.update([3.0, 4.0])
    >>> point_format(summary).decimals
    0
    >>> summary.given.update([3.5])
    >>> point_format(summary).decimals
    1
    """
    return Number(0 if all(point.is_integer() for point in summary.given) else 1)


def _essay_row(score: EssayScore) -> tuple[str, float | None, float | None, str, float | None, str, str]:
    doubts = ", ".join(SCORE_TITLES[doubt.name] for doubt in score.advisories)
    if not score.scored:
        return score.essay_id, None, None, "", None, "", doubts
    interval = f"{score.low:.1f} to {score.high:.1f}"
    return score.essay_id, score.score, score.raw, interval, score.percentile, reasons(score), doubts


def score_words(score: EssayScore) -> str:
    """A score in one sentence or two: what it is, how sure, and what moves it most."""
    if not score.scored:
        return "No score: " + "; ".join(SCORE_TITLES[doubt.name].lower() for doubt in score.advisories) + "."
    sure = f"people gave nine in ten such essays {score.low:.1f} to {score.high:.1f}"
    return f"Score {score.score:g} (raw {score.raw:.2f}; {sure}). What moves it most: {reasons(score)}."


def reasons(score: EssayScore, most: int = MOST_REASONS) -> str:
    """The features that move a score most, with what each adds.

    >>> from math import nan
    >>> reasons(EssayScore("1", "", 4.0, 4.0, 3, 5, 60, {}, {"length": 0.42, "element_length": -0.1}, 3.68, ()))
    'length +0.42, length of each part −0.10'
    """
    ranked = sorted(
        ((name, share) for name, share in score.shares.items() if not isnan(share)), key=lambda s: -abs(s[1])
    )
    return ", ".join(
        f"{_said(name)} {share:+.2f}".replace("-", "\u2212") for name, share in ranked[:most] if abs(share) >= 0.005
    )


def _said(name: str) -> str:
    return NAMES[name].lower() if name in NAMES else name.replace("_", " ")


def _model_blocks(model: ScoringModel) -> Iterator[Block]:
    if model.basis:
        yield Paragraph(model.basis)
    if model.equations:
        yield from _equation_blocks(model)
    for note in model.training.notes:
        yield Note(f"{note[:1].upper()}{note[1:]}.")
    for remark in model.extra.values():
        yield Paragraph(remark, quiet=True)


def _equation_blocks(model: ScoringModel) -> Iterator[Block]:
    equations = list(model.equations.items())[:MOST_EQUATIONS]
    columns = (
        Column("Equation for"),
        Column("Essays", "number", Number(0)),
        Column("QWK", "number", TWO),
        Column("Kappa", "number", TWO),
        Column("Exact agreement (%)", "number", ONE),
        Column("r", "number", TWO),
    )
    rows = tuple((group or "all essays", eq.essays, *_figures(eq)) for group, eq in equations)
    yield Paragraph("Agreement with human scores of training essays, each scored by an equation that had not seen it.")
    yield Table("agreement", "Agreement of the model", columns, rows)
    for group, equation in equations[:1]:
        yield weights_table(equation, group)


def _figures(equation: Equation) -> tuple[float, float, float, float]:
    figures = equation.agreement
    return figures["qwk"], figures["kappa"], figures["exact"], figures["r"]


def weights_table(equation: Equation, group: str = "") -> Table:
    """The weights of an equation: percentages, standardised, raw."""
    weights = equation.weights
    columns = (
        Column("Feature"),
        Column("Share of weights (%)", "number", ONE),
        Column("Standardised", "number", SIGNED_THREE),
        Column("Raw", "number", Number(4, signed=True)),
        Column("Mean", "number", Number(3)),
        Column("SD", "number", Number(3)),
    )
    rows = tuple(
        (FEATURES[name].title if name in FEATURES else name, 100 * share, z, raw, mean, sd)
        for name, share, z, raw, mean, sd in zip(
            weights.names,
            weights.relative.tolist(),
            weights.standardised.tolist(),
            weights.raw.tolist(),
            weights.mean.tolist(),
            weights.sd.tolist(),
            strict=True,
        )
    )
    return Table("weights", f"Weights{f' for {group}' if group else ''}", columns, rows)
