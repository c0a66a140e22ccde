"""`ErrorTally`: the errors of a system score by group and human score, small and mergeable.

It holds all that fairness and bias figures need, so a billion responses cost no more to judge than ten.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.metrics.pairs import Scores

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class ErrorTally:
    """Errors of a system score, gathered by group and human score: arrays of (..., groups, levels).

    Sums are weighted by the response weights; `n` counts responses. A cell without responses holds zeros.
    Axes in front stand for several system scores of the same responses; `tally[i]` picks one.
    """

    levels: Scores
    """The distinct human scores, unrounded, lowest first."""
    n: Scores
    weight: Scores
    mean_error: Scores
    ss_error: Scores
    """Squares of the errors about the mean of their cell."""
    mean_square: Scores
    ss_square: Scores
    """The same of the squared errors."""

    def __post_init__(self) -> None:
        for field in fields(self):
            getattr(self, field.name).flags.writeable = False

    @classmethod
    def of(
        cls,
        human: ArrayLike,
        system: ArrayLike,
        group: NDArray[np.integer[Any]],
        n_groups: int,
        *,
        weights: ArrayLike | None = None,
    ) -> Self:
        """The tally of human scores (n,) and system scores (..., n) in groups 0 to n_groups - 1.

        A response with a group code of -1 or a weight of 0 is left out, whatever its scores.
        """
        h, m = np.asarray(human, dtype=np.float64), np.asarray(system, dtype=np.float64)
        w = None if weights is None else np.asarray(weights, dtype=np.float64)
        codes = np.asarray(group)
        _check_shapes(h, m, codes, n_groups, w)
        used = codes >= 0 if w is None else (codes >= 0) & (w != 0)
        if not used.all():
            h, m, codes, w = h[used], m[..., used], codes[used], None if w is None else w[used]
        if not (np.isfinite(h).all() and np.isfinite(m).all()):
            remedy = "Leave it out, by group code -1, before comparing groups."
            raise InputError("A response has no score", remedy=remedy)
        if w is not None and not (np.isfinite(w).all() and (w > 0).all()):
            problem, remedy = "Response weights must be numbers and not negative", "Give 0 to leave a response out."
            raise InputError(problem, field="weights", remedy=remedy)
        levels, level = _distinct(h)
        cell = codes.astype(np.int64, copy=False) * levels.size + level
        shape = (n_groups, levels.size)
        columns = [_cells(cell, m[i] - h, w, shape) for i in np.ndindex(m.shape[:-1])]
        gathered = np.array(columns).reshape(*m.shape[:-1], 6, *shape)
        return cls(levels, *(gathered[..., i, :, :] for i in range(6)))

    def __add__(self, other: Self) -> Self:
        """The tally of both parts together, their human scores aligned by value.

        Merged squares after Chan, Golub & LeVeque (1983), Algorithms for computing the sample variance.
        """
        if self.n.shape[:-1] != other.n.shape[:-1]:
            problem = f"Error tallies of shapes {self.n.shape[:-1]} and {other.n.shape[:-1]} cannot be merged"
            raise InputError(problem, remedy="Give both the same groups and system scores.")
        levels = np.union1d(self.levels, other.levels)
        a, b = self._on(levels), other._on(levels)
        weight = a.weight + b.weight
        share = np.divide(b.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        apart, apart_square = b.mean_error - a.mean_error, b.mean_square - a.mean_square
        return type(self)(
            levels=levels,
            n=a.n + b.n,
            weight=weight,
            mean_error=a.mean_error + apart * share,
            ss_error=a.ss_error + b.ss_error + apart**2 * a.weight * share,
            mean_square=a.mean_square + apart_square * share,
            ss_square=a.ss_square + b.ss_square + apart_square**2 * a.weight * share,
        )

    def __getitem__(self, index: Any) -> Self:
        """The tally of one system score, or of some, as numpy indexes the axes in front."""
        return self._changed(lambda cells: np.asarray(cells[index]))

    def _on(self, levels: Scores) -> Self:
        def spread(cells: Scores) -> Scores:
            wider = np.zeros((*cells.shape[:-1], levels.size))
            wider[..., np.searchsorted(levels, self.levels)] = cells
            return wider

        return self._changed(spread)

    def _changed(self, change: Callable[[Scores], Scores]) -> Self:
        names = [field.name for field in fields(self) if field.name != "levels"]
        return replace(self, **{name: change(getattr(self, name)) for name in names})


def _cells(cell: Codes, error: Scores, weights: Scores | None, shape: tuple[int, int]) -> Scores:
    """n, weight, mean and squares of the error, mean and squares of its square: (6, groups, levels)."""
    n = _sums(cell, None, None, shape)
    weight = n if weights is None else _sums(cell, weights, None, shape)
    of_error = _moments(cell, error, weights, weight)
    return np.stack((n, weight, *of_error, *_moments(cell, error * error, weights, weight)))


def _moments(cell: Codes, values: Scores, weights: Scores | None, weight: Scores) -> tuple[Scores, Scores]:
    total = _sums(cell, values, weights, weight.shape)
    mean = np.divide(total, weight, out=np.zeros_like(weight), where=weight > 0)
    apart = mean.ravel()[cell]
    apart -= values  # in place: fresh memory costs more than the sums
    apart *= apart
    return mean, _sums(cell, apart, weights, weight.shape)


def _sums(cell: Codes, values: Scores | None, weights: Scores | None, shape: tuple[int, ...]) -> Scores:
    """The weighted sum of the values in each cell; without values, the number of responses."""
    weighted = values if values is None or weights is None else values * weights
    sums = np.bincount(cell, weighted, minlength=math.prod(shape))
    return sums.astype(np.float64, copy=False).reshape(shape)


def _distinct(human: Scores) -> tuple[Scores, Codes]:
    """The distinct human scores, and the number of each response's among them."""
    if human.size and np.abs(human).max() < 1000:
        quarters = human * 4  # exact, so whole and half points and quarters can be counted instead of sorted
        whole = quarters.astype(np.int64)
        if (whole == quarters).all():
            lowest = int(whole.min())
            seen = np.bincount(whole - lowest) > 0
            return (lowest + np.flatnonzero(seen)) / 4, (np.cumsum(seen) - 1)[whole - lowest]
    levels, level = np.unique(human, return_inverse=True)
    return levels, level.astype(np.int64, copy=False)


def _check_shapes(human: Scores, system: Scores, group: NDArray[Any], n_groups: int, weights: Scores | None) -> None:
    shapes = {"human": human.shape, "system": system.shape[-1:], "group": group.shape}
    if weights is not None:
        shapes["weight"] = weights.shape
    if human.ndim != 1 or len(set(shapes.values())) > 1:
        columns = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"got columns of the shapes {columns}", remedy="Give as many of each as there are responses.")
    numbered = f"Groups are numbered 0 to {n_groups - 1}, -1 for none."
    if not np.issubdtype(group.dtype, np.integer):
        raise InputError(f"got group codes of type {group.dtype}", field="group", remedy=numbered)
    if group.size and not (group.min() >= -1 and group.max() < n_groups):
        raise InputError(f"got group codes {group.min()} to {group.max()}", field="group", remedy=numbered)
