"""What an `rsm` model is trained on: tables, the plan, folds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig, rsm_tool_config, rsm_xval_config
from assay.workflows.rsm import training
from tests.io.rsm.rsm_training import write_training


def xval(folder: Path, **options: Any) -> RsmModelConfig:
    path = write_training(folder, test_file=None, test_label_column=None, **options)
    return rsm_xval_config(path, compat=False)


def test_both_tables_are_read_under_the_names_of_their_features(tmp_path: Path) -> None:
    files = training.read_training_files(rsm_tool_config(write_training(tmp_path), compat=False))

    assert (len(files.train.table), len(files.test.table)) == (60, 40)
    assert files.train.table.names == files.test.table.names == ("alpha", "beta")
    assert training.requested_names(files.plan) == ("alpha", "beta")


def test_one_table_for_both_is_read_once(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path, test_file="train.csv"), compat=False)
    files = training.read_training_files(config)

    assert files.train is files.test


def test_every_response_is_in_one_fold_and_the_final_model_has_all(tmp_path: Path) -> None:
    config = xval(tmp_path, folds=3)
    material = training.read_material(config)
    *folds, final = training.splits_of(config, material.stored)

    assert sorted(np.concatenate([split.test for split in folds]).tolist()) == list(range(60))
    for split in folds:
        assert split.train is not None
        assert not set(split.train.tolist()) & set(split.test.tolist())
    assert final.train is None
    assert [split.config.experiment_id for split in (folds[0], final)] == ["ours_fold01", "ours_model"]
    assert list(folds[0].files) == ["train.csv", "test.csv"]
    assert list(final.files) == ["dummy_test.csv"]


def test_folds_may_be_named_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "folds.csv").write_text(
        "id,fold\n" + "".join(f"1-{i},{'ab'[i % 2]}\n" for i in range(60)), encoding="utf-8"
    )
    config = xval(tmp_path, folds_file=str(tmp_path / "folds.csv"))
    first, second, _ = training.splits_of(config, training.read_material(config).stored)

    assert [len(first.test), len(second.test)] == [30, 30]
    assert {int(place) % 2 for place in first.test} == {0}
    (tmp_path / "folds.csv").write_text("id\n1-0\n", encoding="utf-8")
    with pytest.raises(InputError, match="two columns"):
        training.splits_of(config, training.read_material(config).stored)


def test_the_tables_of_a_split_are_written_as_they_lie_in_its_folder(tmp_path: Path) -> None:
    config = xval(tmp_path, folds=2)
    stored = training.read_material(config).stored
    training.write_split(training.splits_of(config, stored)[0], stored, tmp_path / "01")

    assert sorted(path.name for path in (tmp_path / "01").iterdir()) == ["test.csv", "train.csv"]
    assert (tmp_path / "01/test.csv").read_text(encoding="utf-8").count("\n") == 31
