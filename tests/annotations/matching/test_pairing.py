"""The two passes of matching: keys first, then similarity, with labels as the rules say."""

from typing import Any

import numpy as np
import pytest

from assay.annotations.matching.alignment import align
from assay.annotations.matching.keys import KeyPairs
from assay.annotations.matching.pairing import Pairing, pair_annotations, similarity_of
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from tests.annotations.drawn import Drawn, annotation_set, box

NONE = np.zeros(0, np.intp)
WHOLE, UPPER = (0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 10.0, 8.0)


def paired(truth: list[Drawn], submission: list[Drawn], keyed: tuple[int, int] | None = None, **rules: Any) -> Pairing:
    rubric = Rubric(**rules)
    sets, _ = align(prepare_truth(annotation_set(*truth), rubric), annotation_set(*submission), rubric)
    truth_key, student_key = (np.array([keyed[0]]), np.array([keyed[1]])) if keyed else (NONE, NONE)
    return pair_annotations(sets, KeyPairs(truth_key, student_key, NONE, NONE))


def test_pairs_by_key_go_first_and_take_their_annotations_out_of_the_second_pass() -> None:
    truth = [box("a", "car", *WHOLE), box("a", "car", *UPPER)]
    pairing = paired(truth, [box("a", "car", *WHOLE), box("a", "car", *UPPER)], keyed=(0, 1))

    assert (pairing.truth.tolist(), pairing.student.tolist()) == ([0, 1], [1, 0])
    assert pairing.by_key.tolist() == [True, False]
    assert pairing.similarity.tolist() == pytest.approx([0.8, 0.8])


def test_a_pair_by_key_that_lies_elsewhere_counts_only_when_keys_count_anywhere() -> None:
    truth, far = [box("a", "car", *WHOLE)], [box("a", "car", 500, 500, 510, 510)]
    assert paired(truth, far, keyed=(0, 0), key_anywhere=False).truth.tolist() == []
    anywhere = paired(truth, far, keyed=(0, 0), key_anywhere=True)
    assert (anywhere.truth.tolist(), anywhere.similarity.tolist()) == ([0], [0])


@pytest.mark.parametrize(("mode", "student"), [("ignore", [0]), ("tiebreak", [0]), ("prefer", [1]), ("require", [1])])
def test_labels_steer_the_choice_as_the_rules_say(mode: str, student: list[int]) -> None:
    drawn = [box("a", "bus", *WHOLE), box("a", "car", *UPPER)]
    assert paired([box("a", "car", *WHOLE)], drawn, label_mode=mode).student.tolist() == student


def test_between_equals_the_label_decides_and_then_the_attributes() -> None:
    truth = [box("a", "car", *WHOLE, colour="red")]
    by_label = paired(truth, [box("a", "bus", *WHOLE), box("a", "car", *WHOLE)], label_mode="tiebreak")
    assert by_label.student.tolist() == [1]
    rules = (LabelRule("car", (AttributeRule("colour"),)),)
    drawn = [box("a", "car", *WHOLE, colour="blue"), box("a", "car", *WHOLE, colour="red")]
    assert paired(truth, drawn, label_mode="tiebreak", labels=rules).student.tolist() == [1]


def test_pairs_of_other_labels_are_made_only_if_labels_need_not_agree() -> None:
    truth, drawn = [box("a", "car", *WHOLE)], [box("a", "bus", *WHOLE)]
    assert paired(truth, drawn, label_mode="require").truth.tolist() == []
    assert paired(truth, drawn, label_mode="prefer").truth.tolist() == [0]


def test_the_similarity_of_pairs_that_do_not_touch_is_zero() -> None:
    truth = [box("a", "car", *WHOLE), box("a", "car", 50, 50, 60, 60)]
    rubric = Rubric()
    sets, _ = align(prepare_truth(annotation_set(*truth), rubric), annotation_set(truth[1], truth[0]), rubric)
    found = similarity_of(sets.candidates, np.array([0, 0, 1]), np.array([1, 0, 0]), 2)
    assert found.tolist() == [1, 0, 1]
    assert similarity_of(sets.candidates, NONE, NONE, 2).tolist() == []
