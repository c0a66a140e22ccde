"""The reference is complete: every metric, figure, file, column, command and path is there."""

import csv
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assay.io.rsm.configuration.schema import RSMEVAL
from assay.metrics import correlation, fairness, mean_difference, rank, reliability, true_score
from assay.metrics.catalogue import PAIR_METRICS, RATER_METRICS
from docs.commands import PAGE, commands_shown, names_of_commands, with_current_help
from docs.examples import PAGES, ROOT, run_assay
from tests.architecture.test_imports import ROOT as PACKAGE

METRIC_PAGES = sorted((ROOT / "docs" / "reference" / "metrics").glob("*.md"))
REFERENCE = ROOT / "docs" / "reference"
MODULES = (correlation, mean_difference, rank, reliability, true_score, fairness)


def metrics() -> list[Callable[..., Any]]:
    """Every metric a user can call."""
    of_pairs = [metric.metric for metric in (*PAIR_METRICS.values(), *RATER_METRICS.values())]
    others = [
        function
        for module in MODULES
        for name, function in vars(module).items()
        if callable(function)
        and not isinstance(function, type | partial)
        and getattr(function, "__module__", "") == module.__name__
        and not name.startswith("_")
        and name != "why_undefined"
    ]
    return list({m.__name__: m for m in (*of_pairs, *others)}.values())


@pytest.mark.parametrize("metric", metrics(), ids=lambda m: m.__name__)
def test_every_metric_has_a_page_with_an_example_of_it(metric: Callable[..., Any]) -> None:
    imports = rf">>> from {re.escape(metric.__module__)} import .*\b{metric.__name__}\b"

    assert any(re.search(imports, page.read_text(encoding="utf-8")) for page in METRIC_PAGES)


@pytest.mark.parametrize("page", [p for p in METRIC_PAGES if p.name != "index.md"], ids=lambda p: p.stem)
def test_every_metric_page_says_all_it_must(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    for heading in ("## Formula", "## Example", "**Undefined.**", "**Interval.**", "**Threshold.**", "**Source.**"):
        assert heading in text
    assert "**Departures.**" in text


def test_the_help_texts_are_current() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert with_current_help(page) == page, "`python docs/commands.py` renews them"


def test_every_command_is_shown() -> None:
    assert set(names_of_commands()) <= set(commands_shown(PAGE.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of an evaluation with everything asked for."""
    out = tmp_path_factory.mktemp("reference") / "out"
    scores, training = ROOT / "examples" / "scores.csv", ROOT / "examples" / "training.csv"
    options = (
        f"evaluate {scores} --id id --human human --second-human human_2,human_3 --system engine_a --groups gender "
        f"--candidate candidate --length words --cuts 4 --scale 1-6 --scale-with {training} --out {out} --quiet"
    )
    assert run_assay(options.split()) == ("", 0)
    return out / "tables"


def test_every_table_and_column_is_listed(tables: Path) -> None:
    listed = {row[0]: row for row in table_rows(REFERENCE / "output.md") if len(row) == 3}
    for file in tables.glob("*.csv"):
        name = file.stem.replace("_gender", "_COLUMN")
        row = next((row for names, row in listed.items() if f"`{name}`" in names), None)
        assert row is not None, f"docs/reference/output.md does not list {name}"
        for column in header(file):
            text = re.sub(r"(?<=[._])(raw|scale)(_trim)?(_round)?$", "FORM", column)
            known = described(row[2], listed, name)
            assert not text or text.isdigit() or f"`{text}`" in known, f"{name} does not list {text!r}"


def described(columns: str, listed: dict[str, list[str]], name: str) -> str:
    """The columns of a table in words, with those it shares with another."""
    shared = {
        "eval_by_COLUMN": "`eval_short`",
        "consistency_by_COLUMN": "`consistency`",
        "disattenuated_correlations_by_COLUMN": "`disattenuated_correlations`",
        "rater_pairs": "`consistency`",
    }
    if name == "cuts":
        columns = re.sub(r"`(\w+)`", r"`\1` `\1 low` `\1 high`", columns)
    return columns + (listed[shared[name]][2] if name in shared else "")


def table_rows(page: Path) -> list[list[str]]:
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def header(file: Path) -> list[str]:
    with file.open(encoding="utf-8", newline="") as stream:
        return next(csv.reader(stream))


def test_every_option_of_rsmeval_is_listed() -> None:
    page = (ROOT / "docs" / "how-to" / "switch-from-rsmtool.md").read_text(encoding="utf-8")

    assert [option for option in RSMEVAL.options if f"`{option}`" not in page] == []


def test_the_architecture_names_every_layer() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Layers")[2].partition("\n## ")[0]

    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix in ("", ".py") and not path.name.startswith("__")}
    assert [room for room in sorted(rooms) if f"`{room}`" not in table] == []


def test_every_figure_is_listed(tables: Path) -> None:
    page = (REFERENCE / "figures.md").read_text(encoding="utf-8")
    with (tables / "figures.csv").open(encoding="utf-8", newline="") as stream:
        names = [row["figure"] for row in csv.DictReader(stream)]

    for name in names:
        form, dot, rest = name.partition(".")
        shown = "dsm[COLUMN=GROUP]" if name.startswith("dsm[") else form
        assert f"`{shown}`" in page, f"docs/reference/figures.md does not list {shown}"
        assert not dot or f"`{rest}`" in page


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda p: str(p.relative_to(ROOT)))
def test_every_path_of_the_repository_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:src|tests|docs|examples|benchmarks)/[\w./-]+)`", text)
    paths += [link for link in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", text) if page.parent == ROOT]

    missing = [path for path in paths if not (ROOT / path).exists() and "NAME" not in path]
    assert missing == []
