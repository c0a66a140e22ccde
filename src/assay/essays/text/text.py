"""An essay, one pass over its text (tokens, tags, heads, sentences, paragraphs), and its words as people count them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u00b4\u0060", "'"))


@dataclass(frozen=True, slots=True)
class Essay:
    """An essay by its id, as written, and the prompt it answers; essays of one prompt are compared with each other."""

    essay_id: str
    text: str
    prompt: str = ""


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


def written_words(text: Text) -> list[str]:
    """Words and numbers as written; punctuation and symbols are no words.

    Tokens that touch are one word, so "don't" counts once though a parser sees "do" and "n't"; a hyphen separates.
    """
    words: list[str] = []
    end = -1
    for word, start, stop in zip(text.words, text.starts.tolist(), text.ends.tolist(), strict=True):
        if not word.isalnum() and not any(c.isalnum() for c in word):
            continue
        if start == end:
            words[-1] += word
        else:
            words.append(word)
        end = stop
    return words


@lru_cache(maxsize=50_000)
def word_form(word: str) -> str:
    """A word as it is compared: in lower case, with a straight apostrophe and none around it.

    >>> word_form("Don’t"), word_form("'Tis")
    ("don't", 'tis')
    """
    return (word if word.isascii() else word.translate(APOSTROPHES)).casefold().strip("'")


def is_placeholder(word: str) -> bool:
    """Whether the word stands for a name taken out, as @PERSON1 does."""
    return word.startswith("@")
