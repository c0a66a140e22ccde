"""How far a submission's figures could have come out otherwise, had other images of the same kind been drawn.

Images are left out one by one (in at most 499 blocks): the jackknife over images, with Student's t. No chance enters,
so the same files always give the same interval.
"""

from collections.abc import Mapping

import numpy as np

from assay.annotations.grading.parts import f_beta, precision, recall
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.rubric.rubric import Rubric
from assay.metrics.bins import together
from assay.metrics.intervals import BLOCKS, Estimate, Resampling
from assay.metrics.pairs import Scores

NO_SPREAD = "alike on all images"
"""Why a figure has no interval that comes out the same whichever image is left out."""

FIGURES = ("overall", "quality", "completeness", "precision", "recall", "localisation", "label", "attributes")


def intervals(score: SubmissionScore, *, rng: np.random.Generator | None = None) -> Mapping[str, Estimate]:
    """Every figure of the submission with its 95 % interval over images; ends are kept within 0 to 100.

    With `rng` by the percentile bootstrap, 2,000 draws of as many images; decision 0140 says why not without being
    asked.
    """
    sums = _sums(score)
    used = sums[1:].any(axis=0)
    blocks = sums[:, used]
    if blocks.shape[1] > BLOCKS:  # images i, i + 499, ... are left out together
        number = np.arange(blocks.shape[1]) % BLOCKS
        blocks = np.array([np.bincount(number, row, BLOCKS) for row in blocks])
    values = _figures(together(blocks), score.rubric)
    occupied = np.ones(blocks.shape[1])
    if rng is None or not occupied.size:
        resampling = Resampling.jackknife(item="image")
    else:
        resampling = Resampling.bootstrapped(rng, blocks=occupied.size, item="image")
    replicates = _figures(resampling.totals(blocks), score.rubric)
    figures = {}
    for name in FIGURES:
        estimate = resampling.estimate(
            float(values[name][0]), replicates[name], occupied, reason=_REASONS.get(name, "")
        )
        reason = NO_SPREAD if estimate.reason == resampling.no_spread else estimate.reason
        low, high = (float(np.clip(end, 0.0, 100.0)) for end in (estimate.low, estimate.high))
        figures[name] = Estimate(estimate.value, low, high, reason)
    return figures


_REASONS = dict.fromkeys(("quality", "localisation", "label"), "nothing matched")
_REASONS["attributes"] = "no attribute to compare"


def _sums(score: SubmissionScore) -> Scores:
    """(9, images): the five of `image_sums`, then localisation, label, attributes, and matches with attributes."""
    n = len(score.images)
    image = score.truth.image[score.match_truth]
    compared = ~np.isnan(score.attributes)
    further = [
        np.bincount(image, score.localisation, n),
        np.bincount(image, score.label, n),
        np.bincount(image[compared], score.attributes[compared], n),
        np.bincount(image[compared], minlength=n),
    ]
    return np.vstack([score.image_sums, *further])


def _figures(sums: Scores, rubric: Rubric) -> dict[str, Scores]:
    points, matched, missed, extra, empty, place, label, attributes, compared = sums
    right = matched + empty
    nothing = (matched + missed + extra) == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        quality = points / matched
        means = {"localisation": 100 * place / matched, "label": 100 * label / matched}
        means["attributes"] = 100 * attributes / compared
    counted = np.where(matched > 0, quality, np.where(nothing, 100.0, 0.0))
    completeness = 100 * f_beta(right, missed, extra, beta=rubric.beta)
    q, c = rubric.weights.of_overall
    return {
        "overall": q * counted + c * completeness,
        "quality": quality,
        "completeness": completeness,
        "precision": 100 * precision(right, missed, extra),
        "recall": 100 * recall(right, missed, extra),
        **means,
    }
