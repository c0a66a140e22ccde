"""The essays of a study on disk: a table with texts, up to three ratings, prompts, programs and candidates."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.essays.models.resolution import HumanScores
from assay.essays.text.essay import Essay
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
    second: str | None = None
    third: str | None = None
    program: str | None = None
    candidate: str | None = None

    def by_option(self) -> dict[str, str]:
        """Every column asked for, by the option that named it."""
        named = {
            "--text": self.text,
            "--score": self.score,
            "--prompt": self.prompt,
            "--id": self.id,
            "--second-score": self.second,
            "--third-score": self.third,
            "--program": self.program,
            "--candidate": self.candidate,
        }
        return {option: name for option, name in named.items() if name is not None}


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


def read_study_essays(path: Path, columns: StudyColumns) -> StudyEssays:
    """All essays of the table. InputError for a missing column, a repeated id, no text or no score at all."""
    if path.is_dir() and next(path.rglob("*.txt"), None) is not None:
        raise InputError(f"{path} is a folder of texts without scores. A study needs a table with human scores.")
    source = open_table(path)
    require_columns(source, columns.by_option())
    read = read_scored_essays(
        path,
        EssayColumns(columns.text, columns.id, columns.prompt, columns.score),
        FurtherColumns(columns.second, columns.third, columns.program),
    )
    if not np.isfinite(read.human.first).any():
        raise InputError(
            f"{source.name}: column {columns.score!r} holds no score at all. Name the human score with --score."
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
