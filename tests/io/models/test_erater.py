"""Files of models that weigh features."""

import json

import pytest

from assay.essays.models.erater.model import TrainingPlan
from assay.essays.models.erater.train import train_model
from assay.io.models.scoring_models import model_document, model_from
from tests.essays.models.erater.made_essays import made_table


@pytest.mark.parametrize("plan", [TrainingPlan(kind="specific"), TrainingPlan(curved=True)])
def test_a_document_read_and_written_again_is_the_same(plan: TrainingPlan) -> None:
    document = json.loads(json.dumps(model_document(train_model(made_table(300), plan))))
    assert json.loads(json.dumps(model_document(model_from(document)))) == document


def test_a_shape_this_program_does_not_know_is_refused() -> None:
    document = model_document(train_model(made_table(200)))
    document["features"][0]["shape"] = "cube"
    with pytest.raises(ValueError, match="cube"):
        model_from(document)


def test_a_file_of_before_parts_were_named_states_none() -> None:
    document = model_document(train_model(made_table(200)))
    del document["reads_with"]
    assert model_from(document).reads_with == {}
