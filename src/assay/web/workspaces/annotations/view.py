"""A submission as people left it: a finding taken apart, what can be decided, an image with both drawings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.parts import Match
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.review_subject import FINDING, IMAGE, is_review, reviewed_images
from assay.annotations.matching.text_similarity import as_text, normalised
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.report.annotations.findings import RESULT_WORDS, ImageFinding, findings_on
from assay.report.annotations.outlines import drawn_shape
from assay.store.overrides import Decision
from assay.store.schema import Json


def target_words(target: str) -> str:
    """What a decision is about, in words.

    >>> target_words("attribute:3:5:colour"), target_words("miss:7")
    ('attribute “colour” of a match', 'a missed object')
    """
    if target.startswith(FINDING):
        return "an error"
    kind, *rest = target.split(":", 3)
    if kind == "image":
        return f"image {':'.join(rest)}"
    if kind == "attribute":
        return f"attribute “{rest[2] if len(rest) > 2 else ''}” of a match"
    words = {"match": "a match", "label": "label of a match", "miss": "a missed object", "extra": "an extra annotation"}
    return words.get(kind, "the submission")


def decision_words(decision: Decision) -> str:
    """What a decision did: excused a miss, accepted an extra, or gave another score to a part."""
    if is_review(decision.target):
        return "error is right" if decision.target.startswith(FINDING) else f"{target_words(decision.target)} reviewed"
    kind = decision.target.split(":", 1)[0]
    if kind in ("miss", "extra"):
        done = "excused" if kind == "miss" else "accepted"
        return f"{kind} {done if decision.value else 'counted again'}"
    values = (decision.previous, decision.value)
    before, after = (f"{value:.0f}" if isinstance(value, int | float) else "n/a" for value in values)
    return f"{target_words(decision.target)}: {before} → {after}"


def as_json(decisions: Iterable[Decision]) -> list[Json]:
    """Decisions as a job carries them."""
    names = ("target", "value", "author", "reason", "previous")
    return [{name: getattr(d, name) for name in names} | {"time": d.made_at.isoformat()} for d in decisions]


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """A submission as the system scored it and as people left it, with the decisions that stand."""

    original: SubmissionScore
    final: SubmissionScore
    decisions: tuple[Decision, ...]

    @classmethod
    def of(cls, original: SubmissionScore, decisions: Sequence[Decision]) -> "Work":
        return cls(original, final_score(original, as_json(decisions)), tuple(decisions))

    def images(self) -> list[int]:
        """The images that are scored, as places in the score's images."""
        return [int(index) for index in np.flatnonzero(self.original.in_scope)]

    def reviewed(self) -> tuple[int, int]:
        """How many images were looked at, and how many there are."""
        return reviewed_images(self.original, [decision.target for decision in self.decisions])

    def is_reviewed(self, index: int) -> bool:
        """Whether an image was looked at."""
        return any(d.target == f"{IMAGE}{self.original.images[index].name}" for d in self.decisions)

    def findings(self, index: int) -> tuple[ImageFinding, ...]:
        """Numbered by the system's score: an override must not move what a person is looking at."""
        return findings_on(self.original, index)

    def choice(self, target: str, value: float, words: str) -> Json:
        """What a person may decide: in words, the score after it, and as a form sends it with what was shown."""
        others = as_json(decision for decision in self.decisions if decision.target != target)
        after = final_score(self.original, [*others, {"target": target, "value": value}])
        return {"words": words, "becomes": after.overall, "code": f"{after.overall:.1f}|{value:g}|{target}"}


def subject_of(finding: ImageFinding) -> str:
    """What decisions about a finding are about."""
    unmatched = {"missed": f"miss:{finding.truth}", "extra": f"extra:{finding.student}"}
    return unmatched.get(finding.result, f"{finding.truth}:{finding.student}")


def finding_target(finding: ImageFinding) -> str:
    """The target of "this error is right"."""
    subject = subject_of(finding)
    return FINDING + (subject if subject.startswith(("miss", "extra")) else f"match:{subject}")


def subject_in(target: str) -> str:
    """The same, of a decision."""
    kind, *places = target.removeprefix(FINDING).split(":", 3)
    return f"{kind}:{places[0]}" if kind in ("miss", "extra") else ":".join(places[:2])


@dataclass(frozen=True, eq=False, slots=True)
class Detail:
    """A finding taken apart."""

    number: int
    result: str
    label: str
    remark: str
    decisions: tuple[Decision, ...]
    choices: tuple[Json, ...]
    score: float | None = None
    system: float | None = None
    parts: tuple[Json, ...] = ()
    """Parts of its score: name, note, value reached, weight, points it brings."""
    compared: tuple[Json, ...] = ()
    """Label and attributes on both sides, how alike they are, and how alike the system takes them to be."""
    match_target: str = ""
    """Empty when it is no match."""
    finding_target: str = ""
    """The target of "this error is right"."""
    by_key: bool = False


