"""FRONT DOOR `train_hybrid`: essays with human scores -> a `HybridModel`.

Kernel ridge regressions on characters, on words, and on both together with the features; trees
on the features and on what the regressions say of essays they have not seen. The score is the mean of the combined
regression and the trees. Nothing depends on chance: seeds are fixed and folds dealt out by score.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType

import numpy as np

from assay.errors import Field, InputError, go_on
from assay.essays.features.content import ContentModel
from assay.essays.features.measures import NAMES
from assay.essays.models.arrays import Floats, Rows
from assay.essays.models.calibrated.cross_prompt import learn_transfer
from assay.essays.models.cutoffs import cutoff_rule
from assay.essays.models.erater import prompt_vocabulary
from assay.essays.models.erater.equation import judged
from assay.essays.models.hybrid.boosting import Trees, fit_trees, out_of_fold
from assay.essays.models.hybrid.model import LONGEST_RUN, TITLES, FeatureSpace, HybridModel, prompt_columns
from assay.essays.models.hybrid.ngrams import (
    CHARACTER_BITS,
    Topic,
    character_runs,
    learn_topic,
    learn_words,
    run_matrix,
    topic_measures,
)
from assay.essays.models.hybrid.parts import KernelPart, Kernels, Nearness, fit_part, median_distance, training_kernels
from assay.essays.models.hybrid.reading import LOG_WORDS, HybridEssays, learn_standard
from assay.essays.models.resolution import HumanScores, check_levels, check_on_scale, observed_scale
from assay.essays.models.scoring_model import TrainingSummary
from assay.scale import ScoreScale

LEAST_ESSAYS = 60
LEAST_PER_PROMPT = 10
LEAST_RELEVANCE = 0.02
MIXES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "characters": {"characters": 1.0},
        "words": {"words": 1.0},
        "combined": {"characters": 1.0, "words": 0.5, "features": 1.0, "nearness": 1.0},
    }
)
RIDGES: Mapping[str, Sequence[float]] = MappingProxyType(
    {"characters": (0.3, 1.0), "words": (0.3, 1.0), "combined": (1.0, 3.0)}
)
"""The strengths of ridge that are tried, weakest first."""
BLEND = (0.5, 0.5)
FOLDS = 5
SEEDS = (0, 1, 2)


def train_hybrid(
    essays: HybridEssays,
    human: HumanScores,
    *,
    scale: ScoreScale | None = None,
    cutoffs: str = "balanced",
    version: str = "",
    check: Callable[[], None] = go_on,
) -> HybridModel:
    """A model from essays that people scored; the scale is the observed one unless given.

    Essays without a score or without words are left out and counted. Essays of several prompts make one model that
    knows each of them; it scores no others (`calibrate` is for those). `check` is called before each fit.
    """
    if len(human) != len(essays):
        raise InputError(f"expected a human score for each of {len(essays)} essays, got {len(human)}")
    average, resolved = human.average(), human.resolved(scale.step if scale else 1.0)
    scored, written = np.isfinite(average) & np.isfinite(resolved), essays.measures[:, LOG_WORDS] > 0
    reasons = {"no human score": int((~scored).sum()), "no words": int((scored & ~written).sum())}
    left_out = {why: count for why, count in reasons.items() if count}
    rows = np.flatnonzero(scored & written)
    own_scale = scale or observed_scale(resolved[rows])
    used = (essays.at(rows), average[rows], resolved[rows], own_scale)
    return fit_hybrid(*used, cutoffs=cutoffs, version=version, left_out=left_out, check=check)


def fit_hybrid(
    essays: HybridEssays,
    average: Floats,
    resolved: Floats,
    scale: ScoreScale,
    *,
    cutoffs: str = "balanced",
    version: str = "",
    left_out: Mapping[str, int] = MappingProxyType({}),
    check: Callable[[], None] = go_on,
) -> HybridModel:
    """The model that learns from average human scores and puts its cutoffs by resolved ones; each essay has both."""
    _check(essays, resolved, scale)
    mean, sd = float(average.mean()), float(average.std())
    target = (average - mean) / sd
    space, values = learn_space(essays, resolved)
    z = space.standard.z(values)
    weights = relevance(z, target)
    weighted = (z * weights).astype(np.float32).astype(np.float64)
    near, words = Nearness(weighted, weights, median_distance(weighted)), learn_words(essays.texts)
    runs = [character_runs(text, LONGEST_RUN) for text in essays.texts]
    kernels = training_kernels(near, run_matrix(runs, 2**CHARACTER_BITS), words.matrix(essays.texts))
    places = np.array([space.prompts.index(prompt) for prompt in essays.prompts], dtype=np.intp)
    parts, trees, unseen = _fit(kernels, z, target, places, prompt_vocabulary.dealt_folds(average, FOLDS), check)
    raw = mean + sd * unseen
    several = len(space.prompts) > 1
    few = f"trained on {len(essays)} essays only; a hybrid does best with 500 and more"
    notes = (few,) if len(essays) < 500 else ()
    rows = [(essay.essay_id, score, essay.text) for essay, score in zip(essays.essays, average.tolist(), strict=True)]
    digest = sha256("\n".join(map(repr, rows)).encode()).hexdigest()
    return HybridModel(
        scale=scale,
        space=space,
        words=words,
        near=near,
        parts=parts,
        trees=trees,
        blend=BLEND,
        mean=mean,
        sd=sd,
        **judged(raw, resolved, cutoff_rule(cutoffs)(raw, resolved, scale), step=scale.step),
        training=TrainingSummary(len(essays), space.prompts, left_out, digest, cutoffs, version, notes),
        # each prompt is taken to be on the scale of all
        transfer=learn_transfer(essays, average, dict.fromkeys(space.prompts, scale)) if several else None,
    )


def learn_space(essays: HybridEssays, scores: Floats) -> tuple[FeatureSpace, Floats]:
    """The space of the training essays, and their own values in it, each essay compared with the others only."""
    prompts = tuple(sorted(set(essays.prompts)))
    by_prompt = np.full((len(essays), len(TITLES) - len(NAMES)), np.nan)
    topics: dict[str, Topic] = {}
    content: dict[str, ContentModel] = {}
    for prompt in prompts:
        rows = np.flatnonzero(np.array(essays.prompts) == prompt)
        texts = [essays.texts[row] for row in rows.tolist()]
        counts, runs = (
            [prompt_vocabulary.essay_content(text) for text in texts],
            [prompt_vocabulary.essay_vocabulary(text) for text in texts],
        )
        topics[prompt], content[prompt] = learn_topic(counts), prompt_vocabulary.content_vectors(runs, scores[rows])
        on_topic = np.array([topic_measures(essay, topics[prompt], among=True) for essay in counts])
        by_prompt[rows] = np.hstack([on_topic, prompt_vocabulary.vocabulary_out_of_fold(runs, scores[rows])])
    values = np.hstack([essays.measures, by_prompt, prompt_columns(essays.prompts, prompts)])
    return FeatureSpace(prompts, learn_standard(values), topics, content), values


def _check(essays: HybridEssays, scores: Floats, scale: ScoreScale) -> None:
    if len(essays) < LEAST_ESSAYS:
        few = f"{len(essays)} scored essays are too few for a hybrid model: it needs {LEAST_ESSAYS}"
        otherwise = " generic10, or calibrate a model of other prompts with a few scored essays."
        remedy = ("Train ", Field("kind"), otherwise)
        raise InputError(f"{few}, and does best with 500 and more", field="essays", remedy=remedy)
    check_on_scale(scores, scale)
    check_levels(scores)
    if not (np.nanmax(essays.measures, axis=0) > np.nanmin(essays.measures, axis=0)).any():
        problem = "every essay measures the same, so none can be told from another"
        raise InputError(problem, field="text", remedy=("Check the column of ", Field("text"), "."))
    for prompt in sorted(set(essays.prompts)):
        if (count := essays.prompts.count(prompt)) < LEAST_PER_PROMPT:
            problem = f"prompt {prompt!r} has {count} scored essays; a hybrid needs {LEAST_PER_PROMPT} of each"
            raise InputError(problem, field="prompt", remedy="Give more essays of the prompt, or leave it out.")


def relevance(z: Floats, target: Floats) -> Floats:
    """(features,): how much each feature counts in kernels, its correlation with the score, without sign.

    At least .02, so that none is lost. Kernels that take 180 features alike are mostly noise.
    """
    return np.maximum(np.abs(z.T @ target) / len(target), LEAST_RELEVANCE)


def _fit(
    kernels: Kernels, z: Floats, target: Floats, prompts: Rows, fold: Rows, check: Callable[[], None]
) -> tuple[dict[str, KernelPart], tuple[Trees, ...], Floats]:
    """Parts and trees, and (essays,) the blend for each training essay by fits that had not seen it."""
    parts: dict[str, KernelPart] = {}
    left_out: dict[str, Floats] = {}
    for name, mix in MIXES.items():
        check()
        parts[name], left_out[name] = fit_part(
            kernels, target, mix, RIDGES[name], prompts=prompts, by_prompt=name == "combined"
        )
    stack = np.column_stack([z, left_out["characters"], left_out["words"]])
    unseen = BLEND[0] * left_out["combined"] + BLEND[1] * out_of_fold(stack, target, fold)
    trees = []
    for seed in SEEDS:
        check()
        trees.append(fit_trees(stack, target, seed=seed))
    return parts, tuple(trees), unseen
