"""What goes wrong over all students: classes that are confused, hard objects, kinds of error, errors in common."""

from collections import Counter
from collections.abc import Sequence

from assay.annotations.diagnosis.error_kinds import AnnotationFinding, ErrorKind
from assay.annotations.diagnosis.shared_errors import ENOUGH_OTHERS, SharedErrors
from assay.annotations.grading.graded import Batch, HardObject
from assay.annotations.grading.result import SubmissionScore
from assay.report.annotations.overlay import MarkedShape, PhotoOf, overlay_of
from assay.report.annotations.words import POINTS
from assay.report.document.document import (
    INTEGER,
    PERCENT,
    Bar,
    Bars,
    Block,
    Column,
    HeatMap,
    Note,
    Paragraph,
    Row,
    Section,
    Strong,
    Table,
)
from assay.report.document.overlay import Role
from assay.report.document.phrases import be, counted, listed, shortened

MOST_CLASSES = 30
MOST_PICTURES = 6
MOST_HARD = 15
MOST_EXAMPLES = 2
"""Students named for a kind of error, each with the first of theirs."""
NONE = "none"


def confusion_section(batch: Batch) -> Section:
    """Which class was taken for which."""
    confusion = batch.confusion
    n = len(confusion.labels)
    if not n:
        return Section("Classes", (Paragraph("There are no annotations to compare."),))
    heat = heat_of(batch) if n <= MOST_CLASSES else None
    rows = _confused(batch)
    columns = (
        Column("Class"),
        Column("Taken for"),
        Column("Times", "number", INTEGER),
        Column("Of all", "number", PERCENT),
    )
    table = Table("confused", "Classes that were taken for others, missed ones and extras left out", columns, rows)
    words = Paragraph("No class was taken for another.") if not rows else table
    return Section("Classes", (*((heat,) if heat else ()), words))


def heat_of(batch: Batch) -> HeatMap:
    """Objects by class (rows) and by the label they received (columns)."""
    confusion = batch.confusion
    names = (*(shortened(label, 14) for label in confusion.labels), NONE)
    numbered = max(len(name) for name in names) > 6
    levels = tuple(f"{i} {name}" for i, name in enumerate(names, 1)) if numbered else names
    counts = tuple(tuple(int(c) for c in row) for row in confusion.counts)
    n = len(confusion.labels)
    right, total = sum(counts[i][i] for i in range(n)), sum(sum(row[:n]) for row in counts[:n])
    missed, extra = sum(row[n] for row in counts[:n]), sum(counts[n][:n])
    says = (
        f"Of {total:,} annotations that found an object {right:,} bear its label. The last column holds {missed:,} "
        f"missed objects, the last row {extra:,} extra annotations."
    )
    return HeatMap(
        name="confusion",
        title="Class in the ground truth and label given",
        says=says,
        alt=f"Table of {n} classes by label given, over all students. {says}",
        levels=levels,
        counts=counts,
        row_title="Class in the ground truth",
        column_title="Label given by students",
        near=0,
        columns=tuple(str(i) for i in range(1, n + 2)) if numbered else (),
        key=("right label", "another label, missed or extra"),
        count_title="Annotations",
    )


def _confused(batch: Batch) -> tuple[Row, ...]:
    confusion = batch.confusion
    n = len(confusion.labels)
    pairs = [
        (int(confusion.counts[i, j]), i, j, int(confusion.counts[i, :n].sum()))
        for i in range(n)
        for j in range(n)
        if i != j and confusion.counts[i, j]
    ]
    worst = sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))[:MOST_HARD]
    return tuple((confusion.labels[i], confusion.labels[j], count, count / total) for count, i, j, total in worst)


def hardest_section(batch: Batch, photo_of: PhotoOf) -> Section:
    """The objects and images that most students fail on; perhaps it is the ground truth that errs."""
    hard = batch.hardest_objects(MOST_HARD)
    if not hard:
        return Section("Hardest objects and images", (Paragraph("Every object was found by every student."),))
    all_missed = [item for item in hard if item.missed_by == item.of and item.of > 1]
    missed, of = int((batch.missed_by > 0).sum()), int(batch.truth.to_be_found.sum())
    blocks: list[Block] = [
        Paragraph(f"{missed:,} of {counted(of, 'object')} {be(missed)} missed by at least one student.")
    ]
    if all_missed:
        blocks.append(
            Note(
                f"Every student missed {listed([_object(item) for item in all_missed], most=4, noun='object')}. "
                f"Look at the ground truth first: it may err."
            )
        )
    columns = (
        Column("Object"),
        Column("Image"),
        Column("Missed by", "number", INTEGER),
        Column("Of", "number", INTEGER),
        Column("Mean score of the others", "number", POINTS, undefined="nobody matched it"),
    )
    rows = tuple((_object(item), item.image, item.missed_by, item.of, item.mean_score) for item in hard)
    blocks.append(Table("hardest_objects", "Objects missed by the largest share of students", columns, rows))
    blocks += [_image_table(batch), *_pictures(batch, photo_of)]
    return Section("Hardest objects and images", tuple(blocks))


