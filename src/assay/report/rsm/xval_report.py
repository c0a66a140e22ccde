"""A cross-validation -> `Document`: the report of `assay rsm xval`."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.report.document.document import (
    INTEGER,
    Block,
    Code,
    Column,
    Document,
    IntervalPlot,
    IntervalRow,
    Note,
    Paragraph,
    Row,
    Section,
    Series,
    Table,
)
from assay.report.document.metric_words import METRIC_WORDS, shown, target
from assay.report.document.phrases import counted, date_words
from assay.report.document.values import FormattedEstimate, Number
from assay.report.evaluation.agreement import agreement_section
from assay.report.evaluation.distributions import distributions_section
from assay.report.evaluation.groups import groups_section
from assay.report.evaluation.raters import raters_section
from assay.report.evaluation.reading import details_section, provenance_section, reading_section
from assay.report.evaluation.true_score import true_score_section
from assay.report.evaluation.verdict import key_figures, verdict_lead, verdict_rest
from assay.report.rsm.model import model_section, standardised
from assay.report.rsm.sections import section_names
from assay.report.rsm.summary_report import weight_boxes
from assay.rsm.types import Experiment

FIGURES = ("qwk", "r", "smd", "rmse", "exact_agreement")


def xval_report(
    folds: Sequence[tuple[Experiment, Evaluation]],
    pooled: Evaluation,
    final: Experiment,
    *,
    title: str,
    provenance: Provenance,
    files: Sequence[str] = (),
    sections: Sequence[str] = ("all",),
) -> Document:
    """The whole report: the scores of all folds together, each fold, the final model.

    `pooled` is the evaluation of all responses, each scored by the model that was not trained on it.
    """
    figures = key_figures(pooled)
    features = len(final.model.features)
    makers: dict[str, tuple[Section, ...]] = {
        "evaluation": (agreement_section(pooled), distributions_section(pooled)),
        "consistency": (raters_section(pooled),) if pooled.consistency else (),
        "evaluation_by_group": (groups_section(pooled),) if pooled.groupings else (),
        "true_score_evaluation": (true_score_section(pooled),) if pooled.true_score else (),
        "model": (final_section(final),),
        "intermediate_file_paths": (xval_files_section(files),) if files else (),
        "sysinfo": (
            details_section(pooled),
            reading_section(pooled, provenance),
            provenance_section(pooled, provenance),
        ),
    }
    chosen = section_names(makers, sections)
    return Document(
        title=title,
        subtitle=(
            f"{final.model.name} on {counted(features, 'feature')}, {counted(len(folds), 'fold')}, "
            f"{counted(pooled.n, 'response')}. {date_words(provenance.made)}."
        ),
        verdict_lead=verdict_lead([figure.verdict for figure in figures if figure.target is not None]),
        verdict_rest=verdict_rest(pooled),
        key_figures=figures,
        sections=(folds_section(folds, pooled), *(section for name in chosen for section in makers[name])),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def folds_section(folds: Sequence[tuple[Experiment, Evaluation]], pooled: Evaluation) -> Section:
    """How much the figures vary from fold to fold."""
    blocks: list[Block] = [
        Paragraph("Each response is scored by a model that was trained on the other folds, without it."),
        fold_plot(folds, pooled),
        folds_table(folds, pooled),
    ]
    if all(experiment.model.linear for experiment, _ in folds):
        weights = [standardised(experiment) for experiment, _ in folds]
        features = sorted({name for part in weights for name in part})
        blocks.append(weight_boxes(features, weights, of="folds"))
    return Section("Folds", tuple(blocks))


def fold_plot(folds: Sequence[tuple[Experiment, Evaluation]], pooled: Evaluation) -> IntervalPlot:
    """Agreement of each fold with its interval."""
    figures = [evaluation.figures()["qwk"] for _, evaluation in folds]
    values = [e.value for e in figures if e.defined]
    says = (
        f"QWK runs from {min(values):.2f} to {max(values):.2f} over {counted(len(values), 'fold')}; "
        f"all responses together give {pooled.figures()['qwk'].value:.2f}."
        if values
        else "QWK is not defined in any fold."
    )
    rows = [
        IntervalRow(f"Fold {i}", (shown("qwk", e),), evaluation.n)
        for i, (e, (_, evaluation)) in enumerate(zip(figures, folds, strict=True), start=1)
    ]
    rows.append(IntervalRow("All folds together", (shown("qwk", pooled.figures()["qwk"]),), pooled.n))
    return IntervalPlot(
        name="qwk_by_fold",
        title="Agreement with people by fold",
        says=says,
        alt=f"{counted(len(folds), 'fold')} with intervals, and all together. {says}",
        rows=tuple(rows),
        series=(Series("QWK"),),
        row_title="Fold",
        axis_title="QWK, 1 is perfect agreement",
        band=target("qwk"),
    )


def folds_table(folds: Sequence[tuple[Experiment, Evaluation]], pooled: Evaluation) -> Table:
    """The figures of each fold, their mean and spread, and those of all folds together."""
    columns = (
        Column("Fold"),
        Column("Trained on", "number", INTEGER),
        Column("Scored", "number", INTEGER),
        *(Column(METRIC_WORDS[name].title, "number", METRIC_WORDS[name].number) for name in FIGURES),
    )
    rows: list[Row] = [
        (f"Fold {i}", len(e.train.used), v.n, *(shown(name, v.figures()[name]) for name in FIGURES))
        for i, (e, v) in enumerate(folds, start=1)
    ]
    values = np.array([[shown(name, v.figures()[name]).value for name in FIGURES] for _, v in folds])
    spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.full(len(FIGURES), np.nan)
    spreads = list(zip(spread, FIGURES, strict=True))
    foot = (
        ("Mean of the folds", None, None, *map(float, values.mean(axis=0))),
        ("SD of the folds", None, None, *(FormattedEstimate(float(s), number=_plain(name)) for s, name in spreads)),
        ("All together", None, pooled.n, *(shown(name, pooled.figures()[name]) for name in FIGURES)),
    )
    return Table("folds", "Figures by fold", columns, tuple(rows), foot=foot)


def _plain(name: str) -> Number:
    return replace(METRIC_WORDS[name].number, signed=False)


def xval_files_section(files: Sequence[str]) -> Section:
    """The files beside the report; those of the folds are alike, so only their place is named."""
    rows: tuple[Row, ...] = tuple(((Code(name),),) for name in sorted(files) if not name.startswith("folds/"))
    words = (
        "Each fold has a folder in ",
        Code("folds/"),
        " with the tables, the model and the report of an experiment.",
    )
    return Section("Files", (Paragraph(words), Table("files", "Files beside this report", (Column("File"),), rows)))


def final_section(final: Experiment) -> Section:
    """The model trained on all responses."""
    section = model_section(final)
    words = (
        "This model is trained on all responses and is the one to use. There is no response left to evaluate it on: "
        "the figures above, of models that knew a little less, stand for it."
    )
    return Section("Final model", (Note(words), *section.blocks))
