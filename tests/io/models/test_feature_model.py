"""Models on disk: JSON and skops, never pickle."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError, MissingExtra
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
    with pytest.raises(InputError, match="is not JSON"):
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


def test_the_tables_of_an_experiment_are_a_model_too(tmp_path: Path) -> None:
    result = rsm_tool(write_training(tmp_path), tmp_path / "out", no_report=True)
    output = tmp_path / "out" / "output"
    (output / "ours.model.json").unlink()
    model = find_feature_model(tmp_path / "out", "ours")
    assert model.trained_on == {"experiment_id": "ours"}
    scores = predict(model, result.experiment.test.used).variants
    for name in ("raw", "scale", "raw_trim_round"):
        assert scores[name] == pytest.approx(result.experiment.test_predictions[name])


@pytest.mark.parametrize(
    ("part", "values"),
    [
        ("model", {"coefficients": [[1], [1, 2]]}),
        ("model", {"coefficients": [1e999, 1, 1]}),
        ("model", {"coefficients": ["a", 1, 1]}),
        ("model", {"coefficients": [1]}),
        ("model", {"coefficients": {}}),
        ("model", {"intercept": None}),
        ("model", {"features": 7}),
        ("model", {"points": "high"}),
        ("model", {"coefficients": None, "estimator": "../other.skops", "sha256": ""}),
        ("preparation", {"standardize": "yes"}),
        ("preparation", {"unknown": 1}),
        ("postprocessing", {"h1_sd": "wide"}),
        ("postprocessing", {"trim_min": float("nan")}),
        ("trained_on", 7),
        ("features", [7]),
        ("features", None),
        ("postprocessing", None),
    ],
)
def test_a_model_of_wrong_shapes_is_refused(tmp_path: Path, part: str, values: object) -> None:
    rsm_tool(write_training(tmp_path), tmp_path / "out", no_report=True)
    path = tmp_path / "out" / "output" / "ours.model.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content[part] = content[part] | values if isinstance(values, dict) else values
    if isinstance(values, dict) and values.get("coefficients", 0) is None:
        del content[part]["coefficients"]
    path.write_text(json.dumps(content), encoding="utf-8")

    with pytest.raises(InputError, match=r"ours\.model\.json: damaged|other\.skops"):
        read_feature_model(path)


def test_a_model_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.model.json"
    path.write_text('{"schema":' + "[" * 100_000, encoding="utf-8")
    with pytest.raises(InputError, match="nests lists or objects too deeply"):
        read_feature_model(path)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("coefficients", "feature,weight\nIntercept,0.5\n"),
        ("coefficients", "feature,coefficient\na,0.5\n"),
        ("postprocessing_params", "trim_min,trim_max\n"),
        ("feature", "feature,transform,other\na,raw,1\n"),
    ],
)
def test_tables_that_rsmtool_did_not_write_are_no_model(tmp_path: Path, table: str, text: str) -> None:
    moments = "train_mean,train_sd,train_transformed_mean,train_transformed_sd"
    after = ("trim_min", "trim_max", "h1_mean", "h1_sd", "train_predictions_mean", "train_predictions_sd")
    tables = {
        "feature": f"feature,transform,sign,{moments}\na,raw,1,1,1,1,1\n",
        "coefficients": "feature,coefficient\nIntercept,0.5\na,0.5\n",
        "postprocessing_params": f"{','.join(after)}\n1,6,3,1,3,1\n",
    }
    for name, content in (tables | {table: text}).items():
        (tmp_path / f"ours_{name}.csv").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="not those of a model that RSMTool wrote"):
        find_feature_model(tmp_path, "ours")


def test_an_estimator_needs_the_part_that_keeps_and_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("skops")
    config = write_training(tmp_path, model="DecisionTreeRegressor")
    rsm_tool(config, tmp_path / "out", no_report=True)
    monkeypatch.setitem(sys.modules, "skops.io", None)
    with pytest.raises(MissingExtra, match=r"Reading a model that is no line needs .*assay-scoring\[models\]"):
        find_feature_model(tmp_path / "out", "ours")
    with pytest.raises(MissingExtra, match=r"Keeping a model that is no line needs .*assay-scoring\[models\]"):
        rsm_tool(config, tmp_path / "again", no_report=True)


def test_an_estimator_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    pytest.importorskip("skops")
    config = write_training(tmp_path, model="DecisionTreeRegressor")
    rsm_tool(config, tmp_path / "out", no_report=True)
    stored = tmp_path / "out" / "output" / "ours.model.skops"
    stored.unlink()
    with pytest.raises(InputError, match="cannot be read: No such file") as refused:
        find_feature_model(tmp_path / "out", "ours")
    assert (refused.value.source, refused.value.field) == (str(stored), "model")
    assert refused.value.remedy == "It belongs to the model."
