"""Whether the figures about panels hold what they promise: `python -m accuracy.panels`.

Panels are made up from known severities, variances, strengths and rates; each figure is computed again and again, and
the tables say how far it is off on average, how far from sample to sample, and how often its 95% interval holds the
truth. It prints docs/reference/panel-simulations.md. Seeds are fixed; about ten CPU minutes.
"""

from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from accuracy import alternative_test
from accuracy.alternative_test import agreements
from assay.evaluation.panels.differential import mantel_haenszel
from assay.evaluation.panels.generalizability import variance_components
from assay.evaluation.panels.prediction_powered import labels_next, prediction_powered_mean, rogan_gladen
from assay.evaluation.panels.preferences import BradleyTerry, bradley_terry
from assay.evaluation.panels.rasch import fit_rasch
from assay.metrics.intervals import Estimate

Rng: TypeAlias = np.random.Generator
Sample: TypeAlias = dict[str, tuple[float, Estimate]]
"""Name of a figure -> its true value and its estimate in one sample."""

INTRODUCTION = """# Simulations of panels

How far the figures about panels of raters can be taken at their word. Each line comes from panels made up with known
values: *bias* is the mean error, *SD* the spread of the estimates from sample to sample, *coverage* the share of
samples whose 95% interval holds the true value (where 95% is meant, 300 samples give 92.5 to 97.5), *defined* the
share of samples in which there was an interval. `python -m accuracy.panels` prints this page.
"""


def main() -> None:
    print(INTRODUCTION)
    for title, text, rows in SECTIONS:
        print(f"## {title}\n\n{fill(text, 120)}\n\n| panel | figure | truth | bias | SD | coverage | defined |")
        print("|---|---|---|---|---|---|---|")
        for label, samples, draw in rows:
            for line in table(label, [draw(np.random.default_rng([7, number])) for number in range(samples)]):
                print(line, flush=True)
        print()
    alternative_test.main()


def table(label: str, samples: Sequence[Sample]) -> Iterable[str]:
    """A row for each figure."""
    for name in samples[0]:
        truth = np.array([sample[name][0] for sample in samples])
        estimates = [sample[name][1] for sample in samples]
        errors = np.array([estimate.value for estimate in estimates]) - truth
        defined = np.array([estimate.has_interval for estimate in estimates])
        inside = [e.low <= t <= e.high for e, t in zip(estimates, truth, strict=True) if e.has_interval]
        spread, cover = np.nanstd(errors), f"{100 * np.mean(inside):.1f}%" if inside else "n/a"
        share = f"{100 * defined.mean():.0f}%"
        figures = f"{truth.mean():.3g} | {np.nanmean(errors):+.3f} | {spread:.3f} | {cover} | {share}"
        yield f"| {label} | {name} | {figures} |"


def wald(value: float, error: float) -> Estimate:
    return Estimate(value, value - 1.959964 * error, value + 1.959964 * error)


def levels(rng: Rng, items: int, severity: NDArray[np.float64], gaps: float) -> NDArray[np.float64]:
    place = rng.normal(0.3, 1.5, (items, 1)) - severity
    odds = np.exp(place[..., None] * np.arange(4) - np.array([0, -1.5, -1.4, 0]))
    draw = rng.random(place.shape)[..., None] * odds.sum(axis=-1, keepdims=True)
    codes = (draw > np.cumsum(odds, axis=-1)).sum(axis=-1).astype(float)
    return np.asarray(np.where(rng.random(codes.shape) < gaps, np.nan, codes))


