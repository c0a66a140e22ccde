"""The one list of errors, and findings in columns as single findings."""

import numpy as np

from assay.annotations.diagnosis.error_kinds import KINDS, AnnotationFinding, ErrorKind, Findings


def test_every_kind_has_a_word_and_a_meaning_of_its_own() -> None:
    assert len(ErrorKind) == 16
    assert len({kind.word for kind in ErrorKind}) == len(ErrorKind)
    assert all(kind.meaning.endswith(".") for kind in ErrorKind)


def test_kinds_stand_at_their_numbers() -> None:
    assert [int(kind) for kind in KINDS] == list(range(16))
    assert (KINDS[2].word, ErrorKind.NEAR_MISS.value) == ("near miss", 2)


FINDINGS = Findings(
    kind=np.array([0, 2, 9, 9, 0, 1], np.uint8),
    truth=np.array([4, 0, 1, 2, 5, -1]),
    student=np.array([-1, 0, 1, 2, -1, 7]),
    similarity=np.array([0, 0.25, 0.8, 0.9, 0, 0]),
    attribute=np.array([-1, -1, 1, 0, -1, -1], np.int16),
    attributes=("color", "doors"),
    miss_rows=np.array([4, 0, -1, -1, 5, -1]),
    extra_rows=np.array([-1, 0, -1, -1, -1, 7]),
)


def test_a_row_of_the_columns_is_a_finding_with_none_for_what_it_lacks() -> None:
    assert len(FINDINGS) == 6
    assert FINDINGS.finding(0) == AnnotationFinding(ErrorKind.NOT_FOUND, 4, None, 0.0)
    assert FINDINGS.finding(1) == AnnotationFinding(ErrorKind.NEAR_MISS, 0, 0, 0.25)
    assert FINDINGS.finding(3) == AnnotationFinding(ErrorKind.WRONG_ATTRIBUTE, 2, 2, 0.9, "color")
    assert FINDINGS.finding(5) == AnnotationFinding(ErrorKind.NOTHING_THERE, None, 7, 0.0)


def test_counts_come_most_frequent_first_then_in_the_order_of_the_list() -> None:
    assert list(FINDINGS.counts().items()) == [
        (ErrorKind.NOT_FOUND, 2),
        (ErrorKind.WRONG_ATTRIBUTE, 2),
        (ErrorKind.NOTHING_THERE, 1),
        (ErrorKind.NEAR_MISS, 1),
    ]


def test_examples_are_the_first_of_their_kind() -> None:
    assert [one.attribute for one in FINDINGS.examples(ErrorKind.WRONG_ATTRIBUTE, 5)] == ["doors", "color"]
    assert [one.attribute for one in FINDINGS.examples(ErrorKind.WRONG_ATTRIBUTE, 1)] == ["doors"]
    assert FINDINGS.examples(ErrorKind.MERGED, 5) == ()


def test_missed_objects_and_extra_annotations_know_why() -> None:
    assert {place: why.kind.word for place, why in FINDINGS.of_miss.items()} == {
        4: "missed",
        0: "near miss",
        5: "missed",
    }
    assert {place: why.kind.word for place, why in FINDINGS.of_extra.items()} == {0: "near miss", 7: "extra"}
