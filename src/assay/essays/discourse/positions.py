"""Where each sentence of an essay stands: in the essay, in its paragraph, and in which zone."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from assay.essays.text.text import Text

Zone = Literal["first", "last", "opener", "body"]


@dataclass(frozen=True, slots=True)
class SentencePosition:
    """The place of one sentence. Counts start at 0 and run from the start or from the end."""

    from_start: int
    from_end: int
    decile: int
    """Tenth of the essay's tokens before the sentence, 0 to 9."""
    sentences: int
    paragraph: int
    paragraph_from_end: int
    paragraphs: int
    within: int
    """Sentences before it in its paragraph."""
    within_from_end: int
    zone: Zone
    """First or last paragraph, opening sentence of a body paragraph, or another body sentence.

    An essay without paragraphs has its first and last fifth instead, and no openers.
    """

    @property
    def paragraph_size(self) -> int:
        return self.within + self.within_from_end + 1

    @property
    def has_paragraphs(self) -> bool:
        return self.paragraphs > 1


def places(text: Text) -> list[SentencePosition]:
    """The place of every sentence.

    A last sentence or paragraph may be the first one too; it then counts as the first.
    """
    paragraph_of = text.sentence_paragraph.tolist()
    starts = text.sentence_starts.tolist()
    n, paragraphs, tokens = text.sentence_count, text.paragraph_count, max(len(text), 1)
    found = []
    for i, paragraph in enumerate(paragraph_of):
        within = i - bisect_right(paragraph_of, paragraph - 1)
        share = starts[i] / tokens
        zone = _paragraph_zone(paragraph, paragraphs, within) if paragraphs > 1 else _share_zone(share)
        found.append(
            SentencePosition(
                from_start=i,
                from_end=n - 1 - i,
                decile=int(10 * share),
                sentences=n,
                paragraph=paragraph,
                paragraph_from_end=paragraphs - 1 - paragraph,
                paragraphs=paragraphs,
                within=within,
                within_from_end=bisect_right(paragraph_of, paragraph) - 1 - i,
                zone=zone,
            )
        )
    return found


def _paragraph_zone(paragraph: int, paragraphs: int, within: int) -> Zone:
    if paragraph == 0:
        return "first"
    if paragraph == paragraphs - 1:
        return "last"
    return "opener" if within == 0 else "body"


def _share_zone(share: float) -> Zone:
    if share < 0.2:
        return "first"
    return "last" if share >= 0.8 else "body"
