"""Experiment and evaluation -> `Document`: the reports of `assay rsm tool` and `assay rsm predict`."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assay import __version__
from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.report.charts.charts import Bar, Bars
from assay.report.document.document import Block, Document, Note, Paragraph, Section
from assay.report.document.values import INTEGER, Column, Row, Table, columns_of
from assay.report.document.wording import be, counted, listed
from assay.report.evaluation.agreement import agreement_section
from assay.report.evaluation.data import scale_words
from assay.report.evaluation.distributions import distributions_section
from assay.report.evaluation.groups import groups_section
from assay.report.evaluation.raters import raters_section, true_score_section
from assay.report.evaluation.reading import (
    FOOTER,
    NO_SECTIONS,
    details_section,
    files_sections,
    provenance_section,
    reading_section,
    section_names,
)
from assay.report.evaluation.report import subtitle
from assay.report.evaluation.verdict import key_figures, verdict_lead, verdict_rest
from assay.report.rsm.features import features_by_group_section, features_section, functioning_section
from assay.report.rsm.model import model_section
from assay.report.rsm.prepared import components_section, prepared_section
from assay.rsm.analyses import TrainingAnalyses
from assay.rsm.experiment import Experiment
from assay.rsm.filtering import Composition


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
    own: Mapping[str, Section] = NO_SECTIONS,
) -> Document:
    """The whole report, or the sections asked for by RSMTool's names, in the order asked for.

    Each section is there once; sections about groups only where there are groups.
    """
    evaluation, model = pages.evaluation, pages.experiment.model
    figures = key_figures(evaluation)
    names = section_names(SECTIONS, sections, order, own)
    if not pages.composition.by_group and "all" in sections:
        names = [name for name in names if name not in NEEDS_GROUPS]
    by_title: dict[str, Section] = {}
    for name in names:
        if name in own:
            by_title[f"own {name}"] = own[name]
            continue
        for section in SECTIONS[name](pages):
            by_title.setdefault(section.title, section)
    return Document(
        title=title,
        subtitle=f"{model.name} on {len(model.features)} features. {subtitle(evaluation, pages.provenance.created)}",
        verdict_lead=verdict_lead([judgement.verdict for judgement in evaluation.judgements]),
        verdict_rest=verdict_rest(evaluation),
        key_figures=figures,
        sections=tuple(by_title.values()),
        footer=FOOTER.format(pages.provenance.version),
    )


KINDS = ("human score a number other than 0", "human score 0", "no human score")
MOST_GROUPS = 60


def data_section(experiment: Experiment, composition: Composition, evaluation: Evaluation) -> Section:
    """What was read, left out and used, of both sets."""
    train, test, shared = (getattr(composition.responses, name) for name in ("training", "evaluation", "both"))
    opening = f"The model is trained on {counted(train, 'response')} and evaluated on {counted(test, 'response')}."
    sets = {"Training": experiment.train, "Evaluation": experiment.test}
    left_out = [partition.left_out() for partition in sets.values()]
    steps: list[Row] = [("Read", *(len(partition.read) for partition in sets.values()))]
    for reason in dict.fromkeys(reason for counts in left_out for reason in counts):
        steps.append((f"Left out: {reason}", *(-counts.get(reason, 0) for counts in left_out)))
    used: Row = ("Used", *(len(partition.used) for partition in sets.values()))
    counts = {"Responses": composition.responses}
    counts |= {"Candidates": composition.candidates} if composition.candidates else {}
    counts |= {f"Groups of {column}": part for column, part in composition.groups.items()}
    rows = tuple((name, part.training, part.evaluation, part.both, part.total) for name, part in counts.items())
    blocks: list[Block] = [
        Paragraph(opening),
        Table("responses", "Responses read, left out and used", _counts("Step", *sets), tuple(steps), foot=(used,)),
        Table("data_composition", "What the two sets are made of", _counts("Different", *sets, "Both", "Total"), rows),
    ]
    if shared and test:
        all_of = "All" if shared == test else f"{shared:,} of {test:,}"
        words = (
            f"{all_of} evaluation responses were also used in training: the model knows them, and will look better on "
            "them than on new responses."
        )
        blocks.append(Note(words, "caution"))
    parts = (composition.train_left_out, composition.test_left_out)
    if any(part.any for part in parts):
        kinds = ("all features numbers", "some feature no number")
        columns = _counts("Left out (without flags)", *(f"{name}, {kind}" for name in sets for kind in kinds))
        lacking: tuple[Row, ...] = tuple(
            (name, *(n for part in parts for n in (part.complete[kind], part.incomplete[kind])))
            for kind, name in enumerate(KINDS)
        )
        blocks.append(Table("excluded_composition", "Responses left out, by what they lack", columns, lacking))
    blocks += [Note(note) for note in experiment.notes]
    if experiment.unscored is not None:
        n = len(experiment.unscored.used)
        blocks.append(
            Paragraph(f"{counted(n, 'evaluation response')} without a human score {be(n)} scored, but not evaluated.")
        )
    return Section("Data", (*blocks, Paragraph(scale_words(evaluation))))


def _counts(first: str, *titles: str) -> tuple[Column, ...]:
    return columns_of(first, *((title, INTEGER) for title in titles))


def by_group_section(composition: Composition, least: Mapping[str, int]) -> Section:
    """How many responses each group has."""
    blocks: list[Block] = []
    for column, groups in composition.by_group.items():
        rows = tuple((name, train, test) for name, (train, test) in groups.items())[:MOST_GROUPS]
        columns = _counts(column, "Training", "Evaluation")
        blocks.append(Table(f"data_composition_by_{column}", f"Responses by {column}", columns, rows))
        if len(groups) > MOST_GROUPS:
            blocks.append(Paragraph(f"Shown are {MOST_GROUPS} of {len(groups)} groups; the file has all.", quiet=True))
        small = [name for name, counts in groups.items() if min(counts) < least.get(column, 0)]
        if small:
            few = f"Groups of {column} with fewer than {least[column]} responses are not shown below: "
            blocks.append(Paragraph(f"{few}{listed(small, 8, 'group')}.", quiet=True))
    return Section("Responses by group", tuple(blocks) or (Paragraph("No subgroups were named."),))


def predict_report(final: Iterable[float], excluded: int, *, experiment_id: str) -> Document:
    """The whole report. `final` are the rounded scores on the scale of the human ones."""
    scores = sorted(Counter(final).items())
    count = sum(n for _, n in scores)
    columns = (Column("Responses"), Column("Count", "number", INTEGER))
    blocks: list[Block] = [
        Table("responses", "Responses", columns, (("Scored", count), ("Could not be scored", excluded)))
    ]
    if scores:
        most, times = max(scores, key=lambda item: item[1])
        says = f"The most common score is {most:g}, given to {counted(times, 'response')}."
        bars = tuple(Bar(f"{score:g}", n) for score, n in scores)
        title = "Distribution of scores"
        blocks.append(Bars(name="scores", title=title, says=says, alt=f"Bars of {len(bars)} scores. {says}", bars=bars))
    return Document(
        title=f"Scores by “{experiment_id}”",
        subtitle=f"{counted(count, 'response')} scored.",
        sections=(Section("Scores", tuple(blocks)),),
        footer=FOOTER.format(__version__),
    )
