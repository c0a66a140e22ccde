"""Pronouns in the wrong case, possessives without an apostrophe, and words that are missing or wrong."""

from collections.abc import Iterator

from assay.essays.errors.finding import Mark
from assay.essays.errors.language_model import trigram_model
from assay.essays.errors.lexicon import pairs, word_class, words
from assay.essays.errors.reading import RuleContext
from assay.essays.errors.verb_forms import BASE, verb_forms

OBJECTIVE = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
SUBJECTIVE = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])
PERSONS = word_class("words persons")
ALWAYS_POSSESSIVE = {
    "peoples": "people's", "childrens": "children's", "womens": "women's", "mens": "men's", "everyones": "everyone's",
    "someones": "someone's", "anyones": "anyone's", "everybodys": "everybody's", "somebodys": "somebody's",
    "nobodys": "nobody's", "childs": "child's", "moms": "mom's", "dads": "dad's",
}  # fmt: skip
OWNED = word_class("words owned")
BE_FORMS = frozenset(["am", "is", "are", "was", "were", "be", "been", "'m", "'s", "'re", "being", "get", "gets", "got"])


def pronoun(r: RuleContext) -> Iterator[Mark]:
    """`me and my friend went`, `between you and I`, `for they`, `hisself`."""
    yield from coordinated_object_pronoun(r)
    yield from subject_pronoun_after_preposition(r)
    table = pairs("pronoun_forms.tsv")
    for i in r.words(table):
        yield Mark("pronoun", i, i, table[r.lower[i]])


