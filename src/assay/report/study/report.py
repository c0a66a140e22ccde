"""`Study` -> `Document`: the tables 1 to 9 of the paper for a corpus, with charts."""

from math import isnan

from assay.essays.study.corpus import Missing
from assay.essays.study.study import Study
from assay.essays.study.systems import ERATER, SystemFigures
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.document.document import Code, Document, KeyFigure, Paragraph, Section
from assay.report.document.phrases import counted, date_words, sentence
from assay.report.study.features import correlations_section, essays_section, means_section, weights_section
from assay.report.study.paper import AGREEMENT
from assay.report.study.reliability import reliability_section
from assay.report.study.systems import length_section, systems_section
from assay.report.study.words import SYSTEM_WORDS, program_words

RECIPE_WORDS = {
    "paper": "as the paper did it: features as measured, max. cos. as a score point, cutoffs by signal detection",
    "assay": "as assay essays train does: features in their own shapes, max. cos. smoothed, balanced cutoffs",
}
MAIN_WEIGHT = 0.2


def study_report(study: Study, *, source: str, provenance: Provenance) -> Document:
    """The whole report."""
    return Document(
        title=f"Study of “{source}”",
        subtitle=_subtitle(study, provenance.made),
        verdict_lead=_lead(study),
        verdict_rest=_rest(study),
        key_figures=_key_figures(study),
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


def _subtitle(study: Study, made: str) -> str:
    programs = f" in {counted(len(study.programs), 'program')}" if len(study.programs) > 1 else ""
    day = f" {date_words(made)}." if made else ""
    return f"{counted(study.essays, 'essay')} on {counted(study.prompts, 'prompt')}{programs}.{day}"


def _main(study: Study, program: str) -> list[SystemFigures]:
    wanted = [(system, MAIN_WEIGHT) for system in ERATER] + [("v1", None)]
    found = [study.systems.of(system, program, weight) for system, weight in wanted]
    return [own for own in found if own is not None and not isnan(own.mean_kappa)]


def _largest(study: Study) -> str:
    """The program with the most essays: the one the opening speaks of."""
    return max(study.descriptives[: len(study.programs)], key=lambda own: own.essays).program


def _lead(study: Study) -> str:
    found = _main(study, _largest(study))
    if not found:
        return "Too few essays to compare systems."
    best = max(found, key=lambda own: own.mean_kappa)
    return f"{SYSTEM_WORDS[best.system]} models agree best with the human score: mean kappa {best.mean_kappa:.2f}."


def _rest(study: Study) -> str:
    program = _largest(study)
    found = sorted(_main(study, program), key=lambda own: -own.mean_kappa)[1:]
    human = study.systems.of("human", program)
    parts = [f"{SYSTEM_WORDS[own.system]} {own.mean_kappa:.2f}" for own in found]
    if human is not None and not isnan(human.mean_kappa):
        parts.append(f"two human raters {human.mean_kappa:.2f}")
    where = f" in {program_words(program)}" if len(study.programs) > 1 else ""
    return sentence(f"the others{where}: {', '.join(parts)}") if parts else ""


def _key_figures(study: Study) -> tuple[KeyFigure, ...]:
    program = _largest(study)
    figures = []
    for own in _main(study, program):
        note = f"mean kappa, {counted(own.n, 'prompt')}"
        figures.append(
            KeyFigure(SYSTEM_WORDS[own.system], note, Estimate(own.mean_kappa), remark=_paper(own), axis=(0, 1))
        )
    human = study.systems.of("human", program)
    if human is not None and not isnan(human.mean_kappa):
        figures.append(
            KeyFigure(
                "Two raters",
                "mean kappa of two people",
                Estimate(human.mean_kappa),
                remark="first and second rating",
                axis=(0, 1),
            )
        )
    if not isinstance(study.reliability, Missing):
        figures.append(
            KeyFigure(
                "Retest",
                "automated score of two essays",
                Estimate(study.reliability.multimethod.reliability["erater"]),
                remark="paper 0.60",
                axis=(0, 1),
            )
        )
    return tuple(figures)


def _paper(own: SystemFigures) -> str:
    return f"paper {AGREEMENT[own.system, own.length_weight][0]}"


def _method(study: Study, provenance: Provenance) -> Section:
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
