"""Decisions about annotations: as words, rows of a table and JSON, and a submission as people left it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.result import SubmissionScore
from assay.io.results.evaluation_tables import PlainTable
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
    before, after = (
        f"{value:.0f}" if isinstance(value, int | float) else "n/a" for value in (decision.previous, decision.value)
    )
    return f"{target_words(decision.target)}: {before} → {after}"


def decision_content(decision: Decision) -> Json:
    names = ("target", "kind", "value", "previous", "system_score", "human_score", "reason", "author")
    content = {name: getattr(decision, name) for name in names}
    return {
        **content,
        "made": decision.made_at.isoformat(),
        "undone": decision.undone.isoformat() if decision.undone else None,
        "undone_by": decision.undone_by,
    }


def decision_table(decisions: Sequence[Decision], names: Mapping[int, str]) -> PlainTable:
    """Decisions as a table, undone ones too."""
    columns = ("student", "what", "target", "kind", "was", "is", "system_score", "final_score", "reason", "author")
    listed = [
        (
            *(names.get(d.item_id, ""), target_words(d.target), d.target, d.kind, d.previous, d.value),
            *(d.system_score, d.human_score, d.reason, d.author, d.made_at.isoformat()),
            *(d.undone.isoformat() if d.undone else None, d.undone_by),
        )
        for d in decisions
    ]
    return PlainTable((*columns, "made", "undone", "undone_by"), listed)


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

    def becomes(self, target: str, value: float) -> float:
        """The score after one more decision."""
        others = as_json(decision for decision in self.decisions if decision.target != target)
        return final_score(self.original, [*others, {"target": target, "value": value}]).overall

    def images(self) -> list[int]:
        """The images that are scored, as places in the score's images."""
        return [int(index) for index in np.flatnonzero(self.original.in_scope)]

    def findings(self, index: int) -> tuple[ImageFinding, ...]:
        """Numbered by the system's score: an override must not move what a person is looking at."""
        return findings_on(self.original, index)


def subject_of(finding: ImageFinding) -> str:
    """What decisions about a finding are about."""
    if finding.result == "missed":
        return f"miss:{finding.truth}"
    if finding.result == "extra":
        return f"extra:{finding.student}"
    return f"{finding.truth}:{finding.student}"


def subject_in(target: str) -> str:
    """The same, of a decision."""
    kind, *places = target.split(":", 3)
    return f"{kind}:{places[0]}" if kind in ("miss", "extra") else ":".join(places[:2])
