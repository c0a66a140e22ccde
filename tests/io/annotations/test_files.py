"""The front door: any of the formats from a file, a folder or a ZIP, one student or many."""

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Box, Polygon
from assay.errors import InputError, MissingExtra
from assay.io.annotations import detect as annotation_formats
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.detect import Format, FormatReading, detect
from assay.io.annotations.files import Submission, SubmissionFile, each_submission, list_submissions, read_annotations
from assay.io.archive import Member
from assay.io.image_files import read_images
from tests.io.annotations.submissions import read_submissions

XML = b'<annotations><image id="0" name="a.jpg" width="9" height="9"><tag label="x"/></image></annotations>'
COCO: dict[str, Any] = {
    "images": [{"id": 1, "file_name": "a.jpg"}],
    "categories": [{"id": 1, "name": "x"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]}],
}
JSON = json.dumps(COCO).encode()


def zip_bytes(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def saved(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def students(found: Sequence[Submission]) -> list[str]:
    return [submission.student for submission in found]


# one file


@pytest.mark.parametrize(
    "content",
    [
        XML,
        b"<?xml version='1.0'?>" + XML,
        b"\xef\xbb\xbf" + XML,
        b"\n\n  " + XML,
        b"\xef\xbb\xbf\n<?xml version='1.0' encoding='utf-8'?>" + XML,
        b"<!-- by hand -->" + XML,
        ('<?xml version="1.0" encoding="utf-16"?>' + XML.decode()).encode("utf-16"),
    ],
)
def test_xml_is_known_with_or_without_declaration_mark_and_blanks(tmp_path: Path, content: bytes) -> None:
    found = read_annotations(saved(tmp_path / "student.dat", content))
    assert (found.format, len(found), found.source) == ("CVAT for images 1.1", 1, "student.dat")


@pytest.mark.parametrize("content", [JSON, b"\xef\xbb\xbf" + JSON, b"  \n" + JSON])
def test_coco_is_known_by_its_content(tmp_path: Path, content: bytes) -> None:
    assert read_annotations(saved(tmp_path / "student.xml", content)).format == "COCO"


def test_video_is_told_from_images(tmp_path: Path) -> None:
    track = (
        b'<annotations><track id="0" label="x"><box frame="0" xtl="0" ytl="0" xbr="1" ybr="1"/></track></annotations>'
    )
    assert read_annotations(saved(tmp_path / "v.xml", track)).format == "CVAT for video 1.1"


def test_results_are_read_like_the_truth(tmp_path: Path) -> None:
    truth = read_annotations(saved(tmp_path / "truth.json", JSON))
    path = saved(tmp_path / "r.json", json.dumps([COCO["annotations"][0] | {"score": 0.5}]).encode())
    assert read_annotations(path, like=truth).images == truth.images


def test_nan_in_json_as_python_writes_it_is_told_as_null_and_the_rest_is_read(tmp_path: Path) -> None:
    bad = COCO["annotations"][0] | {"id": 2, "bbox": [float("nan"), 0, float("inf"), 1]}
    text = json.dumps(COCO | {"annotations": [*COCO["annotations"], bad]})
    assert "NaN" in text
    found = read_annotations(saved(tmp_path / "a.json", text.encode()))
    assert found.ids == ("1",)
    assert [(p.what, p.lost) for p in found.problems] == [
        ("an annotation cannot be read: bbox[...] is null or NaN and not float", True)
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.json: the file is empty"),
        (b" \n ", "a.json: the file is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "a.json: it is not text"),
        (b"hello", "it is text, but neither JSON nor XML"),
        (b'{"a": 1, "b": 2}', "it is JSON with the keys a, b"),
        (b"{}", "it is JSON without the lists of COCO"),
        (b'[{"a": 1}]', "it is JSON whose items have the keys a"),
        (b"<svg/>", "it is XML with the root <svg>"),
        (b"<html><body/></html>", "is a web page"),
        (b'{"images": [', "row 1: it breaks off in column 13"),
        (b"<annotations><image", "the XML is broken"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"shapes": [], "tags": [], "tracks": [], "version": 0}', "is CVAT's own JSON"),
        (b'{"job": {}, "task": {}}', "is CVAT's own JSON"),
        (b'[{"version": 0, "shapes": [], "tags": [], "tracks": []}]', "is CVAT's own JSON"),
        (b'{"count": 1, "next": null, "previous": null, "results": []}', "is a page of CVAT's API"),
        (b'[{"data": {"image": "a.jpg"}}]', "Label Studio tasks without annotations"),
        (b'[{"image_id": 1, "segments_info": []}]', "COCO panoptic results"),
        (b'{"project": {}, "config": {}, "metadata": {}, "view": {}}', "project of VIA 3"),
        (b'{"_via_img_metadata": {}}', "it names no images"),
        (b'{"type": "FeatureCollection", "features": []}', "GeoJSON"),
        (b'[{"image_id": 1, "category_id": 1}]', "is a list of COCO results"),
    ],
)
def test_what_is_no_annotation_file_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_annotations(saved(tmp_path / "a.json", content))
    assert message in str(refused.value)
    assert str(refused.value).startswith("a.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json: it does not exist"):
        read_annotations(tmp_path / "none.json")


def test_a_truth_in_a_zip_with_its_images_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "truth.zip", zip_bytes({"annotations.xml": XML, "images/a.jpg": b"\xff\xd8"}))
    found = read_annotations(path)
    assert (len(found), found.source) == (1, "truth.zip/annotations.xml")


def test_a_truth_of_several_files_must_be_named(tmp_path: Path) -> None:
    path = saved(tmp_path / "truth.zip", zip_bytes({"a.xml": XML, "b.xml": XML}))
    with pytest.raises(InputError, match=r"truth\.zip: it holds 2 sets of annotations \(a, b"):
        read_annotations(path)


# many students


def test_files_are_named_after_themselves(tmp_path: Path) -> None:
    found = read_submissions([saved(tmp_path / "alice.xml", XML), saved(tmp_path / "bob.json", JSON)])
    assert students(found) == ["alice", "bob"]
    assert [s.error for s in found] == ["", ""]
    assert all(isinstance(s.annotations, AnnotationSet) for s in found)


def test_files_that_a_tool_named_are_named_after_their_folder(tmp_path: Path) -> None:
    for name in ("alice", "bob", "carol"):
        (tmp_path / name).mkdir()
    found = read_submissions(
        [
            saved(tmp_path / "alice" / "annotations.xml", XML),
            saved(tmp_path / "bob" / "instances_default.json", JSON),
            saved(tmp_path / "carol" / "annotations.zip", zip_bytes({"annotations.xml": XML})),
        ]
    )
    assert students(found) == ["alice", "bob", "carol"]


def test_one_zip_holds_many_students_files(tmp_path: Path) -> None:
    path = saved(tmp_path / "class.zip", zip_bytes({"alice.json": JSON, "x/bob.xml": XML, "readme.txt": b"hi"}))
    assert students(read_submissions([path])) == ["alice", "bob"]


def test_a_zip_of_one_export_is_named_after_the_zip(tmp_path: Path) -> None:
    files = {"annotations/instances_default.json": JSON, "images/default/a.jpg": b""}
    assert students(read_submissions([saved(tmp_path / "carol.zip", zip_bytes(files))])) == ["carol"]


def test_folders_of_exports_are_named_after_the_student_s_folder(tmp_path: Path) -> None:
    saved(tmp_path / "class" / "alice" / "annotations.xml", XML)
    saved(tmp_path / "class" / "bob" / "annotations" / "instances_default.json", JSON)
    assert students(read_submissions([tmp_path / "class"])) == ["alice", "bob"]


def test_zips_in_a_zip_as_a_batch_export_writes_them(tmp_path: Path) -> None:
    inner = {"alice.zip": zip_bytes({"annotations.xml": XML}), "bob.zip": zip_bytes({"annotations.xml": XML})}
    found = read_submissions([saved(tmp_path / "batch.zip", zip_bytes(inner))])
    assert students(found) == ["alice", "bob"]
    assert found[0].annotations is not None
    assert found[0].annotations.source == "batch.zip/alice.zip/annotations.xml"


def test_a_batch_in_a_folder_is_opened_too_and_a_further_zip_is_not(tmp_path: Path) -> None:
    batch = zip_bytes({"alice.zip": zip_bytes({"annotations.xml": XML})})
    saved(tmp_path / "class" / "batch.zip", batch)
    saved(tmp_path / "class" / "deep.zip", zip_bytes({"deeper.zip": batch}))
    found = read_submissions([tmp_path / "class"])
    assert students(found) == ["alice", "deeper"]
    assert found[0].error == ""
    assert "holds a further ZIP, alice.zip" in found[1].error


def test_the_environment_may_set_tighter_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ARCHIVE_MEMBERS", "1")
    path = saved(tmp_path / "class.zip", zip_bytes({"alice.xml": XML, "bob.xml": XML}))
    found = read_submissions([path])
    assert students(found) == ["class"]
    assert found[0].error.startswith("class.zip: it has 2 files; at most 1 are read")


def test_a_zip_in_a_zip_names_the_student_whatever_its_only_file_is_called(tmp_path: Path) -> None:
    inner = {"alice.zip": zip_bytes({"job_12.xml": XML})}
    assert students(read_submissions([saved(tmp_path / "batch.zip", zip_bytes(inner))])) == ["alice"]


def test_several_zips_at_once_are_all_opened(tmp_path: Path) -> None:
    paths = [saved(tmp_path / f"{name}.zip", zip_bytes({"annotations.xml": XML})) for name in ("alice", "bob")]
    assert students(read_submissions(paths)) == ["alice", "bob"]


def test_one_broken_student_does_not_stop_the_others(tmp_path: Path) -> None:
    files = {
        "alice.json": JSON,
        "bob.json": JSON[:40],
        "carol.zip": b"PK\x03\x04 broken",
        "dora.zip": zip_bytes({"notes.txt": b""}),
        "eve.zip": zip_bytes({"../annotations.xml": XML}),
        "finn.xml": b"<svg/>",
        "gil.zip": zip_bytes({"annotations.xml": XML}),
    }
    found = {s.student: s for s in read_submissions([saved(tmp_path / "class.zip", zip_bytes(files))])}
    assert sorted(found) == ["alice", "bob", "carol", "dora", "eve", "finn", "gil"]
    assert {name for name, s in found.items() if s.annotations is not None} == {"alice", "gil"}
    assert "class.zip/bob.json, row 1: it breaks off" in found["bob"].error
    assert "not a complete ZIP" in found["carol"].error
    assert "class.zip/dora.zip: it holds no annotations" in found["dora"].error
    assert "leads out of the ZIP" in found["eve"].error
    assert "<svg>" in found["finn"].error


def test_a_path_that_cannot_be_opened_is_a_submission_with_an_error(tmp_path: Path) -> None:
    found = read_submissions([tmp_path / "ghost.json", saved(tmp_path / "alice.xml", XML)])
    assert students(found) == ["ghost", "alice"]
    assert "does not exist" in found[0].error


def test_a_zip_that_holds_a_zip_of_its_own_name_is_opened(tmp_path: Path) -> None:
    path = saved(tmp_path / "alice.zip", zip_bytes({"alice.zip": zip_bytes({"annotations.xml": XML})}))
    found = read_submissions([path])
    assert [(s.student, s.error) for s in found] == [("alice", "")]


def test_a_zip_without_annotations_says_so(tmp_path: Path) -> None:
    path = saved(tmp_path / "photos.zip", zip_bytes({"a.jpg": b"", "b.jpg": b""}))
    found = read_submissions([path])
    assert (students(found), found[0].annotations) == (["photos"], None)
    assert "holds no annotations" in found[0].error
    assert "2 other files" in found[0].error


def test_students_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [saved(tmp_path / folder / "alice.xml", XML) for folder in "abc"]
    assert students(read_submissions(paths)) == ["alice", "alice (2)", "alice (3)"]


def test_results_of_students_are_read_like_the_truth(tmp_path: Path) -> None:
    truth = read_annotations(saved(tmp_path / "truth.json", JSON))
    path = saved(tmp_path / "alice.json", json.dumps(COCO["annotations"]).encode())
    found = read_submissions([path], like=truth, prefer="box")
    assert found[0].annotations is not None
    assert found[0].annotations.format == "COCO results"


def test_a_format_with_a_file_per_image_is_one_submission_per_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(looks: Sequence[tuple[str, bytes]], source: str, _: FormatReading) -> AnnotationSet:
        columns = AnnotationColumns()
        return columns.finished(source=source, format=f"{len(looks)} files")

    pictures = Format("pictures", lambda look: look.root == "picture", read, per_image=True)
    monkeypatch.setattr(annotation_formats, "FORMATS", (*annotation_formats.FORMATS, pictures))
    files = {f"{name}/{i}.xml": b"<picture/>" for name in ("alice", "bob") for i in range(3)}
    found = read_submissions([saved(tmp_path / "class.zip", zip_bytes(files))])
    assert students(found) == ["alice", "bob"]
    assert [s.annotations.format for s in found if s.annotations is not None] == ["3 files", "3 files"]


def subset(*names: str) -> bytes:
    images = [{"id": i, "file_name": name} for i, name in enumerate(names)]
    labels = [{"id": 0, "name": f"of {names[0]}"}, {"id": 1, "name": "x"}]
    drawn = [{"id": i, "image_id": i, "category_id": 1, "bbox": [0, 0, i + 1, 1]} for i in range(len(names))]
    drawn[0] |= {"iscrowd": 1, "attributes": {"n": 1, "track_id": 0}, "segmentation": [[0, 0, 4, 0, 4, 3]]}
    return json.dumps({"images": images, "categories": labels, "annotations": drawn}).encode()


def test_the_subsets_of_one_export_are_one_submission(tmp_path: Path) -> None:
    files = {
        "annotations/instances_Train.json": subset("a.jpg", "b.jpg"),
        "annotations/instances_Val.json": subset("c.jpg", "d.jpg"),
    }
    path = saved(tmp_path / "alice.zip", zip_bytes(files))
    assert students(read_submissions([path])) == ["alice"]
    found = read_annotations(path)
    assert [found.images[i].name for i in found.image] == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
    assert found.labels == ("of a.jpg", "x", "of c.jpg")
    assert [found.labels[i] for i in found.label] == ["x"] * 4
    assert found.counts() == {"box": 2, "polygon": 2}
    assert isinstance(found.shape(2), Polygon)
    assert found.shape(3) == Box(0, 0, 2, 1)
    assert found.attributes == {0: {"n": 1}, 2: {"n": 1}}
    assert found.crowd is not None
    assert found.crowd.tolist() == [True, False, True, False]
    assert found.track is not None
    assert found.track.tolist() == [0, -1, 1, -1]
    assert found.source == "alice.zip/annotations"


def test_images_of_one_name_in_two_subsets_are_told_apart_by_the_subset(tmp_path: Path) -> None:
    files = {
        "annotations/instances_Train.json": subset("a.jpg", "b.jpg"),
        "annotations/instances_Test.json": subset("a.jpg", "c.jpg"),
    }
    found = read_annotations(saved(tmp_path / "alice.zip", zip_bytes(files)))
    assert [image.name for image in found.images] == ["Test/a.jpg", "c.jpg", "Train/a.jpg", "b.jpg"]


def test_two_files_of_one_export_about_the_same_images_are_refused(tmp_path: Path) -> None:
    files = {"annotations/instances_a.json": subset("a.jpg"), "annotations/person_keypoints_a.json": subset("a.jpg")}
    found = read_submissions([saved(tmp_path / "alice.zip", zip_bytes(files))])
    assert students(found) == ["alice"]
    assert "several files about the same images: 'a.jpg' is in" in found[0].error


def test_a_first_look_tells_what_stands_at_the_top() -> None:
    look = detect("a", b'[{"b": 1, "c": [2]}]')
    assert (look.syntax, look.is_list, look.keys) == ("json", True, frozenset("bc"))
    look = detect("a", b"<r><x/><y><z/></y></r>")
    assert (look.syntax, look.root) == ("xml", "r")


# images


def test_images_are_found_by_path_then_by_less_of_it_then_by_name(tmp_path: Path) -> None:
    files = {"images/train/a.jpg": b"1", "images/test/a.jpg": b"2", "b.PNG": b"3", "deep/c.jpg": b"4", "notes.txt": b""}
    found = read_images(saved(tmp_path / "images.zip", zip_bytes(files)))
    assert len(found) == 4
    assert found.find("images/train/a.jpg") == b"1"
    assert found.find("test/a.jpg") == b"2"
    assert found.find("some/where/b.PNG") == b"3"
    assert found.find("c.jpg") == b"4"
    assert found.find("x\\c.jpg") == b"4"
    assert found.find("a.jpg") is None
    assert found.find("none.jpg") is None
    assert found.find("C") == b"4"  # as CVAT names frames: without an ending


def test_images_of_a_folder_are_read_when_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path / "images" / "a.jpg", b"old")
    found = read_images(tmp_path / "images")
    path.write_bytes(b"new")
    assert found.find("a.jpg") == b"new"


