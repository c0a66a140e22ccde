"""`HybridModel`: a score from words, characters and some 180 features, explained feature by feature."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import nan
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.analysis import Analysis
from assay.essays.feedback.advisories import Advisory, off_topic
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.prompt_vocabulary import essay_vocabulary
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.ngrams import character_runs
from assay.essays.models.hybrid.parts import Inputs, KernelPart, Nearness, Shares
from assay.essays.models.hybrid.reading import HybridEssays, measured_essay
from assay.essays.models.hybrid.space import TITLES, FeatureSpace
from assay.essays.models.hybrid.word_statistics import WordStatistics
from assay.essays.models.scoring_model import (
    RAW_DECIMALS,
    TELLING_WORDS,
    ErrorBand,
    EssayScore,
    TrainingSummary,
    unscored,
)
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

LONGEST_RUN = 6
PARTS = ("characters", "words", "combined")
CHARACTERS, WORDS = "characters", "words"
PART_TITLES: Mapping[str, str] = MappingProxyType(
    {CHARACTERS: "Spelling and phrasing patterns", WORDS: "Words and pairs of words used"}
)
"""The two shares that are not of a single measure."""


@dataclass(frozen=True, eq=False, slots=True)
class HybridModel:
    """A `ScoringModel`; raw score = mean + sd * (weighted mean of the combined part and the trees)."""

    scale: ScoreScale
    space: FeatureSpace
    words: WordStatistics
    near: Nearness
    parts: Mapping[str, KernelPart]
    """By the names of `PARTS`."""
    trees: tuple[Trees, ...]
    """On features and on what the parts of characters and of words say."""
    blend: tuple[float, float]
    """Weights of the combined part and of the trees."""
    mean: float
    sd: float
    cutoffs: Cutoffs
    percentiles: Floats
    """(101,): as in `Equation`."""
    errors: ErrorBand
    agreement: Mapping[str, float]
    training: TrainingSummary
    transfer: CrossPromptModel | None = None
    """What `calibrate` takes to a new prompt; models of several prompts have it."""
    extra: Mapping[str, str] = field(default_factory=dict)
    reads_with: Mapping[str, str] = field(default_factory=dict)
    """See `ScoringModel.reads_with`."""
    kind: str = "hybrid"

    def __post_init__(self) -> None:
        self.percentiles.flags.writeable = False

    @property
    def basis(self) -> str:
        qwk, kappa, exact, r = (self.agreement[name] for name in ("qwk", "kappa", "exact", "r"))
        return (
            f"Agreement with human scores of training essays, each scored by fits that had not seen it: quadratic "
            f"weighted kappa {qwk:.2f}, kappa {kappa:.2f}, exact agreement {exact:.0f} %, r {r:.2f}."
        )

    @property
    def equations(self) -> Mapping[str, Equation]:
        return {}

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.space.names, CHARACTERS, WORDS)

    @property
    def explains_by(self) -> Literal["feature", "family"]:
        return "family"

    @property
    def has_common_scale(self) -> bool:
        return False

    @property
    def known_prompts(self) -> tuple[str, ...]:
        return self.space.prompts

    @property
    def known_programs(self) -> tuple[str, ...]:
        return ()

    @property
    def can_refit(self) -> bool:
        return False

    @property
    def can_calibrate(self) -> bool:
        return self.transfer is not None

    def percentile(self, raw: float) -> float:
        """The share of training essays with a lower raw score, in percent."""
        return float(np.interp(raw, self.percentiles, np.arange(101.0)))

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> EssayScore:  # noqa: ARG002 - knows none
        """See `ScoringModel.score`."""
        return score_read(measured_essay(essay, analysis), self)[0]

    def score_if(self, essay: Essay, values: Mapping[str, float], program: str = "") -> EssayScore | None:  # noqa: ARG002
        """Some 180 features follow from one text: what a change of a few is worth cannot be told."""
        return None


@dataclass(frozen=True, eq=False, slots=True)
class Explained:
    """A raw score in its shares, and what single words add."""

    shares: Shares
    words: Mapping[str, float]
    """Word or pair -> score points it adds by itself, the most telling first."""


def score_read(essays: HybridEssays, model: HybridModel) -> list[EssayScore]:
    """The score of essays that were read before."""
    return [_scored(essays.at(np.array([row])), model) for row in range(len(essays))]


def _scored(one: HybridEssays, model: HybridModel) -> EssayScore:
    essay = one.essays[0]
    doubts = (*one.advisories[0], *_doubts(essay, model))
    known = essay.prompt in model.space.topics
    if not known or not one.measures[0, 0] > 0:
        return unscored(essay, dict.fromkeys([*TITLES, *PART_TITLES], nan), doubts)
    values = model.space.values(one)
    explained = explain(essay, values, model)
    raw = round(explained.shares.total, RAW_DECIMALS)
    score = float(model.cutoffs.assign(np.array([raw]))[0])
    low, high = model.errors.around(raw, score, model.scale)
    names = model.space.names
    shares = dict(zip(names, explained.shares.features.tolist(), strict=True))
    by_part = {CHARACTERS: explained.shares.characters, WORDS: float(explained.shares.words.sum())}
    return EssayScore(
        essay.essay_id,
        essay.prompt,
        raw,
        score,
        low,
        high,
        model.percentile(raw),
        features={**dict(zip(names, values[0].tolist(), strict=True)), CHARACTERS: nan, WORDS: nan},
        shares={**shares, **by_part},
        average=explained.shares.start,
        advisories=doubts,
        words=dict(islice(explained.words.items(), TELLING_WORDS)),
    )


def explain(essay: Essay, values: Floats, model: HybridModel) -> Explained:
    """The raw score of one essay in shares, in score points.

    The shares of trees in what the parts of characters and words say belong to characters and words.
    """
    inputs = essay_inputs(essay, model.space.standard.z(values)[0], model)
    parts = {name: part.shares(inputs, model.near) for name, part in model.parts.items()}
    z = inputs.z[None]
    # rounded: the last digits of long sums differ between machines, and trees jump
    said = [round(parts[part].total, 6) for part in (CHARACTERS, WORDS)]
    stack = np.column_stack([z, [said]])
    by_trees = _tree_shares(model.trees, stack, inputs)
    points = parts["combined"].times(model.blend[0]).plus(by_trees.times(model.blend[1])).times(model.sd)
    whole = Shares(points.start + model.mean, points.features, points.characters, points.words)
    each = parts["combined"].words * model.blend[0] * model.sd
    order = np.argsort(-np.abs(each), kind="stable")
    return Explained(whole, {model.words.runs[inputs.words[place]]: float(each[place]) for place in order.tolist()})


def essay_inputs(essay: Essay, z: Floats, model: HybridModel) -> Inputs:
    """What the parts of a model read of one essay."""
    places, weights = model.words.vector(essay.text)
    prompt = model.space.prompts.index(essay.prompt)
    return Inputs(z, character_runs(essay.text, LONGEST_RUN), places, weights, prompt)


def _tree_shares(trees: Sequence[Trees], inputs: Floats, essay: Inputs) -> Shares:
    """Shares of trees on features and the parts of characters and words; that of words is spread over the words."""
    shares = np.mean([one.shares(inputs)[0] for one in trees], axis=0)
    features, rest, start = shares[: len(essay.z)], shares[len(essay.z) : -1], float(shares[-1])
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
