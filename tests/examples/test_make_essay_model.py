"""The example model is what its maker trains, or nearly."""

import json

import pytest

from assay.io.models.scoring_models import model_bytes
from examples.make_essay_model import trained_example_model
from tests.paths import EXAMPLES


def test_the_example_model_is_about_what_training_gives() -> None:
    # about: a change to a rule that marks errors moves the weights a little, and the example need not be made again
    shipped = json.loads((EXAMPLES / "essay_model.json").read_bytes())
    trained = json.loads(model_bytes(trained_example_model().model))
    assert trained["equations"][""]["weights"]
    for name, weight in trained["equations"][""]["weights"].items():
        assert shipped["equations"][""]["weights"][name]["percent"] == pytest.approx(weight["percent"], abs=4)
