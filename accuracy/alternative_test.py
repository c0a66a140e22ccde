"""Agreement and the alternative annotator test on panels made up with known values, for `python -m accuracy.panels`.

    python -m accuracy.alternative_test

prints these parts alone.
"""

from collections.abc import Callable, Iterator
from textwrap import fill

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.raters.panel_ratings import Labels, PanelRatings
from assay.evaluation.raters.replacement import ReplacementPlan, replacement_of
from assay.metrics.intervals import Estimate

Rng = np.random.Generator
Table = NDArray[np.float64]
EPSILON = 0.1
CLASSES = 4
SAMPLES = 300
SKILL = 0.8
"""How often a person gives the right one of four labels."""
TEXT = (
    f"Four labels; each person gives the right one {SKILL:.0%} of the time, epsilon is {EPSILON:g}. A judge *at the "
    "line* loses to a person exactly epsilon more often than it wins, so that no person may be replaced: *people "
    "replaced* is then the share of wrong rejections, which Benjamini and Yekutieli's correction keeps below 5%, and "
    "the judge should not pass. *As good* is a judge as skilled as the people, *better* one that is right 90% of the "
    "time: the figures are power. *Passes*: winning rate of 0.5 or more, “met” or “met, uncertain”. 300 samples each."
)


def panel_of_table(table: Table, judges: int, *, kind: str) -> PanelRatings:
    """A panel of items by raters, the judges last."""
    item, rater = np.nonzero(np.isfinite(table))
    raters = table.shape[1]
    names = tuple(f"r{number}" for number in range(raters))
    labels = Labels("category", tuple("abcd")) if kind == "category" else Labels("number")
    return PanelRatings(
        items=tuple(f"i{number}" for number in range(len(table))),
        raters=names,
        judges=np.arange(raters) >= raters - judges,
        labels=labels,
        item=item,
        rater=rater,
        value=table[item, rater],
    )


def labeled(rng: Rng, items: int, people: int, judge: float) -> Table:
    """Labels of people and of a judge who is right so often."""
    truth = rng.integers(CLASSES, size=(items, 1))
    skill = np.append(np.full(people, SKILL), judge)
    wrong = (truth + rng.integers(1, CLASSES, size=(items, people + 1))) % CLASSES
    return np.where(rng.random((items, people + 1)) < skill, truth, wrong).astype(float)


def skill_at_the_line(people: int) -> float:
    """The skill of a judge who loses to a person exactly epsilon more often than it wins."""
    rng = np.random.default_rng(5)
    low, high = 0.4, SKILL
    for _ in range(14):
        middle = (low + high) / 2
        table = labeled(rng, 400_000, people, middle)
        person, others, judge = table[:, 0], table[:, 1:people], table[:, people]
        matches, of_judge = ((others == one[:, None]).mean(axis=1) for one in (person, judge))
        lost = (matches >= of_judge).mean() - (of_judge >= matches).mean()
        low, high = (middle, high) if lost > EPSILON else (low, middle)
    return (low + high) / 2


def size_and_power(samples: int = SAMPLES) -> Iterator[str]:
    """Size and power."""
    yield "| people | items | judge | people replaced | passes | “met”, certain |"
    yield "|---|---|---|---|---|---|"
    for people in (3, 6):
        line = skill_at_the_line(people)
        for items in (100, 300, 1000):
            for name, skill in (("at the line", line), ("as good", SKILL), ("better", 0.9)):
                replaced, passed, met = [], 0, 0
                for number in range(samples):
                    table = labeled(np.random.default_rng([people, items, number]), items, people, skill)
                    panel = panel_of_table(table, 1, kind="category")
                    (judge,) = replacement_of(panel, ReplacementPlan(epsilon=EPSILON)).judges
                    replaced.append(len(judge.test.replaced) / people)
                    passed += judge.verdict is not None and judge.verdict.startswith("met")
                    met += judge.verdict == "met"
                shares = (np.mean(replaced), passed / samples, met / samples)
                yield f"| {people} | {items:,} | {name} | {' | '.join(f'{100 * share:.1f}%' for share in shares)} |"


def scored(rng: Rng, items: int, people: int, severity: float, gaps: float) -> Table:
    """Scores of people and one judge on the scale 1 to 5."""
    truth = rng.normal(3, 1.2, (items, 1))
    noise = rng.normal(0, 1, (items, people + 1)) * np.append(np.full(people, 0.7), 0.6)
    table = np.clip(np.rint(truth + np.append(rng.normal(0, severity, people), 0.1) + noise), 1, 5)
    table[:, :people][rng.random((items, people)) < gaps] = np.nan
    return table


def agreements(people: int, severity: float, gaps: float) -> Callable[[Rng], dict[str, tuple[float, Estimate]]]:
    """QWK of the judge with people, of people with each other, and the difference, in one panel of 100 items."""
    many = np.random.default_rng(1)
    one, other = (
        np.clip(np.rint(truth + many.normal(0, severity, truth.size) + many.normal(0, 0.7, truth.size)), 1, 5)
        for truth in [many.normal(3, 1.2, 2_000_000)]
        for _ in range(2)
    )
    again = np.random.default_rng(1).normal(3, 1.2, 2_000_000)
    judge = np.clip(np.rint(again + 0.1 + many.normal(0, 0.6, again.size)), 1, 5)
    ceiling, with_judge = population_qwk(one, other), population_qwk(one, judge)

    def draw(rng: Rng) -> dict[str, tuple[float, Estimate]]:
        panel = panel_of_table(scored(rng, 100, people, severity, gaps), 1, kind="number")
        answer = replacement_of(panel, ReplacementPlan())
        (beside,) = answer.judges
        return {
            "judge with people": (with_judge, beside.agreement),
            "people with each other": (ceiling, answer.ceiling),
            "judge minus people": (with_judge - ceiling, beside.difference),
        }

    return draw


def population_qwk(one: Table, other: Table) -> float:
    """QWK of very many pairs."""
    by_chance = one.var() + other.var() + (one.mean() - other.mean()) ** 2
    return float(1 - ((one - other) ** 2).mean() / by_chance)


def main() -> None:
    print(f"## Alternative annotator test\n\n{fill(TEXT, 120)}\n")
    for line in size_and_power():
        print(line, flush=True)


if __name__ == "__main__":
    main()
