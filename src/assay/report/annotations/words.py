"""What the reports of annotations have in common: figures in points, the rules in words, files, provenance."""

from collections.abc import Iterable, Mapping, Sequence

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.document.document import (
    INTEGER,
    Block,
    Code,
    Column,
    KeyFigure,
    Note,
    Number,
    Paragraph,
    Section,
    Strong,
    Table,
)
from assay.report.document.phrases import counted, date_words, listed

POINTS = Number(decimals=1)
FIGURES: Mapping[str, tuple[str, str]] = {
    "overall": ("Score", "of 100"),
    "quality": ("Match quality", "mean score of what was matched"),
    "completeness": ("Completeness", "F-beta of found, missed and extra"),
    "localisation": ("Place", "overlap or keypoint similarity"),
    "label": ("Label", "likeness of the labels"),
    "attributes": ("Attributes", "likeness of the values"),
}
"""What a figure is called, and what it measures."""

FIGURES_NOTE = (
    "Each in points of 100, with its 95\u00a0% interval over images: how far it could have come out otherwise on other "
    "images of the same kind."
)


def measured(figure: Estimate, *, why_not: str = "") -> Estimate:
    """A figure as the report has it."""
    return Estimate(figure.value, figure.low, figure.high, figure.reason or why_not)


def weight_words(rubric: Rubric) -> dict[str, str]:
    """How much each figure counts."""
    quality, completeness = (100 * share for share in rubric.weights.of_overall)
    parts = dict(zip(("localisation", "label", "attributes"), rubric.weights.of_match, strict=True))
    return {
        "quality": f"{quality:.3g}\u00a0% of the score",
        "completeness": f"{completeness:.3g}\u00a0% of the score",
        **{name: f"{100 * share:.3g}\u00a0% of a match" for name, share in parts.items()},
    }


def key_figures(figures: Mapping[str, Estimate], rubric: Rubric, remark: str = "") -> tuple[KeyFigure, ...]:
    """The six figures of a submission; what each counts stands where a verdict would."""
    remarks = weight_words(rubric) | {"overall": remark or "no threshold"}
    return tuple(
        KeyFigure(title, note, measured(figures[name]), number=POINTS, axis=(0.0, 100.0), remark=remarks[name])
        for name, (title, note) in FIGURES.items()
    )


def rules_section(rubric: Rubric) -> Section:
    """The rules in words."""
    blocks: list[Block] = [Paragraph(_opening(rubric))]
    for heading, lines in _groups(pseudocode(rubric)):
        blocks.append(Paragraph((Strong(f"{heading.capitalize()}. "), " ".join(_sentence(line) for line in lines))))
    return Section("The rules", tuple(blocks))


def _opening(rubric: Rubric) -> str:
    changed = rubric.departures()
    base = f"The rules are those of the profile {rubric.profile}"
    if not changed:
        return f"{base}, with the labels and attributes of this ground truth."
    return f"{base} with other settings for {listed([name.replace('_', ' ') for name in changed])}."


def _groups(text: str) -> Iterable[tuple[str, list[str]]]:
    """Headings with the lines below them; a line that goes on is one."""
    groups: list[tuple[str, list[str]]] = []
    for line in filter(str.strip, text.splitlines()):
        if not line.startswith(" "):
            groups.append((line.strip(), []))
        elif line.startswith("     ") and groups[-1][1]:
            groups[-1][1][-1] += " " + line.strip()
        else:
            groups[-1][1].append(line.strip())
    return groups


def _sentence(line: str) -> str:
    return line if line.endswith((".", ":")) else f"{line}."


def problem_table(name: str, caption: str, problems: Iterable[tuple[str, FileProblem]]) -> Table | None:
    """What was wrong in files, and what became of it; None when nothing was."""
    rows = tuple(
        (whose, problem.where, problem.what, problem.count, "not scored" if problem.lost else "scored")
        for whose, problem in problems
    )
    columns = (
        Column("File of"),
        Column("Where"),
        Column("What"),
        Column("Times", "number", INTEGER),
        Column("What became of it"),
    )
    return Table(name, caption, columns, rows) if rows else None


def told_notes(score: SubmissionScore) -> Iterable[tuple[str, FileProblem]]:
    """What was noticed about the files, with the file it concerns."""
    first, second = len(score.truth.problems), len(score.truth.problems) + len(score.submission.problems)
    for number, note in enumerate(score.notes):
        yield ("ground truth" if number < first else "submission" if number < second else "comparison"), note


PLURALS = {"box": "boxes", "points": "sets of points"}


def set_row(name: str, annotations: AnnotationSet) -> tuple[str, str, str, int, int, str]:
    """A line about a file."""
    kinds = listed([counted(count, kind, PLURALS.get(kind, "")) for kind, count in annotations.counts().items()])
    return (
        name,
        annotations.source,
        annotations.format,
        len(annotations.images),
        len(annotations),
        kinds or "no annotations",
    )


def files_table(rows: Sequence[tuple[str, str, str, int, int, str]]) -> Table:
    """The files that were read."""
    columns = (
        Column("Whose"),
        Column("File"),
        Column("Format"),
        Column("Images", "number", INTEGER),
        Column("Annotations", "number", INTEGER),
        Column("Kinds"),
    )
    return Table("files", "Files that were read", columns, tuple(rows))


def failures(failed: Mapping[str, str]) -> tuple[Block, ...]:
    """Files that could not be scored, each with its reason."""
    return tuple(Note((Strong(name), f" could not be scored. {error}"), "caution") for name, error in failed.items())


def provenance_section(provenance: Provenance) -> Section:
    """What produced the report."""
    when = f" on {date_words(provenance.made)}" if provenance.made else ""
    blocks: list[Block] = [
        Paragraph(f"Made by Assay {provenance.version}{when}. The same files give the same figures.")
    ]
    if provenance.command:
        blocks.append(Paragraph(("Command: ", Code(provenance.command)), quiet=True))
    rows = tuple((name, (Code(digest),)) for name, digest in provenance.inputs.items())
    if rows:
        blocks.append(
            Table("inputs", "Files, with the SHA-256 of their content", (Column("File"), Column("SHA-256")), rows)
        )
    return Section("Provenance", tuple(blocks))


def footer(provenance: Provenance) -> str:
    return f"Made by Assay {provenance.version}. It opens without a network and holds no scripts."
