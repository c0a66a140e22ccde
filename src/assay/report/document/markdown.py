"""Markdown that somebody wrote for a report, as its blocks: headings, paragraphs, lists, code, quotes, tables.

What is no Markdown of these kinds stays as it is written. Raw HTML is text like any other: renderers escape it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from assay.report.document.document import Block, Note, Paragraph, Section, Subheading
from assay.report.document.values import Code, Column, Inline, Strong, Table, plain

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,}).*")
_ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)])[ \t]+(.*)")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_DIVIDER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>`[^`\n]+`)"
    r"|(?P<bold>\*\*[^*\n]+\*\*|__[^_\n]+__)"
    r"|(?P<link>!?\[[^\[\]\n]*\]\([^()\s]*\))"
    r"|(?P<stress>(?<!\w)[*_][^*_\s][^*_\n]*[*_](?!\w))"
)
INDENT = "\u2003"
MOST_COLUMNS, MOST_ROWS = 20, 500


def own_section(name: str, text: str) -> Section:
    """A section of a report; its first heading is its title, its name where there is none.

    >>> own_section("my_notes", "# Notes\\n\\nRead **this**.")
    Section(title='Notes', blocks=(Paragraph(spans=('Read ', Strong(text='this'), '.'), quiet=False),))
    """
    blocks = list(_blocks(text.replace("\r\n", "\n").replace("\t", "    ").split("\n"), name))
    title = name.replace("_", " ").strip() or "Notes"
    if blocks and isinstance(blocks[0], Subheading):
        title, blocks = blocks[0].title, blocks[1:]
    return Section(title[:1].upper() + title[1:], tuple(blocks) or (Paragraph("This section is empty."),))


def _blocks(lines: Sequence[str], name: str) -> Iterator[Block]:
    place, tables = 0, 0
    while place < len(lines):
        line = lines[place]
        if heading := _HEADING.fullmatch(line):
            yield Subheading(plain(spans(heading[1].rstrip().rstrip("#").strip())) or "Untitled")
            place += 1
        elif fence := _FENCE.fullmatch(line):
            inside = _until(lines, place + 1, partial(_closes, fence[1]))
            yield from (Paragraph((Code(text),)) for text in inside if text.strip())
            place += len(inside) + 2
        elif not line.strip() or _RULE.fullmatch(line):
            place += 1
        elif _is_table(lines, place):
            rows = _until(lines, place, lambda text: "|" not in text)
            tables += 1
            yield _table(rows, f"{name}_{tables}")
            place += len(rows)
        elif line.lstrip().startswith(">"):
            quoted = _until(lines, place, lambda text: not text.lstrip().startswith(">"))
            yield Note(spans(" ".join(text.lstrip().removeprefix(">").strip() for text in quoted)))
            place += len(quoted)
        elif item := _ITEM.fullmatch(line):
            more = _until(lines, place + 1, _ends_item)
            mark = "\u2022" if item[2] in "-*+" else item[2]
            words = spans(" ".join([item[3], *(text.strip() for text in more)]))
            yield Paragraph((f"{INDENT * (1 + len(item[1]) // 2)}{mark} ", *words))
            place += 1 + len(more)
        else:
            whole = [line, *_until(lines, place + 1, _ends_paragraph)]
            yield Paragraph(spans(" ".join(text.strip() for text in whole)))
            place += len(whole)


def _until(lines: Sequence[str], place: int, ends: Callable[[str], bool]) -> list[str]:
    """The lines from a place to the first that ends them, without it."""
    end = place
    while end < len(lines) and not ends(lines[end]):
        end += 1
    return list(lines[place:end])


def _closes(mark: str, line: str) -> bool:
    return line.strip().startswith(mark)


def _ends_paragraph(line: str) -> bool:
    starts = (_HEADING, _FENCE, _ITEM, _RULE)
    return not line.strip() or line.lstrip().startswith(">") or any(start.fullmatch(line) for start in starts)


def _ends_item(line: str) -> bool:
    return _ends_paragraph(line) or not line.startswith("  ")


def _is_table(lines: Sequence[str], place: int) -> bool:
    following = lines[place + 1] if place + 1 < len(lines) else ""
    return "|" in lines[place] and "-" in following and _DIVIDER.fullmatch(following.strip()) is not None


def _table(lines: Sequence[str], name: str) -> Table:
    head, rows = _cells(lines[0])[:MOST_COLUMNS], [_cells(line) for line in lines[2 : MOST_ROWS + 2]]
    columns = tuple(Column(plain(spans(cell)) or " ") for cell in head)
    filled = tuple(tuple(spans(cell) for cell in [*row, *[""] * len(head)][: len(head)]) for row in rows)
    return Table(name, "", columns, filled)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def spans(text: str) -> tuple[Inline, ...]:
    """A line with its emphasis; an address stands behind the words that lead to it.

    >>> spans("a `b` and [c](https://d.example) <i>e</i>")
    ('a ', Code(text='b'), ' and c (https://d.example) <i>e</i>')
    """
    pieces: list[Inline] = []
    start = 0
    for match in _INLINE.finditer(text):
        pieces += [text[start : match.start()], _styled(match)]
        start = match.end()
    pieces.append(text[start:])
    joined: list[Inline] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece:
            joined.append(piece)
    return tuple(joined)


def _styled(match: re.Match[str]) -> Inline:
    words = match[0]
    if match["escape"]:
        return words[1:]
    if match["code"]:
        return Code(words[1:-1])
    if match["bold"]:
        return Strong(words[2:-2])
    if match["link"]:
        label, _, address = words.lstrip("!")[1:-1].partition("](")
        return f"{label} ({address})" if address and address != label else label
    return words[1:-1]
