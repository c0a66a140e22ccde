"""Missing articles: singular nouns that hardly ever stand bare in the place where one stands bare here."""

from collections.abc import Iterator, Mapping
from functools import cache

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import rows, word_class, words
from assay.essays.errors.reading import RuleContext

FRAMES = ("subject", "object", "after a preposition")
FRAME_OF = {"nsubj": 0, "nsubjpass": 0, "dobj": 1, "attr": 1, "pobj": 2}
DETERMINING = frozenset(["det", "poss", "nummod", "predet", "nmod", "quantmod", "case"])
QUANTIFYING = word_class("nouns quantifying")
LEAST_USES = 25
RARELY_BARE, RARELY_BARE_AFTER_ADJECTIVE = 0.06, 0.15


def candidates(r: RuleContext) -> Iterator[tuple[int, int, bool]]:
    """Singular common nouns that head a phrase of their own: place, frame, whether no determiner precedes."""
    for i in r.tagged("NN"):
        frame = FRAME_OF.get(r.deps[i])
        if frame is None or not r.lower[i].isalpha() or r.tag(i + 1) in ("NN", "NNS", "NNP", "HYPH", "POS", "CD"):
            continue
        if r.text.words[i][:1].isupper() or i in r.silent or r.child(i, "conj", "cc", "punct") is not None:
            continue
        yield i, frame, is_bare(r, i)


def is_bare(r: RuleContext, i: int) -> bool:
    """No determiner, possessive, number or quantifier anywhere between the noun and the start of its phrase."""
    for c in r.children[i]:
        if c < i and (
            r.deps[c] in DETERMINING or r.lower[c] in QUANTIFYING or r.tags[c] in ("DT", "PRP$", "CD", "POS")
        ):
            return False
    left = phrase_start(r, i)
    return r.tag(left - 1) not in ("DT", "PRP$", "CD", "POS", "WP$", "WDT") and r.word(left - 1) not in QUANTIFYING


def phrase_start(r: RuleContext, i: int) -> int:
    """First token of the run of modifiers right before the noun."""
    left = i
    while (
        left > 0
        and r.sentence_of[left - 1] == r.sentence_of[i]
        and r.tags[left - 1] in ("JJ", "JJR", "JJS", "NN", "VBG", "VBN", "RB")
    ):
        left -= 1
    return left


@cache
def bare_shares() -> Mapping[str, tuple[tuple[float, float], ...]]:
    """Per noun and frame: uses, and the share of them that are bare."""
    table = {}
    for noun, *cells in rows("bare_nouns.tsv"):
        counts = [int(cell) for cell in cells]
        table[noun] = tuple(
            (uses, bare / uses if uses else 0.0) for uses, bare in zip(counts[::2], counts[1::2], strict=True)
        )
    return table


def countable(noun: str) -> bool:
    """Whether a noun is hardly ever bare in the singular; when it is, an article is missing and the tag is right."""
    frames = bare_shares().get(noun, ())
    uses = sum(n for n, _ in frames)
    return uses >= LEAST_USES and sum(n * share for n, share in frames) <= 0.2 * uses


def article(r: RuleContext) -> Iterator[Mark]:
    """A bare singular noun whose bare uses are rare, in this frame and in all."""
    table = bare_shares()
    for i, frame, bare in candidates(r):
        if not bare or r.lower[i] not in table:
            continue
        frames = table[r.lower[i]]
        uses = sum(n for n, _ in frames)
        overall = sum(n * share for n, share in frames) / uses
        here, share = frames[frame]
        left = phrase_start(r, i)
        described = left < i and r.tags[left] in ("JJ", "JJS", "JJR")
        limit = RARELY_BARE_AFTER_ADJECTIVE if described else RARELY_BARE
        if uses < LEAST_USES or overall > limit or (here >= 10 and share > limit) or settled(r, i):
            continue
        yield Mark("article", max(left - 1, r.sentence(i)[0]), i, None)


def settled(r: RuleContext, i: int) -> bool:
    """Where a bare noun is right or the tag is doubtful: headings, lists, `kind of car`, `door to door`, slashes."""
    left = phrase_start(r, i)
    before = r.word(left - 1)
    if r.tag(left - 1) == "MD" or before in ("there", "you", "they", "to", "others", "out", "are"):
        return True  # a misspelled determiner: `you job`, `there house`
    if {"there", "their", "you", "they"} & set(r.lower[left:i]):
        return True
    if before == "is" and r.tag(left - 2) in ("IN", "CC"):
        return True
    if doubtful(r, left, i) or any(unmarked_possessive(r, k) for k in range(max(left - 1, 0), i)):
        return True
    if before == "of" or '"' in r.text.raw[r.starts[left] : r.ends[i]]:
        return True  # `choice of candidate`, `price of admission`
    if before in (
        "kind",
        "type",
        "sort",
        "as",
        "and",
        "or",
        "/",
        "-",
        '"',
        "'",
        "“",
        "(",
        "called",
        "than",
        "per",
        "by",
    ):
        return True
    if (
        r.word(left - 2) in ("kind", "type", "sort", "kinds", "types", "piece", "form", "lack", "amount")
        and before == "of"
    ):
        return True
    return r.word(i + 1) in ("-", "/", '"', "'", "and", "or", ")", "by", "after", "to") or r.tag(i + 1) in ("VB", "VBP")


def unmarked_possessive(r: RuleContext, k: int) -> bool:
    """`Lukes program`, `buildings roof`: what lacks is an apostrophe."""
    return r.tags[k] in ("NNS", "NNP", "NNPS") or (r.tags[k] == "NN" and r.lower[k].endswith("s"))


def doubtful(r: RuleContext, left: int, i: int) -> bool:
    """A determiner under another tag, a name, a verb that reads as a noun, a typing error or a long compound."""
    if r.word(left - 1) in ("a", "an", "the", "what", "which", "that", "this", "go", "got", "goes", "soon", "to"):
        return True
    if r.lower[i] in ("mom", "dad") or i - left > 2 or r.word(i + 1).endswith("s"):
        return True
    known = words("known_words.txt")
    return any(r.lower[k].isalpha() and r.lower[k] not in known for k in range(max(left - 1, 0), i + 1))
