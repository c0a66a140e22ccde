"""Sentences as wholes: fragments, run-on sentences, garbled sentences, sentences to proofread."""

from collections.abc import Iterator, Sequence

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import word_class
from assay.essays.errors.reading import RuleContext
from assay.essays.errors.surprise import sentence_surprise
from assay.essays.errors.verb_forms import BASE, PAST, THIRD, verb_forms

FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])
SUBORDINATORS = frozenset(
    ["because", "although", "though", "since", "if", "when", "while", "unless", "whereas", "until"]
)
SAYING = word_class("sentences saying")
END = frozenset([".", "!", "?", "...", "…"])
LONGEST_FRAGMENT = 25
RUN_ON_WORDS, RUN_ON_VERBS = 55, 9


def fragment(r: RuleContext) -> Iterator[Mark]:
    """A sentence without a finite verb, or one that is only a subordinate clause."""
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        if not plain_sentence(r, s):
            continue
        words = [i for i in range(first, end) if r.lower[i][0].isalnum()]
        if not 4 <= len(words) <= LONGEST_FRAGMENT:
            continue
        if no_finite_verb(r, words, first, end) or only_subordinate(r, first, end):
            yield Mark("fragment", words[0], words[-1])


def plain_sentence(r: RuleContext, s: int) -> bool:
    """A sentence that begins after a stop and ends in one, outside of headings, lists, quotations and dialogue."""
    first, end = r.bounds[s], r.bounds[s + 1]
    if r.lower[end - 1] != "." or not r.text.words[first][:1].isupper():
        return False
    if s > 0 and r.lower[first - 1] not in END:
        return False
    inside = r.lower[first:end]
    return not {'"', "''", "``", ":", "(", ")", "“", "”", ";", "*", "-", "/"} & set(inside) and not (
        r.silent.intersection(range(first, end))
    )


def no_finite_verb(r: RuleContext, words: list[int], first: int, end: int) -> bool:
    tags = set(r.tags[first:end])
    if tags & (FINITE | {"VB"}) or {r.lower[i] for i in words} & {"yes", "no", "thank", "thanks", "dear", "sincerely"}:
        return False
    if any(verb_in_disguise(r, i) for i in words[1:]):
        return False
    return r.lower[words[0]] not in ("how", "what", "why", "who", "where", "not", "so", "dear") and bool(
        tags & {"VBG", "IN", "TO", "VBN"}
    )


def verb_in_disguise(r: RuleContext, i: int) -> bool:
    """What may be a finite verb though its tag says noun: in the form of a verb after a noun, or a fused `It`s`."""
    if "`" in r.lower[i] or "'" in r.lower[i][1:]:
        return True
    if r.tags[i - 1] == "NNS" and r.tags[i] == "NN" and verb_forms().is_form(r.lower[i], BASE):
        return True
    noun_before = r.tags[i - 1] in ("NN", "NNS", "NNP", "PRP", "FW", "JJ")
    table = verb_forms()
    return (
        noun_before
        and r.tags[i] in ("NNS", "NN", "VBN", "JJ", "IN")
        and ((r.tags[i] == "NNS" and table.is_form(r.lower[i], THIRD)) or table.is_form(r.lower[i], PAST))
    )


def only_subordinate(r: RuleContext, first: int, end: int) -> bool:
    """Begins with a subordinator whose clause is the whole sentence."""
    if r.lower[first] not in SUBORDINATORS and not (r.lower[first] == "which" and r.tags[first] == "WDT"):
        return False
    if (
        r.deps[first] not in ("mark", "advmod", "nsubj")
        or end - first > 14
        or "," in r.lower[first:end]
        or "then" in r.lower[first:end]
    ):
        return False
    subjects = sum(r.deps[i] in ("nsubj", "nsubjpass", "expl") and r.tags[i] != "WDT" for i in range(first, end))
    finite = sum(r.tags[i] in FINITE | {"VB"} for i in range(first, end))
    head = r.heads[first]
    return finite == 1 and subjects <= 1 and r.deps[head] == "ROOT" and r.tags[end - 2] not in ("IN",)


def run_on(r: RuleContext) -> Iterator[Mark]:
    """Two sentences with nothing between them, two joined by a bare comma, or a chain of many clauses."""
    yield from fused_sentences(r)
    yield from comma_splices(r)
    yield from chains(r)


