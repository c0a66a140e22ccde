"""What happened on one image, numbered as the picture and the table beside it show it."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from assay.annotations.diagnosis.error_kinds import KINDS, ErrorKind
from assay.annotations.grading.parts import Extra, Match, Miss
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import as_text
from assay.report.document.overlay import Role


@dataclass(frozen=True, slots=True)
class ImageFinding:
    """A match, a missed object or an extra annotation."""

    number: int
    result: Role
    """truth for a match, else missed or extra."""
    truth: int | None
    """Place in the ground truth."""
    student: int | None
    """Place in the submission."""
    label: str
    """Of the object, or of the annotation if there is no object."""
    score: float
    """0 to 100; NaN for what is not matched."""
    localisation: float
    remark: str
    """What differs, in words; empty for a flawless match."""


RESULT_WORDS = {"truth": "matched", "missed": "missed", "extra": "extra"}


def findings_on(score: SubmissionScore, image: int) -> tuple[ImageFinding, ...]:
    """All findings on one image: missed, extra, then matches from the worst on; numbered in this order."""
    flaws = score.findings
    rows = np.flatnonzero(np.isin(flaws.kind, list(PLACE_FLAWS)))
    flawed = zip(flaws.truth[rows].tolist(), flaws.kind[rows].tolist(), strict=True)
    place = {truth: PLACE_FLAWS[KINDS[kind]] for truth, kind in flawed}
    findings = [
        ImageFinding(0, "missed", miss.truth, None, miss.label, nan, nan, _reason(miss, miss.excused, "Excused"))
        for miss in score.misses(image)
    ]
    findings += [
        ImageFinding(0, "extra", None, extra.student, extra.label, nan, nan, _reason(extra, extra.accepted, "Accepted"))
        for extra in score.extras(image)
    ]
    for match in sorted(score.matches(image), key=lambda match: (match.score, match.number)):
        between, figures = (match.truth, match.student), (match.score, match.localisation)
        remark = differences(match, place.get(match.truth, ""))
        findings.append(ImageFinding(0, "truth", *between, match.truth_label, *figures, remark))
    return tuple(replace(finding, number=number) for number, finding in enumerate(findings, start=1))


def _reason(item: Miss | Extra, changed: bool, how: str) -> str:
    """Why an object or an annotation is without a match, and whether a person changed that."""
    overlap = f" Overlap {item.similarity:.2f}." if item.similarity else ""
    return _REASON.get(item.why, item.why.meaning) + overlap + (f" {how} by a person." if changed else "")


_REASON = {
    ErrorKind.NOT_FOUND: "Nothing was drawn for it.",
    ErrorKind.NOTHING_THERE: "The ground truth has no object there.",
    ErrorKind.NEAR_MISS: "A near miss: drawn, but not closely enough to count.",
}


PLACE_FLAWS = {
    ErrorKind.TOO_LARGE: "drawn too loosely",
    ErrorKind.TOO_SMALL: "cuts parts of the object off",
    ErrorKind.SHIFTED: "beside the object",
    ErrorKind.KEY_ELSEWHERE: "the key is the same, the place is not",
}
SLIGHTLY_OFF = 90.0
"""Below this overlap a match without a named flaw is a little off."""


def differences(match: Match, place: str = "") -> str:
    """What differs between an object and its annotation, in words."""
    parts = [place] if place else ["a little off"] if match.localisation < SLIGHTLY_OFF else []
    if match.label < 100:
        parts.append(f"label “{match.student_label}” for “{match.truth_label}”")
    for compared in match.comparisons:
        if compared.similarity < 100:
            given = as_text(compared.student)
            said = f"“{given}”" if given else "left empty"
            parts.append(f"{compared.name} {said} for “{as_text(compared.truth)}”")
    if match.score != match.original_score:
        parts.append(f"changed by a person from {match.original_score:.1f}")
    return "; ".join(parts)
