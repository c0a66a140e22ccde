"""Subject and verb that disagree in number."""

from collections.abc import Iterator

from assay.essays.errors.detectors.bare_nouns import countable
from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import word_class
from assay.essays.errors.reading import RuleContext
from assay.essays.errors.verb_forms import BASE, THIRD, verb_forms

SINGULAR, PLURAL = 1, 2
PRONOUNS = {"he": 1, "she": 1, "it": 1, "they": 2, "we": 2, "you": 2, "i": 2, "these": 2, "those": 2}
INDEFINITE = frozenset(
    [
        "everyone",
        "everybody",
        "someone",
        "somebody",
        "anyone",
        "anybody",
        "nobody",
        "everything",
        "something",
        "nothing",
    ]
)
BE = {"is": 1, "are": 2, "was": 1, "were": 2, "am": 1, "'s": 1, "'re": 2}
UNNUMBERED = word_class("agreement unnumbered")
BARE_INFINITIVE = word_class("agreement bare infinitive")
SUBJUNCTIVE = word_class("agreement subjunctive")
MANDATIVE = SUBJUNCTIVE - frozenset(
    ["if", "wish", "wishes", "wished", "though", "whether", "unless", "lest", "imagine", "say", "suppose"]
)
"""Words after which a third person may stand without -s: `they suggest that he go`."""


def number_of_subject(r: RuleContext, s: int) -> int:
    """1 singular, 2 plural, 0 when it cannot be told."""
    word, tag = r.lower[s], r.tags[s]
    if any(r.deps[c] in ("conj", "cc", "appos", "nummod", "punct") for c in r.children[s]):
        return 0
    if tag == "PRP":
        return PRONOUNS.get(word, 0)
    if word in INDEFINITE:
        return SINGULAR
    if word in UNNUMBERED and not (word == "people" and s > 0 and tag == "NNS"):
        return 0
    if word in PRONOUNS:
        return PRONOUNS[word]
    if any(
        r.lower[c] in UNNUMBERED and r.deps[c] in ("det", "amod", "nmod", "quantmod", "predet") for c in r.children[s]
    ):
        return 0
    if tag == "NNS":
        return PLURAL
    return SINGULAR if tag == "NN" and (determined(r, s) or countable(r.lower[s])) else 0


def determined(r: RuleContext, s: int) -> bool:
    """Whether a singular noun carries an article or the like: bare ones are too often mistagged."""
    return any(r.deps[c] in ("det", "poss") and r.lower[c] not in ("no", "any", "half", "both") for c in r.children[s])


def finite_part(r: RuleContext, verb: int) -> int | None:
    """The token that carries tense: the first auxiliary, or the verb itself."""
    auxiliaries = [c for c in r.children[verb] if r.deps[c] in ("aux", "auxpass") and r.tags[c] != "TO"]
    return min(auxiliaries) if auxiliaries else verb


def number_of_verb(r: RuleContext, v: int) -> int:
    word, tag = r.lower[v], r.tags[v]
    if word in BE:
        return BE[word]
    if word in ("have", "do", "has", "does"):
        return SINGULAR if word in ("has", "does") else PLURAL
    table = verb_forms()
    if tag == "VBZ" and table.is_form(word, THIRD):
        return SINGULAR
    return PLURAL if tag == "VBP" and table.is_form(word, BASE) else 0


def corrected(r: RuleContext, v: int, number: int, subject: str) -> str | None:
    """The verb in the number of its subject."""
    word = r.lower[v]
    if word in BE:
        past = word in ("was", "were")
        if subject == "i":
            return "was" if past else "am"
        return ("was" if past else "is") if number == SINGULAR else ("were" if past else "are")
    return verb_forms().to(word, THIRD if number == SINGULAR else BASE)


def agreement(r: RuleContext) -> Iterator[Mark]:
    """Subjects and finite verbs by the parse, `there is/are` by what follows, and pronoun + verb by adjacency."""
    for s in r.related("nsubj", "nsubjpass"):
        verb = r.heads[s]
        v = finite_part(r, verb)
        if v is None or not -1 < v - s <= 6 or r.silent & {s, v}:
            continue
        subject, number = number_of_subject(r, s), number_of_verb(r, v)
        if disagree(r, s, v, subject, number):
            yield Mark("agreement", s, v, corrected(r, v, subject, r.lower[s]))
    yield from existential(r)
    yield from bare_third_person(r)
    yield from plural_pronouns(r)
    yield from relative_clauses(r)


def disagree(r: RuleContext, s: int, v: int, subject: int, number: int) -> bool:
    if not subject or not number or subject == number or moody(r, s, r.lower[v]):
        return False
    if r.lower[s] == "i" and r.lower[v] in ("am", "was", "'m"):
        return False
    if r.tags[s] != "PRP" and any(r.tags[k] in ("IN", "CC", "WDT", "WP", "VBG", "VBN", "TO") for k in range(s + 1, v)):
        return False  # a phrase or clause between them: the parser's subject is not to be trusted
    if any(r.lower[k] in (",", "(", '"', "-", "--") for k in range(s + 1, v)):
        return False
    return not preceded(r, s)


def preceded(r: RuleContext, s: int) -> bool:
    """A coordination or an `of` phrase left of the subject, whose head may be the true subject."""
    first, _ = r.sentence(s)
    left = min([s, *(c for c in r.children[s])])
    before = r.word(left - 1) if left > first else ""
    if r.tags[s] != "PRP" and left > first and r.tags[left - 1] in ("VB", "VBG", "TO"):
        return True  # `the best way to get good grades is ...`
    if r.tags[s] == "PRP":
        return before in ("and", "or", "of", "than") or (before in BARE_INFINITIVE and r.tags[s] == "PRP")
    return before in ("and", "or", "of", "nor", "than", "plus", "&", "in", "for", "with", "by", "to")


