"""Verbs: agreement with the subject in number, and forms that an auxiliary, `to` or preposition does not allow."""

from collections.abc import Iterator

from assay.essays.errors.lexicon import (
    BASE,
    GERUND,
    PARTICIPLE,
    PAST,
    THIRD,
    is_countable,
    pairs,
    verb_forms,
    word_class,
    word_set,
    words,
)
from assay.essays.errors.reading import Mark, RuleContext

SINGULAR, PLURAL = 1, 2
DOUBTED = 0.6
ACROSS_CLAUSE = 0.75
"""Confidence where a relative clause stands between subject and verb."""
PRONOUNS = {"he": 1, "she": 1, "it": 1, "they": 2, "we": 2, "you": 2, "i": 2, "these": 2, "those": 2}
INDEFINITE = word_set("everyone everybody someone somebody anyone anybody nobody everything something nothing")
NUMBER_OF_BE = {"is": 1, "are": 2, "was": 1, "were": 2, "am": 1, "'s": 1, "'re": 2}
UNNUMBERED = word_class("agreement unnumbered")
BARE_INFINITIVE = word_class("agreement bare infinitive")
SUBJUNCTIVE = word_class("agreement subjunctive")
MANDATIVE = SUBJUNCTIVE - word_set("if wish wishes wished though whether unless lest imagine say suppose")
"""Words after which a third person may stand without -s: `they suggest that he go`."""


def parsed_subjects(r: RuleContext) -> Iterator[Mark]:
    """Subjects and finite verbs by the parse."""
    for s in (*r.by_dep.get("nsubj", ()), *r.by_dep.get("nsubjpass", ())):
        v = finite_verb(r, r.heads[s])
        if not -1 < v - s <= 6 or r.silent & {s, v}:
            continue
        subject, number = number_of_subject(r, s), number_of_verb(r, v)
        if not subject or not number or subject == number or in_subjunctive(r, s, r.lower[v]):
            continue
        if r.lower[s] == "i" and r.lower[v] in ("am", "was", "'m"):
            continue
        between, is_pronoun = range(s + 1, v), r.tags[s] == "PRP"
        if may_be_verb(r, s) or (r.lower[v] == "were" and r.lower[s - 1 : s + 1] == ["as", "it"]):
            continue  # `another solution the author presents gets us`
        if after_relative_clause(r, s, v):
            yield Mark("agreement", s, v, with_number(r.lower[v], subject, r.lower[s]), ACROSS_CLAUSE)
            continue
        if not is_pronoun and any(r.tags[k] in ("IN", "CC", "WDT", "WP", "VBG", "VBN", "TO") for k in between):
            continue  # a phrase or clause between them: the parser's subject is not to be trusted
        if any(r.lower[k] in (",", "(", '"', "-", "--") for k in between):
            continue
        left = min([s, *r.children[s]])
        if left > r.sentence(s)[0]:  # a coordination or an `of` phrase before it may hold the true subject
            before = r.lower[left - 1]
            if before in ("and", "or", "of", "than") or (is_pronoun and before in BARE_INFINITIVE):
                continue
            joins = before in ("nor", "plus", "&", "in", "for", "with", "by", "to")
            if not is_pronoun and (joins or r.tags[left - 1] in ("VB", "VBG", "TO")):
                continue  # `the best way to get good grades is ...`
        yield Mark("agreement", s, v, with_number(r.lower[v], subject, r.lower[s]), doubt(r, s, v))


def doubt(r: RuleContext, s: int, v: int) -> float | None:
    """Low confidence where another error explains the words as well: `people's like`, `drivers who's`, `Pations is`."""
    plain = r.tags[s] == "PRP" or (r.lower[s] in words("known_words.txt") and "'" not in r.lower[s])
    return None if plain and r.lower[v] not in ("'s", "like", "cause") else DOUBTED


def may_be_verb(r: RuleContext, s: int) -> bool:
    """Whether what reads as a plural noun may be the verb of a noun right before it."""
    after_noun = r.tag(s - 1) in ("NN", "NNP") and r.same_sentence(s - 1, s)
    return r.tags[s] == "NNS" and after_noun and verb_forms().is_form(r.lower[s], THIRD)


def after_relative_clause(r: RuleContext, s: int, v: int) -> bool:
    """Whether a relative clause of the subject, and nothing else, stands between it and its verb."""
    clause = r.child(s, "relcl")
    if clause is None or r.lower[s + 1] not in ("who", "that", "which") or not s < clause < v:
        return False
    inside = {s}
    for k in range(s + 1, v):  # heads of what is inside are inside, or follow within the clause
        inside |= {k} if r.heads[k] in inside or r.heads[k] == clause or k == clause else set()
    return len(inside) == v - s and r.tags[v - 1] not in ("IN", "CC", "TO", "DT") and r.deps[s] == "nsubj"


