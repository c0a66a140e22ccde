"""Capitals, end marks, apostrophes, hyphens, fused and split words, doubled words."""

import re
from collections.abc import Iterator

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import pairs, word_class, words
from assay.essays.errors.reading import RuleContext

STOPS = frozenset([".", "!", "?"])
CLOSING = frozenset(['"', "''", "”", "’", "'", ")", "]", "*"])
AUXILIARIES = word_class("marks auxiliaries")
SUBJECTS = frozenset(
    ["i", "you", "he", "she", "it", "we", "they", "this", "that", "there", "people", "students", "anyone"]
)
ASKING = frozenset(["what", "why", "how", "when", "where", "who", "whose"])
DOUBLES_ALLOWED = word_class("marks doubles allowed")
ALWAYS_DOUBLE_ERROR = word_class("marks always double error")


def initial_capital(r: RuleContext) -> Iterator[Mark]:
    """A sentence that begins in lower case after a stop, or at the start of a paragraph."""
    for s in range(len(r.bounds) - 1):
        i = r.bounds[s]
        written = r.text.words[i]
        if not written[:1].islower() or i in r.silent or not written.isalpha():
            continue
        new_paragraph = s == 0 or r.text.sentence_paragraph[s] != r.text.sentence_paragraph[s - 1]
        if new_paragraph and s > 0 and (r.lower[i - 1] not in STOPS or r.bounds[s + 1] - i < 4):
            continue
        before = r.lower[i - 1] if i else "."
        if not new_paragraph and (before not in STOPS or abbreviation(r, i - 1)):
            continue
        if r.lower[i] in ("e", "i", "http", "www", "iphone", "ipad"):
            continue
        yield Mark("initial_capital", i, i, written.capitalize())


def abbreviation(r: RuleContext, stop: int) -> bool:
    """A full stop that belongs to an abbreviation, an initial or a row of stops."""
    before = r.word(stop - 1)
    return (
        len(before) <= 1
        or before in ("etc", "ex", "vs", "mr", "mrs", "dr", "st", "e.g", "i.e", "u.s", "a.m", "p.m", ".")
        or (r.word(stop) == "." and r.ends[stop - 1] != r.starts[stop])
    )


def question_mark(r: RuleContext) -> Iterator[Mark]:
    """A question by its word order that ends in a full stop."""
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        if r.lower[end - 1] != "." or not 4 <= end - first <= 30 or r.silent.intersection(range(first, end)):
            continue
        i = first + 1 if r.lower[first] in ("so", "and", "but", "well") else first
        if '"' in r.lower[first:end] or "?" in r.lower[first:end]:
            continue
        if asks(r, i, end):
            yield Mark("question_mark", end - 2, end - 1, f"{r.text.words[end - 2]}?")


def asks(r: RuleContext, i: int, end: int) -> bool:
    """Auxiliary and subject at the start, perhaps after a question word; no inverted condition (`should you need`)."""
    word, after = r.word(i), r.word(i + 1)
    if word in AUXILIARIES - {"may", "should", "had", "have", "has"}:
        return after in SUBJECTS - {"that"} and r.tag(i + 2) not in (",", ".") and "," not in r.lower[i:end]
    if word not in ASKING or after not in AUXILIARIES:
        return False
    if word in ("when", "where", "who"):
        return r.word(i + 2) in SUBJECTS and "," not in r.lower[i:end] and word != "when"
    return (
        r.word(i + 2) in SUBJECTS | {"the", "my", "your"} and "," not in r.lower[i:end] and no_second_clause(r, i, end)
    )


def no_second_clause(r: RuleContext, i: int, end: int) -> bool:
    """`What I like is ...` and `How do you do that is simple` hold a second finite verb outside of the question."""
    return sum(r.tags[k] in ("VBZ", "VBD", "MD", "VBP") for k in range(i, end)) <= 2 and r.deps[r.heads[i]] == "ROOT"


