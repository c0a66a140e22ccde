"""A submission as the system scored it and as people left it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.report.annotations.findings import ImageFinding, findings_on
from assay.store.overrides import Decision
from assay.web.workspaces.annotations.overrides import as_json, final_score


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """A submission as the system scored it and as people left it, with the decisions that stand."""

    original: SubmissionScore
    final: SubmissionScore
    held: tuple[Decision, ...]

    @classmethod
    def of(cls, original: SubmissionScore, held: Sequence[Decision]) -> "Work":
        return cls(original, final_score(original, as_json(held)), tuple(held))

    def becomes(self, target: str, value: float) -> float:
        """The score after one more decision."""
        others = as_json(decision for decision in self.held if decision.target != target)
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
