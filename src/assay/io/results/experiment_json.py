"""An `Experiment` as one JSON file: what was learned, the scores' evaluation, what was left out."""

import json
from dataclasses import asdict
from typing import Any

from assay.evaluation.result import Evaluation
from assay.io.results.result_json import plain
from assay.provenance import Provenance
from assay.rsm.experiment import Experiment
from assay.rsm.types import Partition

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
        error, t, p = fit.tests()
        rows = zip(fit.names, fit.estimates.tolist(), error.tolist(), t.tolist(), p.tolist(), strict=True)
        content["fit"] = {
            "responses": fit.n,
            "r2": plain(fit.r2),
            "adjusted_r2": plain(fit.adjusted_r2),
            "estimates": [
                {"name": name, "estimate": plain(b), "se": plain(se), "t": plain(t), "p": plain(p)}
                for name, b, se, t, p in rows
            ],
        }
    return content
