"""`Evaluation` -> `Document`: the report a review board, a manager and a machine can read."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.report.document.document import Document, Section
from assay.report.document.wording import counted, date_words
from assay.report.evaluation.agreement import agreement_section
from assay.report.evaluation.data import data_section
from assay.report.evaluation.distributions import distributions_section
from assay.report.evaluation.facts import in_reading_order
from assay.report.evaluation.groups import groups_section
from assay.report.evaluation.raters import raters_section, true_score_section
from assay.report.evaluation.reading import (
    NO_SECTIONS,
    details_section,
    files_sections,
    provenance_section,
    reading_section,
    section_names,
)
from assay.report.evaluation.verdict import key_figures, verdict_lead, verdict_rest

ABOUT_GROUPS = ("data_description_by_group", "evaluation_by_group", "fairness_analyses")
"""RSMTool's three sections about groups are one of ours."""


def evaluation_report(
    evaluation: Evaluation,
    *,
    title: str,
    source: str,
    provenance: Provenance,
    files: Sequence[str] = (),
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
    own: Mapping[str, Section] = NO_SECTIONS,
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names.

    `source` names the table that was read, `files` lie beside the report.
    """
    evaluation = in_reading_order(evaluation)
    figures = key_figures(evaluation)
    parts: Sequence[tuple[tuple[str, ...], Callable[[], Sequence[Section]]]] = (
        (("data_description",), lambda: [data_section(evaluation, source=source)]),
        (("evaluation",), lambda: [agreement_section(evaluation)]),
        (("consistency",), lambda: [raters_section(evaluation)]),
        (ABOUT_GROUPS, lambda: [groups_section(evaluation)]),
        (("true_score_evaluation",), lambda: [true_score_section(evaluation)]),
        (("evaluation",), lambda: [distributions_section(evaluation)]),
        (("intermediate_file_paths",), lambda: files_sections(files)),
        (("sysinfo",), lambda: [details_section(evaluation), reading_section(evaluation, provenance)]),
        (("sysinfo",), lambda: [provenance_section(evaluation, provenance)]),
        *(((name,), partial(tuple, (section,))) for name, section in own.items()),
    )
    known = dict.fromkeys(name for names, _ in parts for name in names if not set(names) & set(own))
    chosen = section_names(known, sections, order, own)
    shown = [(names, make) for names, make in parts if set(names) & set(chosen)]
    if order:
        shown.sort(key=lambda part: min(chosen.index(name) for name in part[0] if name in chosen))
    return Document(
        title=title,
        subtitle=subtitle(evaluation, provenance.created),
        verdict_lead=verdict_lead([judgement.verdict for judgement in evaluation.judgements]),
        verdict_rest=verdict_rest(evaluation),
        key_figures=figures,
        sections=tuple(section for _, make in shown for section in make()),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def subtitle(evaluation: Evaluation, when: str) -> str:
    """What is compared, on how many responses, on which scale, when."""
    scale = f"scale {evaluation.plan.scale}" if evaluation.plan.scale else "no scale of points"
    day = f" {date_words(when)}." if when else ""
    return f"System score against human score, {counted(evaluation.n, 'response')}, {scale}.{day}"
