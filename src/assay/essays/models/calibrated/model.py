"""`CalibratedModel`: a score from a ranking learned on other prompts, placed on the scale of a new one."""

from dataclasses import dataclass, field
from math import nan

import numpy as np

from assay.essays.features.features import Analysis
from assay.essays.features.measures import NAMES as MEASURES
from assay.essays.features.measures import measures_of
from assay.essays.feedback.advisories import Advisory
from assay.essays.models import scoring_model as scoring
from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.models.calibrated.cross_prompt import LONGEST_RUN, PromptSpace, curved
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.ngrams import TOPIC_TITLES, character_runs
from assay.essays.models.hybrid.reading import LOG_WORDS, HybridEssays
from assay.essays.text.text import Essay

NAMES = (*MEASURES, *TOPIC_TITLES)
"""The features that need no scored essays of the prompt."""
CHARACTERS = "characters"
"""The share that is not of a single measure."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class CalibratedModel(scoring.ScoringModel):
    """A model of one prompt: raw = intercept + features . curved z + tree_factor * trees(z) + characters.

    No prompt need be named: an essay that names none is taken to be on this one.
    """

    kind: str = "calibrated"
    training: scoring.TrainingSummary = field(init=False)
    """Of the prompt it was calibrated to."""
    prompt: str
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

    def __post_init__(self) -> None:
        scored = f"{self.scored:,} scored essay{'s' * (self.scored != 1)}"
        among = f"{self.essays:,} essay{'s' * (self.essays != 1)} of this prompt"
        derived = {
            "training": scoring.TrainingSummary(self.essays, (self.prompt,), {}, "", "rounding", notes=self.notes),
            "basis": f"Ranked by a model of other prompts, and placed on the scale by {scored} among {among}.",
            "columns": (*NAMES, CHARACTERS),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        ReadOnlyArrays.__post_init__(self)

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> scoring.EssayScore:  # noqa: ARG002 - knows none
        """See `ScoringModel.score`."""
        return score_calibrated(HybridEssays.of(essay, analysis, measures_of(analysis)), self)[0]


def score_calibrated(essays: HybridEssays, model: CalibratedModel) -> list[scoring.EssayScore]:
    """The score of essays that were read before."""
    return [_scored(essays.at(np.array([row])), model) for row in range(len(essays))]


def _scored(one: HybridEssays, model: CalibratedModel) -> scoring.EssayScore:
    essay, doubts = one.essays[0], one.advisories[0]
    known = essay.prompt in (model.prompt, "")
    if not known:
        doubts = (*doubts, Advisory("unknown_prompt", f"the model is calibrated to {model.prompt!r}"))
    if not known or not one.measures[0, LOG_WORDS] > 0:
        return scoring.unscored(essay, dict.fromkeys(model.columns, nan), doubts)
    z = model.space.z(one, among=False)
    # score points by feature, of itself and its square, and what all essays start from
    by_tree = np.mean([trees.shares(z)[0] for trees in model.trees], axis=0) * model.tree_factor
    by_feature = (curved(z)[0] * model.features).reshape(2, -1).sum(axis=0) + by_tree[:-1]
    runs = character_runs(essay.text, LONGEST_RUN)
    characters = float(model.characters[0, runs].sum() / np.sqrt(max(1, len(runs))))
    shares = {**dict(zip(NAMES, by_feature.tolist(), strict=True)), CHARACTERS: characters}
    start = model.intercept + float(by_tree[-1])
    raw = round(start + sum(shares.values()), scoring.RAW_DECIMALS)
    errors = scoring.ErrorBand.even(model.cutoffs.points, model.residual)
    placed = scoring.placed_score(raw, model.cutoffs, model.percentiles, errors, model.scale)
    values = model.space.standard.mean + z[0] * model.space.standard.sd
    features = {**dict(zip(NAMES, values.tolist(), strict=True)), CHARACTERS: nan}
    return scoring.EssayScore(essay.essay_id, essay.prompt, raw, *placed, features, shares, start, doubts)
