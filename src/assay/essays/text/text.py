"""One pass over a text: tokens, tags, heads, sentences, paragraphs. Everything else about an essay reads this."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]


@dataclass(frozen=True, eq=False, slots=True)
class Text:
    """An essay as its parser sees it; entry i of every column is token i.

    White space is not a token. Sentences never cross a paragraph break (a line break, or a run of four or more blanks
    as the ASAP corpus has instead).
    """

    raw: str
    """What the writer wrote; character positions refer to it."""
    words: tuple[str, ...]
    """The token as written: words, numbers, punctuation."""
    starts: Places
    ends: Places
    """Character positions in `raw`."""
    tags: tuple[str, ...]
    """Penn Treebank part of speech: NN, VBZ, `,` ..."""
    deps: tuple[str, ...]
    """The relation to the head: nsubj, ROOT, det ..."""
    heads: Places
    """The token each depends on; itself for the root of a sentence."""
    sentence_starts: Places
    """First token of each sentence, ascending; and, last, the number of tokens."""
    sentence_paragraph: Places
    """The paragraph of each sentence, from 0."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def sentence_count(self) -> int:
        return len(self.sentence_starts) - 1

    @property
    def paragraph_count(self) -> int:
        return int(self.sentence_paragraph[-1]) + 1 if self.sentence_count else 0

    def sentences(self) -> Iterator[range]:
        """The tokens of each sentence, as ranges of positions."""
        for first, last in zip(self.sentence_starts[:-1].tolist(), self.sentence_starts[1:].tolist(), strict=True):
            yield range(first, last)

    def words_only(self) -> list[str]:
        """The tokens that are words or numbers, as written: what word counts and lexical features use."""
        return [word for word in self.words if any(c.isalnum() for c in word)]
