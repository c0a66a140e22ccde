"""What can go wrong for a user, as few kinds as possible.

AssayError
├── InputError       a file, a table or a value does not hold what it must
├── MissingExtra     a part of assay that was not installed is needed
└── Cancelled        whoever asked for the work asked to stop it

An error holds values; its words are put together by whoever shows it. Arguments are named as Python names them, inside
a `Field`: the command line writes `Field("second_human")` as `--second-human`, the web app as the label of its field.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from os import PathLike
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, ParamSpec, Self, TypeAlias, TypeVar


class Field(str):
    """The name of an argument inside a message; each shell writes it in its own way.

    >>> InputError(("got 0 for ", Field("workers")), remedy=("Set ", Field("workers"), " to 1 or more.")).text()
    'got 0 for workers. Set workers to 1 or more.'
    """

    __slots__ = ()


Message: TypeAlias = str | tuple[str, ...]
"""A text, or the parts of one, with each argument it names as a `Field`."""


class AssayError(Exception):
    """Anything a user can put right; its message says what, where and how."""

    def text(self, spell: Callable[[str], str] = str) -> str:  # noqa: ARG002 - names no argument
        """The message, with arguments written as `spell` writes them."""
        return str(self)


class InputError(AssayError):
    """A file, a table or a value we were given does not hold what it must.

    Parameters
    ----------
    problem
        What is wrong.
    source
        The file, folder or upload it is in; a path is shown as it was given.
    row, column
        Where in a table: rows are numbered as an editor shows them, with the header as row 1.
    field
        The argument that is wrong, as Python names it.
    remedy
        What to do about it, as a sentence of its own.

    Examples
    --------
    >>> problem = InputError("column 'h' not found", source="scores.csv", field="human", remedy="Did you mean 'h1'?")
    >>> print(problem)
    scores.csv: column 'h' not found. Did you mean 'h1'?
    >>> print(problem.at("essays of class 3b"))
    essays of class 3b: column 'h' not found. Did you mean 'h1'?
    """

    def __init__(
        self,
        problem: Message,
        *,
        source: str | PathLike[str] = "",
        row: int | None = None,
        column: str = "",
        field: str = "",
        remedy: Message = "",
    ) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy
        self.source, self.row, self.column, self.field = str(source), row, column, field

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[Any, ...]:
        # values set by name travel between processes too
        return _restored, (type(self), self.problem, self.__dict__)

    def text(self, spell: Callable[[str], str] = str) -> str:
        """The message, with arguments written as `spell` writes them."""
        problem = _spelled(self.problem, spell)
        where = self.where
        whole = f"{where}: {problem}" if where else problem
        if not self.remedy:
            return whole
        return f"{whole}{'' if whole.endswith(('.', '!', '?', ':')) else '.'} {_spelled(self.remedy, spell)}"

    @property
    def where(self) -> str:
        """Source, row and column, as far as they are known."""
        row = "" if self.row is None else f"row {self.row}"
        column = f"column {self.column!r}" if self.column else ""
        return ", ".join(part for part in (self.source, row, column) if part)

    def at(self, source: str | PathLike[str] = "", *, row: int | None = None, field: str = "") -> Self:
        """The same error, of a source, row or argument that only the caller knows."""
        other: Self = _restored(type(self), self.problem, self.__dict__)
        other.source = str(source) or self.source
        other.row = self.row if row is None else row
        other.field = field or self.field
        return other


def _restored(kind: type[Any], problem: Message, values: dict[str, Any]) -> Any:
    error: Any = Exception.__new__(kind, problem)
    error.args = (problem,)
    error.__dict__.update(values)
    return error


def _spelled(message: Message, spell: Callable[[str], str]) -> str:
    parts = (message,) if isinstance(message, str) else message
    return "".join(spell(str(part)) if isinstance(part, Field) else part for part in parts)


DISTRIBUTION = "assay-scoring"
"""The name to install it by; the package to import and the command are `assay`."""


def install_command(extra: str) -> str:
    """What adds an optional part.

    >>> install_command("web")
    "pip install 'assay-scoring[web]'"
    """
    return f"pip install '{DISTRIBUTION}[{extra}]'"


class MissingExtra(AssayError):
    """An optional part is not installed; `where` names the machine or process that lacks it, if it is not this one."""

    def __init__(self, what: str, extra: str, where: str = "") -> None:
        lacks = f", which is not installed on {where}. Add it there with" if where else ". Add it with"
        super().__init__(f"{what} needs an optional part of Assay{lacks}: {install_command(extra)}")
        self.what, self.extra, self.where = what, extra, where

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.extra, self.where)


class Cancelled(AssayError):
    """The work was stopped because whoever asked for it asked to stop."""


def go_on() -> None:
    """Ask nobody whether to stop: a caller who may stop the work gives a function that raises Cancelled instead."""


Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")
PANIC = "PanicException"
"""What libraries written in Rust raise where they were not prepared."""


def shown(text: object) -> str:
    """As much of what somebody wrote as has room in a message.

    >>> shown("x" * 1000) == "x" * 40
    True
    """
    return str(text)[:40]


@contextmanager
def input_errors(source: str | PathLike[str] = "", *, field: str = "") -> Iterator[None]:
    """Whatever a reader of a file or a value raises, as an InputError about it: one bad file never stops the others.

    >>> with input_errors("a.json"):
    ...     {}["images"]
    Traceback (most recent call last):
    assay.errors.InputError: a.json: it cannot be read: KeyError: 'images'. It is damaged, or not what it says it is.
    """
    try:
        yield
    except BaseException as error:
        # a panic inside a native library is no Exception; Ctrl-C and the like are nobody's file
        if isinstance(error, AssayError) or not (isinstance(error, Exception) or type(error).__name__ == PANIC):
            raise
        problem, remedy = _unreadable(error)
        raise InputError(problem, source=source, field=field, remedy=remedy) from error


def reader(function: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """A front door that reads a file: whatever it meets is an InputError about the first path or name it is given."""

    @wraps(function)
    def read(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        for path in (*args, *kwargs.values()):
            if isinstance(path, Path):
                refuse_pipe(path)
        given = (kwargs.get("name"), kwargs.get("source"), *args)
        with input_errors(next((name for name in given if isinstance(name, str | PathLike) and str(name)), "")):
            return function(*args, **kwargs)

    return read


def refuse_pipe(path: Path, *, field: str = "") -> None:
    """InputError for a pipe or a device: it may never end, or never begin, and can be read once only."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # whoever reads it says why it cannot be read
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        remedy = "Write what it gives into a file, and name that file."
        raise InputError("it is a pipe or a device, and no file", source=path, field=field, remedy=remedy)


def _unreadable(error: BaseException) -> tuple[str, str]:
    """What a reader met, and what to do about it."""
    damaged = "It is damaged, or not what it says it is."
    match error:
        case MemoryError():
            return "reading it takes more memory than there is", "Split it, or give the program more."
        case RecursionError():
            return "it is nested too deeply to be read", damaged
        case OSError():
            return f"it cannot be read: {error.strerror or error}", "Check the file and who may read it."
    said = " ".join(str(error).split())[:200].rstrip(".")
    return f"it cannot be read: {type(error).__name__}{f': {said}' if said else ''}", damaged
