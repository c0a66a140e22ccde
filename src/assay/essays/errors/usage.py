"""Words that are confused, missing, nonstandard or of the wrong form; comparisons, negation and prepositions."""

from collections.abc import Iterator

from assay.essays.errors.lexicon import BASE, pairs, rows, trigram_model, verb_forms, word_class, word_set, words
from assay.essays.errors.reading import FINITE, Mark, RuleContext

AFTER_IT_IS = word_class("confused after it is")
AFTER_YOU_ARE = word_class("confused after you are")
HAVING = word_class("words having")
GRADED = word_class("words graded")
BEFORE_OWNED = word_set("on in with from of at by about into for")
BEFORE_TOO = word_set("is are was be it were 's either get got way not n't")
BEFORE_LOSE = word_set("to will would can could might may n't")
NEGATIVES = word_set("no nothing nobody nowhere none neither hardly")
NEGATED = word_set("n't not never cannot dont cant didnt doesnt wont isnt aint")
CLAUSE_ENDS = word_set(", ; . : but and or because that if so than like with only for there about is")
COMPARING = frozenset(["more", "most"])
DOUBLED = {"worser": "worse", "worstest": "worst", "bestest": "best", "gooder": "better", "badder": "worse"}
DONE_WELL = word_set("do does did doing done works work worked play played sleep perform")
EFFECTED = word_set("change changes transformation reform reforms transition improvement improvements escape cure")
"""What can be effected."""
DOUBLED_JOIN = 0.85
NOT_ARTICLES = word_set("that this all both these those some any no each her")
SUBJECTS = frozenset(["you", "i", "he", "she", "it", "we", "they"])


def its_and_your(r: RuleContext) -> Iterator[Mark]:
    """`its hard`, `it's own`, `your welcome`, `you're house is`."""
    for i in r.words(("its",)):
        graded = r.word(i + 1) in ("very", "hard", "better", "easier", "important")
        if r.word(i + 1) in AFTER_IT_IS and not (graded and r.tag(i + 2) in ("NN", "NNS", "JJ")):
            yield Mark("confused", i, i, "it's")
    for i in r.words(("it",)):
        governed = r.tag(i - 1) == "IN" and r.word(i - 1) in BEFORE_OWNED and is_noun_phrase(r, i + 2)
        if r.word(i + 1) == "'s" and (r.word(i + 2) == "own" or governed):
            yield Mark("confused", i, i + 1, "its")
    for i in r.words(("your",)):
        after = r.word(i + 1)
        if after in AFTER_YOU_ARE:
            named = after in ("right", "wrong", "welcome", "being", "getting", "doing")
            wrong = not (named and r.tag(i + 2).startswith("NN"))
        else:
            wrong = r.tag(i + 1) == "VBG" and r.tag(i + 2) in ("DT", "PRP", "PRP$", "TO")
            wrong = wrong and r.word(i - 1) in ("if", "when", "while", "that", "what")
        if wrong:
            yield Mark("confused", i, i, "you're")
    for i in r.words(("you", "they")):
        if r.word(i + 1) == "'re" and (r.word(i + 2) == "own" or is_owned(r, i)):
            yield Mark("confused", i, i + 1, "your" if r.lower[i] == "you" else "their")


def is_noun_phrase(r: RuleContext, i: int) -> bool:
    """A noun, perhaps after adjectives, and no verb of its own: `because of it's swirly clouds`."""
    k = i
    while r.tag(k) in ("JJ", "JJR", "JJS", "VBN", "VBG") and k - i < 3:
        k += 1
    return r.same_sentence(i, k) and r.tag(k) in ("NN", "NNS")


