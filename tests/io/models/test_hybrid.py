"""Files of hybrid and calibrated models."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.calibrated.calibrate import calibrate
from assay.essays.models.calibrated.model import score_calibrated
from assay.essays.models.hybrid.model import HybridModel, score_read
from assay.essays.models.hybrid.train import train_hybrid
from assay.essays.models.resolution import HumanScores
from assay.io.models.hybrid import calibrated_document, calibrated_from, hybrid_document, hybrid_from
from assay.io.models.model_json import undamaged
from assay.scale import ScoreScale
from tests.essays.models.hybrid.made_essays import made_essays

PROMPTS = ("dogs", "trains", "gardens")


@pytest.fixture(scope="module")
def model() -> HybridModel:
    essays, scores = made_essays(90, PROMPTS)
    return train_hybrid(essays, HumanScores(scores))


def test_a_hybrid_read_back_gives_the_same_scores_and_transfers_alike(model: HybridModel) -> None:
    back = hybrid_from(hybrid_document(model))
    new, _ = made_essays(12, PROMPTS, seed=9)

    assert repr(score_read(new, back)) == repr(score_read(new, model))
    assert back.transfer is not None
    assert model.transfer is not None
    assert back.transfer.levels == model.transfer.levels


def test_a_calibrated_model_read_back_gives_the_same_scores(model: HybridModel) -> None:
    assert model.transfer is not None
    essays, human = made_essays(40, ("gardens",), seed=6)
    scores = np.where(np.arange(len(human)) < 10, human, np.nan)
    calibrated = calibrate(model.transfer, essays, scores, ScoreScale(1, 6))

    back = calibrated_from(calibrated_document(calibrated))

    assert [s.raw for s in score_calibrated(essays, back)] == [s.raw for s in score_calibrated(essays, calibrated)]
    assert back.training == calibrated.training


def test_a_file_of_other_measures_is_refused(model: HybridModel) -> None:
    with pytest.raises(InputError, match="other measures") as refused:
        hybrid_from(hybrid_document(model) | {"measures": ["words"]})
    assert refused.value.remedy


def test_a_file_without_its_parts_is_damaged(model: HybridModel) -> None:
    document = hybrid_document(model) | {"parts": {}}
    with pytest.raises(InputError, match=r"model\.json: is damaged.*Train the model again"), undamaged("model.json"):
        hybrid_from(document)


def test_a_model_of_before_squares_counted_is_not_read(model: HybridModel) -> None:
    document = hybrid_document(model)
    document["transfer"]["features"] = document["transfer"].pop("curves")
    with pytest.raises(InputError, match="earlier version"), undamaged("old.json"):
        hybrid_from(document)