def final_punctuation(r: RuleContext) -> Iterator[Mark]:
    """A paragraph of prose that ends without a stop."""
    last = len(r.bounds) - 2
    for s in range(last + 1):
        at_end = s == last or r.text.sentence_paragraph[s + 1] != r.text.sentence_paragraph[s]
        first, end = r.bounds[s], r.bounds[s + 1]
        i = end - 1
        while i > first and r.lower[i] in CLOSING:
            i -= 1
        if not at_end or r.lower[i][-1:] in ".!?:;…," or end - first < 6 or i in r.silent or not r.lower[i].isalpha():
            continue
        if r.tags[i] in ("IN", "DT", "PRP$", "TO", "CC", "WRB") or (s < last and not r.text.words[end][:1].isupper()):
            continue  # the line was broken within a sentence
        finite = any(r.tags[k] in ("VBZ", "VBP", "VBD", "MD") for k in range(first, end))
        lower_case = sum(r.text.words[k][:1].islower() for k in range(first, end)) * 2 > end - first
        if finite and lower_case:
            yield Mark("final_punctuation", i, i, f"{r.text.words[i]}.")


def apostrophe(r: RuleContext) -> Iterator[Mark]:
    """Contractions without their apostrophe, by table; those that are also words only where the next tag tells."""
    table = pairs("contractions.tsv")
    for i in r.words(table):
        yield Mark("apostrophe", i, i, matched_case(r.text.words[i], table[r.lower[i]]))
    split = pairs("split_contractions.tsv")
    for i in r.words({key.split(" ")[0] for key in split}):
        pair = f"{r.lower[i]} {r.word(i + 1)}"
        if pair in split and r.ends[i] == r.starts[i + 1] and r.tag(i - 1) != "PRP$":
            yield Mark("apostrophe", i, i + 1, matched_case(r.text.words[i], split[pair]))
    for i in r.words(("wont", "cant", "were", "well", "hell", "shell", "ill", "id", "lets")):
        if better := ambiguous_contraction(r, i):
            yield Mark("apostrophe", i, i, matched_case(r.text.words[i], better))


def ambiguous_contraction(r: RuleContext, i: int) -> str | None:
    word, after = r.lower[i], r.tag(i + 1)
    if word == "wont" and r.tag(i - 1) in ("PRP$", "JJ"):
        return None
    if word in ("wont", "cant"):
        return {"wont": "won't", "cant": "can't"}[word]
    if word == "ill" and after == "VB" and r.word(i - 1) not in ("be", "an", "is", "very"):
        return "I'll"
    if word == "lets" and after == "VB" and r.deps[i] == "ROOT" and r.same_sentence(i, i + 1):
        return "let's"
    return None


def matched_case(written: str, better: str) -> str:
    return better[:1].upper() + better[1:] if written[:1].isupper() else better