def number_of_subject(r: RuleContext, s: int) -> int:
    """1 singular, 2 plural, 0 when it cannot be told."""
    word, tag, children = r.lower[s], r.tags[s], r.children[s]
    if any(r.deps[c] in ("conj", "cc", "appos", "nummod", "punct") for c in children):
        return 0
    if tag == "PRP":
        return PRONOUNS.get(word, 0)
    if word in INDEFINITE:
        return SINGULAR
    if word in UNNUMBERED and not (word == "people" and s > 0 and tag == "NNS"):
        return 0
    if word in PRONOUNS:
        return PRONOUNS[word]
    modifiers = ("det", "amod", "nmod", "quantmod", "predet")
    if any(r.lower[c] in UNNUMBERED and r.deps[c] in modifiers for c in children):
        return 0
    if tag != "NN":
        return PLURAL if tag == "NNS" else 0
    # bare singular nouns are too often mistagged
    articles = [r.lower[c] for c in children if r.deps[c] in ("det", "poss")]
    determined = any(article not in ("no", "any", "half", "both") for article in articles)
    return SINGULAR if determined or is_countable(word) else 0


def finite_verb(r: RuleContext, verb: int) -> int:
    """The token that carries tense: the first auxiliary, or the verb itself."""
    return min((c for c in r.children[verb] if r.deps[c] in ("aux", "auxpass") and r.tags[c] != "TO"), default=verb)


def number_of_verb(r: RuleContext, v: int) -> int:
    word, tag, table = r.lower[v], r.tags[v], verb_forms()
    if word in NUMBER_OF_BE:
        return NUMBER_OF_BE[word]
    if word in ("has", "does") or (tag == "VBZ" and table.is_form(word, THIRD) and word not in ("have", "do")):
        return SINGULAR
    return PLURAL if word in ("have", "do") or (tag == "VBP" and table.is_form(word, BASE)) else 0


def with_number(verb: str, number: int, subject: str) -> str | None:
    """The verb in the number of its subject."""
    if verb not in NUMBER_OF_BE:
        return verb_forms().to(verb, THIRD if number == SINGULAR else BASE)
    if verb in ("was", "were"):
        return "was" if subject == "i" or number == SINGULAR else "were"
    return "am" if subject == "i" else "is" if number == SINGULAR else "are"


def in_subjunctive(r: RuleContext, s: int, verb: str) -> bool:
    """A word earlier in the clause that calls for the subjunctive; `if` does so only for `were`."""
    calling = SUBJUNCTIVE if verb in ("were", "be") else MANDATIVE
    return not calling.isdisjoint(r.lower[max(r.sentence(s)[0], s - 5) : s])


def existential(r: RuleContext) -> Iterator[Mark]:
    """`there is many reasons`, `there are a reason`: the noun after a form of be decides."""
    for i in r.words(("there",)):
        v = i + 1
        if r.deps[i] != "expl" or not r.same_sentence(i, v + 1) or r.lower[v] not in ("is", "'s", "was", "are", "were"):
            continue
        noun = next((k for k in r.children[r.heads[i]] if k > v and r.deps[k] in ("attr", "nsubj", "dobj")), None)
        if noun is None or noun - v > 4 or r.child(noun, "conj") is not None:
            continue
        if r.lower[noun] in UNNUMBERED - {"people"} or in_subjunctive(r, i, r.lower[v]):
            continue
        between = {r.lower[k] for k in range(v + 1, noun)}
        single = {"a", "an", "one", "lot", "of", ",", "number"} | (set() if r.tags[noun] == "NNS" else {"no"})
        number = SINGULAR if between & single else PLURAL
        if number == SINGULAR:
            counted = between & {"a", "an", "one"} and r.tags[noun] == "NN"
            wrong = counted and not between & {"lot", "of", "number", "few", "couple", "or", "bunch"}
        else:
            many = between & {"many", "several", "few", "two", "three", "four", "these", "various"}
            wrong = bool(many) or r.tags[noun] == "NNS"
        if wrong and (r.lower[v] in ("are", "were")) == (number == SINGULAR):
            yield Mark("agreement", i, v, f"{r.text.words[i]} {with_number(r.lower[v], number, 'there')}")