def affect_and_effect(r: RuleContext) -> Iterator[Mark]:
    """`effected our view`, `to effect people`; `the affect on`, `a big affect`."""
    verbs = {"effect": "affect", "effects": "affects", "effected": "affected", "effecting": "affecting"}
    for i in r.words(verbs):
        before, tag, verbal = r.word(i - 1), r.tag(i + 1), r.tag(i - 1) in ("MD", "TO", "PRP", "RB", "WDT", "NNS")
        acts = verbal or (r.lower[i] == "effected" and r.tag(i - 1) in ("NN", "NNP"))
        if (
            not acts
            or tag not in ("DT", "PRP$", "PRP", "NNS")
            or not r.same_sentence(i, i + 1)
            or before in ("side", "special")
        ):
            continue
        if not EFFECTED.isdisjoint(r.lower[i + 1 : i + 5]) or (
            r.lower[i] == "effects" and r.tag(i - 1) in ("NNS", "RB")
        ):
            continue
        yield Mark("confused", i, i, verbs[r.lower[i]])
    nouns = {"affect": "effect", "affects": "effects"}
    for i in r.words(nouns):
        named = r.tag(i - 1) in ("DT", "JJ", "PRP$", "JJR", "JJS") and r.tag(i + 1) not in ("DT", "PRP", "PRP$", "NNS")
        if named and r.same_sentence(i - 1, i) and r.word(i - 1) not in ("that", "this", "both", "all"):
            yield Mark("confused", i, i, nouns[r.lower[i]])


def although_but(r: RuleContext) -> Iterator[Mark]:
    """`Although ..., but ...`, `because ..., so ...`: one joining word is enough."""
    for i in r.words(("but", "so")):
        first, end = r.sentence(i)
        opener = r.lower[first + 1] if r.lower[first] in ("even", "and", "but") else r.lower[first]
        joins = ("although", "though") if r.lower[i] == "but" else ("because", "since")
        if (
            opener not in joins
            or r.word(i - 1) != ","
            or i - first < 5
            or end - i < 4
            or r.tag(i + 1) in ("IN", "RB", "JJ")
        ):
            continue
        clauses = r.lower[first:i].count(",") == 1 and sum(tag in FINITE for tag in r.tags[first:i]) <= 2
        if clauses and not FINITE.isdisjoint(r.tags[i:end]) and r.deps[i] in ("cc", "mark", "advmod"):
            yield Mark("wrong_word", i - 1, i + 1, f", {r.text.words[i + 1]}", DOUBLED_JOIN)


def is_owned(r: RuleContext, i: int) -> bool:
    """A noun that a verb follows or a preposition precedes: `you're house is`, `on you're phone`, not `you're home`."""
    noun = r.word(i + 2)
    if r.tag(i + 2) not in ("NN", "NNS") or noun not in words("known_words.txt") or noun.endswith("ing"):
        return False
    followed = r.tag(i + 3) in FINITE and r.same_sentence(i, i + 3)
    return followed or (r.word(i - 1) in BEFORE_OWNED and r.same_sentence(i - 1, i))


def to_and_loose(r: RuleContext) -> Iterator[Mark]:
    """`to much` but for `leads to much`, `to expensive.`, `to loose`; and confusions by table, which need no tags."""
    for i in r.words(("to",)):
        before, after = r.word(i - 1), r.word(i + 1)
        much = after == "much" and before not in ("due", "according", "thanks", "up", "lead", "leads", "come", "amount")
        if (much or (after == "many" and before in HAVING)) and r.same_sentence(i, i + 1):
            yield Mark("confused", i, i, "too")
        # an adjective that closes a phrase cannot follow `to`
        closes = r.same_sentence(i, i + 2) and r.tag(i + 2) in (",", ".", "TO") and r.tag(i + 1) != "VB"
        if after in GRADED and before in BEFORE_TOO and closes:
            yield Mark("confused", i, i, "too")
    for i in r.words(("loose",)):
        if r.tags[i] in ("VB", "VBP") or r.word(i - 1) in BEFORE_LOSE:
            yield Mark("confused", i, i, "lose")
    for i in r.words(("looses",)):
        yield Mark("confused", i, i, "loses")
    for written, better, *not_before in rows("confused_phrases.tsv"):
        phrase = written.split(" ")
        for i in r.words(phrase[:1]):
            end = i + len(phrase)
            if r.lower[i:end] == phrase and r.tag(end) not in (not_before[0] if not_before else "").split("|"):
                yield Mark("confused", i, end - 1, better)


