"""`FeatureSpace`: every number the hybrid knows of an essay, standardised: measures, topic, content vectors, prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.content import ContentModel
from assay.essays.features.measures import NAMES
from assay.essays.features.measures import TITLES as MEASURE_TITLES
from assay.essays.models.calibrated.ranking import Standard, learn_standard
from assay.essays.models.erater.prompt_vocabulary import (
    content_vectors,
    essay_content,
    essay_vocabulary,
    vocabulary_of,
    vocabulary_out_of_fold,
)
from assay.essays.models.hybrid import topic
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.models.hybrid.topic import Topic, learn_topic, topic_measures

Floats = NDArray[np.float64]
Counts = Sequence[Mapping[str, int]]

VOCABULARY_TITLES: Mapping[str, str] = {
    "similar_score": "Score of the essays with the most similar words",
    "like_best": "Likeness to the best essays on the prompt",
}
TITLES: Mapping[str, str] = {**MEASURE_TITLES, **topic.TITLES, **VOCABULARY_TITLES}
"""What each number means, by name."""


@dataclass(frozen=True, eq=False, slots=True)
class FeatureSpace:
    """What was learned from the training essays about features, topics and content words."""

    prompts: tuple[str, ...]
    standard: Standard
    topics: Mapping[str, Topic]
    content: Mapping[str, ContentModel]

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of the columns; one for each prompt last, where there are several."""
        return (*TITLES, *(f"prompt: {prompt}" for prompt in _told_apart(self.prompts)))

    def values(self, essays: HybridEssays) -> Floats:
        """(essays, features) of essays that are not among the training essays; all of known prompts."""
        rows = []
        for essay, measures in zip(essays.essays, essays.measures, strict=True):
            counts = essay_content(essay.text)
            on_topic = topic_measures(counts, self.topics[essay.prompt], among=False)
            similar = vocabulary_of([essay_vocabulary(essay.text)], self.content[essay.prompt])[0]
            rows.append([*measures, *on_topic, *similar])
        return np.hstack([np.array(rows).reshape(len(essays), len(TITLES)), _dummies(essays.prompts, self.prompts)])


def learn_space(essays: HybridEssays, scores: Floats) -> tuple[FeatureSpace, Floats]:
    """The space of the training essays, and their own values in it, each essay compared with the others only."""
    counts = [essay_content(text) for text in essays.texts]
    runs = [essay_vocabulary(text) for text in essays.texts]
    prompts = tuple(sorted(set(essays.prompts)))
    found = np.full((len(essays), len(TITLES) - len(NAMES)), np.nan)
    topics: dict[str, Topic] = {}
    content: dict[str, ContentModel] = {}
    for prompt in prompts:
        rows = np.flatnonzero(np.array(essays.prompts) == prompt)
        own, own_runs = [counts[row] for row in rows.tolist()], [runs[row] for row in rows.tolist()]
        topics[prompt], content[prompt] = learn_topic(own), content_vectors(own_runs, scores[rows])
        on_topic = np.array([topic_measures(essay, topics[prompt], among=True) for essay in own])
        found[rows] = np.hstack([on_topic, vocabulary_out_of_fold(own_runs, scores[rows])])
    values = np.hstack([essays.measures, found, _dummies(essays.prompts, prompts)])
    return FeatureSpace(prompts, learn_standard(values), topics, content), values


def _told_apart(prompts: tuple[str, ...]) -> tuple[str, ...]:
    return prompts if len(prompts) > 1 else ()


def _dummies(own: Sequence[str], prompts: tuple[str, ...]) -> Floats:
    """(essays, prompts): 1 in the column of the essay's prompt; no columns for a single prompt."""
    kept = np.array(_told_apart(prompts), dtype=np.str_)
    return np.asarray(np.array(own, dtype=np.str_)[:, None] == kept[None, :], dtype=np.float64)
