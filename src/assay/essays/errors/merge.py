"""The front door: all findings of a text, one per place; by our rules, by our speller, and by Harper's rules."""

import re
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import MissingExtra
from assay.essays.errors import mechanics, nouns, sentences, usage, verbs
from assay.essays.errors.catalogue import CATALOGUE, Finding
from assay.essays.errors.lexicon import words
from assay.essays.errors.proposals import proposals
from assay.essays.errors.reading import Mark, Placed, RuleContext, read
from assay.essays.errors.spelling import misspellings
from assay.essays.errors.weighing import TYPES, unexpected_words
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
    "confused": (usage.its_and_your, usage.to_and_loose, usage.affect_and_effect),
    "comparison": (usage.comparison,),
    "verb_form": (verbs.after_auxiliary, verbs.after_preposition, verbs.after_verb),
    "agreement": (verbs.parsed_subjects, verbs.existential, verbs.pronoun_subjects, verbs.relative_clauses),
    "wrong_word": (usage.missing_be, usage.missing_word, usage.unheard_pairs, usage.although_but),
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
DEFAULT = frozenset(name for name, kind in CATALOGUE.items() if 10 * kind.right >= 7 * kind.judged)
"""Types of which seven in ten findings were right, and those nobody judged."""
SENTENCE_TYPES = frozenset(["garbled", "proofread"])
"""Found from the other errors of a sentence."""
ALONE = frozenset(name for name, kind in CATALOGUE.items() if kind.sentence or kind.category == "style")
ALONE |= {"comma", "run_on"}
"""Types that compete for a place only with their own; all others, which are about words, with each other."""
CLITICS = frozenset(["'re", "'ve", "'ll", "'d", "'m", "n't"])


def findings(text: Text, *, types: frozenset[str] | None = None) -> tuple[Finding, ...]:
    """The errors and remarks of a text in reading order; of all types that are on, or of those named."""
    asked = DEFAULT if types is None else types
    sought = asked | DEFAULT if asked & (SENTENCE_TYPES | frozenset(TYPES.values())) else asked
    reading = read(text)
    rules = dict.fromkeys(rule for name, rules in DETECTORS.items() if name in sought for rule in rules)
    # a mark on a few words must not cover a silent token; whole sentences may hold one
    marks = [
        mark
        for rule in rules
        for mark in rule(reading)
        if mark.last - mark.first > 6 or reading.silent.isdisjoint(range(mark.first, mark.last + 1))
    ]
    slips = misspellings(text.raw)
    placed = [*(_spelled(text, _placed(text, mark), slips) for mark in marks), *lints(reading), *slips]
    findings = _one_per_place(text, [place for place in placed if place.type in sought])
    if asked & frozenset(TYPES.values()):
        findings += _elsewhere(text, findings, reading)
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


def _elsewhere(text: Text, findings: Sequence[Finding], reading: RuleContext) -> list[Finding]:
    """What the model of word runs finds where no rule has marked a word."""
    counted = [f for f in findings if f.type not in ALONE or f.type in ("comma", "run_on")]
    taken = {place for f in counted for place in range(f.start, f.end)}
    marks = unexpected_words(reading, proposals(reading), len(counted))
    placed = [_placed(text, m) for m in marks if reading.silent.isdisjoint(range(m.first, m.last + 1))]
    return _one_per_place(text, [p for p in placed if taken.isdisjoint(range(p.start, p.end))])


def _placed(text: Text, mark: Mark) -> Placed:
    """Where whole words are marked: in `you're` it is all of it, and the suggestion takes the rest along."""
    last, suggestion = mark.last, mark.suggestion
    if mark.type == "agreement" and suggestion and " " not in suggestion and mark.first < last:
        # the rule says the verb alone: what stands before it in the mark stays
        before = text.raw[int(text.starts[mark.first]) : int(text.starts[last])]
        suggestion = f"{' '.join(before.split())} {suggestion}"
    if last + 1 < len(text) and text.starts[last + 1] == text.ends[last]:
        after = text.words[last + 1].lower().replace("’", "'")
        if after in CLITICS or (after == "'s" and text.tags[last + 1] != "POS"):
            last += 1
            suggestion = suggestion and suggestion + text.words[last]
    return Placed(mark.type, int(text.starts[mark.first]), int(text.ends[last]), suggestion, mark.confidence)


def _spelled(text: Text, place: Placed, slips: Sequence[Placed]) -> Placed:
    """A suggestion that repeats a misspelled word has the word that is meant: `hand ther` -> `hand, there`."""
    suggestion = place.suggestion
    k = bisect_left(slips, place.start, key=lambda slip: slip.start) if suggestion else len(slips)
    while suggestion and k < len(slips) and slips[k].end <= place.end:
        written, meant = text.raw[slips[k].start : slips[k].end], slips[k].suggestion
        if meant and slips[k].type == "spelling":
            pattern = rf"\b{re.escape(written)}\b"
            better = meant[:1].upper() + meant[1:]
            suggestion = re.sub(pattern, meant, suggestion)
            suggestion = re.sub(rf"\b{re.escape(written.capitalize())}\b", better, suggestion)
        k += 1
    return place if suggestion == place.suggestion else replace(place, suggestion=suggestion)


