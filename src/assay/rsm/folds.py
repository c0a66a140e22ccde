"""Which responses are left out together in a cross-validation."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

SEED = 1234567890
SAMPLE_SHARE = 0.1

Places = NDArray[np.int64]


def drawn_folds(responses: int, folds: int, *, seed: int = SEED) -> tuple[Places, ...]:
    """So many folds of shuffled responses, the first ones larger by one where they do not divide evenly.

    The same as scikit-learn's KFold with shuffling, which RSMTool uses.
    """
    if not 2 <= folds <= responses:
        problem = f"{responses} responses cannot be divided into {folds} folds"
        raise InputError(problem, field="folds", remedy=f"Give 2 to {responses}.")
    shuffled = np.arange(responses, dtype=np.int64)
    np.random.RandomState(seed).shuffle(shuffled)  # the generator that RSMTool's folds come from
    return tuple(np.sort(fold) for fold in np.array_split(shuffled, folds))


def named_folds(ids: Sequence[str], fold_of: Mapping[str, str]) -> tuple[Places, ...]:
    """Folds as given: the id of each response -> the name of its fold; folds in the order of their names."""
    missing = [name for name in ids if name not in fold_of]
    if missing:
        shown = ", ".join(map(repr, missing[:3]))
        problem = f"the folds file says nothing of {len(missing)} responses: {shown}"
        raise InputError(problem, field="folds_file", remedy="Give each a fold.")
    groups = np.array([fold_of[name] for name in ids])
    names = np.unique(groups)
    if len(names) < 2:
        problem = "the folds file puts all responses into one fold"
        raise InputError(problem, field="folds_file", remedy="A cross-validation needs two or more.")
    return tuple(np.flatnonzero(groups == name).astype(np.int64) for name in names)


def sampled(responses: int, *, seed: int = SEED) -> Places:
    """The places of a tenth of the responses, drawn as pandas does it."""
    count = max(1, round(SAMPLE_SHARE * responses))
    drawn = np.random.RandomState(seed).choice(responses, size=count, replace=False)
    return np.asarray(drawn, dtype=np.int64)
