"""Prepared features in the report of an experiment: what was done to each, how they go together, and components."""

from math import isfinite

from assay.metrics.intervals import Estimate
from assay.report.charts.feature_charts import LinePlot, SignedBar, SignedBars, Trace, ValueMap
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.values import PERCENT, SIGNED, Column, Row, Table, columns_of
from assay.report.document.wording import counted, number_word, sentence
from assay.report.rsm.features import in_own_units
from assay.rsm.analyses import GroupedCorrelations, TrainingAnalyses
from assay.rsm.experiment import Experiment

MOST_MAPPED = 30
"""Correlations among more features are left to the file."""
CLOSE = 0.8
"""Features that correlate more closely than this say much the same."""
TRANSFORMS = {
    "raw": "as it is",
    "org": "as it is",
    "inv": "1 / x",
    "sqrt": "√x",
    "log": "ln x",
    "addOneInv": "1 / (x + 1)",
    "addOneLn": "ln(x + 1)",
}
MOST_DRAWN = 40
MOST_LOADINGS = 12


def prepared_section(experiment: Experiment, analyses: TrainingAnalyses) -> Section:
    """What was done to each feature, and how the prepared features go with each other, with score and with length."""
    plan = experiment.plan
    steps = ["truncated at four standard deviations" if plan.truncate_outliers else "not truncated"]
    steps += ["transformed", "standardised" if plan.standardize_features else "not standardised"]
    heads = [(title, "number") for title in ("Mean", "SD", "Mean, transformed", "SD, transformed")]
    columns = columns_of("Feature", "Transformation", "Sign", *heads)
    rows = tuple(
        (
            p.feature,
            TRANSFORMS.get(p.transform, p.transform),
            "turned round" if p.sign < 0 else "kept",
            *in_own_units([p.train_mean, p.train_sd]),
            *in_own_units([p.train_transformed_mean, p.train_transformed_sd]),
        )
        for p in experiment.parameters
    )
    blocks: list[Block] = [
        Paragraph(
            f"Before training features are {', '.join(steps)}; what was learned here is used on any other response."
        ),
        Table("feature_parameters", "How each feature is prepared", columns, rows),
        *_mapped(analyses),
        correlation_bars(analyses.with_score, analyses.features, "human score", "score"),
    ]
    if analyses.with_length_alone is not None:
        blocks.append(correlation_bars(analyses.with_length_alone, analyses.features, "length", "length"))
    everyone = analyses.with_score.everyone
    for column, groups in analyses.with_score.groups.items():
        titles, figures = ("All data", *groups), (everyone, *groups.values())
        correlations: tuple[Row, ...] = tuple(
            (name, *(float(part.marginal[i]) for part in figures)) for i, name in enumerate(analyses.features)
        )
        by_group = (Column("Feature"), *(Column(title, "number", SIGNED) for title in titles))
        caption = f"Correlation with the human score by {column}"
        table = Table(f"margcor_score_by_{column}", caption, by_group, correlations)
        blocks.append(Disclosure(f"Correlations with score by {column}, {counted(len(groups), 'group')}", (table,)))
    return Section("Prepared features", tuple(blocks))


def _mapped(analyses: TrainingAnalyses) -> list[Block]:
    names = (*analyses.features, "human score", *(["length"] if analyses.with_length else []))
    if len(names) > MOST_MAPPED:
        return [Paragraph(f"Correlations among {len(names)} columns are in the file cors_processed.", quiet=True)]
    values = tuple(tuple(float(v) for v in row) for row in analyses.processed)
    pairs = [
        (abs(values[i][j]), names[i], names[j], values[i][j])
        for i in range(len(analyses.features))
        for j in range(i)
        if isfinite(values[i][j])
    ]
    close = [pair for pair in pairs if pair[0] >= CLOSE]
    says = f"No two features correlate by {CLOSE} or more." if pairs else "There is one feature."
    if close:
        _, one, other, r = max(close)
        says = sentence(
            f"{number_word(len(close))} {'pair' if len(close) == 1 else 'pairs'} of features "
            f"{'correlates' if len(close) == 1 else 'correlate'} by {CLOSE} or more; the closest are {other} and {one} "
            f"(r = {r:.2f})"
        )
    return [
        ValueMap(
            name="cors_processed",
            title="Correlations of prepared features",
            says=says,
            alt=f"A grid of {len(names)} by {len(names)} correlations. {says}",
            rows=names,
            columns=names,
            values=values,
            row_title="Feature or score",
            column_title="Feature or score",
            most=1.0,
        )
    ]


