"""Sentences as wholes: fragments, run-on and garbled sentences, sentences to proofread; and remarks on style."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from assay.essays.errors.lexicon import BASE, PAST, THIRD, pairs, trigram_model, verb_forms, word_class, word_set, words
from assay.essays.errors.reading import FINITE, Mark, RuleContext
from assay.essays.text.text import word_list

SUBORDINATORS = word_set("because although though since if when while unless whereas until")
INTRODUCING = SUBORDINATORS | word_set("as after before whenever once wherever so like")
SAYING = word_class("sentences saying")
SUBJECT = frozenset(["nsubj", "nsubjpass", "expl"])
QUOTES = word_set("\" '' `` “ ”")
UNPLAIN = QUOTES | word_set(": ( ) ; * - /")
LONGEST_FRAGMENT = 25
RUN_ON_WORDS, RUN_ON_VERBS = 55, 9


def fragment(r: RuleContext) -> Iterator[Mark]:
    """A sentence without a finite verb, or one that is only a subordinate clause.

    Only one that begins after a stop and ends in one, outside of headings, lists, quotations and dialogue.
    """
    for first, end in pairwise(r.bounds):
        if r.lower[end - 1] != "." or not r.text.words[first][:1].isupper():
            continue
        if first > 0 and r.lower[first - 1] not in (".", "!", "?", "...", "…"):
            continue
        if r.word(end) == "." or r.word(first - 2) == "." or r.lower[first] in ("hence", "thus", "so"):
            continue  # left out by whoever quotes: `. . .`; `Hence the name.`
        if not UNPLAIN.isdisjoint(r.lower[first:end]) or not r.silent.isdisjoint(range(first, end)):
            continue
        tokens = [i for i in range(first, end) if r.lower[i][0].isalnum()]
        added = r.lower[first : first + 2] in (
            ["not", "even"],
            ["such", "as"],
            ["for", "example"],
            ["especially", "the"],
        )
        if added and 3 <= len(tokens) <= LONGEST_FRAGMENT and FINITE.isdisjoint(r.tags[first:end]):
            yield Mark("fragment", tokens[0], tokens[-1])
            continue
        if not 4 <= len(tokens) <= LONGEST_FRAGMENT:
            continue
        begins = r.lower[first] in SUBORDINATORS or (r.lower[first] == "which" and r.tags[first] == "WDT")
        if begins and r.deps[first] in ("mark", "advmod", "nsubj"):  # its clause may be the whole sentence
            short = end - first <= 14 and not {",", "then"} & set(r.lower[first:end])
            subjects = sum(r.deps[i] in SUBJECT and r.tags[i] != "WDT" for i in range(first, end))
            verbs = sum(tag in FINITE or tag == "VB" for tag in r.tags[first:end])
            alone = r.deps[r.heads[first]] == "ROOT" and r.tags[end - 2] != "IN"
            if short and verbs == 1 and subjects <= 1 and alone:
                yield Mark("fragment", tokens[0], tokens[-1])
                continue
        if lacks_finite_verb(r, tokens):
            yield Mark("fragment", tokens[0], tokens[-1])


def lacks_finite_verb(r: RuleContext, tokens: Sequence[int]) -> bool:
    """Whether no tag says finite verb, and no noun may be one: in the form of a verb after a noun, a fused `It`s`."""
    first, end = r.sentence(tokens[0])
    tags, spoken, table = set(r.tags[first:end]), {r.lower[i] for i in tokens}, verb_forms()
    if tags & (FINITE | {"VB"}) or not tags & {"VBG", "IN", "TO", "VBN"}:
        return False
    if spoken & {"yes", "no", "thank", "thanks", "dear", "sincerely"}:
        return False
    for i in tokens[1:]:
        word, tag, before = r.lower[i], r.tags[i], r.tags[i - 1]
        if "`" in word or "'" in word[1:] or (before == "NNS" and tag == "NN" and table.is_form(word, BASE)):
            return False
        may_follow = before in ("NN", "NNS", "NNP", "PRP", "FW", "JJ") and tag in ("NNS", "NN", "VBN", "JJ", "IN")
        if may_follow and (table.is_form(word, PAST) or (tag == "NNS" and table.is_form(word, THIRD))):
            return False
    return r.lower[tokens[0]] not in ("how", "what", "why", "who", "where", "not", "so", "dear")


