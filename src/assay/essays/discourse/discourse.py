"""FRONT of the discourse analysis: the label of every sentence, and what follows from the labels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse import model as discourse_model
from assay.essays.discourse.sentence_features import places
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


@dataclass(frozen=True, eq=False)
class Discourse:
    """What each sentence of an essay does, as far as the labeller can tell."""

    labels: NDArray[np.int64]
    """(n,): the most probable label of each sentence, as an index into `LABELS`."""
    posteriors: NDArray[np.floating]
    """(n, 6): the probability of each label."""
    pairs: NDArray[np.floating]
    """(n, 6, 6): the probability of each label after each label of the sentence before."""
    one_paragraph: discourse_model.Marginals
    """Both again, as if the essay were one paragraph: what expected development is counted from.

    An essay that has lost its line breaks is then measured as it would be with them (docs/decisions/0130).
    """
    words: NDArray[np.integer]
    """(n,): words and numbers in each sentence; punctuation is left out."""
    expected_development: float
    """By the probabilities as if the essay were one paragraph: for scoring."""
    expected_average_element_length: float
    """By the probabilities: for scoring."""

    @property
    def label_names(self) -> list[str]:
        return [discourse_model.LABELS[label] for label in self.labels.tolist()]

    @cached_property
    def elements(self) -> tuple[discourse_model.Element, ...]:
        """The runs of sentences with one label."""
        return tuple(discourse_model.elements(self.labels))

    @cached_property
    def development(self) -> float:
        """By the labels shown: for feedback."""
        return discourse_model.development(self.labels)


def label_sentences(text: Text, model: discourse_model.DiscourseModel | None) -> Discourse:
    """The discourse of a text by a trained model, or by rules of place and cue words without one.

    A text without sentences has no labels; its development is -8 and its average element length NaN. By rules, every
    probability is 0 or 1, so that expected and counted development agree.
    """
    if text.sentence_count and model is not None:
        written, flat = discourse_model.two_readings(model, text)
    else:
        single = np.eye(len(discourse_model.LABELS))[rule_labels(text)]
        pair = np.zeros((*single.shape, single.shape[1]))
        pair[1:] = single[:-1, :, None] * single[1:, None, :]
        written = flat = discourse_model.Marginals(single, pair, np.zeros(()))
    labels = written.single.argmax(axis=1)
    before = np.cumsum([0, *[word.isalnum() or any(letter.isalnum() for letter in word) for word in text.words]])
    words = np.asarray(np.diff(before[text.sentence_starts]), dtype=np.int64)
    for column in (labels, written.single, written.pair, flat.single, flat.pair, words):
        column.flags.writeable = False
    return Discourse(
        labels=labels,
        posteriors=written.single,
        pairs=written.pair,
        one_paragraph=flat,
        words=words,
        expected_development=discourse_model.expected_development(flat.single, flat.pair),
        expected_average_element_length=discourse_model.expected_average_element_length(
            written.single, written.pair, words
        ),
    )


def rule_labels(text: Text) -> NDArray[np.int64]:
    """The label of every sentence by its place, and by its first words where there are no paragraphs.

    Follows the five-paragraph essay taught to novice writers (Attali & Burstein 2005): an introduction that ends in the
    thesis, body paragraphs that open with a main point, a conclusion.
    """
    outline = places(text)
    openings = [" ".join(text.words[s.start : s.stop]).lower() for s in text.sentences()]
    in_paragraphs = bool(outline) and outline[0].paragraphs > 1
    introduction = [place.zone == "first" if in_paragraphs else place.decile < 1 for place in outline].count(True)
    cued = (i for i, place in enumerate(outline) if place.decile > 6 and CONCLUSION_CUE.match(openings[i]))
    end = next(cued, next((i for i, place in enumerate(outline) if place.decile > 7), len(outline)))
    by_zone = {
        "first": discourse_model.BACKGROUND,
        "last": discourse_model.CONCLUSION,
        "opener": discourse_model.MAIN_POINT,
        "body": discourse_model.SUPPORT,
    }
    labels = []
    for i, (opening, place) in enumerate(zip(openings, outline, strict=True)):
        if in_paragraphs:
            labels.append(by_zone[place.zone])
        elif i < introduction:
            labels.append(discourse_model.BACKGROUND)
        elif i >= end:
            labels.append(discourse_model.CONCLUSION)
        else:
            labels.append(discourse_model.MAIN_POINT if MAIN_POINT_CUE.match(opening) else discourse_model.SUPPORT)
    if introduction:
        labels[thesis_place(openings[:introduction])] = discourse_model.THESIS
    return np.asarray(labels, dtype=np.int64)


def thesis_place(introduction: Sequence[str]) -> int:
    """The last sentence of the introduction that states an opinion, else its last sentence.

    >>> thesis_place(["dogs bark.", "i think cats are better.", "here is why."])
    1
    """
    stated = [i for i, sentence in enumerate(introduction) if THESIS_CUE.search(sentence)]
    return stated[-1] if stated else len(introduction) - 1
