"""Commas that are missing: after an introductory word or clause, and between two independent clauses."""

from collections.abc import Iterator

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import rows, word_class
from assay.essays.errors.reading import RuleContext

FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])
OPENERS = word_class("commas openers")
SUBJECT_WORDS = frozenset(["i", "you", "he", "she", "it", "we", "they", "this", "these", "there"])
JOINING = frozenset(["and", "but", "so", "or"])
SUBJECT = frozenset(["nsubj", "nsubjpass", "expl"])


def comma(r: RuleContext) -> Iterator[Mark]:
    yield from after_opening_words(r)
    yield from after_opening_clause(r)
    yield from after_opening_phrase(r)
    yield from between_clauses(r)
    yield from before_that(r)
    yield from before_which(r)
    yield from around_however(r)
    yield from before_but(r)


def gap(r: RuleContext, before: int) -> Mark:
    """A mark over the two tokens between which the comma is missing."""
    return Mark("comma", before, before + 1, f"{r.text.words[before]}, {r.text.words[before + 1]}")


def opening_phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """First word -> phrases that begin with it, and what may follow: `subject` or anything."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, follows in rows("opening_phrases.tsv"):
        parts = tuple(phrase.split(" "))
        found.setdefault(parts[0], []).append((parts, follows))
    return found


def after_opening_words(r: RuleContext) -> Iterator[Mark]:
    """`However it`, `For example they`: a listed phrase at the start of a sentence, then a subject."""
    table = opening_phrases()
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        start = first + 1 if r.lower[first] in ("and", "but", "so", "because") else first
        for phrase, follows in table.get(r.word(start), ()):
            last = start + len(phrase) - 1
            if last + 3 >= end or tuple(r.lower[start : last + 1]) != phrase:
                continue
            if begins_clause(r, last + 1, end, follows):
                yield gap(r, last)
                break


def begins_clause(r: RuleContext, i: int, end: int, follows: str) -> bool:
    """Whether a clause with its own subject begins at i."""
    if r.silent & {i - 1, i} or r.lower[i] == ",":
        return False
    if r.lower[i] in SUBJECT_WORDS:
        return r.deps[i] in SUBJECT or r.tags[i] in ("DT", "PRP", "EX")
    if r.tags[i] in ("DT", "PRP$", "NNS", "NNP") or (
        follows == "any" and r.tags[i] in ("JJ", "NN", "IN", "WRB", "VBG", "CD")
    ):
        return any(r.deps[k] in SUBJECT for k in range(i, min(end, i + 6)))
    return False


def after_opening_clause(r: RuleContext) -> Iterator[Mark]:
    """`When I came home she was gone`: the clause opens the sentence and the main subject follows without a comma."""
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        start = first + 1 if r.lower[first] in ("and", "but", "so", "also") else first
        if r.word(start) not in OPENERS or end - start < 7:
            continue
        if (i := main_subject(r, start, end)) is not None:
            yield gap(r, i - 1)


def main_subject(r: RuleContext, start: int, end: int) -> int | None:
    """Where the main clause begins: the first word of the root's subject, if the opener is below another verb."""
    root = next((k for k in range(start, end) if r.deps[k] == "ROOT"), None)
    opener = r.heads[start]
    if root is None or opener == root or r.deps[opener] != "advcl" or r.heads[opener] != root or opener > root:
        return None
    subject = next((c for c in r.children[root] if r.deps[c] in SUBJECT and c > opener), None)
    if subject is None:
        return None
    i = min([subject, *(c for c in r.children[subject] if r.deps[c] in ("det", "poss", "amod", "compound", "nummod"))])
    between = range(start, i)
    if (
        any(r.lower[k] in (",", ";", ":", "-", "--", "then", "and", "or") for k in range(opener + 1, i))
        or i - start < 3
    ):
        return None
    if not any(r.deps[k] in SUBJECT and r.heads[k] == opener for k in between) or r.lower[i - 1] == ",":
        return None
    return (
        i
        if r.tags[i - 1] not in ("IN", "CC", "DT", "TO", "MD", "RB", "WRB", ",", "WDT", "WP")
        and not r.silent & {i, i - 1}
        else None
    )


def between_clauses(r: RuleContext) -> Iterator[Mark]:
    """`... and they ...`: two main clauses with their own subjects and some length, joined without a comma."""
    for i in r.words(JOINING):
        first, end = r.sentence(i)
        if (
            r.tags[i] != "CC"
            or i - first < 5
            or end - i < 5
            or not r.lower[i - 1][-1].isalnum()
            or r.silent & {i, i - 1}
        ):
            continue
        verb = joined_verb(r, i)
        if verb is not None and joins_roots(r, first, i, verb):
            yield gap(r, i - 1)


