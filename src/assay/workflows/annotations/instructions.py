"""Instructions in plain language -> a proposal of edited rules, said in words before it applies.

Read offline first; only what stays open goes to a language model, and only if one is configured. It is sent the names
and settings of the rules and the open part of the instruction: no annotations, no values of attributes, no file names.

Feedback is reworded by it too, where it keeps every fact; the computed sentence stands where it does not.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from assay.annotations.grading.graded import Graded
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.change_words import already_words, change_words
from assay.annotations.rubric.changes import ACTIONS, Edit, KnownNames
from assay.annotations.rubric.edits import Refusal, apply_edits, edit_words, read_edit
from assay.annotations.rubric.instructions import OFFLINE, InstructionReading, read_instructions
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.language_model import LanguageModel, object_in

BY_MODEL = "language model"
MOST_EDITS = 40
MOST_NAMES = 100
"""More labels or attributes are not listed in the schema of the answer, only in the rules."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the rules would become. Nothing is changed until someone agrees."""

    before: Rubric
    after: Rubric
    edits: tuple[Edit, ...]
    not_understood: tuple[Refusal, ...]
    """Parts of the instruction, or of a model's answer, that are not followed, each with the reason."""
    already: tuple[Edit, ...] = ()
    """What the rules say already."""

    @property
    def changes_something(self) -> bool:
        return self.before != self.after


def propose_rubric(
    instructions: str, rubric: Rubric, *, model: LanguageModel | None = None, known: KnownNames | None = None
) -> Proposal:
    """The rules as an instruction wants them; a model is asked only for what was not understood offline."""
    names = KnownNames.of(rubric) if known is None else known
    reading = read_instructions(instructions, rubric, names)
    if reading.not_understood and model is not None:
        asked = [part.asked for part in reading.not_understood]
        answer = model.answer(prompt("; ".join(asked), rubric, names), schema=answer_schema(names))
        reading = replace(reading, not_understood=()) + read_answer(answer, asked, names)
    edited = apply_edits(rubric, reading.edits)
    open_parts = (*reading.not_understood, *edited.refused)
    return Proposal(rubric, edited.rubric, edited.applied, open_parts, edited.already)


# ---- what is sent --------------------------------------------------------------------------------------------------

VOCABULARY = files("assay.workflows.annotations").joinpath("vocabulary.txt").read_text(encoding="utf-8")
"""What a model is told of the edits there are."""


def prompt(instruction: str, rubric: Rubric, known: KnownNames) -> list[dict[str, str]]:
    """The messages a model gets: the vocabulary, the rules without values of attributes, the instruction."""
    settings = {name: getattr(rubric, name) for name in ACTIONS["set"].parts}
    asked = {"settings": settings, "labels": known.labels, "attributes": known.attributes, "instruction": instruction}
    rules = f"The rules:\n{pseudocode(rubric)}\n\n{json.dumps(asked, ensure_ascii=False)}"
    return [{"role": "system", "content": VOCABULARY}, {"role": "user", "content": rules}]


def answer_schema(known: KnownNames) -> dict[str, Any]:
    """The JSON schema of an answer: only the vocabulary, only names that exist."""
    text, number = {"type": "string", "maxLength": 200}, {"type": "number"}
    one_of = {
        kind: {"enum": list(names)} if 0 < len(names) <= MOST_NAMES else text
        for kind, names in (("attribute", known.attributes), ("label", known.labels), ("other", known.labels))
    }
    shapes = []
    for action, rule in ACTIONS.items():
        value: dict[str, Any] = {"enum": list(rule.values)} if isinstance(rule.values, tuple) else number
        value = {"type": "boolean"} if rule.values == ("true", "false") else value
        if callable(rule.values):
            value = {"anyOf": [number, {"type": "string", "maxLength": 20}, {"type": "boolean"}]}
        kinds: dict[str, Any] = {"part": {"enum": list(rule.parts)}, **one_of, "value": value}
        needed = {name: kinds[name] for name in rule.needs}
        allowed = {name: {"anyOf": [kinds[name], {"type": "null"}]} for name in rule.may}
        shapes.append(_closed({"words": text, "action": {"enum": [action]}, **needed, **allowed}))
    listed = {"type": "array", "items": text, "maxItems": 10}
    edits = {"type": "array", "items": {"anyOf": shapes}, "maxItems": 20}
    return _closed({"edits": edits, "not_understood": listed})


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    required = {"required": list(properties), "additionalProperties": False}
    return {"type": "object", "properties": dict(properties), **required}


# ---- what comes back -----------------------------------------------------------------------------------------------