def comparison(r: RuleContext) -> Iterator[Mark]:
    """`more better`, `most easiest`, `bestest`, `more easy` (short adjectives take -er), `better then`.

    `then` stands for `than` right after a comparative, or after one noun between.
    """
    short = pairs("short_comparatives.tsv")
    for i in r.words(COMPARING):
        if not r.same_sentence(i, i + 1):
            continue
        word, after, tag = r.lower[i], r.lower[i + 1], r.tags[i + 1]
        compared = tag in ("JJR", "RBR", "JJS", "RBS") and after.endswith(("er", "est", "worse", "worst"))
        single = after in ("more", "most", "less", "least", "fewer", "later", "upper")
        if compared and not single and not (r.word(i + 2) and tag in ("JJR", "RBR") and word == "most"):
            yield Mark("comparison", i, i + 1, r.text.words[i + 1])
        if after in short and r.tag(i + 2) not in ("NN", "NNS", "CC"):
            yield Mark("comparison", i, i + 1, short[after] if word == "more" else f"{short[after][:-2]}est")
    for i in r.words(DOUBLED):
        yield Mark("comparison", i, i, DOUBLED[r.lower[i]])
    for i in r.words(("then",)):
        after_noun = r.tag(i - 1) in ("NN", "NNS", "JJ") and r.tag(i - 2) in ("JJR", "RBR")
        before = i - 2 if after_noun and r.same_sentence(i, i - 2) else i - 1
        if not r.same_sentence(i, i + 1) or not r.same_sentence(i, before) or r.tag(before) not in ("JJR", "RBR"):
            continue
        if r.lower[before] in ("later", "earlier", "sooner") or r.lower[i - 1] == ",":
            continue
        clause = r.lower[i + 1] in SUBJECTS and r.tag(i + 2) in FINITE
        if not clause and r.tags[i + 1] not in ("MD", "VBD", "VBP"):
            yield Mark("comparison", i, i, "than")


def negation(r: RuleContext) -> Iterator[Mark]:
    """A negated verb and a negative word in one clause, or `without no`."""
    for i in r.words(NEGATIVES):
        if r.word(i - 1) == "without" and r.same_sentence(i - 1, i):
            yield Mark("negation", i - 1, i)
            continue
        before_noun = r.tag(i + 1).startswith(("NN", "JJ")) or r.word(i + 1) in ("more", "one")
        for k in range(i - 1, max(r.sentence(i)[0], i - 5) - 1, -1):
            word, tag = r.lower[k], r.tags[k]
            if word in CLAUSE_ENDS or tag in ("PRP", "WP", "WDT", "WRB", "EX"):
                break
            if tag in ("NN", "NNS", "NNP", "IN") and word != "to":
                break
            if word in NEGATED:
                if r.lower[i] != "no" or before_noun:
                    yield Mark("negation", k - (word == "n't"), i)
                break


def preposition(r: RuleContext) -> Iterator[Mark]:
    """Verbs and adjectives with a preposition that does not go with them, by table: `discuss about`."""
    for head, wrong, right, after in rows("prepositions.tsv"):
        for i in r.words((head,)):
            if r.word(i + 1) != wrong or not r.same_sentence(i, i + 2):
                continue
            if after == "*" or r.tags[i + 2] in after.split("|"):
                better = r.text.words[i] if right == "-" else f"{r.text.words[i]} {right}"
                yield Mark("preposition", i, i + 1, better)


def nonstandard(r: RuleContext) -> Iterator[Mark]:
    """Word forms of speech and of text messages, by table."""
    table = pairs("nonstandard.tsv")
    for i in r.words(table):
        initial = r.text.words[i].isupper() or r.word(i + 1) in (".", "'s", "-")
        if not initial or r.lower[i] not in ("u", "r", "n", "ur", "b", "ya"):
            yield Mark("nonstandard", i, i, table[r.lower[i]] or None)
    for i in r.words(("ai",)):
        if r.word(i + 1) == "n't":
            yield Mark("nonstandard", i, i + 1, None)
    fused = {"gon": "going to", "wan": "want to", "got": "have to"}
    for i in r.words(fused):
        if r.word(i + 1) in ("na", "ta") and r.starts[i + 1] == r.ends[i]:
            yield Mark("nonstandard", i, i + 1, fused[r.lower[i]])