def detail_of(work: Work, finding: ImageFinding, *, choices: bool = True) -> Detail:
    """A finding with its parts, what differs, and what can be decided."""
    decisions = tuple(d for d in work.decisions if subject_in(d.target) == subject_of(finding))
    if finding.result != "truth":
        return _unmatched(work, finding, decisions, choices=choices)
    number = int(np.flatnonzero(work.final.match_truth == finding.truth)[0])
    match, system = work.final.match(number), work.original.match(number)
    compared = [("label", match.truth_label, match.student_label, match.label, system.label)]
    for now, was in zip(match.comparisons, system.comparisons, strict=True):
        student = as_text(now.student) or "left empty"
        compared.append((now.name, as_text(now.truth), student, now.similarity, was.similarity))
    names = ("name", "truth", "student", "alike", "system")
    places = f"{match.truth}:{match.student}"
    return Detail(
        number=finding.number,
        result="matched",
        label=finding.label,
        remark=finding.remark,
        decisions=decisions,
        choices=tuple(_choices(work, match, places)) if choices else (),
        score=match.score,
        system=system.score,
        parts=_parts(match, float(work.final.system_match_scores[number])),
        compared=tuple(dict(zip(names, values, strict=True)) for values in compared),
        match_target=f"match:{places}",
        finding_target=finding_target(finding),
        by_key=match.by_key,
    )


def _parts(match: Match, by_rules: float) -> tuple[Json, ...]:
    place, label, attributes = match.weights
    none = isnan(match.attributes)
    parts = [
        ("Position", f"overlap {match.localisation / 100:.2f}", match.localisation, place),
        ("Label", "", match.label, label),
        ("Attributes", "none to compare" if none else "", 100.0 if none else match.attributes, attributes),
    ]
    if abs(match.score - by_rules) > 1e-9:
        parts.append(("Override of the match", "", match.score - by_rules, 1.0))
    return tuple(
        {"name": name, "note": note, "value": value, "weight": weight, "points": value * weight}
        for name, note, value, weight in parts
        if weight
    )


def _choices(work: Work, match: Match, places: str) -> Iterator[Json]:
    if match.label < 100:
        target = f"label:{places}"
        yield work.choice(target, 100, f"Accept “{match.student_label}” as “{match.truth_label}”")
        if match.label > 0:
            yield work.choice(target, 0, f"No credit for “{match.student_label}”")
    for compared in match.comparisons:
        if compared.similarity < 100:
            yield work.choice(f"attribute:{places}:{compared.name}", 100, f"Accept {compared.name} as given")


def _unmatched(work: Work, finding: ImageFinding, decisions: tuple[Decision, ...], *, choices: bool) -> Detail:
    is_out = any(decision.value for decision in decisions)
    target = finding_target(finding)
    is_missed = finding.result == "missed"
    done, words = ("Excused", "Excuse this miss") if is_missed else ("Accepted", "Accept this extra")
    if is_out:
        words = f"Count this {'miss' if is_missed else 'extra'} again"
    remark = f"{finding.remark} {done} by a person." if is_out else finding.remark
    offered = (work.choice(subject_of(finding), 0 if is_out else 100, words),) if choices else ()
    return Detail(finding.number, finding.result, finding.label, remark, decisions, offered, finding_target=target)


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
    width, height = float(image.width), float(image.height)
    if not (width > 0 and height > 0):  # the file states no size: what holds all shapes
        ends = [bounds[2:] for finding in findings for bounds in _bounds(score, finding)] or [[0.0, 0.0]]
        width, height = (max(1.05 * end, 100.0) for end in np.max(ends, axis=0).tolist())
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
        "pins": [
            {"finding": finding.number, "x": min(b[0] for b in bounds), "y": min(b[1] for b in bounds)}
            for finding, bounds in ((finding, _bounds(score, finding)) for finding in drawn)
        ],
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


def _bounds(score: SubmissionScore, finding: ImageFinding) -> list[list[float]]:
    """The ends of its shapes, on either side."""
    sides = ((score.truth, finding.truth), (score.submission, finding.student))
    return [annotations.bounds[place].tolist() for annotations, place in sides if place is not None]


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
            "path": "".join(
                f"M{'L'.join(f'{_n(x)} {_n(y)}' for x, y in outline.points)}{'Z' if outline.closed else ''}"
                for outline in outlines
            ),
            "dots": "".join(f"M{_n(x)} {_n(y)}h0" for x, y in dots),
        }


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
