"""Names say what a thing is: words that could name anything, and names that were given up, do not come back."""

import ast
from collections.abc import Iterator
from pathlib import Path

import assay

ROOT = Path(assay.__file__).parent
VAGUE = {"found", "told", "made", "kept", "held", "standing", "some", "taking", "here", "wanted", "ready", "mended"}
GIVEN_UP = set(
    """
    Crew open_crew in_order Here watched Spent ScoreShelf Told KeptRatings laying lay_over Scene touching Prepared
    conduct CONDUCT deciding lifted Remembered removing own_items FoundWorkspace essay_carried essay_raising Desk
    HandedIn Part Stretch Span annotation_table coco_surroundings coco_oddities annotation_look sound_shapes
    kept_feedback _some noting counting passing at_work Yardstick readable forms PromptPool placing Transfer thinned
    door Wanted share_pictures gather crossing_rings
    """.split()  # noqa: SIM905 - a list of 50 names would fill a screen
)


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name a module gives to something, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name


def vague_names(folder: Path) -> list[str]:
    """The places below a folder where something has a name that says nothing, or one that was given up."""
    never = VAGUE | GIVEN_UP
    return [
        f"{path.relative_to(folder)}:{line}: {name}"
        for path in sorted(folder.rglob("*.py"))
        for line, name in bound_names(ast.parse(path.read_text("utf-8")))
        if name in never or name.lstrip("_") in VAGUE
    ]


def test_no_name_says_nothing() -> None:
    assert vague_names(ROOT) == []


def test_a_vague_name_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text("def rows(found):\n    with found as _kept:\n        pass\n", "utf-8")
    assert vague_names(tmp_path) == ["kinds.py:1: found", "kinds.py:2: _kept"]


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))

    assert {name: where for name, where in places.items() if len(where) > 1} == {}