def pronoun_subjects(r: RuleContext) -> Iterator[Mark]:
    """`he go`, `it make`: a pronoun before a base form, nothing before asks for one; `they needs`, `we says`."""
    table = verb_forms()
    for i in r.words(("he", "she", "it")):
        v = i + 2 if r.tag(i + 1) == "RB" and r.word(i + 1) not in ("not", "n't") else i + 1
        if not r.same_sentence(i, v) or r.tags[v] not in ("VB", "VBP") or not table.is_form(r.lower[v], BASE):
            continue
        if table.is_form(r.lower[v], PAST) or (r.lower[v] in ("be", "let", "have") and r.tags[v] == "VB"):
            continue
        first, _ = r.sentence(i)
        before = r.lower[max(first, i - 3) : i]
        last = before[-1] if before else ""
        if last in ("or", "than", "of", "n't", "not") or not BARE_INFINITIVE.isdisjoint(before):
            continue
        if last == "and" and not {"MD", "VB", "TO"}.isdisjoint(r.tags[max(first, i - 8) : i]):
            continue
        if not in_subjunctive(r, i, r.lower[v]):
            yield Mark("agreement", i, v, table.to(r.lower[v], THIRD))
    for i in r.words(("they", "we", "i", "you")):
        v = i + 1
        if not r.same_sentence(i, v) or r.silent & {i, v}:
            continue
        word, tag = r.lower[v], r.tags[v]
        verbal = tag == "VBZ" or (tag == "NNS" and r.lower[i] in ("they", "we"))
        if not verbal or not table.is_form(word, THIRD) or table.is_form(word, BASE) or word in NUMBER_OF_BE:
            continue
        if r.word(i - 1) not in ("of", "than", "like", "for", "to", "with") and not in_subjunctive(r, i, word):
            yield Mark("agreement", i, v, f"{r.text.words[i]} {table.to(word, BASE)}")


def relative_clauses(r: RuleContext) -> Iterator[Mark]:
    """`people who has`, `a student who have`: the noun right before the pronoun decides.

    Only nouns that stand outside an `of` phrase: in `one of the boys who ...` usage is divided.
    """
    for i in r.words(("who", "that", "which")):
        noun, v, verb = i - 1, i + 1, r.heads[i]
        if r.deps[i] not in ("nsubj", "nsubjpass") or not r.same_sentence(noun, v) or r.lower[v] in ("were", "was"):
            continue
        if r.deps[verb] != "relcl" or r.heads[verb] != noun or finite_verb(r, verb) != v:
            continue
        if r.deps[noun] == "pobj" and r.lower[r.heads[noun]] in ("of", "for", "with", "in"):
            continue
        if r.lower[noun] == "people":
            subject = PLURAL
        else:
            subject = number_of_subject(r, noun) if r.tags[noun] in ("NN", "NNS") else 0
        if subject and number_of_verb(r, v) not in (0, subject):
            yield Mark("agreement", noun, v, with_number(r.lower[v], subject, ""), doubt(r, noun, v))


MODALS = word_set("can could will would shall should may might must ca wo 'll")
DO = frozenset(["do", "does", "did"])
HAVE = frozenset(["have", "has", "had", "'ve", "having"])
BE = word_set("am is are was were be been 'm 're")
VERBAL = frozenset(["VB", "VBP", "VBZ", "VBD", "VBN", "VBG"])
NOT = word_set("not n't never also always really even just still already ever")
SUBJECTS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
TAKES_TO_INFINITIVE = word_class("verbs takes to infinitive")
TO_IS_PREPOSITION = word_class("verbs to is preposition")
TAKES_GERUND = word_class("verbs takes gerund")
PREPOSITIONS = word_set("for of by without about from in on at with into")
DETERMINED_WILL = word_set("that the free his her their its own good")
"""Before `will`, these make it a noun."""
CLEFT = word_set("do does did done doing to what all let make thing is")
"""Before be, these make a base form after it right: `what it does is make ...`, `the only thing to do is go`."""


def after_auxiliary(r: RuleContext) -> Iterator[Mark]:
    """`can goes`, `did not went`, `have ate`, `is go`, `was went`, `am agree`; not `all I did was go`."""
    table = verb_forms()
    for i in r.words(MODALS | DO | HAVE | BE):
        # the main verb: past `not` and adverbs, and past a pronoun in a question
        asked = r.word(i + 1) in SUBJECTS and r.word(i - 1) not in SUBJECTS | {"or", "and"}
        asked = asked and not r.tag(i - 1).startswith("NN")
        j = next(k for k in range(i + 2 if asked else i + 1, len(r.lower) + 2) if r.word(k) not in NOT)
        if not r.same_sentence(i, j) or r.lower[j] not in table.readings:
            continue
        auxiliary, word, tag = r.lower[i], r.lower[j], r.tags[j]
        is_base, is_past = table.is_form(word, BASE), table.is_form(word, PAST)
        form: int | None = None
        if i == r.sentence(i)[0] and tag == "VBG":
            continue  # `Would giving it away help?`
        if auxiliary in MODALS and r.tags[i] == "MD" and tag in VERBAL and r.word(i - 1) not in DETERMINED_WILL:
            form = BASE if not is_base and word not in ("of", "been") else None
        elif auxiliary in DO and j > i + 1 and tag in VERBAL - {"VBG"}:
            # only after `not` or a pronoun, since `do` may be the main verb
            is_main = r.lower[j - 1] in SUBJECTS and r.deps[i] != "aux"
            form = BASE if not is_base and not is_main else None
        elif table.is_form(word, PARTICIPLE):
            continue
        elif auxiliary in HAVE and word not in ("have", "do", "to", "let", "was", "were", "is"):
            bare = tag in ("VB", "VBP") and is_base and r.deps[i] == "aux"
            form = PARTICIPLE if bare or (tag in ("VBD", "VBN") and is_past) else None
        elif auxiliary in BE and r.word(i + 1) not in SUBJECTS and r.deps[j] not in ("ccomp", "csubj"):
            bare = tag in ("VB", "VBP") and is_base and CLEFT.isdisjoint(r.lower[max(r.sentence(i)[0], i - 12) : i])
            if not table.is_form(word, GERUND) and (bare or (tag == "VBD" and is_past)):
                form = GERUND if bare else PARTICIPLE
        if form is not None and (mark := in_form(r, i, j, form)):
            # after be, which of the two forms is meant cannot be told
            yield Mark(mark.type, mark.first, mark.last) if auxiliary in BE else mark


