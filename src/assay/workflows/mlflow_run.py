"""Figures, settings and files of a result as a run of MLflow, where that is installed and asked for.

MLflow decides where a run goes: to a file of this machine, or to the server in MLFLOW_TRACKING_URI.
"""

from collections.abc import Mapping
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from assay.errors import Field, InputError
from assay.metrics.intervals import Estimate

LONGEST_VALUE = 500
"""Letters of a parameter that every MLflow server takes."""


def require_mlflow() -> Any:
    """The module; InputError that says how to get it. Call it before any work is done."""
    try:
        return import_module("mlflow")
    except ImportError:
        remedy = ("Install it (pip install mlflow), or leave out ", Field("mlflow"), ".")
        raise InputError("MLflow is not installed", field="mlflow", remedy=remedy) from None


def log_run(
    experiment: str, *, name: str, figures: Mapping[str, Estimate], settings: Mapping[str, Any], folder: Path
) -> str:
    """Log every defined figure with its interval, every setting and all files of a folder; the id of the run."""
    mlflow = require_mlflow()
    try:
        mlflow.set_experiment(experiment)
        with mlflow.start_run(run_name=name) as run:
            mlflow.log_params({key: _shown(value) for key, value in settings.items()})
            mlflow.log_metrics(metrics_of(figures))
            mlflow.log_artifacts(str(folder))
            return str(run.info.run_id)
    except Exception as problem:
        said = " ".join(str(problem).split())[:300]
        remedy = "The results are written; check MLFLOW_TRACKING_URI and log them again."
        raise InputError(f"MLflow did not take the run: {said}", field="mlflow", remedy=remedy) from problem


def metrics_of(figures: Mapping[str, Estimate]) -> dict[str, float]:
    """Defined figures by name, and the ends of their intervals.

    >>> metrics_of({"qwk": Estimate(0.8, 0.7, 0.9), "r": Estimate(reason="one response")})
    {'qwk': 0.8, 'qwk_low': 0.7, 'qwk_high': 0.9}
    """
    ends = (("", "value"), ("_low", "low"), ("_high", "high"))
    named = {f"{name}{ending}": float(getattr(e, part)) for name, e in figures.items() for ending, part in ends}
    return {name: value for name, value in named.items() if isfinite(value)}


def _shown(value: Any) -> str:
    return str(value)[:LONGEST_VALUE]
