"""Decisions about annotations: what a target names, and the score as people left it.

Targets: `match:T:S`, `label:T:S`, `attribute:T:S:NAME`, `miss:T`, `extra:S`, where T and S are places in the ground
truth and in the submission. The value is the new score of the match, label or attribute, 0 to 100; a miss is excused
and an extra accepted by 100, and put back by 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, get_args

import numpy as np

from assay.annotations.grading.overrides import Override, Target, apply_overrides
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import normalised
from assay.errors import InputError
from assay.store.overrides import Decision
from assay.store.schema import Json

INPUTS = "this result"
"""Decisions reach us by the digest of the work and of the rules, so they cannot belong to other files."""


def as_json(decisions: Iterable[Decision]) -> list[Json]:
    """Decisions as a job carries them."""
    names = ("target", "value", "author", "reason", "previous")
    return [{name: getattr(d, name) for name in names} | {"time": d.made.isoformat()} for d in decisions]


def final_score(score: SubmissionScore, decisions: Sequence[Json]) -> SubmissionScore:
    """The score after the decisions that stand; confirmations change nothing."""
    made = [read_override(d["target"], d["value"], d) for d in decisions if d["target"] != "score"]
    return apply_overrides(score, made, INPUTS)


def read_override(target: str, value: Any, told: Mapping[str, Any] | None = None) -> Override:
    """The change a target and a value ask for; InputError when they ask for none."""
    told = told or {}
    kind, *places = target.split(":", 3)
    numbers = {"match": 2, "label": 2, "attribute": 2, "miss": 1, "extra": 1}
    if kind not in get_args(Target) or not _are_places(places[: numbers[kind]], numbers[kind]):
        raise InputError(
            f"There is no target {target[:60]!r}. Name match:T:S, label:T:S, attribute:T:S:NAME, miss:T or extra:S "
            "with places in the ground truth (T) and in the submission (S)."
        )
    first, second = int(places[0]), int(places[1]) if numbers[kind] == 2 else -1
    return Override(
        target=kind,  # type: ignore[arg-type]  # one of Target, as was checked
        value=_points(value),
        author=str(told.get("author", "")),
        time=str(told.get("time", "")),
        reason=str(told.get("reason") or "no reason given"),
        inputs=INPUTS,
        truth=-1 if kind == "extra" else first,
        student=first if kind == "extra" else second,
        attribute=places[2] if kind == "attribute" and len(places) > 2 else "",
    )


def _are_places(places: Sequence[str], count: int) -> bool:
    return len(places) == count and all(p.isascii() and p.isdigit() and len(p) < 12 for p in places)


def _points(value: Any) -> float:
    if isinstance(value, bool):
        return 100.0 if value else 0.0
    if not isinstance(value, int | float) or not isfinite(value) or not 0 <= value <= 100:
        raise InputError("A score is a number from 0 to 100; 100 excuses a miss or accepts an extra, 0 puts it back.")
    return float(value)


def value_now(score: SubmissionScore, override: Override) -> float:
    """What the target of an override is worth in this score."""
    if override.target == "miss":
        return 100.0 * float(not score.missed_counts[score.missed == override.truth][0])
    if override.target == "extra":
        return 100.0 * float(not score.extra_counts[score.extra == override.student][0])
    rows = np.flatnonzero((score.match_truth == override.truth) & (score.match_student == override.student))
    match = score.match(int(rows[0]))
    if override.target == "match":
        return match.score
    if override.target == "label":
        return match.label
    wanted = normalised(override.attribute)
    return next(c.similarity for c in match.comparisons if normalised(c.name) == wanted)
