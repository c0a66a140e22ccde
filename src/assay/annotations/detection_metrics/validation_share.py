"""Quality of work of which only a share of the frames has a ground truth: honeypots, validation frames.

The frames with a truth are scored; they are taken for a random sample of all. The mean of the rest has the same value
and a wider interval: the rest varies, too.
"""

from dataclasses import dataclass
from math import isnan, nan, sqrt

from assay.metrics.intervals import Estimate


@dataclass(frozen=True, slots=True)
class ValidationShare:
    """How many of the submitted images were scored, and what is to be expected of the others."""

    scored: int
    submitted: int
    rest: Estimate
    """The mean score of the images without a ground truth, with its 95% interval."""


def validation_share(scored: int, submitted: int, overall: Estimate) -> ValidationShare:
    """The estimate for what is not scored, from the score and its interval over images.

    Variance of the mean of the rest about that of the sample: s^2 / m + s^2 / (N - m) = s^2 / m * N / (N - m), so the
    interval of the score is wider by sqrt(N / (N - m)). Cut to 0 and 100. Undefined when nothing is left or nothing
    is scored. Source: Cochran (1977), Sampling Techniques, chapter 2 (random sampling without replacement).

    >>> share = validation_share(20, 80, Estimate(70.0, 60.0, 80.0))
    >>> round(share.rest.low, 2), round(share.rest.high, 2)
    (58.45, 81.55)
    """
    left = submitted - scored
    if left <= 0 or not scored:
        reason = "every image has a ground truth" if scored else "no image has a ground truth"
        return ValidationShare(scored, submitted, Estimate(nan, nan, nan, reason))
    wider = sqrt(submitted / left)
    low, high = (overall.value + wider * (end - overall.value) for end in (overall.low, overall.high))
    low, high = (end if isnan(end) else min(max(end, 0.0), 100.0) for end in (low, high))
    return ValidationShare(scored, submitted, Estimate(overall.value, low, high, overall.reason))
