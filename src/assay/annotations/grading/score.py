"""FRONT DOOR `score_submission`: ground truth + submission + rubric -> `SubmissionScore`.

`grade_submission` is the same for work as it is handed in: refused when its images are not those of the ground truth,
with notes on what only one side has.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.detection_metrics.benchmarks import benchmarks_of
from assay.annotations.diagnosis.taxonomy import find_errors
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.grading.parts import TrackIdentity, track_identity
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.roster import OUTLINES_BY_BOXES
from assay.annotations.matching.pairing import (
    AlignedSets,
    KeyPairs,
    Pairing,
    pair_annotations,
    pair_by_key,
)
from assay.annotations.matching.prepared_truth import PreparedTruth, align, counted_only, crowd_of
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, image_sizes
from assay.annotations.shapes.attributes import EMPTY
from assay.annotations.shapes.images import ImageNames, pair_images, path_parts, spelt_otherwise
from assay.annotations.shapes.shapes import FAMILIES, ShapeKind
from assay.errors import InputError

Flags = NDArray[np.bool_]


class OtherImagesError(InputError):
    """A submission that belongs to other images."""


def score_submission(truth: PreparedTruth, submission: AnnotationSet, rubric: Rubric | None = None) -> SubmissionScore:
    """The submission's score with all its parts; `rubric` replaces the one the ground truth was prepared with.

    Source: the scoring plan (profile `annotator-ai-1.0`), and decisions 0101 to 0122 where it leaves things open.
    """
    rules = truth.rubric if rubric is None else rubric
    against = _by_boxes(truth, submission, rules)
    scene, scope = align(against, submission, rules)
    keyed = _key_pairs(scene)
    everything = scene
    scene, pairing, left_out = counted_only(scene, pair_annotations(scene, keyed))
    attributes, comparisons = scene.compare_attributes(pairing.truth, pairing.student)
    left, right = scene.truth_counts.copy(), scene.student_counts.copy()
    left[pairing.truth] = right[pairing.student] = False
    # annotations that lie in a crowd region are no extras
    ignored = right & (scene.crowd_share > 0) & (scene.crowd_share >= scene.rubric.crowd_share)
    missed, extra = np.flatnonzero(left), np.flatnonzero(right & ~ignored)
    return SubmissionScore(
        rubric=rules,
        truth=truth.annotations,
        submission=scene.submission,
        truth_attributes=scene.truth_attributes,
        student_attributes=scene.student_attributes,
        images=scope.images,
        listed=scope.listed,
        in_scope=scope.counts,
        student_image=scene.student_image,
        match_truth=pairing.truth,
        match_student=pairing.student,
        localisation=np.minimum(pairing.similarity / rules.full_overlap, 1.0),
        label=scene.compare_labels(pairing.truth, pairing.student),
        attributes=attributes,
        by_key=pairing.by_key,
        comparisons=comparisons,
        missed=missed,
        extra=extra,
        findings=find_errors(scene, pairing, comparisons, keyed, missed, extra),
        not_scored=_not_scored(everything, left_out, ignored),
        notes=(*notes_on(scene), *_box_notes(truth, against)),
        tracks=_tracks(scene, pairing),
        benchmarks=benchmarks_of(scene, pairing),
    )


def _by_boxes(truth: PreparedTruth, submission: AnnotationSet, rules: Rubric) -> PreparedTruth:
    """The ground truth with the boxes around its outlines, for a file of boxes alone; as it is for others."""
    ours = truth.annotations
    objects = ours.families()[~truth.crowd]
    outlines = (ours.families() == FAMILIES.index("area")) & ~truth.crowd
    suits = len(submission) > 0 and bool((submission.kind == ShapeKind.BOX).all()) and bool(outlines.any())
    if rules.box_files != "boxes" or rules.across_families or not suits or (objects == FAMILIES.index("box")).any():
        return truth
    kind = np.where(outlines, np.uint8(ShapeKind.BOX), ours.kind)
    boxed = replace(ours, kind=kind, bounds=np.where(outlines[:, None], truth.geometry.extent, ours.bounds))
    return replace(truth, annotations=boxed, geometry=Geometry(boxed, truth.rubric.sigmas))


def _box_notes(truth: PreparedTruth, against: PreparedTruth) -> tuple[FileProblem, ...]:
    if against is truth:
        return ()
    outlines = int(np.count_nonzero(against.annotations.kind != truth.annotations.kind))
    return (FileProblem(OUTLINES_BY_BOXES, "compared by the boxes around them: this file has boxes only", outlines),)


def grade_submission(truth: PreparedTruth, submission: AnnotationSet) -> SubmissionScore:
    """The score with notes on images that only one side has; InputError when the work belongs to other images."""
    try:
        result = score_submission(truth, submission)
    except InputError as problem:
        raise problem.at(submission.source) from None
    known = len(truth.annotations.images)
    if submission.images and not result.listed[:known].any():
        _refuse_alike(submission, truth.annotations)
        theirs, ours = (names[0].name for names in (submission.images, truth.annotations.images))
        raise OtherImagesError(
            f"none of its {len(submission.images)} images is in the ground truth. It names them like {theirs!r}, "
            f"the ground truth like {ours!r}",
            source=submission.source,
            field="submissions",
            remedy="Export both from the same images.",
        )
    return replace(result, notes=(*result.notes, *_image_notes(result, submission, truth)))


def _key_pairs(scene: AlignedSets) -> KeyPairs:
    """Pass 1; nothing without a match key."""
    key = scene.rubric.match_key
    if key is None:
        none = np.empty(0, np.intp)
        return KeyPairs(none, none, none, none)
    return pair_by_key(
        (scene.truth_attributes.column(key), scene.student_attributes.column(key)),
        (scene.truth.image.astype(np.intp), scene.student_image),
        (scene.truth.families(), scene.submission.families()),
        (scene.truth_counts, scene.student_counts),
    )


def _not_scored(scene: AlignedSets, left_out: Mapping[str, Flags], in_crowd: Flags) -> dict[str, int]:
    """How many annotations are left out, by reason; `scene` is that of all labels."""
    ours, theirs = crowd_of(scene.truth), crowd_of(scene.submission)
    reasons = {
        "ground truth: crowd or ignore region": ours,
        "ground truth: on an image not in the submission": ~scene.truth_counts & ~ours,
        **{reason: flags for reason, flags in left_out.items() if reason.startswith("ground truth")},
        "submission: crowd or ignore region": theirs,
        "submission: on an image not in the ground truth": ~scene.student_counts & ~theirs,
        **{reason: flags for reason, flags in left_out.items() if reason.startswith("submission")},
        "submission: inside a crowd or ignore region": in_crowd,
    }
    return {reason: int(np.count_nonzero(flags)) for reason, flags in reasons.items() if flags.any()}


def _tracks(scene: AlignedSets, pairing: Pairing) -> TrackIdentity | None:
    """How well identities are kept, when both sets have tracks."""
    ours, theirs = scene.truth.track, scene.submission.track
    if ours is None or theirs is None or (ours < 0).all():
        return None
    fit = scene.fit
    overlapping = scene.candidates.truth[fit].astype(np.intp), scene.candidates.student[fit].astype(np.intp)
    # what does not count is on no track, and so are its pairs
    on_track = np.where(scene.truth_counts, ours, EMPTY), np.where(scene.student_counts, theirs, EMPTY)
    return track_identity(*on_track, overlapping, (pairing.truth, pairing.student), scene.truth.image)


def _refuse_alike(submission: AnnotationSet, truth: AnnotationSet) -> None:
    """InputError when images cannot be told apart: several have the file name of one that the ground truth lists."""
    known = {path_parts(image.name)[-1:] for image in truth.images}
    seen: dict[tuple[str, ...], str] = {}
    for image in submission.images:
        name = path_parts(image.name)[-1:]
        if name in seen and name in known:
            problem = (
                f"{seen[name]!r} and {image.name!r} are both called {name[0]!r}, and the ground truth does not say "
                f"which of them it means"
            )
            remedy = "Export both with the same folders."
            raise InputError(problem, source=submission.source, field="submissions", remedy=remedy)
        seen[name] = image.name


def _image_notes(score: SubmissionScore, submission: AnnotationSet, truth: PreparedTruth) -> list[FileProblem]:
    """Images that only one of the two files has, and what that means for the score; those that are named otherwise."""
    known = len(truth.annotations.images)
    alone = [image.name for image in score.images[known:]]
    absent = [image.name for image, listed in zip(score.images, score.listed[:known], strict=False) if not listed]
    extra = "count as extra" if score.rubric.extra_images == "extra" else "are left out"
    missed = "count as missed" if score.rubric.missing_images == "missed" else "are left out"
    notes = [
        FileProblem(f"image {names[0]!r}{' and others' if len(names) > 1 else ''}", what, len(names))
        for names, what in (
            (alone, f"not in the ground truth: annotations on them {extra}"),
            (absent, f"not in the submission: objects on them {missed}"),
        )
        if names
    ]
    if truth.names.names != [image.name for image in submission.images]:
        place = pair_images(truth.names, ImageNames(submission.images))
        pairs = spelt_otherwise(truth.annotations.images, submission.images, place)
        what = "taken for {!r} of the ground truth: the names differ in case, ending or a tool's mark"
        notes += [FileProblem(f"image {pairs[0][0]!r}", what.format(pairs[0][1]), len(pairs))] if pairs else []
    return notes


def notes_on(scene: AlignedSets) -> tuple[FileProblem, ...]:
    """Everything noteworthy: what the readers reported about both files, then what the comparison shows."""
    notes = [*scene.truth.problems, *scene.submission.problems]
    # labels of the ground truth that the rules do not mention: their attributes are not scored
    ruled = {normalised(rule.name) for rule in scene.rubric.labels}
    counts = np.bincount(scene.truth.label, minlength=len(scene.truth.labels)).tolist()
    for label, count in zip(scene.truth.labels, counts, strict=True):
        if ruled and count and normalised(label) not in ruled:
            notes.append(FileProblem(f"label {label!r}", "is in the ground truth but not in the rules", count))
    scored = [attribute.name for rule in scene.rubric.labels for attribute in rule.attributes]
    listed = {normalised(name) for name in (*scored, scene.rubric.match_key or "")}
    for key, column in scene.student_attributes.columns.items():
        if key not in listed and key not in scene.truth_attributes.columns:
            where = f"attribute {scene.student_attributes.written[key]!r}"
            what = "is in the submission but not in the rules; it is ignored"
            notes.append(FileProblem(where, what, int(np.count_nonzero(column.codes >= 0))))
    for side, own in (("ground truth", scene.truth), ("submission", scene.submission)):
        if own.images and len(own):
            sizes = image_sizes(own.images)
            limits = np.where(sizes > 0, sizes + 1, np.inf)[own.image]
            beyond = (own.bounds[:, :2] < -1).any(axis=1) | (own.bounds[:, 2:] > limits).any(axis=1)
            what = "shapes reach beyond their image; they are scored as they are"
            notes += [FileProblem(side, what, int(np.count_nonzero(beyond)))] if beyond.any() else []
    return tuple(notes)
