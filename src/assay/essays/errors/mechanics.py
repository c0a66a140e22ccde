"""Capitals, end marks, apostrophes, hyphens, commas; fused, split and doubled words."""

from collections.abc import Iterator
from itertools import pairwise

from assay.essays.errors.lexicon import pairs, rows, word_class, word_set, words
from assay.essays.errors.reading import FINITE, Mark, RuleContext

STOPS = frozenset([".", "!", "?"])
CLOSING = word_set("\" '' ” ’ ' ) ] *")
AUXILIARIES = word_class("marks auxiliaries")
ASKED = word_set("i you he she it we they this that there people students anyone")
ABBREVIATED = word_set("etc ex vs mr mrs dr st e.g i.e u.s a.m p.m . cit op ibid vol no fig pp eds macos")
DOUBLES_ALLOWED = word_class("marks doubles allowed")
ALWAYS_DOUBLE_ERROR = word_class("marks always double error")
TENS = word_set("twenty thirty forty fifty sixty seventy eighty ninety")
UNITS = word_set("one two three four five six seven eight nine")


def capitals(r: RuleContext) -> Iterator[Mark]:
    """A sentence that begins in lower case after a stop, or at the start of a paragraph; names and `I` in lower case.

    Names are days, months, languages and nations.
    """
    for s, (i, end) in enumerate(pairwise(r.bounds)):
        written = r.text.words[i]
        if not written[:1].islower() or i in r.silent or not written.isalpha():
            continue
        if r.lower[i] in ("e", "i", "http", "www", "iphone", "ipad") or (s > 0 and r.lower[i - 1] not in STOPS):
            continue
        if s > 0 and r.text.sentence_paragraph[s] != r.text.sentence_paragraph[s - 1]:
            begins = end - i >= 4
        else:  # a full stop that belongs to an abbreviation, an initial or a row of stops ends no sentence
            before, stop = r.word(i - 2), i - 1
            apart = r.word(stop) == "." and r.ends[stop - 1] != r.starts[stop]
            asks = r.word(stop) == "?" and r.lower[i] in ("which", "that", "who")
            begins = s == 0 or not (
                len(before) <= 1 or before in ABBREVIATED or apart or r.lower[i] in ABBREVIATED or asks
            )
        if begins:
            yield Mark("initial_capital", i, i, written.capitalize())
    for i in r.words(words("proper_nouns.txt")):
        if r.text.words[i].islower() and i not in r.silent and "-" not in (r.word(i - 1), r.word(i + 1)):
            yield Mark("proper_capital", i, i, r.text.words[i].capitalize())
    for i in r.words(("i",)):
        pronoun = r.text.words[i] == "i" and r.tags[i] in ("PRP", "NN", "NNP", "FW", "LS", "CD", "UH")
        if pronoun and r.word(i + 1) not in (".", ")", "-") and r.word(i - 1) != "-":
            yield Mark("proper_capital", i, i, "I")


def question_mark(r: RuleContext) -> Iterator[Mark]:
    """A question by its word order that ends in a full stop.

    Auxiliary and subject at the start, perhaps after a question word; no inverted condition (`should you need`).
    `What I like is ...` and `How do you do that is simple` hold a second finite verb outside of the question.
    """
    for first, end in pairwise(r.bounds):
        if r.lower[end - 1] != "." or not 4 <= end - first <= 30 or not r.silent.isdisjoint(range(first, end)):
            continue
        i = first + 1 if r.lower[first] in ("so", "and", "but", "well") else first
        if '"' in r.lower[first:end] or "?" in r.lower[first:end] or "," in r.lower[i:end]:
            continue
        word, after, subject = r.word(i), r.word(i + 1), r.word(i + 2)
        if word in AUXILIARIES - {"may", "should", "had", "have", "has"}:
            asks = after in ASKED - {"that"} and r.tag(i + 2) not in (",", ".")
        elif word in ("where", "who"):
            asks = after in AUXILIARIES and subject in ASKED
        else:
            asks = word in ("what", "why", "how", "whose") and after in AUXILIARIES
            asks = asks and subject in ASKED | {"the", "my", "your"} and r.deps[r.heads[i]] == "ROOT"
            asks = asks and sum(tag in FINITE for tag in r.tags[i:end]) <= 2
        if asks:
            yield Mark("question_mark", end - 2, end - 1, f"{r.text.words[end - 2]}?")


