"""Essays as people hand them in: plain text, Markdown, Word, OpenDocument, PDF with text; the rest is left alone.

Files come from strangers. An office document is a ZIP, checked as any upload is before it is opened; it and a PDF are
read by a process of its own with bounded time and memory, since either may be made to take any amount (decision 0470).
"""

import io
import logging
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from assay.errors import InputError, MissingExtra, reader
from assay.execution.children import read_apart
from assay.execution.limits import check, value_of
from assay.io.archive import Member, nested_members
from assay.io.essays.open_documents import OFFICE_LIMITS, is_open_document, markdown_text, odt_text

NOT_TEXT = {
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"{\\rtf": "an RTF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
"""How files that are often taken for text begin."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""Byte order marks of text in UTF-16."""
DOCUMENTS = (".txt", ".md", ".docx", ".odt", ".pdf")
"""Endings of files that hold one essay."""
FEWEST_LETTERS = 20
"""Of a PDF; one with fewer on all its pages is pictures of pages."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LETTERS = {f"{_W}t": "", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": " ", f"{_W}noBreakHyphen": "-"}
"""What stands for an element; a text for itself."""
_PAGE_NUMBER = re.compile(r"^\W*(page\s+)?\d{1,4}(\s*(of|/)\s*\d{1,4})?\W*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")


def is_document(name: str) -> bool:
    """Whether a file holds one essay, by its ending; one that says how to read the others does not."""
    path = PurePath(name)
    return path.suffix.lower() in DOCUMENTS and path.stem.lower() != "readme"


@reader
def read_essay_document(content: bytes, name: str) -> str:
    """The text of an essay file, paragraphs as written; InputError if it holds none or cannot be read."""
    check("essay_bytes", len(content), name)
    if content.startswith(b"%PDF"):
        text = _pdf_text(content, name)
    elif content.startswith(b"PK\x03\x04"):
        open_document = is_open_document(content) or name.lower().endswith(".odt")
        if not open_document and find_spec("docx") is None:
            raise MissingExtra("Reading Word documents", "essays")
        bounds: Any = {"source": name, "memory": "document_memory", "seconds": "document_seconds"}
        text = read_apart(odt_text if open_document else word_text, content, name, **bounds)
    else:
        text = decoded(content, name=name)
        text = markdown_text(text) if name.lower().endswith(".md") else text
    check("essay_characters", len(text), name)
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def read_essay_text(source: str, *, field: str = "text") -> tuple[str, bytes]:
    """The text of an essay file, or of standard input for `-`, and its bytes."""
    try:
        if source == "-":
            content = sys.stdin.buffer.read(value_of("essay_bytes") + 1)
            return read_essay_document(content, "standard input"), content
        with Path(source).open("rb") as stream:
            content = stream.read(value_of("essay_bytes") + 1)
        return read_essay_document(content, source), content
    except FileNotFoundError:
        problem, remedy = "no such file", "Check the name."
    except IsADirectoryError:
        problem, remedy = "this is a folder", "Name one essay in it."
    except OSError as reason:
        problem, remedy = f"cannot be read: {reason.strerror}", "Check its rights, or name another file."
    raise InputError(problem, source=source, field=field, remedy=remedy)


def decoded(content: bytes, *, name: str) -> str:
    """The text in the bytes of an essay file; an InputError says what else they are."""
    check("essay_bytes", len(content), name)
    if kind := next((kind for start, kind in NOT_TEXT.items() if content.startswith(start)), ""):
        problem, remedy = f"this is {kind}, not plain text", "Save the essay as plain text (.txt, UTF-8)."
    elif b"\x00" in content and not content.startswith(UTF_16):
        problem, remedy = f"binary, not text (byte {content.index(0)} is 0)", "Save the essay as plain text."
    else:
        try:
            text = content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
        except UnicodeDecodeError as wrong:
            line = content.count(b"\n", 0, wrong.start) + 1
            problem = f"byte 0x{content[wrong.start]:02x} in line {line} is not UTF-8"
            remedy = "Save it again as UTF-8 (in Word: plain text, other encoding, UTF-8)."
            raise InputError(problem, source=name, field="text", remedy=remedy) from None
        if text.strip():
            return text
        problem, remedy = "the file is empty", "Write the essay first, or name another file."
    raise InputError(problem, source=name, field="text", remedy=remedy)


def _unusable(name: str, problem: str, remedy: str = "Save it again, or hand in the text.") -> InputError:
    return InputError(problem, source=name, field="essays", remedy=remedy)


def word_text(content: bytes, name: str) -> str:
    """The text of a Word document; to be called in a child."""
    nested_members(Member(name, len(content), lambda: content), depth=1, limits=OFFICE_LIMITS)
    import docx  # noqa: PLC0415 - an extra

    try:
        # in reading order, those in tables too; text boxes are no part of the essay
        elements = docx.Document(io.BytesIO(content)).element.body.iter(f"{_W}p")
        written = [p for p in elements if not any(a.tag == f"{_W}txbxContent" for a in p.iterancestors())]
        paragraphs = [text for text in ("".join(_runs(paragraph)).strip() for paragraph in written) if text]
    except (KeyError, ValueError, zipfile.BadZipFile, zlib.error, EOFError, SyntaxError, AttributeError) as problem:
        # SyntaxError: what lxml raises on XML that is none
        raise _unusable(name, f"no Word document that can be read ({problem})", "Save it again as .docx.") from None
    if not paragraphs:
        raise _unusable(name, "the document holds no text", "If the essay is a picture in it, hand in the text itself.")
    return "\n\n".join(paragraphs)


def _runs(element: Any) -> Iterator[str]:
    """The letters of a paragraph, insertions that nobody has accepted yet among them, deletions not."""
    for child in element:
        if child.tag in _LETTERS:
            yield _LETTERS[child.tag] or child.text or ""
        elif child.tag not in (f"{_W}del", f"{_W}txbxContent", f"{_W}pPr", f"{_W}moveFrom"):
            yield from _runs(child)


def _pdf_text(content: bytes, name: str) -> str:
    """The text of all pages; InputError where the file cannot be read within bounds."""
    if find_spec("pypdf") is None:
        raise MissingExtra("Reading PDF files", "essays")
    pages = read_apart(pdf_pages, content, name, source=name, memory="document_memory", seconds="document_seconds")
    if sum(letter.isalnum() for page in pages for letter in page) < FEWEST_LETTERS:
        raise _unusable(
            name,
            "the file holds pictures of pages and no text, as a scan does",
            "Hand in the file it was printed from, or let a scanner program recognize the text first.",
        )
    return unwrapped(pages)


def pdf_pages(content: bytes, name: str) -> list[str]:
    """The text of each page; to be called in a child."""
    from pypdf import PdfReader  # noqa: PLC0415 - an extra

    logging.getLogger("pypdf").disabled = True
    reader = PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise _unusable(name, "the file is protected by a password", "Save it without one.")
    check("pdf_pages", len(reader.pages), name)
    pages: list[str] = []
    for page in reader.pages:
        pages.append(page.extract_text())
        check("pdf_characters", sum(map(len, pages)), name)
    return pages


def unwrapped(pages: list[str]) -> str:
    """The lines of pages joined to paragraphs again; page numbers are left out.

    A line ends a paragraph if an empty line follows, or if it ends a sentence well before the right margin.

    >>> unwrapped(["A first line that is long enough\\nto be wrap-\\nped.\\nA second paragraph starts here\\n- 1 -"])
    'A first line that is long enough to be wrapped.\\n\\nA second paragraph starts here'
    """
    lines = [line.strip() for page in pages for line in _without_number(page.split("\n"))]
    lengths = sorted(len(line) for line in lines if line)
    full = lengths[int(0.9 * (len(lengths) - 1))] if lengths else 0
    paragraphs = [""]
    for line in lines:
        if not line:
            paragraphs.append("")
            continue
        so_far = paragraphs[-1]
        broken = so_far.endswith("-") and so_far[-2:-1].isalpha() and line[:1].islower()
        paragraphs[-1] = so_far[:-1] + line if broken else f"{so_far} {line}".strip()
        if _SENTENCE_END.search(line) and len(line) < 0.75 * full:
            paragraphs.append("")
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _without_number(lines: list[str]) -> list[str]:
    """A page without the line that only numbers it."""
    while lines and not lines[-1].strip():
        lines.pop()
    if lines and _PAGE_NUMBER.match(lines[-1]):
        lines.pop()
    return lines[1:] if lines and _PAGE_NUMBER.match(lines[0]) else lines
