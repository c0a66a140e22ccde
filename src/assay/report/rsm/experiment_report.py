"""`Experiment` and its evaluation -> `Document`: the report of `assay rsm tool`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.report.document.document import Document, Section
from assay.report.evaluation.agreement import agreement_section
from assay.report.evaluation.distributions import distributions_section
from assay.report.evaluation.groups import groups_section
from assay.report.evaluation.raters import raters_section
from assay.report.evaluation.reading import details_section, provenance_section, reading_section
from assay.report.evaluation.report import subtitle
from assay.report.evaluation.true_score import true_score_section
from assay.report.evaluation.verdict import key_figures, verdict_lead, verdict_rest
from assay.report.rsm.data import by_group_section, data_section
from assay.report.rsm.features import features_by_group_section, features_section
from assay.report.rsm.functioning import functioning_section
from assay.report.rsm.model import model_section
from assay.report.rsm.prepared import components_section, prepared_section
from assay.report.rsm.sections import files_sections, section_names
from assay.rsm.analyses.composition import Composition
from assay.rsm.analyses.training import TrainingAnalyses
from assay.rsm.types import Experiment


@dataclass(frozen=True, eq=False, slots=True)
class ExperimentPages:
    """All that the report of an experiment tells of."""

    experiment: Experiment
    analyses: TrainingAnalyses
    composition: Composition
    evaluation: Evaluation
    provenance: Provenance
    least: Mapping[str, int] = field(default_factory=dict)
    """For each subgroup column, from how many responses on a group is shown."""
    files: Sequence[str] = ()
    """The names of the files written beside the report."""


Maker = Callable[[ExperimentPages], tuple[Section, ...]]

SECTIONS: Mapping[str, Maker] = {
    "data_description": lambda p: (data_section(p.experiment, p.composition, p.evaluation),),
    "data_description_by_group": lambda p: (by_group_section(p.composition, p.least),),
    "feature_descriptives": lambda p: (features_section(p.analyses),),
    "features_by_group": lambda p: (features_by_group_section(p.analyses, p.least),),
    "preprocessed_features": lambda p: (prepared_section(p.experiment, p.analyses),),
    "dff_by_group": lambda p: (functioning_section(p.analyses, p.least),),
    "consistency": lambda p: (raters_section(p.evaluation),),
    "model": lambda p: (model_section(p.experiment),),
    "evaluation": lambda p: (agreement_section(p.evaluation), distributions_section(p.evaluation)),
    "true_score_evaluation": lambda p: (true_score_section(p.evaluation),),
    "evaluation_by_group": lambda p: (groups_section(p.evaluation),),
    "fairness_analyses": lambda p: (groups_section(p.evaluation),),
    "pca": lambda p: (components_section(p.analyses),),
    "intermediate_file_paths": lambda p: files_sections(p.files),
    "sysinfo": lambda p: (
        details_section(p.evaluation),
        reading_section(p.evaluation, p.provenance),
        provenance_section(p.evaluation, p.provenance),
    ),
}
"""RSMTool's names of sections -> ours, in its order. Fairness analyses stand with the groups they are of."""

NEEDS_GROUPS = ("data_description_by_group", "features_by_group", "dff_by_group", "evaluation_by_group")


def experiment_report(
    pages: ExperimentPages,
    *,
    title: str,
    sections: Sequence[str] = ("all",),
    order: Sequence[str] = (),
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names, in the order asked for."""
    evaluation, made = pages.evaluation, pages.provenance.made
    figures = key_figures(evaluation)
    model = pages.experiment.model.name
    return Document(
        title=title,
        subtitle=f"{model} on {len(pages.experiment.model.features)} features. {subtitle(evaluation, made)}",
        verdict_lead=verdict_lead([figure.verdict for figure in figures if figure.target is not None]),
        verdict_rest=verdict_rest(evaluation),
        key_figures=figures,
        sections=chosen_sections(pages, sections, order),
        footer=f"Made by Assay {pages.provenance.version}. It opens without a network and holds no scripts.",
    )


def chosen_sections(pages: ExperimentPages, sections: Sequence[str], order: Sequence[str] = ()) -> tuple[Section, ...]:
    """The sections by name, each once; sections about groups only where there are groups."""
    names = section_names(SECTIONS, sections, order)
    if not pages.composition.by_group and "all" in sections:
        names = [name for name in names if name not in NEEDS_GROUPS]
    by_title: dict[str, Section] = {}
    for name in names:
        for section in SECTIONS[name](pages):
            by_title.setdefault(section.title, section)
    return tuple(by_title.values())
