"""Which responses a person should look at next: those that teach most about the engine."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.metrics.pairs import Scores

Why = Literal["no score", "flagged", "interval", "cut", "few"]


@dataclass(frozen=True, eq=False, slots=True)
class Stratum:
    """A way to part the responses (by score level, by group), and how many of each part were reviewed."""

    name: str
    labels: tuple[str, ...]
    codes: NDArray[np.int64]
    """The part of each waiting response."""
    reviewed: NDArray[np.int64]
    """Reviewed responses of each part."""


@dataclass(frozen=True, eq=False, slots=True)
class Waiting:
    """Responses without a review; NaN where something is not known."""

    system: Scores
    raw: Scores
    """The score before it was rounded."""
    spread: Scores
    """Half the length of the interval of the response's own score."""
    flagged: NDArray[np.bool_]
    strata: tuple[Stratum, ...] = ()


@dataclass(frozen=True, slots=True)
class Pick:
    """A response to review: its place among those waiting, why, and the part of a stratum that has few reviews."""

    row: int
    why: Why
    part: str = ""
    reviewed: int = 0


def review_order(waiting: Waiting, *, step: float | None, most: int) -> list[Pick]:
    """At most so many responses, the most telling first.

    Each has a doubt between 0 and 1 (1 without a score or with a flag; 0.9 for the widest interval, down to 0 for a
    typical one; up to 0.8 beside a cut between two score points `step` apart) and a rarity, 1 / sqrt(1 + reviews of
    its part of the scale or of its group), which falls as responses of that part are picked: so the picks spread over
    the scale. The largest sum comes next; ties keep the order of the responses. These weights are ours, a rule of
    thumb: whoever follows it learns most about weak places, and must not take the reviewed for a random sample.
    """
    doubts = _doubts(waiting, step)
    doubt = np.max([value for _, value in doubts], axis=0, initial=0.0)
    counts = [stratum.reviewed.astype(np.float64) for stratum in waiting.strata]
    left = np.ones(len(waiting.system), dtype=np.bool_)
    picks: list[Pick] = []
    for _ in range(min(most, len(waiting.system))):
        rarities = [1 / np.sqrt(1 + c[s.codes]) for s, c in zip(waiting.strata, counts, strict=True)]
        rarity = np.max(rarities, axis=0, initial=0.0) if rarities else np.zeros(len(doubt))
        row = int(np.argmax(np.where(left, doubt + rarity, -1.0)))
        why, weight = max(((name, float(value[row])) for name, value in doubts), key=lambda one: one[1])
        pick = Pick(row, why)
        if rarities:
            rare = int(np.argmax([values[row] for values in rarities]))
            if rarities[rare][row] > weight:
                stratum = waiting.strata[rare]
                part = int(stratum.codes[row])
                pick = Pick(row, "few", stratum.labels[part], int(stratum.reviewed[part]))
        picks.append(pick)
        left[row] = False
        for stratum, count in zip(waiting.strata, counts, strict=True):
            count[stratum.codes[row]] += 1
    return picks


def _doubts(waiting: Waiting, step: float | None) -> list[tuple[Why, Scores]]:
    doubts: list[tuple[Why, Scores]] = [
        ("no score", np.isnan(waiting.system).astype(np.float64)),
        ("flagged", waiting.flagged.astype(np.float64)),
    ]
    known = waiting.spread[np.isfinite(waiting.spread)]
    typical, widest = (float(np.median(known)), float(known.max())) if known.size else (0.0, 0.0)
    if widest > typical:
        wider = np.clip(np.nan_to_num(waiting.spread) - typical, 0, None)
        doubts.append(("interval", 0.9 * wider / (widest - typical)))
    if step:
        beside = 1 - 2 * np.abs(np.mod(waiting.raw / step, 1.0) - 0.5)
        doubts.append(("cut", 0.8 * np.nan_to_num(beside)))
    return doubts
