"""Which code does which kind of work; it is imported by the worker that first needs it."""

from collections.abc import Mapping
from importlib import import_module

from assay.web.worker.outcome import Prepare

HANDLERS: Mapping[str, str] = {
    "evaluation": "assay.web.worker.evaluation",
    "annotations": "assay.web.worker.annotations",
    "annotations-together": "assay.web.worker.annotations",
    "essays": "assay.web.worker.essays",
    "essays-train": "assay.web.worker.essay_training",
    "essays-refit": "assay.web.worker.essay_training",
}
"""Kind of a job -> the module whose `prepare` does it."""


def prepare_for(kind: str) -> Prepare:
    """The `prepare` of a kind of job."""
    prepare: Prepare = import_module(HANDLERS[kind]).prepare
    return prepare
