"""Fuzz targets of annotations, their archives, images and rules: bytes in, the real reader called."""

import json
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.instructions import read_instructions
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import AssayError, InputError
from assay.io import archive
from assay.io.annotations import uploads
from assay.io.annotations.coco.reader import read_coco, read_plain_coco
from assay.io.annotations.detect import FormatReading
from assay.io.annotations.files import each_submission, list_submissions, read_annotations
from assay.io.annotations.roster_file import read_roster
from assay.io.annotations.rubric_toml import read_rubric, rubric_toml
from assay.io.annotations.writers import coco_json, cvat_xml
from assay.io.annotations.yolo_dataset import read_data_yaml
from assay.io.image_files import read_images
from assay.io.image_header import image_header, image_size
from assay.io.language_model import LanguageModel, checked_address
from assay.workflows.annotations.grade import grade_one
from assay.workflows.annotations.inputs import read_rules
from assay.workflows.annotations.instructions import propose_rubric
from fuzz import seed_annotations as seeds
from fuzz.scratch import in_file, scratch


@cache
def truth() -> AnnotationSet:
    """The ground truth that submissions are read and graded against."""
    return read_coco(seeds.coco()[0], source="truth.json")


@cache
def prepared() -> PreparedTruth:
    return prepare_truth(truth(), suggest_rubric(truth()))


def _read(path: Path) -> AnnotationSet:
    """By its size as shapes or as boxes: both ways are tried equally often."""
    boxes = path.stat().st_size % 3 == 0
    annotations = read_annotations(path, like=truth(), prefer="box" if boxes else "shape")
    for place in range(min(len(annotations), 20)):
        annotations.shape(place)
    return annotations


json_file, xml_file, zip_file = (in_file(f"student.{ending}")(_read) for ending in ("json", "xml", "zip"))
text_file = in_file("student.txt")(_read)


def labels(content: bytes) -> object:
    """The labels of one image, beside the names of the classes."""
    folder = scratch() / "yolo"
    folder.mkdir(exist_ok=True)
    (folder / "classes.txt").write_bytes(b"car\nperson\n")
    (folder / "a.txt").write_bytes(content)
    return _read(folder)


def coco_in_pieces(content: bytes) -> object:
    """COCO read piece by piece, as large files are."""
    return read_plain_coco(BytesIO(content), source="a.json", like=truth(), prefer="box")


@in_file("students.zip")
def submissions(path: Path) -> object:
    """Every student of a ZIP; what cannot be read must be a message, as it is for the others of the class."""
    listed = list_submissions(path, like=truth())
    read = list(each_submission([path], FormatReading(truth())))
    with suppress(AssayError):
        _uploaded(path)
    return listed, read


def _uploaded(path: Path) -> object:
    """The same as the web app reads what was uploaded."""
    for cached in (uploads._truth, uploads._listed, uploads._images):
        cached.cache_clear()  # each input lies at the same path
    file, images = (path, path.name), ((path, path.name),)
    with suppress(AssayError):
        uploads.images_of(images)
        uploads.read_uploaded_truth(file, images)
    students = uploads.uploaded_students(file, None, ())
    return [uploads.read_uploaded_submission(file, number, None, ()) for number in range(min(len(students), 3))]


@in_file("student.json")
def grading(path: Path) -> object:
    """A file as ground truth and as submission: rules inferred, graded, advised on, written again."""
    annotations = read_annotations(path, like=truth())
    against = prepare_truth(annotations, suggest_rubric(annotations))
    for one in each_submission([path], FormatReading(annotations)):
        grade_one(one, against)
        grade_one(one, prepared())
    with suppress(InputError):  # COCO has not every shape
        coco_json(annotations)
    return cvat_xml(annotations)


def data_yaml(content: bytes) -> object:
    return read_data_yaml(content.decode("utf-8", "replace"), "data.yaml")


@in_file("archive.zip")
def archives(path: Path) -> object:
    """Every member of an archive unpacked, those of archives within it too."""
    members = archive.list_members(path)
    for member in members[:60]:
        archive.student_of_path(member.name, archive.named_by(path))
        member.read()
        if member.name.lower().endswith(".zip"):
            for inner in archive.nested_members(member, depth=2)[:60]:
                inner.read()
    return members


def image(content: bytes) -> object:
    return image_header(content), image_size(content)


@in_file("images.zip")
def image_files(path: Path) -> object:
    images = read_images(path)
    return [images.find(name) for name in ("a.png", "images/a.png", "b.jpg", "A")]


@in_file("roster.csv")
def roster(path: Path) -> object:
    listed = read_roster(path)
    return [listed.student_of(line.file, line.student) for line in listed.lines[:20]]


@in_file("rules.toml")
def rules(path: Path) -> object:
    """Rules from their file, and written again: those of a file must be rules that can be kept."""
    rubric = read_rules(path)
    text = rubric_toml(rubric)
    if read_rubric(text) != rubric:
        raise AssertionError("rules read again are other rules")
    return pseudocode(rubric)


@cache
def _rubric() -> Rubric:
    return suggest_rubric(truth())


def instructions(content: bytes) -> object:
    text = content.decode("utf-8", "replace")
    read_instructions(text, _rubric())
    return propose_rubric(text, _rubric())


def answer(content: bytes) -> object:
    """What a language model answers to an instruction."""
    return propose_rubric(
        "ignore color; overlap to 0.6 and zzz", _rubric(), model=_Saying(content.decode("utf-8", "replace"))
    )


class _Saying(LanguageModel):
    """A model that answers with one text, whatever it is asked."""

    def __init__(self, text: str) -> None:
        super().__init__("http://127.0.0.1:9/v1")
        object.__setattr__(self, "text", text)

    def answer(self, *_: Any, **__: Any) -> str:
        said: str = self.text  # type: ignore[attr-defined]
        return said


class _Sending(LanguageModel):
    """A server that sends these bytes, whatever it is asked."""

    def __init__(self, content: bytes) -> None:
        super().__init__("http://127.0.0.1:9/v1")
        object.__setattr__(self, "content", content)

    def _post(self, _: Any) -> bytes:
        content: bytes = self.content  # type: ignore[attr-defined]
        return content


def completion(content: bytes) -> object:
    """The body of a chat completion."""
    return _Sending(content).answer([{"role": "user", "content": "?"}])


def address(content: bytes) -> object:
    return checked_address(content.decode("utf-8", "replace"))


def overrides(content: bytes) -> object:
    """Decisions as the web app and its API hand them to a score."""
    try:
        stated = json.loads(content)
    except (ValueError, RecursionError):
        return None
    records = [one for one in stated if isinstance(one, dict)] if isinstance(stated, list) else []
    score = grade_submission(prepared(), truth())
    usable = [one for one in records if isinstance(one.get("target"), str) and "value" in one]
    for one in usable:
        try:
            final_score(score, [one])
        except InputError:
            continue
    return final_score(score, usable)
