"""Words of the wrong form, comparisons, prepositions, negation, nonstandard and confused words."""

from collections.abc import Iterator

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import pairs, rows, words
from assay.essays.errors.reading import RuleContext
from assay.essays.errors.verb_forms import BASE, verb_forms

NEGATIVES = frozenset(["no", "nothing", "nobody", "nowhere", "none", "neither", "hardly"])
NEGATED = frozenset(["n't", "not", "never", "cannot", "dont", "cant", "didnt", "doesnt", "wont", "isnt", "aint"])
COMPARING = frozenset(["more", "most"])
DOUBLED = {"worser": "worse", "worstest": "worst", "bestest": "best", "gooder": "better", "badder": "worse"}


def comparison(r: RuleContext) -> Iterator[Mark]:
    """`more better`, `most easiest`, `bestest`, `better then`."""
    for i in r.words(COMPARING):
        j = i + 1
        if not r.same_sentence(i, j) or r.tags[j] not in ("JJR", "RBR", "JJS", "RBS"):
            continue
        if r.lower[j] in ("more", "most", "less", "least", "fewer", "later", "upper") or not r.lower[j].endswith(
            ("er", "est", "worse", "worst", "ier")
        ):
            continue
        if r.word(j + 1) and r.tags[j] in ("JJR", "RBR") and r.lower[i] == "most":
            continue
        yield Mark("comparison", i, j, r.text.words[j])
    for i in r.words(DOUBLED):
        yield Mark("comparison", i, i, DOUBLED[r.lower[i]])
    yield from then_for_than(r)
    yield from more_short(r)


def then_for_than(r: RuleContext) -> Iterator[Mark]:
    """A comparative followed, at once or after one noun, by `then`."""
    for i in r.words(("then",)):
        before = i - 1
        if (
            r.same_sentence(i, before - 1)
            and r.tag(before) in ("NN", "NNS", "JJ")
            and r.tag(before - 1) in ("JJR", "RBR")
        ):
            before -= 1
        if not r.same_sentence(i, i + 1) or not r.same_sentence(i, before) or r.tag(before) not in ("JJR", "RBR"):
            continue
        if (
            r.lower[before] in ("later", "earlier", "sooner")
            or r.word(i - 1) == ","
            or r.tags[i + 1] in ("MD", "VBD", "VBP")
        ):
            continue
        if r.word(i + 1) in ("you", "i", "he", "she", "it", "we", "they") and r.tag(i + 2) in (
            "MD",
            "VBZ",
            "VBD",
            "VBP",
        ):
            continue
        yield Mark("comparison", i, i, "than")


def more_short(r: RuleContext) -> Iterator[Mark]:
    """`more easy`: short adjectives take -er."""
    short = pairs("short_comparatives.tsv")
    for i in r.words(COMPARING):
        if r.same_sentence(i, i + 1) and r.lower[i + 1] in short and r.tag(i + 2) not in ("NN", "NNS", "CC"):
            better = short[r.lower[i + 1]]
            yield Mark("comparison", i, i + 1, better if r.lower[i] == "more" else superlative(better))


def superlative(comparative: str) -> str:
    return comparative[:-2] + "est"


def negation(r: RuleContext) -> Iterator[Mark]:
    """A negated verb and a negative word in one clause, or `without no`."""
    for i in r.words(NEGATIVES):
        if r.word(i - 1) == "without" and r.same_sentence(i - 1, i):
            yield Mark("negation", i - 1, i)
            continue
        first, _ = r.sentence(i)
        for k in range(i - 1, max(first, i - 5) - 1, -1):
            if r.lower[k] in (
                ",",
                ";",
                ".",
                ":",
                "but",
                "and",
                "or",
                "because",
                "that",
                "if",
                "so",
                "than",
                "like",
                "with",
            ):
                break
            if r.tags[k] in ("PRP", "WP", "WDT", "WRB", "EX") or r.lower[k] in ("only", "for", "there", "about", "is"):
                break
            if r.tags[k] in ("NN", "NNS", "NNP", "IN") and r.lower[k] not in ("to",):
                break
            if r.lower[k] in NEGATED:
                if r.lower[i] == "no" and not (
                    r.tag(i + 1).startswith(("NN", "JJ")) or r.word(i + 1) in ("more", "one")
                ):
                    break
                yield Mark("negation", k - (r.lower[k] == "n't"), i)
                break


