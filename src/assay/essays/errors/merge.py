"""The front door: all findings of a text, one per place."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping

from assay.essays.errors import mechanics, nouns, sentences, usage, verbs
from assay.essays.errors.catalogue import CATALOGUE, Finding
from assay.essays.errors.harper_rules import lints
from assay.essays.errors.reading import Mark, Placed, RuleContext, read
from assay.essays.errors.spelling import misspellings
from assay.essays.text.text import Text

Rule = Callable[[RuleContext], Iterator[Mark]]

DETECTORS: Mapping[str, tuple[Rule, ...]] = {
    "duplicate": (mechanics.duplicate,),
    "fused": (mechanics.word_boundaries,),
    "apostrophe": (mechanics.apostrophe,),
    "compound": (mechanics.word_boundaries,),
    "possessive": (nouns.pronouns_and_possessives,),
    "pronoun": (nouns.coordinated_pronoun, nouns.pronouns_and_possessives),
    "nonstandard": (usage.nonstandard,),
    "confused": (usage.its_and_your, usage.to_and_loose),
    "comparison": (usage.comparison,),
    "verb_form": (verbs.after_auxiliary, verbs.after_preposition, verbs.after_verb),
    "agreement": (verbs.parsed_subjects, verbs.existential, verbs.pronoun_subjects, verbs.relative_clauses),
    "wrong_word": (usage.missing_be, usage.missing_word, usage.unheard_pairs),
    "wrong_article": (nouns.wrong_article,),
    "noun_number": (nouns.plural_determiner, nouns.singular_determiner, nouns.quantity),
    "article": (nouns.missing_article,),
    "word_form": (usage.word_form,),
    "preposition": (usage.preposition,),
    "negation": (usage.negation,),
    "hyphen": (mechanics.hyphen,),
    "initial_capital": (mechanics.capitals,),
    "proper_capital": (mechanics.capitals,),
    "question_mark": (mechanics.question_mark,),
    "final_punctuation": (mechanics.final_punctuation,),
    "comma": (
        mechanics.comma_after_opening_words,
        mechanics.comma_after_opening_clause,
        mechanics.comma_after_opening_phrase,
        mechanics.comma_between_clauses,
        mechanics.comma_by_word,
    ),
    "run_on": (sentences.fused_sentences, sentences.comma_splices),
    "fragment": (sentences.fragment,),
    "repetition": (sentences.repetition,),
    **dict.fromkeys(
        ("informal", "conjunction_start", "short_sentences", "long_sentences", "passive"), (sentences.style_remarks,)
    ),
}
"""Type -> rules, in order of trust: of two findings that share words, the earlier type stays."""

ORDER = {name: k for k, name in enumerate(dict.fromkeys([*DETECTORS, *CATALOGUE]))}
DEFAULT = frozenset(name for name, kind in CATALOGUE.items() if kind.on)
SENTENCE_TYPES = frozenset(["garbled", "proofread"])
"""Found from the other errors of a sentence."""
ALONE = frozenset(name for name, kind in CATALOGUE.items() if kind.sentence or kind.category == "style")
ALONE |= {"comma", "run_on"}
"""Types that compete for a place only with their own; all others, which are about words, with each other."""
CLITICS = frozenset(["'re", "'ve", "'ll", "'d", "'m", "n't"])


def findings(text: Text, *, types: frozenset[str] | None = None) -> tuple[Finding, ...]:
    """The errors and remarks of a text in reading order; of all types that are on, or of those named."""
    asked = DEFAULT if types is None else types
    sought = asked | DEFAULT if asked & SENTENCE_TYPES else asked
    reading = read(text)
    rules = dict.fromkeys(rule for name, rules in DETECTORS.items() if name in sought for rule in rules)
    # a mark on a few words must not cover a silent token; whole sentences may hold one
    marks = [
        mark
        for rule in rules
        for mark in rule(reading)
        if mark.last - mark.first > 6 or reading.silent.isdisjoint(range(mark.first, mark.last + 1))
    ]
    placed = [*(_placed(text, mark) for mark in marks), *lints(reading), *misspellings(text.raw)]
    findings = _one_per_place(text, [place for place in placed if place.type in sought])
    if asked & SENTENCE_TYPES:
        # remarks on style, sentences and missing commas do not count
        begins = [reading.starts[first] for first in reading.bounds[:-1]]
        categories: list[list[str]] = [[] for _ in begins]
        for f in findings:
            if f.type not in ALONE:
                categories[bisect_right(begins, f.start) - 1].append(f.category)
        careless = sentences.garbled_or_careless(reading, categories)
        findings += _one_per_place(text, [_placed(text, mark) for mark in careless])
    return tuple(sorted((f for f in findings if f.type in asked), key=lambda f: (f.start, f.end, f.type)))


def _placed(text: Text, mark: Mark) -> Placed:
    """Where whole words are marked: in `you're` it is all of it, and the suggestion takes the rest along."""
    last, suggestion = mark.last, mark.suggestion
    if last + 1 < len(text) and text.starts[last + 1] == text.ends[last]:
        after = text.words[last + 1].lower().replace("’", "'")
        if after in CLITICS or (after == "'s" and text.tags[last + 1] != "POS"):
            last += 1
            suggestion = suggestion and suggestion + text.words[last]
    return Placed(mark.type, int(text.starts[mark.first]), int(text.ends[last]), suggestion)


def _one_per_place(text: Text, placed: Iterable[Placed]) -> list[Finding]:
    """Findings about words that share no character; sentences and style have layers of their own."""
    taken: dict[str, set[int]] = {}
    findings: list[Finding] = []
    for p in sorted(set(placed), key=lambda p: (ORDER[p.type], p.start, -p.end, p.suggestion or "")):
        layer = taken.setdefault(p.type if p.type in ALONE else "words", set())
        if layer.isdisjoint(range(p.start, p.end)):
            layer.update(range(p.start, p.end))
            kind, words = CATALOGUE[p.type], text.raw[p.start : p.end]
            findings.append(Finding(p.type, kind.category, p.start, p.end, words, kind.explanation, p.suggestion))
    return findings
