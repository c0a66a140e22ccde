"""The shape in which a model sees a feature: as measured, or bent so that equal steps mean equal gains in score."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES
from assay.essays.models.feature_table import EssayFeatures

Floats = NDArray[np.float64]


def as_measured(values: Floats, _words: Floats) -> Floats:
    """The value itself, as the paper has it."""
    return values


def fourth_root(values: Floats, _words: Floats) -> Floats:
    """Essay length: the tenth hundred of words adds less than the second."""
    return np.asarray(np.power(values, 0.25))


def log(values: Floats, _words: Floats) -> Floats:
    """Length of discourse elements; at least one word each."""
    return np.log(np.maximum(values, 1.0))


def log_rate(values: Floats, words: Floats) -> Floats:
    """Error rates: log(rate + half an error), so that the first errors weigh most and none is not minus infinity."""
    return np.log(values + 0.5 / np.maximum(words, 1.0))


SHAPES: Mapping[str, Callable[[Floats, Floats], Floats]] = MappingProxyType(
    {"as_measured": as_measured, "fourth_root": fourth_root, "log": log, "log_rate": log_rate}
)

SHAPE_OF: Mapping[str, str] = MappingProxyType(
    {"length": "fourth_root", "element_length": "log"}
    | dict.fromkeys(("grammar", "usage", "mechanics", "style"), "log_rate")
)
"""The shape of each feature unless the paper's own is asked for; as measured for the rest."""


def model_values(
    table: EssayFeatures, names: Sequence[str], shapes: Sequence[str], vocabulary: Floats | None = None
) -> Floats:
    """(essays, names): features in the shape a model takes them; `vocabulary` replaces the two prompt-specific ones."""
    words = table.column("length") if "length" in table.position else np.full(len(table), np.nan)
    columns = []
    for name, shape in zip(names, shapes, strict=True):
        if vocabulary is not None and name in VOCABULARY_FEATURES:
            measured = vocabulary[:, VOCABULARY_FEATURES.index(name)]
        else:
            measured = table.column(name)
        columns.append(SHAPES[shape](measured, words))
    return np.stack(columns, axis=1)
