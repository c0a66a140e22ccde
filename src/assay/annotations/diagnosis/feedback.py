"""The habits of a student: what causes the errors of a submission, in plain sentences, each with what it costs.

Many checks are made; their p values are adjusted together (Holm). What is sure is undone, the submission is scored
again, and everything is asked once more of what is left: so one habit gives one piece of advice and not one for each
of its consequences. The points it costs are those the score gains. What is not supported is not said.
"""

from dataclasses import dataclass, replace

import numpy as np

from assay.annotations.diagnosis.evidence import Check, HabitAdvice
from assay.annotations.diagnosis.habit_checks import BEFORE_PLACEMENT, CHECKS
from assay.annotations.diagnosis.placement import PLACEMENT_KINDS, placement_check
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, crowd_of
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.images import ImageNames
from assay.metrics.intervals import holm

LEVEL = 0.01
MOST_HABITS = 6
LEAST_GAIN = 0.1
"""Points; a habit that costs less is not worth a sentence."""
MOST_REFINEMENTS = 3
MOST_SHOWN = 40
"""Objects and annotations named as examples of a habit."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What can be said to a student, the most costly habit first, and how many checks were made to find it."""

    advice: tuple[HabitAdvice, ...]
    checks: int
    level: float = LEVEL


def give_feedback(score: SubmissionScore, truth: PreparedTruth | None = None) -> Feedback:
    """The systematic errors of a submission; `truth` is what it was scored against, prepared anew if not given."""
    prepared = truth or _prepared(score)
    checks, sure = _sure(score, prepared)
    advice: list[HabitAdvice] = []
    now = score
    while sure and len(advice) < MOST_HABITS:
        for check in sure:
            cause, after = _undone(check, now, prepared)
            gain = after.overall - now.overall
            if gain >= LEAST_GAIN:
                advice.append(_advice(cause, score, gain))
                now = after
                break
        else:
            break
        _, sure = _sure(now, prepared)
    return Feedback(tuple(sorted(advice, key=lambda one: -one.gain)), checks)


def _prepared(score: SubmissionScore) -> PreparedTruth:
    ours, rubric = score.truth, score.rubric
    geometry, names = Geometry(ours, rubric.sigmas), ImageNames(ours.images)
    return PreparedTruth(ours, rubric, geometry, names, score.truth_attributes, crowd_of(ours))


def _sure(score: SubmissionScore, truth: PreparedTruth) -> tuple[int, list[Check]]:
    """How many checks are made, and those that are no chance: causes before what they cause, clear before less so."""
    order = [*CHECKS[:BEFORE_PLACEMENT], lambda own, _: placement_check(own), *CHECKS[BEFORE_PLACEMENT:]]
    asked = [(place, check) for place, ask in enumerate(order) for check in ask(score, truth)]
    adjusted = holm(np.array([check.evidence.p for _, check in asked])).tolist()
    sure = [
        (place, p, replace(check, evidence=replace(check.evidence, p=p)))
        for (place, check), p in zip(asked, adjusted, strict=True)
        if p < LEVEL
    ]
    return sum(check.questions for _, check in asked), [check for *_, check in sorted(sure, key=lambda one: one[:2])]


def _undone(check: Check, score: SubmissionScore, truth: PreparedTruth) -> tuple[Check, SubmissionScore]:
    """The score without a habit. Where shapes are off, that finds pairs which tell better how far they are off."""
    after = rescored(score, truth, check.undo())
    if check.kind not in PLACEMENT_KINDS:
        return check, after
    for _ in range(MOST_REFINEMENTS):
        (again,) = placement_check(score, after)
        better = rescored(score, truth, again.undo())
        if again.evidence.p >= LEVEL or better.overall <= after.overall:
            break
        check, after = again, better
    return check, after


def rescored(score: SubmissionScore, truth: PreparedTruth, submission: AnnotationSet) -> SubmissionScore:
    """The score of a corrected submission; people's overrides of what is unchanged hold."""
    # sizes were brought into line when the score was made: once is enough
    images = tuple(replace(image, width=0.0, height=0.0) for image in submission.images)
    result = score_submission(truth, replace(submission, images=images), score.rubric)
    if score.original is None:
        return result
    decided = _decided(score, score.original)
    pairs = zip(result.match_truth.tolist(), result.match_student.tolist(), strict=True)
    return replace(
        result,
        excused=np.isin(result.missed, score.missed[~score.missed_counts]),
        accepted=np.isin(result.extra, score.extra[~score.extra_counts]),
        match_override=np.array([decided.get(pair, np.nan) for pair in pairs], dtype=float),
        original=score.original,
    )


def _decided(score: SubmissionScore, original: SubmissionScore) -> dict[tuple[int, int], float]:
    """Object and annotation -> the score of their match, where people changed it or its label or an attribute."""
    pairs = list(zip(score.match_truth.tolist(), score.match_student.tolist(), strict=True))
    if pairs == list(zip(original.match_truth.tolist(), original.match_student.tolist(), strict=True)):
        changed = score.match_scores != original.match_scores
    else:  # an earlier habit is undone: what was decided is kept as an override of the match
        changed = ~np.isnan(score.match_override) if score.match_override is not None else np.zeros(len(pairs), bool)
    return {pairs[row]: float(score.match_scores[row]) for row in np.flatnonzero(changed).tolist()}


def _advice(check: Check, score: SubmissionScore, gain: float) -> HabitAdvice:
    """The check as something to say, with what shows it on the first of its images."""
    image = next((i for i, one in enumerate(score.images) if check.images and one.name == check.images[0]), -1)
    objects = check.objects[score.truth.image[check.objects] == image][:MOST_SHOWN]
    own = check.annotations[check.annotations < len(score.submission)]  # not what was put in for another habit
    own = own[score.student_image[own] == image][:MOST_SHOWN]
    shown = tuple(objects.tolist()), tuple(own.tolist())
    return HabitAdvice(check.kind, check.sentence, check.evidence, check.images, gain, *shown)