def preposition(r: RuleContext) -> Iterator[Mark]:
    """Verbs and adjectives with a preposition that does not go with them, by table: `discuss about`."""
    for head, wrong, right, after in rows("prepositions.tsv"):
        for i in r.words((head,)):
            if r.word(i + 1) != wrong or not r.same_sentence(i, i + 2):
                continue
            if after != "*" and r.tags[i + 2] not in after.split("|"):
                continue
            better = r.text.words[i] if right == "-" else f"{r.text.words[i]} {right}"
            yield Mark("preposition", i, i + 1, better)


def nonstandard(r: RuleContext) -> Iterator[Mark]:
    """Word forms of speech and of text messages, by table."""
    table = pairs("nonstandard.tsv")
    for i in r.words(table):
        word = r.lower[i]
        if word in ("u", "r", "n", "ur", "b", "ya") and (
            r.text.words[i].isupper() or r.word(i + 1) in (".", "'s", "-")
        ):
            continue
        yield Mark("nonstandard", i, i, table[word] or None)
    for i in r.words(("ai",)):
        if r.word(i + 1) == "n't":
            yield Mark("nonstandard", i, i + 1, None)
    for i in r.words(("gon", "wan", "got")):
        if r.word(i + 1) in ("na", "ta") and r.starts[i + 1] == r.ends[i]:
            yield Mark("nonstandard", i, i + 1, {"gon": "going to", "wan": "want to", "got": "have to"}[r.lower[i]])


def word_form(r: RuleContext) -> Iterator[Mark]:
    """A noun, adjective or adverb where another of the family belongs, by what stands around it."""
    yield from adjective_for_adverb(r)
    yield from listed_word_forms(r)
    yield from base_after_determiner(r)


def adjective_for_adverb(r: RuleContext) -> Iterator[Mark]:
    """`did good on`, `speaks fluent`, `real nice`."""
    for i in r.words(("good",)):
        verb = r.word(i - 1) if r.word(i - 1) not in ("so", "very", "really", "pretty") else r.word(i - 2)
        if (
            verb
            in (
                "do",
                "does",
                "did",
                "doing",
                "done",
                "works",
                "work",
                "worked",
                "play",
                "played",
                "sleep",
                "perform",
            )
            and r.tag(i + 1) not in ("NN", "NNS", "NNP", "JJ", "CC")
            and r.word(i + 1)
            not in (
                "and",
                "for",
                "things",
                "at",
                "-",
            )
        ):
            yield Mark("word_form", i, i, "well")
    adverbs = pairs("adverbs.tsv")
    for i in r.words(adverbs):
        after_verb = r.tag(i - 1) in ("VB", "VBD", "VBZ", "VBP", "VBG") and r.word(i - 1) not in words(
            "linking_verbs.txt"
        )
        if after_verb and r.deps[i] in ("advmod", "acomp", "amod", "oprd") and r.tag(i + 1) in (".", ",", "IN", ""):
            yield Mark("word_form", i, i, adverbs[r.lower[i]])


def listed_word_forms(r: RuleContext) -> Iterator[Mark]:
    """Pairs in which one word fixes the form of the other, by table: `have success` is right, `be success` is not."""
    for before, wrong, right, after in rows("word_forms.tsv"):
        for i in r.words((wrong,)):
            if before != "*" and r.word(i - 1) not in before.split("|"):
                continue
            if after != "*" and r.tag(i + 1) not in after.split("|"):
                continue
            yield Mark("word_form", i, i, right)


NOT_ARTICLES = frozenset(["that", "this", "all", "both", "these", "those", "some", "any", "no", "each", "her"])


def base_after_determiner(r: RuleContext) -> Iterator[Mark]:
    """`the develop of`, `a choose`: a verb that is never a noun where a noun belongs."""
    table, only_verbs = verb_forms(), pairs("verbs_never_nouns.tsv")
    for i in r.words(only_verbs):
        if r.tag(i - 1) not in ("DT", "PRP$") or not table.is_form(r.lower[i], BASE) or r.word(i - 1) in NOT_ARTICLES:
            continue
        if r.word(i + 1) in ("of", "is", "was", "to", "that", ".", ",", "for", "in", "and"):
            yield Mark("word_form", i - 1, i, f"{r.text.words[i - 1]} {only_verbs[r.lower[i]]}")
