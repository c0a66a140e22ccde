"""What benchmarks would say of a submission: average precision, tracking, conflicts; a section where any applies."""

from assay.annotations.detection_metrics.average_precision import DetectionFigures
from assay.annotations.detection_metrics.conflicts import Conflicts
from assay.annotations.detection_metrics.tracking import TrackingFigures
from assay.annotations.grading.class_scores import counts_by_threshold
from assay.annotations.grading.result import SubmissionScore
from assay.report.annotations import words
from assay.report.document.document import Block, Paragraph, Section
from assay.report.document.values import INTEGER, Number, Table
from assay.report.document.wording import counted

SHARE = Number(decimals=3)
NO_OBJECTS = "no objects of this class"


def benchmark_section(score: SubmissionScore) -> Section:
    """The figures others report, none of which enters the score."""
    known = score.benchmarks
    blocks: list[Block] = [_thresholds(score)]
    if known.detection is not None:
        blocks += _detection(known.detection)
    if known.shape_detection is not None:
        blocks.append(Paragraph(_average(known.shape_detection, "outlines and masks")))
    if known.tracking is not None:
        blocks += _tracking(known.tracking)
    if known.conflicts is not None:
        blocks.append(Paragraph(_conflicts(known.conflicts)))
    return Section("Other figures", (Paragraph("None of these enters the score.", quiet=True), *blocks))


def _thresholds(score: SubmissionScore) -> Table:
    heads: dict[str, words.Head] = {"Minimum overlap (IoU)": Number(decimals=1)}
    heads |= dict.fromkeys(("Right", "Wrong class", "Missed", "Extra"), INTEGER)
    rows = [tuple(row.values()) for row in counts_by_threshold(score)]
    return words.table("by_threshold", "If a pair needed more overlap", heads, rows)


def _average(figures: DetectionFigures, what: str) -> str:
    return (
        f"Average precision of {what} (COCO) {figures.ap:.3f}; {figures.ap50:.3f} at IoU 0.5, {figures.ap75:.3f} at "
        f"0.75. Average recall {figures.ar100:.3f}."
    )


def _detection(figures: DetectionFigures) -> list[Block]:
    heads: dict[str, words.Head] = {"Class": None, "Objects": INTEGER, "Detections": INTEGER}
    heads |= dict.fromkeys(("AP", "AP50"), (SHARE, NO_OBJECTS))
    rows = [(one.label, one.objects, one.detections, one.ap, one.ap50) for one in figures.classes]
    curve: dict[str, words.Head] = {"Recall": Number(decimals=1), "Precision": SHARE}
    points = [(i / 10, figures.curve[10 * i]) for i in range(11)] if figures.curve else []
    return [
        Paragraph(_average(figures, "boxes")),
        words.table("average_precision", "Average precision by class", heads, rows),
        words.table("precision_recall", "Precision at each recall, at IoU 0.5", curve, points),
    ]


def _tracking(figures: TrackingFigures) -> list[Block]:
    switches = counted(figures.switches, "identity switch", "identity switches")
    said = (
        f"Tracks: HOTA {figures.hota:.3f} (detection {figures.deta:.3f}, association {figures.assa:.3f}), "
        f"MOTA {figures.mota:.3f}, IDF1 {figures.idf1:.3f}, {switches}."
    )
    return [Paragraph(said)]


def _conflicts(conflicts: Conflicts) -> str:
    kinds = {
        "groups": ("annotation is grouped", "annotations are grouped", "differently"),
        "direction": ("line is drawn", "lines are drawn", "in the other direction"),
        "covered": ("box is", "boxes are", "hidden under others"),
    }
    parts = []
    for kind, count in conflicts.counts().items():
        one, several, how = kinds[kind]
        if count:
            parts.append(f"{count} {one if count == 1 else several} {how}")
    return f"Conflicts: {', '.join(parts)}." if parts else "Groups and directions are as in the ground truth."
