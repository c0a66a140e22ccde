"""What rows of text are, and which files of a hand-in hold some."""

from functools import partial

import pytest

from assay.errors import InputError
from assay.io.annotations.datasets.text_rows import kind_of_rows, numbers_of, row_members
from assay.io.archive import Member
from fuzz.seed_datasets import CLASSES, KITTI, MOT, MOT_RESULTS, OPEN_IMAGES, VIA_CSV


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (KITTI, "KITTI"),
        (MOT, "MOT"),
        (MOT_RESULTS, "MOT"),
        (OPEN_IMAGES, "Open Images"),
        (VIA_CSV, "VGG VIA"),
        (b"0 0.5 0.5 0.1 0.1\n", ""),
        (b"a readme\n", ""),
        (b"", ""),
    ],
)
def test_the_first_row_says_what_a_text_is(text: bytes, kind: str) -> None:
    assert kind_of_rows(text) == kind


def test_what_belongs_to_rows_is_listed_with_them() -> None:
    files = {"l/1.txt": KITTI, "l/2.txt": b"", "n/3.txt": b"", "o.csv": OPEN_IMAGES, "class-descriptions.csv": CLASSES}
    members = [Member(name, len(content), partial(bytes, content)) for name, content in files.items()]
    rows = {row.member.name: (row.format, row.of_owner) for row in row_members(members)}
    assert rows == {
        "l/1.txt": ("KITTI", False),
        "l/2.txt": ("KITTI", False),
        "o.csv": ("Open Images", True),
        "class-descriptions.csv": ("Open Images", True),
    }


@pytest.mark.parametrize("cell", ["x", "nan", "inf", "1e99", ""])
def test_a_cell_that_is_no_usable_number_is_refused(cell: str) -> None:
    with pytest.raises(InputError):
        numbers_of([cell])
