"""The score model that comes with the package: Generic10 for argumentative essays on a scale from 1 to 6."""

from functools import cache
from importlib.resources import files

from assay.errors import Field, InputError
from assay.essays.models.scoring_model import ScoringModel
from assay.io.models.scoring_models import scoring_model_of

PLACE = ("weights", "generic10_argument.json")


@cache
def bundled_essay_model() -> ScoringModel | None:
    """The model; None if the file was left out, as its license may require."""
    weights = files("assay.essays").joinpath(*PLACE)
    return scoring_model_of(weights.read_bytes(), name=PLACE[-1]) if weights.is_file() else None


def required_bundled_model() -> ScoringModel:
    """The model; InputError that says what to do without it."""
    model = bundled_essay_model()
    if model is None:
        raise InputError(
            "this copy of assay comes without a score model",
            field="model",
            remedy=("Name one with ", Field("model"), "; training a model writes one."),
        )
    return model
