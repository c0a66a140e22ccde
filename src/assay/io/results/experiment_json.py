"""An `Experiment` as one JSON file: what was learned, the scores' evaluation, what was left out."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from assay.evaluation.result import Evaluation
from assay.provenance import Provenance
from assay.rsm.experiment import Experiment
from assay.rsm.types import Partition

if TYPE_CHECKING:
    pass
from assay.io.results.result_json import plain

EXPERIMENT = "assay.experiment/1"


def experiment_json(
    experiment: Experiment, evaluation: Evaluation, provenance: Provenance, *, experiment_id: str
) -> str:
    """Everything of an experiment but its rows."""
    content = {
        "schema": EXPERIMENT,
        "experiment_id": experiment_id,
        "provenance": plain(provenance),
        "plan": plain(asdict(experiment.plan)),
        "training": _partition(experiment.train),
        "evaluation_responses": _partition(experiment.test),
        "without_human_score": 0 if experiment.unscored is None else len(experiment.unscored.used),
        "features": [asdict(parameter) for parameter in experiment.parameters],
        "dropped_features": list(experiment.dropped),
        "model": _model(experiment),
        "postprocessing": asdict(experiment.postprocessing),
        "notes": list(experiment.notes),
        "evaluation": plain(evaluation) | {"figures": plain(evaluation.figures())},
    }
    return json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n"


def _partition(partition: Partition) -> dict[str, Any]:
    return {
        "read": len(partition.read),
        "used": len(partition.used),
        "left_out": partition.left_out(),
        "missing_values_filled": partition.filled,
    }


def _model(experiment: Experiment) -> dict[str, Any]:
    model, fit = experiment.model, experiment.fit
    content: dict[str, Any] = {"name": model.name, "features": list(model.features), "objective": experiment.objective}
    if model.coefficients is not None:
        content |= {"intercept": model.intercept, "coefficients": model.coefficients.tolist()}
    if fit is not None:
        columns = (fit.names, fit.estimates.tolist(), *(test.tolist() for test in fit.tests()))
        keys = ("name", "estimate", "se", "t", "p")
        estimates = [dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True)]
        figures = {"responses": fit.n, "r2": fit.r2, "adjusted_r2": fit.adjusted_r2, "estimates": estimates}
        content["fit"] = plain(figures)
    return content