def fused_sentences(r: RuleContext) -> Iterator[Mark]:
    """The parser begins a new sentence where the writer put no stop; or one sentence of very many clauses."""
    for s, (first, end) in enumerate(pairwise(r.bounds)):
        if end - first > RUN_ON_WORDS:
            finite = sum(tag in FINITE for tag in r.tags[first:end])
            stops = sum(word in (",", ";", ":") for word in r.lower[first:end])
            if finite >= RUN_ON_VERBS and stops * 20 < end - first:
                yield Mark("run_on", first, end - 1)
        last = first - 1
        if not s or r.text.sentence_paragraph[s] != r.text.sentence_paragraph[s - 1] or r.silent & {first, last}:
            continue
        if not (r.lower[last][-1].isalnum() and r.lower[first][0].isalnum() and r.lower[last][0].isalnum()):
            continue
        if not is_independent(r, r.bounds[s - 1], first) or not is_independent(r, first, end):
            continue
        ends = r.tags[last] in ENDS_CLAUSE and r.tags[first] in BEGINS_CLAUSE
        if ends and r.lower[first] not in JOINING and r.starts[first] != r.ends[last]:
            yield Mark("run_on", last, first, None, UNSURE)


UNSURE = 0.75
"""Confidence of what only the parser says."""
ENDS_CLAUSE = frozenset(["NN", "NNS", "NNP", "NNPS", "JJ", "RB", "PRP", "CD", "RP", "VBN"])
BEGINS_CLAUSE = frozenset(["PRP", "DT", "EX", "NNS", "NN", "NNP", "PRP$", "RB"])
JOINING = word_set("and but or so because that which if n yes no")


def is_independent(r: RuleContext, first: int, end: int) -> bool:
    """A clause with a subject and a finite verb, at least four words, not opened by a subordinator."""
    if end - first < 4 or r.lower[first] in SUBORDINATORS or r.tags[first] in ("WDT", "WP", "WRB"):
        return False
    return not SUBJECT.isdisjoint(r.deps[first:end]) and not FINITE.isdisjoint(r.tags[first:end])


OPENING = INTRODUCING | {"instead", "whether", "to", "for", "in", "by", "with"}
WHATEVER = word_set("matter whatever however whenever wherever whoever whichever regardless how")
SPLICE_SUBJECTS = word_set("it they he she we i you this there that")
BEFORE_COMMA = word_set("but and so or because however therefore then")
NOT_ONLY = 40
"""Words before a comma in which `not only` is sought."""
BEFORE_OPENING = word_set("but and because that so , then if")


def comma_splices(r: RuleContext) -> Iterator[Mark]:
    """A comma followed by a pronoun or `this` that is the subject of an independent clause."""
    for i in r.words((",",)):
        j = i + 1
        first, end = r.sentence(i)
        if not first + 3 < i < end - 3 or r.lower[j] not in SPLICE_SUBJECTS:
            continue
        verb = r.heads[j]
        if r.deps[j] not in SUBJECT or not 0 < verb - j <= 4 or r.silent & {i - 1, j}:
            continue
        if r.lower[i - 1] in BEFORE_COMMA or ";" in r.lower[i - 3 : i] or not r.lower[i - 1].isalnum():
            continue
        if (
            "not only" in " ".join(r.lower[max(first, i - NOT_ONLY) : i])
            or r.lower[i - 1] in SAYING
            or r.lower[i - 2] in BEFORE_COMMA
        ):
            continue  # `not only is it false, it is ...`; `without it, they argue, it is ...`
        if r.word(verb) in SAYING and r.word(verb + 1) in (",", "."):
            continue  # `..., they argued.`
        if r.tags[i - 2] == "IN" and r.lower[i - 3] in BEFORE_OPENING:
            continue  # the comma closes `but in reality,`
        main = r.deps[verb] in ("ROOT", "ccomp", "conj", "parataxis")
        if not main or not has_clause_before(r, range(first, i), verb):
            continue
        if {"?", *QUOTES} & set(r.lower[first:end]) or any(r.deps[c] == "cc" and c > i for c in r.children[verb]):
            continue  # speech; `A, B, and C`: a list of clauses, where the bare comma is right
        yield Mark("run_on", i - 1, j, f"{r.text.words[i - 1]}. {r.text.words[j].capitalize()}")


