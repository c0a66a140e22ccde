"""Images of a folder or ZIP, found by the names annotations give them."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.archive import Member
from assay.io.image_files import ImageFiles, images_among, read_images


def files(*names: str) -> ImageFiles:
    return images_among(Member(name, 1, name.encode) for name in names)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("train/a.jpg", b"train/a.jpg"),
        ("root/train/a.jpg", b"train/a.jpg"),
        ("b.jpg", b"val/b.jpg"),
        ("B.PNG", b"val/b.jpg"),
        (r"x\val\b.jpg", b"val/b.jpg"),
        ("a.jpg", None),
        ("c.jpg", None),
        ("", None),
    ],
)
def test_an_image_is_found_by_path_by_name_or_not_at_all(asked: str, found: bytes | None) -> None:
    assert files("train/a.jpg", "val/a.jpg", "val/b.jpg").find(asked) == found


def test_outlines_of_voc_and_other_files_are_no_images() -> None:
    assert list(files("JPEGImages/a.jpg", "SegmentationClass/a.png", "notes.txt").by_path) == ["JPEGImages/a.jpg"]


def test_a_folder_without_images_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(InputError, match="it holds no images") as refused:
        read_images(tmp_path)
    assert (refused.value.source, refused.value.field) == (str(tmp_path), "images")
    assert ".jpg" in str(refused.value.remedy)
