"""The reference on panels is complete: every function has an example, every page says all it must."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.evaluation.panels import (
    calibration,
    consensus,
    cumulative_logit,
    design,
    differential,
    equating,
    generalizability,
    prediction_powered,
    preferences,
    rasch,
)
from docs.examples import ROOT

PAGES = sorted((ROOT / "docs" / "reference" / "panel").glob("*.md"))
MODULES = (
    *(calibration, consensus, cumulative_logit, design, differential, equating),
    *(generalizability, prediction_powered, preferences, rasch),
)
INNER = {"as_ratings"}
"""Functions that other modules of the folder call, and users need not."""


def functions() -> list[Callable[..., Any]]:
    """Every function of a panel that a user can call."""
    return [
        function
        for module in MODULES
        for name, function in vars(module).items()
        if callable(function)
        and not isinstance(function, type)
        and getattr(function, "__module__", "") == module.__name__
        and not name.startswith("_")
        and name not in INNER
    ]


@pytest.mark.parametrize("function", functions(), ids=lambda f: f.__name__)
def test_every_function_has_a_page_with_an_example_of_it(function: Callable[..., Any]) -> None:
    imports = rf">>> from {re.escape(function.__module__)} import .*\b{function.__name__}\b"

    assert any(re.search(imports, page.read_text(encoding="utf-8")) for page in PAGES)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "index.md"], ids=lambda p: p.stem)
def test_every_page_says_all_it_must(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    for heading in ("## Formula", "## Example", "**Undefined.**", "**Interval.**", "**Threshold.**", "**Source.**"):
        assert heading in text
    assert "**Departures.**" in text
