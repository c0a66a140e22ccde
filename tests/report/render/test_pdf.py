"""The PDF report holds the same words, numbers its pages, and runs nothing it is given."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import MissingExtra
from assay.metrics.intervals import Estimate
from assay.report.document.document import Document, KeyFigure, Paragraph, Section
from assay.report.document.values import Column, Table
from assay.report.render.pdf import to_pdf
from tests.report.render.test_html import everywhere
from tests.report.sample import sample_document

typst = pytest.importorskip("typst", reason="the PDF report needs the extra 'pdf'")


def words(pdf: bytes, folder: Path) -> str:
    """The text of all pages, one form feed after each."""
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("no pdftotext on this machine")
    file = folder / "report.pdf"
    file.write_bytes(pdf)
    run = subprocess.run([tool, "-layout", str(file), "-"], capture_output=True, check=True)
    return run.stdout.decode("utf-8").replace("\u200b", "")


def test_the_pdf_says_what_the_report_says_and_numbers_its_pages(tmp_path: Path) -> None:
    text = words(to_pdf(sample_document()), tmp_path)

    pages = text.rstrip("\f").split("\f")
    # pdftotext may swallow the spaces around the stroke
    assert all(re.search(rf"\b{i} ?/ ?{len(pages)}\s*$", page) for i, page in enumerate(pages, 1))
    assert all("Evaluation of “persuasive-9, generic 12”" in page for page in pages)
    for expected in ("Four of six thresholds are met.", "−0.37 to −0.06", "not met, uncertain", "Provenance"):
        assert expected in text
    assert "n/a" in text
    assert "no response was read twice" in text


HOSTILE = [
    '#panic("x")',
    '#read("/etc/passwd")',
    "$x^2$ *b* _i_ `raw` @ref <label> = head",
    "\\ // /* \"quoted\" 'single'",
    "]#[ } { )",
    "\\u{41} ~ -- ---",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_is_set_as_plain_words(text: str, tmp_path: Path) -> None:
    read = words(to_pdf(Document("Title", sections=(Section("Section", (Paragraph(text),)),))), tmp_path)

    assert text in read


@pytest.mark.parametrize("text", [*HOSTILE, "a\x00\x07\nb\ud800", "名前 🙂 שלום \u202e", "x" * 400, " ", "\u200b"])
def test_no_text_in_any_place_breaks_the_pdf(text: str) -> None:
    assert to_pdf(everywhere(text)).startswith(b"%PDF-")


def test_a_wide_table_fits_and_repeats_its_head_on_every_page(tmp_path: Path) -> None:
    columns = (Column("Group"), *(Column(f"Figure {i}", "estimate") for i in range(14)))
    rows = tuple((f"group {i}", *(Estimate(0.5, 0.25, 0.75),) * 14) for i in range(60))

    text = words(to_pdf(Document("Wide", sections=(Section("S", (Table("t", "T", columns, rows),)),))), tmp_path)

    pages = [page for page in text.split("\f") if "group" in page]
    assert len(pages) > 1
    assert all("Group" in page and "0.25 to 0.75" in page for page in pages)
    assert all(f"group {i}" in text for i in range(60))


def test_typst_has_nothing_to_warn_about(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def compile_strictly(*args: object, **kwargs: object) -> bytes:
        pdf, warnings = typst.compile_with_warnings(*args, **kwargs)
        seen.extend(warning.message for warning in warnings)
        return bytes(pdf)

    monkeypatch.setattr(typst, "compile", compile_strictly)
    to_pdf(sample_document())

    assert seen == []


def test_the_same_document_gives_the_same_bytes() -> None:
    document = Document("T", key_figures=(KeyFigure("QWK", "", Estimate(0.7)),))

    assert to_pdf(document) == to_pdf(document)


def test_without_typst_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)

    with pytest.raises(MissingExtra, match=r"pip install 'assay-scoring\[pdf\]'"):
        to_pdf(Document("T"))
