"""Systematic errors are found, named with their evidence, and not invented."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from accuracy.annotation_habits import HABITS, STREET, kinds, student
from assay.annotations.diagnosis.feedback import Feedback, give_feedback
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from tests.annotations.drawn import Drawn, annotation_set, polygon
from tests.annotations.random_students import careful, changed, city


def feedback_on(truth: list[Drawn], student: list[Drawn]) -> Feedback:
    images = sorted({one.image for one in truth})
    prepared = prepare_truth(annotation_set(*truth, images=images))
    return give_feedback(score_submission(prepared, annotation_set(*student, images=images)))


def feedback_on_habit(habit: Callable[[Drawn], Drawn | None], seed: int = 1) -> Feedback:
    rng = np.random.default_rng(seed)
    truth = city(rng)
    return feedback_on(truth, changed(careful(truth, rng), habit))


def moved(one: Drawn, *by: float) -> Drawn:
    """Edges moved by shares of the object's sides: left, top, right, bottom."""
    width, height = one.box[2] - one.box[0], one.box[3] - one.box[1]
    edges = np.array(one.box) + np.array(by) * np.array([width, height, width, height])
    return replace(one, box=tuple(edges.tolist()))


def test_chance_errors_alone_are_rarely_called_systematic() -> None:
    """At most one submission in twenty by design; measured here on 60."""
    alarms = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        truth = city(rng, images=12)
        alarms += bool(feedback_on(truth, careful(truth, rng)).advice)
    assert alarms <= 6


def test_a_gap_on_the_right_side_is_found_with_its_size() -> None:
    feedback = feedback_on_habit(lambda one: moved(one, 0, 0, -0.06, 0))
    (advice,) = feedback.advice
    assert advice.kind == "right edge"
    assert "short of the object" in advice.sentence
    assert "on the right" in advice.sentence
    assert advice.evidence.low < -0.06 < advice.evidence.high
    assert advice.evidence.p < 0.01
    assert 1 <= len(advice.images) <= 5


def pixels(one: Drawn, *by: float) -> Drawn:
    """Edges moved by pixels: left, top, right, bottom."""
    return replace(one, box=tuple((np.array(one.box) + np.array(by)).tolist()))


def test_constant_errors_are_said_in_pixels() -> None:
    (advice,) = feedback_on_habit(lambda one: pixels(one, 0, 0, -6, 0)).advice
    assert advice.sentence == (
        "Your shapes stop short of the object by about 5.7 px on the right (5.3 to 6.1, 111 shapes). Enclose it fully."
    )


def test_boxes_that_are_all_too_loose_are_one_habit_however_many_are_near_misses() -> None:
    """The worst case of an outsider: told to leave out what was only drawn too loosely."""
    rng = np.random.default_rng(4)
    truth = [replace(one, box=(*one.box[:2], one.box[0] + 14, one.box[1] + 14)) for one in city(rng)]
    loose = [pixels(one, -5, -5, 5, 5) for one in truth]
    (advice,) = feedback_on(truth, loose).advice
    assert advice.kind == "size"
    assert "about 5.0 px outside the object" in advice.sentence
    assert advice.gain == pytest.approx(100)


def test_a_habit_is_worth_the_points_that_the_score_gains_without_it() -> None:
    rng = np.random.default_rng(5)
    truth = city(rng)
    swapped = [replace(one, label="bus") if one.label == "van" else one for one in truth]
    images = sorted({one.image for one in truth})
    prepared = prepare_truth(annotation_set(*truth, images=images))
    score = score_submission(prepared, annotation_set(*swapped, images=images))
    (advice,) = give_feedback(score).advice
    assert advice.gain == pytest.approx(100 - score.overall)
    first = images.index(advice.images[0])
    assert advice.objects
    assert all(score.truth.image[t] == first for t in advice.objects)
    assert all(score.truth.labels[score.truth.label[t]] == "van" for t in advice.objects)
    assert [score.submission.labels[score.submission.label[s]] for s in advice.annotations] == ["bus"] * len(
        advice.objects
    )


def test_two_habits_are_two_pieces_of_advice_the_dearer_first() -> None:
    def loose_and_empty(one: Drawn) -> Drawn:
        return replace(pixels(one, -8, -8, 8, 8), attributes={})

    advice = feedback_on_habit(loose_and_empty).advice
    assert sorted(one.kind for one in advice) == ["forgotten attribute", "size"]
    assert advice[0].gain > advice[1].gain > 0