def test_a_folder_without_images_says_so(tmp_path: Path) -> None:
    saved(tmp_path / "a.txt", b"")
    with pytest.raises(InputError, match="holds no images"):
        read_images(tmp_path)


def test_a_file_is_of_one_image_only_where_it_is_said() -> None:
    assert SubmissionFile(Member("a.json", 1, bytes), "s", "s/a.json").of_one_image is False


def test_a_set_of_many_names_the_first_five(tmp_path: Path) -> None:
    for name in "abcdef":
        saved(tmp_path / "class" / f"{name}.xml", XML)
    with pytest.raises(InputError, match=r"it holds 6 sets of annotations \(a, b, c, d, e \.\.\.\)") as refused:
        read_annotations(tmp_path / "class")
    assert refused.value.remedy == "Name the one to be read."


def test_students_of_one_name_are_counted(tmp_path: Path) -> None:
    paths = [saved(tmp_path / folder / "alice.xml", XML) for folder in "xyz"]
    assert students(read_submissions(paths)) == ["alice", "alice (2)", "alice (3)"]


def test_submissions_are_listed_by_name_and_read_when_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path / "upload", zip_bytes({"ada/annotations.xml": XML, "bob.json": JSON}))
    listed = list_submissions(path, name="class.zip")
    assert [student for student, _ in listed] == ["ada", "bob"]
    assert [read().format for _, read in listed] == ["CVAT for images 1.1", "COCO"]
    assert [read().source for _, read in listed] == ["class.zip/ada/annotations.xml", "class.zip/bob.json"]
    (alone,) = list_submissions(saved(tmp_path / "0a1b", XML), name="carol.xml")
    assert (alone[0], alone[1]().source) == ("carol", "carol.xml")
    with pytest.raises(InputError, match=r"^notes\.zip: it holds no annotations, but 2 other files"):
        list_submissions(saved(tmp_path / "0c", zip_bytes({"a.md": b"", "b.md": b""})), name="notes.zip")


