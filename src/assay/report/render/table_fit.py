"""Tables that fit an upright page in type that can be read.

A table that is too wide is set by the first of these that fits: with narrower columns of words, turned about its
diagonal, or cut into parts that each begin with the column that heads the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from assay.report.document.values import Table, plain
from assay.report.document.wording import ShownCell, shown

LETTERS = 960.0
"""Letters of 1 pt that a line holds."""
LARGEST, COMFORTABLE, SMALLEST = 9.0, 8.2, 7.4
MOST_LETTERS = int(LETTERS / SMALLEST)
WIDEST_WORDS, NARROWEST_WORDS, WIDEST_FIGURE = 40, 16, 22
LONGEST_BESIDE = 22
"""Letters of an interval that may stand beside its value; reasons are longer."""
LONGEST_WORD = 18
"""Letters of a word that are set in one piece; longer ones may be broken."""


@dataclass(frozen=True, slots=True)
class FittedColumn:
    """A column as it is set: its head, whether it is aligned to the right, and its width in letters.

    `below` is the room for intervals, which begin at one place where they stand beside their values.
    """

    title: str
    right: bool
    width: int
    below: int = 0


@dataclass(frozen=True, slots=True)
class FittedTable:
    """Cells as they are read, in columns that fit the page; the last `foot` rows are totals.

    `beside` sets intervals beside their values, where the line has room, and not below them.
    """

    columns: tuple[FittedColumn, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    foot: int = 0
    beside: bool = False

    @property
    def letters(self) -> int:
        return sum(column.width for column in self.columns)

    @property
    def size(self) -> float:
        """The size of its type in pt."""
        return max(SMALLEST, min(LARGEST, LETTERS / max(1, self.letters)))


def fitted(table: Table) -> tuple[FittedTable, ...]:
    """The table as one or more tables that fit between the margins."""
    cells = tuple(tuple(map(shown, table.columns, row)) for row in (*table.rows, *table.foot))
    words = [column.kind == "text" for column in table.columns]
    right = [column.kind in ("number", "interval", "estimate") for column in table.columns]
    whole = _set([column.title for column in table.columns], right, cells, words, len(table.foot))
    if whole.letters <= MOST_LETTERS:
        return (whole,)
    if not table.foot and len(cells) <= (len(table.columns) - 1) // 2:
        turned = _turned(whole)
        if turned.letters <= MOST_LETTERS:
            return (turned,)
    return _in_parts(whole)


def _set(
    titles: Sequence[str],
    right: Sequence[bool],
    cells: tuple[tuple[ShownCell, ...], ...],
    words: Sequence[bool],
    foot: int = 0,
) -> FittedTable:
    """The table with its columns as wide as they would like; columns of words give way if the line is too short."""
    wide = _widths(titles, cells, words, beside=True)
    brief = all(len(cell.below) <= LONGEST_BESIDE for row in cells for cell in row)
    if brief and sum(wide) <= LETTERS / COMFORTABLE:
        room = [max((_below(row[i]) for row in cells), default=0) for i in range(len(titles))]
        return FittedTable(tuple(map(FittedColumn, titles, right, wide, room)), cells, foot, beside=True)
    wishes = _widths(titles, cells, words, beside=False)
    can_give: list[int] = [
        max(0, wish - NARROWEST_WORDS) if is_words else 0 for wish, is_words in zip(wishes, words, strict=True)
    ]
    missing, most = sum(wishes) - MOST_LETTERS, sum(can_give)
    share = min(1.0, missing / most) if missing > 0 and most else 0.0
    widths = [wish - ceil(give * share) for wish, give in zip(wishes, can_give, strict=True)]
    return FittedTable(tuple(map(FittedColumn, titles, right, widths)), cells, foot)


def _widths(
    titles: Sequence[str], cells: tuple[tuple[ShownCell, ...], ...], words: Sequence[bool], *, beside: bool
) -> list[int]:
    """Letters each column would like: its longest cell, within reason, and the longest word of its head."""
    widths = []
    for i, (title, is_words) in enumerate(zip(titles, words, strict=True)):
        most = WIDEST_WORDS if is_words else WIDEST_FIGURE + 8 * beside
        longest = min(LONGEST_WORD, max((len(word) for word in title.split()), default=1))
        widths.append(max(longest, 5, *(min(most, _letters(row[i], beside=beside)) for row in cells), 0) + 2)
    return widths


def _letters(cell: ShownCell, *, beside: bool) -> int:
    value, below = len(plain(cell.text)), _below(cell)
    return max(value + 1 + below if beside and below else max(value, below), 4 + len(cell.verdict or ""))


def _below(cell: ShownCell) -> int:
    return 14 if cell.undefined else len(cell.below)


def _turned(table: FittedTable) -> FittedTable:
    """Rows as columns: few rows with many figures each read better so."""
    titles = [table.columns[0].title, *(plain(row[0].text) for row in table.rows)]
    rows = tuple(
        (ShownCell(column.title), *(row[i] for row in table.rows))
        for i, column in enumerate(table.columns[1:], start=1)
    )
    figures = len(table.rows)
    return _set(titles, [False, *[True] * figures], rows, [True, *[False] * figures])


def _in_parts(table: FittedTable) -> tuple[FittedTable, ...]:
    """As many columns at a time as fit beside the first, in as few parts as can be, about equally wide."""
    widths = [column.width for column in table.columns]
    room, whole = max(1, MOST_LETTERS - widths[0]), sum(widths[1:])
    for count in range(max(1, ceil(whole / room)), len(widths)):
        parts = _filled(widths, room, whole / count)
        if len(parts) <= count:
            return tuple(_only(table, (0, *part)) for part in parts)
    return (table,)


def _filled(widths: Sequence[int], room: int, goal: float) -> list[list[int]]:
    """The columns after the first in parts of about that many letters, none over its room unless one column is."""
    parts: list[list[int]] = [[]]
    filled = 0
    for i, width in enumerate(widths[1:], start=1):
        if parts[-1] and (filled + width > room or filled + width / 2 > goal):
            parts.append([])
            filled = 0
        parts[-1].append(i)
        filled += width
    return parts


def _only(table: FittedTable, chosen: Sequence[int]) -> FittedTable:
    rows = tuple(tuple(row[i] for i in chosen) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in chosen), rows=rows)
