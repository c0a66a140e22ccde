"""Spelling: words that no list of English holds, each judged once and remembered, and the word most likely meant.

Not by Harper's speller: it takes 2 to 11 ms for each unknown word, a third of the time of all features.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from assay.essays.errors.lexicon import bare_shares, pairs, word_class, words
from assay.essays.errors.reading import Placed, is_foreign, silent_spans
from assay.essays.errors.suggestions import GREAT, NEAR, PER_COST, PLAIN, VOWELS, candidates, cost, likeliest
from assay.essays.text.text import frequency_index, word_list
from assay.essays.text.text_cleanup import clean_text

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
MOST_REMEMBERED = 100_000
"""Words; when full, the memory is emptied."""
FEWEST_LETTERS = 4
"""Shorter words of a dictionary (ans, pr) and shorter names (sam) are as often slips."""
NAME_BONUS = 2.0
"""Points of the frequency index by which a name in lower case is preferred to a slip: `spain`, not `oder`."""
LONGEST_WORD = 40
"""Letters; what is longer is no word."""
ENDINGS = ("n't", "th", "st", "nd", "rd")
"""What the writer put apart: 20 th."""
PREFIX = re.compile(r"^(?:anti|bio|cyber|eco|geo|micro|multi|neuro|non|pseudo|semi|ultra)(?=\w{5})")
"""What anyone may put before another word: `nonalcoholic`, not `unmeaningful`."""
SENTENCE_END = re.compile(r"[.!?\n]")
NEARBY, FAR, NOTHING_NEAR = 0.95, 0.85, 0.6
CAREFUL_LENGTH, LETTERS_A_SLIP = 600, 600
"""Characters of a text from which on its slips say how careful the writer is: fewer than one in a hundred words."""
REACH = 40
"""Characters around a word in which the two words before and after it are sought."""
DERIVED = re.compile(
    r"(?:(?:over|under)(?=\w{4})|(?:pre|mis(?!s)|auto|inter(?!r)|counter|super|hyper|post)(?=\w{5})|re(?=\w{7}))(?P<prefixed>\w+)"
    r"|(?P<suffixed>\w{5,})(?:ness|like|less|wise)"
    r"|(?P<plural>\w{2,}(?:[^aeiou]o|ion|ist|ism|ment|ness|form))s"
)
"""A prefix or suffix that makes a new word of a common one; plurals of nouns that can be told by their ending."""
POSSESSIVE_S = re.compile(r"(?<=.)['’]s\Z", re.DOTALL)
IN_BRACKETS, BEFORE_BRACKET = re.compile(r"\w[\])]\Z|\w[\[(]\Z"), re.compile(r"[\])]\w|[\[(]\w")
"""A word that an editor has changed: `[s]econd`, `work[ing]`, `(mis)rule`."""
INITIAL = re.compile(r"\b[A-Z]\. \Z")
"""What stands before a family name: `J. Joll`."""
NEXT_WORD = re.compile(r" ([a-z]+)\b")
SHORTEST_JOINED, TERM_TIMES = 5, 4
"""Letters up to which a part of a word with hyphens is a code or a prefix; uses from which on a word is a term."""
PRONOUNS = frozenset(["i'm", "i'll", "i'd", "i've"])
OWNERS = word_class("spelling owners")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with an unknown word, wherever it stands."""

    kind: str
    suggestion: str | None
    slip: bool
    """Whether it is so near to a common word that a capital does not make it a name: `Goverment`, not `Belgrano`."""
    open: bool = False
    """Whether the sentence decides which word is meant."""


TABLES = {
    "spelling": "misspelled.tsv",
    "fused": "fused.tsv",
    "apostrophe": "contractions.tsv",
    "noun_number": "mass_plurals.txt",
}
"""Kind of error -> words written so, and what is meant."""

_remembered: dict[str, Verdict | None] = {}
"""Unknown word -> what is wrong with it; None when it is right. Filled in any order, always with the same values."""


def misspellings(raw: str) -> list[Placed]:
    """The misspelled words of a text; the type may also be a missing capital, apostrophe or blank.

    In a text of some length with hardly a slip, a word that resembles no other is a term.
    """
    placed = list(unlisted_words(raw))
    slips = sum(place.suggestion is not None for place in placed)
    careful = len(raw) > CAREFUL_LENGTH and slips * LETTERS_A_SLIP < len(raw)
    return [place for place in placed if not careful or place.confidence != NOTHING_NEAR]


