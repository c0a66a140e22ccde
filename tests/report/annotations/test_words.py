"""The words and tables that reports on annotations share."""

from dataclasses import replace

import pytest

from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import FileProblem
from assay.provenance import Provenance
from assay.report.annotations.words import (
    POINTS,
    day_words,
    failures,
    file_notes,
    files_table,
    footer,
    problem_table,
    provenance_section,
    rules_section,
    table,
    weight_words,
)
from tests.report.annotations.annotation_sets import (
    MADE,
    boxes,
    plan,
)
from tests.report.reading import (
    column_of,
    tables_in,
    text_of,
)


def test_the_weights_of_the_rules_add_up_in_words() -> None:
    words = weight_words(Rubric())
    shares = {name: float(text.split("\u00a0")[0]) for name, text in words.items()}

    assert shares["quality"] + shares["completeness"] == pytest.approx(100)
    assert shares["localisation"] + shares["label"] + shares["attributes"] == pytest.approx(100, abs=0.2)


def test_a_column_without_a_number_holds_words() -> None:
    made = table("t", "T", {"Who": None, "Points": POINTS, "Others": (POINTS, "nobody")}, [("ada", 1.0, float("nan"))])

    assert [(column.kind, column.undefined) for column in made.columns][1:] == [("number", ""), ("number", "nobody")]
    assert made.columns[0].kind == "text"


def test_rules_that_depart_from_their_profile_are_said_to() -> None:
    rubric = suggest_rubric(boxes((0, 0, 9, 9), labels=("car",)))
    stricter = replace(rubric, missing_images="skip")

    assert "with the labels and attributes of this ground truth" in text_of(rules_section(rubric))
    assert "with other settings for missing images" in text_of(rules_section(stricter))


def test_problems_of_files_are_listed_with_what_became_of_them() -> None:
    problem = FileProblem("box 3", "has no width", 2, lost=True)
    made = problem_table([("ada", problem), ("ben", replace(problem, lost=False))])

    assert made is not None
    assert column_of(made, "What became of it") == ["not scored", "scored"]
    assert problem_table([]) is None
    assert list(file_notes(plan())) == []


def test_files_are_counted_by_kind_of_shape() -> None:
    (row,) = files_table([("ada", boxes((0, 0, 9, 9), (1, 1, 5, 5), labels=("car", "car")))]).rows

    assert row == ("ada", "kinds.xml", row[2], 1, 2, "2 boxes")
    assert files_table([("ben", boxes(labels=()))]).rows[0][-1] == "no annotations"


def test_provenance_and_failures_name_their_files() -> None:
    section = provenance_section(MADE)

    assert "Made by Assay 0.1 on 15 November 2026" in text_of(section)
    assert column_of(tables_in(section)["inputs"], "File") == ["truth.xml"]
    assert len(failures({"grace": "grace.json breaks off."})) == 1
    assert day_words(Provenance("0.1")) == ""
    assert "0.1" in footer(MADE)
