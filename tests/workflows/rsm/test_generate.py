"""`rsm_generate`: a file to start from, with answers where somebody gave them."""

import json
from pathlib import Path

import pytest

import assay
from assay.errors import InputError
from assay.workflows.rsm.generate import rsm_generate
from tests.paths import EXAMPLES


def test_answers_go_into_the_file_and_the_rest_is_marked(tmp_path: Path) -> None:
    config = rsm_generate("tool", values={"experiment_id": "ours"}, ask=lambda option: f"my {option.name}")
    assert config.missing == ()
    path = config.write(tmp_path / "config.json")
    assert json.loads(path.read_text("utf-8"))["train_file"] == "my train_file"
    with pytest.raises(InputError, match="exists already"):
        config.write(path)
    config.write(path, force=True)
    assert rsm_generate("tool").missing == ("experiment_id", "model", "train_file", "test_file")


def test_a_generated_configuration_runs(tmp_path: Path) -> None:
    values = {"experiment_id": "ours", "predictions_file": str(EXAMPLES / "scores.csv"), "trim_min": 1, "trim_max": 6}
    config = rsm_generate("eval", values={**values, "system_score_column": "engine_a"})
    options = {**config.options, "id_column": "id", "human_score_column": "human"}
    assert round(assay.rsm_eval(options).evaluation.figures()["qwk"].value, 2) == 0.82


def test_only_needed_options_have_values() -> None:
    with pytest.raises(InputError, match="'subgroups' is not a needed option"):
        rsm_generate("eval", values={"subgroups": "a"})
