"""`JudgedEssays`: scores that a judge gave by a rubric, as any model of essay scores gives them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan

import numpy as np

from assay.essays.features.features import Analysis
from assay.essays.feedback.advisories import Advisory
from assay.essays.models import scoring_model as scoring
from assay.essays.models.arrays import ReadOnlyArrays
from assay.essays.text.text import Essay

COLUMN = "judge_"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class JudgedEssays(scoring.ScoringModel):
    """Ratings of known essays: raw is the mean of the criteria by weight, or the one that stands for the whole.

    raw = middle of the scale + sum of weight share * (rating - middle), so that shares add up. There is no interval and
    no percentile: nobody has compared this judge with people yet.
    """

    kind: str = "judge"
    training: scoring.TrainingSummary = field(init=False)
    weights: Mapping[str, float]
    """Criterion -> its weight in the score; those that play no part have none."""
    ratings: Mapping[str, Mapping[str, float]]
    """Essay id -> criterion -> mean rating over the runs."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Essay id -> why it has no score."""
    judge: str = ""
    """The judge in words."""

    def __post_init__(self) -> None:
        derived = {
            "training": scoring.TrainingSummary(0, (), {}, "", "rounding"),
            "basis": f"{self.judge} Compare its scores with human scores to know how far they hold.",
            "columns": tuple(f"{COLUMN}{name}" for name in self.weights),
            "explains_by": "feature",
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        ReadOnlyArrays.__post_init__(self)

    def score(self, essay: Essay, analysis: Analysis | None = None, program: str = "") -> scoring.EssayScore:  # noqa: ARG002
        """See `ScoringModel.score`; the essay need not be read, for the judge has."""
        rated = self.ratings.get(essay.essay_id, {})
        values = {f"{COLUMN}{name}": rated.get(name, nan) for name in self.weights}
        if not essay.text.strip():
            return scoring.unscored(essay, values, (Advisory("empty", "the essay holds no words"),))
        if any(name not in rated for name in self.weights):
            why = self.problems.get(essay.essay_id, "the judge did not rate it")
            return scoring.unscored(essay, values, (Advisory("no_rating", why),))
        middle, total = (self.scale.lowest + self.scale.highest) / 2, sum(self.weights.values())
        shares = {f"{COLUMN}{name}": weight / total * (rated[name] - middle) for name, weight in self.weights.items()}
        raw = round(middle + sum(shares.values()), scoring.RAW_DECIMALS)
        point = float(self.scale.round(self.scale.trim(np.array([raw])))[0])
        return scoring.EssayScore(essay.essay_id, essay.prompt, raw, point, nan, nan, nan, values, shares, middle, ())