@pytest.mark.parametrize("name", list(HABITS))
def test_the_habit_of_a_simulated_student_is_named_first_and_alone(name: str) -> None:
    """Two students a habit; `python -m accuracy.annotation_habits` has the figures of all."""
    habit, right = HABITS[name]
    for seed in (40, 41):
        assert [one in right for one in kinds(student(seed, STREET, habit))] == [True]


def test_students_without_habits_are_told_of_none() -> None:
    assert not any(kinds(student(seed, STREET)) for seed in range(30_000, 30_030))


def test_loose_boxes_are_one_sentence_not_four() -> None:
    (advice,) = feedback_on_habit(lambda one: moved(one, -0.06, -0.06, 0.06, 0.06)).advice
    assert (advice.kind, "too loose" in advice.sentence) == ("size", True)


def test_tight_boxes_are_told_from_loose_ones() -> None:
    (advice,) = feedback_on_habit(lambda one: moved(one, 0.06, 0.06, -0.06, -0.06)).advice
    assert "too tight" in advice.sentence


def test_shifted_boxes_are_a_shift() -> None:
    (advice,) = feedback_on_habit(lambda one: pixels(one, 5, 0, 5, 0)).advice
    assert advice.kind == "shift"
    assert "px too far to the right" in advice.sentence


def outlines(seed: int, *, unsteady: float, larger: float = 1.0) -> Feedback:
    """Feedback on outlines of 12 points about 35 pixels from their centre, each set down a little off."""
    rng = np.random.default_rng(seed)
    ours, theirs = [], []
    for image in range(10):
        for place in range(6):
            turn, far = np.sort(rng.uniform(0, 2 * np.pi, 12)), rng.uniform(30, 40, 12)
            spokes = np.stack([far * np.cos(turn), far * np.sin(turn)], axis=1)
            centre = 100 + 150 * np.array([place % 3, place // 3])
            slips = rng.normal(0, unsteady, spokes.shape)
            ours.append(polygon(f"{image}.jpg", "leaf", *map(tuple, (centre + spokes).tolist())))
            theirs.append(polygon(f"{image}.jpg", "leaf", *map(tuple, (centre + larger * spokes + slips).tolist())))
    return feedback_on(ours, theirs)


def test_an_unsteady_hand_is_not_called_loose() -> None:
    # the outermost of unsteady points lie beyond the object on every side, and the area is right all the same
    assert sum(bool(outlines(seed, unsteady=5.0).advice) for seed in range(20)) <= 2


def test_loose_outlines_are_found_however_unsteady() -> None:
    (advice,) = outlines(1, unsteady=3.0, larger=1.1).advice
    assert "too loose" in advice.sentence
    assert advice.evidence.effect == pytest.approx(0.05, abs=0.015)


def test_a_class_taken_for_another_is_named() -> None:
    advice = feedback_on_habit(lambda one: replace(one, label="car") if one.label == "van" else one).advice
    assert any(a.kind == "confusion" and "'van' as 'car'" in a.sentence for a in advice)


def test_a_forgotten_attribute_is_named() -> None:
    advice = feedback_on_habit(lambda one: replace(one, attributes={})).advice
    assert any(a.kind == "forgotten attribute" and "'color'" in a.sentence for a in advice)


def test_missed_small_objects_are_noticed() -> None:
    def overlooks_small(one: Drawn) -> Drawn | None:
        width, height = one.box[2] - one.box[0], one.box[3] - one.box[1]
        return None if width * height < 2500 else one

    advice = feedback_on_habit(overlooks_small).advice
    assert any(a.kind == "small object" for a in advice)


def test_skipped_images_are_said_once_and_not_blamed_on_classes_or_sizes() -> None:
    advice = feedback_on_habit(lambda one: None if one.image < "06" else one).advice
    assert [a.kind for a in advice] == ["skipped images"]


def test_nothing_is_said_about_a_handful_of_objects() -> None:
    rng = np.random.default_rng(3)
    truth = city(rng, images=1, objects=3)
    assert feedback_on(truth, truth[:1]) == Feedback((), 0)


def test_the_number_of_checks_is_told() -> None:
    assert feedback_on_habit(lambda one: one).checks > 10
