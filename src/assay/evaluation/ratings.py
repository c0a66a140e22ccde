"""`Ratings`: for each response what the raters and the engine gave, and what is known about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.metrics.intervals import BLOCKS
from assay.metrics.pairs import Scores, float_array

NO_INFO = "No info"
"""The group of a response whose group is not known."""
LARGEST = 1e100
"""Scores beyond it, squared and added up, leave the range of floating-point numbers."""

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class GroupColumn:
    """Which group each response belongs to: a number into the names."""

    name: str
    levels: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, name: str, values: Sequence[str | None]) -> "GroupColumn":
        """From the groups' names, a response each; None or an empty name is no information."""
        named = [value or NO_INFO for value in values]
        levels, codes = np.unique(np.array(named, dtype=object).astype(str), return_inverse=True)
        return cls(name, tuple(map(str, levels)), codes.astype(np.int64))


@dataclass(frozen=True, eq=False, slots=True)
class Ratings:
    """Responses with their scores, or a part of them."""

    human: Scores
    """(responses, raters); the first rater is the one the engine is judged by. NaN: not read by this rater."""
    system: Scores
    """(responses,). NaN: the engine gave no score."""
    groups: tuple[GroupColumn, ...] = ()
    weights: Scores | None = None
    length: Scores | None = None
    candidate: Codes | None = None
    """Who wrote the response, as a number: responses of one candidate are not independent."""
    flagged: NDArray[np.bool_] | None = None
    """Responses that a flag column rules out."""
    first_row: int = 0
    """How many responses of the same table come before these."""

    @classmethod
    def of(
        cls,
        human: ArrayLike,
        system: ArrayLike,
        *,
        groups: "Mapping[str, Sequence[str | None]] | None" = None,
        weights: ArrayLike | None = None,
        length: ArrayLike | None = None,
        candidate: Sequence[str] | None = None,
    ) -> "Ratings":
        """From plain lists: human scores (a list, or a row per response with a column per rater) and system scores."""
        scores = float_array(human, "human")
        return cls(
            human=scores[:, None] if scores.ndim == 1 else scores,
            system=float_array(system, "system"),
            groups=tuple(GroupColumn.of(name, list(values)) for name, values in (groups or {}).items()),
            weights=None if weights is None else float_array(weights, "weights"),
            length=None if length is None else float_array(length, "length"),
            candidate=None if candidate is None else GroupColumn.of("candidate", list(candidate)).codes,
        )

    def __post_init__(self) -> None:
        if self.human.ndim != 2 or self.system.shape != (len(self.human),):
            problem = f"got system scores of shape {self.system.shape} for {len(self.human)} responses"
            raise InputError(problem, field="system", remedy="Give one system score for each response.")
        for name, scores in (("human", self.human), ("system", self.system)):
            largest = float(np.max(np.abs(scores), initial=0.0, where=np.isfinite(scores)))
            if largest > LARGEST:
                remedy = "Check the column: scores are points on a scale."
                raise InputError(f"a score of {largest:g} is too large to work with", field=name, remedy=remedy)
        optional = (self.weights, self.length, self.candidate, self.flagged)
        for array in (*(group.codes for group in self.groups), *optional):
            if array is not None and len(array) != len(self.system):
                problem = f"got {len(array)} values for {len(self.system)} responses"
                raise InputError(problem, remedy="Give one for each response.")

        if self.weights is not None and (self.weights < 0).any():
            problem = f"the weight of response {int(np.argmax(self.weights < 0)) + 1} is negative"
            raise InputError(problem, field="weights", remedy="Give a weight of 0 or more.")

    def __len__(self) -> int:
        return len(self.system)

    def blocks(self) -> Codes:
        """The block of each response: its place in the table, or its candidate's number, counted off."""
        if self.candidate is not None:
            return self.candidate % BLOCKS
        return (self.first_row + np.arange(len(self), dtype=np.int64)) % BLOCKS

    def where(self, keep: NDArray[np.bool_]) -> "IncludedRatings":
        """The responses that are kept, each with its block."""
        return IncludedRatings(
            human=self.human[keep],
            system=self.system[keep],
            blocks=self.blocks()[keep],
            groups=tuple(GroupColumn(g.name, g.levels, g.codes[keep]) for g in self.groups),
            weights=None if self.weights is None else self.weights[keep],
            length=None if self.length is None else self.length[keep],
        )


@dataclass(frozen=True, eq=False, slots=True)
class IncludedRatings:
    """Responses that take part in an evaluation: the first human score and the system score are numbers."""

    human: Scores
    system: Scores
    blocks: Codes
    groups: tuple[GroupColumn, ...]
    weights: Scores | None
    length: Scores | None

    def __len__(self) -> int:
        return len(self.system)
