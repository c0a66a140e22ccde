"""What goes wrong over all students: classes that are confused, hard objects, kinds of error, errors in common."""

from collections import Counter
from collections.abc import Sequence

from assay.annotations.diagnosis.error_kinds import AnnotationFinding, ErrorKind
from assay.annotations.diagnosis.shared_errors import ENOUGH_OTHERS, SharedErrors
from assay.annotations.grading.graded import Batch
from assay.annotations.grading.result import SubmissionScore
from assay.report.annotations.overlay import MarkedShape, PhotoOf, overlay_of
from assay.report.annotations.words import POINTS, Head, table
from assay.report.charts.charts import Bar, Bars, HeatMap
from assay.report.document.document import Block, Note, Paragraph, Section
from assay.report.document.overlay import Role
from assay.report.document.values import INTEGER, PERCENT, Strong
from assay.report.document.wording import be, counted, listed, shortened

MOST_CLASSES = 30
MOST_PICTURES = 6
MOST_HARD = 15
MOST_EXAMPLES = 2
"""Students named for a kind of error, each with the first of theirs."""
NONE = "none"


def confusion_section(batch: Batch) -> Section:
    """Which class was taken for which: objects by class (rows) and by the label they received (columns)."""
    labels, counts = batch.confusion.labels, tuple(tuple(int(c) for c in row) for row in batch.confusion.counts)
    n = len(labels)
    if not n:
        return Section("Classes", (Paragraph("There are no annotations to compare."),))
    names = (*(shortened(label, 14) for label in labels), NONE)
    numbered = max(len(name) for name in names) > 6
    right, total = sum(counts[i][i] for i in range(n)), sum(sum(row[:n]) for row in counts[:n])
    missed, extra = sum(row[n] for row in counts[:n]), sum(counts[n][:n])
    says = (
        f"Of {total:,} annotations that found an object {right:,} bear its label. The last column holds {missed:,} "
        f"missed objects, the last row {extra:,} extra annotations."
    )
    heat = HeatMap(
        name="confusion",
        title="Class in the ground truth and label given",
        says=says,
        alt=f"Table of {n} classes by label given, over all students. {says}",
        levels=tuple(f"{i} {name}" for i, name in enumerate(names, 1)) if numbered else names,
        counts=counts,
        row_title="Class in the ground truth",
        column_title="Label given by students",
        near=0,
        columns=tuple(str(i) for i in range(1, n + 2)) if numbered else (),
        key=("right label", "another label, missed or extra"),
        count_title="Annotations",
    )
    confused = [(-counts[i][j], i, j) for i in range(n) for j in range(n) if i != j and counts[i][j]]
    rows = [(labels[i], labels[j], -times, -times / sum(counts[i][:n])) for times, i, j in sorted(confused)[:MOST_HARD]]
    caption = "Classes that were taken for others, missed ones and extras left out"
    heads = {"Class": None, "Taken for": None, "Times": INTEGER, "Of all": PERCENT}
    words = table("confused", caption, heads, rows) if rows else Paragraph("No class was taken for another.")
    return Section("Classes", (heat, words) if n <= MOST_CLASSES else (words,))


def hardest_section(batch: Batch, photo_of: PhotoOf) -> Section:
    """The objects and images that most students fail on; perhaps it is the ground truth that errs."""
    hard = batch.hardest_objects(MOST_HARD)
    if not hard:
        return Section("Hardest objects and images", (Paragraph("Every object was found by every student."),))
    missed, of = int((batch.missed_by > 0).sum()), int(batch.truth.to_be_found.sum())
    opening = f"{missed:,} of {counted(of, 'object')} {be(missed)} missed by at least one student."
    blocks: list[Block] = [Paragraph(opening)]
    names = [f"{item.label} {item.truth_id}" for item in hard]
    by_all = [name for name, item in zip(names, hard, strict=True) if item.missed_by == item.of and item.of > 1]
    if by_all:
        every = f"Every student missed {listed(by_all, most=4, noun='object')}."
        blocks.append(Note(f"{every} Look at the ground truth first: it may err."))
    others = (POINTS, "nobody matched it")
    heads: dict[str, Head] = {"Object": None, "Image": None, "Missed by": INTEGER, "Of": INTEGER}
    objects = [(n, i.image, i.missed_by, i.of, i.mean_score) for n, i in zip(names, hard, strict=True)]
    caption = "Objects missed by the largest share of students"
    blocks.append(table("hardest_objects", caption, {**heads, "Mean score of the others": others}, objects))
    heads = {"Image": None, "Mean score": POINTS, "Objects missed": PERCENT, "Students": INTEGER}
    images = [(i.image, i.mean_score, i.missed_share, i.of) for i in batch.hardest_images(10)]
    blocks.append(table("hardest_images", "Images by the students' mean score, lowest first", heads, images))
    return Section("Hardest objects and images", (*blocks, *_pictures(batch, photo_of)))


def _pictures(batch: Batch, photo_of: PhotoOf) -> list[Block]:
    """The hardest of the images on which at least half of the students missed something, and what that is."""
    truth = batch.truth.annotations
    places = {image.name: index for index, image in enumerate(truth.images)}
    words: tuple[tuple[Role, str], ...] = (("missed", "missed by at least half"), ("truth", "found by most"))
    blocks: list[Block] = []
    for image in batch.hardest_images(len(places)):
        shown = (truth.image == places[image.image]) & batch.truth.to_be_found
        marked = [_marked(batch, int(t)) for t in shown.nonzero()[0]]
        hard = sum(1 for one in marked if one.role == "missed")
        if hard and len(blocks) < MOST_PICTURES:
            says = f"{hard} of {counted(len(marked), 'object')} missed by at least half of the students."
            overlay = overlay_of(truth.images[places[image.image]], marked, photo_of, says=says, words=words)
            blocks += [overlay] if overlay is not None else []
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
    heads = {"Kind": None, "Students": INTEGER, "What it means": None, "For example": None}
    rows = [(kind.word, students[kind], kind.meaning, "; ".join(examples[kind])) for kind in order]
    return Section("Kinds of error", (bars, table("error_kinds", "Kinds of error with examples", heads, rows)))


def _where(score: SubmissionScore, finding: AnnotationFinding) -> str:
    """The object of an error, or else its annotation."""
    if finding.truth is not None:
        own, place, image = score.truth, finding.truth, int(score.truth.image[finding.truth])
    else:
        assert finding.student is not None  # an error is about one of them
        own, place, image = score.submission, finding.student, int(score.student_image[finding.student])
    attribute = f" ({finding.attribute})" if finding.attribute else ""
    return f"{own.labels[own.label[place]]} {own.ids[place]}{attribute} on {score.images[image].name}"


def shared_section(pairs: Sequence[SharedErrors], students: int) -> Section:
    """Errors that two students have in common, as questions."""
    opening = (
        "Hard objects make everybody err alike. This looks for pairs of students who share more unusual errors than "
        "that explains. It is a question to ask, never a verdict."
    )
    asked: list[Block] = []
    for pair in pairs:
        asked.append(Note((Strong(pair.question), f" Among them: {listed(list(pair.examples))}.")))
    blocks: list[Block] = [Paragraph(opening), *(asked or [Paragraph("No pair of students stands out.")])]
    if students - 2 < ENOUGH_OTHERS:
        few = "With fewer than five students only shapes in exactly the same place are compared."
        blocks.append(Paragraph(few, quiet=True))
    return Section("Errors in common", tuple(blocks))
