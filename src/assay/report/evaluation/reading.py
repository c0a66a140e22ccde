"""Which sections a report has, and its last: further tables, how to read it all, files, and where it comes from."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from types import MappingProxyType

from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import RSMTOOL, THRESHOLDS, WILLIAMSON
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import BLOCKS
from assay.provenance import Provenance
from assay.report.document.document import Block, Disclosure, Paragraph, Section, Subheading
from assay.report.document.metric_words import METRIC_WORDS, shown, source_words, target_words
from assay.report.document.values import Code, Column, Row, Spans, Strong, Table
from assay.report.document.wording import counted, date_words
from assay.report.evaluation.facts import judgements
from assay.report.evaluation.groups import coefficients_table, full_groups_table, raters_by_group_table
from assay.report.evaluation.raters import degradation_table, disattenuated_table

FOOTER = "Made by Assay {}. It opens without a network and holds no scripts."
VERDICT_WORDS = (
    ("met", "The figure and its whole interval lie where they should."),
    ("met, uncertain", "The figure lies where it should, but its interval reaches beyond the threshold."),
    (
        "not met, uncertain",
        "The figure lies beyond the threshold, but its interval reaches back to where it should be.",
    ),
    ("not met", "The figure and its whole interval lie beyond the threshold."),
)

MOST_IN_FULL = 400
"""With more groups in all, the tables of every figure stay out of the report, which would grow beyond 2 MB."""

VERDICTS_TABLE = Table(
    "verdicts", "What the four verdicts mean", (Column("Verdict", "verdict"), Column("Meaning")), VERDICT_WORDS
)

FORM_WORDS = {
    "raw": "as it is",
    "raw_trim": "trimmed to the scale",
    "raw_trim_round": "trimmed and rounded",
    "scale": "scaled",
    "scale_trim": "scaled, trimmed",
    "scale_trim_round": "scaled, trimmed and rounded",
}


def details_section(evaluation: Evaluation) -> Section:
    """Every table that has no place above."""
    tables: list[tuple[str, Table]] = []
    if evaluation.degradation:
        tables.append(("System minus second rater, for every form of the system score", degradation_table(evaluation)))
    if evaluation.disattenuated:
        tables.append(("Disattenuated correlations, for every form", disattenuated_table(evaluation)))
    in_full = sum(len(grouping.groups) for grouping in evaluation.groupings) <= MOST_IN_FULL
    for grouping in evaluation.groupings:
        raters = raters_by_group_table(grouping)
        tables += [(f"Two raters, by {grouping.column}", raters)] if raters else []
        if any(group.shown for group in grouping.groups) and in_full:
            tables.append((f"Every figure by {grouping.column}", full_groups_table(evaluation, grouping)))
        coefficients = coefficients_table(grouping)
        tables += [(f"Errors by {grouping.column}: coefficients", coefficients)] if coefficients.rows else []
    disclosures = (Disclosure(summary, (table,)) for summary, table in tables)
    return Section("Details", (Paragraph(beside_words("evaluation.json")), *disclosures))


def beside_words(figures: str) -> Spans:
    """Where the tables and the figures are."""
    tables = ("Every table of this report is a CSV file in ", Code("tables/"), " beside it; every figure is in ")
    return (*tables, Code(figures), ".")


def reading_section(evaluation: Evaluation, provenance: Provenance) -> Section:
    """How to read the report."""
    used = {*PAIR_METRICS, *THRESHOLDS, *evaluation.further, *evaluation.reliability, "dsm", "prmse"}
    blocks: tuple[Block, ...] = (
        Paragraph(
            interval_words(evaluation.bootstrap_draws, provenance.seed, by_candidate=evaluation.plan.by_candidate)
        ),
        Subheading("Thresholds"),
        _thresholds_table(evaluation),
        Paragraph(
            f"Sources: {WILLIAMSON}, Educational Measurement: Issues and Practice 31(1); {RSMTOOL}. They are rules of "
            "thumb: what a score is used for decides what it must reach.",
            quiet=True,
        ),
        Subheading("Verdicts"),
        VERDICTS_TABLE,
        glossary(used),
    )
    return Section("How to read this", blocks)


def interval_words(draws: int, seed: int, *, by_candidate: bool) -> Spans:
    """What an interval is and how it was made: by so many bootstrap draws, or by the jackknife."""
    units = "all responses of a candidate" if by_candidate else "responses"
    if draws:
        how = f"It comes from a bootstrap: {units} are drawn again with replacement {draws:,} times (seed {seed})."
    else:
        how = (
            "It comes from a jackknife: each figure is computed again without each of up to "
            f"{BLOCKS} blocks of {units}, and the spread of the results gives a t interval, or Wilson’s interval for "
            "percentages."
        )
    return (
        Strong("Intervals."),
        " A 95 % interval is the stretch of values that agrees with these responses: were such responses drawn again "
        f"and again, 95 of 100 such intervals would hold the figure of all responses of this kind. {how}",
    )


def _thresholds_table(evaluation: Evaluation) -> Table:
    """Every published threshold, and how this evaluation stands to it."""
    value, judged = Column("Value", "estimate"), judgements(evaluation)
    columns = (Column("Figure"), Column("Threshold"), value, Column("Verdict", "verdict"), Column("Source"))
    rows: list[Row] = []
    for name, threshold in THRESHOLDS.items():
        judgement = judged.get(name)
        cells: Row = (shown(name, judgement.estimate), judgement.verdict) if judgement else (None, None)
        rows.append((METRIC_WORDS[name].title, target_words(name), *cells, source_words(threshold)))
    rows.append(("Share of a score", "at most 5 percentage points apart", None, None, "RSMTool 12"))
    return Table("thresholds", "Published thresholds", columns, tuple(rows))


def glossary(used: Container[str]) -> Disclosure:
    """Each figure of a report in one line."""
    rows = tuple((words.title, words.says) for name, words in METRIC_WORDS.items() if name in used)
    table = Table("glossary", "What each figure says", (Column("Figure"), Column("What it says")), rows)
    return Disclosure("Every figure in one line", (table,))


def provenance_section(evaluation: Evaluation, provenance: Provenance) -> Section:
    """What produced the report."""
    plan = evaluation.plan
    settings: list[Row] = [
        ("System score", evaluation.engine),
        ("Human score" if len(evaluation.raters) == 1 else "Human scores", ", ".join(evaluation.raters)),
        ("Scale", str(plan.scale) if plan.scale else "none"),
        ("Form that decides", f"{plan.trimmed} ({FORM_WORDS.get(plan.trimmed, plan.trimmed)})"),
        ("Human scores of 0", "left out" if plan.leave_out_zeros else "kept"),
        ("Least group shown", counted(plan.least_group, "response")),
    ]
    if plan.error_variance is not None:
        settings.append(("Rater error variance", f"{plan.error_variance:g}, given"))
    settings += [("Cut scores", ", ".join(f"{cut:g}" for cut in plan.cuts))] if plan.cuts else []
    settings += [("Groups", ", ".join(g.column for g in evaluation.groupings))] if evaluation.groupings else []
    table = provenance_table(provenance, evaluation.bootstrap_draws, settings)
    return Section("Provenance", (Paragraph("The same version, input and settings give the same figures."), table))


def provenance_table(provenance: Provenance, draws: int, settings: Sequence[Row] = ()) -> Table:
    """What produced a report: version, time, input, settings, and the seed where chance had a part."""
    rows: tuple[Row, ...] = (
        ("Version", f"Assay {provenance.version}"),
        ("Made", date_words(provenance.created)),
        *input_rows(provenance),
        *settings,
        ("Seed", str(provenance.seed) if draws else "none: nothing was drawn at random"),
    )
    return Table("provenance", "What produced this report", (Column("What"), Column("Value")), rows)


def input_rows(provenance: Provenance) -> list[Row]:
    """The command and every input with its digest."""
    rows: list[Row] = [("Command", (Code(provenance.command),))] if provenance.command else []
    for file, digest in provenance.inputs.items():
        rows.append(("Input", (Code(file), ", SHA-256 ", Code(digest))))
    return rows


NO_SECTIONS: Mapping[str, Section] = MappingProxyType({})


def section_names(
    known: Iterable[str], sections: Sequence[str] = ("all",), order: Sequence[str] = (), own: Iterable[str] = ()
) -> list[str]:
    """The known sections that are wanted: first those with a place of their own, then the others in their usual order.

    >>> section_names(["data", "model", "pca"], ["pca", "data"]), section_names(["data", "model", "pca"], order=["pca"])
    (['data', 'pca'], ['pca', 'data', 'model'])

    Sections of the user's own are always wanted, and come last unless they have a place.
    """
    chosen = [*(name for name in known if "all" in sections or name in sections), *own]
    first = [name for name in dict.fromkeys(order) if name in chosen]
    return first + [name for name in chosen if name not in first]


def chosen_sections(
    makers: Mapping[str, Callable[[], tuple[Section, ...]]],
    sections: Sequence[str],
    order: Sequence[str] = (),
    own: Mapping[str, Section] = NO_SECTIONS,
) -> tuple[Section, ...]:
    """The sections that are wanted, each made by its name, and the user's own."""
    names = section_names(makers, sections, order, own)
    return tuple(section for name in names for section in ((own[name],) if name in own else makers[name]()))


def files_sections(files: Sequence[str]) -> tuple[Section, ...]:
    """The files beside the report, those of one kind together; nothing where the report stands alone."""
    if not files:
        return ()
    rows: tuple[Row, ...] = tuple(((Code(name),),) for name in sorted(files))
    table = Table("files", "Files beside this report", (Column("File"),), rows)
    words = ("They lie in ", Code("output/"), ", with RSMTool’s names and columns.")
    return (Section("Files", (Paragraph(words), table)),)
