"""What a writer should work on next: at most three aims, in the order in which they help a reader.

Errors that block reading come before development, and development before polish. Every aim has one example from the
essay and says how to mend it. What an aim is called, and what to do, depends on who reads it (`levels.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isnan
from typing import Literal, TypeAlias

from assay.essays.feedback.error_groups import STYLE, ErrorGroup, error_groups
from assay.essays.feedback.levels import EXPECTATIONS, USUAL, Level, aim_words
from assay.essays.feedback.norms import FeatureNorms
from assay.essays.feedback.notes import OutlinePart, OutlineSkeleton, Place, WritingNote
from assay.essays.text.text import Text

Stage: TypeAlias = Literal["reading", "development", "polish"]
NEAR = 0.2
"""Probability from which a sentence is asked about as the nearest to a missing element."""
MOST_ON_ERRORS = 2
"""Aims on errors that block reading, where something is also to be said of development."""
MOST_ON_DEVELOPMENT = 2
"""Aims on development, where something is also to be polished."""
FEWEST_GENERAL = 3
"""General words below which none is worth an aim."""
GENERAL = re.compile(r"\b(?:things?|stuff|good|bad|nice|a lot|lots of|very|really|big|get|got|gets)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AimExample:
    """Where the essay shows what an aim is about, and how that place would read when it is done."""

    place: Place
    """The sentence."""
    words: Place
    """The words in it that the aim is about."""
    instead: str = ""
    """What could stand there; empty where only the writer can tell."""
    question: str = ""
    """What to ask the writer, where it is not certain that anything is wrong."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One aim. `gain` is what it counts for by the norms: weight of each feature x change / SD of the feature."""

    kind: str
    """The row of `aims.tsv`."""
    stage: Stage
    title: str
    why: str
    do: str
    gain: float = 0.0
    change: Mapping[str, float] = field(default_factory=dict)
    """How much each feature would rise or fall if the aim were met."""
    notes: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()
    example: AimExample | None = None


@dataclass(frozen=True, slots=True)
class AdviceEvidence:
    """All that advice is drawn from."""

    text: Text
    words: int
    values: Mapping[str, float]
    notes: tuple[WritingNote, ...]
    skeleton: OutlineSkeleton
    reference: FeatureNorms
    level: Level = USUAL

    def short_of_typical(self, feature: str) -> float:
        """How far a feature for which more is better lies below typical essays; negative above, NaN unknown."""
        norm = self.reference.norms.get(feature)
        return norm.mean - self.values[feature] if norm else float("nan")

    def sentence_at(self, place: Place) -> Place:
        """The sentence that a place begins in."""
        starts, ends, bounds = self.text.starts, self.text.ends, self.text.sentence_starts
        if not self.text.sentence_count:
            return place
        token = max(0, int(starts.searchsorted(place[0], side="right")) - 1)
        sentence = max(0, int(bounds.searchsorted(token, side="right")) - 1)
        first, stop = int(bounds[sentence]), int(bounds[min(sentence + 1, len(bounds) - 1)])
        return int(starts[first]), max(int(ends[stop - 1]), place[1])

    def aim(
        self,
        kind: str,
        stage: Stage,
        why: str,
        change: Mapping[str, float],
        *,
        notes: tuple[int, ...] = (),
        places: tuple[Place, ...] = (),
        example: AimExample | None = None,
    ) -> Advice:
        """An aim in the words of the reader's level."""
        title, do = aim_words(kind, self.level)
        gain = sum(self.reference.better_by(name, abs(by)) for name, by in change.items())
        return Advice(kind, stage, title, why, do, gain, dict(change), notes, places, example)


def advice(evidence: AdviceEvidence) -> tuple[Advice, ...]:
    """The aims, at most as many as the level allows, first things first."""
    expected, groups = EXPECTATIONS[evidence.level], error_groups(evidence.notes, evidence.words)
    blocking = [_errors(evidence, group, "reading") for group in groups if group.blocks]
    development = list(_development(evidence))
    light = [group for group in groups if not group.blocks and (group.is_certain or len(group.notes) > 1)]
    light.sort(key=lambda group: (group.kind in STYLE, not group.is_certain))
    errors = {group.kind: _errors(evidence, group, "polish") for group in light}
    of_style = [errors.pop(kind) for kind in list(errors) if kind in STYLE]
    polish = [aim for aim in (*errors.values(), *_words(evidence), *of_style) if aim.kind not in expected.passed_over]
    blocking = blocking[: MOST_ON_ERRORS if development else expected.aims]
    room = expected.aims - len(blocking)
    ahead = development[: min(room, MOST_ON_DEVELOPMENT) if polish else room]
    return tuple([*blocking, *ahead, *polish, *development[len(ahead) :]][: expected.aims])


