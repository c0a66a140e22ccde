"""Trust in pictures: agreement, bias by score, groups, drift."""

from assay.evaluation.result import Evaluation
from assay.evaluation.trust.judgement import Trust, TrustPart
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow, Level, LevelPlot
from assay.report.document.document import Block, Disclosure
from assay.report.document.metric_words import as_is, target
from assay.report.document.values import SIGNED
from assay.report.evaluation.agreement import further_table, short_table
from assay.report.evaluation.confusion import confusion_map
from assay.report.evaluation.distributions import bias_plot
from assay.report.evaluation.facts import shifts
from assay.report.evaluation.groups import dsm_plot
from assay.report.evaluation.trust_words import drift_words

MOST_LEVELS = 12


def agreement_blocks(evaluation: Evaluation) -> tuple[Block, ...]:
    """Human by system score, where there are points."""
    crossed = evaluation.crossed
    return (confusion_map(evaluation, crossed),) if crossed is not None else ()


def level_blocks(trust: Trust, evaluation: Evaluation) -> tuple[Block, ...]:
    """Bias by the human score: point by point, or by bands."""
    if evaluation.levels and len(evaluation.levels) <= MOST_LEVELS:
        return (bias_plot(evaluation),)
    if not trust.levels:
        return ()
    says = _level_words(trust.levels)
    return (
        LevelPlot(
            name="bias_by_band",
            title="Bias by human score",
            says=says,
            alt=f"Mean of system minus human score in each band of the human score. {says}",
            levels=tuple(Level(part.label, as_is(part.error, SIGNED), part.n) for part in trust.levels),
            axis_title="System minus human, in points",
        ),
    )


def _level_words(levels: tuple[TrustPart, ...]) -> str:
    if len(levels) == 1:
        return f"All human scores lie between {levels[0].label}."
    extremes = min(levels, key=lambda p: p.error.value), max(levels, key=lambda p: p.error.value)
    low, high = (f"{p.error.value:+.1f} where people give {p.label}".replace("-", "\u2212") for p in extremes)
    return f"System minus human runs from {low} to {high}."


def group_blocks(evaluation: Evaluation) -> tuple[Block, ...]:
    """How far each group is shifted against everyone."""
    return tuple(
        dsm_plot(grouping, found)
        for grouping in evaluation.groupings
        if len(grouping.groups) > 1 and (found := shifts(evaluation, [grouping]))
    )


def drift_blocks(trust: Trust) -> tuple[Block, ...]:
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
    return (error, *_agreement_over_time(trust))


def _agreement_over_time(trust: Trust) -> tuple[Block, ...]:
    known: list[Estimate] = [p.qwk for p in trust.periods if p.qwk.defined]
    if len(known) < 2:
        return ()
    low, high = min(e.value for e in known), max(e.value for e in known)
    says = f"QWK lies between {low:.2f} and {high:.2f}; each part is small, so look at the intervals."
    return (
        IntervalPlot(
            name="drift_qwk",
            title="Agreement over time",
            says=says,
            alt=f"QWK in each stretch of reviews, with its interval. {says}",
            rows=tuple(IntervalRow(p.label, (as_is(p.qwk),), p.n) for p in trust.periods),
            row_title="Reviews",
            axis_title="QWK, 1 is perfect agreement",
            band=target("qwk"),
        ),
    )


def table_blocks(evaluation: Evaluation) -> tuple[Block, ...]:
    """Every figure."""
    further = (Disclosure("Further figures of agreement", (further_table(evaluation),)),) if evaluation.further else ()
    return (Disclosure("All figures as a table", (short_table(evaluation), *further)),)
