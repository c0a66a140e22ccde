"""How often a fair engine fails by its groups, an unfair one is caught: `python -m accuracy.group_verdicts`.

Human and system scores are a common true score plus errors, on the scale 1 to 6; groups are drawn at random. The fair
engine treats all groups alike; the unfair one places one group lower, by the DSM in the table. Counted are the samples
in which the largest group DSM is beyond 0.10: certainly ("not met"), or at all; beside the same with intervals that
hold for each group alone and with the plain largest DSM, as other tools show them.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.thresholds import THRESHOLDS
from assay.scale import ScoreScale

DESIGNS = ((4, 600, 0.0), (20, 1000, 0.0), (20, 10_000, 0.0), (4, 600, 0.3), (20, 1000, 0.3), (20, 10_000, 0.3))
"""Groups, responses, how far one group is placed lower in standard deviations."""
LIMIT = THRESHOLDS["largest_dsm"]


def sample(rng: np.random.Generator, groups: int, n: int, shift: float) -> Ratings:
    """Responses of an engine that agrees with people at r of about 0.75."""
    true, codes = rng.standard_normal(n), rng.integers(groups, size=n)
    human = np.clip(np.rint(3.5 + 1.1 * (true + 0.55 * rng.standard_normal(n))), 1, 6)
    system = 3.5 + 1.1 * (true - shift * (codes == 0) + 0.55 * rng.standard_normal(n))
    levels = tuple(f"group {number:02}" for number in range(groups))
    return Ratings(human[:, None], system, groups=(GroupColumn("group", levels, codes),))


def verdicts(rng: np.random.Generator, groups: int, n: int, shift: float) -> tuple[bool, bool, bool, bool]:
    """Whether the largest DSM fails certainly or at all, by joint figures and by those of each group alone."""
    evaluation = evaluate_engine(sample(rng, groups, n, shift), Plan(ScoreScale(1, 6), least_group=10))
    joint = LIMIT.verdict(evaluation.figures()["largest_dsm"]) or "met"
    alone = [
        LIMIT.verdict(group.system[evaluation.plan.trimmed].metrics["dsm"]) or "met"
        for group in evaluation.groupings[0].groups
        if group.shown
    ]
    return joint == "not met", not joint.startswith("met"), "not met" in alone, any(v[:3] == "not" for v in alone)


def rows(samples: int, seed: int) -> Iterator[str]:
    for number, (groups, n, shift) in enumerate(DESIGNS):
        rng = np.random.default_rng([seed, number])
        found = np.array([verdicts(rng, groups, n, shift) for _ in range(samples)])
        cells = [f"{100 * share:.1f} %" for share in found.mean(axis=0)]
        yield f"| {groups} | {n:,} | {shift:g} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(
        "| Groups | Responses | One group lower by | Not met | Not met, or uncertain | Alone: not met | Alone: either |"
    )
    print("|---|---|---|---|---|---|---|")
    for row in rows(given.samples, given.seed):
        print(row, flush=True)


if __name__ == "__main__":
    main()
