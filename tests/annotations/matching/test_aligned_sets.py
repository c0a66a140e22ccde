"""What aligned sets tell of their candidates: thresholds, families and labels."""

import pytest

from assay.annotations.matching.aligned_sets import AlignedSets, families_of
from assay.annotations.matching.alignment import align
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import FAMILIES, LabelRule, Rubric, Thresholds
from tests.annotations.drawn import Drawn, annotation_set, box, rectangle

RUBRIC = Rubric(thresholds=Thresholds(box=0.5, area=0.3), labels=(LabelRule("bus", least=0.9), LabelRule("car")))


def aligned(truth: list[Drawn], submission: list[Drawn], rubric: Rubric = RUBRIC) -> AlignedSets:
    return align(prepare_truth(annotation_set(*truth), rubric), annotation_set(*submission), rubric)[0]


def test_families_are_places_among_their_names() -> None:
    shapes = annotation_set(box("a", "car", 0, 0, 1, 1), rectangle("a", "car", 0, 0, 1, 1))
    assert [FAMILIES[number] for number in families_of(shapes).tolist()] == ["box", "area"]


def test_each_object_asks_for_the_overlap_of_its_label_or_else_its_family() -> None:
    objects = [box("a", "car", 0, 0, 1, 1), box("a", "Bus", 0, 0, 1, 1), rectangle("a", "car", 0, 0, 1, 1)]
    assert aligned(objects, []).least.tolist() == pytest.approx([0.5, 0.9, 0.3])


def test_a_pair_at_the_threshold_is_near_enough_and_one_below_is_not() -> None:
    truth = [box("a", "car", 0, 0, 10, 10)]
    pairs = aligned(truth, [box("a", "car", 0, 0, 10, 5), box("a", "car", 0, 0, 10, 4.9)])
    assert pairs.near_enough.tolist() == [True, False]
    assert pairs.fit.tolist() == [True, False]


def test_kinds_of_another_family_fit_only_when_the_rules_say_so() -> None:
    truth, drawn = [box("a", "car", 0, 0, 10, 10)], [rectangle("a", "car", 0, 0, 10, 10)]
    assert aligned(truth, drawn).fit.tolist() == [False]
    assert aligned(truth, drawn, Rubric(across_families=True)).fit.tolist() == [True]


def test_labels_are_the_same_whatever_their_case() -> None:
    pairs = aligned([box("a", "Car", 0, 0, 10, 10)], [box("a", "car", 0, 0, 10, 10), box("a", "van", 0, 0, 10, 10)])
    assert pairs.same_label.tolist() == [True, False]
