"""OpenDocument and Markdown: the words of the writer, and nothing that harms."""

import pytest

from assay.errors import InputError
from assay.io.essays.documents import read_essay_document
from assay.io.essays.open_documents import is_open_document, markdown_text, odt_text
from fuzz.seed_annotations import zipped
from fuzz.seed_tables import odt

TYPE = "application/vnd.oasis.opendocument.text"


def with_content(xml: str) -> bytes:
    return zipped({"mimetype": TYPE, "content.xml": xml})


def test_paragraphs_of_an_open_document_are_read_without_notes_and_deletions() -> None:
    (content,) = odt()

    assert is_open_document(content)
    assert read_essay_document(content, "a.odt") == "Dogs\n\nThey   wait for us.\nNow."


@pytest.mark.parametrize(
    ("xml", "why"),
    [
        ("<a><b>", "no OpenDocument text that can be read"),
        ("<a/>", "holds no text"),
        ('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "declares a document type"),
        ("<a>" * 65 + "</a>" * 65, "65 elements"),
    ],
)
def test_an_open_document_that_cannot_be_read_says_why(xml: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        odt_text(with_content(xml), "a.odt")


def test_an_open_document_without_its_text_is_said() -> None:
    with pytest.raises(InputError, match=r"content\.xml"):
        odt_text(zipped({"mimetype": TYPE}), "a.odt")


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("## Dogs ##", "Dogs ##"),
        ("> quoted\n- one\n2. two", "quoted one two"),
        ("***very*** _good_ `code` snake_case 2 < 3", "very good code snake_case 2 < 3"),
        ("[here](https://x.org/a_b) and ![a dog](dog.png)", "here and a dog"),
        ("---\ntitle: x\n---\nText <!-- not\nthis --> ends.", "Text ends."),
        ("a [b] (c) * d", "a [b] (c) d"),
    ],
)
def test_markup_is_blanked_and_every_character_keeps_its_place(written: str, words: str) -> None:
    text = markdown_text(written)

    assert text.split() == words.split()
    assert len(text) == len(written)
    assert [at for at, letter in enumerate(text) if letter == "\n"] == [
        at for at, letter in enumerate(written) if letter == "\n"
    ]
