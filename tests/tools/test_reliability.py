"""The page on reliability says what the last runs measured, findings included, and what was not run."""

import json
from pathlib import Path
from typing import Any

from fuzz.readers import BY_NAME
from tools.reliability import page, record


def kept(folder: Path, name: str, content: Any) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "summary.json").write_text(json.dumps(content), encoding="utf-8")


def test_findings_and_losses_are_said(tmp_path: Path) -> None:
    counts = {"inputs": 20_000, "read": 5, "refused": 19_994, "netted": 3, "hangs": 0, "over_memory": 0, "crashes": 0}
    reader = {**counts, "unclean": 1, "cpu": 60.0, "coverage": {"branches": 3, "of": 4}}
    kept(tmp_path, "fuzz", {"seed": 1, "total": {**counts, "unclean": 1, "cpu": 60.0}, "readers": {"coco": reader}})
    faults = {"injected": {"disk full": 7}, "problems": {"lost": 2}, "store_injected": {"cut": 3}, "store_problems": {}}
    kept(tmp_path, "faults", {"sqlite": faults})
    record(tmp_path, tmp_path / "recorded")
    written = page(tmp_path / "recorded")

    assert "**20,000 inputs on 1 readers, 1 findings**" in written
    assert "| coco | 20,000 | 5 | 19,994 | 3 | 1 | 0 | 0 | 0 | 75 % | undated, seed unknown |" in written
    assert "the branches in the reader's modules" in written
    assert "sqlite: lost: 2 lost or wrong." in written
    assert "sqlite: nothing lost or wrong." in written
    assert "Not run yet: `make load`." in written


def counted(inputs: int, made: str) -> dict[str, Any]:
    zero = dict.fromkeys(("read", "netted", "unclean", "hangs", "over_memory", "crashes"), 0)
    coverage = {"branches": 1, "of": 2}
    return {**zero, "inputs": inputs, "refused": inputs, "coverage": coverage, "seed": 9, "made": made}


def test_a_part_that_is_run_again_replaces_only_its_own_rows(tmp_path: Path) -> None:
    first = {"coco": counted(100, "2026-01-01"), "yolo": counted(100, "2026-01-01")}
    kept(tmp_path / "1", "fuzz", {"readers": first})
    kept(tmp_path / "2", "fuzz", {"readers": {"yolo": counted(200, "2026-02-02")}})
    for run in ("1", "2"):
        record(tmp_path / run, tmp_path / "recorded")
    written = page(tmp_path / "recorded", ("coco", "yolo", "gate"))

    assert "**300 inputs on 2 readers, 0 findings**; at least 100" in written
    assert "| coco | 100 | 0 | 100 | 0 | 0 | 0 | 0 | 0 | 50 % | 2026-01-01, seed 9 |" in written
    assert "| yolo | 200 | 0 | 200 | 0 | 0 | 0 | 0 | 0 | 50 % | 2026-02-02, seed 9 |" in written
    assert "Not tried so far but by the few inputs of `make test`: gate." in written


def test_a_guided_run_alone_leaves_the_other_counts_of_its_reader(tmp_path: Path) -> None:
    kept(tmp_path / "1", "fuzz", {"readers": {"coco": counted(100, "2026-01-01")}})
    kept(tmp_path / "2", "fuzz", {"readers": {"coco": {"guided": {"inputs": 7, "branches": 3, "findings": 0}}}})
    for run in ("1", "2"):
        record(tmp_path / run, tmp_path / "recorded")
    written = page(tmp_path / "recorded", ("coco",))

    assert "**100 inputs on 1 readers, 0 findings**" in written
    assert "7 more inputs on 1 readers, 0 findings" in written


def test_the_table_of_readers_is_what_was_recorded() -> None:
    root = Path(__file__).resolve().parents[2]
    stated = (root / "docs" / "reliability.md").read_text(encoding="utf-8")
    made_of = page(root / "tools" / "recorded", tuple(BY_NAME))
    assert [line for line in made_of.splitlines() if " seed " in line] == [
        line for line in stated.splitlines() if " seed " in line
    ]
