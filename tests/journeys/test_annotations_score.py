"""`assay annotations score`: a ground truth and submissions in, grades and reports out."""

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.example_data import ExampleAnnotations, example_annotations
from assay.io.results.annotation_tables import DETAIL_COLUMNS, SUMMARY_COLUMNS
from tests.journeys.annotation_runs import plan_coco, results, run, student, table


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> ExampleAnnotations:
    return example_annotations()


@pytest.fixture(scope="module")
def graded(example: ExampleAnnotations, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, scored with its images."""
    out = tmp_path_factory.mktemp("graded") / "grades"
    result = run("score", "--truth", example.truth, *example.submissions, "--images", example.images, "--out", out)
    assert result.exit_code == 0, result.output
    assert "ada" in result.output
    assert "grace could not be scored: grace.json, row 1: it breaks off" in result.output
    assert str(out / "report.html") in result.output.splitlines()[-1]
    return out


def test_everything_that_is_promised_is_written(graded: Path) -> None:
    students = {"ada", "ben", "chloe", "dmitri", "emre", "farid"}

    assert {path.name for path in graded.iterdir()} == {
        "results.json",
        "summary.csv",
        "details",
        "report.html",
        "students",
    }
    assert {path.stem for path in (graded / "details").iterdir()} == students
    assert {path.name for path in (graded / "students").iterdir()} == {f"{name}.html" for name in students}


def test_the_summary_has_a_row_for_each_student_best_first_and_the_broken_file_last(graded: Path) -> None:
    rows = table(graded / "summary.csv")

    assert tuple(rows[0]) == SUMMARY_COLUMNS
    assert [row["student"] for row in rows] == ["ada", "chloe", "farid", "dmitri", "ben", "emre", "grace"]
    assert "the JSON is not complete" in rows[-1]["error"]
    assert (rows[-1]["score"], rows[-1]["place"]) == ("", "")
    for row in rows[:-1]:
        lost = sum(float(row[column]) for column in SUMMARY_COLUMNS if column.startswith("lost_to"))
        assert float(row["overall"]) + lost == pytest.approx(100)
        assert int(row["matched"]) + int(row["missed"]) == int(row["objects"]) == 127


def test_the_details_have_a_row_for_every_object_and_every_extra(graded: Path) -> None:
    summary = {row["student"]: row for row in table(graded / "summary.csv")}
    rows = table(graded / "details" / "dmitri.csv")

    assert tuple(rows[0])[: len(DETAIL_COLUMNS)] == DETAIL_COLUMNS
    for result in ("matched", "missed", "extra"):
        assert sum(row["result"] == result for row in rows) == int(summary["dmitri"][result])
    forgotten = next(row for row in rows if row["colour: truth"] and not row["colour: submission"])
    assert float(forgotten["colour: alike"]) == 0


def test_the_systematic_error_of_each_student_is_found(graded: Path) -> None:
    said = {one["student"]: one["feedback"]["advice"] for one in results(graded)["students"] if not one["error"]}

    assert said["ada"] == []
    assert "too loose" in said["ben"][0]["sentence"]
    assert "objects smaller than" in said["chloe"][0]["sentence"]
    assert {"forgotten attribute", "confusion"} <= {advice["kind"] for advice in said["dmitri"]}
    assert "short of the object by about 18.6 % of its width on the right" in said["emre"][0]["sentence"]
    (pair,) = results(graded)["shared_errors"]
    assert {pair["first"], pair["second"]} == {"chloe", "farid"}
    assert pair["question"].endswith("?")


def test_results_json_names_its_schema_rules_inputs_and_undefined_figures(graded: Path) -> None:
    content = results(graded)

    assert content["schema"] == "assay.annotations/1"
    assert content["rules"]["profile"] == "annotator-ai-1.0"
    assert content["ground_truth"]["annotations"] == 127
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in content["provenance"]["inputs"].values())
    grace = student(graded, "grace")
    assert (grace["place"], "not complete" in grace["error"]) == (None, True)
    ben = student(graded, "ben")
    assert ben["figures"]["label"]["reason"], "a figure without an interval says why"
    assert "NaN" not in (graded / "results.json").read_text(encoding="utf-8")


def test_the_reports_stand_alone_with_their_images_and_name_the_broken_file(graded: Path) -> None:
    batch = (graded / "report.html").read_text(encoding="utf-8")
    own = (graded / "students" / "chloe.html").read_text(encoding="utf-8")

    assert "grace" in batch
    assert 'href="students/chloe.html"' in batch
    assert "You found 108 of 127 objects and drew " in own
    assert own.count("data:image/png;base64,") == 13  # twelve images, and the picture of the habit
    for page in (batch, own):
        assert "<script" not in page
        assert not re.search(r'(?:src|href)="https?:', page)


def test_the_worked_example_of_the_scoring_plan(tmp_path: Path) -> None:
    # section 5: IoU 0.95 and 0.92, "persn" for "Person", true for false; one missed, one extra
    truth = [
        {"label": "Car", "bbox": [0, 0, 100, 100], "attributes": {"color": "red"}},
        {"label": "Person", "bbox": [300, 0, 100, 100], "attributes": {"hidden": True}},
        {"label": "Car", "bbox": [600, 400, 50, 50], "attributes": {"color": "blue"}},
    ]
    drawn = [
        {"label": "Car", "bbox": [0, 0, 95, 100], "attributes": {"color": "red"}},
        {"label": "persn", "bbox": [300, 0, 92, 100], "attributes": {"hidden": False}},
        {"label": "Car", "bbox": [100, 400, 50, 50], "attributes": {"color": "red"}},
    ]
    for name, objects in (("truth.json", truth), ("mira.json", drawn)):
        (tmp_path / name).write_text(json.dumps(plan_coco(objects)), encoding="utf-8")

    result = run("score", "--truth", tmp_path / "truth.json", tmp_path / "mira.json", "--out", tmp_path / "out")

    assert result.exit_code == 0, result.output
    mira = student(tmp_path / "out", "mira")
    assert mira["score"] == 74
    # the plan prints 74.32: it cuts 83.33 to 83 and F-beta to 0.665 on the way
    assert mira["figures"]["overall"]["value"] == pytest.approx(0.5 * (97.5 + 66.8333) / 2 + 0.5 * 66.6667, abs=0.001)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "You found 2 of 3 objects and drew 1 extra annotation." in page
    assert "1 label and 1 attribute are different from the ground truth." in page
    assert not (tmp_path / "out" / "students").exists(), "one submission has one report"


def test_edited_rules_change_the_score_and_are_told(example: ExampleAnnotations, tmp_path: Path) -> None:
    ada = next(path for path in example.submissions if path.stem == "ada")
    rules = tmp_path / "rules.toml"
    run("rules", example.truth, "-o", rules, "--quiet")
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("completeness = 50", "completeness = 0"), encoding="utf-8")

    run("score", "--truth", example.truth, ada, "--rules", rules, "--out", tmp_path / "out")

    ada_result = student(tmp_path / "out", "ada")
    assert ada_result["figures"]["overall"]["value"] == pytest.approx(ada_result["tally"]["quality"])
    assert "other settings for weights" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_zip_of_all_students_and_a_zip_of_images_do(example: ExampleAnnotations, tmp_path: Path) -> None:
    packed, pictures = tmp_path / "class.zip", tmp_path / "images.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in example.submissions:
            archive.write(path, f"hand-ins/{path.name}")
    with zipfile.ZipFile(pictures, "w") as archive:
        for path in example.images.iterdir():
            archive.write(path, f"data/{path.name}")

    run("score", "--truth", example.truth, packed, "--images", pictures, "--out", tmp_path / "out", "--quiet")

    assert len(results(tmp_path / "out")["students"]) == 7
    assert "data:image/png" in (tmp_path / "out" / "students" / "ada.html").read_text(encoding="utf-8")


def test_every_report_can_be_had_as_pdf(example: ExampleAnnotations, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the PDF report needs the extra 'pdf'")
    out = tmp_path / "out"

    run("score", "--truth", example.truth, *example.submissions[:2], "--images", example.images, "--out", out, "--pdf")

    for file in ("report.pdf", "students/ada.pdf", "students/ben.pdf"):
        assert (out / file).read_bytes().startswith(b"%PDF-")


def test_json_goes_to_the_screen_alone(example: ExampleAnnotations, tmp_path: Path) -> None:
    result = run("score", "--truth", example.truth, example.submissions[0], "--out", tmp_path / "out", "--json")

    assert json.loads(result.stdout)["students"][0]["student"] == "ada"
    assert "Wrote" in result.stderr


def test_names_that_lead_elsewhere_or_run_as_formulas_stay_names(example: ExampleAnnotations, tmp_path: Path) -> None:
    text = (example.truth.parent / "submissions" / "ada.xml").read_text(encoding="utf-8")
    evil = tmp_path / "=cmd|' 'A0.xml"
    evil.write_text(text.replace('label="car"', 'label="=HYPERLINK(1)"'), encoding="utf-8")

    run("score", "--truth", example.truth, evil, *example.submissions[:2], "--out", tmp_path / "out")

    assert (tmp_path / "out" / "details" / "_cmd__ _A0.csv").exists()
    cells = [cell for row in table(tmp_path / "out" / "details" / "_cmd__ _A0.csv") for cell in row.values()]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not any(cell.startswith(("=", "@", "+")) for cell in cells)


# ---- bad input -----------------------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], None]


def _changed(example: ExampleAnnotations, target: Path, change: Change) -> Path:
    content = json.loads((example.truth.parent / "submissions" / "ben.json").read_text(encoding="utf-8"))
    change(content)
    target.write_text(json.dumps(content), encoding="utf-8")
    return target


def _zip(target: Path, member: str, content: bytes) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return target


DTD = '<!DOCTYPE a [<!ENTITY e "x">]><annotations><image id="0" name="a.png">&e;</image></annotations>'
UNREADABLE: dict[str, tuple[Callable[[Path], Path], list[str]]] = {
    "an image instead of annotations": (lambda p: _written(p / "bad.json", b"\x89PNG\r\n\x1a\n\0"), ["bad.json"]),
    "JSON that breaks off": (lambda p: _written(p / "bad.json", b'{"images": [{"id": 1'), ["bad.json", "not complete"]),
    "an empty file": (lambda p: _written(p / "bad.json", b""), ["bad.json: the file is empty"]),
    "a document type": (lambda p: _written(p / "bad.xml", DTD.encode()), ["bad.xml", "row 1", "DOCTYPE"]),
    "a ZIP bomb": (lambda p: _zip(p / "bad.zip", "a.json", b" " * (20 << 20)), ["bad.zip", "'a.json'", "bomb"]),
    "a path out of the ZIP": (lambda p: _zip(p / "bad.zip", "../a.json", b"{}"), ["bad.zip", "'../a.json'", "out of"]),
    "a ZIP without annotations": (lambda p: _zip(p / "bad.zip", "a.txt", b"hello"), ["bad.zip", "no annotations"]),
    "a file that is not there": (lambda p: p / "bad.json", ["bad.json", "does not exist"]),
}


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_file_that_cannot_be_read_is_named_and_the_others_are_graded(
    case: str, example: ExampleAnnotations, tmp_path: Path
) -> None:
    make, words = UNREADABLE[case]

    result = run("score", "--truth", example.truth, make(tmp_path), example.submissions[0], "--out", tmp_path / "out")

    assert result.exit_code == 0
    error = student(tmp_path / "out", "bad")["error"]
    assert [word for word in words if word not in error] == []
    assert f"bad could not be scored: {error}" in result.output
    assert student(tmp_path / "out", "ada")["score"] == 97
    assert error.split(".")[0] in (tmp_path / "out" / "report.html").read_text(encoding="utf-8").replace("&#x27;", "'")


def _other_names(content: dict[str, Any]) -> None:
    for image in content["images"]:
        image["file_name"] = "frame_" + image["file_name"]


def _resized(content: dict[str, Any]) -> None:
    for image in content["images"]:
        image["width"] = 1280


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_other_names, ["bad.json", "none of its 12 images", "'frame_street_01.png'", "'street_01.png'"]),
        (_resized, ["bad.json", "street_01.png is 1280 x 360 and should be 640 x 360", 'resized_images = "scale"']),
    ],
)
def test_a_file_that_does_not_fit_the_ground_truth_is_named_and_the_others_are_graded(
    change: Change, words: list[str], example: ExampleAnnotations, tmp_path: Path
) -> None:
    bad = _changed(example, tmp_path / "bad.json", change)

    run("score", "--truth", example.truth, bad, example.submissions[0], "--out", tmp_path / "out")

    error = student(tmp_path / "out", "bad")["error"]
    assert [word for word in words if word not in error] == []
    assert student(tmp_path / "out", "ada")["score"] == 97


def _short_runs(content: dict[str, Any]) -> None:
    content["annotations"][0]["segmentation"] = {"size": [360, 640], "counts": [10, 20, 30]}


def _no_number(content: dict[str, Any]) -> None:
    content["annotations"][0] |= {"bbox": [float("nan"), 1, 2, 3], "segmentation": []}


def _same_ids(content: dict[str, Any]) -> None:
    content["annotations"][1]["id"] = content["annotations"][0]["id"]


def _no_such_category(content: dict[str, Any]) -> None:
    content["annotations"][0]["category_id"] = 999


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_short_runs, "add up to 60"),
        (_no_number, "cannot be read"),
        (_same_ids, "id is not its own"),
        (_no_such_category, "category is not defined"),
    ],
)
def test_one_bad_annotation_is_reported_with_its_place_and_the_rest_of_the_file_is_scored(
    change: Change, words: str, example: ExampleAnnotations, tmp_path: Path
) -> None:
    bad = _changed(example, tmp_path / "bad.json", change)

    result = run("score", "--truth", example.truth, bad, "--out", tmp_path / "out")

    scored = student(tmp_path / "out", "bad")
    (note,) = [note for note in scored["notes"] if words in note["what"]]
    assert "annotation 1" in note["where"]
    assert scored["score"] >= 85
    assert words in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "not scored" in result.output or "small problems" in result.output


def test_when_nothing_can_be_scored_every_reason_is_told_and_nothing_is_written(
    example: ExampleAnnotations, tmp_path: Path
) -> None:
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text("{", encoding="utf-8")

    result = run(
        "score", "--truth", example.truth, tmp_path / "one.json", tmp_path / "two.json", "--out", tmp_path / "out"
    )

    assert isinstance(result.exception, InputError)
    assert "one: one.json" in str(result.exception)
    assert "two: two.json" in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_folder_with_other_files_is_left_alone(example: ExampleAnnotations, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine", encoding="utf-8")

    result = run("score", "--truth", example.truth, example.submissions[0], "--out", tmp_path / "out")

    assert "force" in str(result.exception)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.txt"]


def test_an_earlier_result_is_replaced_whole(example: ExampleAnnotations, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("score", "--truth", example.truth, *example.submissions[:3], "--out", out)
    run("score", "--truth", example.truth, *example.submissions[3:5], "--out", out)

    assert {path.stem for path in (out / "details").iterdir()} == {"dmitri", "emre"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rules", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--profile", "lenient"], "annotator-ai-1.0"),
        (["--images", "nowhere"], "nowhere: it does not exist"),
    ],
)
def test_a_wrong_option_is_told_before_anything_is_written(
    options: list[str], words: str, example: ExampleAnnotations, tmp_path: Path
) -> None:
    result = run("score", "--truth", example.truth, example.submissions[0], "--out", tmp_path / "out", *options)

    assert words in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_images_of_one_side_only_are_told(example: ExampleAnnotations, tmp_path: Path) -> None:
    def renamed(content: dict[str, Any]) -> None:
        content["images"][0]["file_name"] = "elsewhere.png"

    bad = _changed(example, tmp_path / "bad.json", renamed)
    run("score", "--truth", example.truth, bad, "--out", tmp_path / "out")

    notes = {note["where"]: note["what"] for note in student(tmp_path / "out", "bad")["notes"]}
    assert "count as extra" in notes["image 'elsewhere.png'"]
    assert "count as missed" in notes["image 'street_01.png'"]


def test_images_of_one_name_that_cannot_be_told_apart_are_named(tmp_path: Path) -> None:
    truth, student = tmp_path / "truth.json", tmp_path / "student.json"
    truth.write_text(json.dumps(plan_coco([{"label": "car", "bbox": [0, 0, 9, 9]}])), encoding="utf-8")
    drawn = plan_coco([{"label": "car", "bbox": [0, 0, 9, 9]}])
    drawn["images"] = [{"id": 7, "file_name": "x/image1.jpg"}, {"id": 8, "file_name": "y/image1.jpg"}]
    student.write_text(json.dumps(drawn), encoding="utf-8")

    result = run("score", "--truth", truth, student, "--out", tmp_path / "out")

    assert "'x/image1.jpg' and 'y/image1.jpg' are both called 'image1.jpg'" in str(result.exception)


def test_images_that_lie_in_the_ground_truth_s_zip_are_drawn_on(example: ExampleAnnotations, tmp_path: Path) -> None:
    photo = next(example.images.glob("*.png"))
    with zipfile.ZipFile(tmp_path / "truth.zip", "w") as archive:
        archive.writestr("annotations.xml", example.truth.read_bytes())
        archive.write(photo, f"images/{photo.name}")
    done = run("score", "--truth", tmp_path / "truth.zip", example.submissions[0], "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "data:image/png;base64," in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", ['only_labels = ["zeppelin"]', ""])
def test_a_ground_truth_without_an_object_to_be_found_is_refused(tmp_path: Path, line: str) -> None:
    drawn = plan_coco([{"label": "car", "bbox": [0, 0, 9, 9]}])
    if not line:
        drawn["annotations"][0]["iscrowd"] = 1
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps(drawn), encoding="utf-8")
    rules = tmp_path / "rules.toml"
    rules.write_text(f'profile = "annotator-ai-1.0"\n{line}\n', encoding="utf-8")
    done = run("score", "--truth", truth, truth, "--rules", rules, "--out", tmp_path / "out")
    assert isinstance(done.exception, InputError)
    assert "no object to be found" in str(done.exception)
    assert not (tmp_path / "out").exists()
