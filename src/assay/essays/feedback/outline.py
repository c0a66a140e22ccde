"""The discourse elements of an essay with their place, and how sure the labeller was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import Literal

from assay.essays.discourse.discourse import Discourse
from assay.essays.discourse.organization import CONCLUSION, LABELS, MAIN_POINT, MOST_POINTS, SUPPORT, THESIS
from assay.essays.feedback.notes import Place
from assay.essays.text.text import Text

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
    found = []
    for label, paragraph, first, stop, continues in _runs(discourse, text.sentence_paragraph.tolist()):
        certainty = float(discourse.posteriors[first:stop, label].mean()) if labeller == "model" else nan
        place = (starts[bounds[first]], ends[bounds[stop] - 1])
        found.append(OutlinePart(label, paragraph, first, stop, place, certainty, continues))
    return tuple(found)


def _runs(discourse: Discourse, paragraph: Sequence[int]) -> Iterator[tuple[int, int, int, int, bool]]:
    for element in discourse.elements:
        first = element.first
        for i in range(element.first + 1, element.stop + 1):
            if i == element.stop or paragraph[i] != paragraph[first]:
                yield element.label, paragraph[first], first, i, first > element.first
                first = i


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
    bare = [
        p
        for p, after in zip(whole, [*whole[1:], None], strict=False)
        if p.label == MAIN_POINT and (after is None or after.label != SUPPORT)
    ]
    by_label = {label: tuple(p for p in whole if p.label == label) for label in (THESIS, MAIN_POINT, CONCLUSION)}
    near = [candidate(text, discourse, label) for label in (THESIS, CONCLUSION)]
    return OutlineSkeleton(by_label[THESIS], by_label[MAIN_POINT], tuple(bare), by_label[CONCLUSION], *near)
