"""Trust as a report: the verdict, reviews still needed, what to review next, bias, groups and drift."""

from assay.evaluation.result import Evaluation
from assay.evaluation.trust.judgement import Trust
from assay.report.document.document import (
    SIGNED,
    Block,
    Column,
    Disclosure,
    Document,
    IntervalPlot,
    IntervalRow,
    Level,
    LevelPlot,
    Paragraph,
    Section,
    Table,
)
from assay.report.document.metric_words import as_is, target
from assay.report.evaluation.agreement import confusion_map, further_table, short_table
from assay.report.evaluation.distributions import bias_plot
from assay.report.evaluation.facts import shifts
from assay.report.evaluation.groups import dsm_plot
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

MOST_LEVELS = 12


def trust_report(trust: Trust, *, engine: str, source: str, when: str) -> Document:
    """The whole report; `when` is an ISO date."""
    figures = key_figures(trust.evaluation) if trust.evaluation else ()
    lead, rest = verdict_words(trust, figures, RESPONSES)
    reviewed, waiting = len(trust.pairs), len(trust.evidence.names)
    subtitle = f"{reviewed:,} reviewed, {waiting:,} waiting, read from {source or 'a table'}"
    reviews = [precision_words(trust.precision, RESPONSES), selection_words(trust, RESPONSES)]
    following: Block = Paragraph("Every response has a human score.")
    if trust.next:
        rows = tuple((one.name, why_words(one, RESPONSES), BRINGS[one.pick.why]) for one in trust.next)
        columns = (Column("Response"), Column("Why"), Column("What it brings"))
        following = Table("review_next", "Responses to review next, the most telling first", columns, rows)
    titles = {"agreement": "Agreement", "levels": "Bias by score", "groups": "Groups", "drift": "Drift"}
    parts = trust_blocks(trust, trust.evaluation) if trust.evaluation else {}
    if parts:
        parts["drift"] = (Paragraph(drift_words(trust)), *parts["drift"])
    return Document(
        title=f"How far “{engine}” can be trusted",
        subtitle=f"{subtitle}; {when[:10]}" if when else subtitle,
        verdict_lead=lead,
        verdict_rest=rest,
        key_figures=figures,
        sections=(
            Section("Reviews", tuple(Paragraph(text) for text in reviews)),
            Section("Review next", (following,)),
            *(Section(titles.get(name, "All figures"), blocks) for name, blocks in parts.items() if blocks),
        ),
    )


def trust_blocks(trust: Trust, evaluation: Evaluation) -> dict[str, tuple[Block, ...]]:
    """Trust in pictures: agreement, bias by score, groups and drift; and all figures."""
    crossed = evaluation.crossed
    tables: list[Block] = [short_table(evaluation)]
    if evaluation.further:
        tables.append(Disclosure("Further figures of agreement", (further_table(evaluation),)))
    groups = [(g, shifts(evaluation, [g])) for g in evaluation.groupings if len(g.groups) > 1]
    return {
        "agreement": () if crossed is None else (confusion_map(evaluation, crossed),),
        "levels": _level_blocks(trust, evaluation),
        "groups": tuple(dsm_plot(grouping, shifted) for grouping, shifted in groups if shifted),
        "drift": _drift_blocks(trust),
        "tables": (Disclosure("All figures as a table", tuple(tables)),),
    }


def _level_blocks(trust: Trust, evaluation: Evaluation) -> tuple[Block, ...]:
    """Bias by the human score: point by point, or by bands."""
    levels = trust.levels
    if evaluation.levels and len(evaluation.levels) <= MOST_LEVELS:
        return (bias_plot(evaluation),)
    if not levels:
        return ()
    says = f"All human scores lie between {levels[0].label}."
    if len(levels) > 1:
        extremes = min(levels, key=lambda p: p.error.value), max(levels, key=lambda p: p.error.value)
        low, high = (f"{p.error.value:+.1f} where people give {p.label}".replace("-", "\u2212") for p in extremes)
        says = f"System minus human runs from {low} to {high}."
    return (
        LevelPlot(
            name="bias_by_band",
            title="Bias by human score",
            says=says,
            alt=f"Mean of system minus human score in each band of the human score. {says}",
            levels=tuple(Level(part.label, as_is(part.error, SIGNED), part.n) for part in levels),
            axis_title="System minus human, in points",
        ),
    )


def _drift_blocks(trust: Trust) -> tuple[Block, ...]:
    """Error and agreement, one stretch of reviews after the other."""
    if not trust.periods:
        return ()
    says = drift_words(trust)
    error = IntervalPlot(
        name="drift_error",
        title="Drift",
        says=says,
        alt=f"Mean of system minus human score in {len(trust.periods)} stretches of reviews. {says}",
        rows=tuple(IntervalRow(p.label, (as_is(p.error, SIGNED),), p.n) for p in trust.periods),
        row_title="Reviews",
        axis_title="System minus human, in points",
        number=SIGNED,
        zero=True,
    )
    known = [p.qwk.value for p in trust.periods if p.qwk.defined]
    if len(known) < 2:
        return (error,)
    says = f"QWK lies between {min(known):.2f} and {max(known):.2f}; each part is small, so look at the intervals."
    agreement = IntervalPlot(
        name="drift_qwk",
        title="Agreement over time",
        says=says,
        alt=f"QWK in each stretch of reviews, with its interval. {says}",
        rows=tuple(IntervalRow(p.label, (as_is(p.qwk),), p.n) for p in trust.periods),
        row_title="Reviews",
        axis_title="QWK, 1 is perfect agreement",
        band=target("qwk"),
    )
    return (error, agreement)
