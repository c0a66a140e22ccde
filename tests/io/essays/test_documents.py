"""Essays as people hand them in, and files made to do harm."""

import io
import sys
import zipfile
from pathlib import Path

import pytest

from assay.errors import InputError, MissingExtra
from assay.io.essays.documents import (
    decoded,
    is_document,
    pdf_pages,
    read_essay_document,
    read_essay_text,
    unwrapped,
    word_text,
)

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


def test_a_pdf_that_takes_too_much_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_DOCUMENT_MEMORY", "16M")
    with pytest.raises(InputError, match=r"a\.pdf: .*memory"):
        read_essay_document(pdf(lines(*["word"] * 100_000)), "a.pdf")


def test_a_damaged_word_document_is_said() -> None:
    content = bytearray(word("An essay in words, long enough to be packed."))
    at = content.index(b"word/document.xml") + 60
    content[at : at + 40] = bytes(40)
    with pytest.raises(InputError, match=r"a\.docx: "):
        read_essay_document(bytes(content), "a.docx")


def test_a_word_document_nested_too_deeply_is_said() -> None:
    body = f"<w:document {W}><w:body><w:p>{'<w:r>' * 5000}<w:t>x</w:t>{'</w:r>' * 5000}</w:p></w:body></w:document>"
    with pytest.raises(InputError, match=r"a\.docx: "):
        read_essay_document(with_body(word("x"), body), "a.docx")


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
        (b"a" * 1_000_001, "1,000,001 characters"),
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
    assert [is_document(name) for name in ("a.DOCX", "b.odt", "c.md", "d.csv", "README.md")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_an_essay_may_be_as_long_as_is_allowed_and_is_never_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ESSAY_BYTES", "30")
    path = tmp_path / "essay.txt"
    for length in (29, 30):
        text = "Dogs bark. " * 2 + "x" * (length - 22)
        path.write_text(text, encoding="utf-8")
        assert read_essay_text(str(path)) == (text, text.encode())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert read_essay_text("-") == (text, text.encode())
    for length in (31, 60):
        path.write_text("x" * length, encoding="utf-8")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x" * length)))
        for source in (str(path), "-"):
            with pytest.raises(InputError, match="ESSAY_BYTES"):
                read_essay_text(source)


@pytest.mark.parametrize(("before", "line"), [(b"", 1), (b"\n", 2), (b"a\nb\n", 3)])
def test_a_byte_that_is_not_utf_8_is_named_with_its_line(before: bytes, line: int) -> None:
    with pytest.raises(InputError, match=f"byte 0xe9 in line {line} is not UTF-8") as refused:
        decoded(before + b"caf\xe9\nand more \xff", name="a.txt")
    assert (refused.value.source, refused.value.field) == ("a.txt", "text")


@pytest.mark.parametrize(
    ("content", "problem", "remedy"),
    [
        (b"ab\0c", "binary, not text (byte 2 is 0)", "Save the essay as plain text."),
        (b"\xef\xbb\xbf \n", "the file is empty", "Write the essay first, or name another file."),
    ],
)
def test_bytes_that_are_no_essay_are_refused_with_a_remedy(content: bytes, problem: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        decoded(content, name="a.txt")
    assert (refused.value.problem, refused.value.remedy) == (problem, remedy)
    assert decoded(b"\xef\xbb\xbfAn essay.", name="a.txt") == "An essay."
    assert decoded("Naïve plan".encode("utf-16"), name="a.txt") == "Naïve plan"


def test_a_text_file_is_read_and_what_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(b"Caf\xc3\xa9")
    assert read_essay_text(str(tmp_path / "a.txt")) == ("Café", b"Caf\xc3\xa9")
    with pytest.raises(InputError, match="no such file") as refused:
        read_essay_text(str(tmp_path / "b.txt"), field="essays")
    assert (refused.value.field, refused.value.source, refused.value.remedy) == (
        "essays",
        str(tmp_path / "b.txt"),
        "Check the name.",
    )
    with pytest.raises(InputError, match="this is a folder") as refused:
        read_essay_text(str(tmp_path))
    assert (refused.value.field, refused.value.remedy) == ("text", "Name one essay in it.")
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read_essay_text("x" * 5000)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"From a pipe.")))
    assert read_essay_text("-") == ("From a pipe.", b"From a pipe.")
    monkeypatch.setenv("ASSAY_LIMIT_ESSAY_BYTES", "5")
    assert read_essay_text(str(tmp_path / "a.txt"))[0] == "Café"
    (tmp_path / "a.txt").write_bytes(b"Cafes.")
    with pytest.raises(InputError, match="has 6 bytes; at most 5 are read"):
        read_essay_text(str(tmp_path / "a.txt"))


