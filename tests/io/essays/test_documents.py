"""Essays as people hand them in, and files made to do harm."""

import io
import zipfile

import pytest

from assay.errors import InputError
from assay.io.essays import documents
from assay.io.essays.documents import MOST_LETTERS, is_document, read_essay_document

docx = pytest.importorskip("docx")
pypdf = pytest.importorskip("pypdf")

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def word(*paragraphs: str) -> bytes:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()


def with_body(content: bytes, xml: str) -> bytes:
    """The Word document with another main part."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, xml if name == "word/document.xml" else old.read(name))
    return made.getvalue()


def pdf(*streams: str, forms: dict[str, str] | None = None) -> bytes:
    """A PDF with a page for each content stream; forms are streams that others may draw by name."""
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    names = {name: 4 + place for place, name in enumerate(forms or {})}
    drawn = " ".join(f"/{name} {number} 0 R" for name, number in names.items())
    known = f"<< /Font << /F1 3 0 R >> /XObject << {drawn} >> >>"
    for text in (forms or {}).values():
        head = f"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources {known} /Length {len(text)} >>"
        bodies.append(f"{head}\nstream\n{text}\nendstream".encode())
    pages = []
    for text in streams:
        bodies.append(f"<< /Length {len(text)} >>\nstream\n{text}\nendstream".encode())
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources {known} "
            f"/Contents {len(bodies)} 0 R >>".encode()
        )
        pages.append(len(bodies))
    kids = " ".join(f"{number} 0 R" for number in pages)
    bodies[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, start))


def lines(*texts: str) -> str:
    shown = " ".join(f"({text}) Tj 0 -14 Td" for text in texts)
    return f"BT /F1 12 Tf 72 760 Td {shown} ET"


def test_plain_text_keeps_its_paragraphs() -> None:
    assert read_essay_document(b"One.\r\n\r\nTwo.", "a.txt") == "One.\n\nTwo."


def test_a_word_document_gives_its_paragraphs() -> None:
    text = read_essay_document(word("School starts too early.", "", "First, sleep."), "a.docx")
    assert text == "School starts too early.\n\nFirst, sleep."


def test_tracked_insertions_are_read_and_deletions_are_not() -> None:
    body = (
        f"<w:document {W}><w:body><w:p><w:r><w:t>I think </w:t></w:r><w:ins><w:r><w:t>that </w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>what </w:delText></w:r></w:del><w:r><w:t>so.</w:t></w:r></w:p>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>In a cell.</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>"
    )
    assert read_essay_document(with_body(word("x"), body), "a.docx") == "I think that so.\n\nIn a cell."


def test_a_pdf_gives_paragraphs_without_line_breaks_and_page_numbers() -> None:
    page = lines(
        "The first paragraph of this essay is long enough to fill",
        "two lines of the page.",
        "The second one begins here and goes on until it ends, too",
        "- 1 -",
    )
    text = read_essay_document(pdf(page), "a.pdf")
    assert text == (
        "The first paragraph of this essay is long enough to fill two lines of the page.\n\n"
        "The second one begins here and goes on until it ends, too"
    )


def test_a_scan_is_told_from_an_essay() -> None:
    with pytest.raises(InputError, match=r"scan.pdf: the file holds pictures of pages and no text.*recognize the text"):
        read_essay_document(pdf("q Q"), "scan.pdf")


def test_a_pdf_with_a_password_is_refused() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(lines("Secret words of an essay."))))
    writer.encrypt("open sesame", algorithm="RC4-128")
    content = io.BytesIO()
    writer.write(content)
    with pytest.raises(InputError, match="password"):
        read_essay_document(content.getvalue(), "a.pdf")


def test_a_pdf_of_many_pages_is_refused() -> None:
    with pytest.raises(InputError, match="201 pages"):
        read_essay_document(pdf(*["q Q"] * 201), "a.pdf")


def test_a_pdf_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_SECONDS", 0.01)  # less than any process needs to start
    with pytest.raises(InputError, match="reading it takes longer than any essay should"):
        read_essay_document(pdf(lines("word")), "a.pdf")


def test_a_zip_bomb_is_no_word_document() -> None:
    content = with_body(word("x"), f"<w:document {W}><w:body><w:p/></w:body>{' ' * (8 << 20)}</w:document>")
    with pytest.raises(InputError, match="ZIP bomb"):
        read_essay_document(content, "a.docx")


def test_entities_of_xml_are_not_expanded() -> None:
    body = (
        '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "essay essay essay"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        f"<w:document {W}><w:body><w:p><w:r><w:t>Text &a; &f;</w:t></w:r></w:p></w:body></w:document>"
    )
    try:
        text = read_essay_document(with_body(word("x"), body), "a.docx")
    except InputError:
        return
    assert "root:" not in text
    assert "essay essay" not in text


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04 no ZIP at all", "not a complete ZIP"),
        (b"%PDF-1.7 nothing", "cannot be read"),
        (b"\x89PNG....", "a picture"),
        (b"  \n ", "empty"),
        (b"caf\xe9", "not UTF-8"),
        (b"a" * (MOST_LETTERS + 1), "letters"),
    ],
)
def test_what_is_no_essay_is_said(content: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why) as told:
        read_essay_document(content, "handed in.docx")
    assert "handed in.docx" in str(told.value)


def test_a_zip_that_is_no_word_document_is_said() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(InputError, match=r"no Word document"):
        read_essay_document(content.getvalue(), "a.docx")


def test_documents_are_known_by_their_ending() -> None:
    assert [is_document(name) for name in ("a.DOCX", "b.pdf", "c.txt", "d.csv", "e")] == [
        True,
        True,
        True,
        False,
        False,
    ]
