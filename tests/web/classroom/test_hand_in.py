"""Deadlines say who may hand in; files are read before they are kept."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, cast

import pytest

from assay.errors import InputError
from assay.store.classroom.assignments import Assignment, StudentPlace
from assay.web.classroom.hand_in import MOST_BYTES, checked, deadline, why_closed

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def assignment(due: datetime | None = NOW, *, late: bool = True, opens: datetime | None = None) -> Assignment:
    return Assignment("w", "", opens, due, late, False, 7, NOW)


def test_an_extension_moves_a_deadline_later_and_never_earlier() -> None:
    assert deadline(assignment(), None) == NOW
    assert deadline(assignment(), StudentPlace("w", 1, "c", NOW + DAY)) == NOW + DAY
    assert deadline(assignment(), StudentPlace("w", 1, "c", NOW - DAY)) == NOW
    assert deadline(assignment(None), StudentPlace("w", 1, "c", NOW)) is None


@pytest.mark.parametrize(
    ("given", "handed_in", "at", "words"),
    [
        (assignment(), False, NOW, ""),
        (assignment(), True, NOW, ""),
        (assignment(), True, NOW + DAY, "deadline is over"),
        (assignment(), False, NOW + DAY, ""),
        (assignment(late=False), False, NOW + DAY, "late work is not accepted"),
        (assignment(None), True, NOW + DAY, ""),
        (assignment(opens=NOW), False, NOW - DAY, "not open yet"),
    ],
)
def test_who_may_hand_in(given: Assignment, handed_in: bool, at: datetime, words: str) -> None:
    said = why_closed(given, None, handed_in=handed_in, now=at)

    assert (words in said) if words else said == ""


class Essays:
    """As much of a context as the check of an essay needs."""

    class workspace:  # noqa: N801
        kind = "essays"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("essay.exe", b"words", "no kind of file"),
        ("essay.csv", b"text\nwords", "no kind of file"),
        ("essay.txt", b"  \n ", "no words|empty|no text"),
        ("essay.txt", b"x" * (MOST_BYTES + 1), "larger than 20 MB"),
    ],
)
def test_what_is_no_essay_is_refused(name: str, content: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        checked(cast("Any", Essays), name, BytesIO(content))


def test_a_receipt_says_what_was_read() -> None:
    assert checked(cast("Any", Essays), "essay.txt", BytesIO(b"Four words are here.")) == "4 words, readable"
