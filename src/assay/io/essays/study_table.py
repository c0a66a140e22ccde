"""The essays of a study on disk: a table with texts, up to three ratings, prompts, programs and candidates."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from assay.errors import Field, InputError
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay
from assay.io.essays.scored_essays import FurtherColumns, read_scored_essays
from assay.io.essays.table import EssayColumns
from assay.io.tables.columns import text_column
from assay.io.tables.tables import TableSource, open_table, require_columns

NAMELESS = "(none)"
"""The prompt or program of an essay whose cell is empty."""


@dataclass(frozen=True, slots=True)
class StudyColumns:
    """The columns of a table that a study reads; None where there is no such column."""

    text: str
    score: str
    prompt: str
    id: str | None = None
    second_score: str | None = None
    third_score: str | None = None
    program: str | None = None
    candidate: str | None = None

    def by_field(self) -> dict[str, str]:
        """Every column asked for, by the argument that named it."""
        return {field: name for field, name in asdict(self).items() if name is not None}


@dataclass(frozen=True, eq=False, slots=True)
class StudyEssays:
    """The essays in file order, with what people know about them."""

    essays: tuple[Essay, ...]
    human: HumanScores
    programs: tuple[str, ...]
    candidates: tuple[str, ...]
    name: str
    digest: str

    def __len__(self) -> int:
        return len(self.essays)


def read_study_essays(table: Path | TableSource, columns: StudyColumns) -> StudyEssays:
    """All essays of the table. InputError for a missing column, a repeated id, no text or no score at all."""
    if isinstance(table, Path) and table.is_dir() and next(table.rglob("*.txt"), None) is not None:
        raise InputError(
            "a folder of texts has no scores",
            source=table,
            field="essays",
            remedy="Give a table with a row per essay and its human scores.",
        )
    source = open_table(table) if isinstance(table, Path) else table
    require_columns(source, columns.by_field())
    read = read_scored_essays(
        source,
        EssayColumns(columns.text, columns.id, columns.prompt, columns.score),
        FurtherColumns(columns.second_score, columns.third_score, columns.program),
    )
    if not np.isfinite(read.human.first).any():
        raise InputError(
            "the column holds no score at all",
            source=source.name,
            column=columns.score,
            field="score",
            remedy=("Name the human score with ", Field("score"), "."),
        )
    return StudyEssays(
        tuple(essay if essay.prompt else replace(essay, prompt=NAMELESS) for essay in read.essays),
        read.human,
        tuple(program or NAMELESS for program in read.programs),
        _candidates(source, columns.candidate),
        source.name,
        source.digest(),
    )


def _candidates(source: TableSource, column: str | None) -> tuple[str, ...]:
    if column is None:
        return ()
    return tuple(text_column(source.frame([column]), column).fill_null("").to_list())
