"""Grade annotations in Python, without files: sets and rules in, scores with their reasons out.

`AnnotationSet` holds annotations (`assay.io.annotations.files.read_annotations` reads one of any format), `Rubric` the
rules, `suggest_rubric` infers them. `prepare_truth` works the ground truth out once, `score_submission` scores against
it. For files, students and reports use `assay.rules`, `assay.grade` and `assay.agree`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # `as`: type checkers of others see these names as offered
    from assay.annotations.detection_metrics.average_precision import average_precision as average_precision
    from assay.annotations.detection_metrics.tracking import tracking_figures as tracking_figures
    from assay.annotations.grading.result import SubmissionScore as SubmissionScore
    from assay.annotations.grading.score import score_submission as score_submission
    from assay.annotations.matching.prepared_truth import prepare_truth as prepare_truth
    from assay.annotations.rubric.infer import suggest_rubric as suggest_rubric
    from assay.annotations.rubric.rubric import AttributeRule as AttributeRule
    from assay.annotations.rubric.rubric import LabelRule as LabelRule
    from assay.annotations.rubric.rubric import Rubric as Rubric
    from assay.annotations.shapes.annotation_set import AnnotationSet as AnnotationSet
    from assay.annotations.shapes.annotation_set import Image as Image

_DEFINED_IN = {
    "assay.annotations.detection_metrics.average_precision": ("average_precision",),
    "assay.annotations.detection_metrics.tracking": ("tracking_figures",),
    "assay.annotations.grading.result": ("SubmissionScore",),
    "assay.annotations.grading.score": ("score_submission",),
    "assay.annotations.matching.prepared_truth": ("prepare_truth",),
    "assay.annotations.rubric.infer": ("suggest_rubric",),
    "assay.annotations.rubric.rubric": ("AttributeRule", "LabelRule", "Rubric"),
    "assay.annotations.shapes.annotation_set": ("AnnotationSet", "Image"),
}

__all__ = [
    "AnnotationSet",
    "AttributeRule",
    "Image",
    "LabelRule",
    "Rubric",
    "SubmissionScore",
    "average_precision",
    "prepare_truth",
    "score_submission",
    "suggest_rubric",
    "tracking_figures",
]


def __getattr__(name: str) -> Any:
    # fetched when asked for, so that the modules below import nothing but themselves
    for module, names in _DEFINED_IN.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module 'assay.annotations' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
