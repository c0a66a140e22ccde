"""A text laid out for rules."""

import pytest

from assay.essays.errors.reading import is_foreign, read, silent_spans
from assay.essays.text.reader import read_text
from tests.essays.essay_texts import written


def test_tokens_are_found_by_word_tag_and_relation() -> None:
    context = read(written([["We like It .", "It rains ."]]))

    assert context.lower == ["we", "like", "it", ".", "it", "rains", "."]
    assert list(context.by_word["it"]) == [2, 4]
    assert list(context.by_tag["."]) == [3, 6]
    assert list(context.by_dep["ROOT"]) == [0, 4]
    assert list(context.words(["rains", "missing", "it"])) == [5, 2, 4]


def test_sentences_have_bounds_and_tokens_belong_to_one() -> None:
    context = read(written([["We like It .", "It rains ."]]))

    assert context.bounds == [0, 4, 7]
    assert (context.sentence(1), context.sentence(4)) == ((0, 4), (4, 7))
    assert context.same_sentence(0, 3)
    assert not context.same_sentence(3, 4)
    assert not context.same_sentence(-1, 0)
    assert not context.same_sentence(6, 7)


def test_beyond_the_ends_of_a_text_there_is_nothing() -> None:
    context = read(written([["We like It ."]]))

    assert [context.word(i) for i in (-1, 0, 3, 4)] == ["", "we", ".", ""]
    assert [context.tag(i) for i in (-1, 0, 3, 4)] == ["", "PRP", ".", ""]


def test_children_hang_on_their_head_and_are_asked_for_by_relation() -> None:
    context = read(written([["We like It ."]]))

    assert context.children[0] == [1, 2, 3]
    assert context.children[1] == []
    assert context.child(0, "det", "dep") == 1
    assert context.child(0, "nsubj") is None


def test_a_verb_is_finite_by_itself_or_by_its_auxiliary() -> None:
    context = read(read_text("She has gone home, singing."))
    at = context.lower.index

    assert context.has_finite_verb(at("gone"))
    assert not context.has_finite_verb(at("singing"))


def test_curly_apostrophes_are_straight() -> None:
    assert "n't" in read(read_text("They don’t know.")).lower


@pytest.mark.parametrize(
    ("raw", "silent"),
    [
        ("We met @PERSON1 here.", ["@PERSON1"]),
        ("See https://a.org/x now.", ["https://a.org/x"]),
        ("Ask www.example.org or me@example.org now.", ["www.example.org", "me@example.org"]),
        ("Tea &amp; <b>cake</b> &#38; more", ["&amp;", "<b>", "</b>", "&#38;"]),
        ("No such thing. 5 < 6", []),
        ("Nothing at all.", []),
    ],
)
def test_placeholders_markup_and_addresses_are_silent(raw: str, silent: list[str]) -> None:
    spans = [raw[start:end] for start, end in silent_spans(raw)]

    assert [span for span in silent if span not in spans] == []
    assert bool(spans) == bool(silent)


def test_tokens_within_silent_spans_and_of_other_scripts_are_silent() -> None:
    context = read(written([["We met @PERSON1 and Привет ."]]))

    assert {context.lower[i] for i in context.silent} == {"@person1", "привет"}


def test_letters_beyond_latin_are_foreign_and_typographic_marks_are_not() -> None:
    assert [is_foreign(word) for word in ("café", "naïve", "Łódź", "don’t", "wait…", "—")] == [False] * 6
    assert [is_foreign(word) for word in ("Привет", "今天", "🙂", "aβ")] == [True] * 4


def test_every_token_that_touches_a_placeholder_or_an_address_is_silent_and_no_other() -> None:
    raw = "Ask @PERSON1 or see http://a.org/b now, <b>please</b>, @CAPS2."
    text = read_text(raw)
    context = read(text)
    spans = silent_spans(raw)
    touching = {
        i for i, (a, b) in enumerate(zip(text.starts, text.ends, strict=True)) for s, e in spans if s < b and a < e
    }
    assert len(spans) > 3
    assert context.silent == touching
    assert 0 < len(touching) < len(text)
