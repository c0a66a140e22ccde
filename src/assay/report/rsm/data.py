"""The data of an experiment in its report: how many responses, which were left out, and how the groups lie."""

from collections.abc import Mapping

from assay.evaluation.result import Evaluation
from assay.report.document.document import INTEGER, Block, Column, Note, Paragraph, Row, Section, Table
from assay.report.document.phrases import be, counted, listed
from assay.report.evaluation.data import scale_words
from assay.rsm.analyses.composition import Composition, LeftOut
from assay.rsm.experiment import Experiment
from assay.rsm.types import Partition

KINDS = ("human score a number other than 0", "human score 0", "no human score")
MOST_GROUPS = 60


def data_section(experiment: Experiment, composition: Composition, evaluation: Evaluation) -> Section:
    """What was read, left out and used, of both sets."""
    train, test = composition.responses.training, composition.responses.evaluation
    opening = f"The model is trained on {counted(train, 'response')} and evaluated on {counted(test, 'response')}."
    shared = composition.responses.both
    blocks: list[Block] = [Paragraph(opening), steps_table(experiment), composition_table(composition)]
    if shared and test:
        blocks.append(Note(_overlap_words(shared, test), "caution"))
    if composition.train_left_out.any or composition.test_left_out.any:
        blocks.append(left_out_table(composition))
    blocks += [Note(note) for note in experiment.notes]
    if experiment.unscored is not None:
        n = len(experiment.unscored.used)
        blocks.append(
            Paragraph(f"{counted(n, 'evaluation response')} without a human score {be(n)} scored, but not evaluated.")
        )
    blocks.append(Paragraph(scale_words(evaluation)))
    return Section("Data", tuple(blocks))


def _overlap_words(shared: int, test: int) -> str:
    all_of = "All" if shared == test else f"{shared:,} of {test:,}"
    return (
        f"{all_of} evaluation responses were also used in training: the model knows them, and will look better on them "
        "than on new responses."
    )


def steps_table(experiment: Experiment) -> Table:
    """Read, left out by reason, used; a column per set."""
    sets: Mapping[str, Partition] = {"Training": experiment.train, "Evaluation": experiment.test}
    reasons = dict.fromkeys(reason for partition in sets.values() for reason in partition.left_out())
    rows: list[Row] = [("Read", *(len(partition.read) for partition in sets.values()))]
    rows += [
        (f"Left out: {reason}", *(-partition.left_out().get(reason, 0) for partition in sets.values()))
        for reason in reasons
    ]
    columns = (Column("Step"), *(Column(name, "number", INTEGER) for name in sets))
    used: Row = ("Used", *(len(partition.used) for partition in sets.values()))
    return Table("responses", "Responses read, left out and used", columns, tuple(rows), foot=(used,))


def composition_table(composition: Composition) -> Table:
    """Responses, candidates and groups in either set, in both, and altogether."""
    counts = {"Responses": composition.responses}
    counts |= {"Candidates": composition.candidates} if composition.candidates else {}
    counts |= {f"Groups of {column}": part for column, part in composition.groups.items()}
    columns = (
        Column("Different"),
        *(Column(t, "number", INTEGER) for t in ("Training", "Evaluation", "Both", "Total")),
    )
    rows = tuple((name, part.training, part.evaluation, part.both, part.total) for name, part in counts.items())
    return Table("data_composition", "What the two sets are made of", columns, rows)


def left_out_table(composition: Composition) -> Table:
    """Responses left out for what they lack."""
    columns = (
        Column("Left out (without flags)"),
        Column("Training, all features numbers", "number", INTEGER),
        Column("Training, some feature no number", "number", INTEGER),
        Column("Evaluation, all features numbers", "number", INTEGER),
        Column("Evaluation, some feature no number", "number", INTEGER),
    )

    def cells(part: LeftOut, kind: int) -> tuple[int, int]:
        return part.complete[kind], part.incomplete[kind]

    rows = tuple(
        (name, *cells(composition.train_left_out, kind), *cells(composition.test_left_out, kind))
        for kind, name in enumerate(KINDS)
    )
    return Table("excluded_composition", "Responses left out, by what they lack", columns, rows)


def by_group_section(composition: Composition, least: Mapping[str, int]) -> Section:
    """How many responses each group has."""
    if not composition.by_group:
        return Section("Responses by group", (Paragraph("No subgroups were named."),))
    blocks: list[Block] = []
    for column, groups in composition.by_group.items():
        most = dict(list(groups.items())[:MOST_GROUPS])
        rows = tuple((name, train, test) for name, (train, test) in most.items())
        columns = (Column(column), Column("Training", "number", INTEGER), Column("Evaluation", "number", INTEGER))
        blocks.append(Table(f"data_composition_by_{column}", f"Responses by {column}", columns, rows))
        if len(groups) > MOST_GROUPS:
            blocks.append(Paragraph(f"Shown are {MOST_GROUPS} of {len(groups)} groups; the file has all.", quiet=True))
        small = [name for name, counts in groups.items() if min(counts) < least.get(column, 0)]
        if small:
            few = f"Groups of {column} with fewer than {least[column]} responses are not shown below: "
            blocks.append(Paragraph(f"{few}{listed(small, 8, 'group')}.", quiet=True))
    return Section("Responses by group", tuple(blocks))
