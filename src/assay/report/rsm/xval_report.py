"""A cross-validation -> `Document`: the report of `assay rsm xval`."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.report.charts.charts import IntervalPlot
from assay.report.document.document import Block, Document, Note, Paragraph, Section
from assay.report.document.metric_words import METRIC_WORDS, shown
from assay.report.document.values import INTEGER, Code, Column, FormattedEstimate, Row, Table, columns_of
from assay.report.document.wording import counted, date_words
from assay.report.evaluation.agreement import agreement_section
from assay.report.evaluation.distributions import distributions_section
from assay.report.evaluation.groups import groups_section
from assay.report.evaluation.raters import raters_section, true_score_section
from assay.report.evaluation.reading import (
    FOOTER,
    chosen_sections,
    details_section,
    provenance_section,
    reading_section,
)
from assay.report.evaluation.verdict import key_figures, verdict_lead, verdict_rest
from assay.report.rsm.experiments import agreement_plot
from assay.report.rsm.model import model_section, standardised
from assay.report.rsm.summary_report import weight_boxes
from assay.rsm.experiment import Experiment

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
    features = counted(len(final.model.features), "feature")
    trained_on_all = Note(
        "This model is trained on all responses and is the one to use. There is no response left to evaluate it on: "
        "the figures above, of models that knew a little less, stand for it."
    )
    # those of the folds are alike, so only their place is named
    names: tuple[Row, ...] = tuple(((Code(name),),) for name in sorted(files) if not name.startswith("folds/"))
    words = (
        "Each fold has a folder in ",
        Code("folds/"),
        " with the tables, the model and the report of an experiment.",
    )
    listing = Table("files", "Files beside this report", (Column("File"),), names)
    makers: dict[str, Callable[[], tuple[Section, ...]]] = {
        "evaluation": lambda: (agreement_section(pooled), distributions_section(pooled)),
        "consistency": lambda: (raters_section(pooled),) if pooled.consistency else (),
        "evaluation_by_group": lambda: (groups_section(pooled),) if pooled.groupings else (),
        "true_score_evaluation": lambda: (true_score_section(pooled),) if pooled.true_score else (),
        "model": lambda: (Section("Final model", (trained_on_all, *model_section(final).blocks)),),
        "intermediate_file_paths": lambda: (Section("Files", (Paragraph(words), listing)),) if files else (),
        "sysinfo": lambda: (
            details_section(pooled),
            reading_section(pooled, provenance),
            provenance_section(pooled, provenance),
        ),
    }
    return Document(
        title=title,
        subtitle=(
            f"{final.model.name} on {features}, {counted(len(folds), 'fold')}, "
            f"{counted(pooled.n, 'response')}. {date_words(provenance.created)}."
        ),
        verdict_lead=verdict_lead([judgement.verdict for judgement in pooled.judgements]),
        verdict_rest=verdict_rest(pooled),
        key_figures=figures,
        sections=(folds_section(folds, pooled), *chosen_sections(makers, sections)),
        footer=FOOTER.format(provenance.version),
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
    rows = [(f"Fold {i}", v.figures()["qwk"], v.n) for i, (_, v) in enumerate(folds, start=1)]
    values = [qwk.value for _, qwk, _ in rows if qwk.defined]
    together = pooled.figures()["qwk"]
    says = (
        f"QWK runs from {min(values):.2f} to {max(values):.2f} over {counted(len(values), 'fold')}; "
        f"all responses together give {together.value:.2f}."
        if values
        else "QWK is not defined in any fold."
    )
    shape = f"{counted(len(folds), 'fold')} with intervals, and all together."
    rows.append(("All folds together", together, pooled.n))
    return agreement_plot("fold", "Agreement with human scores by fold", says, shape, rows)


def folds_table(folds: Sequence[tuple[Experiment, Evaluation]], pooled: Evaluation) -> Table:
    """The figures of each fold, their mean and spread, and those of all folds together."""
    words = [METRIC_WORDS[name] for name in FIGURES]
    columns = columns_of(
        "Fold", ("Trained on", INTEGER), ("Scored", INTEGER), *((word.title, word.number) for word in words)
    )
    rows: list[Row] = [
        (f"Fold {i}", len(e.train.used), v.n, *(shown(name, v.figures()[name]) for name in FIGURES))
        for i, (e, v) in enumerate(folds, start=1)
    ]
    values = np.array([[shown(name, v.figures()[name]).value for name in FIGURES] for _, v in folds])
    spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.full(len(FIGURES), np.nan)
    spreads = [
        FormattedEstimate(float(sd), number=replace(word.number, signed=False))
        for sd, word in zip(spread, words, strict=True)
    ]
    foot = (
        ("Mean of the folds", None, None, *map(float, values.mean(axis=0))),
        ("SD of the folds", None, None, *spreads),
        ("All together", None, pooled.n, *(shown(name, pooled.figures()[name]) for name in FIGURES)),
    )
    return Table("folds", "Figures by fold", columns, tuple(rows), foot=foot)
