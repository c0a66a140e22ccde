"""Tables 1 to 4 of the paper: the essays and their scores, how each feature goes with them, and what it weighs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import nan

import numpy as np

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.arrays import Floats, Rows
from assay.essays.models.erater.weights import fit_weights
from assay.essays.study.corpus import Missing, PreparedCorpus, correlation, varying
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import quadratic_weighted_kappa

MOST_LEVELS = 13
"""Scores in more levels than this are gathered in ten bins of equal width."""
BINS = 10
LEAST_PER_WEIGHT = 5
"""Essays that each weight needs."""


@dataclass(frozen=True, slots=True)
class ProgramDescription:
    """The essays of one program; standard deviations are those of a sample (n - 1)."""

    program: str
    essays: int
    prompts: int
    essays_per_prompt: float
    mean_ahs: float
    sd_ahs: float
    words: float
    """Mean length."""
    human_r: float
    human_qwk: float
    """Between the first two raters; NaN with one."""


def describe(prepared: PreparedCorpus) -> tuple[ProgramDescription, ...]:
    """Table 1: a row per program and, where there are several, one for all."""
    rows = [_described(prepared, program, own) for program, own in prepared.program_rows()]
    if len(rows) > 1:
        overall = _described(prepared, "Overall", np.arange(len(prepared.average)))
        if not prepared.one_scale:  # means and agreement over programs have no meaning
            overall = replace(overall, mean_ahs=nan, sd_ahs=nan, human_r=nan, human_qwk=nan)
        rows.append(overall)
    return tuple(rows)


def _described(prepared: PreparedCorpus, program: str, rows: Rows) -> ProgramDescription:
    scores = prepared.average[rows]
    prompts = sum(1 for _ in prepared.prompt_rows(rows))
    twice = rows[prepared.read_twice[rows]]
    human = prepared.corpus.table.human
    both = (human.first[twice], human.second[twice]) if human.second is not None and len(twice) > 1 else None
    return ProgramDescription(
        program=program,
        essays=len(rows),
        prompts=prompts,
        essays_per_prompt=len(rows) / prompts,
        mean_ahs=float(scores.mean()),
        sd_ahs=float(scores.std(ddof=1)) if len(scores) > 1 else nan,
        words=float(prepared.corpus.table.column("length")[rows].mean()),
        human_r=pearson_r(*both) if both else nan,
        human_qwk=quadratic_weighted_kappa(*both) if both else nan,
    )


@dataclass(frozen=True, slots=True)
class FeatureCorrelations:
    """Table 2: the correlation of each feature with AHS, averaged over the prompts of a program."""

    by_program: Mapping[str, Mapping[str, float]]
    """Program -> feature -> mean r."""
    overall: Mapping[str, float]
    """The mean over all prompts."""


def correlations(prepared: PreparedCorpus) -> FeatureCorrelations:
    """A prompt where r is undefined (one essay, a constant feature) is left out of the mean; NaN if all are."""
    by_program = {
        program: [
            [correlation(column, prepared.average[own]) for column in prepared.measured[own].T]
            for _, own in prepared.prompt_rows(rows)
        ]
        for program, rows in prepared.program_rows()
    }
    every = [prompt for prompts in by_program.values() for prompt in prompts]
    means = {program: _means(prepared, prompts) for program, prompts in by_program.items()}
    return FeatureCorrelations(means, _means(prepared, every))


def _means(prepared: PreparedCorpus, prompts: list[list[float]]) -> dict[str, float]:
    """The mean over prompts for each feature."""
    return {name: _known_mean(column) for name, column in zip(prepared.names, np.array(prompts).T, strict=True)}


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
    labels, member = _levels(prepared)
    columns = dict(zip(prepared.names, prepared.measured.T, strict=True))
    inside = [member == level for level in range(len(labels))]
    means = {name: tuple(_known_mean(column[own]) for own in inside) for name, column in columns.items()}
    relative = {}
    for name, (lowest, *_) in means.items():
        straight = FEATURES[name].better == "lower" or name == "development"
        ratios = [(mean, lowest) if straight else (lowest, mean) for mean in means[name]]
        relative[name] = tuple(over / under if under else nan for over, under in ratios)
    known = {name: column[np.isfinite(column)] for name, column in columns.items()}
    return FeatureMeans(
        levels=labels,
        essays=tuple(int(own.sum()) for own in inside),
        means=means,
        relative=relative,
        mean={name: _known_mean(column) for name, column in columns.items()},
        sd={name: float(own.std(ddof=1)) if len(own) > 1 else nan for name, own in known.items()},
    )


def _levels(prepared: PreparedCorpus) -> tuple[tuple[str, ...], Rows]:
    """The levels of AHS, and the place of each essay among them."""
    scores = prepared.average
    if prepared.one_scale:
        points, member = np.unique(scores, return_inverse=True)
        if len(points) <= MOST_LEVELS:
            return tuple(f"{point:.1f}" for point in points.tolist()), member
        edges = np.linspace(points[0], points[-1], BINS + 1)
        binned = np.searchsorted(edges, scores, side="right") - 1
        names = [f"{low:.3g}\u2013{high:.3g}" for low, high in pairwise(edges)]
    else:
        place = np.zeros(len(scores))
        for program, rows in prepared.program_rows():
            scale = prepared.scales[program]
            place[rows] = (scores[rows] - scale.lowest) / (scale.highest - scale.lowest)
        binned = (BINS * place + 1e-9).astype(np.intp)
        names = [f"{10 * tenth}\u2013{10 * tenth + 10}\u00a0%" for tenth in range(BINS)]
    used, member = np.unique(np.clip(binned, 0, BINS - 1), return_inverse=True)
    return tuple(names[level] for level in used.tolist()), member


def _known_mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else nan


@dataclass(frozen=True, slots=True)
class RelativeWeights:
    """Shares of the sum of all standardised weights, program by program, and their mean."""

    by_program: Mapping[str, Mapping[str, float] | Missing]
    average: Mapping[str, float]
    signs: Mapping[str, float]
    """1 where more of the feature goes with a higher score, else -1: by the programs together."""


def relative_weights(prepared: PreparedCorpus, shaped: Floats) -> RelativeWeights | Missing:
    """The weights of least squares without any that would turn against its feature's own correlation.

    Missing if no program has enough essays.
    """
    fitted = {p: _fitted(prepared, shaped[rows], prepared.average[rows]) for p, rows in prepared.program_rows()}
    known = [weights for weights in fitted.values() if not isinstance(weights, Missing)]
    if not known:
        return next(weights for weights in fitted.values() if isinstance(weights, Missing))
    average = {name: float(np.mean([abs(weights[name]) for weights in known])) for name in known[0]}
    signs = {name: 1.0 if sum(np.sign(weights[name]) for weights in known) >= 0 else -1.0 for name in average}
    sizes = {p: w if isinstance(w, Missing) else {n: abs(own) for n, own in w.items()} for p, w in fitted.items()}
    return RelativeWeights(sizes, average, signs)


def _fitted(prepared: PreparedCorpus, values: Floats, scores: Floats) -> dict[str, float] | Missing:
    """Relative weights with their signs; 0 for a feature that does not vary."""
    names = [name for name in prepared.names if name != "length"]
    columns = values[:, [prepared.names.index(name) for name in names]]
    if len(scores) < LEAST_PER_WEIGHT * len(names):
        return Missing(f"{len(scores)} essays are too few to estimate {len(names)} weights")
    used = np.flatnonzero(varying(columns))
    try:
        weights = fit_weights([names[place] for place in used.tolist()], columns[:, used], scores)
    except InputError as problem:
        return Missing(str(problem))
    size = np.abs(weights.standardised).sum()
    return dict.fromkeys(names, 0.0) | dict(zip(weights.names, (weights.standardised / size).tolist(), strict=True))
