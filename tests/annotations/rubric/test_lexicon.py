"""Words become concepts; a word that nobody knows is kept, so that the sentence can be refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.concepts import CONCEPTS
from assay.annotations.rubric.lexicon import tokenize

KNOWN = KnownNames(("traffic light", "bus", "person"), ("color", "Number of doors"))


def concepts(text: str) -> list[str]:
    return [token.concept for token in tokenize(text, KNOWN).tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't penalise extra boxes!", ["NOT", "PENALIZE", "EXTRA"]),
        ("superfluous shapes cost nothing", ["EXTRA", "PENALIZE", "ZERO"]),
        ("buses, people and traffic-lights", ["CLASS", "AND", "CLASS", "AND", "CLASS"]),
        ("number of doors counts", ["ATTRIBUTE", "COUNT"]),
        ("the colour", ["ATTRIBUTE"]),
        ("leave the colour out", ["IGNORE", "ATTRIBUTE"]),
    ],
)
def test_phrases_are_concepts(text: str, expected: list[str]) -> None:
    assert concepts(text) == expected
    assert tokenize(text, KNOWN).unknown == ()


@pytest.mark.parametrize(
    ("text", "concept", "value"),
    [
        ("0.7", "NUMBER", 0.7),
        ("sixty five", "NUMBER", 65),
        ("30 %", "PERCENT", 0.3),
        ("thirty per cent", "PERCENT", 0.3),
        ("a third", "FRACTION", 1 / 3),
        ("3x", "FACTOR", 3),
        ("three times", "FACTOR", 3),
        ("doubled", "FACTOR", 2),
    ],
)
def test_numbers_in_figures_and_in_words(text: str, concept: str, value: float) -> None:
    (token,) = tokenize(text, KNOWN).tokens
    assert token.concept == concept
    assert token.value == pytest.approx(value)


def test_an_unknown_word_is_kept() -> None:
    assert tokenize("ignore the unicorns", KNOWN).unknown == ("unicorns",)


def test_a_denied_comparison_is_less() -> None:
    assert concepts("misses do not count as much as extras") == ["MISS", "COUNT", "LESS", "THAN", "EXTRA"]


def test_no_phrase_belongs_to_two_concepts_by_mistake() -> None:
    # the first concept of the table takes a phrase: those listed again are deliberate fallbacks of shapes
    seen: dict[str, str] = {}
    twice = [p for c, listed in CONCEPTS.items() for p in listed.split("|") if seen.setdefault(p, c) != c]
    shared = {"boxes", "box", "reduced", "lower", "precise", "accurate", "annotations", "objects", "one"}
    assert len(twice) < 40, sorted(set(twice) - shared)


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    words = tokenize(text, KNOWN)
    assert all(token.concept for token in words.tokens)
