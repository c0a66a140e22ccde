"""FRONT DOOR `score_hybrid`: essays and a `HybridModel` -> an `EssayScore` each, explained feature by feature."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.model import DiscourseModel
from assay.essays.feedback.advisories import Advisory, off_topic
from assay.essays.models.erater.prompt_vocabulary import essay_vocabulary
from assay.essays.models.erater.score import RAW_DECIMALS, EssayScore
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.model import LONGEST_RUN, HybridModel
from assay.essays.models.hybrid.ngrams import character_runs
from assay.essays.models.hybrid.parts import Inputs, Shares
from assay.essays.models.hybrid.reading import HybridEssays, read_hybrid
from assay.essays.models.hybrid.space import TITLES
from assay.essays.text.essay import Essay

Floats = NDArray[np.float64]

CHARACTERS, WORDS = "characters", "words"
PART_TITLES: Mapping[str, str] = MappingProxyType(
    {CHARACTERS: "Spelling and phrasing patterns", WORDS: "Words and pairs of words used"}
)
"""The two shares that are not of a single measure."""


@dataclass(frozen=True, eq=False, slots=True)
class Explained:
    """A raw score in its shares, and what single words add."""

    shares: Shares
    told: Mapping[str, float]
    """Word or pair -> score points it adds by itself, the most telling first."""


def score_hybrid(
    essays: Iterable[Essay], model: HybridModel, discourse_model: DiscourseModel | None = None
) -> Iterator[EssayScore]:
    """The score of each essay in turn, each read by itself: what else is read must not change a digit."""
    for essay in essays:
        yield score_read(read_hybrid([essay], discourse_model), model)[0][0]


def score_read(essays: HybridEssays, model: HybridModel) -> list[tuple[EssayScore, Mapping[str, float]]]:
    """The score of essays that were read before, and what single words add, the most telling first."""
    return [_scored(essays.at(np.array([row])), model) for row in range(len(essays))]


def _scored(one: HybridEssays, model: HybridModel) -> tuple[EssayScore, Mapping[str, float]]:
    essay = one.essays[0]
    doubts = (*one.advisories[0], *_doubts(essay, model))
    known = essay.prompt in model.space.topics
    if not known or not one.measures[0, 0] > 0:
        return _unscored(essay, doubts), {}
    values = model.space.values(one)
    explained = explain(essay, values, model)
    raw = round(explained.shares.total, RAW_DECIMALS)
    score = float(model.cutoffs.assign(np.array([raw]))[0])
    low, high = model.errors.around(raw, score, model.scale)
    names = model.space.names
    shares = dict(zip(names, explained.shares.features.tolist(), strict=True))
    by_part = {CHARACTERS: explained.shares.characters, WORDS: float(explained.shares.words.sum())}
    scored = EssayScore(
        essay.essay_id,
        essay.prompt,
        raw,
        score,
        low,
        high,
        model.percentile(raw),
        {**dict(zip(names, values[0].tolist(), strict=True)), CHARACTERS: nan, WORDS: nan},
        {**shares, **by_part},
        explained.shares.start,
        doubts,
    )
    return scored, explained.told


def explain(essay: Essay, values: Floats, model: HybridModel) -> Explained:
    """The raw score of one essay in shares, in score points.

    The shares of trees in what the parts of characters and words say belong to characters and words.
    """
    inputs = essay_inputs(essay, model.space.standard.z(values)[0], model)
    parts = {name: part.shares(inputs, model.near) for name, part in model.parts.items()}
    z = inputs.z[None]
    # rounded: the last digits of long sums differ between machines, and trees jump
    told = [round(parts[part].total, 6) for part in (CHARACTERS, WORDS)]
    stack = np.column_stack([z, [told]])
    by_trees = _tree_shares(model.trees, stack, inputs)
    points = parts["combined"].times(model.blend[0]).plus(by_trees.times(model.blend[1])).times(model.sd)
    whole = Shares(points.start + model.mean, points.features, points.characters, points.words)
    each = parts["combined"].words * model.blend[0] * model.sd
    order = np.argsort(-np.abs(each), kind="stable")
    return Explained(whole, {model.words.runs[inputs.words[place]]: float(each[place]) for place in order.tolist()})


def raw_scores(essays: HybridEssays, model: HybridModel) -> Floats:
    """(essays,): raw scores of essays of known prompts, as `score_hybrid` has them, without reasons: quick."""
    z = model.space.standard.z(model.space.values(essays))
    inputs = [essay_inputs(essay, row, model) for essay, row in zip(essays.essays, z, strict=True)]
    parts = {n: np.array([part.predict(one, model.near) for one in inputs]) for n, part in model.parts.items()}
    stack = np.column_stack([z, *(parts[part].round(6) for part in (CHARACTERS, WORDS))])
    by_trees = np.mean([trees.predict(stack) for trees in model.trees], axis=0)
    blended = model.blend[0] * parts["combined"] + model.blend[1] * by_trees
    return np.asarray((model.mean + model.sd * blended).round(RAW_DECIMALS))


def essay_inputs(essay: Essay, z: Floats, model: HybridModel) -> Inputs:
    """What the parts of a model read of one essay."""
    places, weights = model.words.vector(essay.text)
    prompt = model.space.prompts.index(essay.prompt)
    return Inputs(z, character_runs(essay.text, LONGEST_RUN), places, weights, prompt)


def _tree_shares(trees: Sequence[Trees], inputs: Floats, essay: Inputs) -> Shares:
    """Shares of trees on features and the parts of characters and words; that of words is spread over the words."""
    found = np.mean([one.shares(inputs)[0] for one in trees], axis=0)
    features, rest, start = found[: len(essay.z)], found[len(essay.z) : -1], float(found[-1])
    if not len(essay.words):  # no known word: what words add is the same for all such essays
        return Shares(start + float(rest[1]), features, float(rest[0]), np.zeros(0))
    return Shares(start, features, float(rest[0]), rest[1] * essay.word_weights / essay.word_weights.sum())


def _doubts(essay: Essay, model: HybridModel) -> Iterator[Advisory]:
    if essay.prompt not in model.space.topics:
        yield Advisory("unknown_prompt", f"no essays on {essay.prompt!r} were among the training essays")
        return
    content = essay_vocabulary(essay.text)
    vectors = model.space.content[essay.prompt]
    if content:
        yield from off_topic(vectors.familiarity(content), vectors.least_familiarity)


def _unscored(essay: Essay, doubts: tuple[Advisory, ...]) -> EssayScore:
    empty = dict.fromkeys([*TITLES, *PART_TITLES], nan)
    return EssayScore(essay.essay_id, essay.prompt, nan, nan, nan, nan, nan, empty, dict(empty), nan, doubts)
