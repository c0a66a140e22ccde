"""How many double scores PRMSE takes: `python -m accuracy.double_scores`.

500 responses on a scale without points; true scores of variance 1, rater errors of variance 0.4 (two raters correlate
at 0.71), a system that explains 80 % of the true scores. The first M responses have a second score. For each M: how
often the 95 % interval of PRMSE holds the true value, how wide it is at the median, and how often it is worthless,
longer than 1.
"""

import argparse

import numpy as np

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.metrics.intervals import Estimate

RESPONSES, RATER_ERROR, SYSTEM_ERROR = 500, 0.4, 0.2
TRUE_PRMSE = 1 - SYSTEM_ERROR
DOUBLES = (8, 11, 15, 20, 30, 50, 100, 200)


def estimate(rng: np.random.Generator, doubles: int) -> Estimate:
    """PRMSE of one sample."""
    true = rng.standard_normal(RESPONSES)
    human = true[:, None] + RATER_ERROR**0.5 * rng.standard_normal((RESPONSES, 2))
    human[doubles:, 1] = np.nan
    system = true + SYSTEM_ERROR**0.5 * rng.standard_normal(RESPONSES)
    return evaluate_engine(Ratings(human, system), Plan(None, least_doubles=0)).true_score["raw"].prmse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=400)
    given = parser.parse_args()
    print("| Double scores | Interval holds the true value | Median length | Longer than 1, or none |")
    print("|---|---|---|---|")
    for doubles in DOUBLES:
        rng = np.random.default_rng([7, doubles])
        figures = [estimate(rng, doubles) for _ in range(given.samples)]
        known = [figure for figure in figures if figure.has_interval]
        lengths = np.array([figure.high - figure.low for figure in known])
        held = np.mean([figure.low <= TRUE_PRMSE <= figure.high for figure in known])
        lost = (np.count_nonzero(lengths > 1) + len(figures) - len(known)) / len(figures)
        print(f"| {doubles} | {100 * held:.1f} % | {np.median(lengths):.2f} | {100 * lost:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
