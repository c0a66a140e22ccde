"""A raw text as a parser can take it: marks of the web, of the keyboard and of anonymisation put right, places kept."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]

STAND_INS = {
    "LOCATION": "Boston",
    "CITY": "Boston",
    "STATE": "Texas",
    "ORGANIZATION": "Microsoft",
    "DATE": "Monday",
    "MONTH": "June",
    "TIME": "noon",
    "NUM": "20",
    "PERCENT": "20",
    "MONEY": "20",
}
"""What a tagger reads in place of @LOCATION1 and the like; any other placeholder stands for a person."""

PERSON = "Jordan"
ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&#x27;": "'"}

BLOCKS = "p|br|hr|div|li|ul|ol|tr|table|tbody|thead|h[1-6]|blockquote|pre|section|article|header|footer|html|body|head"
INLINE = (
    "a|b|i|u|s|em|strong|span|font|sup|sub|small|big|img|td|th|code|mark|q|cite|center|title|meta|link|o:p|style"
    "|script|textarea|form|input|button|label|iframe|nobr|del|ins|time|abbr"
)
ATTRIBUTES = r"(?:\s+[\w:-]+(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))?)*\s*/?"

TO_REPAIR = re.compile(
    r"(?P<hidden><(?P<tag>script|style)\b[^<>]{0,500}>(?s:.{0,5000}?)</(?P=tag)\s*>)"
    rf"|(?P<block></?(?:{BLOCKS}){ATTRIBUTES}>)"
    rf"|(?P<skip></?(?:{INLINE}){ATTRIBUTES}>|<!--[^<>]*-->|<!doctype[^<>]*>|&nbsp;)"
    r"|(?P<entity>&(?:amp|lt|gt|quot|apos|#39|#x27);)"
    r"|(?P<placeholder>@(?:[A-Z]{2,15}\d{1,3}|CAPS|PERSON)\b)"
    r"|(?P<invisible>[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+)"
    r"|(?P<control>[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]+)",
    re.IGNORECASE,
)
BLANKS = re.compile(r"\s{2,}")
LIKE_ASCII = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4\u0060\u02bc\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    )
    | dict.fromkeys("\u0085\u2028\u2029", "\n")
)
"""One character for one, so that places stay: quotation marks, unusual blanks and line ends."""


@dataclass(frozen=True, eq=False, slots=True)
class Readable:
    """A text to parse, and for each of its characters where it begins and ends in the raw text."""

    text: str
    begins: Places
    ends: Places


def readable(raw: str) -> Readable:
    """The text with tags and control characters as blanks, placeholders as names, entities as characters.

    >>> readable("I met @PERSON1 &amp; <b>Ann</b>.").text
    'I met Jordan &  Ann .'
    """
    like_ascii = raw.translate(LIKE_ASCII) if not raw.isascii() or "`" in raw else raw
    repairs = list(_repairs(like_ascii))
    if not repairs:
        places = np.arange(len(raw) + 1, dtype=np.int32)
        return Readable(like_ascii, places[:-1], places[1:])
    return _repaired(like_ascii, repairs)


def _repairs(text: str) -> Iterator[tuple[int, int, str]]:
    for found in TO_REPAIR.finditer(text):
        yield found.start(), found.end(), _replacement(found.lastgroup or "", found.group())


def _replacement(kind: str, written: str) -> str:
    if kind == "placeholder":
        return STAND_INS.get(written[1:].rstrip("0123456789").upper(), PERSON)
    if kind == "entity":
        return ENTITIES[written.lower()]
    return {"block": "\n", "invisible": ""}.get(kind, " ")


def _repaired(text: str, repairs: list[tuple[int, int, str]]) -> Readable:
    """Pieces of the text and replacements in turn; every character of a replacement covers what it replaces."""
    pieces: list[str] = []
    begins: list[Places] = []
    ends: list[Places] = []
    done = 0
    for start, end, replacement in [*repairs, (len(text), len(text), "")]:
        pieces += [text[done:start], replacement]
        begins += [np.arange(done, start, dtype=np.int32), np.full(len(replacement), start, dtype=np.int32)]
        ends += [np.arange(done + 1, start + 1, dtype=np.int32), np.full(len(replacement), end, dtype=np.int32)]
        done = end
    return Readable("".join(pieces), np.concatenate(begins), np.concatenate(ends))


def squeezed(whole: Readable, start: int, end: int) -> Readable:
    """A part of the text in which every run of white space is one blank.

    >>> squeezed(readable("so  it\\tis"), 0, 9).text
    'so it is'
    """
    part = whole.text[start:end]
    text = " ".join(part.split())
    begins, ends = whole.begins[start:end], whole.ends[start:end]
    if len(text) == len(part):
        return Readable(text, begins, ends)
    kept = np.ones(len(part), dtype=bool)
    for run in BLANKS.finditer(part):
        kept[run.start() + 1 : run.end()] = False
    return Readable(text, begins[kept], ends[kept])
