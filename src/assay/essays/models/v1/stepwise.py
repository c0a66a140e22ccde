"""Stepwise linear regression: which of many features make a significant contribution to the prediction.

Source: Attali & Burstein (2005) name the method and say that 8 to 12 of about 50 features entered a model. The rules
are the usual ones (Efroymson 1960): enter the feature with the largest F while its p is below `enter`, and after each
step remove any whose p has risen above `leave`.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

Floats = NDArray[np.float64]

ENTER = 0.05
LEAVE = 0.10
TOLERANCE = 1e-3
"""Share of a feature's variance that those in the model must leave unexplained for it to enter."""


def select_stepwise(values: Floats, human: Floats, *, enter: float = ENTER, leave: float = LEAVE) -> tuple[int, ...]:
    """The columns of (essays, features) that a stepwise regression on the human scores keeps, in ascending order.

    None if no feature makes a significant contribution. Features that do not vary never enter.

    >>> x = np.array([[1.0, 5], [2, 1], [3, 4], [4, 2], [5, 3], [6, 6]])
    >>> select_stepwise(x, np.array([1.1, 1.9, 3.2, 3.9, 5.1, 5.8]))
    (0,)
    """
    table, varying = _correlations(values, human)
    chosen: list[int] = []
    seen: set[frozenset[int]] = set()
    while frozenset(chosen) not in seen:  # a set met before would go round in circles
        seen.add(frozenset(chosen))
        entering = _best_to_enter(table, varying, chosen, len(human), enter)
        if entering is not None:
            chosen.append(entering)
            table = _swept(table, entering)
        leaving = _worst_to_leave(table, chosen, len(human), leave)
        if leaving is not None:
            chosen.remove(leaving)
            table = _swept(table, leaving)
    return tuple(sorted(chosen))


def _correlations(values: Floats, human: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The correlations of features and, last, the human scores; and which features vary."""
    columns = np.column_stack([values, human])
    centred = columns - columns.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    varying = size > 1e-9 * np.maximum(1.0, np.abs(columns).max(axis=0))
    z = np.where(varying, centred, 0.0) / np.where(varying, size, 1.0)
    return z.T @ z, varying[:-1]


def _swept(table: Floats, k: int) -> Floats:
    """The table after feature k has entered, or, if it was in, has left: the sweep operator of regression."""
    pivot = table[k, k]
    new = table - np.outer(table[:, k], table[k, :]) / pivot
    new[k, :] = table[k, :] / pivot
    new[:, k] = -table[:, k] / pivot
    new[k, k] = 1 / pivot
    return np.asarray(new)


def _best_to_enter(table: Floats, varying: NDArray[np.bool_], chosen: list[int], n: int, enter: float) -> int | None:
    df = n - len(chosen) - 2
    if df < 1 or table[-1, -1] < 1e-12:
        return None
    diagonal = table.diagonal()[:-1]
    open_ = varying & (diagonal > TOLERANCE)
    open_[chosen] = False
    gain = np.where(open_, table[:-1, -1] * table[-1, :-1] / np.where(open_, diagonal, 1.0), 0.0)
    best = int(gain.argmax())
    if gain[best] <= 0:
        return None
    residual = table[-1, -1] - gain[best]
    return best if _p(gain[best], residual, df) < enter else None


def _worst_to_leave(table: Floats, chosen: list[int], n: int, leave: float) -> int | None:
    df = n - len(chosen) - 1
    if not chosen or df < 1:
        return None
    loss = [abs(float(table[k, -1] * table[-1, k])) / abs(float(table[k, k])) for k in chosen]
    worst = int(np.argmin(loss))
    return chosen[worst] if _p(loss[worst], float(table[-1, -1]), df) > leave else None


def _p(gain: float, residual: float, df: int) -> float:
    return 0.0 if residual <= 1e-12 else float(fdtrc(1, df, gain / (residual / df)))