def final_punctuation(r: RuleContext) -> Iterator[Mark]:
    """A paragraph of prose that ends without a stop."""
    last = len(r.bounds) - 2
    for s, (first, end) in enumerate(pairwise(r.bounds)):
        at_end = s == last or r.text.sentence_paragraph[s + 1] != r.text.sentence_paragraph[s]
        i = end - 1
        while i > first and r.lower[i] in CLOSING:
            i -= 1
        if not at_end or r.lower[i][-1:] in ".!?:;…," or end - first < 6 or i in r.silent or not r.lower[i].isalpha():
            continue
        if r.tags[i] in ("IN", "DT", "PRP$", "TO", "CC", "WRB") or (s < last and not r.text.words[end][:1].isupper()):
            continue  # the line was broken within a sentence
        lower_case = sum(word[:1].islower() for word in r.text.words[first:end]) * 2 > end - first
        if lower_case and not FINITE.isdisjoint(r.tags[first:end]):
            yield Mark("final_punctuation", i, i, f"{r.text.words[i]}.")


def apostrophe(r: RuleContext) -> Iterator[Mark]:
    """Contractions without their apostrophe, by table; those that are also words only where the next tag tells."""
    table, split = pairs("contractions.tsv"), pairs("split_contractions.tsv")
    for i in r.words(table):
        if len(r.lower[i]) == 2 and r.text.words[i].isupper():
            continue  # an abbreviation, as IM
        yield Mark("apostrophe", i, i, with_capital(r.text.words[i], table[r.lower[i]]))
    for i in r.words({key.split(" ")[0] for key in split}):
        pair = f"{r.lower[i]} {r.word(i + 1)}"
        if pair in split and r.ends[i] == r.starts[i + 1] and r.tag(i - 1) != "PRP$":
            yield Mark("apostrophe", i, i + 1, with_capital(r.text.words[i], split[pair]))
    for word, better in {"wont": "won't", "cant": "can't", "ill": "I'll", "lets": "let's"}.items():
        for i in r.words((word,)):
            if word == "wont":
                wrong = r.tag(i - 1) not in ("PRP$", "JJ")
            elif word == "ill":
                wrong = r.tag(i + 1) == "VB" and r.word(i - 1) not in ("be", "an", "is", "very")
            else:
                verb = r.tag(i + 1) == "VB" and r.deps[i] == "ROOT" and r.same_sentence(i, i + 1)
                wrong = word == "cant" or verb
            if wrong:
                yield Mark("apostrophe", i, i, with_capital(r.text.words[i], better))


def with_capital(written: str, better: str) -> str:
    """What is better, with a capital where the written word has one."""
    return better[:1].upper() + better[1:] if written[:1].isupper() else better


def hyphen(r: RuleContext) -> Iterator[Mark]:
    """Compounds that take a hyphen: by table, numbers from twenty-one, ages before a noun, well-known before a noun."""
    table, before_noun = pairs("hyphenated.tsv"), words("hyphen_before_noun.txt")
    for i in r.words({key.split(" ")[0] for key in table}):
        for end in (i + 3, i + 2):
            key = " ".join(r.lower[i:end])
            if key not in table or not r.same_sentence(i, end - 1):
                continue
            follows = r.tag(end) in ("NN", "NNS") and r.same_sentence(i, end)
            if key not in before_noun or (follows and r.word(i - 1) not in ("is", "are", "was", "were")):
                yield Mark("hyphen", i, end - 1, table[key])
                break
    for i in r.words(TENS):
        if r.word(i + 1) in UNITS and r.starts[i + 1] - r.ends[i] == 1:
            yield Mark("hyphen", i, i + 1, f"{r.text.words[i]}-{r.lower[i + 1]}")
    for i in r.words(("year", "years")):
        if r.word(i + 1) != "old" or r.tag(i - 1) != "CD" or not r.same_sentence(i - 1, i + 2):
            continue
        if r.starts[i + 1] - r.ends[i] == 1 and (r.tags[i + 2] == "NN" or r.lower[i + 2] in ("boy", "girl")):
            yield Mark("hyphen", i - 1, i + 1, f"{r.text.words[i - 1]}-year-old")


def word_boundaries(r: RuleContext) -> Iterator[Mark]:
    """Two words written as one and one word written as two, by table.

    Some pairs are rightly two words: `every one of them`, `may be a reason`, `some times of the day`.
    """
    fused, split = pairs("fused.tsv"), pairs("split_words.tsv")
    for i in r.words(fused):
        yield Mark("fused", i, i, with_capital(r.text.words[i], fused[r.lower[i]]))
    for i in r.words(("a",)):
        if r.word(i + 1) == "lot" and r.starts[i + 1] == r.ends[i]:
            yield Mark("fused", i, i + 1, "a lot")
    for i in r.words({key.split(" ")[0] for key in split}):
        pair = f"{r.lower[i]} {r.word(i + 1)}"
        if pair not in split or r.starts[i + 1] - r.ends[i] != 1 or not r.same_sentence(i, i + 1):
            continue
        after, tag = r.word(i + 2), r.tag(i + 2)
        if pair in ("every one", "any one"):
            right = after == "of" or tag in ("NN", "NNS", "JJ", "CD")
        elif pair in ("may be", "some time", "any more"):
            right = r.sentence(i)[0] != i
        elif pair in ("some times", "all ready", "all together"):
            right = after in ("of", "when", "to", "in", "for")
        else:
            right = pair in ("no one", "any way", "every day")
        if not right and after != "-":
            yield Mark("compound", i, i + 1, with_capital(r.text.words[i], split[pair]))


