"""The features of an experiment in its report: how they lie, and how by group."""

from collections.abc import Mapping, Sequence
from math import isfinite

from assay.metrics.intervals import Estimate
from assay.report.charts.feature_charts import BoxRow, BoxRows, SignedBar, SignedBars
from assay.report.document.document import INTEGER, PLAIN, Block, Column, Disclosure, Paragraph, Row, Section, Table
from assay.report.document.phrases import counted, listed, p_words, shortened
from assay.report.document.values import PERCENT, SIGNED, FormattedEstimate, Number
from assay.report.document.wording import number_text
from assay.rsm.analyses.descriptives import PERCENTILES, FeatureBoxes
from assay.rsm.analyses.training import MOST_FEATURES, TrainingAnalyses

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
    d, out = analyses.descriptives, analyses.outliers
    both = out.lower + out.upper
    worst = [analyses.features[int(i)] for i in (-both).argsort(kind="stable") if both[int(i)] > 0]
    far = (
        f"Values further than four standard deviations from the mean occur in {listed(worst, 4, 'feature')}."
        if worst
        else "No feature has values further than four standard deviations from its mean."
    )
    responses = counted(int(d.n.max()), "training response")
    opening = f"{counted(len(analyses.features), 'feature')} of {responses}, as they came. {far}"
    tables = (descriptives_table(analyses), percentiles_table(analyses), outliers_table(analyses))
    first, *rest = tables
    names = ("Percentiles, and outliers by quartiles", "Outliers by standard deviations")
    shown: list[Block] = [Paragraph(opening), first, with_score_bars(analyses)]
    return Section("Features", (*shown, *(Disclosure(n, (t,)) for n, t in zip(names, rest, strict=True))))


def descriptives_table(analyses: TrainingAnalyses) -> Table:
    """Mean, spread and shape of each feature."""
    d = analyses.descriptives
    columns = (
        Column("Feature"),
        *(Column(t, "number") for t in ("Mean", "SD", "Lowest", "Highest")),
        Column("Skewness", "number", SIGNED),
        Column("Kurtosis", "number"),
        Column("r with score", "number", SIGNED),
        Column("p"),
    )
    rows: tuple[Row, ...] = tuple(
        (
            name,
            *in_own_units([d.mean[i], d.sd[i], d.low[i], d.high[i]]),
            *map(float, (d.skewness[i], d.kurtosis[i], d.r[i])),
            p_words(float(d.p[i])),
        )
        for i, name in enumerate(analyses.features)
    )
    return Table("feature_descriptives", "Features as they came, on training responses", columns, rows)


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


def percentiles_table(analyses: TrainingAnalyses) -> Table:
    """Percentiles, interquartile range and outliers beyond it."""
    percentiles = analyses.percentiles
    columns = (
        Column("Feature"),
        *(Column(f"{at} %", "number") for at in PERCENTILES),
        Column("IQR", "number"),
        Column("Mild outliers", "number", INTEGER),
        Column("Extreme outliers", "number", INTEGER),
    )
    rows: tuple[Row, ...] = tuple(
        (
            name,
            *in_own_units([*percentiles.values[i], percentiles.iqr[i]]),
            int(percentiles.mild[i]),
            int(percentiles.extreme[i]),
        )
        for i, name in enumerate(analyses.features)
    )
    return Table("feature_percentiles", "Percentiles; mild outliers lie 1.5 to 3 IQR beyond a quartile", columns, rows)


def outliers_table(analyses: TrainingAnalyses) -> Table:
    """Values more than four standard deviations from the mean."""
    outliers = analyses.outliers
    columns = (
        Column("Feature"),
        *(Column(t, "number", INTEGER) for t in ("Below", "Above", "Both")),
        Column("Share of responses", "number", PERCENT),
    )
    rows = tuple(
        (name, int(low), int(high), int(low + high), float((low + high) / n))
        for name, low, high, n in zip(analyses.features, outliers.lower, outliers.upper, outliers.n, strict=True)
    )
    return Table("feature_outliers", "Values more than four standard deviations from the mean", columns, rows)


def features_by_group_section(analyses: TrainingAnalyses, least: Mapping[str, int]) -> Section:
    """Box plots of each feature by the groups of each column."""
    if len(analyses.features) > MOST_FEATURES:
        return Section(
            "Features by group", (Paragraph(f"With more than {MOST_FEATURES} features none is drawn by group."),)
        )
    if not analyses.boxes:
        return Section("Features by group", (Paragraph("No subgroups were named."),))
    opening = (
        "Features as they came, on training responses. Dotted lines: four standard deviations from the mean of all "
        "responses; values beyond are truncated before training."
    )
    blocks: list[Block] = [Paragraph(opening)]
    for column, boxes in analyses.boxes.items():
        charts = tuple(box_chart(part, least.get(column, 0)) for part in boxes)
        blocks += charts[:MOST_OPEN]
        if charts[MOST_OPEN:]:
            blocks.append(
                Disclosure(f"{counted(len(charts) - MOST_OPEN, 'more feature')} by {column}", charts[MOST_OPEN:])
            )
    return Section("Features by group", tuple(blocks))


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
