"""Gradient boosted trees by LightGBM: fitted, kept as text, asked for a score and for each input's share in it.

One thread, fixed seeds and LightGBM's deterministic mode: the same essays give the same trees. A prediction adds up
leaf values in order, so it is the same everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, MissingExtra
from assay.essays.models.arrays import Floats

SETTINGS: Mapping[str, object] = MappingProxyType(
    {
        **{"objective": "regression", "learning_rate": 0.03, "num_leaves": 10, "min_child_samples": 20},
        **{"feature_fraction": 0.15, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0},
        **{"num_threads": 1, "deterministic": True, "force_row_wise": True, "verbose": -1},
    }
)
ROUNDS = 300


@dataclass(frozen=True, eq=False, slots=True)
class Trees:
    """Fitted trees as LightGBM writes them down: text that runs nothing."""

    text: str

    def predict(self, inputs: Floats) -> Floats:
        """(essays,)."""
        return self._asked(inputs)

    def shares(self, inputs: Floats) -> Floats:
        """(essays, inputs + 1): what each input adds to the prediction, and last what all essays start from.

        Shapley values of the trees. Source: Lundberg, Erion & Lee (2018), as LightGBM computes them.
        """
        return self._asked(inputs, pred_contrib=True)

    def _asked(self, inputs: Floats, **options: bool) -> Floats:
        try:
            answer = _booster(self.text).predict(inputs, num_threads=1, **options)
        except _lightgbm().basic.LightGBMError as problem:
            what = f"its trees cannot be used: {problem}"
            raise InputError(what, field="model", remedy="Train the model again.") from None
        return np.asarray(answer, dtype=np.float64)


END = "\nend of trees\n"


@lru_cache(maxsize=64)
def _booster(text: str) -> Any:
    """The trees as LightGBM holds them.

    Without their sizes, by which it would read them in parallel: there, what it cannot read ends the process.
    """
    lines = (line for line in text.partition(END)[0].split("\n") if not line.startswith("tree_sizes="))
    return _lightgbm().Booster(model_str="\n".join(lines) + END)


def fit_trees(
    inputs: Floats,
    target: Floats,
    *,
    seed: int,
    weights: Floats | None = None,
    rounds: int = ROUNDS,
    settings: Mapping[str, object] = MappingProxyType({}),
) -> Trees:
    """Trees that predict the target from (essays, inputs)."""
    lightgbm = _lightgbm()
    known = lightgbm.Dataset(inputs, target, weight=weights)
    booster = lightgbm.train({**SETTINGS, **settings, "seed": seed}, known, rounds)
    return Trees(booster.model_to_string())


def out_of_fold(inputs: Floats, target: Floats, fold: Sequence[int] | NDArray[np.intp]) -> Floats:
    """(essays,): what each training essay gets from trees of the other folds."""
    parts = np.asarray(fold)
    predicted = np.empty(len(target))
    for number in np.unique(parts).tolist():
        inside = parts == number
        predicted[inside] = fit_trees(inputs[~inside], target[~inside], seed=number).predict(inputs[inside])
    return predicted


def _lightgbm() -> Any:
    """`Any`: LightGBM is optional and carries no types. OSError: its OpenMP library is missing."""
    try:
        import lightgbm  # noqa: PLC0415
    except (ImportError, OSError) as missing:
        raise MissingExtra("Hybrid models", "models") from missing
    return lightgbm
