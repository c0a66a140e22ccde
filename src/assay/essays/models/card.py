"""The card of a model, in its file and its report: trained on what, for whom, how well, not for what."""

from dataclasses import replace
from math import isfinite
from typing import TypeVar

from assay.essays.models.scoring_model import ScoringModel

Model = TypeVar("Model", bound=ScoringModel)

NOT_FOR = (
    "Not for: decisions about a person without a human reader; essays in other languages or of other genres, or of "
    "writers unlike those it was trained on; comparisons of groups before agreement was measured for each."
)


def with_card(model: Model) -> Model:
    """The model with its card; what the model says already of itself stays as it is.

    `trained_on`, `population`, `accuracy` and `not_for` are kept in `ScoringModel.extra`, beside name and licence.
    """
    training, number = model.training, len(model.training.prompts)
    prompts = f"{number} prompt{'s' * (number != 1)}" if number else "prompts that were not named"
    known = {name: value for name, value in model.agreement.items() if isfinite(value)}
    measured = "not measured on essays it had not seen"
    if {"qwk", "kappa", "exact"} <= known.keys():
        measured = "on essays it had not seen, QWK {qwk:.2f}, kappa {kappa:.2f}, exact agreement {exact:.0f} %"
    card = {
        "trained_on": f"Trained on {training.essays:,} essays of {prompts}, scored {model.scale}.",
        "population": "For: essays like those it was trained on, by writers like theirs.",
        "accuracy": f"Accuracy: {measured.format(**known)}.",
        "not_for": NOT_FOR,
    }
    return replace(model, extra={**card, **model.extra})
