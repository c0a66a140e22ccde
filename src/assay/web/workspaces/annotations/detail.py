"""A finding taken apart: what its score is made of, what differs, what can be decided about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

import numpy as np

from assay.annotations.grading.parts import AttributeComparison, Match
from assay.annotations.matching.text_similarity import as_text
from assay.report.annotations.findings import ImageFinding
from assay.store.overrides import Decision
from assay.web.workspaces.annotations.decisions import Work, subject_in, subject_of


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a score: what was reached, its share, what it brings."""

    name: str
    note: str
    value: float
    weight: float

    @property
    def points(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class Compared:
    """A label or an attribute on both sides."""

    name: str
    truth: str
    student: str
    alike: float
    system: float
    """How alike the system takes them to be; differs from `alike` after an override."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something a person can decide about a finding, and the submission's score after it."""

    target: str
    value: float
    words: str
    becomes: float

    @property
    def code(self) -> str:
        """As a form sends it: what is decided, and what the person was shown."""
        return f"{self.becomes:.1f}|{self.value:g}|{self.target}"


@dataclass(frozen=True, eq=False, slots=True)
class Detail:
    """A finding taken apart."""

    number: int
    result: str
    label: str
    remark: str
    score: float | None
    system: float | None
    parts: tuple[ScorePart, ...]
    compared: tuple[Compared, ...]
    choices: tuple[Choice, ...]
    match_target: str
    """Empty when it is no match."""
    by_key: bool
    decisions: tuple[Decision, ...]


def detail_of(work: Work, finding: ImageFinding, *, choices: bool = True) -> Detail:
    """A finding with its parts, what differs, and what can be decided."""
    decisions = tuple(d for d in work.decisions if subject_in(d.target) == subject_of(finding))
    if finding.result != "truth":
        return _unmatched(work, finding, decisions, choices=choices)
    rows = work.final.match_truth == finding.truth
    number = int(np.flatnonzero(rows)[0])
    match, system = work.final.match(number), work.original.match(number)
    places = f"{match.truth}:{match.student}"
    return Detail(
        number=finding.number,
        result="matched",
        label=finding.label,
        remark=finding.remark,
        score=match.score,
        system=system.score,
        parts=_parts(match, float(work.final.system_match_scores[number])),
        compared=(
            _label(match, system),
            *(_attribute(a, b) for a, b in zip(match.comparisons, system.comparisons, strict=True)),
        ),
        choices=tuple(_choices(work, match, places)) if choices else (),
        match_target=f"match:{places}",
        by_key=match.by_key,
        decisions=decisions,
    )


def _parts(match: Match, by_rules: float) -> tuple[ScorePart, ...]:
    place, label, attributes = match.weights
    none = isnan(match.attributes)
    parts = [
        ScorePart("Place", f"overlap {match.localisation / 100:.2f}", match.localisation, place),
        ScorePart("Label", "", match.label, label),
        ScorePart("Attributes", "none to compare" if none else "", 100.0 if none else match.attributes, attributes),
    ]
    if abs(match.score - by_rules) > 1e-9:
        parts.append(ScorePart("Override of the match", "", match.score - by_rules, 1.0))
    return tuple(part for part in parts if part.weight)


def _label(match: Match, system: Match) -> Compared:
    return Compared("label", match.truth_label, match.student_label, match.label, system.label)


def _attribute(now: AttributeComparison, system: AttributeComparison) -> Compared:
    student = as_text(now.student)
    return Compared(now.name, as_text(now.truth), student or "left empty", now.similarity, system.similarity)


def _choices(work: Work, match: Match, places: str) -> Iterable[Choice]:
    if match.label < 100:
        target = f"label:{places}"
        yield _choice(work, target, 100, f"Accept “{match.student_label}” as “{match.truth_label}”")
        if match.label > 0:
            yield _choice(work, target, 0, f"No credit for “{match.student_label}”")
    for compared in match.comparisons:
        if compared.similarity < 100:
            yield _choice(work, f"attribute:{places}:{compared.name}", 100, f"Accept {compared.name} as given")


def _choice(work: Work, target: str, value: float, words: str) -> Choice:
    return Choice(target, value, words, work.becomes(target, value))


def _unmatched(work: Work, finding: ImageFinding, decisions: tuple[Decision, ...], *, choices: bool) -> Detail:
    target = subject_of(finding)
    out = any(decision.value for decision in decisions)
    first = {
        ("missed", False): "Excuse this miss",
        ("missed", True): "Count this miss again",
        ("extra", False): "Accept this extra",
        ("extra", True): "Count this extra again",
    }[(finding.result if finding.result == "missed" else "extra", out)]
    remark = finding.remark
    if out:
        remark += " Excused by a person." if finding.result == "missed" else " Accepted by a person."
    return Detail(
        number=finding.number,
        result=finding.result,
        label=finding.label,
        remark=remark,
        score=None,
        system=None,
        parts=(),
        compared=(),
        choices=(_choice(work, target, 0 if out else 100, first),) if choices else (),
        match_target="",
        by_key=False,
        decisions=decisions,
    )
