"""A table on the screen: rich draws it on a terminal; a pipe gets plain text, unfolded, without loading rich."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.cli.observer import console
from assay.execution.escaping import escaped


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A head, and how the cells below it stand."""

    head: str
    right: bool = False
    wrap: bool = False
    least: int = 0
    """The least width on a terminal."""


@dataclass(slots=True)
class TextTable:
    """Heads over rows of text."""

    title: str
    columns: Sequence[TextColumn]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add_row(self, *cells: str) -> None:
        """One more row."""
        self.rows.append(cells)

    def plain(self) -> str:
        """The table as text, every row on one line.

        >>> table = TextTable("two", [TextColumn("name"), TextColumn("n", right=True)], [("a", "1"), ("b", "12")])
        >>> for line in table.plain().splitlines():
        ...     print(line)
        two
          name    n
         ───────────
          a       1
          b      12
        """
        cells = [tuple(column.head for column in self.columns), *self.rows]
        widths = [max(len(row[place]) for row in cells) for place in range(len(self.columns))]
        head, *rows = (
            "  "
            + "   ".join(
                cell.rjust(width) if column.right else cell.ljust(width)
                for cell, width, column in zip(row, widths, self.columns, strict=True)
            ).rstrip()
            for row in cells
        )
        rule = " " + "─" * (sum(widths) + 3 * len(widths) - 1)
        return "\n".join([self.title, head, rule, *rows])

    def drawn(self) -> Any:
        """The table as rich draws it."""
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, title=self.title, title_justify="left")
        for column in self.columns:
            table.add_column(
                column.head,
                justify="right" if column.right else "left",
                no_wrap=not column.wrap,
                min_width=column.least or None,
                overflow="fold",
            )
        for row in self.rows:
            table.add_row(*row)
        return table


def say_table(table: TextTable, *, stderr: bool = False) -> None:
    """Print a table, with the terminal's width in mind where there is one."""
    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty():
        console(stderr=stderr).print(table.drawn())
    else:
        _plain([table.plain()], stderr=stderr)


def say_lines(lines: Iterable[str], *, stderr: bool = False) -> None:
    """Print lines, as they are."""
    stream = sys.stderr if stderr else sys.stdout
    if not stream.isatty():
        _plain(lines, stderr=stderr)
        return
    screen = console(stderr=stderr)
    for line in lines:
        screen.print(line, markup=False, soft_wrap=True)


def _plain(texts: Iterable[str], *, stderr: bool) -> None:
    stream = sys.stderr if stderr else sys.stdout
    for text in texts:
        print(escaped(text), file=getattr(stream, "unescaped", stream))
