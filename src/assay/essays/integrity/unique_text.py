"""`unique_text`: an essay without what it says again, copies from its prompt or quotes at length, each scored once.

A sentence is said again if two thirds of its runs of three words stand earlier in the essay, or one third where a
quarter of the essay does; it is copied if six in ten stand in the prompt: a few words changed on the way do not make it
new. Sentences of fewer than six words must be the same.
Quotations count from 25 words. What is left out is cut from the text that is scored, never from the text that is shown.
Text in capitals is scored in the case of sentences: a model takes capitals for something else than they are.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.essays.text.text import Text, word_form

RUN = 3
LEAST_AGAIN, LEAST_COPIED = 0.66, 0.6
MUCH_AGAIN, LEAST_WHERE_MUCH = 0.25, 0.33
"""Share of all runs of words that were used before, from which a smaller share of a sentence will do."""
FEWEST_IN_RUNS = 6
"""Words from which a sentence is judged by its runs of words."""
LONGEST_UNIT = 20
"""Words of a sentence looked at together: text without full stops is one sentence."""
FEWEST_QUOTED = 25
LEAST_LEFT_OUT = 0.1
"""Share of the words from which a text is read again without them."""
CURLED = re.compile("\u201c([^\u201c\u201d\n]{80,})\u201d")
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
LEAST_CAPITALS = 0.7
CAPITAL = re.compile(r"[A-Z\u00c0-\u00de]")
FEWEST_LETTERS = 100
STOP = re.compile(r"(^|[.!?]\s+|\n\s*)([^\W\d_])")


@dataclass(frozen=True, slots=True)
class UniqueText:
    """The text that is scored, and how many words of the essay it leaves out, by reason."""

    text: str
    left_out: Mapping[str, int] = field(default_factory=dict)
    lowered: bool = False
    """Whether capitals were taken back."""

    @property
    def words_left_out(self) -> int:
        return sum(self.left_out.values())

    @property
    def differs(self) -> bool:
        """Whether another text is scored than the one that was handed in."""
        return bool(self.left_out) or self.lowered


def unique_text(text: Text, prompt: str = "") -> UniqueText:
    """What of an essay is scored."""
    units = list(_units(text))
    source = set(_runs([word_form(word) for word in WORD.findall(prompt)]))
    quoted = list(_quotations(text.raw))
    cuts: list[tuple[int, int]] = []
    left_out: dict[str, int] = {}
    seen: set[tuple[str, ...]] = set()
    short: set[tuple[str, ...]] = set()
    reason = ""
    total = sum(len(words) for words, _, _ in units)
    every = [run for words, _, _ in units for run in _runs(words)]
    much = len(every) - len(set(every)) >= MUCH_AGAIN * max(1, len(every))
    least = LEAST_WHERE_MUCH if much else LEAST_AGAIN
    for words, start, end in units:
        if words:  # a full stop alone goes with the piece before it
            reason = _reason(words, (start, end), seen, short, source, quoted, least)
        seen.update(_runs(words))
        short.add(tuple(words))
        if reason:
            left_out[reason] = left_out.get(reason, 0) + len(words)
            cuts.append((start, end))
    lowered = in_capitals(text.raw)
    if sum(left_out.values()) < LEAST_LEFT_OUT * total:
        left_out, cuts = {}, []
    rest = _without(text.raw, cuts) if cuts else text.raw
    return UniqueText(sentence_case(rest) if lowered else rest, left_out, lowered)


def _reason(
    words: list[str],
    place: tuple[int, int],
    seen: set[tuple[str, ...]],
    short: set[tuple[str, ...]],
    source: set[tuple[str, ...]],
    quoted: list[tuple[int, int]],
    least: float,
) -> str:
    """Why a unit is left out: repeated, copied, quoted, or empty where it is not."""
    if len(words) < FEWEST_IN_RUNS:
        return "repeated" if len(words) > 1 and tuple(words) in short else ""
    runs, before = list(_runs(words)), set[tuple[str, ...]]()
    again = 0
    for run in runs:
        again += run in seen or run in before
        before.add(run)
    if again >= least * len(runs):
        return "repeated"
    if source and sum(run in source for run in runs) >= LEAST_COPIED * len(runs):
        return "copied"
    within = sum(max(0, min(place[1], end) - max(place[0], start)) for start, end in quoted)
    return "quoted" if within >= LEAST_COPIED * (place[1] - place[0]) else ""


def _units(text: Text) -> Iterator[tuple[list[str], int, int]]:
    """Sentences, long ones in pieces: words in lower case, and the first character and one after the last."""
    starts, ends = text.starts, text.ends
    for sentence in text.sentences():
        words: list[str] = []
        begin = int(starts[sentence.start])
        for token in sentence:
            form = word_form(text.words[token])
            if form.isalnum() or any(c.isalnum() for c in form):
                words.append(form)
            if len(words) == LONGEST_UNIT and token + 1 < sentence.stop:
                yield words, begin, int(starts[token + 1])
                words, begin = [], int(starts[token + 1])
        yield words, begin, int(ends[sentence.stop - 1])


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(RUN)), strict=False)


def _quotations(raw: str) -> Iterator[tuple[int, int]]:
    """Where long quotations begin and end; straight marks are taken by pairs, in paragraphs that have pairs only."""
    spans = [match.span(1) for match in CURLED.finditer(raw)]
    offset = 0
    for paragraph in raw.splitlines(keepends=True):
        marks = [offset + place for place, letter in enumerate(paragraph) if letter == '"'] if '"' in paragraph else []
        if len(marks) % 2 == 0:
            spans += [(marks[k] + 1, marks[k + 1]) for k in range(0, len(marks), 2)]
        offset += len(paragraph)
    yield from (span for span in spans if len(WORD.findall(raw[slice(*span)])) >= FEWEST_QUOTED)


def _without(raw: str, cuts: list[tuple[int, int]]) -> str:
    pieces, place = [], 0
    for start, end in cuts:
        pieces.append(raw[place:start])
        place = end
    return "".join([*pieces, raw[place:]])


def in_capitals(raw: str) -> bool:
    """Whether nearly all letters are capitals."""
    if 3 * len(CAPITAL.findall(raw)) < len(raw):  # most texts; words leave blanks between them
        return False
    letters = [c for c in raw if c.isalpha()]
    return len(letters) >= FEWEST_LETTERS and sum(map(str.isupper, letters)) >= LEAST_CAPITALS * len(letters)


def sentence_case(raw: str) -> str:
    """The text in lower case, with a capital where a sentence begins and for I.

    >>> sentence_case("DOGS ARE LOYAL. SO AM I.")
    'Dogs are loyal. So am I.'
    """
    lowered = re.sub(r"\bi\b", "I", raw.lower())
    return STOP.sub(lambda match: match[1] + match[2].upper(), lowered)
