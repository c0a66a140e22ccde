"""Articles, determiners and nouns that do not go together; pronouns and possessives."""

from collections.abc import Iterator

from assay.essays.errors.lexicon import (
    LEAST_USES,
    bare_shares,
    is_countable,
    pairs,
    plural,
    singular,
    word_class,
    word_set,
    words,
)
from assay.essays.errors.reading import FINITE, Mark, RuleContext
from assay.essays.errors.runs import word_runs
from assay.essays.text.text import frequency_index, word_list

FRAMES = ("subject", "object", "after a preposition")
FRAME_OF = {"nsubj": 0, "nsubjpass": 0, "dobj": 1, "attr": 1, "pobj": 2}
DETERMINING = frozenset(["det", "poss", "nummod", "predet", "nmod", "quantmod", "case"])
QUANTIFYING = word_class("nouns quantifying")
LEAST_ARTICLE_GAIN = -0.5
"""log10 of how much likelier words must be with an article than without; one word more costs some."""
RARELY_BARE, RARELY_BARE_AFTER_ADJECTIVE = 0.06, 0.15

PLURAL_ONLY = word_class("nouns plural only")
SINGULAR_ONLY = word_set("a an this that each every another one")
COUNTING = word_class("nouns counting")
SAME_NUMBER = word_class("nouns same number")
UNCOUNTED = word_set("o'clock percent fold hundred thousand million time p.m. a.m.")
RARE_PLURAL = 20.0
"""Points of the frequency index, a factor of 100, by which a plural is rarer than its singular."""
POSSESSIVES = frozenset(["my", "their", "our", "his", "her", "your"])


def bare_candidates(r: RuleContext) -> Iterator[tuple[int, int, int, bool]]:
    """Singular common nouns that head a phrase of their own: place, first modifier, frame, whether it is bare.

    No determiner, possessive, number or quantifier anywhere between a bare noun and the start of its phrase.
    """
    for i in r.by_tag.get("NN", ()):
        frame = FRAME_OF.get(r.deps[i])
        if frame is None or not r.lower[i].isalpha() or r.tag(i + 1) in ("NN", "NNS", "NNP", "HYPH", "POS", "CD"):
            continue
        if r.text.words[i][:1].isupper() or i in r.silent or r.child(i, "conj", "cc", "punct") is not None:
            continue
        left, first = i, r.sentence(i)[0]
        while left > first and r.tags[left - 1] in ("JJ", "JJR", "JJS", "NN", "VBG", "VBN", "RB"):
            left -= 1
        bare = r.tag(left - 1) not in ("DT", "PRP$", "CD", "POS", "WP$", "WDT")
        bare = bare and r.word(left - 1) not in QUANTIFYING
        determined = any(
            r.deps[c] in DETERMINING or r.lower[c] in QUANTIFYING or r.tags[c] in ("DT", "PRP$", "CD", "POS")
            for c in r.children[i]
            if c < i
        )
        yield i, left, frame, bare and not determined


def missing_article(r: RuleContext) -> Iterator[Mark]:
    """A bare singular noun whose bare uses are rare, in this frame and in all."""
    table = bare_shares()
    for i, left, frame, bare in bare_candidates(r):
        if not bare or r.lower[i] not in table:
            continue
        frames = table[r.lower[i]]
        uses = sum(n for n, _ in frames)
        overall = sum(n * share for n, share in frames) / uses
        uses_in_frame, share = frames[frame]
        described = left < i and r.tags[left] in ("JJ", "JJS", "JJR")
        limit = RARELY_BARE_AFTER_ADJECTIVE if described else RARELY_BARE
        if uses < LEAST_USES or overall > limit or (uses_in_frame >= 10 and share > limit) or may_be_bare(r, left, i):
            continue
        if is_heard_bare(r, left):
            continue
        yield Mark("article", max(left - 1, r.sentence(i)[0]), i, None)


BEFORE_BARE = word_set(
    "there you they to others out are "  # a misspelled determiner: `you job`, `there house`
    "a an the what which that this go got goes soon "  # a determiner under another tag, a verb that reads as a noun
    "of "  # `choice of candidate`, `price of admission`, `kind of car`
    "kind type sort as and or / - \" ' “ ( called than per by"
)
AFTER_BARE = word_set("- / \" ' and or ) by after to")