def hyphen(r: RuleContext) -> Iterator[Mark]:
    """Compounds that take a hyphen: by table, numbers from twenty-one, ages before a noun, well-known before a noun."""
    table = pairs("hyphenated.tsv")
    for i in r.words({key.split(" ")[0] for key in table}):
        for length in (3, 2):
            key = " ".join(r.lower[i : i + length])
            if key in table and r.same_sentence(i, i + length - 1) and hyphen_place(r, i, length, key):
                yield Mark("hyphen", i, i + length - 1, table[key])
                break
    for i in r.words(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")):
        unit = r.word(i + 1) in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        if unit and r.starts[i + 1] - r.ends[i] == 1:
            yield Mark("hyphen", i, i + 1, f"{r.text.words[i]}-{r.lower[i + 1]}")
    for i in r.words(("year", "years")):
        if (
            (
                r.word(i + 1) == "old"
                and (r.tag(i + 2) == "NN" or r.word(i + 2) in ("boy", "girl"))
                and r.tag(i - 1) == "CD"
            )
            and r.starts[i + 1] - r.ends[i] == 1
            and r.same_sentence(i - 1, i + 2)
        ):
            yield Mark("hyphen", i - 1, i + 1, f"{r.text.words[i - 1]}-year-old")


def hyphen_place(r: RuleContext, i: int, length: int, key: str) -> bool:
    """Only before a noun for the pairs that are two words elsewhere (`well known`), anywhere for the rest."""
    if key not in words("hyphen_before_noun.txt"):
        return True
    return (
        r.tag(i + length) in ("NN", "NNS")
        and r.same_sentence(i, i + length)
        and r.word(i - 1) not in ("is", "are", "was", "were")
    )


def fused(r: RuleContext) -> Iterator[Mark]:
    """Two words written as one, by table."""
    table = pairs("fused.tsv")
    for i in r.words(table):
        yield Mark("fused", i, i, matched_case(r.text.words[i], table[r.lower[i]]))
    for i in r.words(("a",)):
        if r.word(i + 1) == "lot" and r.starts[i + 1] == r.ends[i]:
            yield Mark("fused", i, i + 1, "a lot")


def compound(r: RuleContext) -> Iterator[Mark]:
    """One word written as two, by table; a pair that is right before some tags says so."""
    table = pairs("split_words.tsv")
    for i in r.words({key.split(" ")[0] for key in table}):
        pair = f"{r.lower[i]} {r.word(i + 1)}"
        if pair not in table or r.starts[i + 1] - r.ends[i] != 1 or not r.same_sentence(i, i + 1):
            continue
        if not two_words(r, i, pair):
            yield Mark("compound", i, i + 1, matched_case(r.text.words[i], table[pair]))


def two_words(r: RuleContext, i: int, pair: str) -> bool:
    """Where the pair is rightly two words: `every one of them`, `may be a reason`, `some times of the day`."""
    after, tag = r.word(i + 2), r.tag(i + 2)
    if after == "-":
        return True
    if pair in ("every one", "any one", "no one"):
        return after == "of" or (tag in ("NN", "NNS", "JJ", "CD") and pair != "no one") or pair == "no one"
    if pair in ("may be", "some time", "any way", "any more"):
        return r.bounds[r.sentence_of[i]] != i or pair == "any way"
    if pair == "every day":
        return True
    return pair in ("some times", "all ready", "all together") and after in ("of", "when", "to", "in", "for")


def duplicate(r: RuleContext) -> Iterator[Mark]:
    """The same word twice in a row, but for words that may be (`had had`, `very very`)."""
    for i in range(len(r) - 1):
        word = r.lower[i]
        if word == r.lower[i + 1] and word.isalpha() and len(word) > 0:
            if (word in DOUBLES_ALLOWED and word not in ALWAYS_DOUBLE_ERROR) or r.silent & {i, i + 1}:
                continue
            if r.tags[i].startswith("NNP") or not r.same_sentence(i, i + 1) or word == "her":
                continue
            if word in ("is", "it", "in", "on", "you", "do", "as") and r.tags[i] != r.tags[i + 1]:
                continue
            if r.text.words[i + 1][:1].isupper() and r.text.words[i + 1] != r.text.words[i]:
                continue
            if r.starts[i + 1] > r.ends[i] and (word in ALWAYS_DOUBLE_ERROR or r.tags[i] == r.tags[i + 1]):
                yield Mark("duplicate", i, i + 1, r.text.words[i])


PROPER_TITLE = re.compile(r"^[a-z]")


def proper_capital(r: RuleContext) -> Iterator[Mark]:
    """Days, months, languages, nations and the pronoun `I` in lower case."""
    table = words("proper_nouns.txt")
    for i in r.words(table):
        if r.text.words[i][:1].islower() and i not in r.silent:
            yield Mark("proper_capital", i, i, r.text.words[i].capitalize())
    for i in r.words(("i",)):
        pronoun = r.text.words[i] == "i" and r.tags[i] in ("PRP", "NN", "NNP", "FW", "LS", "CD", "UH")
        if pronoun and r.word(i + 1) not in (".", ")", "-") and r.word(i - 1) != "-":
            yield Mark("proper_capital", i, i, "I")
