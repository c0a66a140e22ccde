"""Table 4 of the paper: what each feature but length weighs when AHS is predicted, program by program."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.errors import InputError
from assay.essays.models.erater.weights import fit_weights
from assay.essays.study.corpus import Floats, Missing, PreparedCorpus

LEAST_PER_WEIGHT = 5
"""Essays that each weight needs."""


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
    found: dict[str, Mapping[str, float] | Missing] = {}
    signs: list[dict[str, float]] = []
    for program, rows in prepared.program_rows():
        fitted = _fitted(prepared, shaped[rows], prepared.average[rows])
        found[program] = fitted if isinstance(fitted, Missing) else {n: abs(w) for n, w in fitted.items()}
        if not isinstance(fitted, Missing):
            signs.append({name: float(np.sign(weight)) for name, weight in fitted.items()})
    known = [weights for weights in found.values() if not isinstance(weights, Missing)]
    if not known:
        return next(weights for weights in found.values() if isinstance(weights, Missing))
    average = {name: float(np.mean([weights[name] for weights in known])) for name in known[0]}
    overall = {name: 1.0 if sum(own[name] for own in signs) >= 0 else -1.0 for name in average}
    return RelativeWeights(found, average, overall)


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
    found = dict.fromkeys(names, 0.0)
    for name, weight in zip(weights.names, (weights.standardised / size).tolist(), strict=True):
        found[name] = weight
    return found


def varying(values: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which columns hold at least two different values."""
    low, high = np.nanmin(values, axis=0, initial=np.inf), np.nanmax(values, axis=0, initial=-np.inf)
    return np.asarray(high - low > 1e-9 * np.maximum(1.0, np.abs(high)))
