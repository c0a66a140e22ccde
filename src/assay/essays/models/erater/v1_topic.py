"""The two topical features of e-rater v.1.3: the words of the essay, and those of each of its arguments.

Burstein et al. (1998): *EssayContent* is the score point whose training essays use the words most like those of the
essay; *ArgContent* takes that score point for each argument by itself and adjusts the mean for their number:

    ArgContent = (sum of the arguments' score points + n) / (n + 1), n the number of arguments
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.features.analysis import Analysis
from assay.essays.features.content import ContentModel
from assay.essays.feedback.advisories import advisories
from assay.essays.models.arrays import Floats
from assay.essays.models.erater.prompt_vocabulary import INNER_FOLDS, PAPER_VOCABULARY, content_vectors, dealt_folds
from assay.essays.models.erater.v1_measures import NAMES, measure_v1, partition
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.text.essay import Essay

Arguments = Sequence[Mapping[str, int]]
"""The words of each argument of an essay."""

TOPICAL = ("essay_content", "argument_content")


def topical_of(arguments: Sequence[Arguments], model: ContentModel) -> Floats:
    """(essays, 2): EssayContent and ArgContent of essays that are not among the training essays."""
    values = np.full((len(arguments), len(TOPICAL)), np.nan)
    for row, own in enumerate(arguments):
        points = [model.similarity(argument).max_cos() for argument in own]
        known = [point for point in points if not np.isnan(point)]
        values[row, 0] = model.similarity(sum(map(Counter, own), Counter())).max_cos()
        if known:
            values[row, 1] = (sum(known) + len(known)) / (len(known) + 1)
    return values


def topical_out_of_fold(arguments: Sequence[Arguments], scores: Floats) -> Floats:
    """(essays, 2): the same for training essays, each compared with those of the other folds only."""
    values = np.full((len(arguments), len(TOPICAL)), np.nan)
    fold = dealt_folds(scores, INNER_FOLDS)
    for number in range(min(INNER_FOLDS, len(arguments))):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        model = content_of([arguments[row] for row in outside.tolist()], scores[outside])
        values[inside] = topical_of([arguments[row] for row in inside.tolist()], model)
    return values


def content_of(arguments: Sequence[Arguments], scores: Floats) -> ContentModel:
    """The content vectors of one prompt by score point, from the words of its training essays."""
    return content_vectors([sum(map(Counter, own), Counter()) for own in arguments], scores, PAPER_VOCABULARY)


def v1_table(essay: Essay, analysis: Analysis) -> EssayFeatures:
    """What v.1.3 sees in an essay that is to be scored."""
    row = {"length": float(len(analysis.words)), **measure_v1(analysis)}
    doubts = advisories(analysis.words, prompt=essay.prompt)
    table = EssayFeatures.of([essay], [row], advisories=[doubts], names=("length", *NAMES))
    return replace(table, arguments=(partition(essay.text).contents,))


def v1_training_values(table: EssayFeatures, resolved: Floats) -> tuple[Floats, dict[str, ContentModel]]:
    """(essays, V1_FEATURES) of training essays, none compared with itself, and the content vectors of each prompt."""
    topical, content = np.full((len(table), len(TOPICAL)), np.nan), {}
    for prompt, rows, own in _by_prompt(table):
        topical[rows] = topical_out_of_fold(own, resolved[rows])
        content[prompt] = content_of(own, resolved[rows])
    return np.hstack([table.columns(NAMES), topical]), content


def with_topical(table: EssayFeatures, content: Mapping[str, ContentModel]) -> EssayFeatures:
    """The table with EssayContent and ArgContent of essays to be scored; NaN for a prompt that is not known."""
    topical = np.full((len(table), len(TOPICAL)), np.nan)
    for prompt, rows, own in _by_prompt(table):
        if prompt in content:
            topical[rows] = topical_of(own, content[prompt])
    return replace(table, names=(*table.names, *TOPICAL), values=np.hstack([table.values, topical]))


def _by_prompt(table: EssayFeatures) -> Iterator[tuple[str, NDArray[np.intp], list[Arguments]]]:
    """Each prompt with the rows and the arguments of its essays; InputError where arguments were not measured."""
    if len(table.arguments) != len(table):
        problem = "these features were measured without those of v.1.3"
        remedy = ("Name a file for ", Field("features"), " that is not there yet, or leave it out.")
        raise InputError(problem, field="features", remedy=remedy)
    for prompt in sorted(set(table.prompts)):
        rows = np.flatnonzero(np.array(table.prompts) == prompt)
        yield prompt, rows, [table.arguments[row] for row in rows.tolist()]
