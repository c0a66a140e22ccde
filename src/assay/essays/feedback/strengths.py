"""What already works in an essay, best first; every essay that can be read has something."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.essays.feedback.advice import AdviceEvidence
from assay.essays.feedback.notes import Place
from assay.essays.text.text import frequency_index, is_placeholder, word_form, word_list

MOST_STRENGTHS = 3
MOST_STRENGTHS_ON_STRUCTURE = 2
FEWEST_WORDS = 50
"""Below, an essay without errors is no sign of care."""
WELL_AHEAD = 65
"""Of 100 reference essays that do worse."""
EXACT = (25.0, 45.0)
"""Frequency index of a word that is exact and still in use."""
EXACT_LETTERS = 7
CLEAR = range(8, 31)
"""Words of a sentence that shows a writer in command of it."""
REASON = re.compile(r"\b(?:because|since|so that|that is why|therefore)\b", re.IGNORECASE)
LINKS = re.compile(
    r"\b(?:for example|for instance|first(?:ly)?|second(?:ly)?|also|in addition|another|however|although|"
    r"on the other hand|in conclusion|finally|therefore|instead)\b",
    re.IGNORECASE,
)
FEWEST_LINKS = 3


@dataclass(frozen=True, slots=True)
class Strength:
    """Something done well: its name, the fact behind it, and where."""

    name: str
    fact: str
    merit: float
    """What it already counts for by the norms."""
    places: tuple[Place, ...] = ()


def strengths(evidence: AdviceEvidence) -> tuple[Strength, ...]:
    """At most three, the weightiest first, of which two may be about structure; one at least, that is true."""
    built = _weightiest(_structure(evidence))
    rest = _weightiest([*_care(evidence), *_substance(evidence)])
    of_structure = min(len(built), max(MOST_STRENGTHS_ON_STRUCTURE, MOST_STRENGTHS - len(rest)))
    chosen = _weightiest([*built[:of_structure], *rest[: MOST_STRENGTHS - of_structure]])
    return tuple(chosen or [next(_beginnings(evidence))])


def _weightiest(strengths: Iterable[Strength]) -> list[Strength]:
    return sorted(strengths, key=lambda strength: -strength.merit)


def _structure(evidence: AdviceEvidence) -> Iterator[Strength]:
    parts, worth = evidence.skeleton, evidence.reference.better_by
    if parts.theses:
        fact = "You say what you think."
        yield Strength("a stated position", fact, worth("development", 1), (parts.theses[0].place,))
    backed = [point for point in parts.points if point not in parts.bare_points]
    if len(backed) >= 2:
        fact = f"You back up {len(backed)} of your {len(parts.points)} main points."
        merit = worth("development", min(len(backed), 3))
        # shown is the one with the fewest errors in it
        backed.sort(key=lambda point: _marks_in(evidence, point.place))
        yield Strength("reasons with support", fact, merit, tuple(point.place for point in backed))
    if parts.conclusions and parts.theses:
        fact = "You do not just stop: you come back to your main idea."
        yield Strength("a conclusion", fact, worth("development", 1), (parts.conclusions[-1].place,))


def _marks_in(evidence: AdviceEvidence, place: Place) -> int:
    marks = (mark for note in evidence.notes for mark in note.places)
    return sum(start < place[1] and end > place[0] for start, end in marks)


CARE = {
    "grammar": ("sound sentences", "error in grammar", "errors in grammar"),
    "usage": ("well-chosen word forms", "error in usage", "errors in usage"),
    "mechanics": ("careful spelling and punctuation", "error", "errors in spelling or punctuation"),
}


def _care(evidence: AdviceEvidence) -> Iterator[Strength]:
    if evidence.words < FEWEST_WORDS:
        return
    for category, (name, one, many) in CARE.items():
        rate = evidence.values[category]
        marked = sum(len(note.places) for note in evidence.notes if note.category == category)
        if not evidence.reference.beaten(category, rate) >= WELL_AHEAD or 100 * marked > evidence.words:
            continue
        counted = f"Only {marked} {one if marked == 1 else many} marked" if marked else f"No {many} marked"
        above = evidence.reference.norms[category].mean - rate
        merit = evidence.reference.better_by(category, above)
        yield Strength(name, f"{counted} in {evidence.words:,} words.", merit)


def _substance(evidence: AdviceEvidence) -> Iterator[Strength]:
    facts = {
        "length": ("much to say", f"You wrote {evidence.words:,} words and kept going."),
        "element_length": ("thorough parts", "You stay with a point before you move to the next."),
    }
    for feature, (name, fact) in facts.items():
        if evidence.reference.beaten(feature, evidence.values[feature]) >= WELL_AHEAD:
            above = abs(evidence.short_of_typical(feature))
            yield Strength(name, fact, evidence.reference.better_by(feature, above))
    if evidence.reference.beaten("vocabulary", evidence.values["vocabulary"]) >= WELL_AHEAD:
        places = _exact_words(evidence)
        if len(places) >= 2:
            above = abs(evidence.short_of_typical("vocabulary"))
            fact = f"You name things exactly: {_quoted(evidence, places)}."
            yield Strength("exact words", fact, evidence.reference.better_by("vocabulary", above))


def _beginnings(evidence: AdviceEvidence) -> Iterator[Strength]:
    """What is good in an essay of which little else is: each needs its own evidence, the last needs none."""
    raw = evidence.text.raw
    if reason := REASON.search(raw):
        yield Strength("a reason", "You say why.", 0.0, (evidence.sentence_at(reason.span()),))
    if len({match[0].lower() for match in LINKS.finditer(raw)}) >= FEWEST_LINKS:
        named = list(dict.fromkeys(match[0].lower() for match in LINKS.finditer(raw)))[:3]
        words = ", ".join(f"“{word}”" for word in named)
        yield Strength("linking words", f"You guide your reader with words such as {words}.", 0.0)
    if clear := _clear_sentence(evidence):
        yield Strength("a clear sentence", "This sentence is complete, and nothing in it is marked.", 0.0, (clear,))
    if places := _exact_words(evidence):
        yield Strength("an exact word", f"You chose your words with care here: {_quoted(evidence, places)}.", 0.0)
    count = "1 word is" if evidence.words == 1 else f"{evidence.words:,} words are"
    yield Strength("a beginning", f"You have made a start: {count} on the page to build on.", 0.0)


def _clear_sentence(evidence: AdviceEvidence) -> Place | None:
    """The longest sentence of a usual length in which nothing is marked."""
    text, clear = evidence.text, []
    for tokens in text.sentences():
        if not tokens:
            continue
        start, end = int(text.starts[tokens[0]]), int(text.ends[tokens[-1]])
        words = len(text.raw[start:end].split())
        if words in CLEAR and text.raw[end - 1] in ".!?" and not _marks_in(evidence, (start, end)):
            clear.append((words, -start, (start, end)))
    return max(clear)[2] if clear else None


def _exact_words(evidence: AdviceEvidence) -> list[Place]:
    """Where rarer words stand that are spelled right, the rarest first, each once."""
    text, index, spelled = evidence.text, frequency_index(), word_list("spelled_words")
    rare: dict[str, tuple[float, Place]] = {}
    for word, start, end in zip(text.words, text.starts.tolist(), text.ends.tolist(), strict=True):
        form = word_form(word)
        if len(form) >= EXACT_LETTERS and form in spelled and form not in rare and not is_placeholder(word):
            rarity = index.get(form, 0.0)
            if EXACT[0] <= rarity <= EXACT[1] and word == form:
                rare[form] = (rarity, (start, end))
    return [place for _, place in sorted(rare.values())]


def _quoted(evidence: AdviceEvidence, places: list[Place]) -> str:
    return ", ".join(f"“{evidence.text.raw[slice(*place)]}”" for place in places[:3])
