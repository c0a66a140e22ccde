"""XML as a stream of elements, with nothing in it that could expand: no DTD, no entities, no deep nesting."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element
from xml.parsers import expat

from assay.errors import InputError

MOST_NESTED = 64
CHUNK = 1 << 16


def root_and_children(content: bytes, source: str) -> Iterator[Element]:
    """The root element without its children, then each child of the root, whole, as soon as it ends.

    Memory is bounded by the largest child. A document type or an entity declaration is refused before it is read
    further, so nothing in it is ever expanded (expat knows the five built-in entities without it).
    """
    return _Parsing(source).elements(content)


class _Parsing:
    def __init__(self, source: str) -> None:
        self.source = source
        self.open: list[Element] = []
        self.ready: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def elements(self, content: bytes) -> Iterator[Element]:
        view = memoryview(content)
        for at in range(0, len(content), CHUNK):
            self._parse(bytes(view[at : at + CHUNK]), final=False)
            yield from self._taken()
        self._parse(b"", final=True)
        yield from self._taken()

    def _taken(self) -> list[Element]:
        ready, self.ready = self.ready, []
        return ready

    def _parse(self, chunk: bytes, *, final: bool) -> None:
        try:
            self.parser.Parse(chunk, final)
        except expat.ExpatError as problem:
            raise InputError(
                f"{self.source}, line {problem.lineno}, column {problem.offset + 1}: the XML is broken "
                f"({expat.ErrorString(problem.code)}). Is the file complete? Export it again."
            ) from None
        except (LookupError, ValueError) as problem:  # an encoding nobody knows
            raise InputError(f"{self.source} cannot be read as XML: {problem}. Save it as UTF-8.") from None

    def _refuse(self, *_: object) -> None:
        raise InputError(
            f"{self.source}, line {self.parser.CurrentLineNumber}: a document type or entity is declared, which no "
            f"annotation tool writes and which can be abused. Remove the <!DOCTYPE ...> part."
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes)
        if not self.open:
            self.ready.append(Element(tag, attributes))
        elif len(self.open) > 1:
            self.open[-1].append(element)
        self.open.append(element)
        if len(self.open) > MOST_NESTED:
            raise InputError(
                f"{self.source}, line {self.parser.CurrentLineNumber}: elements are nested more than {MOST_NESTED} "
                f"deep; this is no annotation file."
            )

    def _end(self, _: str) -> None:
        element = self.open.pop()
        if len(self.open) == 1:
            self.ready.append(element)

    def _text(self, text: str) -> None:
        if len(self.open) < 2:  # between the children of the root
            return
        element = self.open[-1]
        if len(element):
            element[-1].tail = (element[-1].tail or "") + text
        else:
            element.text = (element.text or "") + text
