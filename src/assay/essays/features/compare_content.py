"""Essays of one prompt compared with each other: prompt-specific features and topic, none meeting itself."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite

from assay.essays.features.content import ContentModel, train_content
from assay.essays.features.measure import Measured
from assay.essays.features.packed_content import PackedContents
from assay.essays.feedback.advisories import off_topic

LEAST_SCORED = 2


def with_content(
    measured: Sequence[Measured], contents: PackedContents, prompts: Sequence[str], scores: Sequence[float]
) -> Iterator[Measured]:
    """The same essays, with max. cos., cos. w/highest and the advisory on topic, leave-one-out within their prompt.

    An essay without a human score is compared with all scored ones of its prompt. With fewer than two scored essays the
    features stay NaN.
    """
    models = _models(contents, prompts, scores)
    for essay, content, prompt, score in zip(measured, contents, prompts, scores, strict=True):
        model = models.get(prompt)
        yield essay if model is None else _compared(essay, content, score, model)


def _models(contents: PackedContents, prompts: Sequence[str], scores: Sequence[float]) -> Mapping[str, ContentModel]:
    scored: defaultdict[str, list[int]] = defaultdict(list)
    for row, (prompt, score) in enumerate(zip(prompts, scores, strict=True)):
        if isfinite(score):
            scored[prompt].append(row)
    return {
        prompt: train_content(contents.at(rows), [scores[row] for row in rows])
        for prompt, rows in scored.items()
        if len(rows) >= LEAST_SCORED
    }


def _compared(essay: Measured, content: Mapping[str, int], score: float, model: ContentModel) -> Measured:
    if isfinite(score):
        similarity = model.similarity_without(content, score)
        familiarity = model.familiarity_without(content)
    else:
        similarity = model.similarity(content)
        familiarity = model.familiarity(content)
    values = {**essay.values, "max_cos": similarity.max_cos(), "cos_highest": similarity.cos_highest()}
    doubts = (*essay.advisories, *off_topic(familiarity, model.least_familiarity))
    return replace(essay, values=values, advisories=doubts)
