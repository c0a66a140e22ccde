"""YOLO as people hand it in: folders and ZIPs of labels, names and images, one student or many."""

import io
import zipfile
from pathlib import Path

from PIL import Image

from assay.annotations.shapes.shapes import Box
from assay.io.annotations.files import read_annotations
from assay.io.image_files import read_images
from tests.io.annotations.submissions import read_submissions


def png(width: int, height: int) -> bytes:
    stream = io.BytesIO()
    Image.new("L", (width, height)).save(stream, "PNG")
    return stream.getvalue()


PNG = png(200, 100)
ROW = b"0 0.5 0.5 0.2 0.4\n"
YAML = b"names: [cat, dog]\n"
VOC = b"<annotation><filename>%d.jpg</filename></annotation>"


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    path.write_bytes(stream.getvalue())
    return path


def export(student: str) -> dict[str, bytes]:
    return {
        f"{student}data.yaml": YAML,
        f"{student}images/train/a.png": PNG,
        f"{student}images/train/b.png": PNG,
        f"{student}labels/train/a.txt": ROW,
        f"{student}labels/train/b.txt": b"",
        f"{student}README.txt": b"made with love",
    }


def test_an_export_with_its_images_is_one_set(tmp_path: Path) -> None:
    found = read_annotations(zipped(tmp_path / "alice.zip", export("")))
    assert found.shape(0) == Box(80, 30, 120, 70)
    assert [image.name for image in found.images] == ["images/train/a.png", "images/train/b.png"]
    assert (found.labels, found.problems) == (("cat", "dog"), ())


def test_a_zip_of_many_students_is_told_apart(tmp_path: Path) -> None:
    found = read_submissions([zipped(tmp_path / "class.zip", export("alice/") | export("bob/"))])
    assert [(s.student, s.error) for s in found] == [("alice", ""), ("bob", "")]
    assert [len(s.annotations) for s in found if s.annotations is not None] == [1, 1]


def test_zips_of_students_in_a_zip_are_read(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "alice.zip", export("")).read_bytes()
    found = read_submissions([zipped(tmp_path / "class.zip", {"alice.zip": inner})])
    assert [(s.student, s.error) for s in found] == [("alice", "")]


def test_darknet_s_export_of_cvat_is_read(tmp_path: Path) -> None:
    files = {
        "obj.data": b"classes = 1\nnames = data/obj.names\n",
        "obj.names": b"cat\n",
        "train.txt": b"data/obj_train_data/a.png\n",
        "obj_train_data/a.txt": ROW,
        "obj_train_data/a.png": PNG,
    }
    found = read_annotations(zipped(tmp_path / "alice.zip", files))
    assert (found.labels, len(found.images), found.problems) == (("cat",), 1, ())


def test_label_studio_s_export_with_notes_is_read(tmp_path: Path) -> None:
    notes = b'{"categories": [{"id": 0, "name": "cat"}], "info": {"year": 2024}}'
    files = {"classes.txt": b"cat\n", "notes.json": notes, "labels/a.txt": ROW, "images/a.png": PNG}
    found = read_submissions([zipped(tmp_path / "alice.zip", files)])
    assert [(s.student, s.error) for s in found] == [("alice", "")]


def test_images_may_be_given_apart(tmp_path: Path) -> None:
    images = read_images(zipped(tmp_path / "images.zip", {"a.png": PNG}))
    path = zipped(tmp_path / "alice.zip", {"a.txt": ROW, "classes.txt": b"cat"})
    assert read_annotations(path, images=images).shape(0) == Box(80, 30, 120, 70)
    assert "the size of no image is known" in read_submissions([path])[0].error


def test_a_text_among_the_labels_that_holds_none_is_told(tmp_path: Path) -> None:
    found = read_annotations(zipped(tmp_path / "alice.zip", export("") | {"labels/train/c.txt": b"see b"}))
    assert [(p.where, p.lost) for p in found.problems] == [("alice.zip/labels/train/c.txt", True)]


def test_a_broken_file_of_one_image_is_told_with_the_student_s_others(tmp_path: Path) -> None:
    files = {"alice/1.xml": VOC % 1, "alice/2.xml": VOC[:30], "alice/3.xml": VOC % 3, "bob.xml": VOC[:30]}
    found = read_submissions([zipped(tmp_path / "class.zip", files)])
    assert [(s.student, bool(s.error)) for s in found] == [("alice", False), ("bob", True)]
    assert found[0].annotations is not None
    assert [(p.where, p.lost) for p in found[0].annotations.problems] == [("class.zip/alice/2.xml", True)]
    assert len(found[0].annotations.images) == 2


def test_labels_that_are_all_empty_are_a_submission_without_objects(tmp_path: Path) -> None:
    truth = read_annotations(zipped(tmp_path / "truth.zip", export("")))
    for name, files in (("bob", {"labels/train/a.txt": b""}), ("eve", {"a.txt": b"", "classes.txt": b"cat\ndog\n"})):
        (found,) = read_submissions([zipped(tmp_path / f"{name}.zip", files)], like=truth)
        assert found.annotations is not None, found.error
        assert (len(found.annotations), len(found.annotations.images)) == (0, 1)


def test_an_empty_file_alone_in_its_folder_is_an_image_without_objects(tmp_path: Path) -> None:
    files = export("") | {"labels/val/c.txt": b"", "images/val/c.png": PNG}
    found = read_annotations(zipped(tmp_path / "alice.zip", files))
    assert "images/val/c.png" in [image.name for image in found.images]


def test_labels_and_names_in_utf_16_are_read(tmp_path: Path) -> None:
    files = {"labels/a.txt": ROW.decode().encode("utf-16"), "classes.txt": "cat\r\n".encode("utf-16"), "a.png": PNG}
    found = read_annotations(zipped(tmp_path / "alice.zip", files))
    assert (found.labels, found.shape(0)) == (("cat",), Box(80, 30, 120, 70))


def test_what_else_data_yaml_holds_does_not_matter(tmp_path: Path) -> None:
    described = b"""# a comment: with a colon
path: ../datasets/pets  # dataset root
train: images/train
names:
  0: cat
  1: dog
download: |
  from pathlib import Path
  names: [not, these]
augment:
- kind: flip
  chance: 0.5
"""
    found = read_annotations(zipped(tmp_path / "alice.zip", export("") | {"data.yaml": described}))
    assert found.labels == ("cat", "dog")
