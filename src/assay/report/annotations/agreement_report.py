"""Annotators against each other, without a ground truth, as a report."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan, nan

import numpy as np

from assay.annotations.agreement import Agreement
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.images import ABSENT
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.overlay import MarkedShape, PhotoOf, overlay_of
from assay.report.annotations.words import POINTS, day_words, failures, files_table, footer, provenance_section
from assay.report.document.document import Block, Document, KeyFigure, Paragraph, Section
from assay.report.document.overlay import Role
from assay.report.document.values import INTEGER, Band, Column, Number, Table, Verdict
from assay.report.document.wording import counted

RELIABLE = 0.8
"""Krippendorff (2019), Content Analysis, chapter 12: rely on data with alpha of at least 0.8."""
THOUSANDTHS = Number(decimals=3)
"""Two decimals would show 0.797 as the 0.80 it misses."""
MOST_DISPUTED = 25
MOST_PICTURES = 12


def agreement_report(
    agreement: Agreement,
    sets: Mapping[str, AnnotationSet],
    failed: Mapping[str, str],
    *,
    photo_of: PhotoOf,
    provenance: Provenance,
    consensus: int | None = None,
) -> Document:
    """The whole report; `consensus` is how many objects the consensus has, if one was asked for."""
    objects, total = agreement.objects, len(agreement.objects.image)
    annotators, images = counted(len(agreement.names), "annotator"), counted(len(objects.images), "image")
    same = f"On {int(_unanimous(agreement).sum()):,} of {counted(total, 'object')} all who saw the image agree"
    voted = "None was asked for. --consensus FILE.json or FILE.xml writes what most annotators drew."
    if consensus is not None:
        voted = (
            f"The consensus has {counted(consensus, 'object')}: those that more than the quorum of the annotators who "
            f"saw the image drew. Edges of boxes are medians; label and attributes are those of the majority."
        )
    return Document(
        title="Agreement of annotators",
        subtitle=f"{annotators}, {images}, {counted(total, 'object')} drawn.{day_words(provenance)}",
        verdict_lead=f"{same}: they drew it and gave it one label." if total else "Nobody annotated anything.",
        verdict_rest=_rest(agreement),
        key_figures=_key_figures(agreement),
        figures_note="Alpha with its 95\u00a0% interval over images. The other three are means over all pairs, of 100.",
        sections=(
            _pairs_section(agreement),
            _disputes_section(agreement, list(sets.values()), photo_of),
            Section("Consensus", (Paragraph(voted),)),
            Section("Files", (*failures(failed), files_table(sets.items()))),
            provenance_section(provenance),
        ),
        footer=footer(provenance),
    )


def _unanimous(agreement: Agreement) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Objects that everybody who saw the image drew under one label."""
    answers = agreement.answers
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(answers)
        first = np.array([row[seen][0] if seen.any() else nan for row, seen in zip(answers, known, strict=True)])
        same = ((answers == first[:, None]) | ~known).all(axis=1)
    return np.asarray(same & (first < len(agreement.labels)))


def _rest(agreement: Agreement) -> str:
    alpha = agreement.alpha
    if isnan(alpha.value):
        return f"Alpha cannot be given: {alpha.reason}."
    if isnan(alpha.low):
        return f"Krippendorff's alpha is {alpha.value:.3f}; no interval: {alpha.reason}."
    words = {
        "met": "which is enough to rely on the labels",
        "met, uncertain": "which may be enough to rely on the labels",
        "not met, uncertain": "which may not be enough to rely on the labels",
        "not met": "which is not enough to rely on the labels: improve the instructions and discuss the disputes below",
    }[_verdict(agreement) or "not met"]
    return f"Krippendorff's alpha is {alpha.value:.3f} ({alpha.low:.3f} to {alpha.high:.3f}), {words}."


def _verdict(agreement: Agreement) -> Verdict | None:
    alpha = agreement.alpha
    if isnan(alpha.value):
        return None
    unsure = isnan(alpha.low) or alpha.low < RELIABLE <= alpha.high
    if alpha.value >= RELIABLE:
        return "met, uncertain" if unsure else "met"
    return "not met, uncertain" if unsure else "not met"


def _key_figures(agreement: Agreement) -> tuple[KeyFigure, ...]:
    note = "Krippendorff's alpha, at least 0.80"
    verdict, band = _verdict(agreement), Band(least=RELIABLE)
    figures = [KeyFigure("Agreement beyond chance", note, agreement.alpha, band, verdict, THOUSANDTHS)]
    parts = (
        ("Same objects", "F1 of each two annotators", agreement.same_objects, "no annotations"),
        ("Same place", "overlap of what both found", agreement.localisation, "nothing found by both"),
        ("Same label", "of what both found", agreement.label, "nothing found by both"),
    )
    for name, note, matrix, reason in parts:
        values = [matrix[i, j] for i, j in combinations(range(len(matrix)), 2) if not isnan(matrix[i, j])]
        mean = Estimate(float(np.mean(values))) if values else Estimate(reason=reason)
        spread = f"{min(values):.0f} to {max(values):.0f}" if len(values) > 1 else "one pair" if values else ""
        figures.append(KeyFigure(name, note, mean, number=POINTS, axis=(0.0, 100.0), remark=spread))
    return tuple(figures)


