"""Responses that come in parts: tallied some at a time, here or elsewhere, and added up in one fixed order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.evaluation.exclusions import REASONS, Exclusions, Reasons, counted, exclusion_reasons
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.evaluation.tallying import EvaluationTally

CHUNK_PARTS = 16
"""Parts that are added up with each other before they meet the rest.

Sums of floats depend on the order in a last digit, so the order is the same wherever the parts are tallied.
"""

MOST_EXCLUDED_LISTED = 10_000
"""More responses than this are counted, but not listed one by one."""


@dataclass(frozen=True, slots=True)
class ChunkTally:
    """Some parts of one table: what was left out, and the tally of the rest, if there is a rest."""

    tally: EvaluationTally | None
    exclusions: Exclusions
    excluded: tuple[tuple[str, str], ...] = ()
    """Responses left out, by id, and why; the first ones, where ids are known."""

    def __len__(self) -> int:
        return self.exclusions.read

    def __add__(self, other: "ChunkTally") -> "ChunkTally":
        a, b = self.tally, other.tally
        tally = a + b if a is not None and b is not None else a if b is None else b
        excluded = (*self.excluded, *other.excluded)[:MOST_EXCLUDED_LISTED]
        return ChunkTally(tally, self.exclusions + other.exclusions, excluded)


def tally_parts(parts: Iterable[Ratings], plan: Plan) -> tuple[EvaluationTally, Exclusions]:
    """The tallies of all parts together, and how many responses were left out."""
    tally, exclusions, _ = whole_tally(tallied_chunks(((part, ()) for part in parts), plan))
    return tally, exclusions


def tallied_chunks(parts: Iterable[tuple[Ratings, Any]], plan: Plan) -> Iterator[ChunkTally]:
    """The parts, each with the ids of its responses (a list or a column) or (), tallied and added up some at a time."""
    left = iter(parts)
    for first in left:
        chunk = ChunkTally(None, Exclusions(0))
        for part, ids in chain((first,), islice(left, CHUNK_PARTS - 1)):
            few = few_items(part, plan) if plan.least_items > 1 else None
            reasons = plan_reasons(part, plan, few)
            included = part.where(reasons < 0)
            tally = EvaluationTally.of(included, plan) if len(included) else None
            rows = np.flatnonzero(reasons >= 0)[:MOST_EXCLUDED_LISTED].tolist() if len(ids) else []
            excluded = tuple((str(ids[row]), REASONS[reasons[row]]) for row in rows)
            chunk += ChunkTally(tally, counted(reasons), excluded)
        yield chunk


def whole_tally(chunks: Iterable[ChunkTally]) -> tuple[EvaluationTally, Exclusions, tuple[tuple[str, str], ...]]:
    """All chunks added up in their order, and who is left out. Raises InputError when no response is left."""
    whole = sum(chunks, ChunkTally(None, Exclusions(0)))
    if whole.tally is not None:
        return whole.tally, whole.exclusions, whole.excluded
    reasons = "; ".join(f"{reason}: {count}" for reason, count in whole.exclusions.left_out.items())
    remedy = f"Of {len(whole)} read, left out were: {reasons}." if len(whole) else "The table has no rows."
    raise InputError("no response is left to evaluate", field="human", remedy=remedy)


def plan_reasons(part: Ratings, plan: Plan, few: NDArray[np.bool_] | None = None) -> Reasons:
    """Why each response is left out, as the plan asks."""
    zeros = bool(plan.leave_out_zeros)
    return exclusion_reasons(part, leave_out_zeros=zeros, reference=plan.reference, few=few)


def few_items(part: Ratings, plan: Plan) -> NDArray[np.bool_]:
    """Responses of candidates with too few usable responses. The part must hold all responses of its candidates."""
    if part.candidate is None:
        problem = (Field("min_items"), " needs a column that names candidates")
        raise InputError(problem, field="candidate", remedy=("Name it as ", Field("candidate"), "."))
    usable = plan_reasons(part, plan) < 0
    _, place = np.unique(part.candidate, return_inverse=True)
    return np.asarray(np.bincount(place, usable)[place] < plan.least_items)