def read_answer(answer: str, parts: Sequence[str], known: KnownNames) -> InstructionReading:
    """The edits in a model's answer to parts of an instruction.

    It is a stranger's text: bounded, of one shape, every edit checked by itself. What the model says it did not
    understand is not shown: the parts that stay open are.
    """
    content = _object_in(answer)
    surplus = sorted(set(content) - {"edits", "not_understood"})
    edits, open_parts = content.get("edits", []), content.get("not_understood", [])
    if surplus or not isinstance(edits, list) or not isinstance(open_parts, list):
        what = f"holds {printable(surplus[0])!r}" if surplus else "does not hold lists"
        problem = f"The language model's answer {what}; nothing of it is used"
        raise InputError(problem, field="instructions", remedy="Say the instruction otherwise.")
    if len(edits) > MOST_EDITS or len(open_parts) > MOST_EDITS:
        problem = f"The language model asks for more than {MOST_EDITS} edits; nothing of it is used."
        raise InputError(problem, field="instructions")
    read, quoted = InstructionReading(), []
    for raw in edits:
        one = _one_edit(raw, "; ".join(parts), known)
        quoted += [normalised(raw["words"])] if one.edits else []
        read += one
    left = [part for part in parts if not any(q in normalised(part) or normalised(part) in q for q in quoted)]
    refusals = (Refusal(part, "The language model found no edit for it.", BY_MODEL) for part in left)
    return InstructionReading(not_understood=tuple(refusals)) + _without_repeats(read)


def _one_edit(raw: Any, instruction: str, known: KnownNames) -> InstructionReading:
    try:
        if not isinstance(raw, dict):
            raise InputError("An edit is an object with named fields.", field="edit")
        words = raw.get("words")
        # small models repeat the example of the prompt: whether the words stand in the instruction tells it apart
        if not isinstance(words, str) or len(words.strip()) <= 2 or normalised(words) not in normalised(instruction):
            raise InputError("It does not quote the words of the instruction that it follows.", field="words")
        edit = read_edit({key: value for key, value in raw.items() if key != "words"}, known, BY_MODEL)
        return InstructionReading(edits=(replace(edit, source=f'{BY_MODEL}, for "{printable(words, 60)}"'),))
    except InputError as problem:
        asked = f"proposed by the model: {printable(json.dumps(raw, ensure_ascii=False))}"
        return InstructionReading(not_understood=(Refusal(asked, printable(str(problem)), BY_MODEL),))


WEIGHING = {
    **dict.fromkeys(("set_weight", "scale_weight", "set_share"), "weight"),
    **dict.fromkeys(("weigh_attribute", "scale_attribute", "ignore_attribute", "include_attribute"), "attribute"),
    **dict.fromkeys(("set_key", "drop_key"), "key"),
    **dict.fromkeys(("count_only", "leave_out_label", "count_all_labels"), "labels"),
}
"""Actions that undo each other."""


def _without_repeats(read: InstructionReading) -> InstructionReading:
    """Edits of one and the same thing contradict each other: none of them is taken."""

    def target(edit: Edit) -> tuple[str, ...]:
        kind = WEIGHING.get(edit.action, edit.action)
        return (kind,) if kind == "key" else (kind, edit.part, edit.attribute, edit.label)

    times = Counter(map(target, read.edits))
    once = tuple(edit for edit in read.edits if times[target(edit)] == 1)
    twice = dict.fromkeys(edit_words(edit) for edit in read.edits if times[target(edit)] > 1)
    why = "The language model's answer contradicts or repeats itself here."
    return InstructionReading(once, read.not_understood + tuple(Refusal(text, why, BY_MODEL) for text in twice))


def _object_in(answer: str) -> dict[str, Any]:
    """The one JSON object in a text."""
    try:
        return object_in(answer)
    except ValueError as why:
        problem = f"The language model's answer {why}; nothing of it is used"
    raise InputError(problem, field="instructions", remedy="Say the instruction otherwise, or use a larger model.")


def printable(text: str, most: int = 200) -> str:
    """A stranger's text on one line, without control characters that could steer a terminal.

    >>> printable("a\\x1b[31m b\\n c")
    'a[31m b c'
    """
    clean = "".join(letter if letter.isprintable() else " " if letter.isspace() else "" for letter in text)
    line = " ".join(clean.split())
    return line if len(line) <= most else line[: most - 1] + "…"


# ---- what is shown -------------------------------------------------------------------------------------------------


def summary(proposal: Proposal) -> Iterator[str]:
    """What would change, in sentences; then what is so already; then what is not followed, with the reason."""
    changes = change_words(proposal.before, proposal.after)
    if changes:
        yield "What will change:"
        yield from (f"  {sentence}" for sentence in changes)
    by_model = [edit for edit in proposal.edits if edit.source != OFFLINE]
    if by_model:
        yield "Read by the language model, please check:"
        yield from (f"  {edit_words(edit)}  ({edit.source})" for edit in by_model)
    if proposal.already:
        yield "Already so:"
        yield from dict.fromkeys(f"  {already_words(proposal.after, edit)}" for edit in proposal.already)
    if proposal.not_understood:
        yield "Not understood, and not changed:"
        for part in proposal.not_understood:
            yield f"  {part.asked}"
            yield f"    {part.why}"


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
