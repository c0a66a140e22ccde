"""A raw text read once: tokens, tags, heads, sentences, paragraphs, all with their place in what was written."""

from collections.abc import Iterator

import numpy as np
import pytest

from assay.essays.text import reader
from assay.essays.text.reader import read_text, read_texts
from assay.essays.text.text import Text

LETTER = "My brother plays the drums. He isn't quiet!\n\nOur neighbours complain, but we love it."


def check_consistent(text: Text) -> None:
    n = len(text)
    assert len(text.tags) == len(text.deps) == len(text.heads) == len(text.starts) == len(text.ends) == n
    assert all(text.raw[a:b] == word for a, b, word in zip(text.starts, text.ends, text.words, strict=True))
    assert (text.starts[1:] >= text.ends[:-1]).all()
    assert text.sentence_starts[-1] == n
    assert (np.diff(text.sentence_starts) > 0).all()
    assert len(text.sentence_paragraph) == text.sentence_count
    for sentence in text.sentences():
        assert all(text.heads[i] in sentence for i in sentence)


def test_a_letter_has_its_sentences_and_paragraphs() -> None:
    text = read_text(LETTER)
    check_consistent(text)
    assert text.sentence_count == 3
    assert text.sentence_paragraph.tolist() == [0, 0, 1]
    assert text.words[:6] == ("My", "brother", "plays", "the", "drums", ".")
    assert text.tags[:6] == ("PRP$", "NN", "VBZ", "DT", "NNS", ".")
    assert text.deps[1] == "nsubj"
    assert text.heads[1] == 2


@pytest.mark.parametrize(
    "raw",
    [
        "",
        " \n\t ",
        "word",
        "@CAPS1 and @PERSON2's dog visited @LOCATION1 on @DATE1.",
        "<div><p>It&#39;s <b>bold</b> &amp; brave.</p></div>",
        "“Don’t,” she said — “it’s mine…”",
        "Это не английский текст. 这也不是。 😀😀 👩‍👩‍👧 ok",
        "NUL \x00 and bell \x07 and \ud800 half a pair",
        "One line\r\nAnother line\rand a third",
        "One idea.    Another idea.      A third.",
        "no full stop and no capital and it goes on",
        "!!!???...",
        "<a " * 500,
    ],
)
def test_unusual_input_is_read_with_every_place_right(raw: str) -> None:
    check_consistent(read_text(raw))


def test_a_placeholder_is_read_as_a_name_and_kept_as_written() -> None:
    text = read_text("Yesterday @PERSON1 gave @PERSON2 a book.")
    assert [(word, tag) for word, tag in zip(text.words, text.tags, strict=True) if word.startswith("@")] == [
        ("@PERSON1", "NNP"),
        ("@PERSON2", "NNP"),
    ]


def test_tags_are_skipped_as_white_space() -> None:
    assert read_text("<p>The <i>old</i> man</p>").words == ("The", "old", "man")


def test_four_blanks_separate_sentences_without_a_full_stop() -> None:
    text = read_text("We went home    Then it rained")
    assert text.sentence_paragraph.tolist() == [0, 1]


def test_texts_read_together_are_as_read_alone() -> None:
    raws = [LETTER, "", "A second letter. It is short.", LETTER * 3]
    together = list(read_texts(raws))
    assert [text.raw for text in together] == raws
    for text, raw in zip(together, raws, strict=True):
        alone = read_text(raw)
        assert (text.words, text.tags, text.deps) == (alone.words, alone.tags, alone.deps)
        assert text.heads.tolist() == alone.heads.tolist()


def test_a_text_of_twenty_thousand_words_is_read_whole() -> None:
    text = read_text("The committee met again on Monday. " * 3_334)
    assert len(text) == 7 * 3_334
    assert text.paragraph_count == 1
    check_consistent(text)


def test_the_parser_starts_afresh_before_it_has_met_too_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    read_text(LETTER)
    before = reader._pipeline()
    monkeypatch.setattr(reader, "MOST_WORD_FORMS", 10)
    again = read_text(LETTER)
    assert reader._pipeline() is not before
    assert again.tags == read_text(LETTER).tags


def test_columns_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        read_text("Hands off.").heads[0] = 1


@pytest.mark.parametrize(
    "word", ["end.", "it's", "5km", "x" * 200 + "!", "so" + "." * 300, "\"'" * 200, "(a)" * 50, "", "…" * 90]
)
def test_a_suffix_is_the_same_when_only_the_end_of_a_word_is_looked_at(word: str) -> None:
    search = reader._pipeline().tokenizer.suffix_search
    lengths = [match and match.end() - match.start() for match in (search(word), search.args[0](word))]
    assert lengths[0] == lengths[1]
    asked: list[str] = []
    reader.search_at_end(asked.append, word)
    assert len(asked[0]) <= reader.LONGEST_SUFFIX + len(word) - len(word.rstrip(word[-1:]))


def test_a_text_of_nothing_but_signs_is_parsed_few_pieces_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    own = reader._pipeline()

    class Pipeline:
        def pipe(self, texts: list[str], batch_size: int) -> Iterator[object]:
            sizes.append(batch_size)
            parsed: Iterator[object] = own.pipe(texts, batch_size=batch_size)
            return parsed

    monkeypatch.setattr(reader, "_pipeline", Pipeline)
    list(reader.read_texts(["(" * 3_000]))
    list(reader.read_texts([LETTER]))
    assert sizes == [reader.TOKENS_AT_ONCE // 3_000, reader.PIECES_AT_ONCE]
