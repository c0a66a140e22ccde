"""Instructions in plain English -> edits of the rules, by a table of phrasings: offline and the same every time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.annotations.rubric.changes import Edit, KnownNames
from assay.annotations.rubric.edits import Refusal, read_edit
from assay.annotations.rubric.frames import edits_of
from assay.annotations.rubric.lexicon import ATTRIBUTE, CLASS, Tokens, tokenize
from assay.annotations.rubric.phrases import PHRASES
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.rubric.sentence import NEUTRAL
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
REASON = re.compile(r"^(?P<before>.{3,200}?),? so (?P<rule>(?!that\b|much\b|many\b).{3,200})$", re.IGNORECASE)
BECAUSE = re.compile(r"^(?P<rule>.{3,200}?),? (?:because|since) (?P<after>.{3,200})$", re.IGNORECASE)
ASIDE = re.compile(r"^(?P<before>[^,]{3,200}), (?P<rule>[^,]{3,200})$")
PRONOUN = re.compile(r"\b(?:them|those|it|they)\b", re.IGNORECASE)
"""A reason is no rule: "we haven't taught cyclists yet, so ignore them" asks to ignore cyclists."""


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
        if (rule := self.without_reason(clause)) is not None:
            return self.reading(rule, level)
        for deeper in range(level, len(SEPARATORS)):
            parts = [part for part in SEPARATORS[deeper].split(text) if part.strip()]
            if len(parts) > 1:
                return sum((self.reading(part, deeper) for part in parts), InstructionReading())
        asked = " ".join(text.split())
        return InstructionReading(not_understood=(Refusal(asked, self.why_not(asked, problems), OFFLINE),))

    def without_reason(self, clause: str) -> str | None:
        """The rule of a sentence with a reason, with the names that stand in the reason; None where there is none."""
        match = REASON.match(clause) or BECAUSE.match(clause)
        aside = ASIDE.match(clause) if match is None else None
        if aside is not None and PRONOUN.search(aside["rule"]) and not self.edits(aside["before"], []):
            match = aside if not tokenize(aside["before"], self.known).unknown else None
        if match is None or not PRONOUN.search(match["rule"]):
            return match["rule"] if match is not None and "after" in match.groupdict() else None
        tokens = tokenize(match.groupdict().get("before") or match.groupdict().get("after") or "", self.known)
        names = tokens.named(CLASS) or tokens.named(ATTRIBUTE)
        return PRONOUN.sub(" and ".join(names), match["rule"]) if names else None

    def why_not(self, asked: str, problems: list[InputError]) -> str:
        """What stands in the way, and the nearest instructions that would be understood."""
        misspelt = [str(problem) for problem in problems if "Did you mean" in str(problem)]
        if misspelt:
            return misspelt[-1]
        words = tokenize(asked, self.known)
        unknown = ", ".join(repr(word) for word in words.unknown[:3])
        said = f"Couldn't understand {unknown}." if unknown else "Couldn't tell what should change."
        name = next((str(p) for p in problems if "There is no" in str(p) and unknown), "")
        offers = " or ".join(f"“{offer}”" for offer in nearest(words, self.known))
        return " ".join(filter(None, (name or said, f"Try {offers}." if offers else "")))

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
        try:
            return [read_edit(fields, self.known) for fields in edits_of(tokenize(clause, self.known), self.rubric)]
        except InputError as problem:
            problems.append(problem)
            return []


EXAMPLES = (
    *("don't penalize extra boxes", "missed objects cost twice as much", "misses matter more than extras"),
    *("misses and extras are equally bad", "duplicates cost double", "missed {class} count double"),
    *("ignore {attribute}", "{attribute} counts double", "ignore {attribute} on {class}"),
    *("compare {attribute} exactly", "allow typos in {attribute}", "attributes don't matter"),
    *("{class} counts three times as much", "ignore {class}", "only score {class}"),
    *("treat {class} and {other} as the same class", "give 50% for mixing up {class} and {other}"),
    *("no credit for the wrong class", "give 30% for the wrong class"),
    *("require at least 70% overlap", "overlap of at least 0.6 for {class}", "be stricter about position"),
    *("be more lenient about position", "overlap above 0.9 is perfect", "small deviations are fine"),
    *("ignore objects smaller than 20 pixels", "position matters most", "label twice as important as position"),
    *("position 50%, label 30% and attributes 20%", "completeness is 40% of the score"),
    *("count images correctly left empty", "don't count missing images", "the pass mark is 70"),
    *("labels must match", "match by {attribute}", "a box may match a polygon"),
)
"""What can be asked for, in the words offered to people; each is understood."""


def examples(known: KnownNames) -> Iterator[str]:
    """The examples, with names of these rules; those for which there are none are left out."""
    names = {"class": known.labels[:1], "other": known.labels[1:2], "attribute": known.attributes[:1]}
    fields = {field: listed[0] for field, listed in names.items() if listed}
    for example in EXAMPLES:
        if all(f"{{{field}}}" not in example for field in names if field not in fields):
            yield example.format(**fields)


def nearest(words: Tokens, known: KnownNames, most: int = 3) -> tuple[str, ...]:
    """The examples that share most concepts with a sentence; the first of the table when none shares any."""
    said = words.concepts() - NEUTRAL

    def shared(example: str) -> float:
        own = tokenize(example, known).concepts() - NEUTRAL
        return len(said & own) / max(len(said | own), 1)

    return tuple(sorted(examples(known), key=shared, reverse=True)[:most])
