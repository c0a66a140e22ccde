"""FRONT DOOR `essay_feedback`: what a writer can do next, and why.

First what works, then at most three aims: errors that block reading, before development, before polish.
`what_would_raise` tells what meeting the aims would do to the score, by the model itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Protocol, TypeAlias

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.features.features import FEATURES, Analysis, features_of, why_undefined
from assay.essays.feedback.advice import Advice, AdviceEvidence, advice
from assay.essays.feedback.advisories import Advisory
from assay.essays.feedback.levels import USUAL, Level
from assay.essays.feedback.norms import FeatureNorms, reference_norms
from assay.essays.feedback.notes import Labeller, OutlinePart, WritingNote, numbered, parts, skeleton
from assay.essays.feedback.preferences import CoursePreferences
from assay.essays.feedback.strengths import Strength, strengths
from assay.essays.integrity.detectors import text_advisories
from assay.essays.text.text import Text

UNREADABLE = frozenset(["empty", "not_english", "gibberish"])
"""Advisories after which nothing else that is said of the essay can be trusted."""

REMEDIES = {
    "empty": "Write your essay, then ask again.",
    "too_short": "Write on: a paragraph for each reason gives enough to comment on.",
    "not_english": "Only essays in English can be read here. Ask your teacher how to hand this one in.",
    "gibberish": "Check that this is the file you meant to hand in.",
    "word_order": "Put the words of each sentence in order, then ask again.",
    "nonsense": "Read it aloud. Say what you mean in words whose meaning you are sure of.",
    "word_list": "Use the words in sentences that say something about them.",
    "disconnected": "Choose one point and let each sentence say more about it.",
    "partly_not_english": "Write all of it in English; only that part can be read here.",
    "repeated": "Say each thing once, and use the room for another reason or an example. It is scored once only.",
    "prompt_copied": "Put the question into your own words, and quote only what you comment on.",
    "off_topic": "Read the question again and answer it in your first paragraph. If you did, ask someone to read this.",
    "all_capitals": "Write in small letters, with a capital where a sentence or a name begins.",
    "no_punctuation": "Read it aloud and put a full stop where a thought ends.",
    "sentence_order": "Check that the introduction comes first and the conclusion last.",
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
    level: Level = USUAL
    """Whom it is said to."""

    @property
    def can_be_read(self) -> bool:
        """Whether the essay is one that can be commented on."""
        return not any(doubt.name in UNREADABLE for doubt in self.advisories)


def essay_feedback(
    essay: Analysis,
    *,
    labeller: Labeller,
    prompt: str = "",
    reference: FeatureNorms | None = None,
    level: Level = USUAL,
    preferences: CoursePreferences | None = None,
) -> EssayFeedback:
    """Notes, outline, levels, aims and strengths of an analysed essay, said to a reader of some level.

    `prompt` is the wording of the question, to see whether it was copied; `preferences` say what is not marked. An
    essay that cannot be read (empty, in another language, not words) gets its advisories, no notes and no advice.
    """
    reference = reference or reference_norms()
    doubts = text_advisories(essay.text, essay.words, prompt=prompt)
    can_be_read = not any(doubt.name in UNREADABLE for doubt in doubts)
    findings = preferences.kept_findings(essay.findings) if preferences else essay.findings
    notes = numbered(findings) if can_be_read else ()
    outline = parts(essay.text, essay.discourse, labeller)
    values = features_of(essay)
    parts_there = skeleton(outline, essay.text, essay.discourse)
    evidence = AdviceEvidence(essay.text, len(essay.words), values, notes, parts_there, reference, level)
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
        level=level,
    )


LEAST_GAIN = 0.005
"""Score points; less would be shown as 0.00."""
HIGHEST = {"development": 0.0}
LOWEST = dict.fromkeys(CATEGORIES, 0.0)
"""Where a feature can rise or fall no further."""


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
    """An aim: what to do, why, the notes it is about, and the points that meeting it would add by the model."""

    title: str
    why: str
    do: str
    notes: tuple[int, ...]
    gain: float | None
    """Score points; None where the model cannot tell."""

    def sentence(self) -> str:
        """What to do and why, in one sentence.

        >>> ValuedAdvice("Check your spelling", "4 places are marked.", "", (4,), 0.12).sentence()
        'Check your spelling: 4 places are marked.'
        """
        return f"{self.title}{'' if self.title.endswith('?') else ':'} {self.why}"


@dataclass(frozen=True, slots=True)
class Raising:
    """What meeting the aims would do to the score: each by itself, and all of them."""

    advice: tuple[ValuedAdvice, ...] = ()
    raw: float | None = None
    score: float | None = None
    """Both None where nothing would raise it, or the model cannot tell."""


def what_would_raise(advice: Sequence[Advice], values: Mapping[str, float], raw: float, score_if: ScoreIf) -> Raising:
    """The aims with what each would add to the score, in their own order, and the score if all of them were met.

    `values` are the features of the essay as it is, and `raw` its raw score by the model of `score_if`.
    """
    valued = []
    for item in advice:
        supposed = score_if(_changed([item], values))
        if supposed is None:
            return first_advice(advice)
        gain = round(max(0.0, supposed.raw - raw), 2)
        valued.append(ValuedAdvice(item.title, item.why, item.do, item.notes, gain))
    after = score_if(_changed(advice, values)) if valued else None
    if after is None or after.raw - raw < LEAST_GAIN:
        return Raising(tuple(valued))
    return Raising(tuple(valued), round(after.raw, 2), after.score if isfinite(after.score) else None)


def first_advice(advice: Sequence[Advice]) -> Raising:
    """The aims, for a model that cannot tell what they would add."""
    return Raising(tuple(ValuedAdvice(a.title, a.why, a.do, a.notes, None) for a in advice))


def _changed(advice: Sequence[Advice], values: Mapping[str, float]) -> dict[str, float]:
    """The features as they would be measured if the aims were met."""
    changed = dict(values)
    for name, by in ((name, by) for item in advice for name, by in item.change.items()):
        if not isnan(changed.get(name, float("nan"))):
            changed[name] = max(min(changed[name] + by, HIGHEST.get(name, inf)), LOWEST.get(name, -inf))
    return changed
