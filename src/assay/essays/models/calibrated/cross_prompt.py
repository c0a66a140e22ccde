"""`Transfer`: what a model of several prompts knows about any prompt: how to rank its essays, and where they lie."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.measures import TITLES as MEASURE_TITLES
from assay.essays.models.calibrated.ranking import Ranker, SourcePrompt, Standard, fit_ranker, learn_standard
from assay.essays.models.calibrated.scale_placement import PromptLevel, prompt_level
from assay.essays.models.erater.prompt_vocabulary import essay_content
from assay.essays.models.hybrid import topic
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.models.hybrid.topic import Topic, learn_topic, topic_measures
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

TITLES: Mapping[str, str] = {**MEASURE_TITLES, **topic.TITLES}
NAMES = tuple(TITLES)
"""The features that need no scored essays of the prompt."""


@dataclass(frozen=True, eq=False, slots=True)
class PromptSpace:
    """The topic of a prompt and the spread of every feature among its essays, learned without scores."""

    topic: Topic
    standard: Standard

    def z(self, essays: HybridEssays, *, among: bool) -> Floats:
        """(essays, features): standardised within the prompt; `among` for the essays it was learned from."""
        return self.standard.z(_values(essays, self.topic, among=among))


def learn_prompt(essays: HybridEssays) -> PromptSpace:
    """From essays of one prompt, scored or not."""
    found = learn_topic([essay_content(text) for text in essays.texts])
    return PromptSpace(found, learn_standard(_values(essays, found, among=True)))


def _values(essays: HybridEssays, found: Topic, *, among: bool) -> Floats:
    rows = [topic_measures(essay_content(text), found, among=among) for text in essays.texts]
    return np.hstack([essays.measures, np.array(rows).reshape(len(essays), -1)])


@dataclass(frozen=True, eq=False, slots=True)
class CrossPromptModel:
    """The ranking model and the levels of the source prompts."""

    ranker: Ranker
    levels: tuple[PromptLevel, ...]
    same_scale: ScoreScale | None
    """The scale all source prompts share, if they do: a new prompt of the same program is then placed by it."""


def learn_transfer(
    essays: HybridEssays,
    scores: Floats,
    scales: Mapping[str, ScoreScale],
    *,
    weights: Mapping[str, float] | None = None,
) -> CrossPromptModel:
    """From scored essays of several prompts, each on the scale given for it; `weights` favours some prompts."""
    sources, levels = [], []
    for prompt in sorted(set(essays.prompts)):
        rows = np.flatnonzero(np.array(essays.prompts) == prompt)
        own = essays.at(rows)
        z = learn_prompt(own).z(own, among=True)
        sources.append(SourcePrompt(z, scores[rows], (weights or {}).get(prompt, 1.0)))
        levels.append(prompt_level(scores[rows], median_words(own), scales[prompt]))
    return CrossPromptModel(fit_ranker(sources), tuple(levels), _shared(list(scales.values())))


def median_words(essays: HybridEssays) -> float:
    """Words in the median essay."""
    return float(np.median(np.expm1(essays.measures[:, list(MEASURE_TITLES).index("log_words")])))


def _shared(scales: Sequence[ScoreScale]) -> ScoreScale | None:
    return scales[0] if len(set(scales)) == 1 else None
