"""Imports point down, go in no circle and never far; folders stay small enough to look through.

The contracts themselves are in pyproject.toml.
"""

from collections import Counter
from functools import cache
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

import assay

ROOT = Path(assay.__file__).parent
LONGEST_CHAIN = 20
MOST_MODULES = 20


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("assay", exclude_type_checking_imports=True, cache_dir=None)


def test_every_contract_is_kept(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT.parents[1])
    assert lint_imports(config_filename="pyproject.toml", no_cache=True) == 0, capsys.readouterr().out


def chains(imports: grimp.ImportGraph) -> dict[str, int]:
    """How many modules the longest chain of imports from each module has; a circle is an error."""
    lengths: dict[str, int] = {}

    def length(module: str, trail: tuple[str, ...]) -> int:
        assert module not in trail, f"a circle of imports: {trail[trail.index(module) :]}"
        if module not in lengths:
            further = imports.find_modules_directly_imported_by(module)
            lengths[module] = 1 + max((length(other, (*trail, module)) for other in further), default=0)
        return lengths[module]

    for module in sorted(imports.modules):
        length(module, ())
    return lengths


def test_no_module_imports_itself_in_a_circle_or_through_a_long_chain() -> None:
    lengths = chains(graph())
    longest = max(lengths, key=lambda module: lengths[module])
    assert lengths[longest] <= LONGEST_CHAIN, longest


def test_a_circle_is_caught() -> None:
    circle = grimp.ImportGraph()
    for importer, imported in (("a", "b"), ("b", "c"), ("c", "a")):
        circle.add_import(importer=importer, imported=imported)
    with pytest.raises(AssertionError, match="circle"):
        chains(circle)


def test_no_folder_has_more_modules_than_one_can_look_through() -> None:
    modules = Counter(path.parent for path in ROOT.rglob("*.py") if path.name != "__init__.py")
    assert {str(folder): count for folder, count in modules.items() if count > MOST_MODULES} == {}
