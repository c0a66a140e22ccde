"""Every model says what it was trained on, for whom, how well, and what it is not for."""

from dataclasses import replace

from assay.essays.models.card import with_card
from assay.essays.models.erater.model import TrainingPlan
from assay.essays.models.erater.published import published_model
from assay.essays.models.erater.train import train_model
from tests.essays.models.erater.made_essays import made_table


def test_a_trained_model_states_essays_prompts_agreement_and_what_it_is_not_for() -> None:
    model = with_card(train_model(made_table(200), TrainingPlan(kind="generic10")))
    assert "200 essays" in model.extra["trained_on"]
    assert "QWK" in model.extra["accuracy"]
    assert model.extra["not_for"].startswith("Not for: decisions about a person")
    assert with_card(model).extra == model.extra


def test_what_a_model_says_of_itself_stays_and_what_was_not_measured_is_said() -> None:
    model = with_card(replace(published_model(), extra={"population": "For: us."}))
    assert model.extra["population"] == "For: us."
    assert model.extra["accuracy"] == "Accuracy: not measured on essays it had not seen."
