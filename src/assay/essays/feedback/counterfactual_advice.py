"""What would raise a score: the first pieces of advice, each with what the model itself would give for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Protocol, TypeAlias

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.feedback.advice import Advice
from assay.essays.feedback.norms import reference_norms

MOST = 3
LEAST_GAIN = 0.005
"""Score points; less would be shown as 0.00."""
TOGETHER = (("length", ("length", "element_length")), ("vocabulary", ("vocabulary", "word_length")))
"""Features that one act changes together: advice on the first is advice on all."""


class SupposedScore(Protocol):
    """What a model would give."""

    @property
    def raw(self) -> float: ...
    @property
    def score(self) -> float: ...


ScoreIf: TypeAlias = Callable[[Mapping[str, float]], SupposedScore | None]
"""Features of an essay -> the score that a model would give it; None where the model cannot tell."""


@dataclass(frozen=True, slots=True)
class ValuedAdvice:
    """One piece of advice: what to do, why, the notes it is about, and the points it is worth by the model."""

    title: str
    why: str
    do: str
    notes: tuple[int, ...]
    gain: float | None
    """Score points; None where the model cannot tell."""

    def sentence(self) -> str:
        """What to do, why, and what it is worth, in one sentence.

        >>> ValuedAdvice("Check a few words", "1 note on usage: wrong article (1).", "", (4,), 0.12).sentence()
        'Check a few words: 1 note on usage: wrong article (1); worth about 0.12 points.'
        """
        worth = f"; worth about {self.gain:.2f} points" if self.gain else ""
        return f"{self.title}: {self.why.rstrip('.')}{worth}."


@dataclass(frozen=True, slots=True)
class Raising:
    """What would raise a score: at most three pieces of advice, and the score if all of them were followed."""

    advice: tuple[ValuedAdvice, ...] = ()
    raw: float | None = None
    score: float | None = None
    """Both None where nothing would raise it, or the model cannot tell."""


def what_would_raise(advice: Sequence[Advice], values: Mapping[str, float], raw: float, score_if: ScoreIf) -> Raising:
    """At most three pieces of advice, worth most first, and the score if all of them were followed.

    `values` are the features of the essay as it is, and `raw` its raw score by the model of `score_if`.
    """
    valued = []
    for item in advice:
        change = _changed(item, values)
        supposed = score_if({**values, **change})
        if supposed is None:
            return first_advice(advice)
        if supposed.raw - raw >= LEAST_GAIN:
            valued.append((supposed.raw - raw, item, change))
    best = sorted(valued, key=lambda one: -one[0])[:MOST]
    after = score_if({**values, **{name: value for _, _, change in best for name, value in change.items()}})
    if not best or after is None:
        return Raising()
    items = tuple(ValuedAdvice(a.title, a.why, a.do, a.notes, round(gain, 2)) for gain, a, _ in best)
    return Raising(items, round(after.raw, 2), after.score if isfinite(after.score) else None)


def first_advice(advice: Sequence[Advice]) -> Raising:
    """The first pieces of advice, for a model that cannot tell what they are worth."""
    return Raising(tuple(ValuedAdvice(a.title, a.why, a.do, a.notes, None) for a in advice[:MOST]))


def _changed(advice: Advice, values: Mapping[str, float]) -> dict[str, float]:
    """The features as they would be measured if the advice were followed: no errors, typical lengths and words."""
    norms = reference_norms().norms
    if advice.feature in CATEGORIES:
        return {advice.feature: 0.0}
    if advice.feature == "development":
        return {"development": min(0.0, values["development"] + _elements(advice))}
    changed = {}
    for name in dict(TOGETHER).get(advice.feature, (advice.feature,)):
        better = min if name == "vocabulary" else max
        if name in norms and not isnan(values.get(name, float("nan"))):
            changed[name] = better(values[name], norms[name].mean)
    return changed


def _elements(advice: Advice) -> float:
    """Discourse elements that advice on development adds: its gain is weight x elements / SD."""
    one = reference_norms().better_by("development", 1)
    return advice.gain / one if one else 0.0
