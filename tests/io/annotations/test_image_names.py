"""Formats with a file for each image: every image has a name of its own, and no broken file stops the others."""

import pytest

from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally, names_apart, plain_name, read_each


def read(path: str, content: bytes) -> str:
    if not content:
        raise InputError("it is empty", source=path)
    return content.decode()


def test_a_broken_file_is_told_and_the_others_are_read() -> None:
    problems = ProblemTally()
    assert read_each([("a", b"1"), ("b", b""), ("c", b"3")], read, problems) == ["1", "3"]
    assert [(p.where, p.what, p.lost) for p in problems.problems()] == [
        ("b", "a file cannot be read: b: it is empty", True)
    ]


def test_when_all_are_broken_the_first_is_the_error() -> None:
    with pytest.raises(InputError, match="a: it is empty"):
        read_each([("a", b""), ("b", b"")], read, ProblemTally())


def test_images_of_one_name_get_their_folder() -> None:
    files = [("s/train/a.xml", "a.jpg"), ("s/val/a.xml", "a.jpg"), ("s/b.xml", "b.jpg")]
    problems = ProblemTally()
    assert names_apart(files, problems) == ["train/a.jpg", "val/a.jpg", "b.jpg"]
    assert problems.problems() == ()


def test_copies_that_name_the_same_image_go_by_their_own_names() -> None:
    problems = ProblemTally()
    assert names_apart([("s/1.xml", "a.jpg"), ("s/2.xml", "a.jpg")], problems) == ["1.jpg", "2.jpg"]
    assert problems.problems()[0].count == 2


def test_parts_of_a_path_that_lead_nowhere_are_dropped() -> None:
    assert plain_name("/../x//./a.jpg ") == "x/a.jpg"
    assert plain_name("C:") == ""
