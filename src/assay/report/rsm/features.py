"""The features of an experiment in its report: how they lie, how by group, and whether they mean the same in each."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.charts.feature_charts import BoxRow, BoxRows, LinePlot, SignedBar, SignedBars, Trace
from assay.report.document.document import Block, Disclosure, Paragraph, Section, Subheading
from assay.report.document.values import (
    INTEGER,
    PERCENT,
    PLAIN,
    SIGNED,
    Band,
    Column,
    FormattedEstimate,
    Number,
    Row,
    Table,
)
from assay.report.document.wording import counted, listed, number_text, p_words, shortened
from assay.rsm.analyses import MOST_FEATURES, TrainingAnalyses
from assay.rsm.descriptives import PERCENTILES, FeatureBoxes
from assay.rsm.functioning import Functioning, GroupFunctioning

MOST_OPEN = 4
"""So many features are drawn in the open; the others wait behind a disclosure."""
MOST_BOXES = 25


def number_for(values: Sequence[float]) -> Number:
    """Decimals enough to tell values of this size apart."""
    size = max((abs(value) for value in values if isfinite(value)), default=1.0)
    return Number(4 if size < 0.05 else 3 if size < 1 else 2 if size < 1000 else 0)


def in_own_units(values: Sequence[float]) -> list[Estimate]:
    """Figures of one feature with decimals enough for the smallest of them that is not 0, four at most."""
    known = [abs(float(value)) for value in values if isfinite(value) and value]
    number = number_for([max(known, default=1.0)])
    if known and min(known) < 10**-number.decimals:
        number = Number(4 if min(known) < 0.01 else 3)
    return [FormattedEstimate(float(value), number=number) for value in values]


def features_section(analyses: TrainingAnalyses) -> Section:
    """The features as they came, on training responses."""
    features, d, out, percentiles = analyses.features, analyses.descriptives, analyses.outliers, analyses.percentiles
    both = out.lower + out.upper
    worst = [features[int(i)] for i in (-both).argsort(kind="stable") if both[int(i)] > 0]
    far = "No feature has values further than four standard deviations from its mean."
    if worst:
        far = f"Values further than four standard deviations from the mean occur in {listed(worst, 4, 'feature')}."
    opening = (
        f"{counted(len(features), 'feature')} of {counted(int(d.n.max()), 'training response')}, as they came. {far}"
    )
    descriptives = _table(
        "feature_descriptives",
        "Features as they came, on training responses",
        [
            *(Column(t, "number") for t in ("Mean", "SD", "Lowest", "Highest")),
            Column("Skewness", "number", SIGNED),
            Column("Kurtosis", "number"),
            Column("r with score", "number", SIGNED),
            Column("p"),
        ],
        features,
        lambda i: (
            *in_own_units([d.mean[i], d.sd[i], d.low[i], d.high[i]]),
            *map(float, (d.skewness[i], d.kurtosis[i], d.r[i])),
            p_words(float(d.p[i])),
        ),
    )
    by_quartiles = _table(
        "feature_percentiles",
        "Percentiles; mild outliers lie 1.5 to 3 IQR beyond a quartile",
        [
            *(Column(title, "number") for title in (*(f"{at} %" for at in PERCENTILES), "IQR")),
            *(Column(f"{kind} outliers", "number", INTEGER) for kind in ("Mild", "Extreme")),
        ],
        features,
        lambda i: (
            *in_own_units([*percentiles.values[i], percentiles.iqr[i]]),
            int(percentiles.mild[i]),
            int(percentiles.extreme[i]),
        ),
    )
    by_sd = _table(
        "feature_outliers",
        "Values more than four standard deviations from the mean",
        [
            *(Column(t, "number", INTEGER) for t in ("Below", "Above", "Both")),
            Column("Share of responses", "number", PERCENT),
        ],
        features,
        lambda i: (int(out.lower[i]), int(out.upper[i]), int(both[i]), float(both[i] / out.n[i])),
    )
    hidden = (
        Disclosure("Percentiles, and outliers by quartiles", (by_quartiles,)),
        Disclosure("Outliers by standard deviations", (by_sd,)),
    )
    return Section("Features", (Paragraph(opening), descriptives, with_score_bars(analyses), *hidden))


def _table(
    name: str, caption: str, columns: list[Column], features: Sequence[str], cells: Callable[[int], Row]
) -> Table:
    """A row per feature."""
    rows = tuple((feature, *cells(i)) for i, feature in enumerate(features))
    return Table(name, caption, (Column("Feature"), *columns), rows)


def features_by_group_section(analyses: TrainingAnalyses, least: Mapping[str, int]) -> Section:
    """Box plots of each feature by the groups of each column."""
    opening = (
        "Features as they came, on training responses. Dotted lines: four standard deviations from the mean of all "
        "responses; values beyond are truncated before training."
    )
    blocks: list[Block] = []
    for column, boxes in analyses.boxes.items():
        blocks += _folded([box_chart(part, least.get(column, 0)) for part in boxes], column)
    return _by_group("Features by group", opening, analyses, blocks)


def functioning_section(analyses: TrainingAnalyses, least: Mapping[str, int]) -> Section:
    """Whether features mean the same in each group."""
    opening = (
        "At the same human score a feature should have about the same value in every group. The difference is that of "
        "the group from all other responses at equal human scores, in units of the prepared feature; where it is "
        f"large (beyond ±{MARKED}), the feature may work differently for the group, or measure something else."
    )
    blocks: list[Block] = []
    for column, functioning in analyses.functioning.items():
        blocks += [Subheading(column)] if len(analyses.functioning) > 1 else []
        enough = max(2, least.get(column, 0))
        parts = [part for part in functioning.parts if part.n >= enough and isfinite(part.difference)]
        if len({part.group for part in parts}) < 2:
            blocks.append(Paragraph(f"{column}: no two groups have enough responses to be compared."))
            continue
        by_feature = {e.feature: [p for p in parts if p.feature == e.feature] for e in functioning.everyone}
        order = sorted(by_feature, key=lambda name: -max((abs(p.difference) for p in by_feature[name]), default=0))
        charts = [line_chart(functioning, name, by_feature[name]) for name in order if by_feature[name]]
        blocks += [effects_chart(column, parts), *_folded(charts, column)]
    return _by_group("Differential feature functioning", opening, analyses, blocks)


def _by_group(title: str, opening: str, analyses: TrainingAnalyses, blocks: Sequence[Block]) -> Section:
    if len(analyses.features) > MOST_FEATURES:
        return Section(title, (Paragraph(f"With more than {MOST_FEATURES} features none is drawn by group."),))
    return Section(title, (Paragraph(opening), *blocks) if blocks else (Paragraph("No subgroups were named."),))


def _folded(charts: Sequence[BoxRows | LinePlot], column: str) -> list[Block]:
    """The first charts in the open, the others behind a disclosure."""
    title = f"{counted(len(charts) - MOST_OPEN, 'more feature')} by {column}"
    rest = [Disclosure(title, tuple(charts[MOST_OPEN:]))] if charts[MOST_OPEN:] else []
    return [*charts[:MOST_OPEN], *rest]


def with_score_bars(analyses: TrainingAnalyses) -> SignedBars:
    """How each feature goes with the human score."""
    r = analyses.descriptives.r
    order = sorted(range(len(r)), key=lambda i: -abs(r[i]) if isfinite(r[i]) else 1)
    best = analyses.features[order[0]]
    says = f"{best} goes most closely with the human score, at r = {r[order[0]]:.2f}."
    return SignedBars(
        name="feature_score_correlations",
        title="Correlation of each feature with the human score",
        says=says,
        alt=f"Bars for {counted(len(order), 'feature')}, the largest correlation first. {says}",
        bars=tuple(SignedBar(analyses.features[i], (float(r[i]),)) for i in order[:MOST_BOXES]),
        series=("r",),
        axis_title="Pearson r, before features are prepared",
    )


def box_chart(boxes: FeatureBoxes, least: int) -> BoxRows:
    """One feature by the groups of one column; groups with fewer responses than `least` are left out."""
    everyone, *groups = boxes.boxes
    shown = [everyone, *[box for box in groups if box.n >= max(1, least)][:MOST_BOXES]]
    high = max(shown[1:], key=lambda box: box.median, default=everyone)
    low = min(shown[1:], key=lambda box: box.median, default=everyone)
    number = number_for([v for box in shown for v in (box.low, box.high)])
    says = (
        f"Medians run from {number_text(low.median, number)} ({shortened(low.group)}) "
        f"to {number_text(high.median, number)} ({shortened(high.group)})."
        if len(shown) > 2
        else "There is one group."
    )
    limits = tuple(v for v in (boxes.truncated_below, boxes.truncated_above) if isfinite(v))
    return BoxRows(
        name=f"box_{boxes.feature}_by_{boxes.column}",
        title=f"{boxes.feature} by {boxes.column}",
        says=says,
        alt=f"Box plots of {boxes.feature} for {counted(len(shown) - 1, 'group')} and all responses. {says}",
        rows=tuple(BoxRow(b.group, b.n, b.low, b.first, b.median, b.third, b.high, b.outliers) for b in shown),
        row_title=boxes.column,
        axis_title=f"{boxes.feature}, as it came",
        limits=limits,
        number=number if number.decimals > 2 else PLAIN,
    )


MARKED = 0.2
"""A difference of this many standard deviations is small but worth a look. Source: Cohen (1988)."""
MOST_NAMED = 3
MOST_ROWS = 25


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
        axis_title="Group minus others at equal human scores, prepared feature",
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
    traces = []
    for place, part in enumerate([everyone, *ranked]):
        at = {mean.score: Estimate(mean.mean, mean.low, mean.high) for mean in part.means}
        points = tuple(at.get(score) for score in scores)
        trace = Trace(part.group, points, named=place <= MOST_NAMED) if place else Trace("Everyone", points, bold=True)
        traces.append(trace)
    return LinePlot(
        name=f"dff_{feature}_by_{functioning.column}",
        title=f"{feature} by {functioning.column}",
        says=says,
        alt=f"Lines over {counted(len(scores), 'human score')}: everyone and {counted(len(ranked), 'group')}. {says}",
        places=tuple(f"{score:g}" for score in scores),
        traces=tuple(traces[:MOST_ROWS]),
        axis_title=f"Mean of {feature}, prepared; the bold line is everyone with its interval",
    )
