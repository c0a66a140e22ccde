"""The words of an essay as people count them, and the form in which words are compared."""

from functools import lru_cache

from assay.essays.text.text import Text

APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u00b4\u0060", "'"))


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
