"""Differential feature functioning in the report of an experiment."""

from collections.abc import Mapping
from math import isfinite

from assay.metrics.intervals import Estimate
from assay.report.charts.feature_charts import LinePlot, Trace
from assay.report.document.document import (
    Block,
    Disclosure,
    IntervalPlot,
    IntervalRow,
    Paragraph,
    Section,
    Series,
    Subheading,
)
from assay.report.document.phrases import counted, listed
from assay.report.document.values import SIGNED, Band
from assay.rsm.analyses.functioning import Functioning, GroupFunctioning
from assay.rsm.analyses.training import MOST_FEATURES, TrainingAnalyses

MARKED = 0.2
"""A difference of this many standard deviations is small but worth a look. Source: Cohen (1988)."""
MOST_OPEN = 4
MOST_NAMED = 3
MOST_ROWS = 25


def functioning_section(analyses: TrainingAnalyses, least: Mapping[str, int]) -> Section:
    """Whether features mean the same in each group."""
    title = "Differential feature functioning"
    if len(analyses.features) > MOST_FEATURES:
        return Section(title, (Paragraph(f"With more than {MOST_FEATURES} features none is drawn by group."),))
    if not analyses.functioning:
        return Section(title, (Paragraph("No subgroups were named."),))
    opening = (
        "At the same human score a feature should have about the same value in every group. The difference is that of "
        "the group from all other responses at equal human scores, in units of the prepared feature; where it is "
        f"large (beyond ±{MARKED}), the feature may work differently for the group, or measure something else."
    )
    blocks: list[Block] = [Paragraph(opening)]
    several = len(analyses.functioning) > 1
    for column, functioning in analyses.functioning.items():
        blocks += [Subheading(column)] if several else []
        blocks += _column(functioning, least.get(column, 0))
    return Section(title, tuple(blocks))


def _column(functioning: GroupFunctioning, least: int) -> list[Block]:
    parts = [part for part in functioning.parts if part.n >= max(2, least) and isfinite(part.difference)]
    if len({part.group for part in parts}) < 2:
        return [Paragraph(f"{functioning.column}: no two groups have enough responses to be compared.")]
    by_feature = {e.feature: [p for p in parts if p.feature == e.feature] for e in functioning.everyone}
    order = sorted(by_feature, key=lambda name: -max((abs(p.difference) for p in by_feature[name]), default=0))
    charts = [line_chart(functioning, name, by_feature[name]) for name in order if by_feature[name]]
    blocks: list[Block] = [effects_chart(functioning.column, parts), *charts[:MOST_OPEN]]
    if charts[MOST_OPEN:]:
        blocks.append(
            Disclosure(
                f"{counted(len(charts) - MOST_OPEN, 'more feature')} by {functioning.column}", tuple(charts[MOST_OPEN:])
            )
        )
    return blocks


def effects_chart(column: str, parts: list[Functioning]) -> IntervalPlot:
    """The largest differences with their intervals."""
    ranked = sorted(parts, key=lambda part: -abs(part.difference))
    certain = [part for part in ranked if (part.low > MARKED or part.high < -MARKED) and isfinite(part.low)]
    beyond = [part for part in ranked if abs(part.difference) > MARKED]
    if certain:
        names = listed([f"{part.feature} in {part.group}" for part in certain], 3, "difference")
        says = f"Certainly beyond ±{MARKED}: {names}."
    elif beyond:
        says = f"{counted(len(beyond), 'difference')} beyond ±{MARKED}, none of them certainly."
    else:
        says = f"No difference is beyond ±{MARKED}."
    drawn = ranked[:MOST_ROWS]
    more = f" Drawn are the {MOST_ROWS} largest of {len(ranked)}." if len(ranked) > MOST_ROWS else ""
    return IntervalPlot(
        name=f"dff_by_{column}",
        title=f"Features of groups of {column} at equal human scores",
        says=says + more,
        alt=f"{counted(len(drawn), 'difference')} with intervals around zero, the largest first. {says}",
        rows=tuple(
            IntervalRow(f"{p.feature}, {p.group}", (Estimate(p.difference, p.low, p.high),), p.n) for p in drawn
        ),
        series=(Series("Difference", "neutral"),),
        row_title="Feature and group",
        axis_title="Group less others at equal human scores, prepared feature",
        number=SIGNED,
        band=Band(-MARKED, MARKED),
        zero=True,
    )


def line_chart(functioning: GroupFunctioning, feature: str, parts: list[Functioning]) -> LinePlot:
    """The mean of one feature at each human score: everyone, and each group."""
    everyone = next(e for e in functioning.everyone if e.feature == feature)
    scores = [mean.score for mean in everyone.means]
    ranked = sorted(parts, key=lambda part: -abs(part.difference))
    most = ranked[0]
    says = f"At equal human scores {feature} differs most in {most.group}: {most.difference:+.2f}.".replace("-", "−")
    traces = [Trace("Everyone", _points(everyone, scores), bold=True)]
    traces += [Trace(part.group, _points(part, scores), named=place < MOST_NAMED) for place, part in enumerate(ranked)]
    return LinePlot(
        name=f"dff_{feature}_by_{functioning.column}",
        title=f"{feature} by {functioning.column}",
        says=says,
        alt=f"Lines over {counted(len(scores), 'human score')}: everyone and {counted(len(ranked), 'group')}. {says}",
        places=tuple(f"{score:g}" for score in scores),
        traces=tuple(traces[:MOST_ROWS]),
        axis_title=f"Mean of {feature}, prepared; the bold line is everyone with its interval",
    )


def _points(part: Functioning, scores: list[float]) -> tuple[Estimate | None, ...]:
    at = {mean.score: Estimate(mean.mean, mean.low, mean.high) for mean in part.means}
    return tuple(at.get(score) for score in scores)
