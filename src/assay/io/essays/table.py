"""Essays on disk: a table with a row per essay, or documents in a folder or ZIP, in parts; which column is which."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.text.text import Essay
from assay.execution.limits import check, value_of
from assay.io.archive import Limits, Member, list_members
from assay.io.essays.documents import DOCUMENTS, is_document, read_essay_document, read_essay_text
from assay.io.tables.columns import guess_columns, number_column, text_column
from assay.io.tables.tables import TableSource, check_unique_ids, open_table, require_columns

PART_ROWS = 1_000
ESSAY_LIMITS = Limits("essay_archive_members", "essay_bytes", "essay_archive_bytes")
"""Of a folder or ZIP of essays."""
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
        return {field: name for field, name in asdict(self).items() if name}


@dataclass(frozen=True, slots=True)
class EssayColumns(NamedColumns):
    """The columns of a table that hold the text and, where there are such, the id, the prompt and the human score.

    In place of the text `file` may name the file that holds it, relative to the table. Where neither is named, the
    column is found by its name and its contents (`resolved_columns`).
    """

    text: str | None = None
    id: str | None = None
    prompt: str | None = None
    score: str | None = None
    program: str | None = None
    file: str | None = None


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

    def __init__(
        self,
        path: Path | TableSource,
        columns: EssayColumns,
        on_problem: Callable[[InputError], None] | None = None,
    ) -> None:
        self.source: TableSource = path if isinstance(path, TableSource) else open_table(path)
        self.columns, self.name, self.on_problem = columns, self.source.name, on_problem
        self._unread: set[str] = set()
        require_columns(self.source, columns.by_field())
        if columns.id:
            check_unique_ids(self.source, columns.id)
        if columns.text:
            self._check_texts(columns.text)

    def _check_texts(self, column: str) -> None:
        """InputError if nobody wrote anything."""
        rows = 0
        for frame in self.source.batches([column], rows=PART_ROWS):
            if text_column(frame, column).str.strip_chars().str.len_bytes().sum() > 0:
                return
            rows += frame.height
        if rows == 0:
            remedy = "Give a table with a row per essay."
            raise InputError("a header but no rows", source=self.name, field="essays", remedy=remedy)
        naming = ("Name the column that holds the essays with ", Field("text"), ".")
        problem = f"all {rows} texts are empty"
        raise InputError(problem, source=self.name, column=column, field="text", remedy=naming)

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
            texts = self._texts(frame, row)
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

    def _texts(self, frame: pl.DataFrame, first_row: int) -> list[str]:
        """The texts, or those in the files that are named; one that cannot be read is an essay without text."""
        column = self.columns.text or self.columns.file
        assert column
        cells = text_column(frame, column).fill_null("").to_list()
        if self.columns.text and max(map(len, cells), default=0) <= value_of("essay_characters"):
            return cells
        return [self._text_of(cell, row, column) for row, cell in enumerate(cells, start=first_row)]

    def _text_of(self, cell: str, row: int, column: str) -> str:
        try:
            if self.columns.file:
                return read_named_essay(self.source.path.parent, cell)
            check("essay_characters", len(cell))
            return cell
        except InputError as problem:
            key = cell if self.columns.file else str(row)
            if self.on_problem and key not in self._unread:
                self.on_problem(InputError(str(problem), source=self.name, row=row, column=column))
            self._unread.add(key)
            return ""


def read_named_essay(folder: Path, name: str) -> str:
    """The text of a file that a table beside it names; InputError for one that lies elsewhere."""
    path = folder / name.strip()
    if not name.strip():
        raise InputError("no file is named", field="file", remedy="Name the file of the essay.")
    if not path.resolve().is_relative_to(folder.resolve()):
        remedy = "Put the files beside the table, or into folders below it."
        raise InputError(f"{name!r} lies outside of the table's folder", field="file", remedy=remedy)
    return read_essay_text(str(path), field="file")[0]


class EssayFolder:
    """Documents of one essay each: a folder, a ZIP or one of them; the name is its id, and its folder its prompt.

    A file that cannot be read stops no other: it counts as an essay without text, and `on_problem` hears why, once.
    """

    has_scores = False

    def __init__(self, path: Path, on_problem: Callable[[InputError], None] | None = None) -> None:
        self.path, self.name, self.on_problem = path, path.name, on_problem
        self._unread: set[str] = set()
        self.members = [member for member in list_members(path, limits=ESSAY_LIMITS) if is_document(member.name)]
        if not self.members:
            remedy = f"Name a table of essays, or a folder or ZIP of essays: {', '.join(DOCUMENTS)}."
            raise InputError("it holds no essays", source=path, field="essays", remedy=remedy)

    @property
    def count(self) -> int:
        return len(self.members)

    def part_sizes(self, rows: int) -> list[int]:
        """Cut every so many essays."""
        return _cut(self.count, rows)

    def digests(self) -> dict[str, str]:
        """SHA-256 of each file by name."""
        return {member.name: sha256(member.read()).hexdigest() for member in self.members}

    def parts(self, span: tuple[int, int] | None = None) -> Iterator[EssayPart]:
        """The essays by name, or so many from a first one."""
        first, count = span or (0, len(self.members))
        members = self.members[first : first + count]
        for start in range(0, len(members), PART_ROWS):
            own = [(member, PurePosixPath(member.name)) for member in members[start : start + PART_ROWS]]
            essays = tuple(
                Essay(self._id(place), self._text(member), "/".join(place.parent.parts)) for member, place in own
            )
            yield EssayPart(essays, np.full(len(essays), np.nan))

    def _id(self, place: PurePosixPath) -> str:
        """The name without its ending, unless another has the same."""
        plain = place.with_suffix("").as_posix()
        return plain if self._stems[plain] == 1 else place.as_posix()

    @cached_property
    def _stems(self) -> Counter[str]:
        return Counter(PurePosixPath(member.name).with_suffix("").as_posix() for member in self.members)

    def _text(self, member: Member) -> str:
        try:
            content = member.read()
            return read_essay_document(content, member.name) if content.strip() else ""  # nobody wrote it
        except InputError as problem:
            if self.on_problem and member.name not in self._unread:
                self.on_problem(problem)
            self._unread.add(member.name)
            if len(self._unread) == len(self.members):
                raise
            return ""


def holds_documents(path: Path) -> bool:
    """Whether a path is an essay, a ZIP of essays, or a folder that holds essays and no table in parts."""
    if path.is_dir():
        inside = [file for file in path.rglob("*") if file.is_file() and not file.name.startswith(".")]
        return any(is_document(file.name) for file in inside) and not any(f.suffix == ".parquet" for f in inside)
    return path.suffix.lower() == ".zip" or is_document(path.name)


def open_essays(
    path: Path | TableSource,
    columns: EssayColumns | None,
    on_problem: Callable[[InputError], None] | None = None,
    on_guess: Callable[[str, str, str], None] | None = None,
) -> EssayTable | EssayFolder:
    """Essays from a table, or from documents; where no column is named that holds them, the likely one is taken.

    `on_guess` hears what a column was taken for, the column, and the argument that would name another.
    """
    if isinstance(path, Path) and holds_documents(path):
        return EssayFolder(path, on_problem)
    source = path if isinstance(path, TableSource) else open_table(path)
    resolved = resolved_columns(source, columns or EssayColumns(), on_guess)
    return EssayTable(source, resolved, on_problem)


def resolved_columns(
    source: TableSource, columns: EssayColumns, on_guess: Callable[[str, str, str], None] | None = None
) -> EssayColumns:
    """The columns with the one that holds the essays, or names their files; InputError where none looks like it."""
    if columns.text or columns.file:
        return columns
    first = next(source.batches(source.columns, rows=PART_ROWS), None)
    likely = guess_essay_columns(first).text if first is not None else ""
    files = _file_column(first) if first is not None and not likely else ""
    if not likely and not files:
        remedy = ("Name it with ", Field("text"), f"; there are: {', '.join(source.columns[:8])}.")
        problem = "no column looks as if it held essays"
        raise InputError(problem, source=source.name, field="text", remedy=remedy)
    if on_guess:
        on_guess("essays" if likely else "the files of essays", likely or files, "text" if likely else "file")
    return replace(columns, text=likely or None, file=files or None)


def _file_column(frame: pl.DataFrame) -> str:
    """The first column in which every cell names a document."""
    for name in frame.columns:
        if frame.schema[name] == pl.String:
            cells = [cell for cell in frame[name].to_list() if cell]
            if cells and all(is_document(cell) for cell in cells):
                return name
    return ""


def _cut(count: int, rows: int) -> list[int]:
    return [min(rows, count - first) for first in range(0, count, rows)]


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
