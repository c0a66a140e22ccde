"""Essays in OpenDocument (.odt) and Markdown (.md): the words of the writer, without what only gives them a look."""

import io
import re
import zipfile
import zlib
from pyexpat import ParserCreate
from xml.parsers.expat import ExpatError

from assay.errors import InputError
from assay.execution.limits import check
from assay.io.archive import Limits, Member, nested_members

ODT_TYPE = b"application/vnd.oasis.opendocument.text"
OFFICE_LIMITS = Limits("office_members", "document_part_bytes", "document_bytes", "office_ratio", "office_ratio_from")
"""Of an office document: its text is one member of XML, its pictures are others, and are not read."""
_TEXT, _OFFICE, _DRAW = (f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0 " for name in ("text", "office", "drawing"))
_PARAGRAPHS = {f"{_TEXT}p", f"{_TEXT}h"}
_LETTERS = {f"{_TEXT}tab": " ", f"{_TEXT}line-break": "\n"}
_NO_ESSAY = {f"{_TEXT}tracked-changes", f"{_TEXT}note", f"{_OFFICE}annotation", f"{_DRAW}frame", f"{_TEXT}ruby-text"}
"""Elements whose text is none of the essay: what was deleted, notes, comments, boxes."""
_MOST_BLANKS = 1000


def is_open_document(content: bytes) -> bool:
    """Whether the bytes are an OpenDocument text: its type is the first thing in it, as it stands."""
    return ODT_TYPE in content[:200]


def odt_text(content: bytes, name: str) -> str:
    """The paragraphs of an OpenDocument text; to be called in a child."""
    nested_members(Member(name, len(content), lambda: content), depth=1, limits=OFFICE_LIMITS)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            paragraphs = _OpenText(name).paragraphs(archive.read("content.xml"))
    except (KeyError, ValueError, zipfile.BadZipFile, zlib.error, EOFError, ExpatError, NotImplementedError) as problem:
        what = f"no OpenDocument text that can be read ({problem})"
        raise InputError(what, source=name, field="essays", remedy="Save it again as .odt.") from None
    if not paragraphs:
        remedy = "If the essay is a picture in it, hand in the text itself."
        raise InputError("the document holds no text", source=name, field="essays", remedy=remedy)
    return "\n\n".join(paragraphs)


class _OpenText:
    """Gathers paragraphs while the XML is read from end to end, so that no nesting can exhaust the stack."""

    def __init__(self, name: str) -> None:
        self.name, self.depth, self.skipped, self.open = name, 0, 0, 0
        self.letters: list[str] = []
        self.done: list[str] = []

    def paragraphs(self, xml: bytes) -> list[str]:
        parser = ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = self._data, self._doctype
        parser.Parse(xml, True)
        return self.done

    def _doctype(self, *_: object) -> None:
        raise ValueError("it declares a document type")  # and so could declare entities without end

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        check("xml_depth", self.depth, self.name)
        if self.skipped or tag in _NO_ESSAY:
            self.skipped += 1
        elif tag in _PARAGRAPHS:
            self.open += 1
        elif tag == f"{_TEXT}s":
            count = attributes.get(f"{_TEXT}c", "1")
            self._data(" " * min(int(count) if count.isdecimal() else 1, _MOST_BLANKS))
        elif tag in _LETTERS:
            self._data(_LETTERS[tag])

    def _end(self, tag: str) -> None:
        self.depth -= 1
        if self.skipped:
            self.skipped -= 1
        elif tag in _PARAGRAPHS:
            self.open -= 1
            if text := "".join(self.letters).strip():
                self.done.append(text)
            self.letters = []

    def _data(self, text: str) -> None:
        if self.open and not self.skipped:
            self.letters.append(text)


_MARKUP = re.compile(
    r"""
    ^[ ]{0,3}(?:\#{1,6}[ \t]+|>[ ]?|[-*+][ \t]+|\d{1,3}[.)][ \t]+)      # heading, quotation, list
    | ^[ ]{0,3}(?:[-*_][ \t]*){3,}$                                    # a line across the page
    | ^[ ]{0,3}(?:```|~~~).*$                                          # fence
    | \*{1,3} | (?<!\w)_{1,3}(?=\w) | (?<=[\w.,!?])_{1,3}(?!\w) | `    # emphasis, code
    | !?\[(?=[^\]\n]{0,500}\]\() | (?<=[^\s\[])\]\([^)\n]{0,2000}\)    # link
    """,
    re.VERBOSE | re.MULTILINE,
)
_FRONT = re.compile(r"\A---\n.{0,10000}?\n---\n", re.DOTALL)
_HIDDEN = re.compile(r"<!--.{0,100000}?-->", re.DOTALL)


def markdown_text(text: str) -> str:
    """The words of a Markdown file, markup blanked out: every character keeps its place in the file.

    >>> markdown_text("# Dogs\\n\\nThey are **loyal**, see [here](https://x.org).")
    '  Dogs\\n\\nThey are   loyal  , see  here                .'
    """

    def blanks(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    for pattern in (_FRONT, _HIDDEN, _MARKUP):
        text = pattern.sub(blanks, text)
    return text
