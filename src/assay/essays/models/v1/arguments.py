"""An essay cut into the arguments it makes: e-rater v.1.3 compares the words of each argument, not only of the whole.

Burstein et al. (1998), argument partitioning: an argument begins where a paragraph does, and at a sentence that opens
with the cue of a new step ("Firstly", "In conclusion", "I believe"). Their rules were never printed in full; these are
ours, and read plain text, so that a model can compare arguments without a parser.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.essays.features.content import content_words
from assay.essays.models.v1.cues import OPENING, cues_in
from assay.essays.text.text_cleanup import SENTENCE_END, paragraph_spans

OPENS_WITHIN = 2
"""The cue may follow another word: "And finally", "But I believe"."""
SUPPORT = ("evidence", "detail")
WORDS = re.compile(r"@?[^\W_]+(?:['\u2019][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class ArgumentPartition:
    """The arguments of an essay in order, and the cues met on the way."""

    contents: tuple[Mapping[str, int], ...]
    """The content words of each argument and how often they occur."""
    words: tuple[int, ...]
    """Words in each argument."""
    supported: int
    """Arguments that name a reason or an example."""
    cues: Mapping[str, int]
    """Class of cue -> occurrences."""
    distinct_cues: int
    opening_cues: int
    """Sentences that open with a cue of any class."""


def partition(raw: str) -> ArgumentPartition:
    """The arguments of an essay; none for an essay without words.

    >>> partition("Cars are loud. First, they wake us. For example, at night.").words
    (3, 8)
    """
    arguments: list[list[str]] = []
    supported: set[int] = set()
    cues: Counter[str] = Counter()
    wordings: set[str] = set()
    opening = 0
    for is_first, words in _sentences(raw):
        found = cues_in([word.lower() for word in words])
        starts = {kind for place, kind, _ in found if place < OPENS_WITHIN}
        if is_first or starts & set(OPENING):
            arguments.append([])
        arguments[-1].extend(words)
        if any(kind in SUPPORT for _, kind, _ in found):
            supported.add(len(arguments))
        cues.update(kind for _, kind, _ in found)
        wordings.update(wording for _, _, wording in found)
        opening += bool(starts)
    contents = tuple(map(content_words, arguments))
    return ArgumentPartition(contents, tuple(map(len, arguments)), len(supported), cues, len(wordings), opening)


def _sentences(raw: str) -> Iterator[tuple[bool, list[str]]]:
    """The words of each sentence that has any, and whether it is the first of a paragraph."""
    for start, end in paragraph_spans(raw):
        is_first = True
        for sentence in SENTENCE_END.split(raw[start:end]):
            if words := WORDS.findall(sentence):
                yield is_first, words
                is_first = False
