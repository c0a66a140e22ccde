"""Essays with what people gave them: texts, up to three scores, prompts, programs and candidates, from one table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay
from assay.io.essays.table import EssayColumns, EssayFolder, NamedColumns, holds_documents, open_essays
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.tables import TableSource, open_table, require_columns

NAMELESS = "(none)"
"""The prompt or program of an essay whose cell is empty."""


@dataclass(frozen=True, slots=True)
class FurtherColumns(NamedColumns):
    """Columns beside those of `EssayColumns`; None where there is no such column."""

    second_score: str | None = None
    third_score: str | None = None
    program: str | None = None


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
    path: Path | TableSource,
    columns: EssayColumns | None,
    further: FurtherColumns | None = None,
    *,
    on_problem: Callable[[InputError], None] | None = None,
    on_guess: Callable[[str, str, str], None] | None = None,
) -> ScoredEssays:
    """All essays of a table, or of a folder of documents, which has no scores; `on_...` as for `open_essays`."""
    named = further.by_field() if further else {}
    table = open_essays(path, columns, on_problem, on_guess)
    parts = list(table.parts())
    essays = tuple(essay for part in parts for essay in part.essays)
    first = np.concatenate([part.scores for part in parts])
    if isinstance(table, EssayFolder):
        for field, name in named.items():
            problem = f"a folder of texts has no column {name!r}"
            raise InputError(problem, source=table.path, field=field, remedy="Give a table.")
        return ScoredEssays(essays, HumanScores(first), ())
    require_columns(table.source, named)
    second, third = (_scores(table.source, named.get(field), field) for field in ("second_score", "third_score"))
    return ScoredEssays(essays, HumanScores(first, second, third), _texts(table.source, named.get("program")))


def _scores(source: TableSource, column: str | None, field: str) -> NDArray[np.float64] | None:
    if column is None:
        return None
    frame = source.frame([column])
    return number_column(frame, column, source=source.name, field=field, first_row=source.first_row)


def _texts(source: TableSource, column: str | None) -> tuple[str, ...]:
    return tuple(text_column(source.frame([column]), column).fill_null("").to_list()) if column else ()


@dataclass(frozen=True, slots=True)
class StudyColumns(NamedColumns):
    """The columns of a table that a study reads; None where there is no such column."""

    text: str | None
    score: str
    prompt: str
    id: str | None = None
    second_score: str | None = None
    third_score: str | None = None
    program: str | None = None
    candidate: str | None = None
    file: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class StudyEssays(ScoredEssays):
    """The essays in file order, with what people know about them."""

    candidates: tuple[str, ...]
    name: str
    digest: str


def read_study_essays(
    table: Path | TableSource,
    columns: StudyColumns,
    *,
    on_problem: Callable[[InputError], None] | None = None,
    on_guess: Callable[[str, str, str], None] | None = None,
) -> StudyEssays:
    """All essays of the table. InputError for a missing column, a repeated id, no text or no score at all."""
    if isinstance(table, Path) and holds_documents(table):
        remedy = "Give a table with a row per essay and its human scores."
        raise InputError("a folder of texts has no scores", source=table, field="essays", remedy=remedy)
    source = open_table(table) if isinstance(table, Path) else table
    require_columns(source, columns.by_field())
    read = read_scored_essays(
        source,
        EssayColumns(columns.text, columns.id, columns.prompt, columns.score, file=columns.file),
        FurtherColumns(columns.second_score, columns.third_score, columns.program),
        on_problem=on_problem,
        on_guess=on_guess,
    )
    if not np.isfinite(read.human.first).any():
        problem = "the column holds no score at all"
        naming = ("Name the human score with ", Field("score"), ".")
        raise InputError(problem, source=source.name, column=columns.score, field="score", remedy=naming)
    return StudyEssays(
        tuple(essay if essay.prompt else replace(essay, prompt=NAMELESS) for essay in read.essays),
        read.human,
        tuple(program or NAMELESS for program in read.programs),
        _texts(source, columns.candidate),
        source.name,
        source.digest(),
    )
