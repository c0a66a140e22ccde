"""An app on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.databases import database_url, postgresql
from tests.web.visits import Visit

__all__ = ["database_url", "postgresql"]


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    """An app on SQLite that only this machine reaches: nobody signs in."""
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache")
    yield made
    made.close()


@pytest.fixture
def visit_on_both(database_url: str, tmp_path: Path) -> Iterator[Visit]:
    """The same on SQLite, then on PostgreSQL."""
    made = Visit(database_url, tmp_path / "cache")
    yield made
    made.close()
