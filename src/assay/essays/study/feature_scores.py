"""Tables 2 and 3 of the paper: how each feature goes with the human score."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.essays.features.features import FEATURES
from assay.essays.study.corpus import Floats, PreparedCorpus
from assay.metrics.correlation import pearson_r

MOST_LEVELS = 13
"""Scores in more levels than this are gathered in ten bins of equal width."""
BINS = 10


@dataclass(frozen=True, slots=True)
class FeatureCorrelations:
    """Table 2: the correlation of each feature with AHS, averaged over the prompts of a program."""

    by_program: Mapping[str, Mapping[str, float]]
    """Program -> feature -> mean r."""
    overall: Mapping[str, float]
    """The mean over all prompts."""


def correlations(prepared: PreparedCorpus) -> FeatureCorrelations:
    """A prompt where r is undefined (one essay, a constant feature) is left out of the mean; NaN if all are."""
    found: dict[str, list[dict[str, float]]] = {}
    for program, rows in prepared.program_rows():
        found[program] = [_prompt_correlations(prepared, own) for _, own in prepared.prompt_rows(rows)]
    every = [prompt for prompts in found.values() for prompt in prompts]
    return FeatureCorrelations({p: _mean(prompts) for p, prompts in found.items()}, _mean(every))


def _prompt_correlations(prepared: PreparedCorpus, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> dict[str, float]:
    return {
        name: correlation(prepared.measured[rows, place], prepared.average[rows])
        for place, name in enumerate(prepared.names)
    }


def correlation(first: Floats, second: Floats) -> float:
    """Pearson's r over the pairs where both are known; NaN with fewer than three."""
    known = np.isfinite(first) & np.isfinite(second)
    return pearson_r(first[known], second[known]) if known.sum() > 2 else float("nan")


def _mean(prompts: list[dict[str, float]]) -> dict[str, float]:
    means = {}
    for name in FEATURES:
        known = [prompt[name] for prompt in prompts if np.isfinite(prompt[name])]
        means[name] = float(np.mean(known)) if known else float("nan")
    return means


@dataclass(frozen=True, slots=True)
class FeatureMeans:
    """Table 3: the mean of each feature at each AHS, also relative to the lowest, and its overall mean and spread."""

    levels: tuple[str, ...]
    essays: tuple[int, ...]
    """At each level."""
    means: Mapping[str, tuple[float, ...]]
    relative: Mapping[str, tuple[float, ...]]
    """1 at the lowest level and smaller at better ones: mean / lowest for a feature of which less is better and for
    development, which counts from -8 up to 0; lowest / mean for the others, as the paper prints them."""
    mean: Mapping[str, float]
    sd: Mapping[str, float]


def means_by_score(prepared: PreparedCorpus) -> FeatureMeans:
    """The levels are those that occur, or ten bins where there are more than 13.

    Where programs have different scales, the levels are tenths of each program's own scale.
    """
    labels, member = _levels(prepared.average) if prepared.one_scale else _tenths(prepared)
    means: dict[str, tuple[float, ...]] = {}
    for place, name in enumerate(prepared.names):
        column = prepared.measured[:, place]
        means[name] = tuple(_known_mean(column[member == level]) for level in range(len(labels)))
    spread = {name: _known_sd(prepared.measured[:, place]) for place, name in enumerate(prepared.names)}
    return FeatureMeans(
        levels=labels,
        essays=tuple(int((member == level).sum()) for level in range(len(labels))),
        means=means,
        relative={name: _relative(name, values) for name, values in means.items()},
        mean={name: _known_mean(prepared.measured[:, place]) for place, name in enumerate(prepared.names)},
        sd=spread,
    )


def _levels(scores: Floats) -> tuple[tuple[str, ...], np.ndarray[tuple[int], np.dtype[np.intp]]]:
    points, member = np.unique(scores, return_inverse=True)
    if len(points) <= MOST_LEVELS:
        return tuple(f"{point:.1f}" for point in points.tolist()), member
    edges = np.linspace(points[0], points[-1], BINS + 1)
    binned = np.clip(np.searchsorted(edges, scores, side="right") - 1, 0, BINS - 1)
    used = np.unique(binned)
    labels = tuple(f"{edges[b]:.3g}\u2013{edges[b + 1]:.3g}" for b in used.tolist())
    return labels, np.searchsorted(used, binned)


def _tenths(prepared: PreparedCorpus) -> tuple[tuple[str, ...], np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """The tenth of its program's scale that each AHS lies in."""
    place = np.zeros(len(prepared.average))
    for program, rows in prepared.program_rows():
        scale = prepared.scales[program]
        place[rows] = (prepared.average[rows] - scale.lowest) / (scale.highest - scale.lowest)
    tenth = np.clip((BINS * place + 1e-9).astype(np.intp), 0, BINS - 1)
    used = np.unique(tenth)
    labels = tuple(f"{10 * b}\u2013{10 * b + 10}\u00a0%" for b in used.tolist())
    return labels, np.searchsorted(used, tenth)


def _relative(name: str, means: tuple[float, ...]) -> tuple[float, ...]:
    lowest = means[0]
    straight = FEATURES[name].better == "lower" or name == "development"
    ratios = [(mean, lowest) if straight else (lowest, mean) for mean in means]
    return tuple(over / under if under else float("nan") for over, under in ratios)


def _known_mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")


def _known_sd(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else float("nan")
