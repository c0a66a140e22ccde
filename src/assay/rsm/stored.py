"""`StoredExperiment`: what an experiment left behind, as tables, whoever made it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any

from assay.rsm.types import Scores, Texts
from assay.scale import TRIM_TOLERANCE

Cell = float | str | None


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table whose rows and columns have names."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    def number(self, row: str, column: str) -> float:
        """A cell as a number; NaN when it is empty, a text, or not there.

        >>> NamedTable(("a",), ("r",), ((0.5,),)).number("a", "r")
        0.5
        """
        if row not in self.rows or column not in self.columns:
            return nan
        cell = self.cells[self.rows.index(row)][self.columns.index(column)]
        return float(cell) if isinstance(cell, float | int) else nan

    def column(self, column: str) -> dict[str, float]:
        """A column as numbers by row."""
        return {row: self.number(row, column) for row in self.rows}

    def row(self, row: str) -> dict[str, float]:
        """A row as numbers by column."""
        return {column: self.number(row, column) for column in self.columns}


@dataclass(frozen=True, eq=False, slots=True)
class StoredScores:
    """The evaluation responses of an experiment and their scores."""

    ids: Texts
    human: Scores
    second: Scores | None
    variants: Mapping[str, Scores]
    """raw, raw_trim, ... as far as they were written."""
    groups: Mapping[str, Texts] = field(default_factory=dict)

    def where(self, places: list[int]) -> "StoredScores":
        """Some of the responses."""
        variants = {name: scores[places] for name, scores in self.variants.items()}
        groups = {name: texts[places] for name, texts in self.groups.items()}
        second = None if self.second is None else self.second[places]
        return StoredScores(self.ids[places], self.human[places], second, variants, groups)


@dataclass(frozen=True, eq=False, slots=True)
class StoredExperiment:
    """An experiment of rsmtool or rsmeval, ours or RSMTool's own."""

    name: str
    """What a summary calls it."""
    experiment_id: str
    tool: str
    settings: Mapping[str, Any]
    """Its configuration."""
    tables: Mapping[str, NamedTable]
    """By RSMTool's name, the experiment's id left out."""
    scores: StoredScores | None
    scaled: bool
    """Whether the scaled score is the one that counts."""

    @property
    def description(self) -> str:
        return str(self.settings.get("description") or "")

    @property
    def primary(self) -> str:
        """The score that counts, before it is trimmed."""
        return "scale" if self.scaled else "raw"

    def trimming(self) -> tuple[float, float, float]:
        """Lowest and highest score, and the tolerance beyond them; NaN where neither file nor configuration says."""
        after = self.tables.get("postprocessing_params")
        ends = []
        for end in ("trim_min", "trim_max"):
            value = after.number(after.rows[0], end) if after is not None and after.rows else nan
            given = self.settings.get(end)
            ends.append(value if not isnan(value) else nan if given is None else float(given))
        tolerance = self.settings.get("trim_tolerance")
        return ends[0], ends[1], TRIM_TOLERANCE if tolerance is None else float(tolerance)
