"""The reference on essays is what the code says."""

from assay.essays.errors.catalogue import CATALOGUE
from docs.essay_types import PAGE, TABLES, with_current_tables


def test_the_tables_on_essays_are_current() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert with_current_tables(page) == page, "`python docs/essay_types.py` renews them"


def test_every_table_and_every_error_type_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert all(f"<!-- {name}, made by" in page for name in TABLES)
    assert all(f"| `{name}` |" in page for name in CATALOGUE)
