"""Scores of annotations as files: everything is there, and nothing in them can hurt."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from assay.annotations.agreement import measure_agreement
from assay.annotations.grading.graded import Batch, Graded
from assay.annotations.grading.overrides import Override, apply_overrides
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.results.annotation_results import agreement_json, dumped, results_json
from assay.io.results.annotation_tables import details_csv, write_summary
from assay.provenance import Provenance
from tests.annotations.drawn import annotation_set, box, skeleton

MADE = Provenance("0.1", "test", {"truth.xml": "00"})


def truth() -> AnnotationSet:
    return annotation_set(
        box("a.png", "car", 0, 0, 100, 100, colour="red"), box("b.png", "van", 0, 0, 100, 100, colour="blue")
    )


def graded(*drawn: AnnotationSet, failed: dict[str, str] | None = None) -> Graded:
    prepared = prepare_truth(truth())
    scores = {f"student {i}": score_submission(prepared, own) for i, own in enumerate(drawn, 1)}
    return Graded.of(Batch(prepared, scores), failed or {})


def content(found: Graded) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(results_json(found, MADE))
    return parsed


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


HALF = annotation_set(
    box("a.png", "car", 0, 0, 100, 90, colour="=SUM(1)"),
    box("b.png", "dog", 500, 500, 600, 600),
    images=["a.png", "b.png"],
)


def test_the_json_holds_each_attribute_with_both_values_and_their_likeness() -> None:
    student = content(graded(HALF))["students"][0]

    (match,) = student["images"][0]["matched"]
    assert match["localisation"] == pytest.approx(90)
    assert match["comparisons"] == [
        {"name": "colour", "truth": "red", "student": "=SUM(1)", "similarity": 0, "comparator": "text", "weight": 1.0}
    ]
    assert [miss["why"] for miss in student["images"][1]["missed"]] == ["missed"]
    assert student["images"][1]["extra"][0]["bounds"] == [500, 500, 100, 100]


def test_the_parts_of_the_json_add_up() -> None:
    student = content(graded(HALF))["students"][0]

    def check(part: dict[str, Any]) -> None:
        if part["children"]:
            assert sum(child["points"] for child in part["children"]) == pytest.approx(part["points"])
        for child in part["children"]:
            check(child)

    check(student["breakdown"])
    assert student["breakdown"]["points"] == pytest.approx(student["figures"]["overall"]["value"])
    assert sum(student["losses"].values()) + student["figures"]["overall"]["value"] == pytest.approx(100)


def test_undefined_figures_are_null_beside_a_reason() -> None:
    nothing = annotation_set(images=["a.png", "b.png"])

    student = content(graded(nothing))["students"][0]

    assert student["figures"]["quality"] == {"value": None, "low": None, "high": None, "reason": "nothing matched"}
    assert student["score"] == 0


def test_a_failed_student_is_in_the_json_and_in_the_summary(tmp_path: Path) -> None:
    found = graded(HALF, failed={"grace": "grace.json breaks off."})
    write_summary(tmp_path / "summary.csv", found)

    assert content(found)["students"][-1] == {"student": "grace", "place": None, "error": "grace.json breaks off."}
    last = rows(tmp_path / "summary.csv")[-1]
    assert (last["student"], last["error"], last["overall"]) == ("grace", "grace.json breaks off.", "")


def test_overrides_show_what_the_score_was(tmp_path: Path) -> None:
    prepared = prepare_truth(truth())
    score = score_submission(prepared, HALF)
    change = Override("match", 100, "trainer", "2026-11-15T10:00:00", "the edge is hard to see", "same", 0, 0)
    changed = apply_overrides(score, [change], "same")
    found = Graded.of(Batch(prepared, {"mira": changed}), {})

    write_summary(tmp_path / "summary.csv", found)

    first = rows_of(details_csv(changed))[0]
    assert (float(first["score"]), first["overridden"]) == (100, "True")
    assert float(first["original_score"]) == pytest.approx(70)
    line = rows(tmp_path / "summary.csv")[0]
    assert float(line["original_overall"]) == pytest.approx(score.overall)
    assert float(line["overall"]) > score.overall
    assert content(found)["students"][0]["original_score"] == pytest.approx(score.overall)


def test_skeletons_bring_a_report_of_their_points() -> None:
    person = annotation_set(skeleton("a.png", "person", {"nose": (10, 10, 2), "knee": (30, 60, 2)}))
    drawn = annotation_set(skeleton("a.png", "person", {"nose": (10, 10, 2)}))
    prepared = prepare_truth(person, Rubric())
    found = Graded.of(Batch(prepared, {"mira": score_submission(prepared, drawn)}), {})

    keypoints = content(found)["students"][0]["keypoints"]

    assert (keypoints["expected"], len(keypoints["absent"])) == (2, 1)


@pytest.mark.parametrize("most_indented", [20_000, 0])
def test_the_pieces_are_the_text_of_the_whole(most_indented: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.annotations.grading.graded.MOST_INDENTED", most_indented)
    for found in (graded(HALF), graded(HALF, truth(), failed={"zoe": 'a "quoted"\nproblem'})):
        text = results_json(found, MADE)
        assert text == dumped(json.loads(text), indented=bool(most_indented))
        assert text.count("\n") == 1 or most_indented


def test_text_is_indented_by_one_unless_there_is_much_of_it() -> None:
    assert dumped({"a": ["ä"]}) == '{\n "a": [\n  "ä"\n ]\n}\n'
    assert dumped({"a": ["ä"]}, indented=False) == '{"a": ["ä"]}\n'


def test_the_agreement_names_what_each_annotator_called_an_object() -> None:
    sets = {
        "ada": annotation_set(box("a.png", "car", 0, 0, 100, 100), box("b.png", "car", 0, 0, 50, 50)),
        "ben": annotation_set(box("a.png", "van", 0, 0, 100, 100), box("a.png", "car", 300, 0, 400, 100)),
    }
    agreement = measure_agreement(sets)
    found = json.loads(agreement_json(agreement, sets, {"eve": "it is empty"}, MADE))
    assert found["schema"] == "assay.agreement/1"
    assert [(one["name"], one["error"]) for one in found["annotators"]] == [
        ("ada", None),
        ("ben", None),
        ("eve", "it is empty"),
    ]
    ada, ben = (own.ids for own in sets.values())
    answers = {(one["image"], *one["ids"]): one["answers"] for one in found["objects"]}
    assert answers == {
        ("a.png", ada[0], ben[0]): ["car", "van"],
        ("a.png", None, ben[1]): ["not annotated", "car"],
        ("b.png", ada[1], None): ["car", None],
    }
    assert found["labels"] == ["car", "van"]
    assert found["provenance"]["command"] == "test"
