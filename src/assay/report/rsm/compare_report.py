"""Two or more experiments -> `Document`: the report of `assay rsm compare`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from assay.evaluation.compare import Comparison
from assay.provenance import Provenance
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.charts.feature_charts import SignedBar, SignedBars
from assay.report.document.document import Block, Disclosure, Document, Note, Paragraph, Section
from assay.report.document.metric_words import shown, target
from assay.report.document.values import SIGNED, Number
from assay.report.document.wording import counted, date_words, listed
from assay.report.evaluation import comparison_report as engines
from assay.report.evaluation.agreement import confusion_map
from assay.report.evaluation.facts import group_name
from assay.report.evaluation.reading import FOOTER, NO_SECTIONS, chosen_sections
from assay.report.rsm import experiments as common
from assay.report.rsm import summary_report as shared_sections
from assay.report.rsm.summary_report import STANDARDIZED
from assay.rsm.stored import StoredExperiment

MOST_GROUPS = 25
THREE = Number(3)
DESCRIPTIVES = {
    "mean": "Mean",
    "std. dev.": "Standard deviation",
    "skewness": "Skewness",
    "kurtosis": "Kurtosis",
    "Correlation": "Correlation with the human score",
}


def rsm_comparison_report(
    experiments: Sequence[common.EvaluatedExperiment],
    comparison: Comparison | None,
    shared: int,
    *,
    title: str,
    provenance: Provenance,
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
    own: Mapping[str, Section] = NO_SECTIONS,
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names. `shared` counts responses all have scored."""
    differences = () if comparison is None else (engines.differences_section(comparison),)
    notes = () if comparison is None else (engines.reading_section(comparison, provenance),)
    makers: Mapping[str, Callable[[], tuple[Section, ...]]] = {
        "evaluation": lambda: (evaluation_section(experiments, comparison, shared), *differences),
        "score_distributions": lambda: (distributions_section(experiments),),
        "consistency": lambda: (consistency_section(experiments),),
        "true_score_evaluation": lambda: (shared_sections.true_scores_section(experiments, differences=True),),
        "model": lambda: (shared_sections.models_section(experiments, differences=True), *weights_section(experiments)),
        "feature_descriptives": lambda: (descriptives_section(experiments),),
        "preprocessed_features": lambda: (shared_sections.features_section(experiments, differences=True),),
        "preprocessed_features_by_group": lambda: by_group_sections(experiments),
        "pca": lambda: (components_section(experiments),),
        "notes": lambda: notes,
        "sysinfo": lambda: (shared_sections.made_section(provenance),),
    }
    complete = all(part.evaluation for part in experiments)
    responses = "no response in common" if complete else "scores not known of all"
    responses = f"{counted(shared, 'response')} in common" if shared else responses
    return Document(
        title=title,
        subtitle=f"{counted(len(experiments), 'experiment')}, {responses}. {date_words(provenance.created)}.",
        verdict_lead=_lead(comparison),
        verdict_rest=engines.verdict_rest(comparison) if comparison else "At least one experiment holds no scores.",
        key_figures=shared_sections.key_figures(experiments),
        sections=(common.experiments_section(experiments), *chosen_sections(makers, sections, order, own)),
        footer=FOOTER.format(provenance.version),
    )


def _lead(comparison: Comparison | None) -> str:
    if comparison is None:
        return "The scores cannot be compared."
    qwk = [difference.estimate.value for difference in comparison.differences if difference.metric == "qwk"]
    if comparison.paired and all(value == 0 for value in qwk):
        return "The experiments agree with the human scores equally well."
    return engines.verdict_lead(comparison, "experiment")


