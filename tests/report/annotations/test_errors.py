"""Errors of all students: classes confused, hard objects, kinds of error, errors in common."""

from assay.annotations.diagnosis.shared_errors import shared_errors
from assay.annotations.grading.graded import Batch
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.report.annotations.errors import confusion_section, errors_section, hardest_section, shared_section
from assay.report.charts.charts import Bars, HeatMap
from tests.report.annotations.annotation_sets import (
    boxes,
    example_batch,
)
from tests.report.reading import (
    charts_of,
    column_of,
    tables_in,
    text_of,
)


def batch_of(*drawn: tuple[tuple[float, float, float, float], ...]) -> Batch:
    """Students who drew these cars; there are two of them, far apart."""
    truth = prepare_truth(boxes((0, 0, 100, 100), (200, 0, 300, 100), labels=("car", "car")))
    sets = [boxes(*edges, labels=("car",) * len(edges)) for edges in drawn]
    return Batch(truth, {f"s{number}": score_submission(truth, own) for number, own in enumerate(sets)})


BOTH, FIRST = ((0.0, 0.0, 100.0, 100.0), (200.0, 0.0, 300.0, 100.0)), ((0.0, 0.0, 100.0, 100.0),)


def test_every_annotation_of_all_students_is_in_the_table_of_classes() -> None:
    batch = example_batch()
    (chart,) = charts_of(confusion_section(batch)).values()
    assert isinstance(chart, HeatMap)

    objects = len(batch.scores) * int(batch.truth.to_be_found.sum())
    assert (
        sum(map(sum, chart.counts[:-1]))
        == objects
        == sum(s.tally.matched + s.tally.missed for s in batch.scores.values())
    )
    assert sum(chart.counts[-1]) == sum(score.tally.extra for score in batch.scores.values())


def test_no_class_taken_for_another_is_said() -> None:
    assert "No class was taken for another." in text_of(confusion_section(batch_of(BOTH, FIRST)))


def test_what_every_student_missed_may_be_an_error_of_the_ground_truth() -> None:
    section = hardest_section(batch_of(FIRST, FIRST), lambda name: None)

    assert "1 of 2 objects is missed by at least one student." in text_of(section)
    assert "Look at the ground truth first: it may err." in text_of(section)
    assert column_of(tables_in(section)["hardest_objects"], "Missed by") == [2]
    assert (
        text_of(hardest_section(batch_of(BOTH, BOTH), lambda name: None)) == "Every object was found by every student."
    )


def test_errors_are_counted_by_kind_and_by_student() -> None:
    section = errors_section(batch_of(FIRST, BOTH, FIRST))
    (chart,) = charts_of(section).values()
    assert isinstance(chart, Bars)

    assert [bar.count for bar in chart.bars] == [2]
    assert column_of(tables_in(section)["error_kinds"], "Students") == [2]
    assert text_of(errors_section(batch_of(BOTH))) == "No errors were found."


def test_pairs_that_stand_out_are_asked_about_and_few_students_are_a_limit() -> None:
    batch = example_batch()
    pairs = shared_errors(batch.scores, batch.truth.annotations)
    text = text_of(shared_section(pairs, len(batch.scores)))

    assert pairs
    assert all(pair.question in text for pair in pairs)
    assert "No pair of students stands out." in text_of(shared_section((), 3))
    assert "With fewer than five students" in text_of(shared_section((), 3))
