"""What the reports of annotations have in common: figures in points, the rules in words, files, provenance."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.provenance import Provenance
from assay.report.document.document import Block, Note, Paragraph, Section
from assay.report.document.values import INTEGER, Code, Column, Number, Row, Strong, Table
from assay.report.document.wording import counted, date_words, listed

POINTS = Number(decimals=1)
Head: TypeAlias = Number | tuple[Number, str] | None
"""How the numbers of a column are written, perhaps with the reason given for a NaN; None for a column of words."""
LOST_TO = {
    "localisation": "localization",
    "label": "labels",
    "attributes": "attributes",
    "missed": "missed objects",
    "extra": "extra annotations",
    "near_miss": "near misses",
    "nothing_matched": "having matched nothing",
    "override": "overrides",
}
FIGURES: Mapping[str, tuple[str, str]] = {
    "overall": ("Score", "of 100"),
    "quality": ("Match quality", "mean score of what was matched"),
    "completeness": ("Completeness", "F-beta of found, missed and extra"),
    "localisation": ("Localization", "overlap or keypoint similarity"),
    "label": ("Label", "likeness of the labels"),
    "attributes": ("Attributes", "likeness of the values"),
}
"""What a figure is called, and what it measures."""


def weight_words(rubric: Rubric) -> dict[str, str]:
    """How much each figure counts."""
    quality, completeness = (100 * share for share in rubric.weights.of_overall)
    parts = dict(zip(("localisation", "label", "attributes"), rubric.weights.of_match, strict=True))
    return {
        "quality": f"{quality:.3g}\u00a0% of the score",
        "completeness": f"{completeness:.3g}\u00a0% of the score",
        **{name: f"{100 * share:.3g}\u00a0% of a match" for name, share in parts.items()},
    }


def table(name: str, caption: str, heads: Mapping[str, Head], rows: Sequence[Row]) -> Table:
    """A table: the title of each column -> how its numbers are written, None for words."""
    numbers = {title: head if isinstance(head, tuple) else (head, "") for title, head in heads.items()}
    columns = tuple(
        Column(title, "number", number, undefined=reason) if number else Column(title)
        for title, (number, reason) in numbers.items()
    )
    return Table(name, caption, columns, tuple(rows))


def rules_section(rubric: Rubric) -> Section:
    """The rules in words: headings with the lines below them; a line that goes on is one."""
    changed = listed([name.replace("_", " ") for name in rubric.departures()])
    plain = ", with the labels and attributes of this ground truth"
    other = f" with other settings for {changed}" if changed else plain
    groups: list[tuple[str, list[str]]] = []
    for line in filter(str.strip, pseudocode(rubric).splitlines()):
        if not line.startswith(" "):
            groups.append((line.strip(), []))
        elif line.startswith("     ") and groups[-1][1]:
            groups[-1][1][-1] += " " + line.strip()
        else:
            groups[-1][1].append(line.strip())
    blocks: list[Block] = [Paragraph(f"The rules are those of the profile {rubric.profile}{other}.")]
    for heading, lines in groups:
        said = " ".join(line if line.endswith((".", ":")) else f"{line}." for line in lines)
        blocks.append(Paragraph((Strong(f"{heading.capitalize()}. "), said)))
    return Section("The rules", tuple(blocks))


def problem_table(problems: Iterable[tuple[str, FileProblem]]) -> Table | None:
    """What was wrong in files, and what became of it; None when nothing was."""
    # what is lost first, then whole images that are not there, then what does no harm
    order = sorted(problems, key=lambda one: (not one[1].lost, "not in the" not in one[1].what))
    rows = [(whose, p.where, p.what, p.count, "not scored" if p.lost else "scored") for whose, p in order]
    heads = {"File of": None, "Where": None, "What": None, "Times": INTEGER, "What became of it": None}
    return table("problems", "Problems in the files", heads, rows) if rows else None


def file_notes(score: SubmissionScore) -> Iterable[tuple[str, FileProblem]]:
    """What was noticed about the files, with the file it concerns."""
    first, second = len(score.truth.problems), len(score.truth.problems) + len(score.submission.problems)
    for number, note in enumerate(score.notes):
        yield ("ground truth" if number < first else "submission" if number < second else "comparison"), note


PLURALS = {"box": "boxes", "points": "sets of points"}


def files_table(sets: Iterable[tuple[str, AnnotationSet]]) -> Table:
    """The files that were read, by whose they are."""
    heads = {"Whose": None, "File": None, "Format": None, "Images": INTEGER, "Annotations": INTEGER, "Kinds": None}
    rows = []
    for name, own in sets:
        kinds = listed([counted(count, kind, PLURALS.get(kind, "")) for kind, count in own.counts().items()])
        rows.append((name, own.source, own.format, len(own.images), len(own), kinds or "no annotations"))
    return table("files", "Files that were read", heads, rows)


def failures(failed: Mapping[str, str]) -> tuple[Block, ...]:
    """Files that could not be scored, each with its reason."""
    return tuple(Note((Strong(name), f" could not be scored. {error}"), "caution") for name, error in failed.items())


def provenance_section(provenance: Provenance) -> Section:
    """What produced the report."""
    when = f" on {date_words(provenance.created)}" if provenance.created else ""
    says = f"Made by Assay {provenance.version}{when}. The same files give the same figures."
    blocks: list[Block] = [Paragraph(says)]
    if provenance.command:
        blocks.append(Paragraph(("Command: ", Code(provenance.command)), quiet=True))
    rows = [(name, (Code(digest),)) for name, digest in provenance.inputs.items()]
    if rows:
        heads = {"File": None, "SHA-256": None}
        blocks.append(table("inputs", "Files, with the SHA-256 of their content", heads, rows))
    return Section("Provenance", tuple(blocks))


def day_words(provenance: Provenance) -> str:
    """The day the report was made, to end a subtitle; empty when it is not known."""
    return f" {date_words(provenance.created)}." if provenance.created else ""


def footer(provenance: Provenance) -> str:
    return f"Made by Assay {provenance.version}. It opens without a network and holds no scripts."