def may_be_bare(r: RuleContext, left: int, i: int) -> bool:
    """Where a bare noun is right or the tag is doubtful: headings, lists, `kind of car`, `door to door`, slashes."""
    before, after = r.word(left - 1), r.word(i + 1)
    if before in BEFORE_BARE or r.tag(left - 1) == "MD" or (before == "is" and r.tag(left - 2) in ("IN", "CC")):
        return True
    if after in AFTER_BARE or after.endswith("s") or r.tag(i + 1) in ("VB", "VBP"):
        return True
    if r.lower[i] in ("mom", "dad") or i - left > 2 or '"' in r.text.raw[r.starts[left] : r.ends[i]]:
        return True
    if not {"there", "their", "you", "they"}.isdisjoint(r.lower[left:i]):
        return True
    for k in range(max(left - 1, 0), i):  # `Lukes program`, `buildings roof`: what lacks is an apostrophe
        if r.tags[k] in ("NNS", "NNP", "NNPS") or (r.tags[k] == "NN" and r.lower[k].endswith("s")):
            return True
    known = words("known_words.txt")
    return any(r.lower[k].isalpha() and r.lower[k] not in known for k in range(max(left - 1, 0), i + 1))


def is_heard_bare(r: RuleContext, left: int) -> bool:
    """Whether the words with an article before them are hardly likelier than as written: `in principle`."""
    model, first = word_runs(), r.sentence(left)[0]
    before = [*["<s>"] * max(0, 2 - (left - first)), *r.lower[max(first, left - 2) : left]][-2:]
    after = [*r.lower[left : left + 2], "</s>"][:2]

    def log_p(*inserted: str) -> float:
        row = model.numbered([*before, *inserted, *after])
        return float(model.log_p(row[:-2], row[1:-1], row[2:]).sum())

    return max(log_p("a"), log_p("the"), log_p("an")) - log_p() < LEAST_ARTICLE_GAIN


def is_invariant(noun: str) -> bool:
    """Whether hardly anyone writes the plural with an ending: `several spacecraft`."""
    index = frequency_index()
    return index.get(plural(noun), 0.0) < index.get(noun, 0.0) - RARE_PLURAL


def noun_after(r: RuleContext, i: int) -> int | None:
    """The noun a determiner at i belongs to: adjectives between, and no further noun behind."""
    j = i + 1
    while r.tag(j) in ("JJ", "JJR", "JJS", "RB") and j - i <= 3:
        j += 1
    if not r.same_sentence(i, j) or r.tag(j) not in ("NN", "NNS") or r.silent & {j, j + 1}:
        return None
    behind = r.tag(j + 1) if r.same_sentence(j, j + 1) else ""
    if behind.startswith(("NN", "JJ", "VBG", "POS", "CD", "HYPH", "VBN")) or r.word(j + 1) in ("-", "/", "'", "s"):
        return None
    return j


def number_mark(r: RuleContext, first: int, noun: int, better: str) -> Mark:
    """The words from first to before the noun as written, then the better noun."""
    return Mark("noun_number", first, noun, " ".join([*r.text.words[first:noun], better]))


def plural_determiner(r: RuleContext) -> Iterator[Mark]:
    """`many student`, `these idea`."""
    for i in r.words(PLURAL_ONLY):
        before, word = r.word(i - 1), r.lower[i]
        j = noun_after(r, i)
        if j is None or r.tags[j] != "NN" or r.lower[j] in SAME_NUMBER or r.tags[i] in ("NN", "PRP"):
            continue
        if before in ("how", "a", "at", "-", "$", "chapter", "one", "number") and word not in ("many", "few"):
            continue
        if word in ("these", "those", "both") and r.deps[i] not in ("det", "predet", "advmod", "amod", "nsubj"):
            continue
        if r.lower[j].endswith("s") or r.lower[j] in ("someone", "something", "one", "lot", "much", "bit", "pm", "am"):
            continue
        if is_invariant(r.lower[j]):
            continue
        if r.lower[j] in UNCOUNTED and word not in ("many", "few", "several", "these", "those"):
            continue
        modifies = r.deps[j] in ("compound", "amod") and r.heads[j] > j
        modifies |= r.word(j + 1) in ("and", "or") and "NNS" in r.tags[j + 2 : j + 4]
        if not modifies and before not in ("grade", "page", "paragraph", "step", "part"):
            yield number_mark(r, i, j, plural(r.lower[j]))


