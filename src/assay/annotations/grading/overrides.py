"""Changes that people make to a score: who, when, why, and what it was before. The original is always kept.

Decisions name what they change as a target: `match:T:S`, `label:T:S`, `attribute:T:S:NAME`, `miss:T`, `extra:S`, where
T and S are places in the ground truth and in the submission. The value is the new score of the match, label or
attribute, 0 to 100; a miss is excused and an extra accepted by 100, and put back by 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.review_subject import is_review
from assay.annotations.matching.text_similarity import normalised
from assay.errors import InputError

Target: TypeAlias = Literal["match", "label", "attribute", "miss", "extra"]


@dataclass(frozen=True, slots=True)
class Override:
    """One change. `truth` and `student` are places in their sets, -1 where the target has none."""

    target: Target
    value: float
    """The new score, 0 to 100; for a miss or an extra 100 takes it out of the count and 0 puts it back."""
    author: str
    time: str
    """ISO 8601."""
    reason: str
    inputs: str
    """Digest of the ground truth and the submission it was made for."""
    truth: int = -1
    student: int = -1
    attribute: str = ""


def apply_overrides(score: SubmissionScore, overrides: Sequence[Override], inputs: str) -> SubmissionScore:
    """The score as people left it; later changes of one thing replace earlier ones.

    Every override must have been made for these very files, and must name something that is there; all that do
    not are reported together.
    """
    original = score.original or score
    mistakes = []
    for override in overrides:
        name, wrong = f"The change of {override.author} at {override.time}", []
        if override.inputs != inputs:
            wrong.append(f"{name} was made for other files: score the files it belongs to, or make it again.")
        if not 0 <= override.value <= 100:
            wrong.append(f"{name} gives {override.value:g}: a score is 0 to 100.")
        if not override.reason.strip():
            wrong.append(f"{name} has no reason: say why.")
        if not wrong and _row(original, override) < 0:
            article = "an" if override.target in ("attribute", "extra") else "a"
            wrong.append(f"{name} names {article} {override.target} that this submission does not have.")
        mistakes += wrong
    if mistakes:
        raise InputError("Overrides cannot be applied. " + " ".join(mistakes))
    changed = original
    for override in overrides:
        changed = _changed(changed, override)
    return replace(changed, original=original) if overrides else original


def _row(score: SubmissionScore, override: Override) -> int:
    """The match, miss or extra an override is about; -1 when there is none."""
    if override.target == "miss":
        rows = np.flatnonzero(score.missed == override.truth)
    elif override.target == "extra":
        rows = np.flatnonzero(score.extra == override.student)
    else:
        rows = np.flatnonzero((score.match_truth == override.truth) & (score.match_student == override.student))
    row, name = int(rows[0]) if rows.size else -1, normalised(override.attribute)
    compared = [one for one in score.comparisons if normalised(one.rule.name) == name and row in one.rows]
    return -1 if override.target == "attribute" and not compared else row


def _changed(score: SubmissionScore, override: Override) -> SubmissionScore:
    row = _row(score, override)
    match override.target:
        case "match":
            scores = np.full(score.match_truth.size, np.nan)
            scores = scores if score.match_override is None else score.match_override.copy()
            scores[row] = override.value
            return replace(score, match_override=scores)
        case "label":
            label = score.label.copy()
            label[row] = override.value / 100
            return replace(score, label=label)
        case "miss":
            excused = ~score.missed_counts
            excused[row] = override.value > 0
            return replace(score, excused=excused)
        case "extra":
            accepted = ~score.extra_counts
            accepted[row] = override.value > 0
            return replace(score, accepted=accepted)
    return _change_attribute(score, override, row)


def _change_attribute(score: SubmissionScore, override: Override, row: int) -> SubmissionScore:
    """One attribute's similarity, and the mean it enters."""
    comparisons = []
    total = weight = 0.0
    for compared in score.comparisons:
        place = np.flatnonzero(compared.rows == row)
        if place.size:
            if normalised(compared.rule.name) == normalised(override.attribute):
                similarity = compared.similarity.copy()
                similarity[place] = override.value / 100
                compared = replace(compared, similarity=similarity)  # noqa: PLW2901
            total += compared.rule.weight * float(compared.similarity[place[0]])
            weight += compared.rule.weight
        comparisons.append(compared)
    attributes = score.attributes.copy()
    if weight:
        attributes[row] = total / weight
    return replace(score, attributes=attributes, comparisons=tuple(comparisons))


INPUTS = "this result"
"""Decisions reach us by the digest of the work and of the rules, so they cannot belong to other files."""


def final_score(score: SubmissionScore, decisions: Sequence[Mapping[str, Any]]) -> SubmissionScore:
    """The score after the decisions that stand; confirmations change nothing."""
    overrides = [read_override(d["target"], d["value"], d) for d in decisions if not is_review(d["target"])]
    return apply_overrides(score, overrides, INPUTS)


def read_override(target: str, value: Any, record: Mapping[str, Any] | None = None) -> Override:
    """The change a target and a value ask for; InputError when they ask for none."""
    record = record or {}
    kind, *places = target.split(":", 3)
    count = {"match": 2, "label": 2, "attribute": 2, "miss": 1, "extra": 1}.get(kind, 0)
    numbers = [int(p) for p in places[:count] if p.isascii() and p.isdigit() and len(p) < 12]
    if not count or len(numbers) != count:
        raise InputError(
            f"There is no target {target[:60]!r}",
            field="target",
            remedy="Name match:T:S, label:T:S, attribute:T:S:NAME, miss:T or extra:S with places in the ground truth "
            "(T) and in the submission (S).",
        )
    points = 100.0 * value if isinstance(value, bool) else value
    if not isinstance(points, int | float) or not 0 <= points <= 100:  # NaN compares as False
        problem = "A score is a number from 0 to 100; 100 excuses a miss or accepts an extra, 0 puts it back."
        raise InputError(problem, field="value")
    return Override(
        target=kind,  # type: ignore[arg-type]  # one of Target, as was checked
        value=float(points),
        author=str(record.get("author", "")),
        time=str(record.get("time", "")),
        reason=str(record.get("reason") or "no reason given"),
        inputs=INPUTS,
        truth=-1 if kind == "extra" else numbers[0],
        student=numbers[-1] if kind != "miss" else -1,
        attribute=places[2] if kind == "attribute" and len(places) > 2 else "",
    )


def value_now(score: SubmissionScore, override: Override) -> float:
    """What the target of an override, which must be there, is worth in this score."""
    row = _row(score, override)
    if override.target in ("miss", "extra"):
        counts = score.missed_counts if override.target == "miss" else score.extra_counts
        return 100.0 * float(not counts[row])
    match = score.match(row)
    if override.target == "attribute":
        name = normalised(override.attribute)
        return next(c.similarity for c in match.comparisons if normalised(c.name) == name)
    return match.score if override.target == "match" else match.label
