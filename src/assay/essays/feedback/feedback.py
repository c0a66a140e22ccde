"""FRONT DOOR `essay_feedback`: what a writer can do next, and why.

Advice is ordered by what a change would count for: weight of a feature x change / standard deviation of the feature.
Without a score model the weights are those the paper prints and the deviations those of a reference corpus; a model
brings its own as another `FeatureNorms`.

`what_would_raise` tells the first pieces of advice, each with what the model itself would give for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Protocol, TypeAlias

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.features.features import FEATURES, Analysis, features_of, why_undefined
from assay.essays.feedback.advice import Advice, AdviceEvidence, advice
from assay.essays.feedback.advisories import Advisory, advisories
from assay.essays.feedback.norms import FeatureNorms, reference_norms
from assay.essays.feedback.notes import Labeller, OutlinePart, WritingNote, numbered, parts, skeleton
from assay.essays.feedback.strengths import Strength, strengths
from assay.essays.text.text import Text

UNREADABLE = frozenset(["empty", "not_english", "gibberish"])
"""Advisories after which nothing else that is said of the essay can be trusted."""

REMEDIES = {
    "empty": "Write your essay, then ask again.",
    "too_short": "Write on: a paragraph for each reason gives enough to comment on.",
    "not_english": "Only essays in English can be read here. Ask your teacher how to hand this one in.",
    "gibberish": "Check that this is the file you meant to hand in.",
    "repeated": "Say each thing once, and use the room for another reason or an example.",
    "prompt_copied": "Put the question into your own words, and quote only what you comment on.",
    "off_topic": "Read the question again and answer it in your first paragraph. If you did, ask someone to read this.",
}
"""What to do about each advisory."""

LENGTH_BOUND = frozenset(["type_token"])
"""Features that follow the length of an essay so closely that a comparison across lengths would mislead."""


@dataclass(frozen=True, slots=True)
class FeatureLevel:
    """A feature of the essay beside typical essays."""

    feature: str
    title: str
    value: float
    typical: float
    beaten: float
    """About how many of 100 reference essays do worse; NaN where that is not known."""
    weight: float
    undefined: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class EssayFeedback:
    """All that a writer is told."""

    text: Text
    words: int
    notes: tuple[WritingNote, ...]
    outline: tuple[OutlinePart, ...]
    labeller: Labeller
    levels: tuple[FeatureLevel, ...]
    advisories: tuple[Advisory, ...]
    unchecked: dict[str, str]
    """Advisories that could not be looked for, with the reason."""
    advice: tuple[Advice, ...]
    strengths: tuple[Strength, ...]
    source: str
    """Where typical values and weights come from."""

    @property
    def can_be_read(self) -> bool:
        """Whether the essay is one that can be commented on."""
        return not any(doubt.name in UNREADABLE for doubt in self.advisories)


def essay_feedback(
    essay: Analysis, *, labeller: Labeller, prompt: str = "", reference: FeatureNorms | None = None
) -> EssayFeedback:
    """Notes, outline, levels, advice and strengths of an analysed essay.

    `prompt` is the wording of the question, to see whether it was copied. An essay that cannot be read (empty, in
    another language, not words) gets its advisories, no notes and no advice.
    """
    reference = reference or reference_norms()
    doubts = advisories(essay.words, prompt=prompt)
    can_be_read = not any(doubt.name in UNREADABLE for doubt in doubts)
    notes = numbered(essay.findings) if can_be_read else ()
    outline = parts(essay.text, essay.discourse, labeller)
    values = features_of(essay)
    evidence = AdviceEvidence(
        len(essay.words), values, notes, skeleton(outline, essay.text, essay.discourse), reference
    )
    reasons = why_undefined(values)
    levels = [
        FeatureLevel(
            feature=name,
            title=FEATURES[name].title,
            value=value,
            typical=reference.norms[name].mean if name in reference.norms else float("nan"),
            beaten=float("nan") if name in LENGTH_BOUND else reference.beaten(name, value),
            weight=reference.weights.get(name, 0.0),
            undefined=reasons.get(name, ""),
        )
        for name, value in values.items()
    ]
    unchecked = {"off_topic": "needs scored essays on the same prompt"}
    if not prompt.strip():
        unchecked = {"prompt_copied": "no prompt was given", **unchecked}
    return EssayFeedback(
        text=essay.text,
        words=len(essay.words),
        notes=notes,
        outline=outline,
        labeller=labeller,
        levels=tuple(levels),
        advisories=doubts,
        unchecked=unchecked,
        advice=advice(evidence) if can_be_read else (),
        strengths=strengths(evidence) if can_be_read else (),
        source=reference.source,
    )


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
        # discourse elements that advice on development adds: its gain is weight x elements / SD
        one = reference_norms().better_by("development", 1)
        return {"development": min(0.0, values["development"] + (advice.gain / one if one else 0.0))}
    changed = {}
    for name in dict(TOGETHER).get(advice.feature, (advice.feature,)):
        better = min if name == "vocabulary" else max
        if name in norms and not isnan(values.get(name, float("nan"))):
            changed[name] = better(values[name], norms[name].mean)
    return changed