def evaluation_section(
    experiments: Sequence[common.EvaluatedExperiment], comparison: Comparison | None, shared: int
) -> Section:
    """Agreement with human scores, overall and by group."""
    blocks: list[Block] = []
    sizes = {part.name: part.evaluation.n for part in experiments if part.evaluation is not None}
    if comparison is not None and shared and any(n != shared for n in sizes.values()):
        counts = listed([f"{n:,} ({name})" for name, n in sizes.items()], 6, "experiment")
        words = (
            f"The experiments evaluate {counts} responses. Differences are of the {shared:,} they have in common; "
            "the figures of each experiment are of all its own."
        )
        blocks.append(Note(words, "caution"))
    if len(experiments) > common.MOST_KEY_FIGURES:
        blocks.append(common.qwk_plot(experiments))
    if comparison is not None:
        table = engines.engines_table(comparison, comparison.engines)
        blocks.append(replace(table, name="experiments_figures", caption="Every figure of every experiment"))
    else:
        blocks.append(common.figures_table(experiments))
    # subgroup columns that all evaluated experiments have
    columns = [[g.column for g in part.evaluation.groupings] for part in experiments if part.evaluation is not None]
    for column in columns[0] if columns else []:
        if all(column in other for other in columns):
            blocks += [group_plot(experiments, column, "dsm"), group_plot(experiments, column, "qwk")]
    return Section("Evaluation", tuple(blocks))


def group_plot(experiments: Sequence[common.EvaluatedExperiment], column: str, metric: str) -> IntervalPlot:
    """A figure of each group in each experiment, the experiments of a group below each other."""
    rows: list[IntervalRow] = []
    worst: tuple[float, str] = (-1.0, "")
    groups = {}
    for part in experiments:
        if part.evaluation is not None:
            grouping = next(grouping for grouping in part.evaluation.groupings if grouping.column == column)
            groups[part.name] = {group.name: group for group in grouping.groups}
    names = dict.fromkeys(name for members in groups.values() for name in members)
    for name in list(names)[:MOST_GROUPS]:
        for part in experiments:
            group = groups.get(part.name, {}).get(name)
            if group is not None and part.evaluation is not None:
                measured = group.system[part.evaluation.plan.trimmed].metrics[metric]
                label = f"{group_name(name)}, {part.name}"
                rows.append(IntervalRow(label, (shown(metric, measured),), group.n))
                if measured.defined and abs(measured.value) > worst[0]:
                    worst = (abs(measured.value), label)
    dsm = metric == "dsm"
    word = "difference of standardised means" if dsm else "QWK"
    says = f"The largest {word} is {worst[0]:.2f}, of {worst[1]}." if worst[1] else f"No {word} is defined."
    return IntervalPlot(
        name=f"{metric}_by_{column}",
        title=f"{metric.upper()} by {column}",
        says=says,
        alt=f"{counted(len(rows), 'figure')} with intervals, experiments of one group together. {says}",
        rows=tuple(rows),
        series=(Series(metric.upper()),),
        row_title="Group and experiment",
        axis_title="System above raters (+) or below (−), in standard deviations" if dsm else "QWK",
        number=SIGNED if dsm else Number(),
        band=target("largest_dsm" if dsm else "qwk"),
        zero=dsm,
    )


def distributions_section(experiments: Sequence[common.EvaluatedExperiment]) -> Section:
    """How often each score is given, and each experiment's human by system scores. Rows are human scores."""

    def shares(experiment: StoredExperiment, start: str) -> dict[str, float]:
        table = experiment.tables.get("score_dist")
        named = next((c for c in table.columns if c.startswith(start)), "") if table is not None else ""
        return {} if table is None or not named else {_point(k): v for k, v in table.column(named).items()}

    blocks: list[Block] = []
    for word, start in (("system", "sys_"), ("human", "human")):
        name, caption = f"score_dist_{word}", f"Share of each {word} score, %"
        table = common.side_by_side(name, caption, experiments, partial(shares, start=start), row_title="Score")
        blocks += [table] if table is not None else []
    for number, part in enumerate(experiments):
        if part.evaluation is not None and part.evaluation.crossed is not None:
            chart = confusion_map(part.evaluation, part.evaluation.crossed)
            named = replace(chart, name=f"confusion_{number}", title=f"Human and system score, {part.name}")
            blocks.append(named if len(experiments) <= 3 else Disclosure(named.title, (named,)))
    return Section("Score distributions", tuple(blocks) or (Paragraph("No experiment holds scores."),))


