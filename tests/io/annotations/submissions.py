"""Submissions read at once, as tests look at them."""

from collections.abc import Sequence
from pathlib import Path

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.annotations.columns import Prefer
from assay.io.annotations.detect import FormatReading
from assay.io.annotations.files import Submission, each_submission
from assay.io.image_files import ImageFiles


def read_submissions(
    paths: Sequence[Path],
    *,
    like: AnnotationSet | None = None,
    prefer: Prefer = "shape",
    images: ImageFiles | None = None,
) -> list[Submission]:
    return list(each_submission(paths, FormatReading(like, prefer, images=images)))
