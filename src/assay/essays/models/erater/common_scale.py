"""One scale for the essays of several programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.models.erater.weights import FeatureWeights

CENTRE = 500.0
SPREAD = 100.0


@dataclass(frozen=True, eq=False, slots=True)
class CommonScale(ReadOnlyArrays):
    """One yardstick for all programs: 500 is the average essay of all, 100 one standard deviation.

    value = 500 + 100 * (sum of weight_i * (x_i - mean_i) / sd_i) / spread

    Weights are the mean over programs of the relative weights, with their signs; means and standard deviations are
    those of the essays of all programs, each program counting the same.
    """

    mean: Floats
    sd: Floats
    weights: Floats
    spread: float
    landmarks: Mapping[str, Mapping[float, float]]
    """For each program, the mean value of the essays that people gave each score: a 4 in grade 6, a 4 in grade 8."""

    def values(self, features: Floats) -> Floats:
        """(essays,): the place of each essay, from its (essays, features) in their model shapes; NaN counts as mean."""
        filled = np.where(np.isnan(features), self.mean, features)
        return np.asarray(CENTRE + SPREAD * ((filled - self.mean) / self.sd) @ self.weights / self.spread)


def fit_common_scale(
    features: Floats, scores: Floats, programs: Sequence[str], weights: Mapping[str, FeatureWeights]
) -> CommonScale:
    """The common scale of several programs, from the essays of all and the weights of each."""
    member = np.array(programs)
    share = np.array([1 / (member == program).sum() for program in programs])
    share /= share.sum()  # each program weighs the same, however many essays it has
    known = np.isfinite(features)
    mass = (known * share[:, None]).sum(axis=0)
    mean = (np.where(known, features, 0.0) * share[:, None]).sum(axis=0) / mass
    filled = np.where(known, features, mean)
    sd = np.sqrt((share[:, None] * (filled - mean) ** 2).sum(axis=0))
    relative = np.mean([own.relative * np.sign(own.standardised) for own in weights.values()], axis=0)
    composite = ((filled - mean) / sd) @ relative
    spread = float(np.sqrt((share * composite**2).sum()))
    values = CommonScale(mean, sd, relative, spread, {}).values(features)
    landmarks = {
        program: {
            float(point): float(values[(member == program) & (scores == point)].mean())
            for point in np.unique(scores[member == program])
        }
        for program in weights
    }
    return CommonScale(mean, sd, relative, spread, landmarks)
