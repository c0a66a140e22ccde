"""Responses that come in parts: tallied some at a time, here or elsewhere, and added up in one fixed order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.evaluation.exclusions import Exclusions, counted, exclusion_reasons
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.evaluation.tallying import EvaluationTally

CHUNK_PARTS = 16
"""Parts that are added up with each other before they meet the rest.

Sums of floats depend on the order in a last digit, so the order is the same wherever the parts are tallied.
"""


@dataclass(frozen=True, slots=True)
class ChunkTally:
    """Some parts of one table: what was left out, and the tally of the rest, if there is a rest."""

    tally: EvaluationTally | None
    exclusions: Exclusions

    def __add__(self, other: "ChunkTally") -> "ChunkTally":
        return ChunkTally(_sum(self.tally, other.tally), self.exclusions + other.exclusions)


def tally_parts(parts: Iterable[Ratings], plan: Plan) -> tuple[EvaluationTally, Exclusions]:
    """The tallies of all parts together, and how many responses were left out."""
    return whole_tally(tally_some(some, plan) for some in in_chunks(parts))


def in_chunks(parts: Iterable[Ratings]) -> Iterator[Iterator[Ratings]]:
    """The parts, some at a time; each chunk is to be used up before the next."""
    left = iter(parts)
    for first in left:
        yield _and_more(first, islice(left, CHUNK_PARTS - 1))


def tally_some(parts: Iterable[Ratings], plan: Plan) -> ChunkTally:
    """The parts of one chunk, tallied and added up one after the other."""
    found = ChunkTally(None, Exclusions(0))
    for part in parts:
        few = few_items(part, plan) if plan.least_items > 1 else None
        reasons = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros, few=few)
        kept = part.where(reasons < 0)
        tally = EvaluationTally.of(kept, plan) if len(kept) else None
        found += ChunkTally(tally, counted(reasons))
    return found


def whole_tally(chunks: Iterable[ChunkTally]) -> tuple[EvaluationTally, Exclusions]:
    """All chunks added up in their order. Raises InputError when no response is left."""
    whole = ChunkTally(None, Exclusions(0))
    for chunk in chunks:
        whole += chunk
    if whole.tally is None:
        raise InputError("no response is left to evaluate", field="human", remedy=_listed(whole.exclusions))
    return whole.tally, whole.exclusions


def few_items(part: Ratings, plan: Plan) -> NDArray[np.bool_]:
    """Responses of candidates with too few usable responses. The part must hold all responses of its candidates."""
    if part.candidate is None:
        raise InputError(
            (Field("min_items"), " needs a column that names candidates"),
            field="candidate",
            remedy=("Name it as ", Field("candidate"), "."),
        )
    usable = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros) < 0
    _, place = np.unique(part.candidate, return_inverse=True)
    return np.asarray(np.bincount(place, usable)[place] < plan.least_items)


def _sum(a: EvaluationTally | None, b: EvaluationTally | None) -> EvaluationTally | None:
    return a + b if a is not None and b is not None else a if b is None else b


def _and_more(first: Ratings, others: Iterable[Ratings]) -> Iterator[Ratings]:
    yield first
    yield from others


def _listed(exclusions: Exclusions) -> str:
    if not exclusions.read:
        return "The table has no rows."
    reasons = "; ".join(f"{reason}: {count}" for reason, count in exclusions.left_out.items())
    return f"Of {exclusions.read} read, left out were: {reasons}."
