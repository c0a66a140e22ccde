"""A first look at a file: what it is written in and what stands at its top, from its content and not its name."""

from dataclasses import dataclass, field
from itertools import islice
from xml.etree.ElementTree import Element

from assay.errors import InputError
from assay.io.annotations.xml_elements import root_and_children
from assay.io.json.text import keys_of_object, top_level
from assay.io.tables.text_encoding import as_utf8

ELEMENTS_LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class Look:
    """What a file shows at first sight; formats are recognised by it."""

    name: str
    """The path of the file, for formats that depend on where it lies."""
    content: bytes = field(repr=False)
    """What to read: without a byte order mark, and mended where Python wrote NaN into JSON."""
    syntax: str
    """json, xml or text."""
    is_list: bool = False
    keys: frozenset[str] = frozenset()
    """Keys of a JSON object, or of the first object of a JSON list."""
    root: str = ""
    """The root element of XML."""
    elements: frozenset[str] = frozenset()
    """The first elements below the root."""


def look_at(name: str, content: bytes) -> Look:
    """The first look at one file; InputError when it is empty, binary, or broken JSON or XML."""
    text = as_utf8(content)
    head = text.lstrip()[:1]
    if not head:
        raise InputError(f"{name} is empty.")
    if head in {b"{", b"["}:
        return _json_look(name, text)
    if head == b"<":
        return _xml_look(name, text)
    if b"\0" in text[:8192]:
        raise InputError(f"{name} is not text. Annotations come as JSON or XML, alone, in a folder or in a ZIP.")
    return Look(name, text, "text")


def _json_look(name: str, content: bytes) -> Look:
    text, top = top_level(content, name)
    if isinstance(top, dict):
        return Look(name, text, "json", keys=frozenset(top))
    return Look(name, text, "json", is_list=True, keys=keys_of_object(top[0]) if top else frozenset())


def _xml_look(name: str, content: bytes) -> Look:
    text = content.lstrip()  # a declaration must come first, but some tools write blanks
    first: list[Element] = list(islice(root_and_children(text, name), ELEMENTS_LOOKED_AT))
    return Look(name, text, "xml", root=first[0].tag, elements=frozenset(element.tag for element in first[1:]))