def rasch(items: int, raters: int, gaps: float) -> Callable[[Rng], Sample]:
    severity = np.linspace(-0.8, 0.8, raters)

    def draw(rng: Rng) -> Sample:
        fit = fit_rasch(levels(rng, items, severity, gaps))
        first = wald(float(fit.severity[0]), float(fit.severity_error[0]))
        middle = wald(float(fit.severity[raters // 2]), float(fit.severity_error[raters // 2]))
        return {
            "severity of the most lenient": (severity[0], first),
            "severity of the middle one": (severity[raters // 2], middle),
            "SD of the items": (1.5, fit.spread),
            "mean of the items": (0.3, fit.mean),
        }

    return draw


def components(items: int, raters: int, gaps: float) -> Callable[[Rng], Sample]:
    def draw(rng: Rng) -> Sample:
        scores = rng.normal(0, 1, (items, 1)) + rng.normal(0, 0.5, (1, raters)) + rng.normal(0, 0.8, (items, raters))
        fit = variance_components(np.where(rng.random(scores.shape) < gaps, np.nan, scores))
        return {"items": (1.0, fit.item), "raters": (0.25, fit.rater), "residual": (0.64, fit.residual)}

    return draw


def crossed(items: int, raters: int, criteria: int) -> Callable[[Rng], Sample]:
    shapes = {
        "item": (items, 1, 1),
        "rater": (1, raters, 1),
        "criterion": (1, 1, criteria),
        "item_rater": (items, raters, 1),
        "item_criterion": (items, 1, criteria),
        "rater_criterion": (1, raters, criteria),
        "residual": (items, raters, criteria),
    }
    truth = dict(zip(shapes, (1.0, 0.3, 0.2, 0.4, 0.15, 0.1, 0.5), strict=True))

    def draw(rng: Rng) -> Sample:
        fit = variance_components(sum(rng.normal(0, truth[name] ** 0.5, shape) for name, shape in shapes.items()))
        return {name.replace("_", ":"): (value, getattr(fit, name)) for name, value in truth.items()}

    return draw


def preferences(comparisons: int, items: int, drift: float, *, clustered: bool) -> Callable[[Rng], Sample]:
    strength, position, nu = np.array([0.7, 0.2, -0.2, -0.7]), 0.3, 0.5

    def fitted(rng: Rng, comparisons: int, items: int) -> BradleyTerry:
        first = rng.integers(4, size=comparisons)
        second = (first + rng.integers(1, 4, size=comparisons)) % 4
        item = np.arange(comparisons) % items
        own = strength + rng.normal(0, drift, (items, 4))
        a, b = own[item, first] + position, own[item, second]
        odds = np.stack([np.exp(a), nu * np.exp((a + b) / 2), np.exp(b)], axis=1)
        place = (rng.random((comparisons, 1)) * odds.sum(axis=1, keepdims=True) > np.cumsum(odds, axis=1)).sum(axis=1)
        return bradley_terry(first, second, np.array([1, 0.5, 0])[place], clusters=item if clustered else None)

    # what comparisons of very many items tend to: the mean over items flattens the curve
    gap = fitted(np.random.default_rng(1), 400_000, 400_000).difference(0, 3).value if drift else 1.4

    def draw(rng: Rng) -> Sample:
        fit = fitted(rng, comparisons, items)
        sample = {"best minus worst": (gap, fit.difference(0, 3))}
        return sample if drift else {**sample, "position": (position, fit.position), "ties (nu)": (nu, fit.ties)}

    return draw


def corrected(labels: int, noise: float) -> Callable[[Rng], Sample]:
    def draw(rng: Rng) -> Sample:
        human = np.clip(np.rint(rng.normal(3.4, 1.1, labels + 5000)), 1, 6)
        judge = human + 0.4 + rng.normal(0, noise, human.size)
        fit = prediction_powered_mean(human[:labels], judge[:labels], judge[labels:])
        truth = TRUE_MEAN
        return {"corrected mean": (truth, fit.mean), "mean of the labels alone": (truth, fit.human_only)}

    return draw


TRUE_MEAN = 1 + float(ndtr((3.4 - np.arange(1.5, 6)) / 1.1).sum())
"""Mean of scores from 1 to 6, rounded from a normal distribution: 1 and the shares above each cut."""


def chosen(labels: int) -> Callable[[Rng], Sample]:
    """Labels where the judge is least sure, weighted by 1 / chance."""

    def draw(rng: Rng) -> Sample:
        spread = rng.gamma(1.0, 0.6, 3000)
        human = rng.normal(3, 1, 3000)
        judge = human + 0.3 + rng.normal(0, 1, 3000) * spread
        plan = labels_next(spread, labels, rng)
        weights = 1 / plan.probability
        fit = prediction_powered_mean(human[plan.items], judge[plan.items], judge, weights=weights)
        return {"corrected mean": (float(human.mean()), fit.mean)}

    return draw


def rate(labels: int, share: float) -> Callable[[Rng], Sample]:
    def draw(rng: Rng) -> Sample:
        human = (rng.random(labels + 2000) < share).astype(float)
        judge = np.where(rng.random(human.size) < np.where(human == 1, 0.85, 0.1), 1.0, 0.0)
        fit = rogan_gladen(human[:labels], judge[:labels], judge[labels:])
        return {"corrected rate": (share, fit.rate)}

    return draw


def odds(n: int) -> Callable[[Rng], Sample]:
    def draw(rng: Rng) -> Sample:
        level, focal = rng.integers(0, 5, n), rng.integers(0, 2, n)
        passed = (rng.random(n) < 1 / (1 + np.exp(2 - level + 0.7 * focal))).astype(float)
        fit = mantel_haenszel(passed, focal, level)
        return {"delta": (-2.35 * 0.7, fit.delta)}

    return draw


SECTIONS = [
    (
        "Agreement",
        "QWK on the scale 1 to 5, 100 items; true scores have SD 1.2, severities the SD given, noise 0.7 for people "
        "and 0.6 for the judge. The truth is the figure of very many people and items, which intervals over items and "
        "people are meant to hold (decision 0505).",
        [
            (
                f"{people} people, severity SD {severity}{', 60% gaps' if gaps else ''}",
                300,
                agreements(people, severity, gaps),
            )
            for people, severity, gaps in ((3, 0.4, 0.0), (6, 0.4, 0.0), (6, 0.0, 0.0), (10, 0.3, 0.6))
        ],
    ),
    (
        "Many-facet Rasch",
        "Four levels, items with SD 1.5, severities from -0.8 to 0.8.",
        [
            ("100 items, 4 raters, 30% gaps", 500, rasch(100, 4, 0.3)),
            ("500 items, 8 raters, 30% gaps", 300, rasch(500, 8, 0.3)),
        ],
    ),
    (
        "Variance components",
        "Normal effects. The variance between raters rests on as many values as there are raters, and its interval is "
        "wide accordingly.",
        [
            ("60 items, 4 raters, 20% gaps", 300, components(60, 4, 0.2)),
            ("100 items, 12 raters, 20% gaps", 300, components(100, 12, 0.2)),
            ("40 items, 6 raters, 4 criteria", 40, crossed(40, 6, 4)),
        ],
    ),
    (
        "Preferences",
        "Four candidates, first place 0.3 ahead, nu 0.5. *Drift*: strengths differ from item to item (SD 1), with 20 "
        "comparisons of each; the truth is what very many items tend to. There, intervals that take comparisons as "
        "independent are too short, and those by item hold.",
        [
            ("200 comparisons", 400, preferences(200, 200, 0.0, clustered=False)),
            ("200 comparisons, by item", 400, preferences(200, 40, 0.0, clustered=True)),
            ("1,000 comparisons, drift", 300, preferences(1000, 50, 1.0, clustered=False)),
            ("1,000 comparisons, drift, by item", 300, preferences(1000, 50, 1.0, clustered=True)),
        ],
    ),
    (
        "Corrected means",
        "Scores from 1 to 6; the judge is 0.4 too lenient, with an error of SD 0.5 or 1.5; 5,000 further items. The "
        "normal interval of ppi-python, which is ours, is short of 95% for few labels.",
        [
            (f"{labels} labels, judge's SD {noise}", 2000, corrected(labels, noise))
            for labels in (10, 20, 30, 50, 200)
            for noise in (0.5, 1.5)
        ],
    ),
    (
        "Labels where the judge is unsure",
        "3,000 items; items are drawn by `labels_next` and weighted by 1 / chance.",
        [(f"{labels} labels", 1000, chosen(labels)) for labels in (50, 200)],
    ),
    (
        "Corrected rates",
        "Sensitivity 0.85, specificity 0.9; 2,000 further items.",
        [
            (f"{labels} labels, {share:.0%} pass", 1000, rate(labels, share))
            for labels in (50, 100, 300)
            for share in (0.1, 0.5)
        ],
    ),
    (
        "Mantel-Haenszel",
        "Five levels, log odds 0.7 lower in the focal group.",
        [("200 responses", 500, odds(200)), ("1,000 responses", 500, odds(1000))],
    ),
]

if __name__ == "__main__":
    main()
