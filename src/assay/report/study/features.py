"""Tables 1 to 4 of a study: the essays, how features go with scores, what they weigh."""

from dataclasses import astuple
from math import isnan
from statistics import fmean
from typing import TYPE_CHECKING

from assay.essays.study.corpus import Missing
from assay.metrics.intervals import Estimate
from assay.report.document.document import Block, Disclosure, Note, Paragraph, Section
from assay.report.document.values import (
    INTEGER,
    PERCENT,
    SIGNED,
    Column,
    FormattedEstimate,
    Number,
    Row,
    Table,
    columns_of,
)
from assay.report.document.wording import counted, listed
from assay.report.study import paper

if TYPE_CHECKING:
    from assay.essays.study.study import Study

SMALL = Number(decimals=4)
SHARE = Number(decimals=0, percent=True)
MOST_PROGRAMS = 12
"""Columns of programs that a table can hold on a page."""


def essays_section(study: "Study") -> Section:
    """Table 1."""
    no_raters = "scales differ" if study.has_second_rater else "one rating"
    columns = columns_of(
        "Program",
        *paper.figures("Essays", "Prompts", "Essays per prompt", number=INTEGER),
        Column("Mean AHS", "number", undefined="scales differ"),
        Column("SD AHS", "number", name="sd_ahs", undefined="scales differ"),
        ("Mean words", INTEGER),
        *paper.figures("Raters' r", "Raters' QWK", undefined=no_raters),
    )
    rows = tuple((paper.program_words(own.program), *astuple(own)[1:]) for own in study.descriptives)
    title, programs = "Table 1. Essays and average human scores", len(study.programs)
    table = Table("table1_descriptives", title, columns, rows[:programs], rows[programs:])
    ahs = (
        "AHS, the average human score, is the mean of the first two ratings."
        if study.has_second_rater
        else "There is one rating per essay, which stands for AHS, the average human score."
    )
    different = set(study.scales.values())
    if len(different) == 1:
        scales = f"Scores are on a scale of {different.pop()}."
    else:
        scales = f"Scales: {listed([f'{paper.program_words(p)}: {scale}' for p, scale in study.scales.items()])}."
    blocks: list[Block] = [Paragraph(f"{ahs} {scales}"), table]
    if study.left_out:
        reasons = listed([f"{count:,} with {reason}" for reason, count in study.left_out.items()])
        blocks.append(Note(f"Left out: {reasons}."))
    return Section("Essays", tuple(blocks))


def correlations_section(study: "Study") -> Section:
    """Table 2, with the range of the paper's programs beside."""
    by_program, overall = study.correlations.by_program, study.correlations.overall
    shown = list(by_program)[:MOST_PROGRAMS] if len(by_program) > 1 else []
    titles = (*map(paper.program_words, shown), "All prompts", "Paper, lowest", "Paper, highest")
    columns = (Column("Feature"), *paper.figures(*titles, number=SIGNED))
    rows: tuple[Row, ...] = tuple(
        (words, *(by_program[p][n] for p in shown), overall[n], min(paper.CORRELATIONS[n]), max(paper.CORRELATIONS[n]))
        for n, words in paper.FEATURE_WORDS.items()
    )
    best = sorted((name for name in overall if not isnan(overall[name])), key=lambda name: -abs(overall[name]))[:3]
    closest = f"Closest to the human score: {listed([paper.in_a_sentence(name) for name in best])}."
    chart = paper.beside_paper(
        "table2_chart",
        "Features and the human score",
        says=closest if best else "No correlation is defined: every prompt has too few essays.",
        alt="For each feature its mean correlation with the human score, and the mean of the paper's ten programs.",
        values={name: (Estimate(overall[name]), fmean(paper.CORRELATIONS[name])) for name in paper.FEATURE_WORDS},
        paper="the paper: mean of ten programs",
        axis_title="Mean correlation with the average human score",
        number=SIGNED,
        zero=True,
    )
    table = Table("table2_correlations", "Table 2. Mean correlations of features with AHS, over prompts", columns, rows)
    return Section("Features and scores", (chart, table, Paragraph(paper.ABBREVIATIONS, quiet=True)))


def means_section(study: "Study") -> Section:
    """Table 3."""
    means = study.means
    levels = tuple(Column(level, "number", name=f"ahs_{level}", undefined="no value") for level in means.levels)
    relative = Table(
        "table3_relative_means",
        "Table 3. Feature means at each AHS, relative to the lowest",
        (Column("Feature"), *levels),
        tuple((words, *means.relative[name]) for name, words in paper.FEATURE_WORDS.items()),
        (("Essays", *(FormattedEstimate(n, number=INTEGER) for n in means.essays)),),
    )
    plain = Table(
        "table3_means",
        "Feature means at each AHS, as measured",
        columns_of(
            "Feature",
            *(Column(c.title, "number", SMALL, name=c.name, undefined="no value") for c in levels),
            ("Mean", SMALL),
            Column("SD", "number", SMALL, name="sd"),
        ),
        tuple((words, *means.means[n], means.mean[n], means.sd[n]) for n, words in paper.FEATURE_WORDS.items()),
    )
    words = (
        "Every feature is 1 at the lowest score and falls as essays get better: error rates, type/token, vocabulary "
        "and the distance from full development as mean / lowest, the others upside down, as the paper prints them."
    )
    return Section("Features at each score", (Paragraph(words), relative, Disclosure("The means themselves", (plain,))))


def weights_section(study: "Study") -> Section:
    """Table 4."""
    if isinstance(study.weights, Missing):
        return Section("Weights", (Note(f"n/a: {study.weights.reason}."),))
    weights = study.weights
    known = {p: own for p, own in weights.by_program.items() if not isinstance(own, Missing)}
    names = [name for name in paper.FEATURE_WORDS if name != "length"]
    shown = list(known)[:MOST_PROGRAMS] if len(known) > 1 else []
    titles = (*map(paper.program_words, shown), "Average", "Paper, average")
    columns = (Column("Feature"), *paper.figures(*titles, number=PERCENT))
    rows: tuple[Row, ...] = tuple(
        (paper.FEATURE_WORDS[n], *(known[p][n] for p in shown), weights.average[n], paper.WEIGHTS[n]) for n in names
    )
    best = sorted(names, key=lambda name: -weights.average[name])[:3]
    chart = paper.beside_paper(
        "table4_chart",
        "What features weigh without length",
        says=f"The largest weights: {listed([paper.in_a_sentence(name) for name in best])}.",
        alt="For each feature its share of all standardised weights in this corpus and in the paper.",
        values={n: (_spread(weights.average[n], [own[n] for own in known.values()]), paper.WEIGHTS[n]) for n in names},
        axis_title="Share of all standardised weights; a line spans the programs",
        number=SHARE,
        axis=paper.axis_from((0.0, *(own[n] for own in known.values() for n in names), *paper.WEIGHTS.values())),
    )
    table = Table("table4_weights", "Table 4. Standardised weights as shares of their sum", columns, rows)
    notes = [
        Note(f"{paper.program_words(p)}: n/a: {w.reason}.")
        for p, w in weights.by_program.items()
        if isinstance(w, Missing)
    ]
    words = (
        f"Regression of AHS on eleven features, for {counted(len(known), 'program')}. A feature that least squares "
        "would turn against its own correlation weighs nothing."
    )
    return Section("Weights", (Paragraph(words), chart, table, *notes))


def _spread(value: float, values: list[float]) -> Estimate:
    return Estimate(value, min(values), max(values)) if len(values) > 1 else Estimate(value)
