"""Essays with what people gave them: texts, up to three scores and programs, from one table."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.resolution import HumanScores
from assay.essays.text.essay import Essay
from assay.io.essays.table import EssayColumns, EssayFolder, open_essays
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.tables import TableSource, require_columns


@dataclass(frozen=True, slots=True)
class FurtherColumns:
    """Columns beside those of `EssayColumns`; None where there is no such column."""

    second_score: str | None = None
    third_score: str | None = None
    program: str | None = None

    def by_option(self) -> dict[str, str]:
        """Every column asked for, by the option that named it."""
        named = {"--second-score": self.second_score, "--third-score": self.third_score, "--program": self.program}
        return {option: name for option, name in named.items() if name is not None}


@dataclass(frozen=True, eq=False, slots=True)
class ScoredEssays:
    """Essays in file order, with their human scores and programs."""

    essays: tuple[Essay, ...]
    human: HumanScores
    programs: tuple[str, ...]
    """Empty where no program column was named."""

    def __len__(self) -> int:
        return len(self.essays)


def read_scored_essays(path: Path, columns: EssayColumns | None, further: FurtherColumns | None = None) -> ScoredEssays:
    """All essays of a table, or of a folder of .txt files, which has no scores."""
    table = open_essays(path, columns)
    parts = list(table.parts())
    essays = tuple(essay for part in parts for essay in part.essays)
    first = np.concatenate([part.scores for part in parts])
    named = further.by_option() if further else {}
    if isinstance(table, EssayFolder):
        if named:
            raise InputError(f"{path} is a folder of texts: it has no columns for {', '.join(named)}. Give a table.")
        return ScoredEssays(essays, HumanScores(first), ())
    require_columns(table.source, named)
    scores = {
        option: _scores(table.source, named.get(option), option) for option in ("--second-score", "--third-score")
    }
    program = named.get("--program")
    programs = tuple(text_column(table.source.frame([program]), program).fill_null("").to_list()) if program else ()
    return ScoredEssays(essays, HumanScores(first, scores["--second-score"], scores["--third-score"]), programs)


def _scores(source: TableSource, column: str | None, option: str) -> NDArray[np.float64] | None:
    if column is None:
        return None
    frame = source.frame([column])
    return number_column(frame, column, source=source.name, field=option, first_row=source.first_row)
