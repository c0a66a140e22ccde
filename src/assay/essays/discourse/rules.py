"""Discourse labels by place and cue words alone: what remains when the trained weights are absent.

Follows the five-paragraph essay taught to novice writers (Attali & Burstein 2005): an introduction that ends in the
thesis, body paragraphs that open with a main point, a conclusion.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.labels import BACKGROUND, CONCLUSION, MAIN_POINT, SUPPORT, THESIS
from assay.essays.discourse.positions import SentencePosition, places
from assay.essays.text.text import Text

THESIS_CUE = re.compile(
    r"\b(i (strongly |firmly |truly |personally )?(think|believe|agree|disagree|feel|support|am (for|against|in favor))"
    r"|in my opinion|my (opinion|position)|should|must)\b"
)
MAIN_POINT_CUE = re.compile(
    r"(first|firstly|second|secondly|third|thirdly|next|lastly|finally|another|one (reason|way|advantage|benefit)"
    r"|also|in addition|additionally|furthermore|moreover|however|some (people|may|might|would)|others|although)\b"
)
CONCLUSION_CUE = re.compile(
    r"(in (conclusion|summary|closing|the end)|to (conclude|sum|summarize)|overall|all in all|as (you can see|a result)"
    r"|therefore|so,? in)\b"
)


def rule_labels(text: Text) -> NDArray[np.int64]:
    """The label of every sentence by its place, and by its first words where there are no paragraphs."""
    outline = places(text)
    openings = [" ".join(text.words[s.start : s.stop]).lower() for s in text.sentences()]
    flat = not (outline and outline[0].has_paragraphs)
    labels = _flat_labels(openings, outline) if flat else _paragraph_labels(openings, outline)
    return np.asarray(labels, dtype=np.int64)


def _paragraph_labels(sentences: Sequence[str], outline: Sequence[SentencePosition]) -> list[int]:
    introduction = [s for s, place in zip(sentences, outline, strict=True) if place.zone == "first"]
    thesis = thesis_place(introduction)
    by_zone = {"first": BACKGROUND, "last": CONCLUSION, "opener": MAIN_POINT, "body": SUPPORT}
    return [THESIS if i == thesis else by_zone[place.zone] for i, place in enumerate(outline)]


def _flat_labels(sentences: Sequence[str], outline: Sequence[SentencePosition]) -> list[int]:
    introduction = [s for s, place in zip(sentences, outline, strict=True) if place.decile < 1]
    thesis = thesis_place(introduction)
    end = next((i for i, s in enumerate(sentences) if outline[i].decile > 6 and CONCLUSION_CUE.match(s)), None)
    labels = []
    for i, (sentence, place) in enumerate(zip(sentences, outline, strict=True)):
        if i == thesis:
            labels.append(THESIS)
        elif i < len(introduction):
            labels.append(BACKGROUND)
        elif i >= end if end is not None else place.decile > 7:
            labels.append(CONCLUSION)
        else:
            labels.append(MAIN_POINT if MAIN_POINT_CUE.match(sentence) else SUPPORT)
    return labels


def thesis_place(introduction: Sequence[str]) -> int:
    """The last sentence of the introduction that states an opinion, else its last sentence; -1 if there is none.

    >>> thesis_place(["dogs bark.", "i think cats are better.", "here is why."])
    1
    """
    stated = [i for i, sentence in enumerate(introduction) if THESIS_CUE.search(sentence)]
    return stated[-1] if stated else len(introduction) - 1
