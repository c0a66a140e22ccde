"""`UsedResponses`: the responses of an rsmeval experiment that take part in it, in every form of their score."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from assay.evaluation.chunks import few_items
from assay.evaluation.exclusions import Reasons, exclusion_reasons, without_zeros
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import IncludedRatings, Ratings
from assay.evaluation.score_variants import score_forms
from assay.evaluation.tallying import MOST_POINTS_TO_CROSS, EvaluationTally, LevelTally
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale


@dataclass(frozen=True, eq=False, slots=True)
class UsedResponses:
    """The responses that take part, and why others do not."""

    reasons: Reasons
    """Of all responses, used or not."""
    included: IncludedRatings
    human: Scores
    """(responses, raters); NaN where a second rater gave no score that counts."""
    forms: Mapping[str, Scores]

    @classmethod
    def of(cls, ratings: Ratings, plan: Plan) -> "UsedResponses":
        few = few_items(ratings, plan) if plan.least_items > 1 else None
        reasons = exclusion_reasons(ratings, leave_out_zeros=plan.leave_out_zeros, few=few)
        included = ratings.where(reasons < 0)
        human = np.where(np.isfinite(included.human), included.human, np.nan)
        human = without_zeros(human) if plan.leave_out_zeros else human
        forms = score_forms(
            included.system, scale=plan.scale, tolerance=plan.trim_tolerance, scaling=plan.scaling, name=plan.base
        )
        return cls(reasons, included, human, forms)

    @property
    def first(self) -> Scores:
        """The human scores the system is judged by."""
        return self.human[:, 0]

    def on_all_points(self, tally: EvaluationTally, plan: Plan) -> tuple[EvaluationTally, Plan]:
        """The same tally and plan on a scale that holds every human score.

        RSMTool trims system scores only: people may have given points outside trim_min to trim_max, and figures
        point by point must know them.
        """
        assert plan.scale is not None
        assert plan.rounded is not None  # an rsmeval experiment always has a scale
        scale = _widened(plan.scale, self.human, self.forms[plan.rounded])
        if scale == plan.scale:
            return tally, plan
        if scale.highest - scale.lowest >= MOST_POINTS_TO_CROSS:
            return replace(tally, levels=None, crossed=None, rated=None), plan
        levels = LevelTally.of(self.included, self.forms[plan.trimmed], scale)
        return replace(tally, levels=levels), replace(plan, scale=scale)


def _widened(scale: ScoreScale, *scores: Scores) -> ScoreScale:
    lows, highs = ([float(np.rint(reach(s))) for s in scores] for reach in (np.nanmin, np.nanmax))
    return ScoreScale(min(scale.lowest, *lows), max(scale.highest, *highs), scale.step)