def correlation_bars(correlations: GroupedCorrelations, names: tuple[str, ...], target: str, word: str) -> SignedBars:
    """Marginal and partial correlations of each feature with the human score or with length."""
    parts = [("Marginal", correlations.everyone.marginal), ("Others held constant", correlations.everyone.partial)]
    if correlations.everyone.without_length is not None:
        parts.append(("Length held constant", correlations.everyone.without_length))
    marginal, partial = (part for _, part in parts[:2])
    turned = [n for n, m, p in zip(names, marginal, partial, strict=True) if m * p < 0 and abs(m) > 0.05 < abs(p)]
    says = "No feature changes its direction much when the others are held constant."
    if turned:
        says = f"The sign turns round for {', '.join(turned[:4])} once the others are held constant."
    order = sorted(range(len(names)), key=lambda i: -abs(marginal[i]) if isfinite(marginal[i]) else 1)
    return SignedBars(
        name=f"correlations_{word}",
        title=f"Prepared features and {target}",
        says=says,
        alt=f"{counted(len(names), 'feature')}: correlation with {target}, alone and others held constant. {says}",
        bars=tuple(SignedBar(names[i], tuple(float(part[i]) for _, part in parts)) for i in order[:MOST_DRAWN]),
        series=tuple(title for title, _ in parts),
        axis_title=f"Correlation with {target}",
    )


def components_section(analyses: TrainingAnalyses) -> Section:
    """Principal components of the prepared features."""
    components = analyses.components
    values, shares = components.eigenvalues, components.share
    above = int((values > 1).sum())
    whole = float(shares[:above].sum()) if above else 0.0
    says = sentence(
        f"{number_word(above)} of {number_word(len(values))} components have a variance above 1 and hold "
        f"{100 * whole:.0f} % of all variance"
    )
    labels = tuple(f"PC{i}" for i in range(1, len(values) + 1))
    scree = LinePlot(
        name="scree",
        title="Variance of each component",
        says=says,
        alt=f"A falling line through {counted(len(values), 'component')}. {says}",
        places=labels,
        traces=(Trace("Variance", tuple(Estimate(float(v)) for v in values), bold=True),),
        place_title="Component",
        axis_title="Variance (eigenvalue); dotted: 1, what a standardised feature has by itself",
        limit=1.0,
    )
    columns = columns_of("Component", ("Variance", "number"), ("Share", PERCENT), ("So far", PERCENT))
    rows = tuple(
        (label, float(values[i]), float(shares[i]), float(shares[: i + 1].sum())) for i, label in enumerate(labels)
    )
    most = labels[:MOST_LOADINGS]
    loadings: tuple[Row, ...] = tuple(
        (name, *map(float, components.loadings[i, : len(most)])) for i, name in enumerate(analyses.features)
    )
    made_of = (Column("Feature"), *(Column(label, "number", SIGNED) for label in most))
    table = Table("pca", "Loadings; the sign of a component is arbitrary", made_of, loadings)
    blocks = (
        Paragraph("Directions in which the prepared features vary, the largest first."),
        scree,
        Disclosure("Variance of each component as a table", (Table("pcavar", "Variance", columns, rows),)),
        Disclosure("Loadings", (table,)),
    )
    return Section("Principal components", blocks)
