"""Tables 7 to 9 of the paper: how far two essays of one candidate get the same score, by people and by machine.

The automated score takes the average relative weights of Table 4 with essay length at a fixed share, so that it is not
fitted to the essays it is judged on. Scores and features are standardised within their program first: programs may have
scales of their own, and what candidates of different grades have in common is not reliability. The paper does not say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from assay.essays.models.arrays import Floats, Rows
from assay.essays.study.corpus import Missing, PreparedCorpus, correlation
from assay.metrics.rank import spearman_r

if TYPE_CHECKING:
    from assay.essays.study.feature_tables import RelativeWeights

LENGTH_WEIGHT = 0.2
LEAST_PAIRS = 10
"""Candidates with two essays that a correlation needs."""


@dataclass(frozen=True, slots=True)
class Retest:
    """A row of Table 7; NaN where there are too few candidates, or one rating only."""

    program: str
    candidates: int
    erater: float
    single_human: float
    average_human: float


@dataclass(frozen=True, slots=True)
class Multimethod:
    """Table 8: reliabilities, correlations across different essays, and these corrected for unreliability.

    Corrected r = r / sqrt(reliability of one * reliability of the other); NaN where a reliability is not above 0.
    """

    reliability: Mapping[str, float]
    """Of erater, single_human and average_human."""
    across: Mapping[str, float]
    """The automated score of one essay with the human score of the other, averaged both ways."""
    corrected: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FeatureReliability:
    """A row of Table 9."""

    feature: str
    reliability: float
    weight: float
    correlation: float
    """With AHS, over all essays within programs, turned so that more is better."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Tables 7, 8 and 9 together."""

    programs: tuple[Retest, ...]
    multimethod: Multimethod
    features: tuple[FeatureReliability, ...]
    rank_with_weight: float
    rank_with_correlation: float
    """Spearman's rho of the features' reliabilities with their weights and with their correlations."""


def reliability(
    prepared: PreparedCorpus, shaped: Floats, weights: "RelativeWeights | Missing"
) -> Reliability | Missing:
    """Missing without candidates, with too few who wrote two essays, or without weights."""
    if not prepared.corpus.candidates:
        return Missing("nobody says who wrote which essay. Name the column with --candidate.")
    if isinstance(weights, Missing):
        return weights
    first, second = pairs(prepared)
    if len(first) < LEAST_PAIRS:
        return Missing(
            f"{len(first)} candidates wrote two essays on different prompts; at least {LEAST_PAIRS} are needed"
        )
    standard = _standardised(prepared, shaped)
    shares = {name: (1 - LENGTH_WEIGHT) * share for name, share in weights.average.items()} | {"length": LENGTH_WEIGHT}
    signs = {**weights.signs, "length": 1.0}
    composite = sum(
        (signs[n] * shares[n] * standard[:, i] for i, n in enumerate(prepared.names)), np.zeros(len(shaped))
    )
    average = _within(prepared, prepared.average)
    methods = {
        "erater": composite,
        "single_human": _within(prepared, prepared.corpus.table.human.first),
        "average_human": np.where(prepared.read_twice, average, np.nan),
    }
    rows = tuple(
        FeatureReliability(
            name, _reliability(own, first, second), shares[name], signs[name] * correlation(own, average)
        )
        for name, own in zip(prepared.names, standard.T, strict=True)
    )
    known = [row for row in rows if np.isfinite(row.reliability) and np.isfinite(row.correlation)]
    by_reliability = [row.reliability for row in known]
    with_weight, with_correlation = (
        float(spearman_r(by_reliability, column)) if len(known) > 2 else nan
        for column in ([row.weight for row in known], [row.correlation for row in known])
    )
    multimethod = _multimethod(methods, first, second)
    return Reliability(_programs(prepared, methods, first, second), multimethod, rows, with_weight, with_correlation)


def pairs(prepared: PreparedCorpus) -> tuple[Rows, Rows]:
    """The first two essays of each candidate on different prompts of one program."""
    seen: dict[tuple[str, str], int] = {}
    first, second = [], []
    prompts, programs = prepared.corpus.table.prompts, prepared.corpus.programs
    for row, (candidate, program) in enumerate(zip(prepared.corpus.candidates, programs, strict=True)):
        if not candidate:
            continue
        before = seen.setdefault((candidate, program), row)
        if before >= 0 and prompts[before] != prompts[row]:
            first.append(before)
            second.append(row)
            seen[candidate, program] = -1  # a third essay makes no second pair
    return np.array(first, dtype=np.intp), np.array(second, dtype=np.intp)


def _standardised(prepared: PreparedCorpus, values: Floats) -> Floats:
    """Columns with mean 0 and spread 1 within each program; unknown and constant ones are 0."""
    standard = np.zeros(values.shape)
    for _, rows in prepared.program_rows():
        own = values[rows]
        known = np.isfinite(own)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, own, 0.0).sum(axis=0) / count
        away = np.where(known, own - mean, 0.0)
        sd = np.sqrt((away**2).sum(axis=0) / count)
        standard[rows] = away / np.where(sd > 0, sd, 1.0)
    return standard


def _within(prepared: PreparedCorpus, scores: Floats) -> Floats:
    return np.where(np.isfinite(scores), _standardised(prepared, scores[:, None])[:, 0], np.nan)


def _programs(prepared: PreparedCorpus, methods: Mapping[str, Floats], first: Rows, second: Rows) -> tuple[Retest, ...]:
    member = np.array(prepared.corpus.programs)
    names = [program for program, _ in prepared.program_rows()]
    chosen = [(name, np.flatnonzero(member[first] == name)) for name in names]
    if len(names) > 1:
        chosen.append(("Overall", np.arange(len(first))))
    return tuple(
        Retest(name, len(own), *(_reliability(scores, first[own], second[own]) for scores in methods.values()))
        for name, own in chosen
    )


def _reliability(scores: Floats, first: Rows, second: Rows) -> float:
    return correlation(scores[first], scores[second]) if len(first) >= LEAST_PAIRS else nan


def _multimethod(methods: Mapping[str, Floats], first: Rows, second: Rows) -> Multimethod:
    own = {name: _reliability(scores, first, second) for name, scores in methods.items()}
    machine = methods["erater"]
    across, corrected = {}, {}
    for name in ("single_human", "average_human"):
        human = methods[name]
        both = (correlation(machine[first], human[second]), correlation(machine[second], human[first]))
        across[name] = float(np.mean(both))
        sound = own["erater"] > 0 and own[name] > 0
        corrected[name] = across[name] / float(np.sqrt(own["erater"] * own[name])) if sound else nan
    return Multimethod(own, across, corrected)
