"""Essays on disk: a table with a row per essay, or a folder of text files, read in parts; which column is which."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.text.text import Essay
from assay.io.tables.columns import guess_columns, number_column, text_column
from assay.io.tables.tables import TableSource, check_unique_ids, file_digest, open_table, require_columns

PART_ROWS = 1_000
LEAST_TEXT = 60
"""Letters on average from which a column is taken for essays when its name does not say so."""
_TEXT = re.compile(r"^(essay|text|full_text|response|answer|body|content|writing)(_?text)?$", re.IGNORECASE)
_PROMPT = re.compile(r"^(prompt|topic|task|question|assignment|essay_?set)(_?(name|id|title|text))?$", re.IGNORECASE)
_SCORE = re.compile(r"^(resolved|final|holistic|human)?_?score$|^grade$|^mark$|^points$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """Columns of a table, each by the argument that names it; None where there is no such column."""

    def by_field(self) -> dict[str, str]:
        """Every column asked for, by the argument that named it."""
        return {field: name for field, name in asdict(self).items() if name is not None}


@dataclass(frozen=True, slots=True)
class EssayColumns(NamedColumns):
    """The columns of a table that hold the text and, where there are such, the id, the prompt and the human score."""

    text: str
    id: str | None = None
    prompt: str | None = None
    score: str | None = None
    program: str | None = None


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
        self.columns, self.name = columns, self.source.name
        require_columns(self.source, columns.by_field())
        if columns.id:
            check_unique_ids(self.source, columns.id)
        rows = 0
        for frame in self.source.batches([columns.text], rows=PART_ROWS):
            if text_column(frame, columns.text).str.strip_chars().str.len_bytes().sum() > 0:
                return
            rows += frame.height
        if rows == 0:
            remedy = "Give a table with a row per essay."
            raise InputError("a header but no rows", source=self.name, field="essays", remedy=remedy)
        naming = ("Name the column that holds the essays with ", Field("text"), ".")
        problem = f"all {rows} texts are empty"
        raise InputError(problem, source=self.name, column=columns.text, field="text", remedy=naming)

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
            programs = text_column(frame, program).fill_null("").to_list() if program else []
            yield EssayPart(tuple(map(Essay, ids, texts, prompts)), scores, tuple(programs))
            row += frame.height


class EssayFolder:
    """A folder of .txt files, one essay each; the name is its id, and the subfolder it lies in its prompt."""

    has_scores = False

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self.files = sorted(file for file in path.rglob("*.txt") if file.is_file() and not file.name.startswith("."))
        if not self.files:
            remedy = "Name a table of essays, or a folder with a .txt file for each."
            raise InputError("the folder holds no .txt files", source=path, field="essays", remedy=remedy)

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
            places = [(file, file.relative_to(self.path)) for file in files[start : start + PART_ROWS]]
            essays = tuple(
                Essay(place.with_suffix("").as_posix(), read_text_file(file), "/".join(place.parent.parts))
                for file, place in places
            )
            yield EssayPart(essays, np.full(len(essays), np.nan))


def open_essays(path: Path, columns: EssayColumns | None) -> EssayTable | EssayFolder:
    """Essays from a table, or from a folder that holds .txt files; a table needs its columns named."""
    path = Path(path)
    if path.is_dir() and next(path.rglob("*.txt"), None) is not None:
        return EssayFolder(path)
    if columns is None:
        source = open_table(path)
        first = next(source.batches(source.columns, rows=PART_ROWS), None)
        likely = guess_essay_columns(first).text if first is not None else ""
        remedy = ("Name it with ", Field("text"), f"; that looks like {likely!r}." if likely else ".")
        raise InputError("the column that holds the essays is not named", source=path.name, field="text", remedy=remedy)
    return EssayTable(path, columns)


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


@dataclass(frozen=True, slots=True)
class GuessedEssayColumns:
    """A guess at each role; empty where nothing fits."""

    text: str = ""
    id: str = ""
    prompt: str = ""
    score: str = ""
    second: str = ""


def guess_essay_columns(frame: pl.DataFrame) -> GuessedEssayColumns:
    """A guess from the first rows of a table.

    >>> rows = {"id": ["a", "b"], "essay": ["One text. " * 9, "Another. " * 9], "score": [3, 4], "prompt": ["x", "x"]}
    >>> guess_essay_columns(pl.DataFrame(rows))
    GuessedEssayColumns(text='essay', id='id', prompt='prompt', score='score', second='')
    """
    text = _text_of(frame)
    rest = frame.select([name for name in frame.columns if name != text])
    guessed = guess_columns(rest)
    prompt = next((name for name in rest.columns if _PROMPT.match(name)), "")
    own = next((name for name in rest.columns if _SCORE.match(name)), "")
    human = [name for name in guessed.human if name not in (own, prompt)]
    score, second, *_ = [own, ""] if own else [*human[:2], "", ""]
    return GuessedEssayColumns(text, guessed.id or "", prompt, score, second)


def _text_of(frame: pl.DataFrame) -> str:
    """The column with the longest texts; among long ones, one whose name says so comes first."""
    if not frame.height:
        return next((name for name in frame.columns if _TEXT.match(name)), "")
    lengths = {}
    for name in frame.columns:
        if frame.schema[name].is_nested() or frame.schema[name].is_numeric() or frame.schema[name] == pl.Binary:
            continue
        mean = text_column(frame, name).str.len_chars().mean()
        lengths[name] = float(mean) if isinstance(mean, int | float) else 0.0
    named = [name for name, length in lengths.items() if _TEXT.match(name) and length >= LEAST_TEXT]
    longest = max(lengths, key=lambda name: lengths[name], default="")
    return named[0] if named else longest if lengths.get(longest, 0) >= LEAST_TEXT else ""
