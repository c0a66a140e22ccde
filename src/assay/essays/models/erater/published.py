"""`published_model`: a score from the figures that Attali & Burstein (2005) printed; no corpus was read for it.

    raw = 3.53 + 1.20 sum over features of w_i z_i / s,   z_i = (x_i - mean_i) / sd_i, with the sign of better writing

Relative weights w are those of Table 9 (the averages of Table 4, with essay length at .20), means and standard
deviations of features those of Table 3, 3.53 and 1.20 the mean and the standard deviation of human scores in Table 1.
Style has no figures in Table 3, and the two features of prompt-specific vocabulary need scored essays: without them
w is scaled to sum to one.

s, the spread of the sum, is not printed. For weights of a regression, R^2 = sum of beta_i r_i, so that s = c / R with
c = sum of w_i r_i over the correlations of Table 9. R, the correlation of scores with human scores, is taken as .80:
length alone has .78 there (decision 0571).
"""

from collections.abc import Mapping
from statistics import NormalDist
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from assay.essays.models.card import NOT_FOR
from assay.essays.models.cutoffs import rounding
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.scoring_model import ErrorBand, TrainingSummary
from assay.scale import ScoreScale

NAME = "erater-2005"
HUMAN_MEAN, HUMAN_SD = 3.53, 1.20
"""Table 1, overall."""
EXPECTED_R = 0.80
ESSAYS, PROMPTS = 17_792, 64
"""Table 1: 64 prompts of 278 essays on average."""
SCALE = ScoreScale(1.0, 6.0)


class PublishedFeature(NamedTuple):
    """One feature in Tables 3 and 9."""

    mean: float
    sd: float
    weight: float
    r: float
    """With the average human score, in size."""
    sign: int


FEATURES: Mapping[str, PublishedFeature] = MappingProxyType(
    {
        "grammar": PublishedFeature(0.0048, 0.0121, 0.05, 0.16, -1),
        "usage": PublishedFeature(0.0028, 0.0054, 0.02, 0.20, -1),
        "mechanics": PublishedFeature(0.0274, 0.0381, 0.07, 0.34, -1),
        "development": PublishedFeature(-3.0, 2.4, 0.21, 0.65, 1),
        "element_length": PublishedFeature(47.3, 26.3, 0.12, 0.17, 1),
        "type_token": PublishedFeature(0.6322, 0.1038, 0.04, 0.44, -1),
        "vocabulary": PublishedFeature(41.3, 7.5, 0.07, 0.50, -1),
        "word_length": PublishedFeature(4.5, 0.5, 0.08, 0.32, 1),
        "length": PublishedFeature(263.7, 128.9, 0.20, 0.78, 1),
    }
)
ABOUT: Mapping[str, str] = MappingProxyType(
    {
        "name": "erater-2005: the published figures of e-rater v.2.0, scale 1 to 6",
        "source": "Attali & Burstein (2005), Tables 1, 3 and 9: no essay was read for it.",
        "population": "For: essays like those of the paper: grades 6 to 12, GMAT and TOEFL, of some 130 to 390 words. "
        "Longer essays get higher scores than raters of today give them.",
        "accuracy": "Accuracy on ASAP 2.0, whose essays are longer and were scored more strictly: r .74 with raters, "
        "QWK .48, and a whole standard deviation too high. Calibrate it with scored essays.",
        "not_for": NOT_FOR,
        "licence": "Published figures; no corpus.",
    }
)


def published_weights() -> FeatureWeights:
    """The equation, from the tables."""
    rows = list(FEATURES.values())
    total = sum(row.weight for row in rows)
    relative = np.array([row.sign * row.weight / total for row in rows])
    mean, sd = (np.array([getattr(row, name) for row in rows]) for name in ("mean", "sd"))
    spread = sum(row.weight * row.r for row in rows) / total / EXPECTED_R
    standardised = relative / spread
    raw = HUMAN_SD * standardised / sd
    intercept = HUMAN_MEAN - float(raw @ mean)
    return FeatureWeights(tuple(FEATURES), mean, sd, standardised, raw, intercept, {})


def published_model(*, version: str = "", reads_with: Mapping[str, str] | None = None) -> EssayModel:
    """The model; it reads essays with whatever parts this program has, since it was fitted with none."""
    scores = NormalDist(HUMAN_MEAN, HUMAN_SD)
    cutoffs = rounding(np.empty(0), np.empty(0), SCALE)
    unmeasured = dict.fromkeys(("qwk", "kappa", "exact", "r"), float("nan"))
    equation = Equation(
        published_weights(),
        cutoffs,
        np.array([scores.inv_cdf(min(max(p / 100, 0.001), 0.999)) for p in range(101)]),
        ErrorBand.even(cutoffs.points, HUMAN_SD * float(np.sqrt(2 * (1 - EXPECTED_R)))),
        ESSAYS,
        unmeasured,
    )
    note = "style and prompt-specific vocabulary play no part: the paper prints no figures for the first"
    training = TrainingSummary(ESSAYS, (), {}, "", "rounding", version, notes=(note,))
    return EssayModel(
        kind="generic10",
        scale=SCALE,
        training=training,
        extra=dict(ABOUT),
        reads_with=dict(reads_with or {}),
        features=tuple(FEATURES),
        shapes=("as_measured",) * len(FEATURES),
        grouping="all",
        equations={"": equation},
        vocabulary=PAPER_VOCABULARY,
        content={},
    )
