"""Engines compared in one table, from files of evaluations, or from evaluations at hand."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.workflows.evaluation.compare import compare
from assay.workflows.evaluation.evaluate import evaluate
from tests.workflows.evaluation.test_evaluate import FRAME

BOTH = FRAME.with_columns(other=FRAME["engine"] * 0.8 + 0.5)


def test_columns_of_one_table_give_what_their_evaluations_give(tmp_path: Path) -> None:
    columns = compare(BOTH, human="rater", system=["engine", "other"], scale="1-6")
    results = [evaluate(BOTH, human="rater", system=name, scale="1-6") for name in ("engine", "other")]
    at_hand = compare(results)
    files = compare([result.write(tmp_path / f"e{i}") / "evaluation.json" for i, result in enumerate(results)])
    frames = [result.to_polars() for result in (columns, at_hand, files)]
    assert frames[0].equals(frames[1])
    assert frames[0].equals(frames[2])
    assert columns.comparison.paired
    assert columns.comparison.metrics["engine"]["qwk"] == results[0].qwk


def test_engines_of_one_name_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    result = evaluate(BOTH, human="rater", system="engine", scale="1-6")
    paths = [result.write(tmp_path / name) / "evaluation.json" for name in ("monday", "friday")]
    assert compare(paths).comparison.engines == ("engine (monday)", "engine (friday)")
    assert set(compare(paths).provenance.inputs) == {str(path) for path in paths}


def test_the_files_are_written_whole(tmp_path: Path) -> None:
    result = compare([BOTH][0], human="rater", system=("engine", "other"))
    folder = result.write(tmp_path / "comparison")
    assert {path.name for path in folder.iterdir()} == {"comparison.json", "report.html", "tables"}
    assert "engine" in repr(result)
    assert result.to_dict()["schema"] == "assay.comparison/1"


@pytest.mark.parametrize(
    ("tables", "options", "field"),
    [
        (["one.json"], {}, "system"),
        (BOTH, {"system": ["engine", "other"]}, "human"),
        ([BOTH, BOTH], {"system": ["engine", "other"], "human": "rater"}, "tables"),
        ([BOTH, 7], {}, "tables"),
    ],
)
def test_what_cannot_be_compared_is_answered_with_what_to_pass(
    tables: object, options: dict[str, object], field: str
) -> None:
    with pytest.raises(InputError, match="two or more") as refused:
        compare(tables, **options)  # type: ignore[arg-type]
    assert refused.value.field == field
