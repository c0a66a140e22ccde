"""Uploads read in a child: the same as read here, whoever's work they hold."""

import pytest

from assay.errors import InputError
from assay.io.annotations import uploads
from assay.io.annotations.files import read_annotations
from assay.io.annotations.uploads import images_of, read_uploaded_submission, read_uploaded_truth, uploaded_students
from tests.paths import EXAMPLES

FOLDER = EXAMPLES / "annotations"
TRUTH = (FOLDER / "truth.xml", "the truth.xml")
ADA = (FOLDER / "submissions" / "ada.xml", "ada.xml")


def test_what_a_child_reads_is_what_is_read_here() -> None:
    truth, ada = read_uploaded_truth(TRUTH, ()), read_uploaded_submission(ADA, 0, TRUTH, ())
    assert truth.ids == read_annotations(TRUTH[0]).ids
    assert ada.ids == read_annotations(ADA[0]).ids
    assert uploaded_students(ADA, TRUTH, ()) == ["ada"]
    assert images_of((ADA,)) is None


def test_a_file_that_cannot_be_read_is_named_as_its_owner_knows_it() -> None:
    with pytest.raises(InputError, match=r"the grace\.json, row 1: "):
        read_uploaded_truth((next((FOLDER / "submissions").glob("grace*")), "the grace.json"), ())


def test_students_of_an_upload_are_numbered_in_order() -> None:
    truth = uploads._truth(TRUTH, ())
    assert (truth.ids, truth.source) == (read_annotations(TRUTH[0]).ids, "the truth.xml")
    work = (FOLDER / "submissions", "work")
    names = uploads._students(work, TRUTH, ())
    assert names == sorted(names)
    assert len(names) > 1
    for number, name in enumerate(names):
        if name in ("ada", "ben"):
            own = uploads._submission(work, number, TRUTH, ())
            (path,) = (FOLDER / "submissions").glob(f"{name}.*")
            assert own.ids == read_annotations(path, like=truth).ids
    assert uploads._students(ADA, None, ()) == ["ada"]