def _one_per_place(text: Text, placed: Iterable[Placed]) -> list[Finding]:
    """Findings about words that share no character; sentences and style have layers of their own."""
    taken: dict[str, set[int]] = {}
    findings: list[Finding] = []
    for p in sorted(set(placed), key=lambda p: (ORDER[p.type], p.start, -p.end, p.suggestion or "")):
        layer = taken.setdefault(p.type if p.type in ALONE else "words", set())
        if layer.isdisjoint(range(p.start, p.end)):
            layer.update(range(p.start, p.end))
            kind, marked = CATALOGUE[p.type], text.raw[p.start : p.end]
            sure = kind.confidence if p.confidence is None else p.confidence
            what = (p.type, kind.category, p.start, p.end, marked, kind.explanation, p.suggestion)
            findings.append(Finding(*what, confidence=sure))
    return findings


HARPER_RULES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "ThereToTheir": ("confused", ("there",)),
    "ItsContraction": ("confused", ("its",)),
    "ToTwoToo": ("confused", ("too",)),
    "NounVerbConfusion": ("confused", ("affect", "affects", "advise", "breath")),
    "PronounContraction": ("confused", ("'re",)),
    "WereWhere": ("confused", ("were",)),
    "FeelFell": ("confused", ("fell",)),
    "DoesOrDose": ("confused", ("dose",)),
    "ThesesThese": ("confused", ("theses",)),
    "ExitedExcitedContext": ("confused", ("exited",)),
    "OfCourse": ("confused", ("course", "corse")),
    "GetRidOf": ("confused", ("ride",)),
    "SupposedTo": ("verb_form", ("suppose",)),
    "DespiteOf": ("preposition", ("despite",)),
    "UnitedOrganizations": ("proper_capital", ("united",)),
    "MicrosoftNames": ("proper_capital", ("microsoft",)),
}
"""Harper rule -> our type, and the words without which it cannot fire; rules with many false alarms are absent."""

TRIGGERS = frozenset(word for _, triggers in HARPER_RULES.values() for word in triggers)
AFTER = {
    "there": frozenset(["NN", "NNS", "JJ", "JJR", "JJS", "CD", "NNP", "VBG", "VBN"]),
    "were": frozenset(["PRP", "PRP$", "DT", "NN", "NNS", "NNP"]),
    "'re": frozenset(["NN", "NNS", "JJ"]),
}
"""Trigger -> the tags that make it suspicious when they follow."""
THERE_IS = re.compile(
    r"\s*(?:needs?|is|are|was|were|has|have|had|will|would|should|can|could|may|might|must|seems?|comes?|goes|exists?|lies?|,|\.)(?:\b|$)",
    re.IGNORECASE,
)
"""What speaks against `ThereToTheir` when it follows: `there needs to be`."""


class _PerThread(threading.local):
    linter: Any = None  # Any: Harper's class is compiled and optional


_per_thread = _PerThread()


def lints(r: RuleContext) -> Iterator[Placed]:
    """Harper's findings on the sentences that hold a trigger and nothing silent, linted as one text."""
    triggered = {r.sentence_of[i] for i in r.words(TRIGGERS) if is_suspicious(r, i)}
    chosen = sorted(triggered - {r.sentence_of[i] for i in r.silent})
    if not chosen:
        return
    if _per_thread.linter is None:  # it knows our accepted words and runs our rules; building it takes half a second
        try:
            import harper  # noqa: PLC0415
        except ImportError as missing:
            raise MissingExtra("Finding errors", "essays") from missing
        linter = harper.Linter()
        linter.set_lint_config({rule: rule in HARPER_RULES for rule in linter.get_default_lint_config()})
        linter.import_words(sorted(words("accepted_words.txt")))
        _per_thread.linter = linter
    pieces: list[str] = []
    places: list[int] = []
    for s in chosen:
        start, end = r.starts[r.bounds[s]], r.ends[r.bounds[s + 1] - 1]
        pieces.append(r.text.raw[start:end].replace("\n", " "))
        places.extend(range(start, end + 2))
    joined = "\n\n".join(pieces)
    for rule, matches in _per_thread.linter.organized_lints(joined, language="plaintext", dedup=False).items():
        for lint in matches:
            start, end = lint.span.start, lint.span.end
            if end <= start or (rule == "ThereToTheir" and THERE_IS.match(joined[end:])):
                continue
            better = lint.suggestions[0] if lint.suggestions else None
            wording = better.replacement_text if better else ""
            if better and int(better.kind) == 2:  # to be inserted behind what is there
                wording = f"{lint.problem_text}{wording}"
            yield Placed(HARPER_RULES[rule][0], places[start], places[end - 1] + 1, wording or None)


def is_suspicious(r: RuleContext, i: int) -> bool:
    """Whether a trigger stands where its rule may fire; Harper takes 0.3 ms for a sentence, and few hold an error."""
    word, after, tag = r.lower[i], r.word(i + 1), r.tag(i + 1)
    if word == "were" and r.tag(i - 1) in ("VBN", "JJ"):
        return False  # `they would be entitled were they paid`
    if word in AFTER:
        return tag in AFTER[word]
    if word == "its":
        return after.endswith("thing") or (tag not in ("NN", "NNS", "NNP", "CD") and after != "own")
    if word == "united":
        return any(written.islower() for written in r.text.words[i : i + 2])
    if word == "ride":
        return r.word(i - 1) in ("get", "gets", "got", "getting")
    return word != "course" or r.word(i - 1) != "of"
