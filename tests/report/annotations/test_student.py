"""The report for a student: what was found, a breakdown that adds up, image by image."""

from dataclasses import replace
from math import isclose
from pathlib import Path

import numpy as np
import pytest

from assay.annotations.grading.graded import StudentGrade
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.io.annotations.files import read_annotations
from assay.io.example_data import example_annotations
from assay.report.annotations.student import breakdown, student_report
from assay.report.document.overlay import Overlay
from assay.report.document.values import Table
from assay.report.render.html import to_html
from tests.annotations.drawn import annotation_set, box
from tests.report.annotations.annotation_sets import (
    MADE,
    PICTURE,
    boxes,
    plan,
    report,
    scored,
)


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        ([(0, 0, 100, 100)], "You found 1 of 2 objects and drew nothing extra."),
        ([], "You found 0 of 2 objects and drew nothing extra."),
        (
            [(0, 0, 100, 100), (0, 200, 50, 250)],
            "You found 1 of 2 objects and drew 1 extra annotation.",
        ),
    ],
)
def test_the_verdict_says_what_was_found(drawn: list[tuple[float, float, float, float]], sentence: str) -> None:
    truth = boxes((0, 0, 100, 100), (200, 0, 300, 100), labels=("car", "van"))

    document = report(scored(truth, boxes(*drawn, labels=("car",) * len(drawn))))

    assert document.verdict_lead == sentence


def test_nothing_to_find_and_nothing_drawn_is_said_as_such() -> None:
    empty = boxes(labels=())

    document = report(scored(empty, empty))

    assert document.verdict_lead == "There was nothing to find, and you drew nothing."
    assert "say nothing about the work" in to_html(document)


def test_the_breakdown_adds_up_to_the_score() -> None:
    score = plan()

    chart = breakdown(score)

    tops = [row for row in chart.rows if row.depth == 0]
    assert isclose(sum(row.points for row in tops[:-1]), score.overall)
    assert isclose(tops[-1].points, score.overall)
    for place, row in enumerate(chart.rows[:-1]):
        below = []
        for child in chart.rows[place + 1 :]:
            if child.depth <= row.depth:
                break
            below.append(child)
        if below:
            assert isclose(sum(child.points for child in below), row.points), row.label
            assert isclose(below[0].start, row.start)
            assert isclose(below[-1].end, row.end)
    assert [row.label for row in chart.rows if row.points < 0] == ["1 missed", "1 extra"]


def test_a_submission_that_matches_nothing_has_a_breakdown_too() -> None:
    score = scored(boxes((0, 0, 100, 100), labels=("car",)), boxes((200, 200, 250, 250), labels=("car",)))

    chart = breakdown(score)

    assert chart.rows[-1].points == pytest.approx(score.overall)
    assert report(score).key_figures[1].estimate.reason == "nothing matched"


def test_every_missed_extra_and_matched_annotation_is_in_the_table_with_the_number_of_its_pin() -> None:
    document = report(plan(), PICTURE)

    section = next(s for s in document.sections if s.title == "Image by image")
    overlay = next(b for b in section.blocks if isinstance(b, Overlay))
    table = next(b for b in section.blocks if isinstance(b, Table))
    assert [row[:2] for row in table.rows] == [("1 van", "missed"), ("2 car", "extra"), ("3 car", "matched")]
    assert [pin.text for pin in overlay.pins] == ["1", "2", "3"]
    assert {shape.role for shape in overlay.shapes} == {"truth", "submission", "missed", "extra"}


def test_many_images_are_cut_to_the_worst_and_that_is_said() -> None:
    good = [box(f"{i:02d}.png", "car", 0, 0, 100, 100) for i in range(45)]
    poor = [box(f"{i:02d}.png", "car", 0, 0, 100, 100 if i < 40 else 70) for i in range(45)]

    document = report(scored(annotation_set(*good), annotation_set(*poor)))

    shown = [b.title for s in document.sections for b in s.blocks if isinstance(b, Overlay)]
    assert len(shown) == 40
    assert shown[:5] == [f"{i}.png" for i in range(40, 45)]
    assert "The 40 with the lowest scores are shown of 45" in to_html(document)


def test_every_image_of_a_small_task_is_shown(tmp_path: Path) -> None:
    truth = read_annotations(example_annotations().truth)
    shown = {b.title for s in report(scored(truth, truth)).sections for b in s.blocks if isinstance(b, Overlay)}

    assert len(shown) == 12
    assert "drawn on a plain canvas" in to_html(report(scored(truth, truth)))


def test_a_habit_leads_the_page_with_one_picture_of_it_and_no_p_values() -> None:
    cars = [box("a.jpg", "car", 80 * i, 80 * j, 80 * i + 40, 80 * j + 40) for i in range(6) for j in range(3)]
    loose = [replace(one, box=tuple(np.add(one.box, (-4, -4, 4, 4)).tolist())) for one in cars]
    score = score_submission(prepare_truth(annotation_set(*cars)), annotation_set(*loose))
    report = student_report(StudentGrade.of_score("mira", score), photo_of=lambda _: None, provenance=MADE)
    assert report.verdict_lead == (
        "Your shapes are too loose: every edge lies about 4.0 px outside the object. Draw them closer."
    )
    assert report.verdict_rest.startswith(f"Fixing this brings {100 - score.overall:.1f} points. Your score is")
    first = report.sections[0]
    assert first.title == "What to do next"
    (picture,) = [block for block in first.blocks if isinstance(block, Overlay)]
    assert [shape.role for shape in picture.shapes] == ["truth"] * 18 + ["submission"] * 18
    assert "adjusted p" not in to_html(report)


def test_the_picture_of_missed_objects_and_of_a_class_in_vain_show_what_is_meant() -> None:
    cars = [box("a.jpg", "car", 60 * i, 0, 60 * i + 40, 40) for i in range(12)]
    vans = [box("a.jpg", "van", 60 * i, 200, 60 * i + 40, 240) for i in range(12)]
    further = [box("a.jpg", "van", 60 * i, y, 60 * i + 40, y + 40) for i in range(12) for y in (400, 500, 600)]
    truth = prepare_truth(annotation_set(*cars, *vans))
    for drawn, role, shapes in (([*cars], "missed", 12), ([*cars, *vans, *further], "extra", 36)):
        grade = StudentGrade.of_score("mira", score_submission(truth, annotation_set(*drawn)))
        report = student_report(grade, photo_of=lambda _: None, provenance=MADE)
        (picture,) = [block for block in report.sections[0].blocks if isinstance(block, Overlay)]
        assert {shape.role for shape in picture.shapes} == {role}
        assert len(picture.shapes) == shapes
