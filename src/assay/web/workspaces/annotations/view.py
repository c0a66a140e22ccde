"""One image of a submission as a page shows it: both drawings as SVG paths, and the findings on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.report.annotations.findings import RESULT_WORDS, ImageFinding
from assay.report.annotations.outlines import drawn_shape
from assay.report.document.overlay import Outline
from assay.web.workspaces.annotations.decisions import Work, subject_in, subject_of

MOST_SHAPES = 1500
"""Drawn on one image; a browser should still be able to move it."""


@dataclass(frozen=True, slots=True)
class ShapeView:
    """An annotation over the image: lines and dots as SVG paths, in pixels of the image."""

    finding: int
    classes: str
    title: str
    path: str
    dots: str


@dataclass(frozen=True, slots=True)
class PinView:
    """The number of a finding, at a corner of its shape."""

    finding: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding in the strip below the image."""

    number: int
    label: str
    result: str
    """matched, missed or extra."""
    score: float | None
    decided: bool


@dataclass(frozen=True, eq=False, slots=True)
class ImageView:
    """One image of a submission."""

    place: int
    """Among the images that are scored, from 1."""
    of: int
    index: int
    name: str
    width: float
    height: float
    system: float
    final: float
    shapes: tuple[ShapeView, ...]
    pins: tuple[PinView, ...]
    findings: tuple[FindingView, ...]
    left_out: int
    """Findings that are listed but not drawn."""

    def count(self, result: str) -> int:
        return sum(finding.result == result for finding in self.findings)


def image_view(work: Work, index: int) -> ImageView:
    """One image with everything on it."""
    score, findings = work.original, work.findings(index)
    image, images = score.images[index], work.images()
    scores = {match.truth: match.score for match in work.final.matches(index)}
    decided = {subject_in(decision.target) for decision in work.decisions}
    drawn = findings[:MOST_SHAPES]
    bones = _bones(score)
    width, height = _size(image.width, image.height, score, findings)
    return ImageView(
        place=images.index(index) + 1,
        of=len(images),
        index=index,
        name=image.name or "image without a name",
        width=width,
        height=height,
        system=score.image_score(index).tally.score,
        final=work.final.image_score(index).tally.score,
        shapes=tuple(shape for finding in drawn for shape in _shapes(score, finding, bones)),
        pins=tuple(_pin(score, finding) for finding in drawn),
        findings=tuple(
            FindingView(
                finding.number,
                finding.label,
                RESULT_WORDS[finding.result],
                None if finding.truth is None else scores.get(finding.truth),
                subject_of(finding) in decided,
            )
            for finding in findings
        ),
        left_out=max(0, len(findings) - MOST_SHAPES),
    )


def _size(width: float, height: float, score: SubmissionScore, findings: Iterable[ImageFinding]) -> tuple[float, float]:
    """The size the file states, or else what holds all shapes."""
    if width > 0 and height > 0:
        return float(width), float(height)
    ends = [score.truth.bounds[f.truth][2:] for f in findings if f.truth is not None]
    ends += [score.submission.bounds[f.student][2:] for f in findings if f.student is not None]
    right, bottom = np.max(ends, axis=0) * 1.05 if ends else (0.0, 0.0)
    return float(max(right, 100.0)), float(max(bottom, 100.0))


def _bones(score: SubmissionScore) -> dict[str, tuple[tuple[str, str], ...]]:
    """Label -> the joints that are drawn joined."""
    defined = (d for d in (*score.truth.definitions, *score.submission.definitions) if d.bones)
    bones: dict[str, tuple[tuple[str, str], ...]] = {}
    for definition in defined:
        bones.setdefault(normalised(definition.name), definition.bones)
    return bones


def _shapes(
    score: SubmissionScore, finding: ImageFinding, bones: Mapping[str, tuple[tuple[str, str], ...]]
) -> Iterable[ShapeView]:
    result = RESULT_WORDS[finding.result]
    more = "" if result == "matched" else f" {result}"
    suffix = "" if result == "matched" else f", {result}"
    sides: tuple[tuple[int | None, AnnotationSet, str, str], ...] = (
        (finding.truth, score.truth, "truth", "Ground truth"),
        (finding.student, score.submission, "subm", "Submission"),
    )
    for place, annotations, side, words in sides:
        if place is None:
            continue
        label = annotations.labels[annotations.label[place]]
        outlines, dots = drawn_shape(annotations.shape(place), bones.get(normalised(label), ()))
        path = "".join(_path(outline) for outline in outlines)
        title = f"{words} {finding.number}: {label}{suffix}"
        yield ShapeView(finding.number, f"{side}{more}", title, path, "".join(f"M{_n(x)} {_n(y)}h0" for x, y in dots))


def _path(outline: Outline) -> str:
    return f"M{'L'.join(f'{_n(x)} {_n(y)}' for x, y in outline.points)}{'Z' if outline.closed else ''}"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _pin(score: SubmissionScore, finding: ImageFinding) -> PinView:
    edges = [score.truth.bounds[finding.truth]] if finding.truth is not None else []
    edges += [score.submission.bounds[finding.student]] if finding.student is not None else []
    return PinView(finding.number, float(min(e[0] for e in edges)), float(min(e[1] for e in edges)))
