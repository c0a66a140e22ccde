"""Where paragraphs begin and end."""

from assay.essays.text.paragraphs import LONGEST_PIECE, paragraph_spans, pieces


def paragraphs(text: str) -> list[str]:
    return [text[start:end] for start, end in paragraph_spans(text)]


def test_line_breaks_of_any_system_end_a_paragraph() -> None:
    assert paragraphs("One.\nTwo.\r\nThree.\rFour.") == ["One.", "Two.", "Three.", "Four."]


def test_empty_lines_and_blanks_around_are_no_paragraphs() -> None:
    assert paragraphs("\n\n  One.  \n \t \n\nTwo.\n") == ["One.", "Two."]


def test_four_blanks_end_a_paragraph_and_three_do_not() -> None:
    assert paragraphs("One.    Two.   Still two.") == ["One.", "Two.   Still two."]


def test_a_line_that_goes_on_in_lower_case_is_the_same_paragraph() -> None:
    assert paragraphs("Dogs are kind because\nthey wait for us.\nCats do not.") == [
        "Dogs are kind because\nthey wait for us.",
        "Cats do not.",
    ]


def test_a_sentence_that_starts_in_lower_case_after_a_full_stop_is_a_paragraph() -> None:
    assert len(paragraphs("Dogs are kind.\nthey wait for us.")) == 2


def test_lines_wrapped_at_a_margin_are_joined_up_to_an_empty_line() -> None:
    line = "Every line of this letter ends where the paper ended and so says Nothing"
    text = f"{line}\n{line}\n{line}\n{line}\n{line}\nthe end.\n\nA new thought."
    assert [p.split()[0] for p in paragraphs(text)] == ["Every", "A"]


def test_no_text_has_no_paragraph() -> None:
    assert paragraphs("") == paragraphs(" \n\t ") == []


def test_a_long_paragraph_is_cut_at_the_end_of_sentences() -> None:
    sentence = "The river rose for three days and nobody knew what to do. "
    text = sentence * 300
    cut = [text[start:end] for start, end in pieces(text, 0, len(text))]
    assert all(piece.endswith("do.") and len(piece) <= LONGEST_PIECE for piece in cut)
    assert " ".join(cut).split() == text.split()


def test_a_word_without_end_is_cut_anywhere() -> None:
    text = "a" * (2 * LONGEST_PIECE + 5)
    assert [end - start for start, end in pieces(text, 0, len(text))] == [LONGEST_PIECE, LONGEST_PIECE, 5]