def duplicate(r: RuleContext) -> Iterator[Mark]:
    """The same word twice in a row, but for words that may be (`had had`, `very very`)."""
    for i, (word, after) in enumerate(pairwise(r.lower)):
        if word != after or not word.isalpha() or word == "her" or not r.same_sentence(i, i + 1):
            continue
        always, same_tag = word in ALWAYS_DOUBLE_ERROR, r.tags[i] == r.tags[i + 1]
        if (word in DOUBLES_ALLOWED and not always) or r.silent & {i, i + 1} or r.tags[i].startswith("NNP"):
            continue
        if word in ("is", "it", "in", "on", "you", "do", "as") and not same_tag:
            continue
        written, again = r.text.words[i : i + 2]
        if (again == written or not again[:1].isupper()) and r.starts[i + 1] > r.ends[i] and (always or same_tag):
            yield Mark("duplicate", i, i + 1, written)


OPENERS = word_class("commas openers")
SUBJECT_WORDS = word_set("i you he she it we they this these there")
PHRASE_SUBJECTS = SUBJECT_WORDS | {"the", "my", "people", "many", "some", "a"}
SUBJECT = frozenset(["nsubj", "nsubjpass", "expl"])
THINKING = word_class("commas thinking")
LONG_PHRASE, OPTIONAL = 3, 0.75
"""Words of an opening phrase before a comma; confidence of a comma that editors often leave out."""


def comma_mark(r: RuleContext, before: int, confidence: float | None = None) -> Mark:
    """A mark over the two tokens between which the comma is missing."""
    return Mark("comma", before, before + 1, f"{r.text.words[before]}, {r.text.words[before + 1]}", confidence)


def comma_after_opening_words(r: RuleContext) -> Iterator[Mark]:
    """`However it`, `For example they`: a listed phrase at the start of a sentence, then a clause with its subject."""
    openings = [(phrase.split(" "), follows) for phrase, follows in rows("opening_phrases.tsv")]
    for first, end in pairwise(r.bounds):
        start = first + 1 if r.lower[first] in ("and", "but", "so", "because") else first
        for phrase, follows in openings:
            i = start + len(phrase)
            if i + 2 >= end or r.lower[start:i] != phrase or r.silent & {i - 1, i}:
                continue
            if r.text.words[i][:1].isupper() and r.lower[i] != "i" and r.text.words[i + 1][:1].isupper():
                continue  # `First Round Capital`
            if r.lower[i] == "to" and phrase[-1] == "addition":
                continue
            if r.lower[i] in SUBJECT_WORDS:
                begins = r.deps[i] in SUBJECT or r.tags[i] in ("DT", "PRP", "EX")
            else:
                any_tag = follows == "any" and r.tags[i] in ("JJ", "NN", "IN", "WRB", "VBG", "CD")
                begins = any_tag or r.tags[i] in ("DT", "PRP$", "NNS", "NNP")
                begins = begins and not SUBJECT.isdisjoint(r.deps[i : min(end, i + 6)])
            if begins:
                yield comma_mark(r, i - 1)
                break


def comma_after_opening_clause(r: RuleContext) -> Iterator[Mark]:
    """`When I came home she was gone`: the clause opens the sentence and the main subject follows without a comma."""
    for first, end in pairwise(r.bounds):
        start = first + 1 if r.lower[first] in ("and", "but", "so", "also") else first
        if r.word(start) not in OPENERS or end - start < 7:
            continue
        root = next((k for k in range(start, end) if r.deps[k] == "ROOT"), None)
        opener = r.heads[start]
        if root is None or r.deps[opener] != "advcl" or r.heads[opener] != root or opener >= root:
            continue
        subject = next((c for c in r.children[root] if r.deps[c] in SUBJECT and c > opener), None)
        if subject is None:
            continue
        modifiers = ("det", "poss", "amod", "compound", "nummod")
        i = min([subject, *(c for c in r.children[subject] if r.deps[c] in modifiers)])
        if i - start < 3 or not {",", ";", ":", "-", "--", "then", "and", "or"}.isdisjoint(r.lower[opener + 1 : i]):
            continue
        if not any(r.deps[k] in SUBJECT and r.heads[k] == opener for k in range(start, i)) or r.lower[i - 1] == ",":
            continue
        joins = r.tags[i - 1] in ("IN", "CC", "DT", "TO", "MD", "RB", "WRB", ",", "WDT", "WP")
        if not joins and not r.silent & {i, i - 1} and r.lower[i - 1].isalnum():
            yield comma_mark(r, i - 1)


