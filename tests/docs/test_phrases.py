"""Phrases that nobody else uses for a thing do not come back: in the app, in reports, in messages, in the docs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assay
from tests.paths import ROOT

PACKAGE = Path(assay.__file__).parent
NEVER = {
    "met, not certain": "met, uncertain",
    "second reader": "second rater",
    "reading error": "rater error",
    "human and human": "two raters",
    "reasons for doubt": "flags, advisories",
    "badly placed": "near miss",
    "smallest overlap": "minimum overlap (IoU)",
    "by letters": "text similarity",
    "likeness of letters": "text similarity",
    "the name of another class": "wrong class",
    "marked slips": "errors marked",
    "choose a door": "pick a task",
    "to the first page": "home",
    "password of now": "current password",
    "begin again from": "reset to preset",
    "work it out": "calculate",
    "work out the insights": "generate insights",
    "told as": "reported as",
    "optional; ": "(optional) after the label",
}
NAMES = re.compile(r"|".join(re.escape(phrase) for phrase in NEVER), re.IGNORECASE)


def shown_texts() -> Iterator[tuple[str, str]]:
    """Everything people read, with where it stands: templates, texts in the code but docstrings, pages of the docs."""
    for path in sorted((PACKAGE / "web" / "templates").rglob("*.html")):
        yield str(path.relative_to(PACKAGE)), path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value.value = ""  # a docstring
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node.value
    folders = ("how-to", "tutorial", "reference", "explanation")
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    pages += [page for folder in folders for page in (ROOT / "docs" / folder).rglob("*.md")]
    for page in sorted(pages):
        yield str(page.relative_to(ROOT)), page.read_text(encoding="utf-8")


def test_no_phrase_of_our_own_is_shown() -> None:
    hits = [f"{place}: {match[0]}" for place, text in shown_texts() for match in NAMES.finditer(text)]

    assert hits == [], "say it as others do"


@pytest.mark.parametrize("phrase", NEVER)
def test_a_phrase_is_noticed(phrase: str) -> None:
    assert NAMES.search(f"This is {phrase.upper()} here.")
