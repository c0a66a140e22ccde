"""Which words are spelled as some dictionary of English spells them.

The list holds the words of the American, British, Australian and Canadian Hunspell dictionaries of SCOWL (2020) that
also have a frequency in wordfreq. Membership in wordfreq alone would not do: "thier" and "benifit" are in it. A list
rather than a checker, because looking up a word takes less than a microsecond and a checker up to 9 ms for a word it
does not know.
"""

from functools import cache
from importlib.resources import files

PACKAGE = "assay.essays.text"


@cache
def spelled_words() -> frozenset[str]:
    """Words that are right in lower case."""
    return _listed("spelled_words.txt")


@cache
def spelled_names() -> frozenset[str]:
    """Words that are right with a capital only, in lower case here: names, days, abbreviations."""
    return _listed("spelled_names.txt")


@cache
def function_words() -> frozenset[str]:
    """Words that tell nothing of what an essay is about: articles, pronouns, prepositions, auxiliaries."""
    return _listed("function_words.txt")


def _listed(name: str) -> frozenset[str]:
    lines = files(PACKAGE).joinpath("lexicons", name).read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