def _point(label: str) -> str:
    try:
        return f"{float(label):g}"
    except ValueError:
        return label


def consistency_section(experiments: Sequence[common.EvaluatedExperiment]) -> Section:
    """How well two raters agree in each experiment, and what the system loses or gains beside them."""
    tables = (
        ("consistency", "Two raters", common.one_row("consistency")),
        ("degradation", "Rater and system minus two raters", common.one_row("degradation", "{}_trim")),
        (
            "disattenuated_correlations",
            "Correlation corrected for the raters’ disagreement",
            common.one_row("disattenuated_correlations", "{}_trim"),
        ),
    )
    blocks: list[Block] = []
    for name, caption, values in tables:
        table = common.side_by_side(name, caption, experiments, values, words=common.EVAL_WORDS, number=THREE)
        if table is None and name == "consistency":
            return Section("Two raters", (Paragraph("No experiment has responses that two raters scored."),))
        blocks += [table] if table is not None else []
    return Section("Two raters", tuple(blocks))


def weights_section(experiments: Sequence[common.EvaluatedExperiment]) -> tuple[Section, ...]:
    """Coefficients side by side with their differences; drawn for two or three experiments."""
    name, caption, number = "betas_differences", "Standardised coefficients", Number(3, signed=True)
    table = common.side_by_side(name, caption, experiments, STANDARDIZED, row_title="Feature", number=number)
    if table is None:
        return ()
    with_weights = [part for part in experiments if STANDARDIZED(part.stored)]
    drawn = (weight_bars(with_weights),) if 2 <= len(with_weights) <= 3 else ()
    return (Section("Feature weights", (*drawn, table)),)


def weight_bars(experiments: Sequence[common.EvaluatedExperiment]) -> SignedBars:
    """The weights of two or three models, feature by feature."""
    by_model = [STANDARDIZED(part.stored) for part in experiments]
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


def descriptives_section(experiments: Sequence[common.EvaluatedExperiment]) -> Section:
    """The features as they came, on the training responses of each experiment."""
    blocks: list[Block] = []
    for column, caption in DESCRIPTIVES.items():
        read = common.one_column("feature_descriptives", column)
        table = common.side_by_side(f"features_{column}", caption, experiments, read, row_title="Feature", number=THREE)
        blocks += [table if column in ("mean", "std. dev.") else Disclosure(caption, (table,))] if table else []
    outliers = common.one_column("feature_outliers", "bothperc")
    table = common.side_by_side("outliers", "Outliers, % of responses", experiments, outliers, row_title="Feature")
    blocks += [Disclosure("Outliers beyond four standard deviations", (table,))] if table is not None else []
    return Section("Features", tuple(blocks) or (Paragraph("No experiment has features."),))


def by_group_sections(experiments: Sequence[common.EvaluatedExperiment]) -> tuple[Section, ...]:
    """Correlations of features with score within groups."""
    start, title = "margcor_score_by_", "Feature, group"
    blocks: list[Block] = []
    for name in sorted({name for p in experiments for name in p.stored.tables if name.startswith(start)}):

        def values(experiment: StoredExperiment, name: str = name) -> dict[str, float]:
            table = experiment.tables.get(name)
            if table is None:
                return {}
            return {f"{feature}, {row}": table.number(row, feature) for feature in table.columns for row in table.rows}

        column = name.removeprefix(start)
        table = common.side_by_side(f"margcor_by_{column}", column, experiments, values, row_title=title, number=SIGNED)
        blocks += [Disclosure(f"Correlation of features with score by {column}", (table,))] if table else []
    return (Section("Features and score by group", tuple(blocks)),) if blocks else ()


def components_section(experiments: Sequence[common.EvaluatedExperiment]) -> Section:
    """Share of variance of each principal component."""
    values, number = common.one_row("pcavar", "Percentage of variance"), Number(1, percent=True)
    table = common.side_by_side(
        "pcavar", "Share of variance", experiments, values, row_title="Component", number=number
    )
    return Section("Principal components", (table or Paragraph("No experiment has features.", quiet=True),))