@pytest.mark.parametrize("place", ["a.zip", "b/a.json", "a.json"])
def test_a_part_that_is_not_installed_is_not_the_student_s_fault(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> AnnotationSet:
        raise MissingExtra("Reading it", "annotations")

    one = Format("one", lambda look: look.root == "one", read)
    monkeypatch.setattr(annotation_formats, "FORMATS", (one,))
    content = zip_bytes({"x.xml": b"<one/>"}) if place.endswith("zip") else b"<one/>"
    saved(tmp_path / "in" / place, content)
    with pytest.raises(MissingExtra):
        list(read_submissions([tmp_path / "in"]))


def test_whatever_a_reader_meets_is_told_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> AnnotationSet:
        raise KeyError("odd")

    odd = Format("odd", lambda look: look.root == "odd", read)
    monkeypatch.setattr(annotation_formats, "FORMATS", (odd,))
    with pytest.raises(InputError, match="odd") as refused:
        read_annotations(saved(tmp_path / "a.xml", b"<odd/>"))
    assert refused.value.source == str(tmp_path / "a.xml")
    (student,) = read_submissions([tmp_path / "a.xml"])
    assert (student.student, student.annotations, "odd" in student.error) == ("a", None, True)


def test_everything_in_the_folder_of_a_class_is_a_submission_or_has_an_error(tmp_path: Path) -> None:
    """The folder of an outsider: three of four students appeared nowhere."""
    submission = Path("examples/annotations/submissions/ada.xml").read_bytes()
    (tmp_path / "anna.xml").write_bytes(submission)
    (tmp_path / "ben.txt").write_text("my work is on the other computer")
    (tmp_path / "carla.docx").write_bytes(b"PK\x05\x06" + bytes(18))
    (tmp_path / "README.md").write_text("submissions of class 7")
    (tmp_path / "street.png").write_bytes(b"\x89PNG")
    for name in ("dora/readme.md", "images/street.png", "eva/street.png"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("hello")
    given = {one.student: one.error for one in each_submission([tmp_path], FormatReading())}
    assert sorted(given) == ["anna", "ben", "carla", "dora", "eva"]
    assert given["anna"] == ""
    assert "carla.docx: it is no file of annotations. Hand in" in given["carla"]
    assert "dora: it holds no annotations, but 1 other file. Hand in" in given["dora"]


def test_notes_beside_the_export_of_one_student_are_nobodys_work(tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / "annotations.xml").write_bytes(Path("examples/annotations/submissions/ada.xml").read_bytes())
    (folder / "notes.docx").write_text("hello")
    assert [one.student for one in each_submission([folder], FormatReading())] == ["ada"]


def test_tables_of_rows_in_the_folder_of_a_class_are_read_and_not_called_other_files(tmp_path: Path) -> None:
    (tmp_path / "anna.xml").write_bytes(Path("examples/annotations/submissions/ada.xml").read_bytes())
    header = "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax"
    (tmp_path / "ben.csv").write_text(f"{header}\nstreet_01,x,car,1,0.1,0.2,0.1,0.2\n")
    assert [one.student for one in each_submission([tmp_path], FormatReading())] == ["anna", "ben"]


@pytest.mark.parametrize("inside", ["alone", "folder", "zip"])
def test_a_file_over_the_limit_is_refused_by_name(inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ANNOTATION_BYTES", str(len(JSON) - 1))
    alone = saved(tmp_path / "ada/a.json", JSON)
    packed = saved(tmp_path / "a.zip", zip_bytes({"a.json": JSON}))
    path = {"alone": alone, "folder": alone.parent, "zip": packed}[inside]
    with pytest.raises(InputError, match="ASSAY_LIMIT_ANNOTATION_BYTES"):
        read_annotations(path)
