"""Ill-formed verbs: a form that its auxiliary, `to` or preposition does not allow."""

from collections.abc import Iterator

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import pairs, word_class
from assay.essays.errors.reading import RuleContext
from assay.essays.errors.verb_forms import BASE, GERUND, PARTICIPLE, PAST, THIRD, verb_forms

MODALS = frozenset(["can", "could", "will", "would", "shall", "should", "may", "might", "must", "ca", "wo", "'ll"])
DO = frozenset(["do", "does", "did"])
HAVE = frozenset(["have", "has", "had", "'ve", "having"])
BE = frozenset(["am", "is", "are", "was", "were", "be", "been", "'m", "'re"])
VERBAL = frozenset(["VB", "VBP", "VBZ", "VBD", "VBN", "VBG"])
NOT = frozenset(["not", "n't", "never", "also", "always", "really", "even", "just", "still", "already", "ever"])
SUBJECTS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
TAKES_TO_INFINITIVE = word_class("verbs takes to infinitive")
TO_IS_PREPOSITION = word_class("verbs to is preposition")
TAKES_GERUND = word_class("verbs takes gerund")
PREPOSITIONS = frozenset(
    ["for", "of", "by", "without", "about", "from", "in", "on", "at", "with", "instead of", "into"]
)


def verb_form(r: RuleContext) -> Iterator[Mark]:
    """The type `verb_form`: see the rules below."""
    for rule in (
        after_modal,
        after_do,
        after_to,
        after_have,
        after_be,
        after_preposition,
        after_gerund_verb,
        after_make,
        regularised,
    ):
        yield from rule(r)


def regularised(r: RuleContext) -> Iterator[Mark]:
    """Irregular verbs inflected as if they were regular: `choosed`, by table."""
    table = pairs("regularised_verbs.tsv")
    for i in r.words(table):
        yield Mark("verb_form", i, i, table[r.lower[i]])


def main_verb(r: RuleContext, i: int) -> int:
    """The token after an auxiliary at i, past `not` and one adverb, and past a pronoun in a question."""
    j = i + 1
    if r.word(j) in SUBJECTS and not (r.word(i - 1) in SUBJECTS or r.tag(i - 1).startswith("NN")):
        j += 1
    while r.word(j) in NOT:
        j += 1
    return j


def reform(r: RuleContext, i: int, j: int, form: int) -> Mark | None:
    """A mark from the auxiliary to the verb with the verb in the right form."""
    if not r.same_sentence(i, j) or r.silent & {i, j}:
        return None
    better = verb_forms().to(r.lower[j], form)
    if better is None or better == r.lower[j]:
        return None
    words = [r.text.words[k] for k in range(i, j)]
    written = "".join(w if k == 0 or w.lower() == "n't" else " " + w for k, w in enumerate(words))
    return Mark("verb_form", i, j, f"{written} {better}")


def after_modal(r: RuleContext) -> Iterator[Mark]:
    table = verb_forms()
    for i in r.words(MODALS):
        j = main_verb(r, i)
        if r.tags[i] != "MD" or not r.same_sentence(i, j) or r.tags[j] not in VERBAL:
            continue
        word = r.lower[j]
        if table.is_form(word, BASE) or not table.forms.get(word) or word in ("of", "been"):
            continue
        if mark := reform(r, i, j, BASE):
            yield mark


def after_do(r: RuleContext) -> Iterator[Mark]:
    """`did not went`, `does she knows`: only after `not` or a pronoun, since `do` may be the main verb."""
    table = verb_forms()
    for i in r.words(DO):
        j = main_verb(r, i)
        if j == i + 1 or not r.same_sentence(i, j) or r.tags[j] not in VERBAL - {"VBG"}:
            continue
        word = r.lower[j]
        if r.word(j - 1) in SUBJECTS and r.deps[i] != "aux":
            continue
        if table.forms.get(word) and not table.is_form(word, BASE) and (mark := reform(r, i, j, BASE)):
            yield mark


def after_to(r: RuleContext) -> Iterator[Mark]:
    table = verb_forms()
    for i in r.words(("to",)):
        j, before = i + 1, r.word(i - 1)
        if not r.same_sentence(i, j) or r.tags[i] not in ("TO", "IN"):
            continue
        word, tag = r.lower[j], r.tags[j]
        if tag not in ("VBD", "VBZ", "VBN", "VBG") or table.is_form(word, BASE) or not table.forms.get(word):
            continue
        if tag == "VBG" and before not in TAKES_TO_INFINITIVE:
            continue
        if tag != "VBG" and (before in TO_IS_PREPOSITION or r.tag(j + 1).startswith(("NN", "JJ")) or r.tags[i] != "TO"):
            continue
        if mark := reform(r, i, j, BASE):
            yield mark


