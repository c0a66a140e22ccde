"""Tables and folders on their way out: nothing half-written, nothing a spreadsheet would run."""

import math
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np

from assay.errors import Field, InputError
from assay.io.tables.remote import address_of

NEEDS_QUOTES = re.compile(r'[",\r\n]')
RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


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
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file in UTF-8 with \\n line ends, floats in their shortest exact form, missing values empty.

    Text that a spreadsheet would run as a formula gets a single quote in front.
    Source: OWASP, CSV Injection.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(csv_lines(columns, rows))


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of such a file."""
    yield _line(columns)
    for row in rows:
        yield _line(row)


def _line(row: Sequence[object]) -> str:
    # not csv.writer: before Python 3.13 it leaves a cell with a carriage return unquoted
    cells = [_quoted(_cell(value)) for value in row]
    return (",".join(cells) if cells != [""] else '""') + "\n"  # a row of one empty cell is no blank line


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if NEEDS_QUOTES.search(text) else text


def _cell(value: object) -> str:
    """One cell as text.

    >>> [_cell(v) for v in (0.1, float("nan"), None, 3, "-2", "=A1")]
    ['0.1', '', '', '3', '-2', "'=A1"]
    """
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        return "" if math.isnan(value) else repr(float(value))
    text = str(value)
    return f"'{text}" if text.startswith(RUN_BY_SPREADSHEETS) and not _is_number(text) else text


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


PDF = "report.pdf"


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
        self._check_free()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._staging = Path(tempfile.mkdtemp(prefix=f".{self.path.name}-", dir=self.path.parent))
        except OSError as problem:
            raise _unwritable(f"{self.path} cannot be written: {problem.strerror}") from problem
        return self._staging

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._staging is not None  # set by __enter__
        try:
            if kind is None:
                self._move_into_place(self._staging)
        finally:
            shutil.rmtree(self._staging, ignore_errors=True)

    def _check_free(self) -> None:
        if address := address_of(self.path):
            remedy = (*_ANOTHER, ", or write ", Field("partitions"), ".")
            raise InputError("it is no folder of this machine", source=address, field="out", remedy=remedy)
        if self.path.exists() and not self.path.is_dir():
            raise _unwritable(f"{self.path} is a file")
        if self.force or self._is_earlier_result() or not self.path.exists() or not any(self.path.iterdir()):
            return
        remedy = (*_ANOTHER, ", or write among them with ", Field("force"), ".")
        raise InputError("it holds other files already", source=self.path, field="out", remedy=remedy)

    def _is_earlier_result(self) -> bool:
        return self.replaces is not None and (self.path / self.replaces).is_file()

    def _move_into_place(self, staging: Path) -> None:
        """Move every file, setting aside what it replaces; on an error put everything back."""
        whole = self._is_earlier_result()
        existed = self.path.exists()
        self.path.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{self.path.name}-old-", dir=self.path.parent) as aside:
            moves = _moves(staging, self.path, whole=whole)
            moves.sort(key=lambda move: move[0].name == self.replaces)  # the marker last
            done: list[tuple[Path, Path | None]] = []
            try:
                for number, (entry, target) in enumerate(moves):
                    _check_same_kind(entry, target)
                    done.append((target, _set_aside(target, Path(aside) / str(number))))
                    target.parent.mkdir(parents=True, exist_ok=True)
                    entry.rename(target)
            except OSError as problem:
                _put_back(done)
                if not existed:
                    shutil.rmtree(self.path, ignore_errors=True)
                raise _unwritable(f"{self.path} cannot be written: {problem}") from problem
        if whole and not any(target.name == PDF for _, target in moves):
            (self.path / PDF).unlink(missing_ok=True)  # made on request only: an old one would not fit the new figures


_ANOTHER = ("Choose another ", Field("out"))


def _unwritable(problem: str) -> InputError:
    return InputError(problem, field="out", remedy=(*_ANOTHER, "."))


def _moves(staging: Path, path: Path, *, whole: bool) -> list[tuple[Path, Path]]:
    """From where to where: what is at the top when a result is replaced whole, otherwise file by file."""
    found = staging.iterdir() if whole else (p for p in staging.rglob("*") if p.is_file())
    return [(entry, path / entry.relative_to(staging)) for entry in sorted(found)]


def _check_same_kind(entry: Path, target: Path) -> None:
    if target.exists() and target.is_dir() != entry.is_dir():
        raise FileExistsError(f"{target.name} is a {'folder' if target.is_dir() else 'file'} there")


def _set_aside(target: Path, aside: Path) -> Path | None:
    return target.rename(aside) if target.exists() else None


def _put_back(done: Sequence[tuple[Path, Path | None]]) -> None:
    for target, old in reversed(done):
        if target.is_dir():
            shutil.rmtree(target, ignore_errors=True)
        elif target.exists():
            target.unlink()
        if old is not None:
            old.rename(target)
