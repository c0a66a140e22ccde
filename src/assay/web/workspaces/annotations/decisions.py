"""Decisions about annotations: a submission as people left it, and a finding taken apart, with what can be decided."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.parts import Match
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import as_text
from assay.report.annotations.findings import ImageFinding, findings_on
from assay.store.overrides import Decision
from assay.store.schema import Json


def target_words(target: str) -> str:
    """What a decision is about, in words.

    >>> target_words("attribute:3:5:colour"), target_words("miss:7")
    ('attribute “colour” of a match', 'a missed object')
    """
    kind, *rest = target.split(":", 3)
    if kind == "attribute":
        return f"attribute “{rest[2] if len(rest) > 2 else ''}” of a match"
    words = {"match": "a match", "label": "label of a match", "miss": "a missed object", "extra": "an extra annotation"}
    return words.get(kind, "the score")


def decision_words(decision: Decision) -> str:
    """What a decision did: excused a miss, accepted an extra, or gave another score to a part."""
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


def subject_in(target: str) -> str:
    """The same, of a decision."""
    kind, *places = target.split(":", 3)
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
        by_key=match.by_key,
    )


def _parts(match: Match, by_rules: float) -> tuple[Json, ...]:
    place, label, attributes = match.weights
    none = isnan(match.attributes)
    parts = [
        ("Place", f"overlap {match.localisation / 100:.2f}", match.localisation, place),
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
    is_missed = finding.result == "missed"
    done, words = ("Excused", "Excuse this miss") if is_missed else ("Accepted", "Accept this extra")
    if is_out:
        words = f"Count this {'miss' if is_missed else 'extra'} again"
    remark = f"{finding.remark} {done} by a person." if is_out else finding.remark
    offered = (work.choice(subject_of(finding), 0 if is_out else 100, words),) if choices else ()
    return Detail(finding.number, finding.result, finding.label, remark, decisions, offered)