def word_form(r: RuleContext) -> Iterator[Mark]:
    """A noun, adjective or adverb where another of the family belongs, by what stands around it.

    `did good on`, `speaks fluent`; pairs in which one word fixes the form of the other, by table (`have success` is
    right, `be success` is not); `the develop of`, `a choose`: a verb that is never a noun where a noun belongs.
    """
    for i in r.words(("good",)):
        verb = r.word(i - 1) if r.word(i - 1) not in ("so", "very", "really", "pretty") else r.word(i - 2)
        described = r.tag(i + 1) in ("NN", "NNS", "NNP", "JJ", "CC")
        if verb in DONE_WELL and not described and r.word(i + 1) not in ("and", "for", "things", "at", "-"):
            yield Mark("word_form", i, i, "well")
    adverbs, linking = pairs("adverbs.tsv"), words("linking_verbs.txt")
    for i in r.words(adverbs):
        after_verb = r.tag(i - 1) in ("VB", "VBD", "VBZ", "VBP", "VBG") and r.word(i - 1) not in linking
        if after_verb and r.deps[i] in ("advmod", "acomp", "amod", "oprd") and r.tag(i + 1) in (".", ",", "IN", ""):
            yield Mark("word_form", i, i, adverbs[r.lower[i]])
    for before, wrong, right, after in rows("word_forms.tsv"):
        for i in r.words((wrong,)):
            fits = before == "*" or r.word(i - 1) in before.split("|")
            if fits and (after == "*" or r.tag(i + 1) in after.split("|")):
                yield Mark("word_form", i, i, right)
    table, only_verbs = verb_forms(), pairs("verbs_never_nouns.tsv")
    for i in r.words(only_verbs):
        determined = r.tag(i - 1) in ("DT", "PRP$") and r.word(i - 1) not in NOT_ARTICLES
        follows = r.word(i + 1) in ("of", "is", "was", "to", "that", ".", ",", "for", "in", "and")
        if determined and follows and table.is_form(r.lower[i], BASE):
            yield Mark("word_form", i - 1, i, f"{r.text.words[i - 1]} {only_verbs[r.lower[i]]}")


BE_FORMS = word_set("am is are was were be been 'm 's 're being get gets got")
WANTS_TO = word_set("want wants wanted need needs decide decided going try tries able tend")
LEAST_EXPECTED, UNHEARD, UNHEARD_PAIR = 12.0, 0.02, 0.75
HEARD = frozenset(
    ["many an", "many a", "such is", "such are", "no more", "their lot", "the here", "be those", "can an", "can the",
     "must the", "more others", "all can", "i own", "can to", "could to", "one be", "more be", "for need", "on going"]
)  # fmt: skip
"""Pairs that are rare and right: `many an idea`, `all we can to help`, `how can one be`."""
OPENS_PHRASE = word_class("words opens phrase")
JOINS = word_class("words joins")


def missing_be(r: RuleContext) -> Iterator[Mark]:
    """`they going`: a subject pronoun right before an -ing form."""
    for i in r.words(("i", "he", "she", "they", "we")):
        first, _ = r.sentence(i)
        j = i + 1
        if r.word(j) in ("not", "always", "also", "still", "just", "really", "only", "all"):
            j += 1
        if not r.same_sentence(i, j) or r.tags[j] != "VBG" or r.deps[i] not in ("nsubj", "nsubjpass"):
            continue
        if not r.lower[j].endswith("ing") or r.silent & {i, j} or (i > first and r.lower[i - 1] in ("and", "or")):
            continue
        if BE_FORMS.isdisjoint(r.lower[max(first, i - 3) : i]):
            be = {"i": "am", "he": "is", "she": "is"}.get(r.lower[i], "are")
            yield Mark("wrong_word", i, j, f"{r.text.words[i]} {be} {' '.join(r.text.words[i + 1 : j + 1])}")


