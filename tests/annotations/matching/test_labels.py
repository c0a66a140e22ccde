"""Credit for labels: typos cost little, other classes may cost all."""

import numpy as np
import pytest

from assay.annotations.matching import labels
from assay.annotations.matching.labels import (
    common_names,
    known_labels,
    label_counts,
    label_similarities,
    label_similarity,
)
from assay.annotations.rubric.rubric import LabelRule, Rubric

PLAIN = Rubric()


def test_labels_of_rules_and_truth_are_known_however_they_are_written() -> None:
    rubric = Rubric(labels=(LabelRule("Traffic Light"),))
    assert known_labels(rubric, ["CAR "]) == {"traffic light", "car"}


def test_all_labels_count_unless_the_rules_name_some() -> None:
    assert label_counts(["car", "bus"], PLAIN).tolist() == [True, True]
    assert label_counts(["car", "bus"], Rubric(only_labels=(" CAR",))).tolist() == [True, False]


def test_the_name_of_another_class_is_no_typo() -> None:
    strict = Rubric(known_wrong_label="zero")
    known = frozenset({"cat", "car"})
    assert label_similarity("cat", "cats", strict, known) == pytest.approx(0.75)
    assert label_similarity("cat", "car", strict, known) == 0
    assert label_similarity("cat", "Cat", strict, known) == 1
    lenient = Rubric(known_wrong_label="similarity")
    assert label_similarity("cat", "car", lenient, known) == pytest.approx(2 / 3)


@pytest.mark.parametrize("largest", [labels.LARGEST_TABLE, 0])
def test_each_pair_of_labels_gets_its_credit(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "LARGEST_TABLE", largest)
    truth, student = ["car", "bus", "tram"], ["bus", "cars"]
    pairs = np.array([0, 1, 2, 1], np.int32), np.array([1, 0, 0, 0], np.int32)

    credit = label_similarities(truth, student, pairs, PLAIN, frozenset())

    expected = [label_similarity(truth[t], student[s], PLAIN, frozenset()) for t, s in zip(*pairs, strict=True)]
    assert credit.tolist() == pytest.approx(expected)


def test_labels_of_several_sets_are_numbered_alike_and_spelt_as_first_seen() -> None:
    names, places = common_names(["Car", "bus"], ["BUS", "tram", "car"])
    assert names == ("Car", "bus", "tram")
    assert [column.tolist() for column in places] == [[0, 1], [1, 2, 0]]
    assert common_names(["a_b"], ["a b"])[0] == ("a_b", "a b")
    assert common_names(["a_b"], ["a b"], separators_alike=True)[0] == ("a_b",)