def in_form(r: RuleContext, i: int, j: int, form: int) -> Mark | None:
    """A mark from the auxiliary to the verb with the verb in the right form; None where it is so."""
    better = verb_forms().to(r.lower[j], form)
    if r.silent & {i, j} or better is None or better == r.lower[j]:
        return None
    between = [word if word.lower() == "n't" else f" {word}" for word in r.text.words[i + 1 : j]]
    return Mark("verb_form", i, j, f"{r.text.words[i]}{''.join(between)} {better}")


def after_preposition(r: RuleContext) -> Iterator[Mark]:
    """`to went`, `want to playing`; `for make`, `without have`: a preposition wants the -ing form."""
    table = verb_forms()
    for i in r.words(("to",)):
        j, before = i + 1, r.word(i - 1)
        if not r.same_sentence(i, j) or r.tags[i] not in ("TO", "IN"):
            continue
        word, tag = r.lower[j], r.tags[j]
        if tag not in ("VBD", "VBZ", "VBN", "VBG") or table.is_form(word, BASE) or word not in table.readings:
            continue
        if tag == "VBG" and before not in TAKES_TO_INFINITIVE:
            continue
        if tag != "VBG" and (before in TO_IS_PREPOSITION or r.tag(j + 1).startswith(("NN", "JJ")) or r.tags[i] != "TO"):
            continue
        if mark := in_form(r, i, j, BASE):
            yield mark
    for i in r.words(PREPOSITIONS):
        j = i + 1
        if not r.same_sentence(i, j) or r.tags[j] not in ("VB", "VBP") or r.tags[i] != "IN" or r.silent & {i, j}:
            continue
        word = r.lower[j]
        if not table.is_form(word, BASE) or table.is_form(word, PAST) or word in ("be", "let", "like"):
            continue
        if r.tag(j + 1) in ("VBZ", "VBD", "MD") or r.word(j + 1) in ("of", "and", "or", "is", "was", ",", ".", "-"):
            continue
        yield Mark("verb_form", i, j, f"{r.text.words[i]} {table.to(word, GERUND)}")


def after_verb(r: RuleContext) -> Iterator[Mark]:
    """`enjoy to play`, `make me to feel`, `let him goes`; and irregular verbs as if they were regular: `choosed`."""
    table, irregular = verb_forms(), pairs("regularised_verbs.tsv")
    for i in r.words(TAKES_GERUND):
        if r.word(i + 1) == "to" and r.same_sentence(i, i + 2) and r.tags[i + 2] == "VB" and r.tags[i] in VERBAL:
            better = table.to(r.lower[i + 2], GERUND)
            if better and r.tags[i] != "VBN":
                yield Mark("verb_form", i, i + 2, f"{r.text.words[i]} {better}")
    for i in r.words(("make", "makes", "made", "let", "lets")):
        if r.word(i + 1) not in ("me", "you", "him", "us", "them", "her", "people") or not r.same_sentence(i, i + 3):
            continue
        word, whom = r.lower[i + 2], f"{r.text.words[i]} {r.text.words[i + 1]}"
        if word == "to" and r.tags[i + 3] == "VB" and r.tags[i] in VERBAL:
            yield Mark("verb_form", i, i + 3, f"{whom} {r.text.words[i + 3]}")
        elif r.tags[i + 2] == "VBZ" and table.is_form(word, THIRD) and not table.is_form(word, BASE):
            yield Mark("verb_form", i, i + 2, f"{whom} {table.to(word, BASE)}")
    for i in r.words(irregular):
        yield Mark("verb_form", i, i, irregular[r.lower[i]])
