"""FRONT DOOR `score_calibrated`: essays of one prompt and its `CalibratedModel` -> an `EssayScore` each."""

from collections.abc import Iterable, Iterator
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.model import DiscourseModel
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.calibrated.calibrate import CalibratedModel
from assay.essays.models.calibrated.cross_prompt import NAMES
from assay.essays.models.calibrated.ranking import curved
from assay.essays.models.calibrated.unlabeled_prompt import LONGEST_RUN
from assay.essays.models.erater.score import RAW_DECIMALS, EssayScore
from assay.essays.models.hybrid.ngrams import character_runs
from assay.essays.models.hybrid.reading import HybridEssays, read_hybrid
from assay.essays.models.hybrid.score import CHARACTERS
from assay.essays.text.essay import Essay

Floats = NDArray[np.float64]

NINE_TENTHS = 1.645
"""Standard deviations around the middle of a normal distribution that hold nine in ten."""


def score_calibrated(
    essays: Iterable[Essay], model: CalibratedModel, discourse_model: DiscourseModel | None = None
) -> Iterator[EssayScore]:
    """The score of each essay in turn, each read by itself."""
    for essay in essays:
        yield from score_calibrated_read(read_hybrid([essay], discourse_model), model)


def score_calibrated_read(essays: HybridEssays, model: CalibratedModel) -> list[EssayScore]:
    """The score of essays that were read before."""
    return [_scored(essays.at(np.array([row])), model) for row in range(len(essays))]


def _scored(one: HybridEssays, model: CalibratedModel) -> EssayScore:
    essay, doubts = one.essays[0], one.advisories[0]
    if essay.prompt not in (model.prompt, "") or not one.measures[0, 0] > 0:
        return _unscored(essay, model, doubts)
    z = model.space.z(one, among=False)
    shares, start = _shares(z, essay.text, model)
    raw = round(start + sum(shares.values()), RAW_DECIMALS)
    score = float(model.cutoffs.assign(np.array([raw]))[0])
    ends = np.clip(raw + np.array([-1, 1]) * NINE_TENTHS * model.residual, model.scale.lowest, model.scale.highest)
    percentile = float(np.interp(raw, model.percentiles, np.arange(101.0)))
    values = model.space.standard.mean + z[0] * model.space.standard.sd
    features = {**dict(zip(NAMES, values.tolist(), strict=True)), CHARACTERS: nan}
    low, high = float(ends[0]), float(ends[1])
    return EssayScore(essay.essay_id, essay.prompt, raw, score, low, high, percentile, features, shares, start, doubts)


def _shares(z: Floats, text: str, model: CalibratedModel) -> tuple[dict[str, float], float]:
    """Score points by feature, of itself and its square, and what all essays start from."""
    by_tree = np.mean([trees.shares(z)[0] for trees in model.trees], axis=0) * model.tree_factor
    by_feature = (curved(z)[0] * model.features).reshape(2, -1).sum(axis=0) + by_tree[:-1]
    runs = character_runs(text, LONGEST_RUN)
    characters = float(model.characters[0, runs].sum() / np.sqrt(max(1, len(runs))))
    shares = {**dict(zip(NAMES, by_feature.tolist(), strict=True)), CHARACTERS: characters}
    return shares, model.intercept + float(by_tree[-1])


def _unscored(essay: Essay, model: CalibratedModel, doubts: tuple[Advisory, ...]) -> EssayScore:
    if essay.prompt not in (model.prompt, ""):
        doubts = (*doubts, Advisory("unknown_prompt", f"the model is calibrated to {model.prompt!r}"))
    empty = dict.fromkeys([*NAMES, CHARACTERS], nan)
    return EssayScore(essay.essay_id, essay.prompt, nan, nan, nan, nan, nan, empty, dict(empty), nan, doubts)
