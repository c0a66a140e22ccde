"""Essays as people hand them in: plain text, Word documents, PDF with text; whatever else they hold is left alone.

Files come from strangers. A Word document is a ZIP, checked as any upload is before it is opened; a PDF is read by a
process of its own with bounded time and memory, since its pages may be made to take any amount of both (decision 0428).
"""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from assay.errors import InputError, MissingExtra
from assay.io.archive import Limits, Member, nested_members

LARGEST = 20_000_000
"""Bytes; some three million words, more than anyone hands in."""

NOT_TEXT = {
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"{\\rtf": "an RTF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
"""How files that are often taken for text begin."""
DOCUMENTS = (".txt", ".docx", ".pdf")
"""Endings of files that hold one essay."""
MOST_LETTERS = 1_000_000
"""Of one essay: some two hundred thousand words."""
FEWEST_LETTERS = 20
"""Of a PDF; one with fewer on all its pages is pictures of pages."""
WORD_LIMITS = Limits(members=4_000, member_bytes=24 << 20, total_bytes=256 << 20, ratio=100, ratio_from=1 << 20)
"""Of a Word document; its text is one member of XML, its pictures are others, and are not read."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LETTERS = {f"{_W}t": "", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": " ", f"{_W}noBreakHyphen": "-"}
"""What stands for an element; a text for itself."""
_PAGE_NUMBER = re.compile(r"^\W*(page\s+)?\d{1,4}(\s*(of|/)\s*\d{1,4})?\W*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
MOST_PAGES = 200
MOST_SECONDS = 60
MOST_MEMORY = 1 << 30
MOST_PDF_LETTERS = 2_000_000


def is_document(name: str) -> bool:
    """Whether a file holds one essay, by its ending."""
    return PurePath(name).suffix.lower() in DOCUMENTS


def read_essay_document(content: bytes, name: str) -> str:
    """The text of an essay file, paragraphs as written; InputError if it holds none or cannot be read."""
    if len(content) > LARGEST:
        raise _unusable(name, f"more than {LARGEST // 1_000_000} MB, which is no essay", "Hand in the text only.")
    if content.startswith(b"%PDF"):
        text = _pdf_text(content, name)
    elif content.startswith(b"PK\x03\x04"):
        text = _word_text(content, name)
    else:
        text = decoded(content, name=name)
    if len(text) > MOST_LETTERS:
        raise _unusable(name, f"{len(text):,} letters; at most {MOST_LETTERS:,} are read as one essay", "Split it.")
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def read_essay_text(source: str, *, field: str = "text") -> tuple[str, bytes]:
    """The text of a UTF-8 file, or of standard input for `-`, and its bytes."""
    try:
        if source == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
            return decoded(content, name="standard input"), content
        with Path(source).open("rb") as stream:
            content = stream.read(LARGEST + 1)
        return decoded(content, name=source), content
    except FileNotFoundError:
        problem, remedy = "no such file", "Check the name."
    except IsADirectoryError:
        problem, remedy = "this is a folder", "Name one text file in it."
    except OSError as reason:
        problem, remedy = f"cannot be read: {reason.strerror}", "Check its rights, or name another file."
    raise InputError(problem, source=source, field=field, remedy=remedy)


def decoded(content: bytes, *, name: str) -> str:
    """The text in the bytes of an essay file; an InputError says what else they are."""
    if len(content) > LARGEST:
        problem, remedy = f"more than {LARGEST // 1_000_000} MB, which is no essay", "Name the text file."
    elif kind := next((kind for start, kind in NOT_TEXT.items() if content.startswith(start)), ""):
        problem, remedy = f"this is {kind}, not plain text", "Save the essay as plain text (.txt, UTF-8)."
    elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
        problem, remedy = "this is text in UTF-16", "Save it as UTF-8."
    elif b"\x00" in content:
        problem, remedy = f"binary, not text (byte {content.index(0)} is 0)", "Save the essay as plain text."
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as wrong:
            line = content.count(b"\n", 0, wrong.start) + 1
            problem = f"byte 0x{content[wrong.start]:02x} in line {line} is not UTF-8"
            raise InputError(problem, source=name, field="text", remedy="Save the essay as UTF-8.") from None
        if text.strip():
            return text
        problem, remedy = "the file is empty", "Write the essay first, or name another file."
    raise InputError(problem, source=name, field="text", remedy=remedy)


def _unusable(name: str, problem: str, remedy: str = "Save it again, or hand in the text.") -> InputError:
    return InputError(problem, source=name, field="essays", remedy=remedy)


def _word_text(content: bytes, name: str) -> str:
    nested_members(Member(name, len(content), lambda: content), depth=1, limits=WORD_LIMITS)
    try:
        import docx  # noqa: PLC0415  # optional
    except ImportError as missing:
        raise MissingExtra("Reading Word documents", "web") from missing
    try:
        # in reading order, those in tables too; text boxes are no part of the essay
        elements = docx.Document(io.BytesIO(content)).element.body.iter(f"{_W}p")
        written = [p for p in elements if not any(a.tag == f"{_W}txbxContent" for a in p.iterancestors())]
        paragraphs = [text for text in ("".join(_runs(paragraph)).strip() for paragraph in written) if text]
    except (KeyError, ValueError, zipfile.BadZipFile, SyntaxError, AttributeError) as problem:
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


READER = f"""
import io, json, logging, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}))
    resource.setrlimit(resource.RLIMIT_CPU, ({MOST_SECONDS}, {MOST_SECONDS}))
except (ImportError, ValueError, OSError):
    pass  # no such limits on this system
logging.disable(logging.CRITICAL)
def tell(**answer):
    sys.stdout.write(json.dumps(answer))
    sys.exit(0)
try:
    from pypdf import PdfReader
    reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
    if reader.is_encrypted and not reader.decrypt(""):
        tell(problem="the file is protected by a password", remedy="Save it without one.")
    count = len(reader.pages)
    if count > {MOST_PAGES}:
        tell(problem=f"{{count:,}} pages; at most {MOST_PAGES} are read", remedy="Hand in the essay alone.")
    pages, letters = [], 0
    for page in reader.pages:
        pages.append(page.extract_text())
        letters += len(pages[-1])
        if letters > {MOST_PDF_LETTERS}:
            tell(problem="more text than any essay", remedy="Hand in the essay alone.")
    tell(pages=pages)
except MemoryError:
    tell(problem="reading it takes more memory than an essay should", remedy="Save it again, or hand in the text.")
except Exception as problem:
    tell(problem=f"cannot be read ({{type(problem).__name__}})", remedy="Save it again as PDF, or hand in the text.")
"""
"""What the process runs; nothing of ours is imported there, so that it starts at once."""


def _pdf_text(content: bytes, name: str) -> str:
    """The text of all pages; InputError where the file cannot be read within bounds."""
    if find_spec("pypdf") is None:
        raise MissingExtra("Reading PDF files", "web")
    try:
        done = subprocess.run(
            [sys.executable, "-c", READER], input=content, capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise _unusable(name, "reading it takes longer than any essay should") from None
    try:
        answer = json.loads(done.stdout)
    except ValueError:  # killed for what it took
        raise _unusable(name, "reading it takes more than any essay should") from None
    if "problem" in answer:
        raise _unusable(name, **answer)
    pages = [str(page) for page in answer["pages"]]
    if sum(letter.isalnum() for page in pages for letter in page) < FEWEST_LETTERS:
        raise _unusable(
            name,
            "the file holds pictures of pages and no text, as a scan does",
            "Hand in the file it was printed from, or let a scanner program recognize the text first.",
        )
    return unwrapped(pages)


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
