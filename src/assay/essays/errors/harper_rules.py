"""Harper's rules on words in context, where they are precise: which we ask, where, and the type of each."""

import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from assay.errors import MissingExtra
from assay.essays.errors.lexicon import words
from assay.essays.errors.reading import Placed, RuleContext

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


def _linter() -> Any:
    """One linter per thread that knows our accepted words and runs our rules; building it takes half a second."""
    if _per_thread.linter is None:
        try:
            import harper  # noqa: PLC0415
        except ImportError as missing:
            raise MissingExtra("Finding errors", "essays") from missing
        linter = harper.Linter()
        linter.set_lint_config({rule: rule in RULES for rule in linter.get_default_lint_config()})
        linter.import_words(sorted(words("accepted_words.txt")))
        _per_thread.linter = linter
    return _per_thread.linter


def lints(r: RuleContext) -> Iterator[Placed]:
    """Harper's findings on the sentences that hold a trigger and nothing silent, linted as one text."""
    triggered = {r.sentence_of[i] for i in r.words(TRIGGERS) if is_suspicious(r, i)}
    chosen = sorted(triggered - {r.sentence_of[i] for i in r.silent})
    if not chosen:
        return
    pieces: list[str] = []
    places: list[int] = []
    for s in chosen:
        start, end = r.starts[r.bounds[s]], r.ends[r.bounds[s + 1] - 1]
        pieces.append(r.text.raw[start:end].replace("\n", " "))
        places.extend(range(start, end + 2))
    joined = "\n\n".join(pieces)
    for rule, matches in _linter().organized_lints(joined, language="plaintext", dedup=False).items():
        for lint in matches:
            start, end = lint.span.start, lint.span.end
            if end <= start or (rule == "ThereToTheir" and THERE_IS.match(joined[end:])):
                continue
            better = lint.suggestions[0] if lint.suggestions else None
            wording = better.replacement_text if better else ""
            if better and int(better.kind) == 2:  # to be inserted behind what is there
                wording = f"{lint.problem_text}{wording}"
            yield Placed(RULES[rule][0], places[start], places[end - 1] + 1, wording or None)


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
