"""Any model that scores essays, from its file: which kind it is, the file says."""

from pathlib import Path

from assay.essays.models.calibrated.calibrate import CalibratedModel
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.hybrid.model import HybridModel
from assay.io.models.calibrated import calibrated_from
from assay.io.models.erater import model_from, read_document
from assay.io.models.hybrid import hybrid_from

ScoringModel = EssayModel | HybridModel | CalibratedModel

HYBRID_KINDS = frozenset({"hybrid", "calibrated"})


def read_scoring_model(path: Path) -> ScoringModel:
    """The model of a file; InputError if it is none, is damaged or is of another version."""
    document = read_document(path)
    if document.get("kind") == "hybrid":
        return hybrid_from(document, name=str(path))
    if document.get("kind") == "calibrated":
        return calibrated_from(document, name=str(path))
    return model_from(document, name=str(path))
