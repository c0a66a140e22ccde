"""Tables on disk: the one way Assay reads and writes CSV, TSV, JSONL, XLSX, Parquet and SAS files.

Every mistake in a file is an InputError that says what, where and how to mend it.
"""

import difflib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

import polars as pl

from assay.errors import Field, InputError, reader
from assay.execution.children import read_apart
from assay.io.tables.columns import text_column
from assay.io.tables.csv_text import reading
from assay.io.tables.output import address_of
from assay.io.tables.part_folder import local_copy
from assay.io.tables.table_formats import FORMATS, contents_by_look, parquet_contents
from assay.io.tables.unique_ids import find_duplicates

ROWS = 250_000
MOST_NAMES_SHOWN = 30
READ_APART = frozenset({".xlsx", ".xlsm", ".xls", ".sas7bdat"})
"""Formats that a child reads in any case."""
CHECKED_FIRST = 64 << 20
"""Bytes of a Parquet file that a child reads first, wherever it comes from: damaged ones end the process in Polars.
Larger ones take long to read twice, and come from one's own machines."""


@dataclass(frozen=True)
class TableSource:
    """A table on disk that can be read whole or in parts.

    `first_row` is the number a user gives the first row of data: 2 below a header, otherwise 1.
    """

    path: Path
    columns: tuple[str, ...]
    first_row: int
    parts: tuple[Path, ...] = field(repr=False)
    scan: Callable[[], pl.LazyFrame] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The file as messages call it."""
        return self.path.name

    @property
    def place(self) -> Path:
        """The file as any process of this machine, or of a cluster that shares its disks, can open it."""
        return self.path if address_of(self.path) else self.path.absolute()

    @property
    def in_parts(self) -> bool:
        """Whether it is a folder or pattern of Parquet parts."""
        return len(self.parts) > 1 or self.path.suffix.lower() != self.parts[0].suffix.lower()

    @cached_property
    def part_rows(self) -> tuple[int, ...]:
        """How many rows each part has."""
        with reading(self.path):
            counts = pl.collect_all([pl.scan_parquet(part, glob=False).select(pl.len()) for part in self.parts])
        return tuple(int(count.item()) for count in counts)

    @cached_property
    def row_count(self) -> int:
        """How many rows of data there are; found by reading, so ask only when needed."""
        with reading(self.path):
            return int(self.scan().select(pl.len()).collect().item())

    def frame(self, columns: Sequence[str] | None = None, *, as_text: bool = False) -> pl.DataFrame:
        """All rows of some or all columns, typed as the file types them; CSV and XLSX cells are text."""
        names, selected = self._select(self.columns if columns is None else columns)
        with reading(self.path):
            frame = selected().collect()
        frame.columns = names
        return pl.DataFrame([text_column(frame, name) for name in names]) if as_text else frame

    @property
    def sliceable(self) -> bool:
        """Whether rows from the middle can be read without those before them: Parquet knows where they are."""
        return bool(self.parts) and all(part.suffix.lower() == ".parquet" for part in self.parts)

    def batches(
        self, columns: Sequence[str], *, rows: int = ROWS, span: tuple[int, int] | None = None
    ) -> Iterator[pl.DataFrame]:
        """The same in file order and in parts, never with more than a few parts in memory.

        `span`: only so many rows from a first one, counted from 0. XLSX and SAS files are held whole, since they cannot
        be read in parts.
        """
        names, selected = self._select(columns)
        with reading(self.path):
            chosen = selected() if span is None else selected().slice(*span)
            for batch in chosen.collect_batches(chunk_size=rows, maintain_order=True):
                batch.columns = names
                yield batch

    def distinct(self, column: str, *, most: int) -> list[str | float | None]:
        """The values of a column in order of first appearance; InputError when there are more than `most`."""
        seen: dict[str | float | None, None] = {}
        for batch in self.batches([column]):
            cells = batch.get_column(column)
            numeric = cells.dtype.is_numeric()
            values = cells.cast(pl.Float64).fill_nan(None) if numeric else text_column(batch, column)
            seen |= dict.fromkeys(values.unique(maintain_order=True).to_list())
            if len(seen) > most:
                remedy = "Choose a column with fewer, such as a group or a prompt."
                raise InputError(
                    f"has more than {most} different values", source=self.name, column=column, remedy=remedy
                )
        return list(seen)

    def digest(self) -> str:
        """SHA-256 of the bytes on disk; of a table in parts, of their bytes in name order."""
        digest = hashlib.sha256()
        for part in self.parts:
            with reading(part), part.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
        return digest.hexdigest()

    def digests(self) -> dict[str, str]:
        """SHA-256 of each file of the table, by its name or its place in the folder."""
        folder = self.parts[0].parent
        while any(folder not in part.parents for part in self.parts):
            folder = folder.parent
        return {part.relative_to(folder).as_posix(): file_digest(part) for part in self.parts}

    def _select(self, columns: Sequence[str]) -> tuple[list[str], Callable[[], pl.LazyFrame]]:
        names = list(dict.fromkeys(columns))
        require_columns(self, [("", name) for name in names])
        # by position: Polars takes a name such as "^.*$" or "*" for a pattern
        position = {name: i for i, name in enumerate(self.columns)}
        return names, lambda: self.scan().select(pl.nth([position[name] for name in names]))


def file_digest(path: Path) -> str:
    """SHA-256 of a file."""
    with reading(path), path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@reader
def open_table(table: Path | pl.DataFrame, *, check_first: bool = True) -> TableSource:
    """A table by its ending or else its first bytes; a folder or glob of Parquet parts is one table.

    An address such as `s3://bucket/scores` is read from a copy, made once in each process. A frame is a table without
    a name, whose rows are counted from 1. With `check_first` a child reads a Parquet file before this process does.
    """
    if isinstance(table, pl.DataFrame):
        return TableSource(Path(), tuple(table.columns), 1, (), table.lazy)
    path = Path(table)
    if address := address_of(path):
        return replace(open_table(local_copy(address)), path=path)
    with reading(path):  # no disk takes a name of thousands of letters
        in_parts = path.is_dir() or (not path.exists() and "*" in str(path))
    if in_parts:
        parts = _parquet_parts(path)
        contents = parquet_contents(path, parts)
    elif not path.parent.is_dir():
        problem = f"it does not exist, nor does the folder {path.parent}"
        raise InputError(problem, source=path, remedy="Check the path.")
    elif not path.exists():
        near = difflib.get_close_matches(path.name, [p.name for p in path.parent.iterdir()], n=3, cutoff=0.6)
        hint = f"Did you mean {_either(near)}?" if near else "Check the name and the folder."
        raise InputError("it does not exist", source=path, remedy=hint)
    else:
        parts, name = [path], path.name.lower()
        if check_first and name.endswith(".parquet") and path.stat().st_size <= CHECKED_FIRST:
            _read_whole_apart(path, path.name)
        ending = max((e for e in FORMATS if name.endswith(e)), key=len, default=None)
        contents = FORMATS[ending](path) if ending else contents_by_look(path)
    return TableSource(path, contents.columns, contents.first_row, tuple(parts), contents.scan)


def open_table_of_stranger(path: Path, name: str) -> TableSource:
    """The table of a file that somebody uploaded, once a child has read it to the end; `name` is what it is called.

    What a child has read within its limits can be read here: the same bytes, by the same code.
    """
    _read_whole_apart(path, name)
    return open_table(path)


def _read_whole_apart(path: Path, name: str) -> None:
    if path.suffix.lower() not in READ_APART:
        with reading(path):
            state = path.stat()
        _read_once(path, name, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=256)
def _read_once(path: Path, name: str, changed: int, size: int) -> None:  # noqa: ARG001 - of this state of the file
    read_apart(read_whole, path, source=name)


def read_whole(path: Path) -> None:
    """Read all rows, and keep none."""
    source = open_table(path, check_first=False)
    for _ in source.batches(source.columns):
        pass


def _parquet_parts(path: Path) -> list[Path]:
    """The parts of a folder or pattern, without what is marked as no part of the table, as in `_excluded/`."""
    if path.is_dir():
        root, files = path, path.rglob("*.parquet")
    else:
        first = next(i for i, part in enumerate(path.parts) if "*" in part)
        root = Path(*path.parts[:first])
        files = root.glob("/".join(path.parts[first:]))
    parts = sorted(
        p for p in files if p.is_file() and not any(n.startswith((".", "_")) for n in p.relative_to(root).parts)
    )
    if parts and all(part.suffix.lower() == ".parquet" for part in parts):
        return parts
    what = "is a folder without" if path.is_dir() else "matches no"
    remedy = "Name one table, or a folder or pattern of Parquet parts."
    raise InputError(f"it {what} .parquet files{' only' if parts else ''}", source=path, remedy=remedy)


def require_columns(source: TableSource, columns: Iterable[tuple[str, str]] | Mapping[str, str]) -> None:
    """InputError naming every column that is missing, the argument that asked for it, and the nearest names.

    `columns` are pairs of argument and column, or a mapping; an empty argument is not named.
    """
    pairs = columns.items() if isinstance(columns, Mapping) else columns
    missing = [(argument, name) for argument, name in pairs if name not in source.columns]
    if not missing:
        return
    problem: list[str] = []
    by_folded = {column.casefold(): column for column in reversed(source.columns)}
    for argument, name in missing:
        asked = (" (", Field(argument), ")") if argument else ()
        problem += [" " if problem else "", f"column {name!r} not found", *asked, "."]
        near = difflib.get_close_matches(name.strip().casefold(), list(by_folded), n=3, cutoff=0.6)
        problem.append(f" Did you mean {_either([by_folded[n] for n in near])}?" if near else "")
    shown = ", ".join(source.columns[:MOST_NAMES_SHOWN])
    more = len(source.columns) - MOST_NAMES_SHOWN
    remedy = f"The columns are: {shown}{f' and {more} more' if more > 0 else ''}."
    raise InputError(tuple(problem), source=source.name, field=missing[0][0], remedy=remedy)


def _either(names: Sequence[str]) -> str:
    return " or ".join(repr(name) for name in names)


def check_unique_ids(source: TableSource, column: str, *, rows: int = ROWS) -> None:
    """InputError naming ids that are empty or occur twice, with their rows; in bounded memory."""
    duplicates = find_duplicates(lambda: _ids(source, column, rows), first_row=source.first_row)
    if duplicates is None:
        return
    examples = "; ".join(f"{name!r} in rows {', '.join(map(str, at))}" for name, at in duplicates.examples.items())
    remedy = ("Remove the repeated rows, or choose a column that tells responses apart as ", Field("id"), ".")
    problem = f"repeats ids, {duplicates.rows} too many: {examples}"
    raise InputError(problem, source=source.name, column=column, field="id", remedy=remedy)


def _ids(source: TableSource, column: str, rows: int) -> Iterator[pl.Series]:
    """The ids in batches; InputError at the first empty one."""
    row = source.first_row
    for batch in source.batches([column], rows=rows):
        ids = text_column(batch, column)
        empty = (ids.str.strip_chars() == "").fill_null(True)
        if empty.any():
            at = row + (empty.arg_max() or 0)
            remedy = ("Give every response an id, or choose another column as ", Field("id"), ".")
            raise InputError("the id is empty", source=source.name, row=at, column=column, field="id", remedy=remedy)
        yield ids
        row += ids.len()
