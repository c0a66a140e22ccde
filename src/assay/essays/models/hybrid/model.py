"""`HybridModel`: a score from words, characters and some 180 features, explained feature by feature."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import isnan, nan
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from assay.essays.features.content import ContentModel
from assay.essays.features.features import Analysis
from assay.essays.features.measures import FAMILY as MEASURE_FAMILY
from assay.essays.features.measures import TITLES as MEASURE_TITLES
from assay.essays.features.measures import measures_of
from assay.essays.feedback.advisories import Advisory, off_topic
from assay.essays.models import scoring_model as scoring
from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.ngrams import TOPIC_TITLES, Topic, WordStatistics, character_runs, topic_measures
from assay.essays.models.hybrid.parts import Inputs, KernelPart, Nearness, Shares
from assay.essays.models.hybrid.reading import LOG_WORDS, HybridEssays, Standard
from assay.essays.text.text import Essay

if TYPE_CHECKING:
    from assay.essays.models.calibrated.cross_prompt import CrossPromptModel


LONGEST_RUN = 6
PARTS = ("characters", "words", "combined")
CHARACTERS, WORDS = "characters", "words"
PART_TITLES: Mapping[str, str] = MappingProxyType(
    {CHARACTERS: "Spelling and phrasing patterns", WORDS: "Words and pairs of words used"}
)
"""The two shares that are not of a single measure."""
VOCABULARY_TITLES: Mapping[str, str] = {
    "similar_score": "Score of the essays with the most similar words",
    "like_best": "Likeness to the best essays on the prompt",
}
TITLES: Mapping[str, str] = {**MEASURE_TITLES, **TOPIC_TITLES, **VOCABULARY_TITLES}
"""What each number means, by name."""
ALL_TITLES: Mapping[str, str] = MappingProxyType({**TITLES, **PART_TITLES})
FAMILY: Mapping[str, str] = MappingProxyType(
    {
        **MEASURE_FAMILY,
        **dict.fromkeys(TOPIC_TITLES, "Topic"),
        **dict.fromkeys(VOCABULARY_TITLES, "Topic"),
        CHARACTERS: "Spelling and phrasing patterns",
        WORDS: "Words used",
    }
)
"""Feature -> what it is about; features that tell prompts apart are about the prompt."""


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
        return (*TITLES, *(f"prompt: {prompt}" for prompt in self.prompts if len(self.prompts) > 1))

    def values(self, essays: HybridEssays) -> Floats:
        """(essays, features) of essays that are not among the training essays; all of known prompts."""
        rows = []
        for essay, measures in zip(essays.essays, essays.measures, strict=True):
            counts = prompt_vocabulary.essay_content(essay.text)
            on_topic = topic_measures(counts, self.topics[essay.prompt], among=False)
            similar = prompt_vocabulary.vocabulary_of(
                [prompt_vocabulary.essay_vocabulary(essay.text)], self.content[essay.prompt]
            )[0]
            rows.append([*measures, *on_topic, *similar])
        return np.hstack(
            [np.array(rows).reshape(len(essays), len(TITLES)), prompt_columns(essays.prompts, self.prompts)]
        )


def prompt_columns(own: Sequence[str], prompts: tuple[str, ...]) -> Floats:
    """(essays, prompts): 1 in the column of the essay's prompt; no columns for a single prompt."""
    columns = np.array(prompts if len(prompts) > 1 else (), dtype=np.str_)
    return np.asarray(np.array(own, dtype=np.str_)[:, None] == columns[None, :], dtype=np.float64)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HybridModel(scoring.ScoringModel):
    """Raw score = mean + sd * (weighted mean of the combined part and the trees)."""

    kind: str = "hybrid"
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
    errors: scoring.ErrorBand
    transfer: "CrossPromptModel | None" = None
    """What `calibrate` takes to a new prompt; models of several prompts have it."""

    def __post_init__(self) -> None:
        ReadOnlyArrays.__post_init__(self)
        qwk, kappa, exact, r = (self.agreement[name] for name in ("qwk", "kappa", "exact", "r"))
        derived = {
            "basis": "Agreement with human scores of training essays, each scored by fits that had not seen it: "
            f"quadratic weighted kappa {qwk:.2f}, kappa {kappa:.2f}, exact agreement {exact:.0f} %, r {r:.2f}.",
            "columns": (*self.space.names, CHARACTERS, WORDS),
            "known_prompts": self.space.prompts,
            "can_calibrate": self.transfer is not None,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> scoring.EssayScore:  # noqa: ARG002 - knows none
        """See `ScoringModel.score`."""
        return score_read(HybridEssays.of(essay, analysis, measures_of(analysis)), self)[0]


def score_read(essays: HybridEssays, model: HybridModel) -> list[scoring.EssayScore]:
    """The score of essays that were read before."""
    return [_scored(essays.at(np.array([row])), model) for row in range(len(essays))]


def _scored(one: HybridEssays, model: HybridModel) -> scoring.EssayScore:
    essay, doubts, names = one.essays[0], one.advisories[0], model.space.names
    known = essay.prompt in model.space.topics
    if not known:
        evidence = f"no essays on {essay.prompt!r} were among the training essays"
        doubts = (*doubts, Advisory("unknown_prompt", evidence))
    elif content := prompt_vocabulary.essay_vocabulary(essay.text):
        vectors = model.space.content[essay.prompt]
        doubts = (*doubts, *off_topic(vectors.familiarity(content), vectors.least_familiarity))
    if not known or not one.measures[0, LOG_WORDS] > 0:
        return scoring.unscored(essay, dict.fromkeys([*TITLES, *PART_TITLES], nan), doubts)
    values = model.space.values(one)
    shares, words = explain(essay, values, model)
    raw = round(shares.total, scoring.RAW_DECIMALS)
    by_feature = dict(zip(names, shares.features.tolist(), strict=True))
    return scoring.EssayScore(
        essay.essay_id,
        essay.prompt,
        raw,
        *scoring.placed_score(raw, model.cutoffs, model.percentiles, model.errors, model.scale),
        features={**dict(zip(names, values[0].tolist(), strict=True)), CHARACTERS: nan, WORDS: nan},
        shares={**by_feature, CHARACTERS: shares.characters, WORDS: float(shares.words.sum())},
        average=shares.start,
        advisories=doubts,
        words=dict(islice(words.items(), scoring.TELLING_WORDS)),
    )


def explain(essay: Essay, values: Floats, model: HybridModel) -> tuple[Shares, dict[str, float]]:
    """The raw score of one essay in shares, in score points, and what each word or pair adds by itself, most first.

    The shares of trees in what the parts of characters and words say belong to characters and words; that of words is
    spread over the words.
    """
    places, weights = model.words.vector(essay.text)
    runs, prompt = character_runs(essay.text, LONGEST_RUN), model.space.prompts.index(essay.prompt)
    inputs = Inputs(model.space.standard.z(values)[0], runs, places, weights, prompt)
    parts = {name: part.shares(inputs, model.near) for name, part in model.parts.items()}
    # rounded: the last digits of long sums differ between machines, and trees jump
    said = [round(parts[part].total, 6) for part in (CHARACTERS, WORDS)]
    stack = np.column_stack([inputs.z[None], [said]])
    *by_feature, by_characters, by_words, start = np.mean([trees.shares(stack)[0] for trees in model.trees], axis=0)
    by_word = by_words * weights / weights.sum() if len(places) else np.zeros(0)
    if not len(places):  # no known word: what words add is the same for all such essays
        start = start + by_words
    by_trees = Shares(float(start), np.array(by_feature), float(by_characters), by_word)
    points = parts["combined"].times(model.blend[0]).plus(by_trees.times(model.blend[1])).times(model.sd)
    each = parts["combined"].words * model.blend[0] * model.sd
    telling = np.argsort(-np.abs(each), kind="stable").tolist()
    words = {model.words.runs[places[place]]: float(each[place]) for place in telling}
    return replace(points, start=points.start + model.mean), words


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of an explanation."""

    title: str
    share: float
    """Score points."""


def by_family(shares: Mapping[str, float]) -> list[Reason]:
    """What each family of features adds, largest first; they add up to raw score minus average."""
    sums: dict[str, float] = {}
    for name, share in shares.items():
        family = FAMILY.get(name, "Prompt")
        sums[family] = sums.get(family, 0.0) + (0.0 if isnan(share) else share)
    return _ordered(sums)


def by_feature(shares: Mapping[str, float], most: int = 10) -> list[Reason]:
    """The features that add or take most, with their titles."""
    return _ordered({ALL_TITLES.get(name, name): share for name, share in shares.items() if not isnan(share)})[:most]


def in_words(reasons: list[Reason], most: int = 4) -> str:
    """The largest reasons in one line.

    >>> in_words([Reason("Errors", -0.31), Reason("Length", 0.254)])
    'Errors −0.31, Length +0.25'
    """
    return ", ".join(f"{reason.title} {reason.share:+.2f}".replace("-", "−") for reason in reasons[:most])


def _ordered(sums: Mapping[str, float]) -> list[Reason]:
    return sorted((Reason(title, share) for title, share in sums.items()), key=lambda reason: -abs(reason.share))
