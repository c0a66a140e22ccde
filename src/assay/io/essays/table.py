"""Essays on disk: a table with a row per essay, or a folder of text files, read in parts."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.text.text import Essay
from assay.io.essays.guess_columns import guess_essay_columns
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.tables import TableSource, check_unique_ids, file_digest, open_table, require_columns

PART_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class EssayColumns:
    """The columns of a table that hold the text and, where there are such, the id, the prompt and the human score."""

    text: str
    id: str | None = None
    prompt: str | None = None
    score: str | None = None
    program: str | None = None

    def by_field(self) -> dict[str, str]:
        """Every column asked for, by the argument that named it."""
        return {field: name for field, name in asdict(self).items() if name is not None}


@dataclass(frozen=True, eq=False, slots=True)
class EssayPart:
    """Some essays in file order, and their human scores; NaN where an essay has none."""

    essays: tuple[Essay, ...]
    scores: NDArray[np.float64]
    programs: tuple[str, ...] = ()
    """Empty where no program column was named."""

    def __len__(self) -> int:
        return len(self.essays)


class EssayTable:
    """A table of essays, checked and ready to be read in parts.

    An empty text is an essay nobody wrote: it stays, with an advisory. A table where every text is empty is an error.
    """

    def __init__(self, path: Path | TableSource, columns: EssayColumns) -> None:
        self.source: TableSource = path if isinstance(path, TableSource) else open_table(path)
        self.columns = columns
        require_columns(self.source, columns.by_field())
        if columns.id:
            check_unique_ids(self.source, columns.id)
        self._check_some_text()

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def count(self) -> int:
        """How many essays there are."""
        return self.source.row_count

    @property
    def has_scores(self) -> bool:
        return self.columns.score is not None

    def part_sizes(self, rows: int) -> list[int]:
        """How many essays each Parquet part has; a single file is cut every so many rows."""
        return list(self.source.part_rows) if self.source.in_parts else _cut(self.count, rows)

    def digests(self) -> dict[str, str]:
        """SHA-256 of each file by name."""
        return self.source.digests()

    def parts(self, span: tuple[int, int] | None = None) -> Iterator[EssayPart]:
        """The essays in file order, or so many from a first one; without an id column row numbers are their ids."""
        row = self.source.first_row + (span[0] if span else 0)
        for frame in self.source.batches(list(self.columns.by_field().values()), rows=PART_ROWS, span=span):
            texts = text_column(frame, self.columns.text).fill_null("").to_list()
            rows = map(str, range(row, row + frame.height))
            ids = text_column(frame, self.columns.id).to_list() if self.columns.id else list(rows)
            prompt = self.columns.prompt
            prompts = text_column(frame, prompt).fill_null("").to_list() if prompt else [""] * frame.height
            scores = np.full(frame.height, np.nan)
            if self.columns.score:
                scores = number_column(frame, self.columns.score, source=self.name, field="score", first_row=row)
            program = self.columns.program
            programs = tuple(text_column(frame, program).fill_null("").to_list()) if program else ()
            yield EssayPart(tuple(map(Essay, ids, texts, prompts)), scores, programs)
            row += frame.height

    def _check_some_text(self) -> None:
        rows = 0
        for frame in self.source.batches([self.columns.text], rows=PART_ROWS):
            if text_column(frame, self.columns.text).str.strip_chars().str.len_bytes().sum() > 0:
                return
            rows += frame.height
        if rows == 0:
            remedy = "Give a table with a row per essay."
            raise InputError("a header but no rows", source=self.name, field="essays", remedy=remedy)
        raise InputError(
            f"all {rows} texts are empty",
            source=self.name,
            column=self.columns.text,
            field="text",
            remedy=("Name the column that holds the essays with ", Field("text"), "."),
        )


class EssayFolder:
    """A folder of .txt files, one essay each; the name is its id, and the subfolder it lies in its prompt."""

    has_scores = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = sorted(file for file in path.rglob("*.txt") if file.is_file() and not file.name.startswith("."))
        if not self.files:
            raise InputError(
                "the folder holds no .txt files",
                source=path,
                field="essays",
                remedy="Name a table of essays, or a folder with a .txt file for each.",
            )

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def count(self) -> int:
        return len(self.files)

    def part_sizes(self, rows: int) -> list[int]:
        """Cut every so many essays."""
        return _cut(self.count, rows)

    def digests(self) -> dict[str, str]:
        """SHA-256 of each file by name."""
        return {file.relative_to(self.path).as_posix(): file_digest(file) for file in self.files}

    def parts(self, span: tuple[int, int] | None = None) -> Iterator[EssayPart]:
        """The essays by name, or so many from a first one."""
        first, count = span or (0, len(self.files))
        files = self.files[first : first + count]
        for start in range(0, len(files), PART_ROWS):
            essays = tuple(map(self._essay, files[start : start + PART_ROWS]))
            yield EssayPart(essays, np.full(len(essays), np.nan))

    def _essay(self, file: Path) -> Essay:
        place = file.relative_to(self.path)
        return Essay(place.with_suffix("").as_posix(), read_text_file(file), "/".join(place.parent.parts))


def open_essays(path: Path, columns: EssayColumns | None) -> EssayTable | EssayFolder:
    """Essays from a table, or from a folder that holds .txt files; a table needs its columns named."""
    path = Path(path)
    if path.is_dir() and next(path.rglob("*.txt"), None) is not None:
        return EssayFolder(path)
    if columns is None:
        likely = _likely_text(path)
        raise InputError(
            "the column that holds the essays is not named",
            source=path.name,
            field="text",
            remedy=("Name it with ", Field("text"), f"; that looks like {likely!r}." if likely else "."),
        )
    return EssayTable(path, columns)


def _likely_text(path: Path) -> str:
    """Which column looks like it, for an error; nothing where none does."""
    source = open_table(path)
    first = next(source.batches(source.columns, rows=PART_ROWS), None)
    return guess_essay_columns(first).text if first is not None else ""


def _cut(count: int, rows: int) -> list[int]:
    return [min(rows, count - first) for first in range(0, count, rows)]


def read_text_file(path: Path) -> str:
    """The text of a file in UTF-8, or in UTF-16 with a byte order mark; InputError for any other encoding."""
    try:
        content = path.read_bytes()
        encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
        return content.decode(encoding)
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise InputError(
            f"not in UTF-8: line {line} holds the byte {content[problem.start]:#04x}",
            source=path,
            field="essays",
            remedy="Save it again as UTF-8 (in Word: plain text, other encoding, UTF-8).",
        ) from problem
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror}", source=path, field="essays", remedy="Check the file."
        ) from problem
