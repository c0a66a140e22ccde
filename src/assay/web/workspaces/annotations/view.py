"""One image of a submission as a page shows it: both drawings as SVG paths, and the findings on it."""

from collections.abc import Iterable, Mapping

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.report.annotations.findings import RESULT_WORDS, ImageFinding
from assay.report.annotations.outlines import drawn_shape
from assay.report.document.overlay import Outline
from assay.store.schema import Json
from assay.web.workspaces.annotations.decisions import Work, subject_in, subject_of

MOST_SHAPES = 1500
"""Drawn on one image; a browser should still be able to move it."""


def image_view(work: Work, index: int) -> Json:
    """One image of a submission with everything on it; its place is among the images that are scored, from 1.

    `shapes` are the annotations over the image, in its pixels: number of the finding, classes, title, lines and dots as
    SVG paths. `pins` are the numbers of findings, at a corner of their shape. `findings` fill the strip below, their
    results are matched, missed or extra; `left_out` of them are listed but not drawn.
    """
    score, findings = work.original, work.findings(index)
    image, images = score.images[index], work.images()
    scores = {match.truth: match.score for match in work.final.matches(index)}
    decided = {subject_in(decision.target) for decision in work.decisions}
    drawn = findings[:MOST_SHAPES]
    # label -> the joints that are drawn joined; the ground truth's, where both define it
    defined = [d for d in (*score.submission.definitions[::-1], *score.truth.definitions[::-1]) if d.bones]
    bones = {normalised(definition.name): definition.bones for definition in defined}
    width, height = _size(image.width, image.height, score, findings)
    return {
        "place": images.index(index) + 1,
        "of": len(images),
        "index": index,
        "name": image.name or "image without a name",
        "width": width,
        "height": height,
        "system": score.image_score(index).tally.score,
        "final": work.final.image_score(index).tally.score,
        "shapes": [shape for finding in drawn for shape in _shapes(score, finding, bones)],
        "pins": [_pin(score, finding) for finding in drawn],
        "findings": [
            {
                "number": finding.number,
                "label": finding.label,
                "result": RESULT_WORDS[finding.result],
                "score": None if finding.truth is None else scores.get(finding.truth),
                "decided": subject_of(finding) in decided,
            }
            for finding in findings
        ],
        "count": [RESULT_WORDS[finding.result] for finding in findings].count,
        "left_out": max(0, len(findings) - MOST_SHAPES),
    }


def _size(width: float, height: float, score: SubmissionScore, findings: Iterable[ImageFinding]) -> tuple[float, float]:
    """The size the file states, or else what holds all shapes."""
    if width > 0 and height > 0:
        return float(width), float(height)
    ends = [score.truth.bounds[f.truth][2:] for f in findings if f.truth is not None]
    ends += [score.submission.bounds[f.student][2:] for f in findings if f.student is not None]
    right, bottom = np.max(ends, axis=0) * 1.05 if ends else (0.0, 0.0)
    return float(max(right, 100.0)), float(max(bottom, 100.0))


def _shapes(
    score: SubmissionScore, finding: ImageFinding, bones: Mapping[str, tuple[tuple[str, str], ...]]
) -> Iterable[Json]:
    result = RESULT_WORDS[finding.result]
    more, suffix = ("", "") if result == "matched" else (f" {result}", f", {result}")
    sides: tuple[tuple[int | None, AnnotationSet, str, str], ...] = (
        (finding.truth, score.truth, "truth", "Ground truth"),
        (finding.student, score.submission, "subm", "Submission"),
    )
    for place, annotations, side, words in sides:
        if place is None:
            continue
        label = annotations.labels[annotations.label[place]]
        outlines, dots = drawn_shape(annotations.shape(place), bones.get(normalised(label), ()))
        yield {
            "finding": finding.number,
            "classes": f"{side}{more}",
            "title": f"{words} {finding.number}: {label}{suffix}",
            "path": "".join(_path(outline) for outline in outlines),
            "dots": "".join(f"M{_n(x)} {_n(y)}h0" for x, y in dots),
        }


def _path(outline: Outline) -> str:
    return f"M{'L'.join(f'{_n(x)} {_n(y)}' for x, y in outline.points)}{'Z' if outline.closed else ''}"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _pin(score: SubmissionScore, finding: ImageFinding) -> Json:
    edges = [score.truth.bounds[finding.truth]] if finding.truth is not None else []
    edges += [score.submission.bounds[finding.student]] if finding.student is not None else []
    return {"finding": finding.number, "x": float(min(e[0] for e in edges)), "y": float(min(e[1] for e in edges))}
