"""Exact and adjacent agreement."""

import numpy as np

from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally, pair_metric


@pair_metric
def exact_agreement(tally: PairTally) -> Scores:
    """Per cent of responses with the same score from both raters.

    A = 100 / N * count(M = H)

    Nothing is rounded: for scores with decimals it is near 0 by construction, so read it on rounded scores.
    Undefined (NaN) without responses; RSMTool fails there with a division by zero.
    Source: RSMTool manual, "Percent exact agreement".

    >>> exact_agreement([1, 2, 3, 4], [1, 2, 4, 4])
    75.0
    """
    return np.where(tally.n > 0, 100 * tally.exact / tally.weight, np.nan)


@pair_metric
def adjacent_agreement(tally: PairTally) -> Scores:
    """Per cent of responses whose two scores differ by 1 or less, whatever the step of the scale.

    A = 100 / N * count(|M - H| <= 1)

    Undefined (NaN) without responses. Source: RSMTool manual, "Percent exact + adjacent agreement".

    >>> adjacent_agreement([1, 2, 3, 4], [1, 2, 5, 4.5])
    75.0
    """
    return np.where(tally.n > 0, 100 * tally.adjacent / tally.weight, np.nan)
