"""Models that RSMTool 12 stored: the same scores after conversion; anything else is refused in a child."""

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.io.models.rsmtool_model import StoredModel, open_pickle, read_rsmtool_model, stored_model
from assay.rsm.feature_model import predict
from assay.rsm.types import FeatureTable
from tests.io.models.test_restricted_pickle import PICKLED, Runs
from tests.paths import EXAMPLES

# pred_processed of RSMTool 12.0.0 with scikit-learn 1.4.2, trained on examples/training.csv with words and engine_b
RAW = {
    "line": [2.822718811941515, 2.559112065651812, 3.3040147467544485, 3.673027964185698, 3.046666093963039],
    "tree": [3.022222222222222, 2.2972972972972974, 3.323529411764706, 3.7549019607843137, 3.323529411764706],
}
SCALED = {
    "line": [2.5571590977626064, 2.2003556350061384, 3.2086145653064366, 3.708090377802054, 2.860281710612445],
    "tree": [2.836852037000124, 1.8683235426283469, 3.2394104104223036, 3.81574127041935, 3.2394104104223036],
}


def responses(count: int) -> FeatureTable:
    frame = pl.read_csv(EXAMPLES / "scores.csv").head(count)
    matrix = frame.select("engine_b", "words").to_numpy().astype(float)
    return FeatureTable(frame["id"].to_numpy(), ("engine_b", "words"), matrix, frame["human"].to_numpy())


@pytest.mark.parametrize("name", RAW)
def test_a_converted_model_gives_the_scores_of_rsmtool(name: str) -> None:
    model = read_rsmtool_model(PICKLED / f"{name}.model", trust_pickle=True)
    scored = predict(model, responses(len(RAW[name])))
    assert scored.variants["raw"] == pytest.approx(RAW[name], abs=1e-12)
    assert scored.variants["scale"] == pytest.approx(SCALED[name], abs=1e-12)


def test_nothing_is_opened_without_a_word_of_trust() -> None:
    with pytest.raises(InputError, match="could run anything") as caught:
        read_rsmtool_model(PICKLED / "line.model")
    assert caught.value.field == "trust_pickle"


def test_a_hostile_pickle_ends_in_a_child_without_effect(tmp_path: Path) -> None:
    path = tmp_path / "evil.model"
    canary = tmp_path / "pwned"
    import os

    path.write_bytes(pickle.dumps({"learner": Runs(os.system, f"touch {canary}")}))
    with pytest.raises(InputError, match=r"^evil\.model: it names (posix|nt)\.system"):
        read_rsmtool_model(path, trust_pickle=True)
    assert not canary.exists()


@pytest.mark.parametrize(
    "content", [b"", b"not a pickle", b"\x80\x04N.", pickle.dumps([1, 2]), b"\x80\x05\x95" + b"\xff" * 8]
)
def test_what_is_no_model_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.model"):
        read_rsmtool_model(path, trust_pickle=True)


def test_a_cut_model_is_refused(tmp_path: Path) -> None:
    whole = (PICKLED / "tree.model").read_bytes()
    for share in (0.1, 0.5, 0.9, 0.99):
        path = tmp_path / "cut.model"
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(InputError):
            open_pickle_cleanly(path)


def open_pickle_cleanly(path: Path) -> StoredModel:
    from assay.errors import input_errors

    with input_errors(path.name):
        return open_pickle(path)


def test_the_configuration_beside_a_model_says_how_features_are_prepared(tmp_path: Path) -> None:
    path = Path(shutil.copy(PICKLED / "line.model", tmp_path / "ours.model"))
    assert read_rsmtool_model(path, trust_pickle=True).preparation.standardize
    saved = {"standardize_features": False, "truncate_outliers": False}
    (tmp_path / "ours_rsmtool.json").write_text(json.dumps(saved), encoding="utf-8")
    preparation = read_rsmtool_model(path, trust_pickle=True).preparation
    assert (preparation.standardize, preparation.truncate) == (False, False)


def stored(change: Any) -> StoredModel:
    from assay.io.models.restricted_pickle import restricted_load

    modeler = restricted_load((PICKLED / "line.model").read_bytes())
    change(modeler.state)
    return stored_model(modeler, "m.model")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda state: state.update(learner=None), "holds no model"),
        (lambda state: state.update(h1_mean=None), "stored without h1_mean"),
        (lambda state: state.update(trim_min="1"), "stored without trim_min"),
        (lambda state: state.update(feature_info=None), "table of features cannot be read"),
        (lambda state: state["learner"].state.update(_feature_scaling="both"), "scales or samples"),
        (lambda state: state["learner"].state.update(feat_vectorizer=None), "which features it takes"),
        (lambda state: state["learner"].state.update(_model=np.zeros(2)), "cannot be converted"),
        (lambda state: state["learner"].state["feat_selector"].state.update(scores_=np.ones(5)), "do not fit"),
    ],
)
def test_a_model_that_lacks_something_says_what(change: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        stored(change)


def test_a_model_is_plain_values() -> None:
    line = stored(lambda _: None)
    assert (line.name, line.features) == ("LinearRegression", ("engine_b", "words"))
    assert line.coefficients is not None
    assert len(line.parameters) == 2
    assert line.scaling["trim_max"] == 6.0
