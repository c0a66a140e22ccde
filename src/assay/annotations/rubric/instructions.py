"""Instructions in plain English -> edits of the rules, by a table of phrasings: offline and the same every time."""

import re
from dataclasses import dataclass, replace

from assay.annotations.rubric.changes import Edit, KnownNames
from assay.annotations.rubric.edits import Refusal, read_edit
from assay.annotations.rubric.phrases import PHRASES
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError

OFFLINE = "read offline"
MOST_LETTERS = 2000
SEPARATORS = (
    re.compile(r"\s*(?:[;\n]|[.!](?=\s|$))\s*"),
    re.compile(r"\s*,(?!\d)\s*(?:and |but |then |also )*", re.IGNORECASE),
    re.compile(r"\s+(?:and|but|then)\s+(?:also\s+)?", re.IGNORECASE),
)
"""Where an instruction falls into parts: sentences, then commas, then "and"; only where the whole is not understood."""
POLITE = re.compile(
    r"^(?:(?:and|but|also|then|please|kindly|could you|can you|you should|i want(?: you)? to) )+|(?:,? please)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class InstructionReading:
    """What an instruction asks for."""

    edits: tuple[Edit, ...] = ()
    not_understood: tuple[Refusal, ...] = ()

    def __add__(self, other: "InstructionReading") -> "InstructionReading":
        return InstructionReading(self.edits + other.edits, self.not_understood + other.not_understood)


def read_instructions(text: str, rubric: Rubric, known: KnownNames | None = None) -> InstructionReading:
    """The edits in an instruction, and the parts that no phrasing fits.

    The table is small and certain on purpose: what it does not know goes to the person, or to a language model.

    >>> from assay.annotations.rubric.rubric import AttributeRule, LabelRule
    >>> rubric = Rubric(labels=(LabelRule("Car", (AttributeRule("color"),)),))
    >>> [edit.action for edit in read_instructions("ignore color, label twice as important", rubric).edits]
    ['ignore_attribute', 'scale_weight']
    """
    if len(text) > MOST_LETTERS:
        too_long = f"The instruction has {len(text):,} letters; at most {MOST_LETTERS:,} are read."
        raise InputError(too_long, field="instructions")
    names = KnownNames.of(rubric) if known is None else known
    return _PhraseReader(rubric, names).reading(text.strip(), 0)


class _PhraseReader:
    def __init__(self, rubric: Rubric, known: KnownNames) -> None:
        self.rubric, self.known = rubric, known
        self.verb = ""
        """The last verb with an object: "ignore color, size and shape" says it once."""

    def reading(self, text: str, level: int) -> InstructionReading:
        """A text as a whole if a phrasing fits, else its parts."""
        clause = POLITE.sub("", " ".join(text.split()).rstrip(".!")).strip()
        if not clause:
            return InstructionReading()
        problems: list[InputError] = []
        # what is wrong with a verb that was only carried over says nothing about the words that are there
        edits = self.edits(clause, problems) or (self.edits(f"{self.verb} {clause}", []) if self.verb else [])
        if edits:
            return InstructionReading(tuple(replace(edit, source=OFFLINE) for edit in edits))
        for deeper in range(level, len(SEPARATORS)):
            parts = [part for part in SEPARATORS[deeper].split(text) if part.strip()]
            if len(parts) > 1:
                return sum((self.reading(part, deeper) for part in parts), InstructionReading())
        why = str(problems[-1]) if problems else "No phrasing that is known fits."
        return InstructionReading(not_understood=(Refusal(" ".join(text.split()), why, OFFLINE),))

    def edits(self, clause: str, problems: list[InputError]) -> list[Edit]:
        """The edits of the first phrasing whose words and names fit."""
        for pattern, meaning in PHRASES:
            match = pattern.fullmatch(clause)
            if match is None:
                continue
            try:
                edits = [read_edit(fields, self.known) for fields in meaning(match, self.rubric, self.known)]
            except InputError as problem:
                problems.append(problem)
                continue
            if edits:
                self.verb = match.groupdict().get("verb") or ""
                return edits
        return []