def coordinated_object_pronoun(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(OBJECTIVE):
        if r.deps[i] in ("nsubj", "nsubjpass") and r.word(i + 1) == "and" and r.child(i, "conj") is not None:
            verb = r.heads[i]
            if (
                verb > i
                and r.tags[verb] in FINITE | {"VBN", "VB", "VBG"}
                and finite_clause(r, verb)
                and opens_clause(r, i)
            ):
                yield Mark("pronoun", i, i, OBJECTIVE[r.lower[i]])
        elif r.deps[i] == "conj" and r.word(i - 1) == "and" and r.deps[r.heads[i]] in ("nsubj", "nsubjpass"):
            verb = r.heads[r.heads[i]]
            if verb > i and finite_clause(r, verb) and r.tag(i + 1) in FINITE and opens_clause(r, r.heads[i]):
                yield Mark("pronoun", i, i, OBJECTIVE[r.lower[i]])


def finite_clause(r: RuleContext, verb: int) -> bool:
    return r.tags[verb] in FINITE or any(r.tags[c] in FINITE for c in r.children[verb] if r.deps[c].startswith("aux"))


def opens_clause(r: RuleContext, i: int) -> bool:
    """Whether the subject begins a clause, so that it is not the object of a verb before it."""
    first, _ = r.sentence(i)
    left = min([i, *r.children[i]])
    return left == first or r.word(left - 1) in (
        ",",
        "because",
        "that",
        "when",
        "if",
        "so",
        "but",
        "and",
        "where",
        "then",
    )


def subject_pronoun_after_preposition(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(SUBJECTIVE):
        before = r.word(i - 1)
        if r.tag(i - 1) not in ("IN", "TO") or before in NOT_PREPOSITIONS or not r.same_sentence(i - 1, i):
            continue
        after = r.tag(i + 1)
        if r.deps[i] == "pobj" and (after in (".", ",", "") or not r.same_sentence(i, i + 1)) and r.lower[i] != "i":
            yield Mark("pronoun", i - 1, i, f"{r.text.words[i - 1]} {SUBJECTIVE[r.lower[i]]}")
    for i in r.words(("and",)):
        if r.word(i - 2) == "between" and r.word(i + 1) in SUBJECTIVE and r.tag(i + 2) not in FINITE:
            yield Mark("pronoun", i + 1, i + 1, SUBJECTIVE[r.lower[i + 1]])


NOT_PREPOSITIONS = frozenset(
    ["than", "as", "like", "but", "that", "if", "because", "except", "before", "after", "since"]
)


def possessive(r: RuleContext) -> Iterator[Mark]:
    """`my parents house`, `peoples lives`: a plural of persons right before what they own."""
    for i in r.words(PERSONS):
        if not r.same_sentence(i, i + 1) or r.tag(i + 1) not in ("NN", "NNS", "JJ", "JJS"):
            continue
        word = r.lower[i]
        always = word in ALWAYS_POSSESSIVE and word not in ("moms", "dads", "mens")
        if always or (r.lower[i + 1] in OWNED and r.deps[i] in ("compound", "nmod", "poss", "amod")):
            yield Mark("possessive", i, i, ALWAYS_POSSESSIVE.get(word, word + "'"))
    for i in r.words(("others",)):
        if r.word(i - 1) == "each" and r.tag(i + 1) in ("NN", "NNS"):
            yield Mark("possessive", i - 1, i, "each other's")


def wrong_word(r: RuleContext) -> Iterator[Mark]:
    """`they going`, `could of`, `want go`, `I agree you`: a word is missing, or another stands in its place."""
    yield from missing_be(r)
    yield from of_for_have(r)
    yield from missing_to(r)
    yield from allowed_whom(r)
    yield from unheard_pairs(r)


def missing_be(r: RuleContext) -> Iterator[Mark]:
    """A subject pronoun right before an -ing form, or `he very happy`."""
    for i in r.words(("i", "he", "she", "they", "we")):
        first, _ = r.sentence(i)
        j = i + 1
        if r.word(j) in ("not", "always", "also", "still", "just", "really", "only", "all"):
            j += 1
        if not r.same_sentence(i, j) or r.tags[j] != "VBG" or r.deps[i] not in ("nsubj", "nsubjpass"):
            continue
        if r.word(j).endswith("in") or r.silent & {i, j} or (i > first and r.lower[i - 1] in ("and", "or")):
            continue
        if any(r.lower[k] in BE_FORMS for k in range(max(first, i - 3), i)) or not r.lower[j].endswith("ing"):
            continue
        be = {"i": "am", "he": "is", "she": "is"}.get(r.lower[i], "are")
        yield Mark("wrong_word", i, j, f"{r.text.words[i]} {be} {' '.join(r.text.words[i + 1 : j + 1])}")


def of_for_have(r: RuleContext) -> Iterator[Mark]:
    for i in r.words(("of",)):
        if r.word(i - 1) in ("could", "would", "should", "might", "must"):
            yield Mark("wrong_word", i - 1, i, f"{r.text.words[i - 1]} have")
        elif r.word(i - 1) in ("n't", "not") and r.word(i - 2) in ("could", "would", "should"):
            yield Mark("wrong_word", i - 2, i, f"{r.text.words[i - 2]} not have")


WANTS_TO = frozenset(
    ["want", "wants", "wanted", "need", "needs", "decide", "decided", "going", "try", "tries", "able", "tend"]
)


def missing_to(r: RuleContext) -> Iterator[Mark]:
    """`want go`: a verb that takes `to` right before a base form."""
    table = verb_forms()
    for i in r.words(WANTS_TO):
        j = i + 1
        if not r.same_sentence(i, j) or r.tags[j] != "VB" or not table.is_form(r.lower[j], BASE):
            continue
        if r.lower[i] in ("need", "needs") and r.tags[i] in ("NN", "NNS", "MD"):
            continue
        certain = r.lower[i] in ("want", "wants", "wanted") and r.tag(i + 2) not in ("NN", "NNS", "VBZ")
        if r.tags[i] in ("VB", "VBP", "VBZ", "VBD", "VBG", "JJ") and (
            certain or r.deps[j] in ("xcomp", "ccomp", "dobj")
        ):
            yield Mark("wrong_word", i, j, f"{r.text.words[i]} to {r.text.words[j]}")


def allowed_whom(r: RuleContext) -> Iterator[Mark]:
    """`it allows to play`: who is allowed is missing."""
    for i in r.words(("allow", "allows", "permit", "permits", "enables", "enable")):
        if (
            r.word(i + 1) == "to"
            and r.tag(i + 2) == "VB"
            and r.tags[i] in ("VB", "VBZ", "VBP")
            and r.same_sentence(i, i + 2)
        ):
            yield Mark("wrong_word", i, i + 1, f"{r.text.words[i]} us to")


LEAST_EXPECTED, UNHEARD = 12.0, 0.02


def unheard_pairs(r: RuleContext) -> Iterator[Mark]:
    """Two function words in a row that chance would bring often and the corpus hardly ever has: `the these`."""
    model, function_words = trigram_model(), words("function_words.txt")
    size = len(model.one)
    for i in range(len(r) - 1):
        a, b = r.lower[i], r.lower[i + 1]
        if a == b or a not in function_words or b not in function_words or not (a.isalpha() and b.isalpha()):
            continue
        x, y = model.symbols.get(a), model.symbols.get(b)
        if x is None or y is None or r.sentence_of[i] != r.sentence_of[i + 1] or stranded(r, i):
            continue
        expected = model.one[x] * model.one[y] / model.total
        if expected >= LEAST_EXPECTED and model.two.get(x * size + y, 0) <= UNHEARD * expected:
            yield Mark("wrong_word", i, i + 1)


OPENS_PHRASE = word_class("words opens phrase")
JOINS = word_class("words joins")


def stranded(r: RuleContext, i: int) -> bool:
    """Pairs that are right for a reason a pair model cannot see: `the one I work with will ...`, `May is`."""
    before, after = r.lower[i], r.lower[i + 1]
    if r.tags[i] in ("IN", "RP", "RB", "WDT") and r.tags[i + 1] in FINITE | {"VBG", "RB", "JJR"}:
        return True
    if before == "a" and r.text.words[i] == "A":
        return True  # a grade or a label
    if r.word(i + 2) == "-" or (before == "i" and after in ("and", "who", "or")) or after == "then":
        return True
    if before in ("those", "these", "all", "one", "this", "that") and r.tags[i + 1] in FINITE:
        return True
    if (before == "may" and r.tags[i] != "MD") or after == "one" or r.starts[i + 1] == r.ends[i]:
        return True
    if before in OPENS_PHRASE and r.tags[i] != "NN":
        return before in ("could", "can", "will", "would", "should", "have") and after in JOINS | {
            "of",
            "these",
            "those",
            "this",
        }
    return after in JOINS | {"of", "in", "on", "at", "to", "for", "by", "from"} or r.tags[i] in ("VBG", "NN", "CD")
