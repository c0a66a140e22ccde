"""Imports point down. `LAYERS` is the picture of the architecture: who may import whom."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent

BELOW_THE_SHELLS = frozenset(
    {"workflows", "io", "report", "essays", "annotations", "rsm", "evaluation", "metrics", "scale", "errors"}
    | {"provenance"}
)

LAYERS: Mapping[str, frozenset[str]] = {
    "errors": frozenset(),
    "provenance": frozenset(),
    "scale": frozenset({"errors"}),
    "metrics": frozenset({"scale", "errors"}),
    "evaluation": frozenset({"metrics", "scale", "errors", "provenance"}),
    "annotations": frozenset({"metrics", "scale", "errors", "provenance"}),
    "essays": frozenset({"metrics", "scale", "errors", "provenance"}),
    "rsm": frozenset({"metrics", "scale", "errors", "provenance"}),
    "io": frozenset({"essays", "annotations", "rsm", "evaluation", "metrics", "scale", "errors", "provenance"}),
    "report": frozenset({"essays", "annotations", "rsm", "evaluation", "metrics", "scale", "errors", "provenance"}),
    "workflows": BELOW_THE_SHELLS,
    "store": BELOW_THE_SHELLS,
    "execution": BELOW_THE_SHELLS | {"__init__"},
    "web": BELOW_THE_SHELLS | {"store", "execution", "__init__"},
    "cli": frozenset(
        {
            "web",
            "store",
            "execution",
            "workflows",
            "io",
            "report",
            "essays",
            "annotations",
            "rsm",
            "evaluation",
            "metrics",
            "scale",
            "errors",
            "provenance",
            "__init__",
        }
    ),
    "__main__": frozenset({"cli"}),
    "__init__": frozenset({"evaluation", "metrics", "scale", "errors", "provenance", "io"}),
}
"""Folder or module -> what it may import. A new folder without a line here fails the tests."""

CORE = ("scale", "metrics", "evaluation", "annotations", "essays", "rsm")
IMPURE = frozenset(
    [
        "pathlib",
        "os",
        "io",
        "json",
        "csv",
        "logging",
        "pandas",
        "polars",
        "pydantic",
        "jinja2",
        "click",
        "typer",
        "rich",
        "starlette",
    ]
)
HEAVY_IN_CORE = frozenset({"scipy.stats"})


def modules() -> dict[str, Path]:
    """Every module by dotted name below assay, `__init__` for the root."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        found[name] = path
    return found


def imports(path: Path, module: str) -> Iterator[str]:
    """Every dotted name a file imports, wherever in it, but not what only the type checker sees."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from imports_of(tree, module)


def imports_of(tree: ast.AST, module: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively; name the module in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            yield from imports_of(node, module)


def layer_of(module: str) -> str:
    return module.split(".", maxsplit=1)[0]


def broken_rules(module: str, names: list[str]) -> list[str]:
    """What is wrong with the imports of one module."""
    found = []
    for name in names:
        root, _, rest = name.partition(".")
        if root != "assay":
            if layer_of(module) in CORE and (root in IMPURE or any(name.startswith(h) for h in HEAVY_IN_CORE)):
                found.append(f"{module} imports {name}: the core touches no files, no formats and no screens")
            continue
        target = layer_of(rest) if rest else "__init__"
        if target not in LAYERS:
            target = "__init__"  # a name taken from the package root
        if target == "__init__" and rest != "__version__" and module != "__init__":
            found.append(f"{module} imports {name} from the package root: name the module that defines it")
        elif target != layer_of(module) and target not in LAYERS[layer_of(module)]:
            found.append(f"{module} imports {name}: {layer_of(module)} may not import {target}")
    return found


def cycle_in(graph: Mapping[str, set[str]]) -> list[str] | None:
    """A chain of modules that import each other, or None."""
    done: set[str] = set()

    def visit(module: str, trail: list[str]) -> list[str] | None:
        if module in trail:
            return [*trail[trail.index(module) :], module]
        if module in done:
            return None
        for other in sorted(graph.get(module, ())):
            if (found := visit(other, [*trail, module])) is not None:
                return found
        done.add(module)
        return None

    return next((found for module in graph if (found := visit(module, [])) is not None), None)


@pytest.mark.parametrize("module", modules())
def test_imports_point_down(module: str) -> None:
    assert layer_of(module) in LAYERS, f"{layer_of(module)} has no layer: give it a line in LAYERS"
    assert broken_rules(module, list(imports(modules()[module], module))) == []


def test_no_module_imports_itself_in_a_circle() -> None:
    known = modules()
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        names = [name.removeprefix("assay.") for name in imports(path, module) if name.startswith("assay.")]
        graph[module] = {m for name in names for m in (name, name.rpartition(".")[0]) if m in known and m != module}
    assert cycle_in(graph) is None


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("evaluation.evaluate", "from assay.report.render.html import to_html"),
        ("report.html", "from assay.io.tables.tables import open_table"),
        ("metrics.kappa", "from assay.evaluation.plan import Plan"),
        ("metrics.kappa", "import json"),
        ("evaluation.plan", "from pathlib import Path"),
        ("metrics.kappa", "from scipy.stats import pearsonr"),
        ("files.tables", "from assay import evaluate_engine"),
        ("evaluation.plan", "def later():\n    from assay.cli.main import app"),
    ],
)
def test_a_forbidden_import_is_caught(module: str, line: str) -> None:
    assert broken_rules(module, list(imports_of(ast.parse(line), module)))


def test_a_circle_is_caught() -> None:
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert cycle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None