def after_have(r: RuleContext) -> Iterator[Mark]:
    table = verb_forms()
    for i in r.words(HAVE):
        j = main_verb(r, i)
        if not r.same_sentence(i, j):
            continue
        word, tag = r.lower[j], r.tags[j]
        if table.is_form(word, PARTICIPLE) or not table.forms.get(word) or word in ("have", "do", "to"):
            continue
        past = tag in ("VBD", "VBN") and table.is_form(word, PAST)
        base = tag in ("VB", "VBP") and table.is_form(word, BASE) and r.deps[i] == "aux"
        if (past or base) and word != "let" and (mark := reform(r, i, j, PARTICIPLE)):
            yield mark


def after_be(r: RuleContext) -> Iterator[Mark]:
    """`is go`, `was went`, `am agree`; not `all I did was go`."""
    table = verb_forms()
    for i in r.words(BE):
        j = main_verb(r, i)
        if not r.same_sentence(i, j) or r.word(i + 1) in SUBJECTS or r.deps[j] in ("ccomp", "csubj"):
            continue
        word, tag = r.lower[j], r.tags[j]
        if table.is_form(word, PARTICIPLE) or table.is_form(word, GERUND) or not table.forms.get(word):
            continue
        base = tag in ("VB", "VBP") and table.is_form(word, BASE) and not pseudo_cleft(r, i)
        past = tag == "VBD" and table.is_form(word, PAST)
        if (base or past) and (mark := reform(r, i, j, GERUND if base else PARTICIPLE)):
            yield Mark(mark.type, mark.first, mark.last)  # which of the two forms is meant cannot be told


def pseudo_cleft(r: RuleContext, i: int) -> bool:
    """`what it does is make ...`, `the only thing to do is go`: a base form after be is right."""
    first, _ = r.sentence(i)
    before = {r.lower[k] for k in range(max(first, i - 12), i)}
    return bool(before & {"do", "does", "did", "done", "doing", "to", "what", "all", "let", "make", "thing", "is"})


def after_preposition(r: RuleContext) -> Iterator[Mark]:
    """`for make`, `without have`: a preposition wants the -ing form."""
    table = verb_forms()
    for i in r.words(PREPOSITIONS):
        j = i + 1
        if not r.same_sentence(i, j) or r.tags[j] not in ("VB", "VBP") or r.tags[i] != "IN" or r.silent & {i, j}:
            continue
        if (
            not table.is_form(r.lower[j], BASE)
            or table.is_form(r.lower[j], PAST)
            or r.lower[j] in ("be", "let", "like")
        ):
            continue
        if r.tag(j + 1) in ("VBZ", "VBD", "MD") or r.word(j + 1) in ("of", "and", "or", "is", "was", ",", "."):
            continue
        yield Mark("verb_form", i, j, f"{r.text.words[i]} {table.to(r.lower[j], GERUND)}")


def after_gerund_verb(r: RuleContext) -> Iterator[Mark]:
    """`enjoy to play`."""
    table = verb_forms()
    for i in r.words(TAKES_GERUND):
        if r.word(i + 1) == "to" and r.same_sentence(i, i + 2) and r.tags[i + 2] == "VB" and r.tags[i] in VERBAL:
            better = table.to(r.lower[i + 2], GERUND)
            if better and r.tags[i] != "VBN":
                yield Mark("verb_form", i, i + 2, f"{r.text.words[i]} {better}")


def after_make(r: RuleContext) -> Iterator[Mark]:
    """`make me to feel`, `let him goes`."""
    table = verb_forms()
    for i in r.words(("make", "makes", "made", "let", "lets")):
        if r.word(i + 1) not in ("me", "you", "him", "us", "them", "her", "people") or not r.same_sentence(i, i + 3):
            continue
        if r.lower[i + 2] == "to" and r.tags[i + 3] == "VB" and r.tags[i] in VERBAL:
            yield Mark("verb_form", i, i + 3, f"{r.text.words[i]} {r.text.words[i + 1]} {r.text.words[i + 3]}")
        elif (
            r.tags[i + 2] == "VBZ" and table.is_form(r.lower[i + 2], THIRD) and not table.is_form(r.lower[i + 2], BASE)
        ):
            yield Mark(
                "verb_form", i, i + 2, f"{r.text.words[i]} {r.text.words[i + 1]} {table.to(r.lower[i + 2], BASE)}"
            )
