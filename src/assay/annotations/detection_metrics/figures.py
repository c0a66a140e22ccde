"""`Benchmarks`: the figures of benchmarks that stand beside a score."""

from dataclasses import dataclass

from assay.annotations.detection_metrics.average_precision import DetectionFigures
from assay.annotations.detection_metrics.conflicts import Conflicts
from assay.annotations.detection_metrics.tracking import TrackingFigures


@dataclass(frozen=True, slots=True)
class Benchmarks:
    """Figures beside the score; None for what does not apply."""

    detection: DetectionFigures | None = None
    """Of bounding boxes, where the submission states confidences."""
    shape_detection: DetectionFigures | None = None
    """Of outlines and masks, where the ground truth has them and the submission states confidences."""
    tracking: TrackingFigures | None = None
    """Where both sides have tracks."""
    conflicts: Conflicts | None = None
    """Where the ground truth has groups or lines, or the submission boxes that hide each other."""