def moody(r: RuleContext, s: int, verb: str) -> bool:
    """A word earlier in the clause that calls for the subjunctive; `if` does so only for `were`."""
    first, _ = r.sentence(s)
    calling = SUBJUNCTIVE if verb in ("were", "be") else MANDATIVE
    return any(r.lower[k] in calling for k in range(max(first, s - 5), s))


def existential(r: RuleContext) -> Iterator[Mark]:
    """`there is many reasons`, `there are a reason`: the noun after a form of be decides."""
    for i in r.words(("there",)):
        v = i + 1
        if r.deps[i] != "expl" or not r.same_sentence(i, v + 1) or r.lower[v] not in ("is", "'s", "was", "are", "were"):
            continue
        noun = next((k for k in r.children[r.heads[i]] if k > v and r.deps[k] in ("attr", "nsubj", "dobj")), None)
        if (
            noun is None
            or r.child(noun, "conj") is not None
            or noun - v > 4
            or r.lower[noun] in UNNUMBERED - {"people"}
        ):
            continue
        between = {r.lower[k] for k in range(v + 1, noun)}
        if between & {"a", "an", "one", "lot", "of", ",", "no", "number"}:
            wrong = r.lower[v] in ("are", "were") and between & {"a", "an", "one"} and r.tags[noun] == "NN"
            wrong = bool(wrong) and not between & {"lot", "of", "number", "few", "couple", "or", "bunch"}
            number = SINGULAR
        else:
            many = between & {"many", "several", "few", "two", "three", "four", "these", "various"}
            wrong = r.lower[v] in ("is", "'s", "was") and (r.tags[noun] == "NNS" or bool(many))
            number = PLURAL
        if wrong and not moody(r, i, r.lower[v]):
            yield Mark("agreement", i, v, f"{r.text.words[i]} {corrected(r, v, number, 'there')}")


def bare_third_person(r: RuleContext) -> Iterator[Mark]:
    """`he go`, `it make`: a pronoun followed by a base form, and nothing before it that asks for one."""
    table = verb_forms()
    for i in r.words(("he", "she", "it")):
        v = i + 2 if r.tag(i + 1) == "RB" and r.word(i + 1) not in ("not", "n't") else i + 1
        if not r.same_sentence(i, v) or r.tags[v] not in ("VB", "VBP") or not table.is_form(r.lower[v], BASE):
            continue
        if table.is_form(r.lower[v], PAST_KIND) or (r.lower[v] in ("be", "let", "have") and r.tags[v] == "VB"):
            continue
        first, _ = r.sentence(i)
        before = [r.lower[k] for k in range(max(first, i - 3), i)]
        if before and (before[-1] in BARE_INFINITIVE or before[-1] in ("or", "than", "of", "n't", "not")):
            continue
        if before and before[-1] == "and" and any(r.tags[k] in ("MD", "VB", "TO") for k in range(max(first, i - 8), i)):
            continue
        if any(word in BARE_INFINITIVE for word in before) or moody(r, i, r.lower[v]):
            continue
        yield Mark("agreement", i, v, table.to(r.lower[v], THIRD))


PAST_KIND = 2


def plural_pronouns(r: RuleContext) -> Iterator[Mark]:
    """`they needs`, `we says`: a plural pronoun right before a third person."""
    table = verb_forms()
    for i in r.words(("they", "we", "i", "you")):
        v = i + 1
        if not r.same_sentence(i, v) or r.silent & {i, v}:
            continue
        word, tag = r.lower[v], r.tags[v]
        verbal = tag == "VBZ" or (tag == "NNS" and r.lower[i] in ("they", "we"))
        if not verbal or not table.is_form(word, THIRD) or table.is_form(word, BASE) or word in BE or word == "'s":
            continue
        if r.word(i - 1) not in ("of", "than", "like", "for", "to", "with") and not moody(r, i, word):
            yield Mark("agreement", i, v, f"{r.text.words[i]} {table.to(word, BASE)}")


def relative_clauses(r: RuleContext) -> Iterator[Mark]:
    """`people who has`, `a student who have`: the noun right before the pronoun decides."""
    for i in r.words(("who", "that", "which")):
        v = i + 1
        if r.deps[i] not in ("nsubj", "nsubjpass") or not r.same_sentence(i - 1, v):
            continue
        noun = i - 1
        if r.deps[r.heads[i]] != "relcl" or r.heads[r.heads[i]] != noun or finite_part(r, r.heads[i]) != v:
            continue
        subject, number = number_of_antecedent(r, noun), number_of_verb(r, v)
        if subject and number and subject != number and r.lower[v] not in ("were", "was"):
            yield Mark("agreement", noun, v, corrected(r, v, subject, ""))


def number_of_antecedent(r: RuleContext, noun: int) -> int:
    """Only nouns that stand outside an `of` phrase: in `one of the boys who ...` usage is divided."""
    if r.deps[noun] == "pobj" and r.lower[r.heads[noun]] in ("of", "for", "with", "in"):
        return 0
    if r.lower[noun] == "people":
        return PLURAL
    return number_of_subject(r, noun) if r.tags[noun] in ("NN", "NNS") else 0
