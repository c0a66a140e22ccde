"""The databases of the tests."""

from tests.store.databases import database, database_url, postgresql

__all__ = ["database", "database_url", "postgresql"]
