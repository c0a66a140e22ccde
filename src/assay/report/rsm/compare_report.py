"""Two or more experiments -> `Document`: the report of `assay rsm compare`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from assay.evaluation.compare import Comparison
from assay.evaluation.result import Evaluation, GroupFigures
from assay.provenance import Provenance
from assay.report.document.document import (
    Block,
    Disclosure,
    Document,
    IntervalPlot,
    IntervalRow,
    Note,
    Paragraph,
    Section,
    Series,
)
from assay.report.document.metric_words import shown, target
from assay.report.document.phrases import counted, date_words, listed
from assay.report.document.values import SIGNED, Number
from assay.report.evaluation.agreement import confusion_map
from assay.report.evaluation.comparison_report import (
    differences_section,
    engines_table,
    reading_section,
    verdict_lead,
    verdict_rest,
)
from assay.report.evaluation.facts import group_name
from assay.report.rsm.compare_features import (
    by_group_sections,
    components_section,
    descriptives_section,
    weights_section,
)
from assay.report.rsm.experiments import (
    EVAL_WORDS,
    EvaluatedExperiment,
    experiments_section,
    figures_table,
    one_column,
    one_row,
    qwk_plot,
    side_by_side,
)
from assay.report.rsm.sections import section_names
from assay.report.rsm.summary_report import (
    FIGURES,
    THREE,
    features_section,
    key_figure,
    made_section,
    models_section,
    true_scores_section,
)
from assay.rsm.stored import StoredExperiment

MOST_KEY_FIGURES = 6
MOST_GROUPS = 25
Maker = Callable[[], tuple[Section, ...]]


def rsm_comparison_report(
    experiments: Sequence[EvaluatedExperiment],
    comparison: Comparison | None,
    shared: int,
    *,
    title: str,
    provenance: Provenance,
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names. `shared` counts responses all have scored."""
    makers: Mapping[str, Maker] = {
        "evaluation": lambda: (evaluation_section(experiments, comparison, shared), *_differences(comparison)),
        "score_distributions": lambda: (distributions_section(experiments),),
        "consistency": lambda: (consistency_section(experiments),),
        "true_score_evaluation": lambda: (true_scores_section(experiments, differences=True),),
        "model": lambda: (models_section(experiments, differences=True), *weights_section(experiments)),
        "feature_descriptives": lambda: (descriptives_section(experiments),),
        "preprocessed_features": lambda: (features_section(experiments, differences=True),),
        "preprocessed_features_by_group": lambda: by_group_sections(experiments),
        "pca": lambda: (components_section(experiments),),
        "notes": lambda: () if comparison is None else (reading_section(comparison, provenance),),
        "sysinfo": lambda: (made_section(provenance),),
    }
    chosen = [section for name in section_names(makers, sections, order) for section in makers[name]()]
    size = f"{counted(len(experiments), 'experiment')}, {_responses(experiments, shared)}"
    return Document(
        title=title,
        subtitle=f"{size}. {date_words(provenance.made)}.",
        verdict_lead=_lead(comparison),
        verdict_rest=verdict_rest(comparison) if comparison else "At least one experiment holds no scores.",
        key_figures=tuple(key_figure(part) for part in experiments[:MOST_KEY_FIGURES]),
        sections=(experiments_section(experiments), *chosen),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def _lead(comparison: Comparison | None) -> str:
    if comparison is None:
        return "The scores cannot be compared."
    qwk = [difference.estimate.value for difference in comparison.differences if difference.metric == "qwk"]
    if comparison.paired and all(value == 0 for value in qwk):
        return "The experiments agree with people equally well."
    return verdict_lead(comparison, "experiment")


def _responses(experiments: Sequence[EvaluatedExperiment], shared: int) -> str:
    if shared:
        return f"{counted(shared, 'response')} in common"
    return "no response in common" if all(part.evaluation for part in experiments) else "scores not known of all"


def evaluation_section(
    experiments: Sequence[EvaluatedExperiment], comparison: Comparison | None, shared: int
) -> Section:
    """Agreement with people, overall and by group."""
    blocks: list[Block] = []
    sizes = {part.name: part.evaluation.n for part in experiments if part.evaluation is not None}
    if comparison is not None and shared and any(n != shared for n in sizes.values()):
        counts = listed([f"{n:,} ({name})" for name, n in sizes.items()], 6, "experiment")
        blocks.append(
            Note(
                f"The experiments evaluate {counts} responses. Differences are of the {shared:,} they have in common; "
                "the figures of each experiment are of all its own.",
                "caution",
            )
        )
    if len(experiments) > MOST_KEY_FIGURES:
        blocks.append(qwk_plot(experiments))
    if comparison is not None:
        table = engines_table(comparison, comparison.engines)
        blocks.append(replace(table, name="experiments_figures", caption="Every figure of every experiment"))
    else:
        blocks.append(figures_table(experiments, FIGURES))
    for column in _columns(experiments):
        blocks += [group_plot(experiments, column, "dsm"), group_plot(experiments, column, "qwk")]
    return Section("Evaluation", tuple(blocks))


def _differences(comparison: Comparison | None) -> tuple[Section, ...]:
    return () if comparison is None else (differences_section(comparison),)


def _columns(experiments: Sequence[EvaluatedExperiment]) -> list[str]:
    """Subgroup columns that all evaluated experiments have."""
    columns = [[g.column for g in part.evaluation.groupings] for part in experiments if part.evaluation is not None]
    return [name for name in (columns[0] if columns else []) if all(name in other for other in columns)]


def group_plot(experiments: Sequence[EvaluatedExperiment], column: str, metric: str) -> IntervalPlot:
    """A figure of each group in each experiment, the experiments of a group below each other."""
    rows: list[IntervalRow] = []
    worst: tuple[float, str] = (-1.0, "")
    groups = {part.name: _groups(part.evaluation, column) for part in experiments if part.evaluation is not None}
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
    word = "difference of standardised means" if metric == "dsm" else "QWK"
    says = f"The largest {word} is {worst[0]:.2f}, of {worst[1]}." if worst[1] else f"No {word} is defined."
    return IntervalPlot(
        name=f"{metric}_by_{column}",
        title=f"{'DSM' if metric == 'dsm' else 'QWK'} by {column}",
        says=says,
        alt=f"{counted(len(rows), 'figure')} with intervals, experiments of one group together. {says}",
        rows=tuple(rows),
        series=(Series("DSM" if metric == "dsm" else "QWK"),),
        row_title="Group and experiment",
        axis_title="System above people (+) or below (−), in standard deviations" if metric == "dsm" else "QWK",
        number=SIGNED if metric == "dsm" else Number(),
        band=target("largest_dsm" if metric == "dsm" else "qwk"),
        zero=metric == "dsm",
    )


def _groups(evaluation: Evaluation, column: str) -> dict[str, GroupFigures]:
    grouping = next(grouping for grouping in evaluation.groupings if grouping.column == column)
    return {group.name: group for group in grouping.groups}


def distributions_section(experiments: Sequence[EvaluatedExperiment]) -> Section:
    """How often each score is given, and each experiment's human by system scores. Rows are human scores."""

    def system(experiment: StoredExperiment) -> dict[str, float]:
        table = experiment.tables.get("score_dist")
        named = next((c for c in table.columns if c.startswith("sys_")), "") if table is not None else ""
        return {} if table is None or not named else {_point(k): v for k, v in table.column(named).items()}

    def human(experiment: StoredExperiment) -> dict[str, float]:
        return {_point(k): v for k, v in one_column("score_dist", "human")(experiment).items()}

    tables = [
        side_by_side("score_dist_system", "Share of each system score, %", experiments, system, row_title="Score"),
        side_by_side("score_dist_human", "Share of each human score, %", experiments, human, row_title="Score"),
    ]
    blocks: list[Block] = [table for table in tables if table is not None]
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


def consistency_section(experiments: Sequence[EvaluatedExperiment]) -> Section:
    """How well two people agree in each experiment, and what the system loses or gains beside them."""
    absent = "No experiment has responses that two people read."
    table = side_by_side(
        "consistency", "Two people", experiments, one_row("consistency"), words=EVAL_WORDS, number=THREE
    )  # fmt: skip
    if table is None:
        return Section("Human and human", (Paragraph(absent),))
    blocks: list[Block] = [table]
    for name, caption in (
        ("degradation", "Human and system less human and human"),
        ("disattenuated_correlations", "Correlation corrected for the readers’ disagreement"),
    ):
        further = side_by_side(name, caption, experiments, _decisive(name), words=EVAL_WORDS, number=THREE)
        blocks += [further] if further is not None else []
    return Section("Human and human", tuple(blocks))


def _decisive(name: str) -> Callable[[StoredExperiment], dict[str, float]]:
    def values(experiment: StoredExperiment) -> dict[str, float]:
        table = experiment.tables.get(name)
        row = f"{experiment.primary}_trim"
        return table.row(row) if table is not None and row in table.rows else {}

    return values
