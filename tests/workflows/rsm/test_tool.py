"""`rsm_tool` and what it returns; that its tables are RSMTool's is tested in tests/reference."""

import json
from pathlib import Path

import polars as pl
import pytest

from assay.errors import Cancelled, InputError
from assay.execution.observer import Observer
from assay.workflows.rsm.tool import RsmToolResult, rsm_tool
from tests.io.rsm.rsm_training import write_training


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def result(tmp_path: Path) -> RsmToolResult:
    return rsm_tool(write_training(tmp_path))


def test_without_a_folder_nothing_is_written(result: RsmToolResult, tmp_path: Path) -> None:
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "test.csv", "train.csv"]
    assert result.evaluation.n == 40


def test_writing_later_gives_the_files_of_writing_at_once(result: RsmToolResult, tmp_path: Path) -> None:
    at_once = rsm_tool(tmp_path / "config.json", tmp_path / "once", no_report=True)

    result.write(tmp_path / "later", no_report=True)

    once, later = files(tmp_path / "once"), files(tmp_path / "later")
    of_time = {"experiment.json", "output/ours.model.json"}
    assert once.keys() == later.keys()
    assert {name: once[name] for name in once.keys() - of_time} == {name: later[name] for name in once.keys() - of_time}
    assert at_once.identity == "ours"


def test_the_report_names_the_tables_only_where_they_lie_beside_it(result: RsmToolResult, tmp_path: Path) -> None:
    result.write(tmp_path / "out")
    alone = result.report(tmp_path / "alone.html")

    assert "ours_eval_short.csv" in result.report_path(tmp_path / "out").read_text(encoding="utf-8")
    assert "ours_eval_short.csv" not in alone.read_text(encoding="utf-8")


def test_a_short_look_and_the_whole_of_it(result: RsmToolResult) -> None:
    figures = result.to_polars()

    assert repr(result).startswith("RsmToolResult: rsmtool ours\n")
    assert len(repr(result).splitlines()) < 10
    assert figures.columns == ["figure", "value", "low", "high", "reason"]
    assert result.to_dict()["schema"] == "assay.experiment/1"
    json.dumps(result.to_dict())


def test_a_folder_that_holds_results_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "out" / "output").mkdir(parents=True)
    (tmp_path / "out" / "output" / "old.csv").touch()
    config = write_training(tmp_path, train_file="nowhere.csv")

    with pytest.raises(InputError) as refused:
        rsm_tool(config, tmp_path / "out")

    assert refused.value.field == "out"
    assert refused.value.text(lambda name: f"--{name}").endswith("write among them with --force.")


def test_what_is_not_done_is_told_to_the_observer(tmp_path: Path) -> None:
    class Stopped(Observer):
        def remark(self, text: str) -> None:
            raise Cancelled(text)

    with pytest.raises(Cancelled, match="use_wandb is ignored"):
        rsm_tool(write_training(tmp_path, use_wandb=True), tmp_path / "out", observer=Stopped())

    assert not (tmp_path / "out").exists()


def test_a_model_with_one_score_for_all_is_evaluated_and_its_scaled_scores_stay_empty(tmp_path: Path) -> None:
    config = write_training(tmp_path, model="DummyRegressor")

    rsm_tool(config, tmp_path / "out", no_report=True)

    scores = pl.read_csv(tmp_path / "out" / "output" / "ours_pred_processed.csv")
    assert scores.get_column("raw").n_unique() == 1
    assert scores.get_column("raw_trim_round").null_count() == 0
    assert scores.select("scale", "scale_trim", "scale_trim_round").null_count().row(0) == (scores.height,) * 3