def missing_word(r: RuleContext) -> Iterator[Mark]:
    """`could of`; `want go`: a verb that takes `to` before a base form; `it allows to play`: who is allowed."""
    for i in r.words(("of",)):
        if r.word(i - 1) in ("could", "would", "should", "might", "must"):
            yield Mark("wrong_word", i - 1, i, f"{r.text.words[i - 1]} have")
        elif r.word(i - 1) in ("n't", "not") and r.word(i - 2) in ("could", "would", "should"):
            yield Mark("wrong_word", i - 2, i, f"{r.text.words[i - 2]} not have")
    table = verb_forms()
    for i in r.words(WANTS_TO):
        j, word, tag = i + 1, r.lower[i], r.tags[i]
        if not r.same_sentence(i, j) or r.tags[j] != "VB" or not table.is_form(r.lower[j], BASE):
            continue
        certain = word in ("want", "wants", "wanted") and r.tag(i + 2) not in ("NN", "NNS", "VBZ")
        if tag in ("VB", "VBP", "VBZ", "VBD", "VBG", "JJ") and (certain or r.deps[j] in ("xcomp", "ccomp", "dobj")):
            yield Mark("wrong_word", i, j, f"{r.text.words[i]} to {r.text.words[j]}")
    for i in r.words(("allow", "allows", "permit", "permits", "enables", "enable")):
        follows = r.word(i + 1) == "to" and r.tag(i + 2) == "VB" and r.same_sentence(i, i + 2)
        if follows and r.tags[i] in ("VB", "VBZ", "VBP"):
            yield Mark("wrong_word", i, i + 1, f"{r.text.words[i]} us to")


def unheard_pairs(r: RuleContext) -> Iterator[Mark]:
    """Two function words in a row that chance would bring often and the corpus hardly ever has: `the these`."""
    model, function_words = trigram_model(), words("function_words.txt")
    size = len(model.one)
    for i in range(len(r.lower) - 1):
        a, b = r.lower[i], r.lower[i + 1]
        if a == b or a not in function_words or b not in function_words or not (a.isalpha() and b.isalpha()):
            continue
        x, y = model.symbols.get(a), model.symbols.get(b)
        if x is None or y is None or r.sentence_of[i] != r.sentence_of[i + 1] or is_heard(r, i):
            continue
        expected = model.one[x] * model.one[y] / model.total
        if expected >= LEAST_EXPECTED and model.two.get(x * size + y, 0) <= UNHEARD * expected:
            yield Mark("wrong_word", i, i + 1, None, UNHEARD_PAIR)


def is_heard(r: RuleContext, i: int) -> bool:
    """Pairs that are right for a reason a pair model cannot see: `the one I work with will ...`, `May is`."""
    before, after = r.lower[i], r.lower[i + 1]
    if r.tags[i] in ("IN", "RP", "RB", "WDT") and r.tags[i + 1] in FINITE | {"VBG", "RB", "JJR"}:
        return True
    if (
        r.text.words[i] == "A"
        or (r.text.words[i + 1].isupper() and r.text.words[i + 1] != "I")
        or r.starts[i + 1] == r.ends[i]
        or r.word(i + 2) == "-"
    ):
        return True  # a grade or a label; a word in parts
    if after in ("then", "one") or (before == "i" and after in ("and", "who", "or")):
        return True
    if (after in ("which", "whom") and r.tags[i] == "IN") or f"{before} {after}" in HEARD:
        return True
    if r.text.words[i + 1] == "May" or "-" in (r.word(i - 1), r.word(i + 2)):
        return True
    if before in ("those", "these", "all", "one", "this", "that") and r.tags[i + 1] in FINITE:
        return True
    if before == "may" and r.tags[i] != "MD":
        return True
    if before in OPENS_PHRASE and r.tags[i] != "NN":
        verbal = before in ("could", "can", "will", "would", "should", "have")
        return verbal and after in JOINS | {"of", "these", "those", "this"}
    return after in JOINS | {"of", "in", "on", "at", "to", "for", "by", "from"} or r.tags[i] in ("VBG", "NN", "CD")