def _errors(evidence: AdviceEvidence, group: ErrorGroup, stage: Stage) -> Advice:
    notes = sorted(group.notes, key=lambda note: (bool(note.question), not note.suggestion, note.number))
    first = notes[0]
    words = first.places[0]
    example = AimExample(evidence.sentence_at(words), words, first.suggestion or "", first.question)
    change: dict[str, float] = {}
    for note in group.notes:
        change[note.category] = change.get(note.category, 0.0) - len(note.places) / max(evidence.words, 1)
    count = group.places
    why = f"“{first.words}” stands {count} times." if group.kind == "repetition" else _marked(count)
    numbers, places = tuple(n.number for n in group.notes), tuple(p for n in group.notes for p in n.places)
    return evidence.aim(group.kind, stage, why, change, notes=numbers, places=places, example=example)


def _marked(count: int) -> str:
    return "One place is marked." if count == 1 else f"{count} places are marked."


def _development(evidence: AdviceEvidence) -> Iterator[Advice]:
    """In the order in which an argument is built; what is only asked comes last."""
    parts, one = evidence.skeleton, {"development": 1.0}
    near = parts.near_thesis if parts.near_thesis and parts.near_thesis.probability >= NEAR else None
    if not parts.theses and near is None:
        first = evidence.sentence_at((0, 0))
        why = "No sentence was read as your position. Your essay begins like this."
        yield evidence.aim("position", "development", why, one, example=AimExample(first, first))
    yield from _points(evidence)
    if not parts.conclusions and not (parts.near_conclusion and parts.near_conclusion.probability >= NEAR):
        last = evidence.sentence_at((len(evidence.text.raw), len(evidence.text.raw)))
        yield evidence.aim("conclusion", "development", "Your essay stops here.", one, example=AimExample(last, last))
    if not parts.theses and near is not None:
        why = "No sentence was clearly read as your position; this one came nearest."
        change = {"development": 1 - near.probability}
        yield evidence.aim("position_question", "development", why, change, example=AimExample(near.place, near.place))


def _points(evidence: AdviceEvidence) -> Iterator[Advice]:
    """Too few, without support, or with little said about them; one more comes last where two are there."""
    parts, few = evidence.skeleton, len(evidence.skeleton.points) < 2
    if few:
        yield from _reasons(evidence)
    if bare := parts.bare_points[:3]:
        why = "No example or explanation was found right after this point."
        places = tuple(part.place for part in bare)
        change = {"development": float(len(bare))}
        yield evidence.aim("support", "development", why, change, places=places, example=_example(bare))
    yield from _depth(evidence)
    if not few:
        yield from _reasons(evidence)


def _reasons(evidence: AdviceEvidence) -> Iterator[Advice]:
    points = evidence.skeleton.points
    missing = EXPECTATIONS[evidence.level].points - len(points)
    if missing > 0:
        why = ("No main reason was found.", "One main reason was found.", "Two main reasons were found.")[len(points)]
        # a point and its support are an element each
        change, example = {"development": 2.0 * missing}, _example([*points, *evidence.skeleton.theses])
        yield evidence.aim("reasons", "development", why, change, example=example)


def _depth(evidence: AdviceEvidence) -> Iterator[Advice]:
    sizes = [(p, n) for p, n in _spoken_of(evidence) if p not in evidence.skeleton.bare_points]
    if not sizes or sizes[0][1] >= EXPECTATIONS[evidence.level].thin or evidence.short_of_typical("length") <= 0:
        return
    point, words = sizes[0]
    short = {name: evidence.short_of_typical(name) for name in ("length", "element_length")}
    change = {name: by for name, by in short.items() if by > 0}
    why = f"You give this point {words} words."
    yield evidence.aim("depth", "development", why, change, example=_example([point]))


def _example(parts: Sequence[OutlinePart]) -> AimExample | None:
    return AimExample(parts[0].place, parts[0].place) if parts else None


def _spoken_of(evidence: AdviceEvidence) -> list[tuple[OutlinePart, int]]:
    """Each main point with the words from it to the next part that carries the argument, fewest first."""
    parts = evidence.skeleton
    carrying = sorted(part.place[0] for part in (*parts.theses, *parts.points, *parts.conclusions))
    ends = dict(pairwise([*carrying, len(evidence.text.raw)]))
    spoken = [(p, evidence.text.raw[p.place[0] : ends[p.place[0]]].split()) for p in parts.points]
    sizes = [(p, sum(any(letter.isalnum() for letter in word) for word in words)) for p, words in spoken]
    return sorted(sizes, key=lambda pair: pair[1])


def _words(evidence: AdviceEvidence) -> Iterator[Advice]:
    """Vocabulary level (lower is rarer) and word length show the same thing: how exact the words are."""
    common, brief = -evidence.short_of_typical("vocabulary"), evidence.short_of_typical("word_length")
    change = {"vocabulary": -common, "word_length": brief}
    change = {name: by for name, by in change.items() if not isnan(by) and (by < 0) == (name == "vocabulary") and by}
    general = list(GENERAL.finditer(evidence.text.raw))
    if not change or len(general) < FEWEST_GENERAL:
        return
    example = AimExample(evidence.sentence_at(general[0].span()), general[0].span())
    named = list(dict.fromkeys(match[0].lower() for match in general))[:3]
    why = f"General words such as {', '.join(f'“{word}”' for word in named)} stand {len(general)} times."
    yield evidence.aim("exact_words", "polish", why, change, example=example)