def joined_verb(r: RuleContext, i: int) -> int | None:
    """The verb of a clause that begins with its subject right after the conjunction at i."""
    head = r.heads[i]
    for verb in (c for c in r.children[head] if r.deps[c] == "conj" and c > i):
        subject = next((c for c in r.children[verb] if r.deps[c] in SUBJECT), None)
        if subject is not None and i < subject < verb and min([subject, *r.children[subject]]) == i + 1:
            return verb
    return None


def joins_roots(r: RuleContext, first: int, i: int, verb: int) -> bool:
    """Whether both clauses are main clauses; before `and` and `or` a pronoun must follow and the first be long."""
    head = r.heads[verb]
    subject = next((c for c in r.children[head] if r.deps[c] in SUBJECT), None)
    if r.deps[head] != "ROOT" or subject is None or r.lower[first] in OPENERS:
        return False
    if any(r.lower[k] in (",", ";", ":", '"') for k in range(head, i)) or not finite(r, verb) or not finite(r, head):
        return False
    return r.lower[i] == "but" or (i - subject >= 7 and r.lower[i + 1] in SUBJECT_WORDS)


def finite(r: RuleContext, verb: int) -> bool:
    return r.tags[verb] in FINITE or any(r.tags[c] in FINITE for c in r.children[verb] if r.deps[c].startswith("aux"))


def after_opening_phrase(r: RuleContext) -> Iterator[Mark]:
    """`In the modern world of today people ...`: four or more words that open with a preposition, then the subject."""
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        if r.tags[first] != "IN" or r.deps[first] != "prep" or end - first < 9:
            continue
        root = r.heads[first]
        subject = next((c for c in r.children[root] if r.deps[c] in SUBJECT), None)
        if r.deps[root] != "ROOT" or subject is None or subject > root:
            continue
        i = min([subject, *r.children[subject]])
        if i - first < LONG_PHRASE or r.lower[i] not in SUBJECT_WORDS | {"the", "my", "people", "many", "some", "a"}:
            continue
        if r.tags[i - 1] in ("NN", "NNS", "NNP", "CD") and "," not in r.lower[first:i] and not r.silent & {i, i - 1}:
            yield gap(r, i - 1)


LONG_PHRASE = 3


THINKING = word_class("commas thinking")


def before_that(r: RuleContext) -> Iterator[Mark]:
    """`I believe, that`: no comma belongs between the verb and its clause."""
    for i in r.words((",",)):
        if r.word(i - 1) in THINKING and r.word(i + 1) == "that" and r.tags[i + 1] == "IN" and r.word(i + 2) != ",":
            yield Mark("comma", i - 1, i + 1, f"{r.text.words[i - 1]} that")


def before_which(r: RuleContext) -> Iterator[Mark]:
    """`..., which means that`: a clause that comments on the whole statement before it."""
    for i in r.words(("which",)):
        first, _ = r.sentence(i)
        if (
            i - first < 4
            or r.word(i + 1) not in ("means", "meant", "is why", "makes", "made")
            or not r.lower[i - 1].isalpha()
        ):
            continue
        if r.tags[i - 1] not in ("IN", "TO", "CC", "VB", "VBP", "VBZ", "VBD", "RB", "DT") and not r.silent & {i, i - 1}:
            yield gap(r, i - 1)


def around_however(r: RuleContext) -> Iterator[Mark]:
    """`they however stayed`: no comma on either side; `however hard it is` needs none."""
    for i in r.words(("however",)):
        first, end = r.sentence(i)
        inside = first + 1 < i < end - 2 and r.lower[i - 1].isalpha() and r.tags[i - 1] not in ("IN", "CC", "TO", "DT")
        if inside and r.tags[i + 1] in (*FINITE, "PRP", "DT", "EX"):
            yield gap(r, i - 1)


def before_but(r: RuleContext) -> Iterator[Mark]:
    """`... but he ...`: a finite verb before, a pronoun and its finite verb after, at least five words to the left."""
    for i in r.words(("but",)):
        first, end = r.sentence(i)
        if r.tags[i] != "CC" or i - first < 5 or end - i < 5 or not r.lower[i - 1].isalpha() or r.silent & {i, i - 1}:
            continue
        clause = r.lower[i + 1] in SUBJECT_WORDS and any(r.tags[k] in FINITE for k in (i + 2, i + 3))
        if clause and any(r.tags[k] in FINITE for k in range(first, i)) and "," not in r.lower[max(first, i - 6) : i]:
            yield gap(r, i - 1)
