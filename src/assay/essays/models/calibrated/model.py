"""`CalibratedModel`: a score from a ranking learned on other prompts, placed on the scale of a new one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.analysis import Analysis
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.calibrated.cross_prompt import NAMES, PromptSpace
from assay.essays.models.calibrated.ranking import curved
from assay.essays.models.calibrated.unlabeled_prompt import LONGEST_RUN
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater.equation import Equation
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.model import CHARACTERS
from assay.essays.models.hybrid.ngrams import character_runs
from assay.essays.models.hybrid.reading import HybridEssays, measured_essay
from assay.essays.models.scoring_model import RAW_DECIMALS, EssayScore, TrainingSummary, unscored
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

NINE_TENTHS = 1.645
"""Standard deviations around the middle of a normal distribution that hold nine in ten."""


@dataclass(frozen=True, eq=False, slots=True)
class CalibratedModel:
    """A `ScoringModel` of one prompt: raw = intercept + features . curved z + tree_factor * trees(z) + characters."""

    prompt: str
    scale: ScoreScale
    space: PromptSpace
    features: Floats
    """(twice the features,): weights of standardised features, then of half their squares."""
    trees: tuple[Trees, ...]
    tree_factor: float
    characters: Floats
    """(1, buckets)."""
    intercept: float
    cutoffs: Cutoffs
    percentiles: Floats
    residual: float
    """How far human scores are expected from raw scores, as a standard deviation."""
    essays: int
    scored: int
    """Essays the prompt was learned from, and how many of them had a human score."""
    notes: tuple[str, ...] = ()
    kind: str = "calibrated"
    extra: Mapping[str, str] = field(default_factory=dict)
    reads_with: Mapping[str, str] = field(default_factory=dict)
    """See `ScoringModel.reads_with`."""

    def __post_init__(self) -> None:
        for column in (self.features, self.characters, self.percentiles):
            column.flags.writeable = False

    @property
    def training(self) -> TrainingSummary:
        """Of the prompt it was calibrated to."""
        return TrainingSummary(self.essays, (self.prompt,), {}, "", "rounding", notes=self.notes)

    @property
    def basis(self) -> str:
        return (
            f"Ranked by a model of other prompts, and placed on the scale by {_essays(self.scored, 'scored essay')} "
            f"among {_essays(self.essays, 'essay')} of this prompt."
        )

    @property
    def equations(self) -> Mapping[str, Equation]:
        return {}

    @property
    def agreement(self) -> Mapping[str, float]:
        return {}

    @property
    def columns(self) -> tuple[str, ...]:
        return (*NAMES, CHARACTERS)

    @property
    def explains_by(self) -> Literal["feature", "family"]:
        return "family"

    @property
    def has_common_scale(self) -> bool:
        return False

    @property
    def known_prompts(self) -> tuple[str, ...]:
        """None need be named: an essay that names no prompt is taken to be on this one."""
        return ()

    @property
    def known_programs(self) -> tuple[str, ...]:
        return ()

    @property
    def can_refit(self) -> bool:
        return False

    @property
    def can_calibrate(self) -> bool:
        return False

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> EssayScore:  # noqa: ARG002 - knows none
        """See `ScoringModel.score`."""
        return score_calibrated(measured_essay(essay, analysis), self)[0]

    def score_if(self, essay: Essay, values: Mapping[str, float], program: str = "") -> EssayScore | None:  # noqa: ARG002
        """Some 180 features follow from one text: what a change of a few is worth cannot be told."""
        return None


def _essays(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def score_calibrated(essays: HybridEssays, model: CalibratedModel) -> list[EssayScore]:
    """The score of essays that were read before."""
    return [_scored(essays.at(np.array([row])), model) for row in range(len(essays))]


def _scored(one: HybridEssays, model: CalibratedModel) -> EssayScore:
    essay, doubts = one.essays[0], one.advisories[0]
    if essay.prompt not in (model.prompt, ""):
        doubts = (*doubts, Advisory("unknown_prompt", f"the model is calibrated to {model.prompt!r}"))
    if essay.prompt not in (model.prompt, "") or not one.measures[0, 0] > 0:
        return unscored(essay, dict.fromkeys(model.columns, nan), doubts)
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
