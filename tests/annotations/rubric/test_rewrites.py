"""Clauses that say one thing in many ways."""

import pytest

from assay.annotations.rubric.rewrites import REWRITES


def rewritten(text: str) -> str:
    for pattern, replacement in REWRITES:
        text = pattern.sub(replacement, text)
    return text


@pytest.mark.parametrize(
    ("clause", "plain"),
    [
        ("pictures they never finished", "missing images"),
        ("an image that is missing from their file", "missing images"),
        ("photos that are not in the ground truth", "extra images"),
        ("images with nothing in them", "empty images"),
        ("boxes that aren't needed", "extra boxes"),
        ("drawing neatly", "drawing precisely"),
        ("drawing badly", "drawing badly"),
    ],
)
def test_a_clause_is_rewritten_as_the_words_that_are_looked_up(clause: str, plain: str) -> None:
    assert rewritten(clause) == plain