def unlisted_words(raw: str) -> Iterator[Placed]:
    """Every word that no list of English has.

    Placeholders, markup, addresses and words in other scripts are passed over. Names are right, and want their capital.
    """
    plain = clean_text(raw)
    known, names = words("known_words.txt"), Names(plain.text)
    unknown = [m for m in WORD.finditer(plain.text) if m.group().lower().replace("’", "'") not in known]
    silent = bytearray(len(plain.text))
    for first, last in silent_spans(plain.text) if unknown else []:
        silent[first:last] = b"\1" * (last - first)
    times = Counter(m.group() for m in unknown)
    for m in unknown:
        if not is_word(m, plain.text) or any(silent[m.start() : m.end()]):
            continue
        word = m.group()
        if word not in _remembered:
            if len(_remembered) >= MOST_REMEMBERED:
                _remembered.clear()
            _remembered[word] = judged(word)
        verdict = _remembered[word]
        if verdict is None or (not verdict.slip and (word in names or is_name_by_place(plain.text, m, verdict))):
            continue
        if verdict.kind == "possessive" and word[0].isupper() and word.isalpha() and not is_before_noun(plain.text, m):
            continue
        name = word[0].upper() + word[1:]
        if word[0].islower() and name in names.inner and not verdict.slip:
            verdict = Verdict("proper_capital", name, slip=False)
        if verdict.kind == "proper_capital" and "-" in plain.text[max(0, m.start() - 1) : m.end() + 1]:
            continue
        first, last = int(plain.begins[m.start()]), int(plain.ends[m.end() - 1])
        kind, suggestion = verdict.kind, verdict.suggestion
        if verdict.open and len(candidates(word)) > 1:
            suggestion = likeliest(word, *around(plain.text, m))
            kind = "fused" if suggestion and " " in suggestion else kind
        if verdict.open and is_term(plain.text, m, suggestion, times[word]):
            continue
        yield Placed(kind, first, last, suggestion, confidence(word, suggestion) if verdict.open else None)


def is_term(text: str, m: re.Match[str], suggestion: str | None, times: int) -> bool:
    """Whether a word in none of the lists reads as a term or a code rather than as a slip.

    Part of a word with hyphens, or without a vowel; and, resembling no other, used again or made of a common word.
    """
    word = m.group().lower()
    near = suggestion is not None and " " not in suggestion and cost(word, suggestion.lower()) <= NEAR
    joined = "-" in (text[m.start() - 1 : m.start()], text[m.end() : m.end() + 1])
    if joined and (len(word) <= SHORTEST_JOINED or not near):
        return True
    if VOWELS.isdisjoint(word) or (times >= TERM_TIMES and not near):
        return True
    return suggestion is None and (times > 1 or is_compound(word))


def is_compound(word: str) -> bool:
    """Whether a word is made of two common ones, three letters and four at least: `cleartext`, `netmask`."""
    known, least = words("known_words.txt"), FEWEST_LETTERS - 1
    places = range(least, len(word) - least + 1) if len(word) > 2 * least else ()
    return any(word[:k] in known and word[k:] in known for k in places)


def is_name_by_place(text: str, m: re.Match[str], verdict: Verdict) -> bool:
    """Whether a capital where a sentence may begin is that of a name: after an initial, or like no common word."""
    if not m.group()[0].isupper() or not verdict.open:
        return False
    if INITIAL.search(text[max(0, m.start() - 4) : m.start()]):
        return True
    meant = verdict.suggestion
    return meant is None or " " in meant or cost(m.group().lower(), meant.lower()) > PLAIN


def is_before_noun(text: str, m: re.Match[str]) -> bool:
    """Whether a noun follows, which a person may own: `Lukes program`, not `Leninists today`."""
    after = NEXT_WORD.match(text, m.end())
    return not m.group()[:-1].isupper() and after is not None and after[1] in bare_shares()


def confidence(word: str, suggestion: str | None) -> float:
    """How likely a word in none of the lists is misspelled: the nearer a common word, the likelier."""
    if suggestion is None:
        return NOTHING_NEAR
    return NEARBY if " " in suggestion or cost(word.lower(), suggestion.lower()) <= GREAT else FAR


def around(text: str, m: re.Match[str]) -> tuple[list[str], list[str]]:
    """Up to two words before and after a word in lower case, within its sentence."""
    before = SENTENCE_END.split(text[max(0, m.start() - REACH) : m.start()])[-1]
    after = SENTENCE_END.split(text[m.end() : m.end() + REACH])[0]
    return [w.lower() for w in WORD.findall(before)[-2:]], [w.lower() for w in WORD.findall(after)[:2]]


def is_word(m: re.Match[str], text: str) -> bool:
    """A word of two or more letters that is no part of a number, an address, a handle or a file name."""
    before, after = text[m.start() - 1 : m.start()], text[m.end() : m.end() + 1]
    if len(m.group()) < 2 or before in ("@", "#", "/", "\\", "_", "'", "’") or after in ("@", "_", "/"):
        return False
    if IN_BRACKETS.search(text[max(0, m.start() - 2) : m.start()]) or BEFORE_BRACKET.match(text, m.end()):
        return False
    if before.isdigit() or after.isdigit() or (before == "." and text[m.start() - 2 : m.start() - 1].isalnum()):
        return before == "." and m.group()[0].isupper()
    in_address = after == "." and text[m.end() + 1 : m.end() + 2].isalnum() and m.group().islower()
    return not in_address and not is_foreign(m.group())