def has_clause_before(r: RuleContext, left: range, verb: int) -> bool:
    """An independent clause directly before the comma: subject, finite verb, and a root or its complement there.

    Not where an introductory clause or opening stands there that a comma rightly closes.
    """
    deps, tags = r.deps[left.start : left.stop], r.tags[left.start : left.stop]
    if FINITE.isdisjoint(tags) or SUBJECT.isdisjoint(deps) or tags[0] in ("VB", "WP", "WRB", "WDT", "TO", "VBG"):
        return False
    verbs = (c for c in r.children[verb] if c in left and r.tags[c] in ("VBZ", "VBP", "VBD", "VB", "VBN", "VBG"))
    joined = next(verbs, None) if r.deps[verb] == "ROOT" else r.heads[verb]
    if joined is None or joined not in left or r.lower[joined] in SAYING or r.lower[left[0]] in OPENING:
        return False
    if not WHATEVER.isdisjoint(r.lower[left.start : left.stop]):
        return False  # `no matter how long it took, I would`
    introducing = [k for k in left if r.lower[k] in INTRODUCING and r.deps[k] in ("mark", "advmod", "prep")]
    return not any(r.tags[k] in ("IN", "WRB", "WDT", "WP") for k in introducing)


GARBLED = ((4, 1.45), (3, 1.55), (2, 1.75), (1, 2.0))
"""Errors of grammar or usage in a sentence -> the surprise from which on it counts as garbled."""
PROOFREAD_ERRORS, SHORTEST_GARBLED, LONGEST_GARBLED = 4, 8, 60


def garbled_or_careless(r: RuleContext, categories: Sequence[Sequence[str]]) -> Iterator[Mark]:
    """Sentences in an unlikely order of words with errors of grammar or usage; sentences with four errors of any kind.

    `categories` holds, for each sentence, the category of every error found in it.
    """
    model = trigram_model()
    for (first, end), errors in zip(pairwise(r.bounds), categories, strict=True):
        structural = sum(category in ("grammar", "usage") for category in errors)
        if structural and SHORTEST_GARBLED <= end - first <= LONGEST_GARBLED:
            surprise = model.surprise(r.lower[first:end], r.tags[first:end])
            if any(structural >= least and surprise >= limit for least, limit in GARBLED):
                yield Mark("garbled", first, end - 1)
        if len(errors) >= PROOFREAD_ERRORS and 12 * len(errors) >= end - first:
            yield Mark("proofread", first, end - 1)


REPEATED_SHARE, REPEATED_USES, MOST_REPEATED = 0.015, 3, 3
CLOSE, LEAST_TEXT, PARTS, LEAST_TOPICAL = 40, 20, 5, 100
SHORT, SHORT_ALLOWED = 7, 4
LONG, VERY_LONG = 45, 60
LEAST_STARTS, MOST_SHOWN = 3, 3
LEAST_PASSIVES, PASSIVE_SHARE = 3, 0.33


