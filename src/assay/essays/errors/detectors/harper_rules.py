"""Harper's rules on words in context, where they are precise: which we ask, where, and the type of each."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assay.essays.errors.detectors.harper_linter import linter
from assay.essays.errors.finding import Placed
from assay.essays.errors.reading import RuleContext

RULES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "ThereToTheir": ("confused", ("there",)),
    "ItsContraction": ("confused", ("its",)),
    "ToTwoToo": ("confused", ("too",)),
    "NounVerbConfusion": ("confused", ("effect", "effects", "affect", "affects", "advise", "breath")),
    "PronounContraction": ("confused", ("'re",)),
    "WereWhere": ("confused", ("were",)),
    "FeelFell": ("confused", ("fell",)),
    "DoesOrDose": ("confused", ("dose",)),
    "QuiteQuiet": ("confused", ("quite", "quiet")),
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

TRIGGERS = frozenset(word for _, triggers in RULES.values() for word in triggers)
NOUN_PHRASE = frozenset(["NN", "NNS", "JJ", "JJR", "JJS", "CD", "NNP", "VBG", "VBN"])
THERE_IS = re.compile(
    r"\s*(?:needs?|is|are|was|were|has|have|had|will|would|should|can|could|may|might|must|seems?|comes?|goes|exists?|lies?|,|\.)(?:\b|$)",
    re.IGNORECASE,
)


def lints(r: RuleContext) -> Iterator[Placed]:
    """Harper's findings on the sentences that hold a trigger and nothing silent, linted as one text."""
    triggered = {r.sentence_of[i] for i in r.words(TRIGGERS) if is_suspicious(r, i)}
    chosen = sorted(triggered - {r.sentence_of[i] for i in r.silent})
    if not chosen:
        return
    starts = [r.starts[r.bounds[s]] for s in chosen]
    pieces = [
        r.text.raw[start : r.ends[r.bounds[s + 1] - 1]].replace("\n", " ")
        for s, start in zip(chosen, starts, strict=True)
    ]
    joined = "\n\n".join(pieces)
    places = [
        start for piece, start in zip(pieces, starts, strict=True) for start in range(start, start + len(piece) + 2)
    ]
    for rule, found in linter(RULES).organized_lints(joined, language="plaintext", dedup=False).items():
        for lint in found:
            start, end = lint.span.start, lint.span.end
            if end > start and trusted(rule, joined[end:]):
                yield Placed(RULES[rule][0], places[start], places[end - 1] + 1, suggestion_of(lint))


def is_suspicious(r: RuleContext, i: int) -> bool:
    """Whether a trigger stands where its rule may fire; Harper takes 0.3 ms for a sentence, and few hold an error."""
    word, after, tag = r.lower[i], r.word(i + 1), r.tag(i + 1)
    if word in AFTER:
        return tag in AFTER[word]
    if word == "its":
        return after.endswith("thing") or (tag not in ("NN", "NNS", "NNP", "CD") and after != "own")
    if word == "united":
        return any(written.islower() for written in r.text.words[i : i + 2])
    if word == "ride":
        return r.word(i - 1) in ("get", "gets", "got", "getting")
    return word != "course" or r.word(i - 1) != "of"


AFTER = {
    "there": NOUN_PHRASE,
    "were": frozenset(["PRP", "PRP$", "DT", "NN", "NNS", "NNP"]),
    "'re": frozenset(["NN", "NNS", "JJ"]),
}
"""Trigger -> the tags that make it suspicious when they follow."""


def trusted(rule: str, after: str) -> bool:
    """Whether what follows does not speak against the rule: `there needs to be`."""
    return rule != "ThereToTheir" or not THERE_IS.match(after)


def suggestion_of(lint: Any) -> str | None:
    """The first suggestion as the whole new wording. `Any`: Harper's class is compiled and optional."""
    if not lint.suggestions:
        return None
    first = lint.suggestions[0]
    inserted = int(first.kind) == 2
    return f"{lint.problem_text}{first.replacement_text}" if inserted else first.replacement_text or None