def singular_determiner(r: RuleContext) -> Iterator[Mark]:
    """`a books`, `every children`."""
    persons = {"people": "person", "children": "child"}
    for i in r.words(SINGULAR_ONLY):
        word, before = r.lower[i], r.word(i - 1)
        j = noun_after(r, i)
        if j is None or r.heads[i] != j or r.tags[i] not in ("DT", "CD"):
            continue
        if r.lower[j] in persons:
            wrong = word in ("a", "an", "this", "another")
        else:
            wrong = r.tags[j] == "NNS" and r.lower[j] not in SAME_NUMBER
        if not wrong or not COUNTING.isdisjoint(r.lower[i + 1 : j]) or "CD" in r.tags[i + 1 : j]:
            continue
        if word in ("that", "one", "this", "each") and (r.deps[i] not in ("det", "nummod") or before == "the"):
            continue
        if (
            (word == "that" and r.sentence(i)[0] >= i - 1)
            or before in ("what", "which", "whom")
            or r.word(i + 1) == "priori"
        ):
            continue  # `That economists failed is ...`; `what one uses`
        better = singular(r.lower[j])
        if better is None:
            better = persons.get(r.lower[j])
        if better is not None and not (word == "one" and before in ("-", "no")):
            yield number_mark(r, i, j, better)


def quantity(r: RuleContext) -> Iterator[Mark]:
    """`one of the reason`, `a lot of student`, `other person`: a quantity before a singular noun; `informations`.

    Phrases of quantity are `lots of`, `a lot of`, `kinds of`, `a number of` and the like.
    """
    quantified_nouns: list[tuple[int, int]] = []
    for i in r.words(("of",)):
        before, after = r.word(i - 1), r.word(i + 1)
        owned = after in POSSESSIVES or after == "the"
        if before == "one" and (owned or after in ("these", "those")):
            j = noun_after(r, i + 1)
            if j is not None and r.tags[j] == "NN" and r.lower[j] not in ONE_OF_SINGULAR and r.word(j - 1) != "most":
                yield number_mark(r, i - 1, j, plural(r.lower[j]))
        if owned or after in ("a", "an", "this", "that"):
            continue
        j = noun_after(r, i)
        quantified = before in QUANTITIES or (before in A_QUANTITY and r.word(i - 2) in BEFORE_QUANTITY)
        if quantified and j is not None:
            quantified_nouns.append((i - 2, j))
    for i in r.words(("other", "most", "more", "such", "different")):
        word, tag = r.lower[i], r.tag(i - 1)
        if tag in ("DT", "PRP$", "CD", "POS", "RB", "JJ") or (r.word(i - 1) == "no" and tag != "IN"):
            continue
        j = noun_after(r, i)
        adjacent = word not in ("more", "most", "different") or j == i + 1
        if j is not None and adjacent and (tag != "IN" or word not in ("most", "more")):
            quantified_nouns.append((i, j))
    for first, j in quantified_nouns:
        if r.tags[j] == "NN" and r.lower[j] not in SAME_NUMBER and is_countable(r.lower[j]):
            yield number_mark(r, first, j, plural(r.lower[j]))
    for i in r.words(words("mass_plurals.txt")):
        if r.tags[i] in ("NNS", "NN", "VBZ") and r.word(i + 1) not in ("lives", "life", "'s", "'"):
            yield Mark("noun_number", i, i, pairs("mass_plurals.txt")[r.lower[i]])


ONE_OF_SINGULAR = SAME_NUMBER | {"group", "kind", "family", "rest", "few"}
QUANTITIES = word_set("lots kinds types sorts thousands hundreds millions dozens")
A_QUANTITY = frozenset(["lot", "number", "variety", "couple", "plenty"])
BEFORE_QUANTITY = frozenset(["a", "the", "large", "wide", "great"])


