"""Every module has a test of its own: at the path that mirrors it, where whoever changes it looks first."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import assay
from tests.paths import ROOT

SOURCES, TESTS = Path(assay.__file__).parent, ROOT / "tests"
ELSEWHERE = {
    "__main__": "runs the program as soon as it is imported; tests/cli/test_main.py tests what it runs",
}
"""Module -> why no test of its own imports it."""


def modules(sources: Path) -> Iterator[Path]:
    """Every module below the package, as a path from it; migrations are run by the tests of the store."""
    for path in sorted(sources.rglob("*.py")):
        own = path.relative_to(sources)
        if path.name != "__init__.py" and "migrations" not in own.parts:
            yield own


def imported(test: Path) -> set[str]:
    """Every module that a test names in an import, wherever in it; and what it takes from modules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(test.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=aliases):
                names |= {module, *(f"{module}.{alias.name}" for alias in aliases)}
            case ast.Import(names=aliases):
                names |= {alias.name for alias in aliases}
    return names


def without_own_test(sources: Path, tests: Path) -> set[str]:
    """Modules that the test at their mirrored path does not import, or that have none."""
    missing = set()
    for own in modules(sources):
        name, test = ".".join(own.with_suffix("").parts), tests / own.parent / f"test_{own.name}"
        if not test.exists() or f"assay.{name}" not in imported(test):
            missing.add(name)
    return missing


def test_every_module_is_imported_by_the_test_that_mirrors_it() -> None:
    missing = without_own_test(SOURCES, TESTS) - ELSEWHERE.keys()

    assert not missing, f"write tests at the mirrored path, or say here why not: {sorted(missing)}"


def test_a_module_that_has_its_test_needs_no_reason() -> None:
    stale = ELSEWHERE.keys() - without_own_test(SOURCES, TESTS)

    assert not stale, f"take out of the table here: {sorted(stale)}"


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("from assay.rank import order", set()),
        ("from assay import rank", set()),
        ("import assay.rank", set()),
        ("def test_it():\n    from assay.rank import order", set()),
        ("from assay.ranking import order", {"rank"}),
        ("# from assay.rank import order", {"rank"}),
        (None, {"rank"}),
    ],
)
def test_a_module_without_its_test_is_noticed(line: str | None, missing: set[str], tmp_path: Path) -> None:
    sources, tests = tmp_path / "assay", tmp_path / "tests"
    for folder in (sources, tests, sources / "migrations"):
        folder.mkdir()
    for name in ("__init__.py", "rank.py", "migrations/first.py"):
        (sources / name).touch()
    if line is not None:
        (tests / "test_rank.py").write_text(line, encoding="utf-8")

    assert without_own_test(sources, tests) == missing