def repetition(r: RuleContext) -> Iterator[Mark]:
    """One remark, at its third use, for each of at most three words that come back often and close to each other.

    Not for words of grammar, names, parts of a word (`do` and `nt`), or what the essay is about: a word used all
    through the text is its topic, and no writer can do without it.
    """
    total = sum(word[0].isalnum() for word in r.lower)
    of_grammar = words("common_words.txt") | word_list("function_words")
    if total < LEAST_TEXT:
        return
    repeated: list[tuple[int, int]] = []
    for word, uses in r.by_word.items():
        often = len(uses) >= REPEATED_USES and len(uses) >= REPEATED_SHARE * total
        if not often or not word.isalpha() or len(word) < 3 or word in of_grammar or is_topic(r, uses):
            continue
        is_name = 2 * sum(r.tags[i].startswith("NNP") for i in uses) > len(uses)
        closest = min((c - a, c) for a, c in zip(uses, uses[REPEATED_USES - 1 :], strict=False))
        if closest[0] <= CLOSE and closest[1] not in r.silent and not is_name and is_whole_word(r, closest[1]):
            repeated.append((-len(uses), closest[1]))
    yield from (Mark("repetition", i, i) for _, i in sorted(repeated)[:MOST_REPEATED])


def is_topic(r: RuleContext, uses: Sequence[int]) -> bool:
    """Whether a word is used in at least four of five parts of a text, of equal length."""
    return len(r.lower) >= LEAST_TOPICAL and len({PARTS * i // len(r.lower) for i in uses}) >= PARTS - 1


def is_whole_word(r: RuleContext, i: int) -> bool:
    """Whether no letter touches the token: not `nt` in `dont`."""
    touches = (i > 0 and r.ends[i - 1] == r.starts[i] and r.lower[i - 1][-1].isalnum()) or (
        i + 1 < len(r.lower) and r.starts[i + 1] == r.ends[i] and r.lower[i + 1][0].isalnum()
    )
    return not touches


def style_remarks(r: RuleContext) -> Iterator[Mark]:
    """Informal words, sentences that begin with a conjunction, short and long sentences, passive verbs.

    Words of talk go by table. Openings (and, but, or, so) are remarked on where they are three or more and a tenth of
    all sentences, short sentences where there are more than four, passive verbs where they are a third of all finite
    ones, sentences of more than 45 words where they are a tenth of all, or of more than 60; of each the
    first three, since a writer needs no more to see it.
    """
    table = pairs("informal.tsv")
    for i in r.words(table):
        if not r.tags[i].startswith("NNP"):
            yield Mark("informal", i, i, table[r.lower[i]] or None)
    starts = list(conjunction_starts(r))
    if len(starts) >= LEAST_STARTS and len(starts) * 10 >= len(r.bounds) - 1:
        yield from (Mark("conjunction_start", i, i) for i in starts[:MOST_SHOWN])
    lengths = [sum(word[0].isalnum() for word in r.lower[first:end]) for first, end in pairwise(r.bounds)]
    short = [
        Mark("short_sentences", first, end - 1)
        for (first, end), count in zip(pairwise(r.bounds), lengths, strict=True)
        if 2 <= count < SHORT and r.lower[end - 1] in (".", "!", "?")
    ]
    yield from short[SHORT_ALLOWED : SHORT_ALLOWED + MOST_SHOWN]
    long = [
        (first, end, count) for (first, end), count in zip(pairwise(r.bounds), lengths, strict=True) if count > LONG
    ]
    often = len(long) * 10 >= len(r.bounds) - 1
    shown = [(first, end) for first, end, count in long if often or count > VERY_LONG]
    yield from (Mark("long_sentences", first, end - 1) for first, end in shown[:MOST_SHOWN])
    verbs = [(i, r.heads[i]) for i in r.by_dep.get("auxpass", ())]
    marks = [Mark("passive", i, v) for i, v in verbs if 0 < v - i <= 3 and r.tags[v] == "VBN"]
    finite = sum(len(r.by_tag.get(tag, ())) for tag in FINITE)
    if len(marks) >= LEAST_PASSIVES and len(marks) >= PASSIVE_SHARE * finite:
        yield from marks[:MOST_SHOWN]


def conjunction_starts(r: RuleContext) -> Iterator[int]:
    """The first word of each sentence that begins with and, but, or, so."""
    for i in r.bounds[:-1]:
        if r.lower[i] in ("and", "but", "or", "so") and r.text.words[i][:1].isupper():
            yield i
