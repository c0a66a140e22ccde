"""Figures by class: counts that add up to those of the submission."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.grading.class_scores import class_scores, confusion, macro_average, report_keypoints
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric, Thresholds
from tests.annotations.drawn import Drawn, annotation_set, box, skeleton
from tests.annotations.random_students import careful, city


def scored(truth: list[Drawn], student: list[Drawn]) -> SubmissionScore:
    images = sorted({one.image for one in truth})
    return score_submission(
        prepare_truth(annotation_set(*truth, images=images)), annotation_set(*student, images=images)
    )


TRUTH = [
    box("a.jpg", "car", 0, 0, 100, 100),
    box("a.jpg", "car", 200, 0, 300, 100),
    box("b.jpg", "bus", 0, 0, 100, 100),
]


def test_a_class_counts_its_objects_and_the_extras_that_bear_its_name() -> None:
    student = [TRUTH[0], box("a.jpg", "bus", 500, 0, 600, 100), box("b.jpg", "car", 0, 0, 100, 100)]
    car, bus = class_scores(scored(TRUTH, student))
    assert (car.label, car.tally.matched, car.tally.missed, car.tally.extra, car.named) == ("car", 1, 1, 0, 1)
    assert (bus.label, bus.tally.matched, bus.tally.missed, bus.tally.extra, bus.named) == ("bus", 1, 0, 1, 0)
    assert bus.localisation == 100


def test_class_counts_add_up_to_those_of_the_submission() -> None:
    rng = np.random.default_rng(4)
    truth = city(rng)
    result = scored(truth, careful(truth, rng))
    lines = class_scores(result)
    assert sum(line.tally.matched for line in lines) == result.tally.matched
    assert sum(line.tally.missed for line in lines) == result.tally.missed
    assert confusion(result).counts.sum() == result.tally.matched + result.tally.missed + result.tally.extra
    assert macro_average(line.tally for line in lines) == pytest.approx(result.overall, abs=5)
    assert macro_average(image.tally for image in result.image_scores()) == pytest.approx(result.overall, abs=5)


def test_a_class_has_its_own_quality_localisation_and_completeness() -> None:
    half = [box("a.jpg", "Car", 0, 0, 50, 100), TRUTH[1], TRUTH[2], box("b.jpg", "tram", 500, 0, 600, 100)]
    car, bus, tram = class_scores(scored(TRUTH, half))
    assert (car.localisation, car.named, car.tally.quality) == (75, 2, 87.5)
    assert (car.tally.score, bus.tally.score) == (93.75, 100)
    assert (tram.label, tram.tally.matched, tram.tally.extra, tram.named) == ("tram", 0, 1, 0)
    assert np.isnan(tram.localisation)
    missed = class_scores(scored(TRUTH, TRUTH[:2]))
    assert [(line.label, line.tally.missed) for line in missed] == [("car", 0), ("bus", 1)]


def test_labels_that_do_not_occur_have_no_line() -> None:
    truth = annotation_set(TRUTH[0], labels=["boat", "car"])
    assert [line.label for line in class_scores(score_submission(prepare_truth(truth), annotation_set(TRUTH[0])))] == [
        "car"
    ]


def test_confusion_counts_every_object_and_annotation_once() -> None:
    student = [TRUTH[0], box("b.jpg", "car", 0, 0, 100, 100), box("b.jpg", "tram", 500, 0, 600, 100)]
    table = confusion(scored(TRUTH, student))
    assert table.labels == ("car", "bus", "tram")
    assert table.counts.tolist() == [[1, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]


def test_confusions_add_up_under_common_names() -> None:
    one = confusion(scored(TRUTH, [TRUTH[0], box("a.jpg", "Tram", 200, 0, 300, 100)]))
    two = confusion(scored(TRUTH[2:], [box("b.jpg", "tram", 0, 0, 100, 100), TRUTH[2]]))
    both = one + two
    assert both.labels == ("car", "bus", "Tram")
    assert both.counts.tolist() == [[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0]]


def test_excused_misses_and_accepted_extras_are_in_no_class() -> None:
    own = scored(TRUTH, [TRUTH[0], box("b.jpg", "tram", 500, 0, 600, 100)])
    forgiven = replace(own, excused=np.array([True, False]), accepted=np.array([True]))
    assert [(line.label, line.tally.missed, line.tally.extra) for line in class_scores(forgiven)] == [
        ("car", 0, 0),
        ("bus", 1, 0),
    ]


def test_no_classes_have_no_average() -> None:
    assert np.isnan(macro_average([]))


def test_points_of_skeletons_are_reported_without_weight() -> None:
    ours = skeleton(
        "a.jpg", "person", {"Nose": (10, 10, 2), "hand": (40, 40, 1), "foot": (90, 90, 2), "ear": (0, 0, 0)}
    )
    theirs = skeleton(
        "a.jpg", "person", {"nose": (10, 10, 2), "hand": (40, 40, 2), "ear": (20, 9, 1), "foot": (0, 0, 0)}
    )
    rubric = Rubric(thresholds=Thresholds(skeleton=0.1))
    report = report_keypoints(
        score_submission(prepare_truth(annotation_set(ours, TRUTH[0]), rubric), annotation_set(theirs, TRUTH[0]))
    )
    assert (report.expected, report.visibility_agreement) == (3, 50)
    assert report.absent == ("foot of person 1 on a.jpg",)
    assert report.extra == ("ear of person 1 on a.jpg",)
    none = report_keypoints(scored(TRUTH, TRUTH))
    assert (none.expected, none.absent, none.extra) == (0, (), ())
    assert np.isnan(none.visibility_agreement)


def test_a_wrong_label_is_not_named_right_whichever_class_comes_first() -> None:
    swapped = [box("a.jpg", "bus", 0, 0, 100, 100), TRUTH[1], box("b.jpg", "car", 0, 0, 100, 100)]
    assert [(line.label, line.named) for line in class_scores(scored(TRUTH, swapped))] == [("car", 1), ("bus", 0)]


def test_visibility_agrees_where_it_is_equal() -> None:
    seen = [(2, 2), (1, 1), (2, 2), (1, 1), (2, 1), (1, 2)]
    ours, theirs = (
        skeleton("a.jpg", "person", {f"p{i}": (10 * i, 10 * i, pair[side]) for i, pair in enumerate(seen)})
        for side in (0, 1)
    )
    assert report_keypoints(scored([ours], [theirs])).visibility_agreement == pytest.approx(100 * 4 / 6)
