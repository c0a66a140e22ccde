"""Tables and folders on their way out: nothing half-written, nothing a spreadsheet would run."""

import errno
import math
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipInfo

import numpy as np

from assay.errors import Field, InputError, MissingExtra
from assay.provenance import moment

if TYPE_CHECKING:
    from assay.io.results.evaluation_tables import PlainTable

NEEDS_QUOTES = re.compile(r'[",\r\n]')
RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")
LONGEST_SHEET_NAME = 31
MOST_LETTERS = 32_767
"""What a cell of a spreadsheet can hold."""
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/+(.*)")
"""`pathlib` leaves one of the two slashes of an address."""
PDF = "report.pdf"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The disk is full, or the file larger than it may be."""
_ANOTHER = ("Choose another ", Field("out"))


def address_of(path: Path) -> str | None:
    """The address that a path was written as; None for a path of this machine.

    >>> address_of(Path("s3://bucket/essays")), address_of(Path("essays.csv"))
    ('s3://bucket/essays', None)
    """
    match = _ADDRESS.fullmatch(path.as_posix())
    if match is None or path.exists():
        return None
    scheme, place = match.groups()
    return f"{scheme}:///{place}" if scheme in ("file", "local") else f"{scheme}://{place}"


def write_whole(path: Path, content: bytes) -> None:
    """A file that is there whole or not at all: written beside its place, then moved into it."""
    if path.is_dir():
        raise InputError("it is a folder", source=path, field="out", remedy="Name a file.")
    if path.exists() and not path.is_file():  # a device or a pipe
        path.write_bytes(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(path)
    except OSError as error:
        error.filename = str(path)  # the system names no file when it runs out of room
        raise
    finally:
        part.unlink(missing_ok=True)


def unwritable(path: Path, problem: OSError, field: str = "out") -> InputError:
    """The error of a file or folder that the system does not let us write."""
    remedy = ("Choose another ", Field(field), ".")
    return InputError(f"cannot be written: {problem.strerror or problem}", source=path, field=field, remedy=remedy)


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file in UTF-8 with \\n line ends, floats in their shortest exact form, missing values empty.

    Text that a spreadsheet would run as a formula gets a single quote in front.
    Source: OWASP, CSV Injection.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(csv_lines(columns, rows))


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of such a file.

    >>> list(csv_lines("abcdefg", [(0.1, float("nan"), None, 3, "-2", "=A1", "x,y")]))
    ['a,b,c,d,e,f,g\\n', '0.1,,,3,-2,\\'=A1,"x,y"\\n']
    """
    for row in chain([columns], rows):
        cells = []
        for value in row:
            if value is None:
                text = ""
            elif isinstance(value, float | np.floating):
                text = "" if math.isnan(value) else repr(float(value))
            else:
                text = str(value)
                if text.startswith(RUN_BY_SPREADSHEETS) and not _is_number(text):
                    text = f"'{text}"
                if NEEDS_QUOTES.search(text):  # not csv.writer: before Python 3.13 it leaves a cell with \r unquoted
                    text = '"' + text.replace('"', '""') + '"'
            cells.append(text)
        yield (",".join(cells) if cells != [""] else '""') + "\n"  # a row of one empty cell is no blank line


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text[0] in "+-"


def safe_name(name: str) -> str:
    """A file name made from what a user called a column: letters, digits, and what is harmless.

    >>> safe_name("eval_by_../../etc/passwd")
    'eval_by_.._.._etc_passwd'
    """
    return re.sub(r"[^\w .,()+×-]", "_", name)[:120]


def workbook(tables: "Mapping[str, PlainTable]") -> bytes:
    """An .xlsx file with a sheet for each table; text as text, never a formula; undefined numbers are empty cells."""
    try:
        import xlsxwriter  # noqa: PLC0415  # optional
    except ImportError as missing:
        raise MissingExtra("The workbook", "tables") from missing
    content = BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        book.set_properties({"created": moment().replace(tzinfo=None)})
        bold = book.add_format({"bold": True})
        for name, table in zip(sheet_names(list(tables)), tables.values(), strict=True):
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for column, title in enumerate(table.columns):
                sheet.write_string(0, column, str(title)[:MOST_LETTERS], bold)
            for row, cells in enumerate(table.rows, 1):
                for column, cell in enumerate(cells):
                    if isinstance(cell, int | float):
                        if math.isfinite(cell):
                            sheet.write_number(row, column, float(cell))
                    elif cell is not None:
                        sheet.write_string(row, column, str(cell)[:MOST_LETTERS])
            sheet.autofit()
    return content.getvalue()


