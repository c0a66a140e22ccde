"""What every score obeys, whatever was drawn."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.annotations.grading.explanation import explain, losses
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import LABEL_MODES, PROFILES, LabelMode, Rubric, profile
from assay.annotations.shapes.annotation_set import AnnotationSet
from tests.annotations.drawn import Drawn, annotation_set, box

IMAGES = [f"{name}.jpg" for name in "abc"]
LABELS = ["car", "cat", "truck"]
COLORS = ["red", "blue", "green"]
seeds = st.integers(0, 10_000)
few = settings(max_examples=40, deadline=None)


def scene(seed: int, n: int = 12) -> list[Drawn]:
    """Boxes on a coarse grid, so that equal and overlapping ones are frequent."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(rng.integers(0, n)):
        x, y = rng.integers(0, 6, size=2) * 20
        w, h = rng.integers(2, 5, size=2) * 20
        image, label, color = (str(rng.choice(names)) for names in (IMAGES, LABELS, COLORS))
        attributes = {"color": color} if rng.random() < 0.8 else {}
        drawn.append(replace(box(image, label, x, y, x + w, y + h), attributes=attributes))
    return drawn


def scored(truth: list[Drawn], student: list[Drawn], rubric: Rubric | None = None) -> SubmissionScore:
    given_truth = annotation_set(*truth, images=IMAGES)
    return score_submission(prepare_truth(given_truth, rubric), annotation_set(*student, images=IMAGES))


def shuffled(drawn: list[Drawn], seed: int) -> AnnotationSet:
    """The same annotations, images and labels in another order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(drawn))
    images = [IMAGES[i] for i in rng.permutation(len(IMAGES))]
    labels = [LABELS[i] for i in rng.permutation(len(LABELS))]
    return annotation_set(*(drawn[i] for i in order), images=images, labels=labels)


@few
@given(seeds, st.sampled_from(sorted(PROFILES)))
def test_a_perfect_copy_scores_100(seed: int, name: str) -> None:
    truth = scene(seed)
    copy = shuffled(truth, seed + 1)
    rubric = suggest_rubric(annotation_set(*truth, images=IMAGES), name)
    assert score_submission(prepare_truth(annotation_set(*truth, images=IMAGES), rubric), copy).overall == 100


@few
@given(seeds, seeds, st.sampled_from(LABEL_MODES))
def test_all_scores_lie_within_0_and_100(first: int, second: int, mode: LabelMode) -> None:
    result = scored(scene(first), scene(second), replace(profile("strict"), label_mode=mode))
    assert 0 <= result.overall <= 100
    assert ((result.match_scores >= 0) & (result.match_scores <= 100)).all()
    assert all(0 <= image.tally.score <= 100 for image in result.image_scores())


@few
@given(seeds, seeds, st.sampled_from(sorted(PROFILES)))
def test_the_order_of_annotations_images_and_labels_changes_nothing(first: int, second: int, name: str) -> None:
    truth, student = scene(first), scene(second)
    one = suggest_rubric(annotation_set(*truth, images=IMAGES), name)
    before = score_submission(prepare_truth(annotation_set(*truth, images=IMAGES), one), annotation_set(*student))
    other = shuffled(truth, first + 7)
    assert suggest_rubric(other, name) == one
    after = score_submission(prepare_truth(other, one), shuffled(student, second + 7))
    if name == "annotator-ai-1.0":
        assert after.overall == pytest.approx(before.overall, abs=1e-9)
    assert (after.tally.matched, after.tally.missed, after.tally.extra) == (
        before.tally.matched,
        before.tally.missed,
        before.tally.extra,
    )


@few
@given(seeds, seeds)
def test_every_annotation_is_counted_exactly_once(first: int, second: int) -> None:
    result = scored(scene(first), scene(second))
    truth = np.concatenate([result.match_truth, result.missed])
    student = np.concatenate([result.match_student, result.extra])
    assert sorted(truth) == list(range(len(result.truth)))
    assert sorted(student) == list(range(len(result.submission)))
    assert [miss.truth for miss in result.misses()] == result.missed.tolist()
    assert [extra.student for extra in result.extras()] == result.extra.tolist()


@few
@given(seeds, seeds)
def test_an_extra_annotation_never_raises_the_score(first: int, second: int) -> None:
    truth, student = scene(first), scene(second)
    far = box("a.jpg", "car", 800, 800, 900, 900)
    assert scored(truth, [*student, far]).overall <= scored(truth, student).overall + 1e-9


@few
@given(seeds)
def test_removing_a_match_no_worse_than_the_average_never_raises_the_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = [box("a.jpg", "car", 200 * i, 0, 200 * i + 100, 100) for i in range(5)]
    student = [box("a.jpg", "car", 200 * i, 0, 200 * i + int(rng.integers(50, 101)), 100) for i in range(5)]
    whole = scored(truth, student)
    for i in np.flatnonzero(whole.match_scores >= whole.tally.quality):
        assert scored(truth, student[:i] + student[i + 1 :]).overall <= whole.overall + 1e-9


def test_removing_a_poor_match_may_raise_the_score_under_the_plan() -> None:
    """Not a law: the plan averages over matches only, so leaving a hard object out can pay (here 97.7 to 99.0)."""
    truth = [box("a.jpg", "car", 80 * i, 0, 80 * i + 50, 50) for i in range(11)]
    poor = box("a.jpg", "xyz", 800, 0, 825, 50)
    student = [*truth[:10], poor]
    assert scored(truth, student).overall == pytest.approx(97.73, abs=0.01)
    assert scored(truth, student[:10]).overall == pytest.approx(99.02, abs=0.01)


@few
@given(seeds, seeds, st.sampled_from(sorted(PROFILES)))
def test_what_was_reached_and_what_was_lost_add_up_to_100(first: int, second: int, name: str) -> None:
    result = scored(scene(first), scene(second), suggest_rubric(annotation_set(*scene(first), images=IMAGES), name))
    assert result.overall + losses(result).total() == pytest.approx(100)


@few
@given(seeds, seeds, st.integers(0, 5))
def test_the_parts_of_an_explanation_add_up_at_every_level(first: int, second: int, most: int) -> None:
    waiting = [explain(scored(scene(first), scene(second)), most)]
    while waiting:
        part = waiting.pop()
        if part.children:
            assert sum(child.points for child in part.children) == pytest.approx(part.points, abs=1e-9)
            waiting += part.children
