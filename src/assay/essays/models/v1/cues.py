"""Words that tell how an argument moves, in the classes that e-rater v.1.3 counts.

Burstein et al. (1998) gather the cue words of the linguistic literature in classes such as parallel, contrast,
inference, evidence, detail, summary and belief. Their list was never printed; this one is our own.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

CUES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "parallel": (
            "first",
            "firstly",
            "first of all",
            "to begin with",
            "to start with",
            "second",
            "secondly",
            "third",
            "thirdly",
            "finally",
            "lastly",
            "next",
            "then",
            "also",
            "another",
            "one reason",
            "in addition",
            "additionally",
            "furthermore",
            "moreover",
            "besides",
            "likewise",
            "similarly",
            "in the same way",
        ),
        "contrast": (
            "but",
            "however",
            "although",
            "though",
            "even though",
            "yet",
            "while",
            "whereas",
            "instead",
            "nevertheless",
            "nonetheless",
            "on the other hand",
            "in contrast",
            "by contrast",
            "on the contrary",
            "despite",
            "in spite of",
            "still",
        ),
        "inference": (
            "so",
            "thus",
            "hence",
            "therefore",
            "consequently",
            "as a result",
            "as a consequence",
            "accordingly",
            "it follows",
            "this means",
            "which means",
            "that is why",
            "this is why",
        ),
        "evidence": (
            "because",
            "since",
            "due to",
            "for this reason",
            "the reason",
            "according to",
            "the article",
            "the author",
            "the text",
            "research",
            "studies",
            "study shows",
            "evidence",
            "the fact that",
        ),
        "detail": (
            "for example",
            "for instance",
            "such as",
            "in particular",
            "particularly",
            "especially",
            "specifically",
            "including",
            "in fact",
            "to illustrate",
            "in this case",
            "e g",
        ),
        "summary": (
            "in conclusion",
            "to conclude",
            "in summary",
            "to summarize",
            "to sum up",
            "in short",
            "overall",
            "all in all",
            "in the end",
            "in closing",
            "as you can see",
            "as we can see",
        ),
        "belief": (
            "i think",
            "i believe",
            "i feel",
            "i agree",
            "i disagree",
            "in my opinion",
            "in my view",
            "i am convinced",
            "i would argue",
            "it seems",
            "personally",
            "people think",
            "people believe",
            "some say",
            "some people say",
        ),
        "certainty": (
            "of course",
            "certainly",
            "clearly",
            "obviously",
            "indeed",
            "surely",
            "without a doubt",
            "no doubt",
            "definitely",
            "undoubtedly",
            "it is true",
            "admittedly",
            "granted",
        ),
        "doubt": (
            "perhaps",
            "maybe",
            "possibly",
            "probably",
            "likely",
            "might",
            "apparently",
            "in some cases",
            "to some extent",
        ),
        "reformulation": (
            "in other words",
            "that is to say",
            "namely",
            "that is",
            "put differently",
            "rather",
            "i mean",
        ),
        "condition": ("if", "unless", "provided that", "as long as", "in case", "otherwise", "whether"),
        "time": ("when", "before", "after", "until", "during", "meanwhile", "nowadays", "today", "once", "ever since"),
    }
)
"""Class -> its words and phrases, in lower case."""

OPENING = ("parallel", "summary", "belief", "certainty")
"""Classes that begin a new argument when a sentence opens with them. Source: Burstein et al. (1998), where a parallel
word, a summary word or a claim begins one."""

_BY_FIRST: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _class, _phrases in CUES.items():
    for _phrase in _phrases:
        _words = tuple(_phrase.split())
        _BY_FIRST.setdefault(_words[0], []).append((_words, _class))
for _found in _BY_FIRST.values():
    _found.sort(key=lambda entry: -len(entry[0]))


def cues_in(words: Sequence[str]) -> list[tuple[int, str, str]]:
    """Place, class and wording of every cue among words in lower case; the longest phrase at a place counts.

    >>> cues_in("for example , it may rain because of it".split())
    [(0, 'detail', 'for example'), (6, 'evidence', 'because')]
    """
    found = []
    place = 0
    while place < len(words):
        for phrase, kind in _BY_FIRST.get(words[place], ()):
            if tuple(words[place : place + len(phrase)]) == phrase:
                found.append((place, kind, " ".join(phrase)))
                place += len(phrase) - 1
                break
        place += 1
    return found
