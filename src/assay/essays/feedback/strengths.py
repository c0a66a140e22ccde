"""What already works in an essay, best first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.essays.feedback.advice import AdviceEvidence
from assay.essays.feedback.notes import Place

MOST_STRENGTHS = 3
MOST_STRENGTHS_ON_STRUCTURE = 2
FEWEST_WORDS = 50
"""Below, an essay without errors is no sign of care."""
WELL_AHEAD = 65
"""Of 100 reference essays that do worse."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Something done well: its name, the fact behind it, and where."""

    name: str
    fact: str
    merit: float
    """As the gain of advice: what it already counts for."""
    places: tuple[Place, ...] = ()


def strengths(evidence: AdviceEvidence) -> tuple[Strength, ...]:
    """At most three, the weightiest first, of which two may be about structure; none where none is true."""
    built = _weightiest(_structure(evidence))
    rest = _weightiest([*_care(evidence), *_substance(evidence)])
    of_structure = min(len(built), max(MOST_STRENGTHS_ON_STRUCTURE, MOST_STRENGTHS - len(rest)))
    return tuple(_weightiest([*built[:of_structure], *rest[: MOST_STRENGTHS - of_structure]]))


def _weightiest(strengths: Iterable[Strength]) -> list[Strength]:
    return sorted(strengths, key=lambda strength: -strength.merit)


def _structure(evidence: AdviceEvidence) -> Iterator[Strength]:
    parts, worth = evidence.skeleton, evidence.reference.better_by
    if parts.theses:
        fact = "You say what you think: a sentence was read as your thesis."
        yield Strength("a stated position", fact, worth("development", 1), (parts.theses[0].place,))
    backed = [point for point in parts.points if point not in parts.bare_points]
    if len(backed) >= 2:
        fact = f"{len(backed)} of your {len(parts.points)} main points are followed by support."
        merit = worth("development", min(len(backed), 3))
        yield Strength("reasons with support", fact, merit, tuple(point.place for point in backed))
    if parts.conclusions and parts.theses:
        fact = "You do not just stop: the end was read as a conclusion."
        yield Strength("a conclusion", fact, worth("development", 1), (parts.conclusions[-1].place,))


CARE = {
    "grammar": ("sound sentences", "slip", "in grammar"),
    "usage": ("well-chosen word forms", "slip", "in usage"),
    "mechanics": ("careful spelling and punctuation", "slip", "in spelling and punctuation"),
    "style": ("varied style", "remark", "on style"),
}


def _care(evidence: AdviceEvidence) -> Iterator[Strength]:
    if evidence.words < FEWEST_WORDS:
        return
    for category, (name, error, where) in CARE.items():
        rate = evidence.values[category]
        if not evidence.reference.beaten(category, rate) >= WELL_AHEAD:
            continue
        expected = evidence.reference.norms[category].mean
        mine = round(rate * evidence.words)
        fact = (
            f"{mine or 'No'} {error}{'s' if mine != 1 else ''} {where} in {evidence.words:,} words; "
            f"typical essays of this length have about {max(1, round(expected * evidence.words))}."
        )
        yield Strength(name, fact, evidence.reference.better_by(category, expected - rate))


def _substance(evidence: AdviceEvidence) -> Iterator[Strength]:
    facts = {
        "length": ("much to say", f"You wrote {evidence.words:,} words, more than most essays of the reference."),
        "element_length": ("thorough parts", "You stay with a point before you move to the next."),
        "vocabulary": ("exact words", "You use words that are rarer and more exact than most writers do."),
    }
    for feature, (name, fact) in facts.items():
        if evidence.reference.beaten(feature, evidence.values[feature]) >= WELL_AHEAD:
            above = abs(evidence.short_of_typical(feature))
            yield Strength(name, fact, evidence.reference.better_by(feature, above))
