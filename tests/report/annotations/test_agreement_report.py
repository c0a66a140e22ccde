"""The report on agreement: who agrees with whom, what is disputed, what most drew."""

import pytest

from assay.annotations.agreement import measure_agreement
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.report.annotations.agreement_report import agreement_report
from assay.report.document.document import Document
from tests.report.annotations.annotation_sets import (
    MADE,
    boxes,
)
from tests.report.reading import (
    column_of,
    section_of,
    table_of,
    text_of,
)

BOTH = boxes((0, 0, 100, 100), (200, 0, 300, 100), labels=("car", "van"))
FIRST = boxes((0, 0, 100, 100), labels=("car",))


def report_of(consensus: int | None = None, **sets: AnnotationSet) -> Document:
    agreement = measure_agreement(sets)
    return agreement_report(agreement, sets, {}, photo_of=lambda name: None, provenance=MADE, consensus=consensus)


def test_objects_on_which_all_agree_are_counted_and_the_others_listed() -> None:
    document = report_of(ada=BOTH, ben=BOTH, chloe=FIRST)

    assert document.verdict_lead == (
        "On 1 of 2 objects all who saw the image agree: they drew it and gave it one label."
    )
    disputes = table_of(document, "disputes")
    assert column_of(disputes, "Drawn by") == [2]
    assert column_of(disputes, "chloe") == ["nothing drawn"]
    assert "chloe finds the same objects as the others least often" in text_of(section_of(document, "Pair by pair"))


def test_the_matrix_of_pairs_is_that_of_the_agreement() -> None:
    found = table_of(report_of(ada=BOTH, ben=FIRST), "pairs_found")

    assert column_of(found, "ada") == [None, pytest.approx(200 / 3)]


def test_without_disputes_or_annotations_that_is_said() -> None:
    empty = boxes(labels=())

    assert text_of(section_of(report_of(ada=BOTH, ben=BOTH), "Disputes")) == "There are none."
    assert report_of(ada=empty, ben=empty).verdict_lead == "Nobody annotated anything."
    assert report_of(ada=empty, ben=empty).verdict_rest == "Alpha cannot be given: nobody annotated anything."


def test_the_consensus_is_counted_where_one_was_asked_for() -> None:
    assert "The consensus has 2 objects" in text_of(section_of(report_of(2, ada=BOTH, ben=BOTH), "Consensus"))
    assert "None was asked for." in text_of(section_of(report_of(ada=BOTH, ben=BOTH), "Consensus"))
