"""A sentence of concepts, with the questions that frames ask of it."""

from dataclasses import dataclass

from assay.annotations.rubric.lexicon import ATTRIBUTE, CLASS, FACTOR, FRACTION, NUMBER, PERCENT, Token, Tokens
from assay.annotations.rubric.rubric import Rubric

RawEdit = dict[str, str | float]
PARTS = {
    **{"POSITION": "localisation", "LABEL": "label", "ATTRIBUTES": "attributes"},
    **{"QUALITY": "quality", "COMPLETENESS": "completeness"},
}
FAMILIES = {"BOX": "box", "AREA": "area", "SKELETON": "skeleton", "LINE": "line", "CUBOID": "cuboid"}
COSTS = {"MISS": "miss_cost", "EXTRA": "extra_cost", "DUPLICATE": "duplicate_cost"}
AMOUNTS = (NUMBER, PERCENT, FACTOR, FRACTION)
DEEDS = ("COUNT", "PENALIZE", "REWARD", "CREDIT")
NEUTRAL = frozenset(("AND", "AT_LEAST", "OBJECTS", "SHARE", "LIKEWISE"))
"""Concepts that say nothing by themselves."""
STEP, FULL, ABOUT_RIGHT, HALF = 0.2, 1.0, 0.9, 0.5
"""How much stricter or more lenient an overlap becomes; what "full", "about right" and "partial" stand for."""
SMALL_SIDE = 32.0
"""COCO calls an object small below 32 x 32 pixels."""


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """A sentence of concepts, with the questions that frames ask of it."""

    words: Tokens
    rubric: Rubric

    @property
    def concepts(self) -> frozenset[str]:
        return self.words.concepts()

    def has(self, *concepts: str) -> bool:
        return any(concept in self.concepts for concept in concepts)

    def only(self, *concepts: str) -> bool:
        """Whether nothing but these, and what is neutral, is said."""
        return self.concepts <= NEUTRAL | set(concepts)

    @property
    def classes(self) -> list[str]:
        return self.words.named(CLASS)

    @property
    def attributes(self) -> list[str]:
        return self.words.named(ATTRIBUTE)

    @property
    def denied(self) -> bool:
        return self.has("NOT")

    @property
    def off(self) -> bool:
        """Whether something is to be left out, cost nothing or earn nothing."""
        if self.has("IGNORE"):
            return not self.denied and not self.has("ZERO")
        return self.denied != self.has("ZERO") and (self.has("ZERO") or self.has(*DEEDS))

    @property
    def contradictory(self) -> bool:
        """Two negations are nobody's plain English: "never ignore", "not nothing"."""
        return sum((self.denied, self.has("IGNORE"), self.has("ZERO"))) > 1

    def amounts(self) -> list[Token]:
        return [token for token in self.words.tokens if token.concept in AMOUNTS]

    def amount(self) -> float | None:
        """The one factor or share that is named, as a factor."""
        listed = self.amounts()
        if len(listed) != 1:
            return None
        value = listed[0].value
        return value if listed[0].concept != NUMBER or value <= 10 else None

    def degree(self) -> float | None:
        """A factor, or 2 for more and a half for less."""
        more, less = self.has("MORE", "STRICT"), self.has("LESS", "LENIENT")
        if self.amounts():
            value, share = self.amount(), self.amounts()[0].concept in (PERCENT, FRACTION)
            if value is None or not share or more == less:
                return None if less else value
            return 1 + value if more else 1 - value  # "20% more", "reduce by half"
        if more == less:
            return None
        return 0.5 if less != self.denied else 2.0


DEGREES = ("MORE", "LESS", "STRICT", "LENIENT", *AMOUNTS)
SAYING = ("NOT", "IGNORE", "ZERO", *DEEDS, "ONLY", "WRONG")
