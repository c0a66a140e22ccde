"""Several experiments -> `Document`: the report of `assay rsm summarize`, and of the folds of a cross-validation."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

import numpy as np

from assay.provenance import Provenance
from assay.report.charts.feature_charts import BoxRow, BoxRows, ValueMap
from assay.report.document.document import (
    INTEGER,
    Block,
    Code,
    Column,
    Disclosure,
    Document,
    KeyFigure,
    Paragraph,
    Row,
    Section,
    Table,
)
from assay.report.document.metric_words import shown, target, target_words, verdict
from assay.report.document.phrases import counted, date_words, shortened
from assay.report.document.values import SIGNED, Number
from assay.report.evaluation.reading import input_rows
from assay.report.rsm.experiments import (
    EVAL_WORDS,
    EvaluatedExperiment,
    experiments_section,
    figures_table,
    one_column,
    one_row,
    or_nothing,
    qwk_plot,
    short_figures,
    side_by_side,
)
from assay.report.rsm.sections import files_sections, section_names
from assay.rsm.stored import StoredExperiment

FIGURES = ("qwk", "r", "smd", "rmse", "exact_agreement", "adjacent_agreement")
MOST_KEY_FIGURES = 6
THREE = Number(3)
NOTHING = "No experiment has it."


def summary_report(
    experiments: Sequence[EvaluatedExperiment],
    *,
    title: str,
    provenance: Provenance,
    files: Sequence[str] = (),
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names."""
    makers: Mapping[str, Callable[[], tuple[Section, ...]]] = {
        "preprocessed_features": lambda: (features_section(experiments),),
        "model": lambda: (models_section(experiments),),
        "evaluation": lambda: (evaluation_section(experiments),),
        "true_score_evaluation": lambda: (true_scores_section(experiments),),
        "intermediate_file_paths": lambda: files_sections(files),
        "sysinfo": lambda: (made_section(provenance),),
    }
    names = section_names(makers, sections, order)
    shown_first = experiments[:MOST_KEY_FIGURES]
    return Document(
        title=title,
        subtitle=f"{counted(len(experiments), 'experiment')} side by side. {date_words(provenance.made)}.",
        verdict_lead=_lead(experiments),
        key_figures=tuple(key_figure(part) for part in shown_first),
        sections=(experiments_section(experiments), *(section for name in names for section in makers[name]())),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def key_figure(part: EvaluatedExperiment) -> KeyFigure:
    measured = part.figure("qwk")
    return KeyFigure(
        shortened(part.name, 24), f"QWK, {target_words('qwk')}", shown("qwk", measured), target("qwk"),
        verdict("qwk", measured),
    )  # fmt: skip


def _lead(experiments: Sequence[EvaluatedExperiment]) -> str:
    known = [(part.figure("qwk").value, part.name) for part in experiments if part.figure("qwk").defined]
    if not known:
        return "No experiment holds scores that can be judged."
    if len(known) == 1:
        return f"QWK is {known[0][0]:.2f}."
    (low, worst), (high, best) = min(known), max(known)
    if high - low < 0.005:
        return f"QWK is {high:.2f} in all experiments."
    return f"QWK runs from {low:.2f} ({shortened(worst)}) to {high:.2f} ({shortened(best)})."


def evaluation_section(experiments: Sequence[EvaluatedExperiment]) -> Section:
    """How well the scores of each agree with people."""
    blocks: list[Block] = []
    if len(experiments) > MOST_KEY_FIGURES:
        blocks.append(qwk_plot(experiments))
    blocks.append(figures_table(experiments, FIGURES))
    table = side_by_side(
        "eval_short", "As the experiments wrote them", experiments, short_figures, number=THREE, differences=False
    )
    if table is not None:
        blocks.append(Disclosure("All short figures, as the experiments wrote them", (table,)))
    return Section("Evaluation", tuple(blocks))


def true_scores_section(experiments: Sequence[EvaluatedExperiment], *, differences: bool = False) -> Section:
    """How well the scores of each predict the true score."""

    def values(experiment: StoredExperiment) -> dict[str, float]:
        table = experiment.tables.get("true_score_eval")
        row = f"{experiment.primary}_trim"
        return table.row(row) if table is not None and row in table.rows else {}

    table = side_by_side(
        "true_score_eval", "True-score evaluation", experiments, values, number=THREE, differences=differences
    )
    return Section("True score", (or_nothing(table, "No experiment has responses that two people read."),))


def models_section(experiments: Sequence[EvaluatedExperiment], *, differences: bool = False) -> Section:
    """The models side by side."""
    with_model = [part for part in experiments if "model" in part.stored.settings]
    if not with_model:
        return Section("Models", (Paragraph("All experiments are evaluations without a model."),))
    columns = (
        Column("Experiment"),
        Column("Model"),
        Column("Human score trained on"),
        Column("Features", "number", INTEGER),
        Column("Negative weights", "number", INTEGER),
    )
    rows: list[Row] = []
    for part in with_model:
        weights = one_column("betas", "standardized")(part.stored)
        settings = part.stored.settings
        label = str(settings.get("train_label_column", "sc1"))
        counts = (len(weights), sum(w < 0 for w in weights.values())) if weights else (None, None)
        rows.append((part.name, (Code(str(settings["model"])),), (Code(label),), *counts))
    blocks: list[Block] = [Table("model_summary", "Models", columns, tuple(rows))]
    blocks += _weights(with_model)
    fit = side_by_side(
        *("model_fit", "Fit on training responses", with_model, one_row("model_fit")),
        words=EVAL_WORDS,
        number=THREE,
        differences=differences,
    )
    return Section("Models", (*blocks, or_nothing(fit, NOTHING)))


def _weights(experiments: Sequence[EvaluatedExperiment]) -> list[Block]:
    """Standardised coefficients: a grid for few experiments, and boxes over many."""
    read = one_column("betas", "standardized")
    with_weights = [part for part in experiments if read(part.stored)]
    if not with_weights:
        return []
    by_experiment = {part.name: read(part.stored) for part in with_weights}
    features = sorted({feature for weights in by_experiment.values() for feature in weights})
    if len(by_experiment) > 12:
        return [weight_boxes(features, list(by_experiment.values()))]
    values = tuple(
        tuple(weights.get(feature, float("nan")) for weights in by_experiment.values()) for feature in features
    )
    turning = [f for f, row in zip(features, values, strict=True) if min(row) < 0 < max(row)]
    says = (
        f"The weight of {', '.join(turning[:4])} changes its sign between experiments."
        if turning
        else "No feature changes the sign of its weight between experiments."
    )
    grid = ValueMap(
        name="betas",
        title="Standardised coefficients",
        says=says,
        alt=f"A grid of {counted(len(features), 'feature')} by {counted(len(by_experiment), 'experiment')}. {says}",
        rows=tuple(features),
        columns=tuple(by_experiment),
        values=values,
        column_title="Experiment",
        value_title="Standardised coefficient",
    )
    return [grid]


def weight_boxes(features: Sequence[str], weights: Sequence[Mapping[str, float]], of: str = "experiments") -> BoxRows:
    """How much the weight of each feature varies over experiments or folds."""
    rows = []
    for feature in features:
        known = np.array([w[feature] for w in weights if isfinite(w.get(feature, float("nan")))])
        low, first, median, third, high = np.percentile(known, [0, 25, 50, 75, 100])
        rows.append(BoxRow(feature, len(known), float(low), float(first), float(median), float(third), float(high)))
    turning = [row.label for row in rows if row.low < 0 < row.high]
    says = (
        f"The weight of {', '.join(turning[:4])} changes its sign."
        if turning
        else "No feature changes the sign of its weight."
    )
    return BoxRows(
        name="betas_spread",
        title=f"Standardised coefficients over all {of}",
        says=says,
        alt=f"Box plots of {counted(len(rows), 'feature')}, whiskers from lowest to highest. {says}",
        rows=tuple(rows),
        row_title="Feature",
        count_title=of.capitalize(),
        axis_title="Standardised coefficient; whiskers reach from the lowest to the highest",
        limits=(0.0,),
        number=SIGNED,
    )


def features_section(experiments: Sequence[EvaluatedExperiment], *, differences: bool = False) -> Section:
    """How features go with the human score in each experiment."""
    words = {
        "margcor_score_all_data": "Correlation with the human score",
        "pcor_score_all_data": "Correlation with the human score, other features held constant",
        "pcor_score_no_length_all_data": "Correlation with the human score, length held constant",
    }
    blocks: list[Block] = []
    for name, caption in words.items():
        table = side_by_side(
            name, caption, experiments, one_row(name), row_title="Feature", number=SIGNED, differences=differences
        )
        blocks += [table] if table is not None else []
    return Section("Features and human score", tuple(blocks) or (Paragraph("No experiment has features."),))


def made_section(provenance: Provenance) -> Section:
    """What produced the report."""
    rows: tuple[Row, ...] = (
        ("Version", f"Assay {provenance.version}"),
        ("Made", date_words(provenance.made)),
        *input_rows(provenance),
    )
    return Section(
        "Provenance", (Table("provenance", "What produced this report", (Column("What"), Column("Value")), rows),)
    )
