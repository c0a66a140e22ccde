"""Articles, determiners and nouns that do not go together."""

from collections.abc import Iterator

from assay.essays.errors.detectors.bare_nouns import countable
from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import pairs, word_class, words
from assay.essays.errors.reading import RuleContext

PLURAL_ONLY = word_class("nouns plural only")
SINGULAR_ONLY = frozenset(["a", "an", "this", "that", "each", "every", "another", "one"])
COUNTING = word_class("nouns counting")
SAME_NUMBER = word_class("nouns same number")
MEASURES = word_class("nouns measures")


def plural(noun: str) -> str:
    """The plural of a noun, by table or by rule.

    >>> [plural(noun) for noun in ("child", "city", "day", "box", "idea")]
    ['children', 'cities', 'days', 'boxes', 'ideas']
    """
    irregular = pairs("irregular_plurals.tsv")
    if noun in irregular:
        return irregular[noun]
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def singular(noun: str) -> str | None:
    """The singular of a regular or listed plural; None when in doubt."""
    irregular = {p: s for s, p in pairs("irregular_plurals.tsv").items()}
    if noun in irregular:
        return irregular[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else None


def noun_number(r: RuleContext) -> Iterator[Mark]:
    """`many student`, `these idea`, `a books`, `one of my friend`, `informations`."""
    yield from plural_determiner(r)
    yield from singular_determiner(r)
    yield from one_of(r)
    yield from quantity(r)
    for i in r.words(words("mass_plurals.txt")):
        if r.tags[i] in ("NNS", "NN", "VBZ") and r.word(i + 1) not in ("lives", "life", "'s", "'"):
            yield Mark("noun_number", i, i, pairs("mass_plurals.txt")[r.lower[i]])


def noun_after(r: RuleContext, i: int) -> int | None:
    """The noun a determiner at i belongs to: adjectives between, and no further noun behind."""
    j = i + 1
    while r.tag(j) in ("JJ", "JJR", "JJS", "RB") and j - i <= 3:
        j += 1
    if not r.same_sentence(i, j) or r.tag(j) not in ("NN", "NNS") or r.silent & {j, j + 1}:
        return None
    behind = r.tag(j + 1) if r.same_sentence(j, j + 1) else ""
    if behind.startswith(("NN", "JJ", "VBG", "POS", "CD", "HYPH", "VBN")) or r.word(j + 1) in ("-", "/", "'", "s"):
        return None
    return j


def plural_determiner(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(PLURAL_ONLY):
        before = r.word(i - 1)
        j = noun_after(r, i)
        if j is None or r.tags[j] != "NN" or r.lower[j] in SAME_NUMBER or r.tags[i] in ("NN", "PRP"):
            continue
        if before in ("how", "a", "at", "-", "$", "chapter", "one", "number") and r.lower[i] not in ("many", "few"):
            continue
        if r.lower[i] in ("these", "those", "both") and r.deps[i] not in ("det", "predet", "advmod", "amod", "nsubj"):
            continue
        if r.lower[j].endswith("s") or r.lower[j] in ("someone", "something", "one", "lot", "much", "bit", "pm", "am"):
            continue
        if r.lower[j] in UNCOUNTED and r.lower[i] not in ("many", "few", "several", "these", "those"):
            continue
        if (r.deps[j] in ("compound", "amod") and r.heads[j] > j) or before in (
            "grade",
            "page",
            "paragraph",
            "step",
            "part",
        ):
            continue
        yield Mark("noun_number", i, j, joined(r, i, j, plural(r.lower[j])))


UNCOUNTED = frozenset(["o'clock", "percent", "fold", "hundred", "thousand", "million", "time", "p.m.", "a.m."])


def singular_determiner(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(SINGULAR_ONLY):
        if r.tags[i] not in ("DT", "CD") or r.lower[i + 1 : i + 2] == ["-"]:
            continue
        j = noun_after(r, i)
        if j is None:
            continue
        persons = r.lower[j] in ("people", "children") and r.lower[i] in ("a", "an", "this", "another")
        ordinary = r.tags[j] == "NNS" and r.lower[j] not in SAME_NUMBER | {"people", "children"}
        if not persons and not ordinary:
            continue
        between = {r.lower[k] for k in range(i + 1, j)}
        if between & COUNTING or any(r.tags[k] == "CD" for k in range(i + 1, j)) or r.heads[i] != j:
            continue
        if r.lower[i] in ("that", "one", "this", "each") and (
            r.deps[i] not in ("det", "nummod") or r.word(i - 1) == "the"
        ):
            continue
        if r.lower[i] == "one" and r.word(i - 1) in ("-", "no"):
            continue
        better = singular(r.lower[j])
        if better is not None or r.lower[j] in ("people", "children"):
            yield Mark("noun_number", i, j, joined(r, i, j, better or {"people": "person"}.get(r.lower[j], "child")))


def one_of(r: RuleContext) -> Iterator[Mark]:
    """`one of the reason`."""
    for i in r.words(("of",)):
        if r.word(i - 1) != "one" or r.word(i + 1) not in (
            "the",
            "my",
            "their",
            "our",
            "his",
            "her",
            "your",
            "these",
            "those",
        ):
            continue
        j = noun_after(r, i + 1)
        if (
            j is not None
            and r.tags[j] == "NN"
            and r.lower[j] not in SAME_NUMBER | {"group", "kind", "family", "rest", "few"}
        ):
            yield Mark("noun_number", i - 1, j, joined(r, i - 1, j, plural(r.lower[j])))


def quantity(r: RuleContext) -> Iterator[Mark]:
    """`a lot of student`, `other person`: words of quantity before the singular of a noun that can be counted."""
    for i in (*r.words(("other", "most", "more", "all", "such", "different")), *r.words(("of",))):
        if r.lower[i] == "of" and not quantity_before(r, i):
            continue
        if (
            r.lower[i] != "of"
            and (r.tag(i - 1) in ("DT", "PRP$", "CD", "POS", "IN", "RB", "JJ") or r.word(i - 1) == "no")
            and (r.tag(i - 1) != "IN" or r.lower[i] in ("most", "all", "more"))
        ):
            continue
        j = noun_after(r, i)
        if (
            j is None
            or r.tags[j] != "NN"
            or r.lower[j] in SAME_NUMBER
            or not countable(r.lower[j])
            or r.lower[i] == "all"
        ):
            continue
        if r.lower[i] in ("more", "most", "different") and j != i + 1:
            continue
        yield Mark(
            "noun_number",
            i - 2 if r.lower[i] == "of" else i,
            j,
            joined(r, i - 2 if r.lower[i] == "of" else i, j, plural(r.lower[j])),
        )


def quantity_before(r: RuleContext, i: int) -> bool:
    """Whether `of` at i closes a phrase of quantity; `lots of`, `a lot of`, `kinds of`, `a number of`."""
    before = r.word(i - 1)
    if r.word(i + 1) in ("the", "my", "their", "our", "his", "her", "your", "a", "an", "this", "that"):
        return False
    return before in ("lots", "kinds", "types", "sorts", "thousands", "hundreds", "millions", "dozens") or (
        before in ("lot", "number", "variety", "couple", "plenty")
        and r.word(i - 2) in ("a", "the", "large", "wide", "great")
    )


def joined(r: RuleContext, first: int, last: int, better: str) -> str:
    """The words from first to before last as written, then the better word."""
    return " ".join([*r.text.words[first:last], better])


def wrong_article(r: RuleContext) -> Iterator[Mark]:
    """`a apple`, `an car`: the sound that follows decides, by first letter and a table of exceptions."""
    silent_h, consonant_start = words("vowel_sound.txt"), words("consonant_sound.txt")
    for i in r.words(("a", "an")):
        if not r.same_sentence(i, i + 1) or r.silent & {i, i + 1} or r.tags[i] != "DT":
            continue
        word, written = r.lower[i + 1], r.text.words[i + 1]
        if (
            word in ("then", "both", "they", "this", "that")
            or not word.isalpha()
            or len(word) < 3
            or written.isupper()
            or r.starts[i + 1] - r.ends[i] != 1
        ):
            continue
        vowel = (word[0] in "aeiou" or word in silent_h) and not word.startswith(tuple(consonant_start))
        vowel |= word.startswith(("unim", "unin", "unid"))
        if vowel == (r.lower[i] == "a"):
            yield Mark("wrong_article", i, i + 1, f"{'an' if vowel else 'a'} {written}")
