"""What can go wrong for a user, as few kinds as possible.

AssayError
├── InputError       a file, a table or a value does not hold what it must
├── MissingExtra     a part of assay that was not installed is needed
└── Cancelled        whoever asked for the work asked to stop it

An error holds values; its words are put together by whoever shows it. Arguments are named as Python names them, inside
a `Field`: the command line writes `Field("second_human")` as `--second-human`, the web app as the label of its field.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any, Self, TypeAlias


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


class MissingExtra(AssayError):
    """An optional part is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part of assay. Add it with: pip install 'assay[{extra}]'")
        self.what, self.extra = what, extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.extra)


class Cancelled(AssayError):
    """The work was stopped because whoever asked for it asked to stop."""
