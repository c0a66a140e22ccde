"""What would help an essay most, with reason, places and what to do; and what already works in it.

And what an essay is held against: how typical essays measure, and how much each feature counts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan

from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES
from assay.essays.feedback.norms import FeatureNorms
from assay.essays.feedback.notes import Candidate, OutlineSkeleton, Place, WritingNote

COUNTS = ("no", "one", "two", "three")
NAMED_TYPES = 3
NEAR = 0.2
"""Probability from which a sentence is named as the nearest to a missing element."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do. `gain` orders the list: weight of the feature x change / SD of the feature."""

    feature: str
    title: str
    why: str
    do: str
    gain: float
    notes: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceEvidence:
    """All that advice is drawn from."""

    words: int
    values: Mapping[str, float]
    notes: tuple[WritingNote, ...]
    skeleton: OutlineSkeleton
    reference: FeatureNorms

    def short_of_typical(self, feature: str) -> float:
        """How far a feature for which more is better lies below typical essays; negative above, NaN unknown."""
        norm = self.reference.norms.get(feature)
        return norm.mean - self.values[feature] if norm else float("nan")


def advice(evidence: AdviceEvidence) -> tuple[Advice, ...]:
    """Everything that would help, what would help most first; ties in the order of an essay: plan, words, errors."""
    sources = (_structure_advice, _depth, _words, _errors)
    return tuple(sorted((item for source in sources for item in source(evidence)), key=lambda item: -item.gain))


def _missing(evidence: AdviceEvidence, element: str, near: Candidate | None, title: str, do: str) -> Advice:
    """Advice on an element that no sentence was read as; milder where one nearly was."""
    one = evidence.reference.better_by("development", 1)
    if near is None or near.probability < NEAR:
        return Advice("development", title, f"No sentence was read as {element}.", do, one)
    return Advice(
        "development",
        f"{title} more plainly",
        f"No sentence was clearly read as {element}; this one came nearest ({near.probability:.0%} sure).",
        do,
        one * (1 - near.probability),
        places=(near.place,),
    )


def _structure_advice(evidence: AdviceEvidence) -> Iterator[Advice]:
    """In the order of an essay: thesis, main points, their support, conclusion."""
    parts, missing = evidence.skeleton, evidence.skeleton.missing_points
    if not parts.theses:
        do = "Near the start, answer the question in one sentence and name your reasons."
        yield _missing(evidence, "a thesis", parts.near_thesis, "State your position", do)
    if missing:
        have = COUNTS[3 - missing]
        yield Advice(
            "development",
            "Give another reason" if missing == 1 else f"Give {COUNTS[missing]} more reasons",
            f"{have.capitalize()} main point{'s were' if missing != 2 else ' was'} found; three give an argument room.",
            "Begin a paragraph with each new reason, and follow it with an example or an explanation.",
            # a point and its support are an element each
            evidence.reference.better_by("development", 2 * missing),
            places=tuple(part.place for part in parts.points),
        )
    if bare := parts.bare_points[:3]:
        which = "The main point" if len(parts.points) == 1 else f"{len(bare)} of {len(parts.points)} main points"
        stand = "stands" if len(bare) == 1 else "stand"
        yield Advice(
            "development",
            "Support each main point",
            f"{which} {stand} alone: no supporting idea was found right after.",
            "Follow it with an example, a fact or your own experience, and say why it matters.",
            evidence.reference.better_by("development", len(bare)),
            places=tuple(part.place for part in bare),
        )
    if not parts.conclusions:
        do = "End with two or three sentences that return to your position and say what follows from your reasons."
        yield _missing(evidence, "a conclusion", parts.near_conclusion, "Close with a conclusion", do)


def _depth(evidence: AdviceEvidence) -> Iterator[Advice]:
    """Length and words per element are raised by the same act: saying more about each point."""
    short, thin = (evidence.short_of_typical(feature) for feature in ("length", "element_length"))
    gain = evidence.reference.better_by("length", short) + evidence.reference.better_by("element_length", thin)
    if gain <= 0 or isnan(short):
        return
    typical = evidence.reference.norms["length"].mean
    if short > 0:
        why = f"You wrote {evidence.words:,} words; typical essays of the reference have about {typical:.0f}."
    else:
        each = evidence.values["element_length"]
        why = f"The parts of your essay have {each:.0f} words each; those of typical essays {each + thin:.0f}."
    do = (
        "Do not stretch sentences. For each main point ask “how do I know?” and “why does it matter?”, "
        "and write down the answers."
    )
    yield Advice("length", "Say more about each point", why, do, gain)


def _words(evidence: AdviceEvidence) -> Iterator[Advice]:
    """Vocabulary level (lower is rarer) and word length show the same thing: how exact the words are."""
    common, brief = -evidence.short_of_typical("vocabulary"), evidence.short_of_typical("word_length")
    gain = sum(map(evidence.reference.better_by, ("vocabulary", "word_length"), (common, brief)))
    if gain <= 0:
        return
    notes = tuple(note.number for note in evidence.notes if note.type in ("informal", "repetition"))
    yield Advice(
        "vocabulary",
        "Choose more exact words",
        "Most of your words are short or very common; typical essays use a few more exact ones.",
        "Where you wrote a general word such as “thing”, “good” or “a lot”, name what you mean. "
        "A long word is no better by itself.",
        gain,
        notes,
    )


TODO: Mapping[str, tuple[str, str]] = {
    "grammar": (
        "Mend the grammar of some sentences",
        "Read each marked sentence aloud. Find who does what; check that the verb fits and the sentence ends.",
    ),
    "usage": (
        "Check a few words",
        "Look at each marked word and ask whether it is the one you mean, in the form that fits.",
    ),
    "mechanics": (
        "Proofread spelling and punctuation",
        "Read once more for spelling, capitals and commas alone, from the last sentence to the first.",
    ),
    "style": (
        "Vary words and sentences",
        "Replace a repeated word where another says it better, join short sentences, split long ones.",
    ),
}


def _errors(evidence: AdviceEvidence) -> Iterator[Advice]:
    for category in CATEGORIES:
        notes = [note for note in evidence.notes if note.category == category]
        if notes:
            title, do = TODO[category]
            what = f"{'remark' if category == 'style' else 'note'}{'s' if len(notes) != 1 else ''} on {category}"
            tally = Counter(note.type for note in notes).most_common()
            titles = [(CATALOGUE[name].title, n) for name, n in tally[:NAMED_TYPES]]
            named = [f"{kind[0].lower()}{kind[1:]} ({n})" for kind, n in titles]  # "spelling (4), others (1)"
            rest = sum(n for _, n in tally[NAMED_TYPES:])
            yield Advice(
                category,
                title,
                f"{len(notes)} {what}: {', '.join([*named, *([f'others ({rest})'] if rest else [])])}.",
                do,
                evidence.reference.better_by(category, evidence.values[category]),
                tuple(note.number for note in notes),
                tuple(place for note in notes for place in note.places),
            )
