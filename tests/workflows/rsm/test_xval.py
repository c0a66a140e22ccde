"""`rsm_xval` and what it returns; that its tables are RSMTool's is tested in tests/reference."""

from pathlib import Path

import pytest

from assay.errors import Cancelled
from assay.execution.executor import ProcessExecutor
from assay.execution.observer import Observer
from assay.workflows.rsm.xval import rsm_xval
from tests.io.rsm.rsm_training import write_training
from tests.workflows.rsm.test_tool import files


@pytest.mark.parametrize("compat", [False, True])
def test_folds_trained_by_two_processes_are_those_of_one(compat: bool, tmp_path: Path) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=3, subgroups=["group"])

    alone = rsm_xval(config, compat=compat)
    together = rsm_xval(config, compat=compat, executor=ProcessExecutor(2))

    assert alone.predictions.equals(together.predictions)
    assert alone.to_polars().equals(together.to_polars())
    assert [len(fold.experiment.test.used) for fold in alone.folds] == [20, 20, 20]


def test_every_folder_of_rsmtool_is_written(tmp_path: Path) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=2)

    result = rsm_xval(config)
    result.write(tmp_path / "out", no_report=True)

    written = files(tmp_path / "out")
    assert {name.partition("/")[0] for name in written} == {
        *("folds", "fold-summary", "evaluation", "final-model", "rsmxval.json")
    }
    assert {"folds/02/train.csv", "folds/02/test.csv", "folds/02/rsmtool.json"} <= written.keys()
    assert "final-model/dummy_test.csv" in written
    assert result.to_dict()["final_model"]["name"] == "LinearRegression"


def test_a_cross_validation_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    class Stopped(Observer):
        def check(self) -> None:
            raise Cancelled("enough")

    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=2)
    before = files(tmp_path)

    with pytest.raises(Cancelled):
        rsm_xval(config, tmp_path / "out", observer=Stopped())

    assert files(tmp_path) == before
