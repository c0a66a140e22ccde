"""Several experiments -> `Document`: the report of `assay rsm summarize`, and of the folds of a cross-validation."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

import numpy as np

from assay.provenance import Provenance
from assay.report.charts.feature_charts import BoxRow, BoxRows, ValueMap
from assay.report.charts.figures import on_one_axis
from assay.report.document.document import Block, Disclosure, Document, KeyFigure, Paragraph, Section
from assay.report.document.metric_words import shown, target, target_words, verdict
from assay.report.document.values import INTEGER, SIGNED, Code, Column, Number, Row, Table, columns_of
from assay.report.document.wording import counted, date_words, shortened
from assay.report.evaluation.reading import FOOTER, NO_SECTIONS, chosen_sections, files_sections, input_rows
from assay.report.rsm import experiments as common

STANDARDIZED = common.one_column("betas", "standardized")


def summary_report(
    experiments: Sequence[common.EvaluatedExperiment],
    *,
    title: str,
    provenance: Provenance,
    files: Sequence[str] = (),
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
    own: Mapping[str, Section] = NO_SECTIONS,
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
    known = [(part.figure("qwk").value, part.name) for part in experiments if part.figure("qwk").defined]
    lead = "No experiment holds scores that can be judged."
    if known:
        (low, worst), (high, best) = min(known), max(known)
        lead = f"QWK runs from {low:.2f} ({shortened(worst)}) to {high:.2f} ({shortened(best)})."
        if len(known) == 1 or high - low < 0.005:
            lead = f"QWK is {high:.2f}." if len(known) == 1 else f"QWK is {high:.2f} in all experiments."
    return Document(
        title=title,
        subtitle=f"{counted(len(experiments), 'experiment')} side by side. {date_words(provenance.created)}.",
        verdict_lead=lead,
        key_figures=key_figures(experiments),
        sections=(common.experiments_section(experiments), *chosen_sections(makers, sections, order, own)),
        footer=FOOTER.format(provenance.version),
    )


def key_figures(experiments: Sequence[common.EvaluatedExperiment]) -> tuple[KeyFigure, ...]:
    """The agreement of the first experiments with people."""
    words, figures = f"QWK, {target_words('qwk')}", []
    for part in experiments[: common.MOST_KEY_FIGURES]:
        qwk = part.figure("qwk")
        name = shortened(part.name, 24)
        figures.append(KeyFigure(name, words, shown("qwk", qwk), target("qwk"), verdict("qwk", qwk)))
    return on_one_axis(figures)


def evaluation_section(experiments: Sequence[common.EvaluatedExperiment]) -> Section:
    """How well the scores of each agree with the human scores."""
    blocks: list[Block] = [common.qwk_plot(experiments)] if len(experiments) > common.MOST_KEY_FIGURES else []
    blocks.append(common.figures_table(experiments))
    caption = "As the experiments wrote them"
    table = common.side_by_side(
        "eval_short", caption, experiments, common.short_figures, number=Number(3), differences=False
    )
    if table is not None:
        blocks.append(Disclosure("All short figures, as the experiments wrote them", (table,)))
    return Section("Evaluation", tuple(blocks))


def true_scores_section(experiments: Sequence[common.EvaluatedExperiment], *, differences: bool = False) -> Section:
    """How well the scores of each predict the true score."""
    name, values = "true_score_eval", common.one_row("true_score_eval", "{}_trim")
    table = common.side_by_side(
        name, "True-score evaluation", experiments, values, number=Number(3), differences=differences
    )
    nothing = Paragraph("No experiment has responses that two raters scored.", quiet=True)
    return Section("True score", (table or nothing,))


def models_section(experiments: Sequence[common.EvaluatedExperiment], *, differences: bool = False) -> Section:
    """The models side by side."""
    with_model = [part for part in experiments if "model" in part.stored.settings]
    if not with_model:
        return Section("Models", (Paragraph("All experiments are evaluations without a model."),))
    columns = columns_of(
        "Experiment", "Model", "Human score trained on", ("Features", INTEGER), ("Negative weights", INTEGER)
    )
    rows: list[Row] = []
    for part in with_model:
        weights, settings = STANDARDIZED(part.stored), part.stored.settings
        label = str(settings.get("train_label_column", "sc1"))
        counts = (len(weights), sum(w < 0 for w in weights.values())) if weights else (None, None)
        rows.append((part.name, (Code(str(settings["model"])),), (Code(label),), *counts))
    fit = common.side_by_side(
        *("model_fit", "Fit on training responses", with_model, common.one_row("model_fit")),
        words=common.EVAL_WORDS,
        number=Number(3),
        differences=differences,
    )
    table = Table("model_summary", "Models", columns, tuple(rows))
    return Section("Models", (table, *_weights(with_model), fit or Paragraph("No experiment has it.", quiet=True)))


def _weights(experiments: Sequence[common.EvaluatedExperiment]) -> list[Block]:
    """Standardised coefficients: a grid for few experiments, and boxes over many."""
    by_experiment = {part.name: weights for part in experiments if (weights := STANDARDIZED(part.stored))}
    if not by_experiment:
        return []
    features = sorted({feature for weights in by_experiment.values() for feature in weights})
    if len(by_experiment) > 12:
        return [weight_boxes(features, list(by_experiment.values()))]
    values = tuple(
        tuple(weights.get(feature, float("nan")) for weights in by_experiment.values()) for feature in features
    )
    turning = [f for f, row in zip(features, values, strict=True) if min(row) < 0 < max(row)]
    says = "No feature changes the sign of its weight between experiments."
    if turning:
        says = f"The weight of {', '.join(turning[:4])} changes its sign between experiments."
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
    says = "No feature changes the sign of its weight."
    if turning:
        says = f"The weight of {', '.join(turning[:4])} changes its sign."
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


def features_section(experiments: Sequence[common.EvaluatedExperiment], *, differences: bool = False) -> Section:
    """How features go with the human score in each experiment."""
    words = {
        "margcor_score_all_data": "",
        "pcor_score_all_data": ", other features held constant",
        "pcor_score_no_length_all_data": ", length held constant",
    }
    blocks: list[Block] = []
    for name, constant in words.items():
        caption = f"Correlation with the human score{constant}"
        table = common.side_by_side(
            name,
            caption,
            experiments,
            common.one_row(name),
            row_title="Feature",
            number=SIGNED,
            differences=differences,
        )
        blocks += [table] if table is not None else []
    return Section("Features and human score", tuple(blocks) or (Paragraph("No experiment has features."),))


def made_section(provenance: Provenance) -> Section:
    """What produced the report."""
    rows: tuple[Row, ...] = (
        ("Version", f"Assay {provenance.version}"),
        ("Made", date_words(provenance.created)),
        *input_rows(provenance),
    )
    table = Table("provenance", "What produced this report", (Column("What"), Column("Value")), rows)
    return Section("Provenance", (table,))
