"""What people pass to a verb: a path, a frame of pandas, Polars or pyarrow, columns by name, rows, or plain lists."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from assay.errors import Field, InputError

if TYPE_CHECKING:
    import polars as pl

TableLike: TypeAlias = Any
"""A path to a table, or a table: pandas, Polars, pyarrow, a mapping of columns, a list of rows as mappings."""


def table_of(table: TableLike, field: str = "table") -> "Path | pl.DataFrame":
    """A path as it is, any other table as a Polars frame.

    >>> table_of({"human": [1, 2], "system": [1, 3]}).shape
    (2, 2)
    >>> table_of("scores.csv").name
    'scores.csv'
    """
    import polars as pl  # noqa: PLC0415 - heavy, and a path needs none

    if isinstance(table, str | PathLike):
        return Path(table)
    if isinstance(table, pl.DataFrame):
        return table
    content: Any
    if isinstance(table, Mapping):
        content = {str(name): column for name, column in table.items()}
    elif isinstance(table, Sequence) and table and all(isinstance(row, Mapping) for row in table):
        content = [dict(row) for row in table]
    else:
        return _from_other(table, field)
    try:
        return pl.DataFrame(content, strict=False)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as problem:
        reason = str(problem).splitlines()[0]
        raise InputError((Field(field), f" cannot be made a table: {reason}"), field=field) from None


def _from_other(table: Any, field: str) -> "pl.DataFrame":
    import narwhals as nw  # noqa: PLC0415

    try:
        frame: pl.DataFrame = nw.from_native(table, eager_only=True).to_polars()
    except TypeError:
        raise InputError(
            (Field(field), f" is of type {type(table).__name__}"),
            field=field,
            remedy="Pass a path, or a table: pandas, Polars, pyarrow, a dict of columns or a list of dicts.",
        ) from None
    return frame
