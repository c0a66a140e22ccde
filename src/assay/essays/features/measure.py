"""FRONT DOOR `measure_essays`: what the features table says of each essay, before essays are compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.analysis import analyse_all
from assay.essays.features.content import content_words
from assay.essays.features.features import features_of
from assay.essays.feedback.advisories import Advisory, advisories
from assay.essays.text.essay import Essay


@dataclass(frozen=True, slots=True)
class Measured:
    """The features of one essay by name, reasons for doubt, and the content words others are compared by."""

    values: Mapping[str, float]
    advisories: tuple[Advisory, ...]
    content: Mapping[str, int]


def measure_essays(essays: Sequence[Essay], discourse_model: DiscourseModel | None = None) -> Iterator[Measured]:
    """Each essay measured by itself: prompt-specific features are NaN, and nothing is said of the topic."""
    analyses = analyse_all((essay.text for essay in essays), discourse_model)
    for essay, analysis in zip(essays, analyses, strict=True):
        doubts = advisories(analysis.words, prompt=essay.prompt)
        yield Measured(features_of(analysis), doubts, content_words(analysis.words))
