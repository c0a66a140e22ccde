"""`rsm_convert`: beside the pickle lies a model that predictions find."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import assay
from assay.errors import InputError
from assay.workflows.rsm.convert import rsm_convert
from tests.io.models.test_restricted_pickle import PICKLED
from tests.io.models.test_rsmtool_model import RAW
from tests.paths import EXAMPLES


@pytest.mark.parametrize("name", ["line", "tree"])
def test_predictions_find_the_converted_model(name: str, tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    path = shutil.copy(PICKLED / f"{name}.model", tmp_path / "output" / "ours.model")
    result = rsm_convert(path, trust_pickle=True)
    written = result.write()
    assert written.name == "ours.model.json"
    assert "2 features, from ours.model" in repr(result)
    config = {"experiment_id": "ours", "experiment_dir": str(tmp_path), "id_column": "id"}
    config |= {"input_features_file": str(EXAMPLES / "scores.csv"), "human_score_column": "human"}
    assay.rsm_predict(config, tmp_path / "scores.csv")
    assert pl.read_csv(tmp_path / "scores.csv")["raw"].head(5).to_list() == pytest.approx(RAW[name], abs=1e-12)


def test_a_model_is_not_replaced_unasked(tmp_path: Path) -> None:
    result = rsm_convert(PICKLED / "line.model", trust_pickle=True)
    path = result.write(tmp_path / "a.model.json")
    with pytest.raises(InputError, match="exists already"):
        result.write(path)
    result.write(path, force=True)
    with pytest.raises(InputError, match=r"ends in \.model\.json"):
        result.write(tmp_path / "a.json")
    with pytest.raises(InputError, match="does not exist"):
        result.write(tmp_path / "no" / "a.model.json")
