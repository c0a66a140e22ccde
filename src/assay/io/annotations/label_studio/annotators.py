"""Whose work a Label Studio export holds: several annotators of the same tasks are several submissions."""

from typing import Any

import msgspec

from assay.errors import InputError
from assay.io.annotations.label_studio.tasks import tasks_of
from assay.io.annotations.problem_tally import ProblemTally
from assay.io.json.text import top_level
from assay.io.tables.text_encoding import as_utf8

HEAD = 1 << 16
MARKS = (b'"completed_by"', b'"annotator"')
"""One of these stands in the first item of every export."""


def may_hold_several(head: bytes) -> bool:
    """Whether a file may be an export of several annotators, by its first bytes."""
    text = as_utf8(head).lstrip()
    return text[:1] == b"[" and any(mark in text for mark in MARKS)


def annotators_of(content: bytes, source: str) -> tuple[str, ...]:
    """The annotators in the order in which they occur, if two of them worked on one task; else none.

    Where each task has one annotator, the export is one submission, by however many hands.
    """
    if not may_hold_several(content[:HEAD]):
        return ()
    try:
        text, _ = top_level(content, source)
        items: list[Any] = msgspec.json.decode(text)
        tasks = tasks_of(items, source, ProblemTally())
    except (InputError, msgspec.DecodeError, UnicodeDecodeError):
        return ()  # reading it will tell
    hands = [tuple(dict.fromkeys(d.annotator for d in task.drawings if d.annotator)) for task in tasks]
    if all(len(names) < 2 for names in hands):
        return ()
    return tuple(dict.fromkeys(name for names in hands for name in names))


def student_of(annotator: str) -> str:
    """How a submission is called: by the annotator's address, or number.

    >>> student_of("ada@example.org"), student_of("7")
    ('ada@example.org', 'annotator 7')
    """
    return annotator if not annotator.isdecimal() else f"annotator {annotator}"