def test_a_word_document_may_hold_a_zip_unless_none_may_lie_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.BytesIO(word("An essay."))
    with zipfile.ZipFile(content, "a") as parts:
        parts.writestr("word/embeddings/data.zip", b"PK")
    assert word_text(content.getvalue(), "a.docx") == "An essay."
    monkeypatch.setenv("ASSAY_LIMIT_ARCHIVE_NESTING", "1")
    with pytest.raises(InputError, match=r"a\.docx: it holds a further ZIP, word/embeddings/data\.zip"):
        word_text(content.getvalue(), "a.docx")


def test_paragraphs_come_in_reading_order_from_tables_too_and_not_from_text_boxes() -> None:
    def paragraph(inside: str) -> str:
        return f"<w:p><w:pPr><w:jc/></w:pPr>{inside}</w:p>"

    def run(text: str) -> str:
        return f"<w:r>{text}</w:r>"

    body = (
        paragraph(run("<w:t>One</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t><w:cr/><w:noBreakHyphen/>"))
        + f"<w:tbl><w:tr><w:tc>{paragraph(run('<w:t>in a table</w:t>'))}</w:tc></w:tr></w:tbl>"
        + paragraph(f"<w:moveFrom>{run('<w:t>moved</w:t>')}</w:moveFrom><w:ins>{run('<w:t>added</w:t>')}</w:ins>")
        + paragraph(run(f"<w:t>beside</w:t><w:txbxContent>{paragraph(run('<w:t>boxed</w:t>'))}</w:txbxContent>"))
        + paragraph(run("<w:t> </w:t>"))
    )
    content = with_body(word("x"), f"<w:document {W}><w:body>{body}</w:body></w:document>")
    assert word_text(content, "a.docx") == "One two\nthree\n-\n\nin a table\n\nadded\n\nbeside"
    empty = with_body(word("x"), f"<w:document {W}><w:body>{paragraph('')}</w:body></w:document>")
    with pytest.raises(InputError, match="the document holds no text") as refused:
        word_text(empty, "a.docx")
    assert (refused.value.field, refused.value.source) == ("essays", "a.docx")


@pytest.mark.parametrize(
    ("pages", "text"),
    [
        ([], ""),
        ([""], ""),
        (["One line."], "One line."),
        (["3\nSome text that goes on\n\n4"], "Some text that goes on"),
        (["Page 3 of 12\nText that is here\n- 3 -\n \n"], "Text that is here"),
        (["12345\nText that is here"], "12345 Text that is here"),
        (["A line that is quite long\nand ends here.\nNext one that is as long."], None),
        (["well-\nknown and self-\nMade"], "wellknown and self- Made"),
        (["x -\ny"], "x - y"),
        (
            ["on this page the text\ngoes on", "to the next page of it"],
            "on this page the text goes on to the next page of it",
        ),
        (["a paragraph\n\nanother one"], "a paragraph\n\nanother one"),
    ],
)
def test_lines_of_pages_are_joined_to_paragraphs(pages: list[str], text: str | None) -> None:
    if text is None:
        text = "A line that is quite long and ends here.\n\nNext one that is as long."
    assert unwrapped(pages) == text


def test_a_short_line_that_ends_a_sentence_ends_its_paragraph() -> None:
    full = "x" * 40
    for length, apart in ((29, True), (30, False)):  # three quarters of 40
        last = "y" * (length - 1) + "."
        joined = f"{full} {last}\n\n{full}" if apart else f"{full} {last} {full}"
        assert unwrapped([f"{full}\n{last}\n{full}"]) == joined
        assert unwrapped([f"{full}\n{last[:-1]}y\n{full}"]) == f"{full} {last[:-1]}y {full}"


def test_a_pdf_of_few_letters_is_a_scan_and_its_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_essay_document(pdf(lines("abcdefghij klmnopqrst")), "a.pdf") == "abcdefghij klmnopqrst"
    with pytest.raises(InputError, match="as a scan does"):
        read_essay_document(pdf(lines("abcdefghij klmnopqrs")), "a.pdf")
    two = pdf(lines("abcdefghij"), lines("klmnopqrst"))
    assert pdf_pages(two, "a.pdf") == ["abcdefghij\n", "klmnopqrst\n"]
    monkeypatch.setenv("ASSAY_LIMIT_PDF_PAGES", "2")
    monkeypatch.setenv("ASSAY_LIMIT_PDF_CHARACTERS", "22")
    assert len(pdf_pages(two, "a.pdf")) == 2
    monkeypatch.setenv("ASSAY_LIMIT_PDF_CHARACTERS", "21")
    with pytest.raises(InputError, match="has 22 characters"):
        pdf_pages(two, "a.pdf")
    monkeypatch.setenv("ASSAY_LIMIT_PDF_PAGES", "1")
    with pytest.raises(InputError, match="has 2 pages"):
        pdf_pages(two, "a.pdf")


@pytest.mark.parametrize(("module", "content"), [("docx", b"PK\x03\x04"), ("pypdf", b"%PDF")])
def test_documents_that_need_a_part_say_which(module: str, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"assay-scoring\[essays\]"):
        read_essay_document(content, "a")
