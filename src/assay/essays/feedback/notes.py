"""Findings as numbered notes, and the discourse elements of an essay with their place.

One note for each place, but one for all places of a word that is repeated or misspelled again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Literal

from assay.essays.discourse.discourse import Discourse
from assay.essays.discourse.model import CONCLUSION, LABELS, MAIN_POINT, MOST_POINTS, SUPPORT, THESIS
from assay.essays.errors.catalogue import CATALOGUE, Finding
from assay.essays.text.text import Text

Place = tuple[int, int]
"""First character, and the one after the last."""

GATHERED = frozenset(["repetition", "spelling"])
"""Types of which one note stands for all places with the same word."""

FEWEST_JUDGED = 10
"""Findings read by hand below which a share says nothing."""


@dataclass(frozen=True, slots=True)
class WritingNote:
    """What a writer is told about one thing, numbered from 1 in reading order."""

    number: int
    type: str
    category: str
    title: str
    places: tuple[Place, ...]
    words: str
    explanation: str
    suggestion: str | None = None
    right: int = 0
    judged: int = 0
    confidence: float = 1.0
    """How likely it is right, 0 to 1."""
    question: str = ""
    """What the writer is asked, where it is not certain that anything is wrong; empty for a correction."""

    @property
    def precision(self) -> float:
        """The share of findings of this type that were right when read by hand; NaN if too few were."""
        return self.right / self.judged if self.judged >= FEWEST_JUDGED else nan


def numbered(findings: Iterable[Finding]) -> tuple[WritingNote, ...]:
    """The notes of an essay, by first place."""
    groups: dict[object, list[Finding]] = {}
    for position, finding in enumerate(findings):
        key = (finding.type, finding.words.casefold()) if finding.type in GATHERED else position
        groups.setdefault(key, []).append(finding)
    notes = []
    for number, group in enumerate(groups.values(), start=1):
        first, kind = group[0], CATALOGUE[group[0].type]
        places = tuple((finding.start, finding.end) for finding in group)
        explanation = first.explanation + (f" It is marked {len(group)} times." if len(group) > 1 else "")
        what = (first.type, first.category, kind.title, places, first.words, explanation, first.suggestion)
        question = kind.question if first.is_question else ""
        notes.append(WritingNote(number, *what, kind.right, kind.judged, first.confidence, question))
    return tuple(notes)


Labeller = Literal["model", "rules"]
KEY_LABELS = frozenset([THESIS, MAIN_POINT, CONCLUSION])
"""The elements that carry an argument."""


@dataclass(frozen=True, slots=True)
class OutlinePart:
    """A run of sentences with one label, within a paragraph: sentences from 0, `stop` after the last."""

    label: int
    paragraph: int
    first: int
    stop: int
    place: Place
    certainty: float
    """Mean probability of the label over the sentences; NaN where rules gave it."""
    continues: bool
    """Whether the same element began in the paragraph before."""

    @property
    def name(self) -> str:
        return LABELS[self.label]

    @property
    def is_key(self) -> bool:
        return self.label in KEY_LABELS


def parts(text: Text, discourse: Discourse, labeller: Labeller) -> tuple[OutlinePart, ...]:
    """The elements in reading order, cut at paragraph breaks."""
    starts, ends, bounds = text.starts.tolist(), text.ends.tolist(), text.sentence_starts.tolist()
    paragraph = text.sentence_paragraph.tolist()
    outline = []
    for element in discourse.elements:
        first, label = element.first, element.label
        for i in range(element.first + 1, element.stop + 1):
            if i == element.stop or paragraph[i] != paragraph[first]:
                certainty = float(discourse.posteriors[first:i, label].mean()) if labeller == "model" else nan
                place = (starts[bounds[first]], ends[bounds[i] - 1])
                outline.append(OutlinePart(label, paragraph[first], first, i, place, certainty, first > element.first))
                first = i
    return tuple(outline)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The sentence most like a label that no sentence got, and the probability that it is one."""

    place: Place
    probability: float


def candidate(text: Text, discourse: Discourse, label: int) -> Candidate | None:
    """The likeliest sentence for a label; None without sentences."""
    if not text.sentence_count:
        return None
    best = int(discourse.posteriors[:, label].argmax())
    first, stop = text.sentence_starts[best], text.sentence_starts[best + 1]
    place = (int(text.starts[first]), int(text.ends[stop - 1]))
    return Candidate(place, float(discourse.posteriors[best, label]))


@dataclass(frozen=True, slots=True)
class OutlineSkeleton:
    """What an argument is made of, and what of it was found."""

    theses: tuple[OutlinePart, ...]
    points: tuple[OutlinePart, ...]
    bare_points: tuple[OutlinePart, ...]
    """Main points that no support follows."""
    conclusions: tuple[OutlinePart, ...]
    near_thesis: Candidate | None = None
    near_conclusion: Candidate | None = None

    @property
    def missing_points(self) -> int:
        """Main points short of three."""
        return max(0, MOST_POINTS - len(self.points))


def skeleton(outline: Sequence[OutlinePart], text: Text, discourse: Discourse) -> OutlineSkeleton:
    """The carrying elements; a part that continues one of the paragraph before is not counted again."""
    whole = [part for part in outline if not part.continues]
    after = [*(part.label for part in whole[1:]), -1]
    bare = [p for p, label in zip(whole, after, strict=False) if p.label == MAIN_POINT and label != SUPPORT]
    by_label = {label: tuple(p for p in whole if p.label == label) for label in (THESIS, MAIN_POINT, CONCLUSION)}
    near = [candidate(text, discourse, label) for label in (THESIS, CONCLUSION)]
    return OutlineSkeleton(by_label[THESIS], by_label[MAIN_POINT], tuple(bare), by_label[CONCLUSION], *near)
