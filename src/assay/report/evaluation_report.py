"""`Evaluation` -> `Document`: the report a review board, a manager and a machine can read."""

from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.report.document import Document
from assay.report.evaluation_agreement import agreement_section
from assay.report.evaluation_data import data_section
from assay.report.evaluation_distributions import distributions_section
from assay.report.evaluation_groups import groups_section
from assay.report.evaluation_raters import raters_section
from assay.report.evaluation_reading import details_section, provenance_section, reading_section
from assay.report.evaluation_true_score import true_score_section
from assay.report.evaluation_verdict import key_figures, verdict_lead, verdict_rest
from assay.report.phrases import counted, date_words


def evaluation_report(
    evaluation: Evaluation, *, title: str, source: str, provenance: Provenance, made: str
) -> Document:
    """The whole report.

    `source` names the table that was read, `made` says when (ISO dates are written out).
    """
    figures = key_figures(evaluation)
    return Document(
        title=title,
        subtitle=subtitle(evaluation, made or provenance.made),
        verdict_lead=verdict_lead([figure.verdict for figure in figures if figure.target is not None]),
        verdict_rest=verdict_rest(evaluation),
        key_figures=figures,
        sections=(
            data_section(evaluation, source=source),
            agreement_section(evaluation),
            raters_section(evaluation),
            groups_section(evaluation),
            true_score_section(evaluation),
            distributions_section(evaluation),
            details_section(evaluation),
            reading_section(evaluation, provenance),
            provenance_section(evaluation, provenance, made=made),
        ),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def subtitle(evaluation: Evaluation, made: str) -> str:
    """What is compared, on how many responses, on which scale, when."""
    scale = f"scale {evaluation.plan.scale}" if evaluation.plan.scale else "no scale of points"
    day = f" {date_words(made)}." if made else ""
    return f"System score against human score, {counted(evaluation.n, 'response')}, {scale}.{day}"
