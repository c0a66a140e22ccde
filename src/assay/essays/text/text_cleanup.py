"""A raw text as a parser can take it: marks of the web, the keyboard and anonymisation put right; its paragraphs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]

STAND_INS = {
    "LOCATION": "Boston", "CITY": "Boston", "STATE": "Texas", "ORGANIZATION": "Microsoft", "DATE": "Monday",
    "MONTH": "June", "TIME": "noon", "NUM": "20", "PERCENT": "20", "MONEY": "20",
}  # fmt: skip
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
class CleanText:
    """A text to parse, and for each of its characters where it begins and ends in the raw text."""

    text: str
    begins: Places
    ends: Places


def clean_text(raw: str) -> CleanText:
    """The text with tags and control characters as blanks, placeholders as names, entities as characters.

    Every character of a replacement covers what it replaces.

    >>> clean_text("I met @PERSON1 &amp; <b>Ann</b>.").text
    'I met Jordan &  Ann .'
    """
    text = raw.translate(LIKE_ASCII) if not raw.isascii() or "`" in raw else raw
    pieces: list[str] = []
    begins: list[Places] = []
    ends: list[Places] = []
    done = 0
    for match in TO_REPAIR.finditer(text):
        start, end, written = match.start(), match.end(), match.group()
        if match.lastgroup == "placeholder":
            replacement = STAND_INS.get(written[1:].rstrip("0123456789").upper(), PERSON)
        elif match.lastgroup == "entity":
            replacement = ENTITIES[written.lower()]
        else:
            replacement = {"block": "\n", "invisible": ""}.get(match.lastgroup or "", " ")
        pieces += [text[done:start], replacement]
        begins += [np.arange(done, start, dtype=np.int32), np.full(len(replacement), start, dtype=np.int32)]
        ends += [np.arange(done + 1, start + 1, dtype=np.int32), np.full(len(replacement), end, dtype=np.int32)]
        done = end
    rest = np.arange(done, len(text) + 1, dtype=np.int32)
    return CleanText(
        "".join([*pieces, text[done:]]), np.concatenate([*begins, rest[:-1]]), np.concatenate([*ends, rest[1:]])
    )


def squeezed(whole: CleanText, start: int, end: int) -> CleanText:
    """A part of the text in which every run of white space is one blank.

    >>> squeezed(clean_text("so  it\\tis"), 0, 9).text
    'so it is'
    """
    part = whole.text[start:end]
    text = " ".join(part.split())
    begins, ends = whole.begins[start:end], whole.ends[start:end]
    if len(text) == len(part):
        return CleanText(text, begins, ends)
    remain = np.ones(len(part), dtype=bool)
    for run in BLANKS.finditer(part):
        remain[run.start() + 1 : run.end()] = False
    return CleanText(text, begins[remain], ends[remain])


LINE = r"(?:\r\n|[\n\r\x0b\x0c\x1c-\x1e])"
BLANK_LINE = rf"[ \t]*{LINE}(?:[ \t]*{LINE})+"
EVERY_BREAK = re.compile(rf"(?:[ \t]*{LINE})+|[ \t]{{4,}}")
BLANK_LINES_ONLY = re.compile(rf"{BLANK_LINE}")
GOES_ON = re.compile(r"\s*[a-z]")
ENDS_SENTENCE = re.compile(r"[.!?:;][\"')\]]*\s*$")
SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s+")

WRAPPED_LINE = range(45, 101)
LEAST_WRAPPED_LINES = 4
LONGEST_PIECE = 3_000
"""Characters handed to the parser at once; some 550 words, more than nearly any paragraph."""


def paragraph_spans(text: str) -> Iterator[tuple[int, int]]:
    """The first and last place of each paragraph that holds anything but blanks.

    A line break ends a paragraph, as does a run of four or more blanks. Two cases are not breaks: a line that goes on
    in lower case without a stop before, and lines wrapped at a margin, where only an empty line ends a paragraph. They
    are wrapped where nearly all lines that another follows at once are as long as a page or a terminal is wide.
    """
    lines = re.split(LINE, text)
    followed = [len(line.strip()) for line, after in pairwise(lines) if line.strip() and after.strip()]
    in_margin = sum(length in WRAPPED_LINE for length in followed)
    is_wrapped = len(followed) >= LEAST_WRAPPED_LINES and in_margin >= 0.9 * len(followed)
    start = 0
    for match in (BLANK_LINES_ONLY if is_wrapped else EVERY_BREAK).finditer(text):
        before = text[max(start, match.start() - 10) : match.start()]
        goes_on = GOES_ON.match(text, match.end()) and not ENDS_SENTENCE.search(before)
        if not goes_on or start == match.start() or len(re.findall(LINE, match.group())) != 1:
            yield from _trimmed(text, start, match.start())
            start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    body = text[start:end].strip()
    if body:
        first = text.index(body, start)
        yield first, first + len(body)


def pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph in parts of bounded length, cut at the end of a sentence, else at a blank, else anywhere.

    >>> list(pieces("Short enough.", 0, 13))
    [(0, 13)]
    """
    while end - start > LONGEST_PIECE:
        limit = start + LONGEST_PIECE
        ends = [match.end() for match in SENTENCE_END.finditer(text, start + LONGEST_PIECE // 2, limit)]
        blank = text.rfind(" ", start + 1, limit)
        cut = ends[-1] if ends else blank + 1 if blank > 0 else limit
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, end)