def judged(word: str) -> Verdict | None:
    """What is wrong with a word that is not among the common ones; None when it is right after all."""
    lower = word.lower().replace("’", "'")
    capital = word[0].isupper()
    if is_right(word, lower):
        return None
    if len(word) > LONGEST_WORD:
        return Verdict("spelling", None, slip=False)
    for kind, table in TABLES.items():
        if (meant := pairs(table).get(lower)) is not None:
            return Verdict(kind, meant[0].upper() + meant[1:] if capital else meant, slip=True)
    if lower.endswith("s's") and is_false_possessive(lower, lower[:-2]):
        return Verdict("possessive", word[:-1], slip=True)
    if lower.endswith("s") and (lower[:-1] in OWNERS or (capital and lower[:-1] in word_list("spelled_names"))):
        return Verdict("possessive", f"{word[:-1]}'s", slip=True)
    meant, index = likeliest(word), frequency_index()
    # a word in lower case may be a name, as likely as the word that would be meant by a slip: `spain`
    slip = index.get(meant.lower(), 0.0) - PER_COST * cost(lower, meant.lower()) if meant else 0.0
    named = len(lower) >= FEWEST_LETTERS and lower in word_list("spelled_names")
    if word[0].islower() and (lower in PRONOUNS or (named and index.get(lower, 0.0) + NAME_BONUS >= slip)):
        return Verdict("proper_capital", lower[0].upper() + lower[1:], slip=False)
    long = len(word) >= 7 and word[1:].islower()
    common = meant is not None and meant.lower() in words("known_words.txt")
    near = meant is not None and cost(lower, meant.lower()) <= PLAIN
    return Verdict("spelling", meant, slip=long and common and near, open=True)


def is_right(word: str, lower: str) -> bool:
    """Whether some list of English has the word: a dictionary, names with their capital, words of today or of talk."""
    base = lower.removesuffix("'s")
    if base in words("misspelled.tsv") or base in pairs("contractions.tsv") or is_false_possessive(lower, base):
        return False
    if word[0].isupper() and base in word_list("spelled_names"):
        return True
    in_full = is_listed(base) or is_listed(PREFIX.sub("", base)) or is_derived(base)
    listed = base in words("accepted_words.txt") or base in pairs("informal.tsv") or base in ENDINGS
    common = base != lower and base in words("known_words.txt")
    return listed or common or (in_full and len(base) >= FEWEST_LETTERS)


def is_listed(base: str) -> bool:
    """Whether one of the larger lists has a word in lower case."""
    return base in word_list("spelled_words") or base in words("rare_words.txt") or base in words("spelled_rare.txt.gz")


def is_derived(base: str) -> bool:
    """Whether a word is derived of a common one in a way that is open to anyone: `addictiveness`, `overhire`."""
    derived = DERIVED.fullmatch(base)
    if derived is None:
        return False
    if derived["plural"]:
        return derived["plural"] in words("known_words.txt") or is_listed(derived["plural"])
    stem = derived["suffixed"] or derived["prefixed"]
    known = words("known_words.txt")
    return stem in known or (stem[-1] == "i" and f"{stem[:-1]}y" in known)


def is_false_possessive(lower: str, base: str) -> bool:
    """A verb, a possessive or a plural with 's: `know's`, `their's`, `students's`."""
    if base == lower:
        return False
    plural = base.endswith("s") and not base.endswith("ss") and base[:-1] in words("known_words.txt")
    return plural or lower in words("misspelled.tsv") or base in words("verbs_never_nouns.tsv")


class Names:
    """Which unknown words of a text are names.

    Those written with a capital within a sentence or before another capital, with capitals inside, or twice with a
    capital and never without.
    """

    INNER = re.compile(r"(?:(?<=[\w,;:)'’-] )|(?<=\()|(?<=[a-z]-))([A-Z][\w'’]*)")
    TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof)\. ([A-Z][\w'’]*)")
    FIRST = re.compile(r"\b([A-Z][\w'’]+) (?=[A-Z][a-z])")

    def __init__(self, text: str) -> None:
        self.text = text
        names = [name for pattern in (self.INNER, self.TITLED, self.FIRST) for name in pattern.findall(text)]
        self.inner = frozenset([*names, *(POSSESSIVE_S.sub("", name) for name in names)])

    def __contains__(self, word: str) -> bool:
        if word in self.inner or any(c.isupper() for c in word[1:]):
            return True
        name = POSSESSIVE_S.sub("", word)
        return name in self.inner or (name[0].isupper() and self.text.count(name) > 1 and name.lower() not in self.text)


def is_misspelled(word: str) -> bool:
    """Whether a word stands in none of the lists, wherever it stands."""
    plain = word.isalpha() and len(word) > 1
    return plain and word.lower() not in words("known_words.txt") and not is_right(word, word.lower())
