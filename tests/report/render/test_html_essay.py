"""An essay with its notes, and advice, as HTML."""

from assay.report.document.document import (
    AdviceItem,
    AdviceList,
    AnnotatedEssay,
    EssayNote,
    EssayParagraph,
    TextPiece,
    TextSpan,
)
from assay.report.render.html_essay import MOST_LINKS, advice_html, essay_html


def test_letters_under_two_notes_wear_the_mark_of_the_nearer_and_explain_both() -> None:
    wide = EssayNote(1, "grammar", "Run-on", "it, they run", "Two sentences.")
    near = EssayNote(2, "style", "Repetition", "they", "Vary it.")
    piece = TextPiece("they", (wide, near), (2,))
    essay = AnnotatedEssay("Essay", (EssayParagraph((TextSpan("Thesis", (piece,)),)),), (wide, near), ())

    page = essay_html(essay)

    assert '<span class="mark style" title="1. Run-on: Two sentences.&#10;2. Repetition: Vary it.">they</span>' in page


def test_a_long_quotation_is_cut_and_the_essay_is_not() -> None:
    note = EssayNote(1, "grammar", "Run-on", "w" * 100, "Two sentences.", instead="w. W")
    piece = TextPiece("w" * 100, (note,), (1,))
    essay = AnnotatedEssay("Essay", (EssayParagraph((TextSpan("", (piece,)),)),), (note,), (("grammar", 1),), "Why?")

    page = essay_html(essay)

    assert "w" * 100 in page
    assert f"“{'w' * 59}…”" in page
    assert "<b>Prompt.</b> Why?" in page
    assert 'id="m1"' in page


def test_advice_counts_from_its_first_number_and_links_only_so_many_notes() -> None:
    item = AdviceItem("Vary words", "Some recur.", "Find others.", tuple(range(1, 41)), ("One <b>.",))

    numbered, ticked = advice_html(AdviceList((item,), first=3)), advice_html(AdviceList((item,), numbered=False))

    assert '<ol class="advice" start="3"' in numbered
    assert ticked.startswith('<ul class="advice plain">')
    assert numbered.count('href="#n') == MOST_LINKS
    assert "and 10 more" in numbered
    assert "<blockquote>One &lt;b&gt;.</blockquote>" in numbered
