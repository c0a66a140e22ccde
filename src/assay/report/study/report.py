"""`Study` -> `Document`: the tables 1 to 9 of the paper for a corpus, with charts."""

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from assay.essays.study.corpus import Missing
from assay.essays.study.systems import ERATER, SystemFigures
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.document.document import Document, KeyFigure, Paragraph, Section
from assay.report.document.values import Code
from assay.report.document.wording import counted, date_words, sentence
from assay.report.study.features import correlations_section, essays_section, means_section, weights_section
from assay.report.study.paper import AGREEMENT, SYSTEM_WORDS, program_words
from assay.report.study.systems import length_section, reliability_section, systems_section

if TYPE_CHECKING:
    from assay.essays.study.study import Study

RECIPE_WORDS = {
    "paper": "as the paper did it: features as measured, max. cos. as a score point, cutoffs by signal detection",
    "assay": "as assay essays train does: features in their own shapes, max. cos. smoothed, balanced cutoffs",
}
MAIN_WEIGHT = 0.2


def study_report(study: "Study", *, source: str, provenance: Provenance) -> Document:
    """The whole report; it opens with the program that has the most essays."""
    program = max(study.descriptives[: len(study.programs)], key=lambda own: own.essays).program
    main = [(system, MAIN_WEIGHT) for system in ERATER] + [("v1", None), ("human", None)]
    figures = [study.systems.of(system, program, weight) for system, weight in main]
    known = [own for own in figures if own is not None and not isnan(own.mean_kappa)]
    many, day = len(study.programs) > 1, f" {date_words(provenance.created)}." if provenance.created else ""
    programs = f" in {counted(len(study.programs), 'program')}" if many else ""
    lead, rest = _verdict(known, f" in {program_words(program)}" if many else "")
    return Document(
        title=f"Study of “{source}”",
        subtitle=f"{counted(study.essays, 'essay')} on {counted(study.prompts, 'prompt')}{programs}.{day}",
        verdict_lead=lead,
        verdict_rest=rest,
        key_figures=_key_figures(study, known),
        figures_note="Means over prompts, on essays that the model has not seen. Length has 0.2 of all weights.",
        sections=(
            essays_section(study),
            correlations_section(study),
            means_section(study),
            weights_section(study),
            length_section(study),
            systems_section(study),
            reliability_section(study),
            _method(study, provenance),
        ),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def _verdict(figures: Sequence[SystemFigures], where: str) -> tuple[str, str]:
    """Which system agrees best, and what the others and two human raters reach."""
    machines = sorted((own for own in figures if own.system != "human"), key=lambda own: -own.mean_kappa)
    if machines:
        best = machines[0]
        lead = f"{SYSTEM_WORDS[best.system]} models agree best with the human score: mean kappa {best.mean_kappa:.2f}."
    else:
        lead = "Too few essays to compare systems."
    others = [f"{SYSTEM_WORDS[own.system]} {own.mean_kappa:.2f}" for own in machines[1:]]
    others += [f"two human raters {own.mean_kappa:.2f}" for own in figures if own.system == "human"]
    return lead, sentence(f"the others{where}: {', '.join(others)}") if others else ""


def _key_figures(study: "Study", figures: Sequence[SystemFigures]) -> tuple[KeyFigure, ...]:
    rows = []
    for own in figures:
        title, note = SYSTEM_WORDS[own.system], f"mean kappa, {counted(own.n, 'prompt')}"
        if own.system == "human":
            rows.append((title, "mean kappa of two people", own.mean_kappa, "first and second rating"))
        else:
            rows.append((title, note, own.mean_kappa, f"paper {AGREEMENT[own.system, own.length_weight][0]}"))
    if not isinstance(study.reliability, Missing):
        retest = study.reliability.multimethod.reliability["erater"]
        rows.append(("Retest", "automated score of two essays", retest, "paper 0.60"))
    return tuple(
        KeyFigure(title, note, Estimate(value), remark=remark, axis=(0, 1)) for title, note, value, remark in rows
    )


def _method(study: "Study", provenance: Provenance) -> Section:
    inputs = ", ".join(f"{name} (SHA-256 {digest[:12]})" for name, digest in provenance.inputs.items())
    return Section(
        "How this was made",
        (
            Paragraph(
                "Tables 1 to 9 of Attali & Burstein (2005), Automated Essay Scoring With E-rater v.2.0, on this "
                f"corpus. Models were built {RECIPE_WORDS[study.recipe]}. Weights are estimated on the average human "
                "score, cutoffs and agreement on the resolved one."
            ),
            Paragraph(
                "Prompt-specific vocabulary of an essay is measured against other essays of its prompt, never against "
                f"itself. Prompts are cut in halves by chance (seed {study.seed})."
            ),
            Paragraph(("Input: ", Code(inputs), ". Command: ", Code(provenance.command or "none")), quiet=True),
        ),
    )