def zip_entry(name: str) -> ZipInfo:
    """A place in a ZIP for a file that is made now."""
    entry = ZipInfo(name, date_time=moment().timetuple()[:6])
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o600 << 16
    return entry


def sheet_names(names: list[str]) -> list[str]:
    """Names that a spreadsheet takes: short, different, without []:*?/\\ or quotes at the ends.

    >>> sheet_names(["a/b", "A:B", "x" * 40])
    ['a b', 'A B 2', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx']
    """
    distinct: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", name).strip("' ")[:LONGEST_SHEET_NAME].rstrip("' ") or "table"
        candidate, number = plain, 2
        while candidate.lower() in distinct:
            candidate = f"{plain[: LONGEST_SHEET_NAME - len(str(number)) - 1]} {number}"
            number += 1
        distinct[candidate.lower()] = candidate
    return list(distinct.values())


class OutputFolder:
    """A folder of results that appears complete or not at all.

    Inside `with OutputFolder(out) as folder:` files are written to a temporary sibling, `folder`; at the end
    they move to `out`. After an error nothing has moved. A folder that holds anything else than an earlier
    result, known by its marker file `replaces`, is only written to with `force`, and then only files of the
    same name are replaced. An earlier result loses its subfolders of the same name, so no old table survives.
    """

    def __init__(self, path: Path, force: bool = False, *, replaces: str | None = None) -> None:
        self.path = Path(path)
        self.force = force
        self.replaces = replaces
        self._staging: Path | None = None

    def __enter__(self) -> Path:
        path = self.path
        if address := address_of(path):
            remedy = (*_ANOTHER, ", or write ", Field("partitions"), ".")
            raise InputError("it is no folder of this machine", source=address, field="out", remedy=remedy)
        if path.exists() and not path.is_dir():
            raise InputError(f"{path} is a file", field="out", remedy=(*_ANOTHER, "."))
        earlier_result = self.replaces is not None and (path / self.replaces).is_file()
        if not (self.force or earlier_result) and path.exists() and any(path.iterdir()):
            remedy = (*_ANOTHER, ", or write among them with ", Field("force"), ".")
            raise InputError("it holds other files already", source=path, field="out", remedy=remedy)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._staging = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
        except OSError as error:
            raise unwritable(path, error) from error
        return self._staging

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        assert self._staging is not None  # set by __enter__
        try:
            if kind is None:
                self._move_into_place(self._staging)
        finally:
            shutil.rmtree(self._staging, ignore_errors=True)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise unwritable(self.path, error) from error

    def _move_into_place(self, staging: Path) -> None:
        """Move every file, setting aside what it replaces; on an error put everything back.

        What is at the top moves when an earlier result is replaced whole, otherwise file by file; the marker last.
        """
        whole = self.replaces is not None and (self.path / self.replaces).is_file()
        entries = sorted(staging.iterdir() if whole else (p for p in staging.rglob("*") if p.is_file()))
        existed = self.path.exists()
        self.path.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{self.path.name}-old-", dir=self.path.parent) as aside:
            done: list[tuple[Path, Path | None]] = []
            try:
                for number, entry in enumerate(sorted(entries, key=lambda entry: entry.name == self.replaces)):
                    target = self.path / entry.relative_to(staging)
                    if target.exists() and target.is_dir() != entry.is_dir():
                        raise FileExistsError(f"{target.name} is a {'folder' if target.is_dir() else 'file'} there")
                    old = target.rename(Path(aside) / str(number)) if target.exists() else None
                    done.append((target, old))
                    target.parent.mkdir(parents=True, exist_ok=True)
                    entry.rename(target)
            except BaseException as error:  # Ctrl-C too: the folder is as it was
                for target, old in reversed(done):
                    if target.is_dir():
                        shutil.rmtree(target, ignore_errors=True)
                    elif target.exists():
                        target.unlink()
                    if old is not None:
                        old.rename(target)
                if not existed:
                    shutil.rmtree(self.path, ignore_errors=True)
                if not isinstance(error, OSError):
                    raise
                raise unwritable(self.path, error) from error
        if whole and not any(entry.name == PDF for entry in entries):
            (self.path / PDF).unlink(missing_ok=True)  # made on request only: an old one would not fit the new figures