def _pairs_section(agreement: Agreement) -> Section:
    tables = (
        ("found", "Same objects: F1, misses and extras counting alike", agreement.same_objects, "no annotations"),
        ("localisation", "Same place: mean overlap of what both found", agreement.localisation, "nothing in common"),
        ("label", "Same label: per cent of what both found", agreement.label, "nothing in common"),
    )
    names, opening = agreement.names, "Every two annotators, compared on the images that both have."
    if len(names) >= 3 and not np.isnan(agreement.same_objects).any():
        others = (agreement.same_objects.sum(axis=1) - 100) / (len(names) - 1)
        least = int(np.argmin(others))
        often = f"least often ({others[least]:.0f} on average)"
        opening = f"{names[least]} finds the same objects as the others {often}."
    blocks: list[Block] = [Paragraph(f"{opening} Each figure is in points of 100.")]
    for name, caption, matrix, reason in tables:
        columns = (Column("Annotator"), *(Column(other, "number", POINTS, undefined=reason) for other in names))
        rows = tuple(
            (own, *(None if i == j else float(matrix[i, j]) for j in range(len(names)))) for i, own in enumerate(names)
        )
        blocks.append(Table(f"pairs_{name}", caption, columns, rows))
    return Section("Pair by pair", tuple(blocks))


def _disputes_section(agreement: Agreement, sets: Sequence[AnnotationSet], photo_of: PhotoOf) -> Section:
    objects, disputed = agreement.objects, np.flatnonzero(~_unanimous(agreement))
    if not disputed.size:
        return Section("Disputes", (Paragraph("There are none."),))
    columns = (Column("Image"), Column("Drawn by", "number", INTEGER), *(Column(name) for name in agreement.names))
    labels = [*agreement.labels, "nothing drawn"]
    rows = []
    for row in disputed[:MOST_DISPUTED].tolist():
        said = ("image not seen" if isnan(answer) else labels[int(answer)] for answer in agreement.answers[row])
        drawn_by = int(np.count_nonzero(objects.members[row] != ABSENT))
        rows.append((objects.images[objects.image[row]].name, drawn_by, *said))
    first_of_all = f"the first {MOST_DISPUTED} of {disputed.size:,}; agreement.json has all"
    all_of = first_of_all if disputed.size > MOST_DISPUTED else f"{disputed.size} in all"
    table = Table("disputes", f"Objects on which annotators differ, {all_of}", columns, tuple(rows))
    differ = f"Annotators differ on {counted(disputed.size, 'object')}: somebody drew nothing, or another label."
    return Section("Disputes", (Paragraph(differ), table, *_pictures(agreement, sets, photo_of)))


def _pictures(agreement: Agreement, sets: Sequence[AnnotationSet], photo_of: PhotoOf) -> list[Block]:
    """The images with most disputes."""
    objects, same = agreement.objects, _unanimous(agreement)
    disputes = Counter(objects.image[~same].tolist())
    words: tuple[tuple[Role, str], ...] = (("agreed", "all agree"), ("extra", "they differ"))
    blocks: list[Block] = []
    for image, count in sorted(disputes.items(), key=lambda item: (-item[1], item[0]))[:MOST_PICTURES]:
        rows = np.flatnonzero(objects.image == image)
        marked = [_marked(agreement, sets, int(row), agreed=bool(same[row])) for row in rows]
        says = f"They differ on {count} of {counted(len(rows), 'object')}."
        overlay = overlay_of(objects.images[image], marked, photo_of, says=says, words=words)
        if overlay is not None:
            blocks.append(overlay)
    return blocks


def _marked(agreement: Agreement, sets: Sequence[AnnotationSet], row: int, *, agreed: bool) -> MarkedShape:
    """The object as the first who drew it did."""
    members = agreement.objects.members[row]
    drawn = np.flatnonzero(members != ABSENT)
    seen = int(np.count_nonzero(agreement.objects.seen[agreement.objects.image[row]]))
    own = sets[drawn[0]]
    place = int(members[drawn[0]])
    given = list(dict.fromkeys(agreement.labels[int(agreement.answers[row, c])] for c in drawn))
    words = f"{' or '.join(given)}, drawn by {drawn.size} of {seen}"
    pin = "" if agreed else " or ".join(given)
    return MarkedShape(own, place, "agreed" if agreed else "extra", words, pin, f"{drawn.size} of {seen}")
