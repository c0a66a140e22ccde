"""What follows from an advisory: the score is withheld, capped, or shown with a warning; by the model, or as asked.

A consequence is written `warn`, `withhold`, `cap` (at most the middle of the scale) or `cap:3` (at most 3).
"""

from collections.abc import Mapping
from math import floor, inf, isfinite
from types import MappingProxyType

from assay.errors import Field, InputError
from assay.essays.feedback.advisories import TITLES
from assay.scale import ScoreScale

WARN, CAP, WITHHOLD = "warn", "cap", "withhold"
NO_SCORE = frozenset({"empty", "unknown_prompt", "unknown_program", "no_rating"})
"""Advisories of essays that get no score at all, whatever is asked."""
CONSEQUENCES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(TITLES, WARN),
        **dict.fromkeys(sorted(NO_SCORE), WITHHOLD),
        **dict.fromkeys(("not_english", "gibberish", "word_order", "nonsense", "word_list", "disconnected"), WITHHOLD),
        "partly_not_english": CAP,
        **dict.fromkeys(("feature_undefined", "beyond_training", "unstated_parts"), WARN),
    }
)
"""Of each advisory, where a model says nothing else. Those that withhold raise at most 3 false alarms in 1,000."""


def checked_consequences(asked: Mapping[str, str], scale: ScoreScale | None = None) -> dict[str, str]:
    """The same if every advisory can be known and every consequence can follow; else InputError."""
    for name, consequence in asked.items():
        if name not in CONSEQUENCES:
            near = ", ".join(CONSEQUENCES)
            raise InputError(f"there is no advisory {name!r}", field="on_advisory", remedy=f"There are {near}.")
        if name in NO_SCORE and consequence != WITHHOLD:
            problem = f"an essay with the advisory {name!r} has no score that could be shown"
            raise InputError(problem, field="on_advisory", remedy="Leave it out.")
        if consequence not in (WARN, CAP, WITHHOLD) and not _is_cap(consequence, scale):
            problem = f"{consequence!r} is no consequence of {name!r}"
            remedy = ("Write ", Field("on_advisory"), f" {name}=warn, cap, cap:3 (a point of the scale) or withhold.")
            raise InputError(problem, field="on_advisory", remedy=remedy)
    return dict(asked)


def _is_cap(consequence: str, scale: ScoreScale | None) -> bool:
    word, sign, point = consequence.partition(":")
    try:
        value = float(point)
    except ValueError:
        return False
    good = word == CAP and bool(sign) and isfinite(value)
    return good and (scale is None or scale.lowest <= value <= scale.highest)


def highest_score(consequence: str, scale: ScoreScale) -> float:
    """The highest score that a consequence allows; infinite where it caps none.

    >>> highest_score("cap", ScoreScale(1, 6)), highest_score("cap:2", ScoreScale(1, 6))
    (3.0, 2.0)
    """
    word, _, point = consequence.partition(":")
    if word != CAP:
        return inf
    if point:
        return float(point)
    steps = floor((scale.highest - scale.lowest) / 2 / scale.step)
    return scale.lowest + steps * scale.step
