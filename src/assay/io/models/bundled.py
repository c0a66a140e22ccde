"""The score model that comes with the package: Generic10 for argumentative essays on a scale from 1 to 6."""

from functools import cache
from importlib.resources import files

from assay.errors import InputError
from assay.essays.models.erater.model import EssayModel
from assay.io.models.erater import document_of, model_from

PLACE = ("weights", "generic10_argument.json")


@cache
def bundled_essay_model() -> EssayModel | None:
    """The model; None if the file was left out, as its licence may require."""
    weights = files("assay.essays").joinpath(*PLACE)
    if not weights.is_file():
        return None
    return model_from(document_of(weights.read_bytes(), name=PLACE[-1]), name=PLACE[-1])


def required_bundled_model() -> EssayModel:
    """The model; InputError that says what to do without it."""
    model = bundled_essay_model()
    if model is None:
        raise InputError(
            "this copy of assay comes without a score model. Name one with --model, from `assay essays train`."
        )
    return model
