"""Where the paragraphs of a text begin and end, and how long ones are cut for the parser."""

import re
from collections.abc import Iterator
from itertools import pairwise

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
    in lower case without a stop before, and lines wrapped at a margin, where only an empty line ends a paragraph.
    """
    breaks = BLANK_LINES_ONLY if _is_wrapped(text) else EVERY_BREAK
    start = 0
    for found in breaks.finditer(text):
        if not _goes_on(text, start, found):
            yield from _trimmed(text, start, found.start())
            start = found.end()
    yield from _trimmed(text, start, len(text))


def _is_wrapped(text: str) -> bool:
    """Whether nearly all lines that another follows at once are as long as a page or a terminal is wide."""
    lines = re.split(LINE, text)
    followed = [len(line.strip()) for line, after in pairwise(lines) if line.strip() and after.strip()]
    if len(followed) < LEAST_WRAPPED_LINES:
        return False
    return sum(length in WRAPPED_LINE for length in followed) >= 0.9 * len(followed)


def _goes_on(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether one line break stands in the middle of a sentence."""
    written = found.group()
    if len(re.findall(LINE, written)) != 1 or start == found.start():
        return False
    before = text[max(start, found.start() - 10) : found.start()]
    return bool(GOES_ON.match(text, found.end())) and not ENDS_SENTENCE.search(before)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    kept = text[start:end]
    body = kept.strip()
    if body:
        first = start + len(kept) - len(kept.lstrip())
        yield first, first + len(body)


def pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph in parts of bounded length, cut at the end of a sentence, else at a blank, else anywhere.

    >>> list(pieces("Short enough.", 0, 13))
    [(0, 13)]
    """
    while end - start > LONGEST_PIECE:
        cut = _cut(text, start, start + LONGEST_PIECE)
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, end)


def _cut(text: str, start: int, limit: int) -> int:
    ends = [found.end() for found in SENTENCE_END.finditer(text, start + LONGEST_PIECE // 2, limit)]
    if ends:
        return ends[-1]
    blank = text.rfind(" ", start + 1, limit)
    return blank + 1 if blank > 0 else limit
