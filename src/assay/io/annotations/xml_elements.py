"""XML as a stream of elements, with nothing in it that could expand: no DTD, no entities, no deep nesting."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from xml.parsers import expat

from assay.errors import InputError, shown
from assay.execution.limits import over, value_of
from assay.io.json_text import as_utf8

CHUNK = 1 << 16
SAVE_AS_UTF8 = "Save it as UTF-8."
DECLARED = re.compile(rb"""^<\?xml[^>]{0,100}\sencoding\s*=\s*["']\s*([A-Za-z0-9._-]{1,40})""")
WIDE = ("utf-16", "utf16", "utf-32", "utf32", "ucs")
EASTERN = frozenset({"gbk", "gb2312", "gb18030", "cp936", "big5", "shift_jis", "cp932", "euc-jp", "euc-kr", "cp949"})
"""Encodings that the parser does not know and Windows writes."""


def root_and_children(content: bytes, source: str) -> Iterator[Element]:
    """The root element without its children, then each child of the root, whole, as soon as it ends.

    Memory is bounded by the largest child. A document type or an entity declaration is refused before it is read
    further, so nothing in it is ever expanded (expat knows the five built-in entities without it).
    """
    text, encoding = as_utf8(content), None  # the one that is declared, unless it was recoded
    declared = stated[1].decode().lower() if (stated := DECLARED.match(text)) else ""
    if declared in EASTERN:
        try:
            text, encoding = text.decode(declared).encode(), "utf-8"
        except UnicodeError:
            raise InputError(f"it says it is in {declared} and is not", source=source, remedy=SAVE_AS_UTF8) from None
    elif declared.startswith(WIDE) or (text is not content and not content.endswith(text)):
        encoding = "utf-8"
    return _Parsing(source, encoding).elements(text)


def children_of(tag: str, tool: str, content: bytes, source: str) -> Iterator[Element]:
    """Each child of the root; InputError when the root is not the one that a tool writes."""
    children = root_and_children(content, source)
    if (root := next(children)).tag != tag:
        problem = f"it is XML, but its root is <{shown(root.tag)}> and not {tool}'s <{tag}>"
        raise InputError(problem, source=source, remedy="Export it again.")
    return children


def text_of(element: Element | None) -> str:
    """The text of an element, without blanks around it; blank when there is none."""
    return "" if element is None else (element.text or "").strip()


class _Parsing:
    def __init__(self, source: str, encoding: str | None) -> None:
        self.source, self.most_nested = source, value_of("xml_depth")
        self.open: list[Element] = []
        self.complete: list[Element] = []
        self.parser = expat.ParserCreate(encoding)
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def elements(self, content: bytes) -> Iterator[Element]:
        view = memoryview(content)
        for at in (*range(0, len(content), CHUNK), len(content)):  # at last an empty chunk, which is the final one
            try:
                self.parser.Parse(bytes(view[at : at + CHUNK]), at == len(content))
            except expat.ExpatError as error:
                problem = f"the XML is broken in column {error.offset + 1} ({expat.ErrorString(error.code)})"
                remedy = "Is the file complete? Export it again."
                raise InputError(problem, source=self.source, row=error.lineno, remedy=remedy) from None
            except (LookupError, ValueError) as error:  # an encoding nobody knows
                problem = f"it cannot be read as XML: {error}"
                raise InputError(problem, source=self.source, remedy=SAVE_AS_UTF8) from None
            complete, self.complete = self.complete, []
            yield from complete

    def _refuse(self, *_: object) -> None:
        problem = "a document type or entity is declared, which no annotation tool writes and which can be abused"
        row, remedy = self.parser.CurrentLineNumber, "Remove the <!DOCTYPE ...> part."
        raise InputError(problem, source=self.source, row=row, remedy=remedy)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes)
        if not self.open:
            self.complete.append(Element(tag, attributes))
        elif len(self.open) > 1:
            self.open[-1].append(element)
        self.open.append(element)
        if len(self.open) > self.most_nested:
            raise over("xml_depth", None, self.source).at(row=self.parser.CurrentLineNumber)

    def _end(self, _: str) -> None:
        element = self.open.pop()
        if len(self.open) == 1:
            self.complete.append(element)

    def _text(self, text: str) -> None:
        if len(self.open) < 2:  # between the children of the root
            return
        element = self.open[-1]
        if len(element):
            element[-1].tail = (element[-1].tail or "") + text
        else:
            element.text = (element.text or "") + text
