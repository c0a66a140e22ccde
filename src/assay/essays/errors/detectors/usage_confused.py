"""Two words taken for each other: its and it's, your and you're, to and too, and many more by table."""

from collections.abc import Iterator

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import rows, word_class, words
from assay.essays.errors.reading import RuleContext

AFTER_IT_IS = word_class("confused after it is")
AFTER_YOU_ARE = word_class("confused after you are")


def confused(r: RuleContext) -> Iterator[Mark]:
    """Two words taken for each other, where tag and neighbours settle which is meant."""
    for rule in (its_and_it_is, your_and_you_are, to_and_too, too_and_adjective, loose_and_lose, by_phrase):
        yield from rule(r)


def its_and_it_is(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(("its",)):
        graded = r.word(i + 1) in ("very", "hard", "better", "easier", "important") and r.tag(i + 2) in (
            "NN",
            "NNS",
            "JJ",
        )
        if r.word(i + 1) in AFTER_IT_IS and not graded:
            yield Mark("confused", i, i, "it's")
    for i in r.words(("it",)):
        if r.word(i + 1) == "'s" and r.word(i + 2) == "own":
            yield Mark("confused", i, i + 1, "its")


def your_and_you_are(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(("your",)):
        after, tag = r.word(i + 1), r.tag(i + 1)
        if after in AFTER_YOU_ARE:
            if r.tag(i + 2).startswith("NN") and after in ("right", "wrong", "welcome", "being", "getting", "doing"):
                continue
            yield Mark("confused", i, i, "you're")
        elif (
            tag == "VBG"
            and r.tag(i + 2) in ("DT", "PRP", "PRP$", "TO")
            and r.word(i - 1) in ("if", "when", "while", "that", "what")
        ):
            yield Mark("confused", i, i, "you're")
    for i in r.words(("you", "they")):
        if r.word(i + 1) == "'re" and (r.word(i + 2) == "own" or _owned(r, i)):
            yield Mark("confused", i, i + 1, "your" if r.lower[i] == "you" else "their")


BEFORE_OWNED = frozenset(["on", "in", "with", "from", "of", "at", "by", "about", "into", "for"])


def _owned(r: RuleContext, i: int) -> bool:
    """A noun that a verb follows or a preposition precedes: `you're house is`, `on you're phone`, not `you're home`."""
    noun = r.word(i + 2)
    if r.tag(i + 2) not in ("NN", "NNS") or noun not in words("known_words.txt") or noun.endswith("ing"):
        return False
    followed = r.tag(i + 3) in ("VBZ", "VBP", "VBD", "MD") and r.same_sentence(i, i + 3)
    return followed or (r.word(i - 1) in BEFORE_OWNED and r.same_sentence(i - 1, i))


HAVING = word_class("words having")


def to_and_too(r: RuleContext) -> Iterator[Mark]:
    """`to much` but for `leads to much`; `to many` only after have, be and the like."""
    for i in r.words(("to",)):
        before, after = r.word(i - 1), r.word(i + 1)
        much = after == "much" and before not in ("due", "according", "thanks", "up", "lead", "leads", "come", "amount")
        many = after == "many" and before in HAVING
        if (much or many) and r.same_sentence(i, i + 1):
            yield Mark("confused", i, i, "too")


GRADED = word_class("words graded")


def too_and_adjective(r: RuleContext) -> Iterator[Mark]:
    """`it is to expensive.`: an adjective that closes a phrase cannot follow `to`."""
    for i in r.words(("to",)):
        if (
            r.word(i + 1) in GRADED
            and r.same_sentence(i, i + 2)
            and r.tag(i + 2) in (",", ".", "TO")
            and r.tag(i + 1) != "VB"
        ) and r.word(i - 1) in (
            "is",
            "are",
            "was",
            "be",
            "it",
            "were",
            "'s",
            "either",
            "get",
            "got",
            "way",
            "not",
            "n't",
        ):
            yield Mark("confused", i, i, "too")


def loose_and_lose(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(("loose",)):
        if r.tags[i] in ("VB", "VBP") or r.word(i - 1) in (
            "to",
            "will",
            "would",
            "can",
            "could",
            "might",
            "may",
            "n't",
        ):
            yield Mark("confused", i, i, "lose")
    for i in r.words(("looses",)):
        yield Mark("confused", i, i, "loses")


def by_phrase(r: RuleContext) -> Iterator[Mark]:
    """Two-word confusions by table: `no matter`, `then` for `than` and so on need no tags."""
    table = {tuple(row[0].split(" ")): (row[1], row[2] if len(row) > 2 else "") for row in rows("confused_phrases.tsv")}
    for phrase, (better, not_after) in table.items():
        for i in r.words((phrase[0],)):
            if tuple(r.lower[i : i + len(phrase)]) == phrase and r.tag(i + len(phrase)) not in not_after.split("|"):
                yield Mark("confused", i, i + len(phrase) - 1, better)