def fused_sentences(r: RuleContext) -> Iterator[Mark]:
    """The parser begins a new sentence where the writer put no stop."""
    for s in range(1, len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        last = first - 1
        if r.text.sentence_paragraph[s] != r.text.sentence_paragraph[s - 1] or not r.lower[last][-1].isalnum():
            continue
        if not independent(r, r.bounds[s - 1], first) or not independent(r, first, end):
            continue
        if (
            not r.lower[first][0].isalnum()
            or not r.lower[last][0].isalnum()
            or r.lower[first] in ("n", "yes", "no")
            or r.starts[first] == r.ends[last]
        ):
            continue
        if r.silent & {first, last} or r.lower[first] in ("and", "but", "or", "so", "because", "that", "which", "if"):
            continue
        yield Mark("run_on", last, first)


def independent(r: RuleContext, first: int, end: int) -> bool:
    """A clause with a subject and a finite verb, at least four words, not opened by a subordinator."""
    if end - first < 4 or r.lower[first] in SUBORDINATORS or r.tags[first] in ("WDT", "WP", "WRB"):
        return False
    has_subject = any(r.deps[i] in ("nsubj", "nsubjpass", "expl") for i in range(first, end))
    return has_subject and any(r.tags[i] in FINITE for i in range(first, end))


def comma_splices(r: RuleContext) -> Iterator[Mark]:
    """A comma followed by a pronoun or `this` that is the subject of an independent clause."""
    for i in r.words((",",)):
        j = i + 1
        first, end = r.sentence(i)
        if not first + 3 < i < end - 3 or r.lower[j] not in SPLICE_SUBJECTS:
            continue
        verb = r.heads[j]
        if r.deps[j] not in ("nsubj", "nsubjpass", "expl") or not 0 < verb - j <= 4 or r.silent & {i - 1, j}:
            continue
        if r.lower[i - 1] in ("but", "and", "so", "or", "because", "however", "therefore", "then") or opening_phrase(
            r, i
        ):
            continue
        left = range(first, i)
        if r.deps[verb] not in ("ROOT", "ccomp", "conj", "parataxis") or not clause_before(r, left, verb):
            continue
        if subordinate_before(r, left) or quoted(r, first, end) or later_coordination(r, verb, i):
            continue
        yield Mark("run_on", i - 1, j, f"{r.text.words[i - 1]}. {r.text.words[j].capitalize()}")


def opening_phrase(r: RuleContext, comma: int) -> bool:
    """Whether the comma closes `but in reality,` or follows a semicolon: no splice."""
    if ";" in r.lower[comma - 3 : comma]:
        return True
    return r.tags[comma - 2] == "IN" and r.lower[comma - 3] in (
        "but",
        "and",
        "because",
        "that",
        "so",
        ",",
        "then",
        "if",
    )


SPLICE_SUBJECTS = frozenset(["it", "they", "he", "she", "we", "i", "you", "this", "there", "that"])


def clause_before(r: RuleContext, left: range, verb: int) -> bool:
    """An independent clause directly before the comma: subject, finite verb, and a root or its complement there."""
    finite = [k for k in left if r.tags[k] in FINITE]
    subjects = [k for k in left if r.deps[k] in ("nsubj", "nsubjpass", "expl")]
    if not finite or not subjects or r.tags[left[0]] in ("VB", "WP", "WRB", "WDT"):
        return False
    head = r.heads[verb]
    joined = (
        head
        if r.deps[verb] != "ROOT"
        else next((c for c in r.children[verb] if c in left and r.tags[c] in VERBS), None)
    )
    return joined is not None and joined in left and r.lower[joined] not in SAYING


VERBS = frozenset(["VBZ", "VBP", "VBD", "VB", "VBN", "VBG"])


def subordinate_before(r: RuleContext, left: range) -> bool:
    """The words left of the comma are, or hold, an introductory clause or an opening that a comma rightly closes."""
    opening = {
        r.lower[k] for k in left if r.tags[k] in ("IN", "WRB", "WDT", "WP") and r.deps[k] in ("mark", "advmod", "prep")
    }
    return bool(
        opening & (SUBORDINATORS | {"as", "after", "before", "whenever", "once", "wherever", "so", "like"})
    ) or (r.lower[left[0]] in ("if", "when", "the", "for") and r.lower[left[0]] in SUBORDINATORS)


def quoted(r: RuleContext, first: int, end: int) -> bool:
    return bool({'"', "''", "``", "“", "”", "?", "not"} & set(r.lower[first:end])) and bool(
        {'"', "''", "``", "“", "”", "?"} & set(r.lower[first:end])
    )


def later_coordination(r: RuleContext, verb: int, comma: int) -> bool:
    """`A, B, and C`: a list of clauses, where the bare comma is right."""
    return any(r.deps[c] == "cc" and c > comma for c in r.children[verb])


def chains(r: RuleContext) -> Iterator[Mark]:
    """One sentence of very many clauses."""
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        if end - first <= RUN_ON_WORDS:
            continue
        finite = sum(r.tags[i] in FINITE for i in range(first, end))
        stops = sum(r.lower[i] in (",", ";", ":") for i in range(first, end))
        if finite >= RUN_ON_VERBS and stops * 20 < end - first:
            yield Mark("run_on", first, end - 1)


GARBLED = ((4, 1.45), (3, 1.55), (2, 1.75), (1, 2.0))
"""Errors of grammar or usage in a sentence -> the surprise from which on it counts as garbled."""

PROOFREAD_ERRORS, SHORTEST_GARBLED, LONGEST_GARBLED = 4, 8, 60


def garbled_or_careless(r: RuleContext, categories: Sequence[Sequence[str]]) -> Iterator[Mark]:
    """Sentences in an unlikely order of words with errors of grammar or usage; sentences with four errors of any kind.

    `categories` holds, for each sentence, the category of every error found in it.
    """
    for s, surprise in enumerate(sentence_surprise(r, {s for s, found in enumerate(categories) if found})):
        found = categories[s]
        structural = sum(category in ("grammar", "usage") for category in found)
        first, end = r.bounds[s], r.bounds[s + 1]
        unlikely = any(structural >= errors and surprise >= least for errors, least in GARBLED)
        if unlikely and SHORTEST_GARBLED <= end - first <= LONGEST_GARBLED:
            yield Mark("garbled", first, end - 1)
        if len(found) >= PROOFREAD_ERRORS and 12 * len(found) >= end - first:
            yield Mark("proofread", first, end - 1)
