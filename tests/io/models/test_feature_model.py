"""Models on disk: JSON and skops, never pickle."""

import json
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.models.feature_model import find_feature_model, read_feature_model
from assay.rsm.feature_model import predict
from assay.workflows.rsm.tool import rsm_tool
from tests.io.rsm.rsm_training import write_training


def test_a_line_is_plain_json_and_says_what_it_was_trained_on(tmp_path: Path) -> None:
    result = rsm_tool(write_training(tmp_path), tmp_path / "out", no_report=True)
    path = tmp_path / "out" / "output" / "ours.model.json"

    model = read_feature_model(path)

    assert model.trained_on["table"] == "train.csv"
    assert model.trained_on["responses"] == 60
    scores = predict(model, result.experiment.test.used).variants["scale"]
    assert scores == pytest.approx(result.experiment.test_predictions["scale"])
    assert not list((tmp_path / "out").rglob("*.skops"))
    assert not [p for p in (tmp_path / "out").rglob("*") if p.suffix in (".model", ".ols", ".pkl")]


def test_another_estimator_is_stored_with_skops_and_gives_the_same_scores(tmp_path: Path) -> None:
    pytest.importorskip("skops")
    config = write_training(tmp_path, model="DecisionTreeClassifier")
    result = rsm_tool(config, tmp_path / "out", no_report=True)

    model = find_feature_model(tmp_path / "out", "ours")

    assert (tmp_path / "out" / "output" / "ours.model.skops").exists()
    scores = predict(model, result.experiment.test.used).variants["raw"]
    assert np.array_equal(scores, result.experiment.test_predictions["raw"])


def test_an_estimator_that_was_exchanged_is_not_opened(tmp_path: Path) -> None:
    pytest.importorskip("skops")
    config = write_training(tmp_path, model="DecisionTreeRegressor")
    rsm_tool(config, tmp_path / "out", no_report=True)
    stored = tmp_path / "out" / "output" / "ours.model.skops"
    stored.write_bytes(stored.read_bytes() + b"x")

    with pytest.raises(InputError, match="not the estimator the model was stored with"):
        find_feature_model(tmp_path / "out", "ours")


def test_types_that_no_model_has_are_not_loaded(tmp_path: Path) -> None:
    io = pytest.importorskip("skops.io")
    from hashlib import sha256

    config = write_training(tmp_path, model="DecisionTreeRegressor")
    rsm_tool(config, tmp_path / "out", no_report=True)
    path = tmp_path / "out" / "output" / "ours.model.json"
    foreign = io.dumps(Foreign())
    path.with_suffix(".skops").write_bytes(foreign)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["model"]["sha256"] = sha256(foreign).hexdigest()
    path.write_text(json.dumps(content), encoding="utf-8")

    with pytest.raises(InputError, match="holds types that no model of ours has"):
        read_feature_model(path)


class Foreign:
    """Something that is no estimator."""


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.model.json"
    path.write_text('{"schema": "other"}', encoding="utf-8")

    with pytest.raises(InputError, match="its schema is not"):
        read_feature_model(path)
    path.write_text("no json", encoding="utf-8")
    with pytest.raises(InputError, match="no JSON file"):
        read_feature_model(path)


def test_a_missing_experiment_is_named_with_those_there_are(tmp_path: Path) -> None:
    rsm_tool(write_training(tmp_path), tmp_path / "out", no_report=True)

    with pytest.raises(InputError, match=r"no model of the experiment .other.\. It holds ours"):
        find_feature_model(tmp_path / "out", "other")


def test_pickles_of_rsmtool_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "old_feature.csv").write_text("feature,transform\na,raw\n", encoding="utf-8")
    (tmp_path / "old.model").write_bytes(b"anything")

    with pytest.raises(InputError, match="kept in a pickle, which is not opened"):
        find_feature_model(tmp_path, "old")
