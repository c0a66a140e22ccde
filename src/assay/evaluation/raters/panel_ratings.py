"""Who gave which item which label: the long table of a panel as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.exclusions import Exclusions

Kind = Literal["number", "ordered", "category", "boolean"]
KINDS: tuple[Kind, ...] = ("number", "ordered", "category", "boolean")

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Labels:
    """What raters could say. Ratings that are words hold the place of their word in `levels`."""

    kind: Kind
    levels: tuple[str, ...] = ()
    """From low to high for ordered words and booleans; empty for numbers."""
    declared: bool = False

    @property
    def ordered(self) -> bool:
        """Whether labels can be subtracted: numbers, and words in order."""
        return self.kind != "category"

    def word(self, value: float) -> str:
        """A label as its rater wrote it.

        >>> Labels("ordered", ("poor", "fair", "good")).word(2.0), Labels("number").word(2.5)
        ('good', '2.5')
        """
        return self.levels[int(value)] if self.levels else f"{value:g}"


@dataclass(frozen=True, eq=False)
class PanelRatings:
    """Ratings, one an entry: an item, perhaps a criterion of it, a rater, and a label as a number.

    A rater rates an item (and criterion) once; what came after is in `repeats`, by which the noise from run to run is
    measured.
    """

    items: Sequence[str]
    raters: tuple[str, ...]
    judges: Marks
    """Which raters are judges; the others are people."""
    labels: Labels
    item: Codes
    rater: Codes
    value: Numbers
    criteria: tuple[str, ...] = ()
    criterion: Codes | None = None
    item_weight: Numbers | None = None
    groups: Mapping[str, tuple[tuple[str, ...], Codes]] = field(default_factory=dict)
    """By column: the names of the groups, and the group of each item (-1: none)."""
    length: Numbers | None = None
    """Of each item; NaN where unknown."""
    texts: Sequence[str] = ()
    family: Mapping[str, str] = field(default_factory=dict)
    """Rater -> model family."""
    author: Sequence[str] = ()
    """Of each item: the family of the model that wrote it."""
    time: Numbers | None = None
    """Of each rating: when it was given, as a number that grows."""
    versions: tuple[str, ...] = ()
    version: Codes | None = None
    """Of each rating: the version of the rater's model."""
    repeats: "Repeats | None" = None
    preferences: "Preferences | None" = None
    exclusions: Exclusions = field(default_factory=lambda: Exclusions(0))
    notices: tuple[str, ...] = ()
    """What was guessed or put right while reading."""
    cautions: tuple[str, ...] = ()
    """Guesses that decide the answer."""

    def __post_init__(self) -> None:
        for array in (self.judges, self.item, self.rater, self.value):
            array.flags.writeable = False

    def __len__(self) -> int:
        return int(self.value.size)

    @cached_property
    def unit(self) -> Codes:
        """What each rating is about, numbered: an item, or a criterion of it."""
        if self.criterion is None:
            return self.item
        return np.asarray(self.item * len(self.criteria) + self.criterion)

    @cached_property
    def unit_count(self) -> int:
        return len(self.items) * max(len(self.criteria), 1)

    @cached_property
    def people(self) -> tuple[int, ...]:
        """The raters with a rating that are people, by number."""
        return tuple(int(r) for r in np.flatnonzero(~self.judges & (self.counts > 0)))

    @cached_property
    def judge_numbers(self) -> tuple[int, ...]:
        """The raters with a rating that are judges, by number."""
        return tuple(int(r) for r in np.flatnonzero(self.judges & (self.counts > 0)))

    @cached_property
    def counts(self) -> Codes:
        """How many ratings each rater gave."""
        return np.bincount(self.rater, minlength=len(self.raters))

    def of_rater(self, rater: int) -> Numbers:
        """The rater's label of each unit, NaN where there is none."""
        column = np.full(self.unit_count, np.nan)
        mine = self._by_rater(rater)
        column[self.unit[mine]] = self.value[mine]
        return column

    def _by_rater(self, rater: int) -> Codes:
        order, starts = self._rater_order
        return order[starts[rater] : starts[rater + 1]]

    @cached_property
    def _rater_order(self) -> tuple[Codes, Codes]:
        order = np.argsort(self.rater, kind="stable")
        return order, np.searchsorted(self.rater[order], np.arange(len(self.raters) + 1))

    def where(self, marked: Marks) -> "PanelRatings":
        """The ratings marked; items and raters keep their numbers."""
        return replace(
            self,
            item=self.item[marked],
            rater=self.rater[marked],
            value=self.value[marked],
            criterion=None if self.criterion is None else self.criterion[marked],
            time=None if self.time is None else self.time[marked],
            version=None if self.version is None else self.version[marked],
        )

    def without(self, raters: Sequence[int]) -> "PanelRatings":
        """The panel without these raters' ratings."""
        return self.where(~np.isin(self.rater, list(raters)))


@dataclass(frozen=True, eq=False, slots=True)
class Preferences:
    """Comparisons as they were shown: the first and the second candidate, and what came of it."""

    candidates: tuple[str, ...]
    first: Codes
    second: Codes
    outcome: Numbers
    """1 if the first won, 0 if the second did, 0.5 for a tie."""
    rater: Codes
    item: Codes


@dataclass(frozen=True, eq=False, slots=True)
class Repeats:
    """Further ratings by the same rater of the same item: later runs of a judge."""

    unit: Codes
    rater: Codes
    value: Numbers
    run: Codes
    """The number of the run, from 1 for the second."""
    version: Codes | None = None
    """The version of the rater's model."""
