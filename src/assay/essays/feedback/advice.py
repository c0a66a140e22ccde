"""What would help an essay most, with reason, places and what to do; and what already works in it.

And what an essay is held against: how typical essays measure, and how much each feature counts.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isnan, nan
from types import MappingProxyType

from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES
from assay.essays.features.features import FEATURES
from assay.essays.feedback.notes import Candidate, OutlineSkeleton, Place, WritingNote

DECILES = (10, 20, 30, 40, 50, 60, 70, 80, 90)

PAPER_WEIGHTS: Mapping[str, float] = MappingProxyType(
    dict(zip(FEATURES, (0.05, 0.02, 0.07, 0.08, 0.21, 0.12, 0.04, 0.07, 0.08, 0.03, 0.03, 0.20), strict=True))
)
"""Relative weights of standardised features. Source: Attali & Burstein (2005), Table 9: means of ten programs, with
essay length set to 0.20."""


@dataclass(frozen=True, slots=True)
class Norm:
    """How a feature is spread over the essays of a reference."""

    mean: float
    sd: float
    deciles: tuple[float, ...] = ()

    def beaten(self, value: float, *, higher_is_better: bool) -> float:
        """About how many of 100 reference essays do worse, to the nearest tenth part; NaN without deciles.

        >>> Norm(5, 2, (1, 2, 3, 4, 5, 6, 7, 8, 9)).beaten(6.5, higher_is_better=True)
        65.0
        """
        if not self.deciles or isnan(value):
            return nan
        # the mean of both counts: many essays share a value such as no errors at all
        below = 5.0 * (bisect_left(self.deciles, value) + bisect_right(self.deciles, value)) + 5
        return below if higher_is_better else 100 - below


@dataclass(frozen=True, slots=True)
class FeatureNorms:
    """Norms and weights of features; what a trained model would bring in their place.

    `weights` are of features in units of their `sd`, so that weight / sd is what one unit of a feature counts for.
    """

    norms: Mapping[str, Norm]
    weights: Mapping[str, float]
    source: str

    def better_by(self, feature: str, change: float) -> float:
        """What a change of a feature for the better counts for; 0 where the feature has no norm or no spread."""
        norm = self.norms.get(feature)
        if norm is None or not norm.sd > 0 or isnan(change):
            return 0.0
        return self.weights.get(feature, 0.0) * max(change, 0.0) / norm.sd

    def beaten(self, feature: str, value: float) -> float:
        """About how many of 100 essays do worse; NaN where unknown."""
        norm = self.norms.get(feature)
        return norm.beaten(value, higher_is_better=FEATURES[feature].better == "higher") if norm else nan


@cache
def reference_norms() -> FeatureNorms:
    """Norms measured on student essays of ASAP 2.0, and the weights of the paper."""
    lines = files("assay.essays").joinpath("norms", "asap2.tsv").read_text(encoding="utf-8").splitlines()
    count = next((word for line in lines if line.startswith("# Measured on") for word in line.split()[3:4]), "")
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    numbers = {name: tuple(map(float, values)) for name, *values in rows}
    norms = {name: Norm(mean, sd, tuple(deciles)) for name, (mean, sd, *deciles) in numbers.items()}
    source = (
        f"Typical essays: {count} student essays of ASAP 2.0, grades 6 to 12. "
        "Weights: Attali & Burstein (2005), Table 9."
    )
    return FeatureNorms(MappingProxyType(norms), PAPER_WEIGHTS, source)


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
