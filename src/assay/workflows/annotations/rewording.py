"""Feedback reworded by a language model, where it keeps every fact; the computed sentence stands where it does not."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assay.annotations.grading.graded import Graded
from assay.annotations.matching.text_similarity import normalised
from assay.errors import InputError
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.language_model import LanguageModel
from assay.workflows.annotations.instructions import printable

NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")
QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
SIDES = {"left", "right", "top", "bottom", "up", "down"}
SIDES |= {"loose", "tight", "beyond", "short", "missed", "extra", "empty"}
"""Words whose loss or gain turns a piece of advice into another one."""
DENIALS = re.compile(r"\b(?:no|not|never|nothing|none|without)\b|n't\b", re.IGNORECASE)

TASK = (
    "Say the following to a student in one or two friendly, plain sentences. Keep every number, every name in quotes "
    "and every direction exactly as it is. Add nothing. Answer with the sentences only."
)


@dataclass(frozen=True, slots=True)
class Reworded:
    """A sentence of feedback as it is shown, and as it was computed."""

    original: str
    text: str
    kept_because: str = ""
    """Why the original stands; empty when the rewording does."""


def reword(sentences: Iterable[str], model: LanguageModel, *, names: Sequence[str] = ()) -> tuple[Reworded, ...]:
    """Each sentence in the model's words if all its facts are in them, else as it was.

    Only the sentences are sent. Grading never fails for want of a model: after a failed request the rest stays as is.
    """
    done: list[Reworded] = []
    failed = ""
    for sentence in sentences:
        if not failed:
            try:
                asked = [{"role": "system", "content": TASK}, {"role": "user", "content": sentence}]
                said = printable(model.answer(asked, most_tokens=200), most=2000)
            except InputError as problem:
                failed = str(problem)
        lost = failed or lost_facts(sentence, said, names)
        done.append(Reworded(sentence, sentence if lost else said, lost))
    return tuple(done)


def with_rewording(graded: Graded, model: LanguageModel, observer: Observer = SILENT) -> Graded:
    """The same grades, each piece of advice also in the model's words where these keep every fact."""
    # many students hear the same: it is asked for once
    sentences = list(dict.fromkeys(advice.sentence for one in graded.feedback.values() for advice in one.advice))
    names = graded.batch.truth.annotations.labels
    asked = with_progress([(sentence,) for sentence in sentences], observer, "rewording", len(sentences))
    answers = {one.original: one for one in reword((sentence for (sentence,) in asked), model, names=names)}
    unchanged = Counter(one.kept_because for one in answers.values() if one.kept_because)
    lines = [f"Reworded {len(answers) - unchanged.total()} of {len(answers)} sentences of feedback."]
    lines += [f"  {count} stand as they were: {why}" for why, count in unchanged.items()]
    observer.remark("\n".join(lines) if answers else "There is no feedback to reword: no habit stood out.")
    texts = {sentence: "" if one.kept_because else one.text for sentence, one in answers.items()}
    feedback = {
        name: replace(one, advice=tuple(replace(said, reworded=texts[said.sentence]) for said in one.advice))
        for name, one in graded.feedback.items()
    }
    return replace(graded, feedback=feedback)


def lost_facts(original: str, rewording: str, names: Sequence[str] = ()) -> str:
    """What a rewording changes in the facts of a sentence; empty when nothing.

    >>> lost_facts("You missed 3 of 40 objects of class 'Car'.", "Of 40 'Car' objects you missed 3.")
    ''
    >>> lost_facts("You missed 3 of 40 objects of class 'Car'.", "You missed some of the 40 objects of class 'Car'.")
    'The rewording has other numbers.'
    """
    if not rewording or len(rewording) > 3 * len(original) + 100:
        return "The rewording is empty or far too long."
    if Counter(NUMERAL.findall(original)) != Counter(NUMERAL.findall(rewording)):
        return "The rewording has other numbers."
    quoted = {single or double for single, double in QUOTED.findall(original)}
    stated = quoted | {name for name in names if normalised(name) in normalised(original)}
    if any(normalised(name) not in normalised(rewording) for name in stated):
        return "The rewording leaves out a name."
    before, after = (SIDES.intersection(re.findall(r"[a-z]+", text.lower())) for text in (original, rewording))
    if before != after:
        return "The rewording has other directions."
    if len(DENIALS.findall(original)) != len(DENIALS.findall(rewording)):
        return "The rewording denies something else."
    return ""
