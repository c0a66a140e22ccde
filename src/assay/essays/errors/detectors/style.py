"""Remarks on style: repeated words, informal words, openings, short and long sentences, passive voice."""

from collections.abc import Iterator, Sequence

from assay.essays.errors.finding import Mark
from assay.essays.errors.lexicon import pairs, words
from assay.essays.errors.reading import RuleContext
from assay.essays.text.spelling import function_words

REPEATED_SHARE, REPEATED_USES = 0.01, 3
CLOSE, LEAST_TEXT = 25, 20
SHORT, SHORT_ALLOWED = 7, 4
LONG = 45
LEAST_PASSIVES, PASSIVE_SHARE = 3, 0.2


def repetition(r: RuleContext) -> Iterator[Mark]:
    """One remark, at its second use, for every word that makes up at least 1 % of the text.

    Words of grammar and names are left out: no writer can do without them. A word used but twice, which only a short
    text can turn into 1 %, counts where the two uses are within 25 tokens.
    """
    total = word_count(r, 0, len(r))
    if total < LEAST_TEXT:
        return
    for word, uses in r.by_word.items():
        if len(uses) < 2 or len(uses) < REPEATED_SHARE * total or not word.isalpha():
            continue
        if len(uses) < REPEATED_USES and uses[1] - uses[0] > CLOSE:
            continue
        if uses[1] not in r.silent and not _of_grammar(word) and not _is_name(r, uses):
            yield Mark("repetition", uses[1], uses[1])


def _of_grammar(word: str) -> bool:
    return word in words("common_words.txt") or word in function_words()


def _is_name(r: RuleContext, uses: Sequence[int]) -> bool:
    """Whether most uses are tagged as a name."""
    return 2 * sum(r.tags[i].startswith("NNP") for i in uses) > len(uses)


def informal(r: RuleContext) -> Iterator[Mark]:
    """Words of talk, not of essays, by table."""
    table = pairs("informal.tsv")
    for i in r.words(table):
        if not r.tags[i].startswith("NNP"):
            yield Mark("informal", i, i, table[r.lower[i]] or None)


def conjunction_start(r: RuleContext) -> Iterator[Mark]:
    """Sentences that begin with and, but, or, so, where there are two or more."""
    found = [i for i in r.bounds[:-1] if r.lower[i] in ("and", "but", "or", "so") and r.text.words[i][:1].isupper()]
    if len(found) > 1:
        yield from (Mark("conjunction_start", i, i) for i in found)


def word_count(r: RuleContext, first: int, end: int) -> int:
    return sum(word[0].isalnum() for word in r.lower[first:end])


def short_sentences(r: RuleContext) -> Iterator[Mark]:
    """Every sentence of fewer than seven words beyond the fourth."""
    short = 0
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        if r.lower[end - 1] in (".", "!", "?") and 2 <= word_count(r, first, end) < SHORT:
            short += 1
            if short > SHORT_ALLOWED:
                yield Mark("short_sentences", first, end - 1)


def long_sentences(r: RuleContext) -> Iterator[Mark]:
    """Every sentence of more than 45 words."""
    for s in range(len(r.bounds) - 1):
        first, end = r.bounds[s], r.bounds[s + 1]
        if end - first > LONG and word_count(r, first, end) > LONG:
            yield Mark("long_sentences", first, end - 1)


def passive(r: RuleContext) -> Iterator[Mark]:
    """Passive verbs, where they are three or more and at least a fifth of all finite verbs."""
    verbs = [(i, r.heads[i]) for i in r.related("auxpass")]
    found = [Mark("passive", i, v) for i, v in verbs if 0 < v - i <= 3 and r.tags[v] == "VBN"]
    if len(found) >= LEAST_PASSIVES and len(found) >= PASSIVE_SHARE * sum(
        1 for _ in r.tagged("VBZ", "VBP", "VBD", "MD")
    ):
        yield from found