def _object(item: HardObject) -> str:
    return f"{item.label} {item.truth_id}"


def _image_table(batch: Batch) -> Table:
    columns = (
        Column("Image"),
        Column("Mean score", "number", POINTS),
        Column("Objects missed", "number", PERCENT),
        Column("Students", "number", INTEGER),
    )
    rows = tuple((i.image, i.mean_score, i.missed_share, i.of) for i in batch.hardest_images(10))
    return Table("hardest_images", "Images by the students' mean score, lowest first", columns, rows)


def _pictures(batch: Batch, photo_of: PhotoOf) -> list[Block]:
    """The hardest of the images on which at least half of the students missed something, and what that is."""
    truth = batch.truth.annotations
    places = {image.name: index for index, image in enumerate(truth.images)}
    blocks: list[Block] = []
    for image in batch.hardest_images(len(places)):
        shown = (truth.image == places[image.image]) & batch.truth.to_be_found
        own = [int(t) for t in shown.nonzero()[0]]
        marked = [_marked(batch, t) for t in own]
        hard = sum(1 for one in marked if one.role == "missed")
        if not hard or len(blocks) >= MOST_PICTURES:
            continue
        says = f"{hard} of {counted(len(own), 'object')} missed by at least half of the students."
        words: tuple[tuple[Role, str], ...] = (("missed", "missed by at least half"), ("truth", "found by most"))
        overlay = overlay_of(truth.images[places[image.image]], marked, photo_of, says=says, words=words)
        if overlay is not None:
            blocks.append(overlay)
    return blocks


def _marked(batch: Batch, t: int) -> MarkedShape:
    truth = batch.truth.annotations
    missed, of = int(batch.missed_by[t]), int(batch.missed_by[t] + batch.matched_by[t])
    label = truth.labels[truth.label[t]]
    hard = bool(missed) and 2 * missed >= of
    title = f"{label} {truth.ids[t]}, missed by {missed} of {of}"
    return MarkedShape(truth, t, "missed" if hard else "truth", title, label if hard else "", f"{missed} of {of}")


def errors_section(batch: Batch) -> Section:
    """Kinds of error with counts and examples."""
    totals: Counter[ErrorKind] = Counter()
    students: Counter[ErrorKind] = Counter()
    examples: dict[ErrorKind, list[str]] = {}
    for name, score in batch.scores.items():
        errors = score.errors()
        totals.update(errors)
        students.update(errors.keys())
        for kind in errors:
            if len(samples := examples.setdefault(kind, [])) < MOST_EXAMPLES:
                samples += [f"{name}, {_where(score, finding)}" for finding in score.findings.examples(kind, 1)]
    if not totals:
        return Section("Kinds of error", (Paragraph("No errors were found."),))
    order = [kind for kind, _ in totals.most_common()]
    top = order[0]
    bars = Bars(
        name="error_kinds_chart",
        title="Errors of all students by kind",
        says=f"The most frequent kind is “{top.word}”: {totals[top]:,} of {sum(totals.values()):,}.",
        alt="; ".join(f"{kind.word} {totals[kind]}" for kind in order) + ".",
        bars=tuple(Bar(kind.word, totals[kind]) for kind in order),
        bar_title="Kind of error",
        count_title="Errors",
        note="Number of errors; a match may have several.",
    )
    columns = (Column("Kind"), Column("Students", "number", INTEGER), Column("What it means"), Column("For example"))
    rows = tuple((kind.word, students[kind], kind.meaning, "; ".join(examples[kind])) for kind in order)
    return Section("Kinds of error", (bars, Table("error_kinds", "Kinds of error with examples", columns, rows)))


def _where(score: SubmissionScore, finding: AnnotationFinding) -> str:
    attribute = f" ({finding.attribute})" if finding.attribute else ""
    if finding.truth is not None:
        label = score.truth.labels[score.truth.label[finding.truth]]
        image = score.images[score.truth.image[finding.truth]].name
        return f"{label} {score.truth.ids[finding.truth]}{attribute} on {image}"
    assert finding.student is not None  # an error is about an object or an annotation
    label = score.submission.labels[score.submission.label[finding.student]]
    image = score.images[score.student_image[finding.student]].name
    return f"{label} {score.submission.ids[finding.student]}{attribute} on {image}"


def shared_section(pairs: Sequence[SharedErrors], students: int) -> Section:
    """Errors that two students have in common, as questions."""
    few = students - 2 < ENOUGH_OTHERS
    opening = (
        "Hard objects make everybody err alike. This looks for pairs of students who share more unusual errors than "
        "that explains. It is a question to ask, never a verdict."
    )
    blocks: list[Block] = [Paragraph(opening)]
    for pair in pairs:
        blocks.append(Note((Strong(pair.question), f" Among them: {listed(list(pair.examples))}.")))
    if not pairs:
        blocks.append(Paragraph("No pair of students stands out."))
    if few:
        blocks.append(
            Paragraph("With fewer than five students only shapes in exactly the same place are compared.", quiet=True)
        )
    return Section("Errors in common", tuple(blocks))
