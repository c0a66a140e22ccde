"""What people pass to a verb about annotations, in every way it may be passed."""

import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError
from assay.io.annotations.rubric_toml import rubric_toml
from assay.io.image_files import read_images
from assay.workflows.annotations import inputs
from tests.annotations.drawn import annotation_set, box
from tests.paths import EXAMPLES

FOLDER = EXAMPLES / "annotations"
ONE = annotation_set(box("a.png", "car", 0, 0, 100, 100))


def test_a_set_that_was_read_already_is_taken_as_it_is() -> None:
    assert inputs.annotations_of(ONE, None) is ONE
    assert len(inputs.annotations_of(FOLDER / "truth.xml", None)) > 100


def test_submissions_may_be_a_path_several_or_named() -> None:
    ada = FOLDER / "submissions" / "ada.xml"
    for given in (ada, [ada], {"ada": ada}):
        (submission,) = inputs.submissions_of(given, like=None, images=None)
        assert submission.student == "ada"
        assert submission.annotations is not None
    (named,) = inputs.submissions_of({"first": ONE}, like=None, images=None)
    assert (named.student, named.annotations) == ("first", ONE)


def test_a_name_stands_for_one_student(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        for name in ("ada.xml", "chloe.xml"):
            archive.write(FOLDER / "submissions" / name, name)

    with pytest.raises(InputError, match="several students"):
        list(inputs.submissions_of({"both": tmp_path / "two.zip"}, like=None, images=None))


def test_every_path_among_arguments_is_recorded() -> None:
    paths = inputs.given_paths("a.xml", [Path("b.xml")], {"c": "c.xml", "d": ONE}, None)

    assert paths == [Path("a.xml"), Path("b.xml"), Path("c.xml")]


def test_a_digest_is_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / "a.xml"
    file.write_text("one", encoding="utf-8")
    first = inputs.provenance_of("c", [tmp_path / "folder", tmp_path / "none"]).inputs
    file.rename(tmp_path / "folder" / "b.xml")
    second = inputs.provenance_of("c", [tmp_path / "folder"]).inputs

    assert first[str(tmp_path / "none")] == ""
    assert {Path(name).name for name in first} == {"a.xml", "none"}
    assert {Path(name).name for name in second} == {"b.xml"}


def test_images_that_lie_beside_the_ground_truth_are_found(tmp_path: Path) -> None:
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "truth.xml").write_bytes((FOLDER / "truth.xml").read_bytes())
    assert inputs.images_beside(tmp_path / "truth") is None
    (tmp_path / "truth" / "a.png").write_bytes(b"")

    assert inputs.images_beside(tmp_path / "truth") == tmp_path / "truth"
    assert inputs.images_beside(ONE) is None
    assert inputs.images_beside(FOLDER / "truth.xml") is None


def test_rules_are_read_given_or_inferred_and_never_two_of_these(tmp_path: Path) -> None:
    rubric = inputs.rubric_of(ONE, None, "strict-1.0")
    (tmp_path / "rules.toml").write_text(rubric_toml(rubric), encoding="utf-8")

    assert rubric.profile == "strict-1.0"
    assert inputs.read_rules(tmp_path / "rules.toml") == inputs.read_rules(rubric) == rubric
    with pytest.raises(InputError) as both:
        inputs.rubric_of(ONE, Rubric(), "strict-1.0")
    assert both.value.field == "profile"


@pytest.mark.parametrize(("content", "words"), [(None, "cannot be read"), (b"\xff\xfe\x00", "not text in UTF-8")])
def test_a_file_of_rules_that_cannot_be_read_is_named(content: bytes | None, words: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "rules.toml").write_bytes(content)

    with pytest.raises(InputError, match=words) as refused:
        inputs.read_rules(tmp_path / "rules.toml")
    assert refused.value.field == "rules"


def test_every_file_of_a_folder_has_its_own_digest(tmp_path: Path) -> None:
    for name in ("ada.json", "ben/ben.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    listed = inputs.provenance_of("", [tmp_path]).inputs
    assert listed == {str(tmp_path / name): sha256(name.encode()).hexdigest() for name in ("ada.json", "ben/ben.json")}


def test_images_of_which_none_was_annotated_are_refused(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"")
    with pytest.raises(InputError, match=r"none of the images belongs to the ground truth.*holiday\.jpg"):
        inputs.refuse_other_images(read_images(tmp_path), ONE)
    (tmp_path / "a.png").write_bytes(b"")
    inputs.refuse_other_images(read_images(tmp_path), ONE)
    inputs.refuse_other_images(None, ONE)
