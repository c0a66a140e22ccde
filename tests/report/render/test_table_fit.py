"""Tables too wide for a page are narrowed, turned or cut, and lose nothing."""

from assay.metrics.intervals import Estimate
from assay.report.document.values import Cell, Column, Table, plain
from assay.report.render.table_fit import LARGEST, MOST_LETTERS, SMALLEST, fitted

QWK = Estimate(0.5, 0.25, 0.75)


def wide(rows: int, figures: int, foot: int = 0) -> Table:
    columns = (Column("Group"), *(Column(f"Figure {i}", "estimate") for i in range(figures)))
    cells: list[tuple[Cell, ...]] = [(f"group {i}", *(QWK,) * figures) for i in range(rows + foot)]
    return Table("wide", "Wide", columns, tuple(cells[:rows]), tuple(cells[rows:]))


def test_a_narrow_table_stays_whole_with_intervals_beside_their_values() -> None:
    (only,) = fitted(wide(30, 3))

    assert only.beside
    assert [column.title for column in only.columns] == ["Group", "Figure 0", "Figure 1", "Figure 2"]
    assert len(only.rows) == 30
    assert only.size == LARGEST


def test_intervals_stand_below_where_the_line_is_short_or_a_reason_is_long() -> None:
    reason = Estimate(reason="too few double scores: 4, at least 50 needed")
    undefined = Table("t", "T", (Column("Figure"), Column("Value", "estimate")), (("PRMSE", reason),))

    assert not fitted(wide(30, 6))[0].beside
    assert not fitted(undefined)[0].beside


def test_few_rows_with_many_figures_are_turned() -> None:
    (turned,) = fitted(wide(3, 14))

    assert [column.title for column in turned.columns] == ["Group", "group 0", "group 1", "group 2"]
    assert [plain(row[0].text) for row in turned.rows] == [f"Figure {i}" for i in range(14)]
    assert all(cell.below == "0.25 to 0.75" for row in turned.rows for cell in row[1:])


def test_many_rows_with_many_figures_are_cut_into_parts_of_like_width_that_name_their_rows() -> None:
    parts = fitted(wide(40, 14, foot=1))

    assert [column.title for part in parts for column in part.columns[1:]] == [f"Figure {i}" for i in range(14)]
    assert all([plain(row[0].text) for row in part.rows] == [f"group {i}" for i in range(41)] for part in parts)
    assert all(part.columns[0].title == "Group" and part.foot == 1 for part in parts)
    assert max(len(part.columns) for part in parts) - min(len(part.columns) for part in parts) <= 1


def test_columns_of_words_give_way_before_a_table_is_cut() -> None:
    words = tuple(Column(f"Words {i}") for i in range(5))
    (only,) = fitted(Table("t", "T", words, (("a long name " * 5,) * 5,) * 20))

    assert only.letters <= MOST_LETTERS
    assert only.size >= SMALLEST


def test_a_table_without_rows_or_with_one_column_too_wide_is_set_all_the_same() -> None:
    assert len(fitted(Table("t", "T", (Column("Group"), Column("QWK", "estimate")), ()))) == 1
    assert len(fitted(Table("t", "T", (Column("x " * 90),), (("y" * 500,),)))) == 1
