"""The features of v.1.3 in a `EssayFeatures`, and the two topical ones filled in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.features.analysis import Analysis
from assay.essays.features.content import ContentModel
from assay.essays.feedback.advisories import advisories
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.v1.arguments import partition
from assay.essays.models.v1.measures import NAMES, measure_v1
from assay.essays.models.v1.topic import TOPICAL, content_of, topical_of, topical_out_of_fold
from assay.essays.text.text import Essay

Floats = NDArray[np.float64]


def v1_table(essay: Essay, analysis: Analysis) -> EssayFeatures:
    """What v.1.3 sees in an essay that is to be scored."""
    row = {"length": float(len(analysis.words)), **measure_v1(analysis).values}
    doubts = advisories(analysis.words, prompt=essay.prompt)
    table = EssayFeatures.of([essay], [row], advisories=[doubts], names=("length", *NAMES))
    return replace(table, arguments=(partition(essay.text).contents,))


def v1_training_values(table: EssayFeatures, resolved: Floats) -> tuple[Floats, dict[str, ContentModel]]:
    """(essays, V1_FEATURES) of training essays, none compared with itself, and the content vectors of each prompt."""
    _check_arguments(table)
    topical = np.full((len(table), len(TOPICAL)), np.nan)
    content = {}
    for prompt, rows in _prompts(table):
        own = [table.arguments[row] for row in rows.tolist()]
        topical[rows] = topical_out_of_fold(own, resolved[rows])
        content[prompt] = content_of(own, resolved[rows])
    return np.hstack([table.columns(NAMES), topical]), content


def with_topical(table: EssayFeatures, content: Mapping[str, ContentModel]) -> EssayFeatures:
    """The table with EssayContent and ArgContent of essays to be scored; NaN for a prompt that is not known."""
    _check_arguments(table)
    topical = np.full((len(table), len(TOPICAL)), np.nan)
    for prompt, rows in _prompts(table):
        if prompt in content:
            topical[rows] = topical_of([table.arguments[row] for row in rows.tolist()], content[prompt])
    return replace(table, names=(*table.names, *TOPICAL), values=np.hstack([table.values, topical]))


def _prompts(table: EssayFeatures) -> Iterator[tuple[str, NDArray[np.intp]]]:
    prompts = np.array(table.prompts)
    for prompt in sorted(set(table.prompts)):
        yield prompt, np.flatnonzero(prompts == prompt)


def _check_arguments(table: EssayFeatures) -> None:
    if len(table.arguments) != len(table):
        raise InputError(
            "these features were measured without those of v.1.3",
            field="features",
            remedy=("Name a file for ", Field("features"), " that is not there yet, or leave it out."),
        )