def wrong_article(r: RuleContext) -> Iterator[Mark]:
    """`a apple`, `an car`: the sound that follows decides, by first letter and a table of exceptions."""
    silent_h, consonant_start = words("vowel_sound.txt"), tuple(words("consonant_sound.txt"))
    for i in r.words(("a", "an")):
        if not r.same_sentence(i, i + 1) or r.silent & {i, i + 1} or r.tags[i] != "DT":
            continue
        word, written = r.lower[i + 1], r.text.words[i + 1]
        if word in ("then", "both", "they", "this", "that") or not word.isalpha() or len(word) < 3:
            continue
        if written.isupper() or r.starts[i + 1] - r.ends[i] != 1:
            continue
        vowel = (word[0] in "aeiou" or word in silent_h) and not word.startswith(consonant_start)
        vowel |= word.startswith(("unim", "unin", "unid"))
        if vowel == (r.lower[i] == "a"):
            article = "an" if vowel else "a"
            if word in words("known_words.txt") or word in word_list("spelled_words"):
                yield Mark("wrong_article", i, i + 1, f"{article} {written}")
            else:  # the next word may be misspelled: nothing is said of it
                yield Mark("wrong_article", i, i, article)


OBJECTIVE = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
SUBJECTIVE = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
OPENS_CLAUSE = word_set(", because that when if so but and where then")
NOT_PREPOSITIONS = word_set("than as like but that if because except before after since")
PERSONS = word_class("words persons")
ALWAYS_POSSESSIVE = {
    "peoples": "people's", "childrens": "children's", "womens": "women's", "everyones": "everyone's",
    "someones": "someone's", "anyones": "anyone's", "everybodys": "everybody's", "somebodys": "somebody's",
    "nobodys": "nobody's", "childs": "child's",
}  # fmt: skip
POSSESSIVE = ALWAYS_POSSESSIVE | {"mens": "men's", "moms": "mom's", "dads": "dad's"}
OWNED = word_class("words owned")


def coordinated_pronoun(r: RuleContext) -> Iterator[Mark]:
    """`me and my friend went`: an object pronoun in a subject that begins a clause, so that no verb before has it."""
    for i in r.words(OBJECTIVE):
        if r.deps[i] in ("nsubj", "nsubjpass") and r.word(i + 1) == "and" and r.child(i, "conj") is not None:
            subject, verb = i, r.heads[i]
            fits = r.tags[verb] in FINITE | {"VBN", "VB", "VBG"}
        elif r.deps[i] == "conj" and r.word(i - 1) == "and" and r.deps[r.heads[i]] in ("nsubj", "nsubjpass"):
            subject, verb = r.heads[i], r.heads[r.heads[i]]
            fits = r.tag(i + 1) in FINITE
        else:
            continue
        left = min([subject, *r.children[subject]])
        opens = left == r.sentence(subject)[0] or r.word(left - 1) in OPENS_CLAUSE
        if fits and opens and verb > i and r.has_finite_verb(verb):
            yield Mark("pronoun", i, i, OBJECTIVE[r.lower[i]])


def pronouns_and_possessives(r: RuleContext) -> Iterator[Mark]:
    """`for they`, `between you and I`, `hisself`; `my parents house`, `peoples lives`: persons before what they own."""
    for i in r.words(SUBJECTIVE):
        if r.tag(i - 1) not in ("IN", "TO") or r.word(i - 1) in NOT_PREPOSITIONS or not r.same_sentence(i - 1, i):
            continue
        ends = r.tag(i + 1) in (".", ",", "") or not r.same_sentence(i, i + 1)
        if r.deps[i] == "pobj" and ends and r.lower[i] != "i":
            yield Mark("pronoun", i - 1, i, f"{r.text.words[i - 1]} {SUBJECTIVE[r.lower[i]]}")
    for i in r.words(("and",)):
        if r.word(i - 2) == "between" and r.word(i + 1) in SUBJECTIVE and r.tag(i + 2) not in FINITE:
            yield Mark("pronoun", i + 1, i + 1, SUBJECTIVE[r.lower[i + 1]])
    table = pairs("pronoun_forms.tsv")
    for i in r.words(table):
        yield Mark("pronoun", i, i, table[r.lower[i]])
    for i in r.words(PERSONS):
        if not r.same_sentence(i, i + 1) or r.tag(i + 1) not in ("NN", "NNS", "JJ", "JJS"):
            continue
        owns = r.lower[i + 1] in OWNED and r.deps[i] in ("compound", "nmod", "poss", "amod")
        if owns or r.lower[i] in ALWAYS_POSSESSIVE:
            yield Mark("possessive", i, i, POSSESSIVE.get(r.lower[i], f"{r.lower[i]}'"))
    for i in r.words(("others",)):
        if r.word(i - 1) == "each" and r.tag(i + 1) in ("NN", "NNS"):
            yield Mark("possessive", i - 1, i, "each other's")
