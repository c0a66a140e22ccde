"""The front door: all findings of a text, one per place."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.errors.detectors.bare_nouns import article
from assay.essays.errors.detectors.grammar_agreement import agreement
from assay.essays.errors.detectors.grammar_sentences import fragment, garbled_or_careless, run_on
from assay.essays.errors.detectors.grammar_verbs import verb_form
from assay.essays.errors.detectors.grammar_words import possessive, pronoun, wrong_word
from assay.essays.errors.detectors.harper_rules import lints
from assay.essays.errors.detectors.mechanics_commas import comma
from assay.essays.errors.detectors.mechanics_marks import (
    apostrophe,
    compound,
    duplicate,
    final_punctuation,
    fused,
    hyphen,
    initial_capital,
    proper_capital,
    question_mark,
)
from assay.essays.errors.detectors.mechanics_spelling import misspellings
from assay.essays.errors.detectors.style import (
    conjunction_start,
    informal,
    long_sentences,
    passive,
    repetition,
    short_sentences,
)
from assay.essays.errors.detectors.usage_confused import confused
from assay.essays.errors.detectors.usage_nouns import noun_number, wrong_article
from assay.essays.errors.detectors.usage_words import comparison, negation, nonstandard, preposition, word_form
from assay.essays.errors.finding import Finding, Mark
from assay.essays.errors.reading import RuleContext, read
from assay.essays.text.text import Text

DETECTORS: Mapping[str, Callable[[RuleContext], Iterator[Mark]]] = {
    "duplicate": duplicate,
    "fused": fused,
    "apostrophe": apostrophe,
    "compound": compound,
    "possessive": possessive,
    "pronoun": pronoun,
    "nonstandard": nonstandard,
    "confused": confused,
    "comparison": comparison,
    "verb_form": verb_form,
    "agreement": agreement,
    "wrong_word": wrong_word,
    "wrong_article": wrong_article,
    "noun_number": noun_number,
    "article": article,
    "word_form": word_form,
    "preposition": preposition,
    "negation": negation,
    "hyphen": hyphen,
    "initial_capital": initial_capital,
    "proper_capital": proper_capital,
    "question_mark": question_mark,
    "final_punctuation": final_punctuation,
    "comma": comma,
    "run_on": run_on,
    "fragment": fragment,
    "repetition": repetition,
    "informal": informal,
    "conjunction_start": conjunction_start,
    "short_sentences": short_sentences,
    "long_sentences": long_sentences,
    "passive": passive,
}
"""Type -> rule, in order of trust: of two findings that share words, the earlier type stays."""

DEFAULT = frozenset(name for name, kind in CATALOGUE.items() if kind.on)


SENTENCE_TYPES = frozenset(["garbled", "proofread"])
"""Found from the other errors of a sentence."""


def findings(text: Text, *, types: frozenset[str] | None = None) -> tuple[Finding, ...]:
    """The errors and remarks of a text in reading order; of all types that are on, or of those named."""
    wanted = DEFAULT if types is None else types
    reading = read(text)
    sought = wanted | DEFAULT if wanted & SENTENCE_TYPES else wanted
    marked = [_from_mark(text, mark) for mark in _marks(reading, sought)]
    others = (*lints(reading), *misspellings(text.raw))
    placed = [_finding(text, o.type, o.start, o.end, o.suggestion) for o in others if o.type in sought]
    kept = _one_per_place([*marked, *placed])
    if wanted & SENTENCE_TYPES:
        kept += [_from_mark(text, mark) for mark in garbled_or_careless(reading, _by_sentence(reading, kept))]
    return tuple(sorted((f for f in kept if f.type in wanted), key=lambda f: (f.start, f.end, f.type)))


def _by_sentence(reading: RuleContext, found: Iterable[Finding]) -> list[list[str]]:
    """The categories of the errors on words in each sentence; remarks on style and missing commas do not count."""
    begins = [reading.starts[first] for first in reading.bounds[:-1]]
    categories: list[list[str]] = [[] for _ in begins]
    for f in found:
        if f.category != "style" and not CATALOGUE[f.type].sentence and f.type not in ("comma", "run_on"):
            categories[bisect_right(begins, f.start) - 1].append(f.category)
    return categories


def _marks(reading: RuleContext, wanted: frozenset[str]) -> Iterator[Mark]:
    for name, rule in DETECTORS.items():
        if name in wanted:
            yield from (mark for mark in rule(reading) if not touches(reading, mark))


def touches(reading: RuleContext, mark: Mark) -> bool:
    """Whether a mark on a few words covers a silent token; whole sentences may hold one."""
    if not reading.silent or mark.last - mark.first > 6:
        return False
    return any(i in reading.silent for i in range(mark.first, mark.last + 1))


CLITICS = frozenset(["'re", "'ve", "'ll", "'d", "'m", "n't"])


def _from_mark(text: Text, mark: Mark) -> Finding:
    """A finding on whole words: what is marked in `you're` is all of it, and the suggestion takes the rest along."""
    start, last, suggestion = int(text.starts[mark.first]), mark.last, mark.suggestion
    if _is_clitic(text, last + 1):
        last += 1
        suggestion = suggestion and suggestion + text.words[last]
    return _finding(text, mark.type, start, int(text.ends[last]), suggestion)


def _is_clitic(text: Text, i: int) -> bool:
    """Whether token i is the short end of a contraction; 's only where it is no possessive."""
    if i >= len(text) or text.starts[i] != text.ends[i - 1]:
        return False
    word = text.words[i].lower().replace("’", "'")
    return word in CLITICS or (word == "'s" and text.tags[i] != "POS")


def _finding(text: Text, name: str, start: int, end: int, suggestion: str | None) -> Finding:
    kind = CATALOGUE[name]
    return Finding(name, kind.category, start, end, text.raw[start:end], kind.explanation, suggestion)


def _one_per_place(found: Iterable[Finding]) -> list[Finding]:
    """Findings about words that share no character; sentences and style have layers of their own."""
    order = {name: k for k, name in enumerate(dict.fromkeys([*DETECTORS, *CATALOGUE]))}
    taken: dict[str, set[int]] = {}
    kept: list[Finding] = []
    for f in sorted(set(found), key=lambda f: (order[f.type], f.start, -f.end, f.suggestion or "")):
        layer = taken.setdefault(_layer(f), set())
        if layer.isdisjoint(range(f.start, f.end)):
            layer.update(range(f.start, f.end))
            kept.append(f)
    return kept


def _layer(f: Finding) -> str:
    """Findings compete within a layer: words; sentences by type; each remark on style by type."""
    alone = CATALOGUE[f.type].sentence or f.category == "style" or f.type in ("comma", "run_on")
    return f.type if alone else "words"
