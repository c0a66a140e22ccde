"""Models and features side by side in a comparison of experiments."""

from collections.abc import Sequence

from assay.report.charts.feature_charts import SignedBar, SignedBars
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.phrases import counted
from assay.report.document.values import SIGNED, Number
from assay.report.rsm.experiments import EvaluatedExperiment, one_column, or_nothing, side_by_side
from assay.report.rsm.summary_report import THREE
from assay.rsm.stored import StoredExperiment


def weights_section(experiments: Sequence[EvaluatedExperiment]) -> tuple[Section, ...]:
    """Coefficients side by side with their differences; drawn for two or three experiments."""
    read = one_column("betas", "standardized")
    table = side_by_side(
        "betas_differences",
        "Standardised coefficients",
        experiments,
        read,
        row_title="Feature",
        number=Number(3, signed=True),
    )
    if table is None:
        return ()
    blocks: list[Block] = [table]
    with_weights = [part for part in experiments if read(part.stored)]
    if 2 <= len(with_weights) <= 3:
        blocks.insert(0, weight_bars(with_weights))
    return (Section("Feature weights", tuple(blocks)),)


def weight_bars(experiments: Sequence[EvaluatedExperiment]) -> SignedBars:
    """The weights of two or three models, feature by feature."""
    read = one_column("betas", "standardized")
    by_model = [read(part.stored) for part in experiments]
    features = sorted(
        {f for weights in by_model for f in weights}, key=lambda f: -max(abs(w.get(f, 0.0)) for w in by_model)
    )
    apart = {f: max(w.get(f, 0.0) for w in by_model) - min(w.get(f, 0.0) for w in by_model) for f in features}
    most = max(apart, key=lambda f: apart[f])
    same = apart[most] < 0.005
    says = "The weights are the same." if same else f"The weights differ most for {most}, by {apart[most]:.2f}."
    return SignedBars(
        name="weights",
        title="Standardised coefficients",
        says=says,
        alt=f"Bars of {counted(len(by_model), 'model')} for {counted(len(features), 'feature')}. {says}",
        bars=tuple(SignedBar(f, tuple(w.get(f, float("nan")) for w in by_model)) for f in features[:40]),
        series=tuple(part.name for part in experiments),
        axis_title="Standardised coefficient",
    )


def descriptives_section(experiments: Sequence[EvaluatedExperiment]) -> Section:
    """The features as they came, on the training responses of each experiment."""
    blocks: list[Block] = []
    for column, caption in (
        ("mean", "Mean"),
        ("std. dev.", "Standard deviation"),
        ("skewness", "Skewness"),
        ("kurtosis", "Kurtosis"),
        ("Correlation", "Correlation with the human score"),
    ):
        read = one_column("feature_descriptives", column)
        table = side_by_side(f"features_{column}", caption, experiments, read, row_title="Feature", number=THREE)
        blocks += [table if column in ("mean", "std. dev.") else Disclosure(caption, (table,))] if table else []
    outliers = one_column("feature_outliers", "bothperc")
    table = side_by_side("outliers", "Outliers, % of responses", experiments, outliers, row_title="Feature")
    blocks += [Disclosure("Outliers beyond four standard deviations", (table,))] if table is not None else []
    return Section("Features", tuple(blocks) or (Paragraph("No experiment has features."),))


def by_group_sections(experiments: Sequence[EvaluatedExperiment]) -> tuple[Section, ...]:
    """Correlations of features with score within groups."""
    start = "margcor_score_by_"
    columns = sorted(
        {name.removeprefix(start) for p in experiments for name in p.stored.tables if name.startswith(start)}
    )
    blocks: list[Block] = []
    for column in columns:

        def values(experiment: StoredExperiment, name: str = f"{start}{column}") -> dict[str, float]:
            table = experiment.tables.get(name)
            if table is None:
                return {}
            return {f"{feature}, {row}": table.number(row, feature) for feature in table.columns for row in table.rows}

        table = side_by_side(
            f"margcor_by_{column}", column, experiments, values, row_title="Feature, group", number=SIGNED
        )
        blocks += [Disclosure(f"Correlation of features with score by {column}", (table,))] if table else []
    return (Section("Features and score by group", tuple(blocks)),) if blocks else ()


def components_section(experiments: Sequence[EvaluatedExperiment]) -> Section:
    """Share of variance of each principal component."""

    def values(experiment: StoredExperiment) -> dict[str, float]:
        table = experiment.tables.get("pcavar")
        return {} if table is None else table.row("Percentage of variance")

    number = Number(1, percent=True)
    table = side_by_side("pcavar", "Share of variance", experiments, values, row_title="Component", number=number)
    return Section("Principal components", (or_nothing(table, "No experiment has features."),))
