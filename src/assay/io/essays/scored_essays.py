"""Essays with what people gave them: texts, up to three scores and programs, from one table."""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay
from assay.io.essays.table import EssayColumns, EssayFolder, EssayTable, open_essays
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.tables import TableSource, require_columns


@dataclass(frozen=True, slots=True)
class FurtherColumns:
    """Columns beside those of `EssayColumns`; None where there is no such column."""

    second_score: str | None = None
    third_score: str | None = None
    program: str | None = None

    def by_field(self) -> dict[str, str]:
        """Every column asked for, by the argument that named it."""
        return {field: name for field, name in asdict(self).items() if name is not None}


@dataclass(frozen=True, eq=False, slots=True)
class ScoredEssays:
    """Essays in file order, with their human scores and programs."""

    essays: tuple[Essay, ...]
    human: HumanScores
    programs: tuple[str, ...]
    """Empty where no program column was named."""

    def __len__(self) -> int:
        return len(self.essays)


def read_scored_essays(
    path: Path | TableSource, columns: EssayColumns | None, further: FurtherColumns | None = None
) -> ScoredEssays:
    """All essays of a table, or of a folder of .txt files, which has no scores."""
    named = further.by_field() if further else {}
    table = open_essays(path, columns) if isinstance(path, Path) else EssayTable(path, _required(path, columns))
    parts = list(table.parts())
    essays = tuple(essay for part in parts for essay in part.essays)
    first = np.concatenate([part.scores for part in parts])
    if isinstance(table, EssayFolder):
        for field, name in named.items():
            raise InputError(
                f"a folder of texts has no column {name!r}", source=table.path, field=field, remedy="Give a table."
            )
        return ScoredEssays(essays, HumanScores(first), ())
    require_columns(table.source, named)
    second, third = (_scores(table.source, named.get(field), field) for field in ("second_score", "third_score"))
    program = named.get("program")
    programs = tuple(text_column(table.source.frame([program]), program).fill_null("").to_list()) if program else ()
    return ScoredEssays(essays, HumanScores(first, second, third), programs)


def _required(source: TableSource, columns: EssayColumns | None) -> EssayColumns:
    if columns is None:
        raise InputError(
            "the column that holds the essays is not named",
            field="text",
            remedy=("Name it with ", Field("text"), f"; there are: {', '.join(source.columns[:8])}."),
        )
    return columns


def _scores(source: TableSource, column: str | None, field: str) -> NDArray[np.float64] | None:
    if column is None:
        return None
    frame = source.frame([column])
    return number_column(frame, column, source=source.name, field=field, first_row=source.first_row)
