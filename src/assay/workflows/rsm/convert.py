"""`rsm_convert`: a model that RSMTool stored as a pickle, as one that can be read without running anything."""

from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path

from assay.errors import InputError
from assay.execution.observer import SILENT, Observer
from assay.io.models.feature_model import write_feature_model
from assay.io.models.rsmtool_model import read_rsmtool_model
from assay.provenance import created
from assay.rsm.feature_model import FeatureModel
from assay.workflows.arguments import check_arguments


@dataclass(frozen=True, eq=False, slots=True)
class ConvertedModel:
    """The model of a pickle."""

    model: FeatureModel
    source: Path

    def __repr__(self) -> str:
        features = len(self.model.model.features)
        return f"ConvertedModel: {self.model.model.name} with {features} features, from {self.source.name}"

    def write(self, out: str | PathLike[str] | None = None, *, force: bool = False) -> Path:
        """Write it as .model.json, and its estimator as .model.skops beside it where it is no line."""
        path = self.source.with_suffix(".model.json") if out is None else Path(out)
        if not path.name.endswith(".model.json"):
            remedy = "Name a file that ends in .model.json, so that predictions find it."
            raise InputError(f"{path.name!r} is no name of a model", field="out", remedy=remedy)
        if path.exists() and not force:
            raise InputError("it exists already", source=path, field="out", remedy="Choose another name, or force it.")
        if not path.parent.is_dir():
            raise InputError("the folder does not exist", source=path.parent, field="out", remedy="Create it first.")
        digest = sha256(self.source.read_bytes()).hexdigest()
        write_feature_model(path, self.model, {**self.model.trained_on, "sha256": digest, "made": created()})
        return path


def rsm_convert(
    model: str | PathLike[str], *, trust_pickle: bool = False, observer: Observer = SILENT
) -> ConvertedModel:
    """Convert a model that RSMTool stored as a pickle into one that can be read without running anything.

    A pickle is a program. Only names that a model of RSMTool needs mean anything in it (arrays, estimators of our
    list); anything else is refused, and all of it is read in a process with bounded memory and time.

    Parameters
    ----------
    model
        The file `ID.model` in the folder `output` of an experiment.
    trust_pickle
        That you made the file yourself, or trust whoever did. Without it nothing is opened.
    observer
        Who may stop it.

    Returns
    -------
    ConvertedModel
        The model; `.write()` writes `ID.model.json` beside it, where `rsm_predict` finds it.

    Examples
    --------
    >>> rsm_convert("results/output/ours.model")
    Traceback (most recent call last):
    assay.errors.InputError: results/output/ours.model: it is a pickle, a program that could run anything ...
    """
    check_arguments(rsm_convert, locals())
    path = Path(model)
    converted = ConvertedModel(read_rsmtool_model(path, trust_pickle=trust_pickle), path)
    observer.check()
    return converted
