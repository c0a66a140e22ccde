"""An essay, one pass over its text (tokens, tags, heads, sentences, paragraphs), its words as people count them.

And English words: how common each is, and lists of those that are spelled right or say nothing of the content.
`spelled_words.txt` holds words that are right in lower case, `spelled_names.txt` those that are right with a capital
only, in lower case there: names, days, abbreviations. They are the words of the American, British, Australian and
Canadian Hunspell dictionaries of SCOWL (2020) that also have a frequency in wordfreq. Membership in wordfreq alone
would not do: "thier" and "benifit" are in it. A list rather than a checker, because looking up a word takes less than
a microsecond and a checker up to 9 ms for a word it does not know. `function_words.txt` holds words that tell nothing
of what an essay is about: articles, pronouns, prepositions, auxiliaries.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import log10

import numpy as np
from numpy.typing import NDArray

from assay.errors import MissingExtra

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


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list shipped with the package, by the name of its file without `.txt`."""
    lines = files("assay.essays.text").joinpath("lexicons", f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def frequency_index() -> Mapping[str, float]:
    """Word in lower case -> standardised frequency index, for each of some 320,000 words.

    SFI = 10 (log10(occurrences per million words) + 4) = 10 (Zipf + 1)

    90 is one word in ten, 40 one in a million. Source: Carroll, Davies & Richman (1971), as in Breland, Jones &
    Jenkins (1994); frequencies from wordfreq (Speer 2022), so our index is on Breland's scale but not from his texts.
    """
    try:
        from wordfreq import get_frequency_dict  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Vocabulary level", "essays") from missing
    shares = get_frequency_dict("en", wordlist="large")
    # wordfreq keeps frequencies to a tenth of our index
    return {word: round(10 * (log10(share) + 10), 1) for word, share in shares.items()}


@cache
def most_common_words(language: str) -> frozenset[str]:
    """The 200 most common words of a language of wordfreq, by its code."""
    from wordfreq import get_frequency_dict  # noqa: PLC0415

    shares = get_frequency_dict(language, wordlist="small")
    return frozenset(sorted(shares, key=lambda word: -shares[word])[:200])
