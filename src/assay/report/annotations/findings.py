"""What happened on one image, numbered as the picture and the table beside it show it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.parts import Match
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
    findings = [*_missed(score, image), *_extra(score, image)]
    matches = sorted(score.matches(image), key=lambda match: (match.score, match.number))
    places = _place_flaws(score, {match.truth for match in matches})
    findings += [_match(match, places.get(match.truth, "")) for match in matches]
    return tuple(_numbered(finding, number) for number, finding in enumerate(findings, start=1))


def _numbered(finding: ImageFinding, number: int) -> ImageFinding:
    return ImageFinding(
        number,
        finding.result,
        finding.truth,
        finding.student,
        finding.label,
        finding.score,
        finding.localisation,
        finding.remark,
    )


def _missed(score: SubmissionScore, image: int) -> Iterator[ImageFinding]:
    for miss in score.misses(image):
        excused = " Excused by a person." if miss.excused else ""
        remark = _REASON.get(miss.why, miss.why.meaning)
        if miss.similarity:
            remark += f" Overlap {miss.similarity:.2f}."
        yield ImageFinding(0, "missed", miss.truth, None, miss.label, nan, nan, remark + excused)


def _extra(score: SubmissionScore, image: int) -> Iterator[ImageFinding]:
    for extra in score.extras(image):
        accepted = " Accepted by a person." if extra.accepted else ""
        remark = _REASON.get(extra.why, extra.why.meaning)
        if extra.similarity:
            remark += f" Overlap {extra.similarity:.2f}."
        yield ImageFinding(0, "extra", None, extra.student, extra.label, nan, nan, remark + accepted)


_REASON = {
    ErrorKind.NOT_FOUND: "Nothing was drawn for it.",
    ErrorKind.NOTHING_THERE: "The ground truth has no object there.",
    ErrorKind.NEAR_MISS: "Found, but placed too badly to count.",
}


PLACE_FLAWS = {
    ErrorKind.TOO_LARGE: "drawn too loosely",
    ErrorKind.TOO_SMALL: "cuts parts of the object off",
    ErrorKind.SHIFTED: "beside the object",
    ErrorKind.KEY_ELSEWHERE: "the key is the same, the place is not",
}
SLIGHTLY_OFF = 90.0
"""Below this overlap a match without a named flaw is a little off."""


def _place_flaws(score: SubmissionScore, objects: set[int]) -> dict[int, str]:
    """Object -> what is wrong with the place of its annotation."""
    findings = score.findings
    rows = np.flatnonzero(np.isin(findings.kind, list(PLACE_FLAWS)))
    of = [(int(findings.truth[row]), ErrorKind(int(findings.kind[row]))) for row in rows]
    return {truth: PLACE_FLAWS[kind] for truth, kind in of if truth in objects}


def _match(match: Match, place: str) -> ImageFinding:
    remark = differences(match, place)
    return ImageFinding(
        0, "truth", match.truth, match.student, match.truth_label, match.score, match.localisation, remark
    )


def differences(match: Match, place: str = "") -> str:
    """What differs between an object and its annotation, in words."""
    parts = [place] if place else ["place a little off"] if match.localisation < SLIGHTLY_OFF else []
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


def counts(findings: tuple[ImageFinding, ...]) -> tuple[int, int, int]:
    """Matched, missed, extra."""
    results = [finding.result for finding in findings]
    return results.count("truth"), results.count("missed"), results.count("extra")