def comma_after_opening_phrase(r: RuleContext) -> Iterator[Mark]:
    """`In the modern world of today people ...`: four or more words that open with a preposition, then the subject."""
    for first, end in pairwise(r.bounds):
        if r.tags[first] != "IN" or r.deps[first] != "prep" or end - first < 9:
            continue
        root = r.heads[first]
        subject = r.child(root, *SUBJECT)
        if r.deps[root] != "ROOT" or subject is None or subject > root:
            continue
        i = min([subject, *r.children[subject]])
        if i - first < LONG_PHRASE or r.lower[i] not in PHRASE_SUBJECTS or r.silent & {i, i - 1}:
            continue
        if r.tags[i - 1] in ("NN", "NNS", "NNP", "CD") and "," not in r.lower[first:i] and r.lower[i - 1].isalpha():
            yield comma_mark(r, i - 1, OPTIONAL)


def comma_between_clauses(r: RuleContext) -> Iterator[Mark]:
    """`... and they ...`: two main clauses with their own subjects and some length, joined without a comma.

    Before `and` and `or` a pronoun must follow and the first be long. Before `but`, a finite verb, then a pronoun and
    its finite verb will do.
    """
    for i in r.words(("and", "but", "so")):
        first, end = r.sentence(i)
        if r.tags[i] != "CC" or i - first < 5 or end - i < 5 or r.silent & {i, i - 1}:
            continue
        head, is_but = r.heads[i], r.lower[i] == "but"
        clause = r.lower[i + 1] in SUBJECT_WORDS and not FINITE.isdisjoint(r.tags[i + 2 : i + 4])
        before = r.lower[i - 1].isalpha() and "," not in r.lower[max(first, i - 6) : i]
        if is_but and clause and before and not FINITE.isdisjoint(r.tags[first:i]):
            yield comma_mark(r, i - 1)
        own = r.child(head, *SUBJECT)
        if own is None or r.deps[head] != "ROOT" or r.lower[first] in OPENERS:
            continue
        # the verb of a clause that begins with its subject right after the conjunction
        verbs = [(c, r.child(c, *SUBJECT)) for c in r.children[head] if r.deps[c] == "conj" and c > i]
        joined = (v for v, s in verbs if s is not None and i < s < v and min([s, *r.children[s]]) == i + 1)
        verb = next(joined, None)
        long = is_but or (i - own >= 7 and r.lower[i + 1] in SUBJECT_WORDS)
        apart = not {",", ";", ":", '"'}.isdisjoint(r.lower[head:i]) or not r.lower[i - 1][-1].isalnum()
        if verb is not None and long and not apart and r.has_finite_verb(verb) and r.has_finite_verb(head):
            yield comma_mark(r, i - 1, OPTIONAL)


def comma_by_word(r: RuleContext) -> Iterator[Mark]:
    """`I believe, that`; `..., which means`, on the whole statement before; `they however stayed`."""
    for i in r.words((",",)):
        if r.word(i - 1) in THINKING and r.word(i + 1) == "that" and r.tags[i + 1] == "IN" and r.word(i + 2) != ",":
            yield Mark("comma", i - 1, i + 1, f"{r.text.words[i - 1]} that")
    for i in r.words(("which",)):
        comments = r.word(i + 1) in ("means", "meant", "makes", "made") and r.lower[i - 1].isalpha()
        if i - r.sentence(i)[0] < 4 or not comments or r.silent & {i, i - 1}:
            continue
        if r.tags[i - 1] not in ("IN", "TO", "CC", "VB", "VBP", "VBZ", "VBD", "RB", "DT"):
            yield comma_mark(r, i - 1)
    for i in r.words(("however",)):  # `however hard it is` needs no comma
        first, end = r.sentence(i)
        inside = first + 1 < i < end - 2 and r.lower[i - 1].isalpha() and r.tags[i - 1] not in ("IN", "CC", "TO", "DT")
        if inside and r.tags[i + 1] in (*FINITE, "PRP", "DT", "EX"):
            yield comma_mark(r, i - 1)
