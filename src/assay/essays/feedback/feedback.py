"""FRONT DOOR `essay_feedback`: what a writer can do next, and why.

Advice is ordered by what a change would count for: weight of a feature x change / standard deviation of the feature.
Without a score model the weights are those the paper prints and the deviations those of a reference corpus; a model
brings its own as another `FeatureNorms`.
"""

from dataclasses import dataclass

from assay.essays.features.analysis import Analysis
from assay.essays.features.features import FEATURES, features_of, why_undefined
from assay.essays.feedback.advice import Advice, AdviceEvidence, Strength, advice, strengths
from assay.essays.feedback.advisories import Advisory, advisories
from assay.essays.feedback.norms import FeatureNorms, reference_norms
from assay.essays.feedback.notes import Labeller, OutlinePart, WritingNote, numbered, parts, skeleton
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
