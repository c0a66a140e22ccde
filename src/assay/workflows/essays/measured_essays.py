"""Essays measured by an executor for models and studies: their features, or all that a hybrid reads of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from assay.errors import Field, InputError
from assay.essays.features.features import FEATURES, Measured, analyse_all, features_of, measure_essays
from assay.essays.features.measures import measures_of
from assay.essays.models.arrays import Floats
from assay.essays.models.erater.prompt_vocabulary import essay_content
from assay.essays.models.erater.v1_measures import NAMES, measure_v1, partition
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.hybrid.reading import HybridEssays, joined
from assay.essays.text.text import Essay
from assay.execution.executor import Executor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.essays import features_table as tables
from assay.io.essays.scored_essays import ScoredEssays, StudyEssays
from assay.io.models.scoring_models import bundled_discourse_model

Row = TypeVar("Row")

EACH_BY_ITSELF = 16
"""Essays handed out together where each is read by itself."""
TOGETHER = 32
"""Essays read together for v.1.3 and studies. Fixed, whatever the number of workers: results do not depend on it."""


def feature_table(
    read: ScoredEssays, features: Path | None, executor: Executor, observer: Observer = SILENT
) -> EssayFeatures:
    """The twelve features of the essays: from the file named, or measured now, and then kept in it."""
    if features is not None and features.exists():
        values, _ = tables.read_study_features(features, [essay.essay_id for essay in read.essays])
        rows: list[Mapping[str, float]] = [dict(zip(FEATURES, row, strict=True)) for row in values.tolist()]
    else:
        measured = list(_done(measure_each, read.essays, EACH_BY_ITSELF, executor, observer))
        rows = [one.values for one in measured]
        if features is not None:
            first = read.human.first.tolist()
            tables.write_features(
                features, (tables.features_row(*row) for row in zip(read.essays, first, measured, strict=True))
            )
    return EssayFeatures.of(read.essays, rows, read.human, programs=read.programs, names=tuple(FEATURES))


def v1_feature_table(
    read: ScoredEssays, features: Path | None, executor: Executor, observer: Observer = SILENT
) -> EssayFeatures:
    """The table that a v.1.3 model is trained on."""
    values, v1_values = measured_essays(read.essays, features, executor, observer)
    if v1_values is None:
        problem = "holds no features of v.1.3"
        remedy = ("Name a file for ", Field("features"), " that is not there yet, or leave it out.")
        raise InputError(problem, source=features or "", field="features", remedy=remedy)
    table = content_table(read, (*FEATURES, *NAMES), np.hstack([values, v1_values]))
    return replace(table, arguments=tuple(partition(essay.text).contents for essay in read.essays))


def content_table(read: ScoredEssays | StudyEssays, names: tuple[str, ...], values: Floats) -> EssayFeatures:
    """The features of essays that were measured, with their content words alone."""
    return EssayFeatures(
        essay_ids=tuple(essay.essay_id for essay in read.essays),
        prompts=tuple(essay.prompt for essay in read.essays),
        names=names,
        values=values,
        contents=tuple(essay_content(essay.text) for essay in read.essays),
        human=read.human,
        programs=read.programs,
    )


def measured_essays(
    essays: Sequence[Essay], features: Path | None, executor: Executor, observer: Observer = SILENT
) -> tuple[Floats, Floats | None]:
    """(essays, 12) and (essays, 51): from the file where it is there, else measured, and kept there if it is named.

    A file with the twelve features only gives None for those of v.1.3.
    """
    ids = [essay.essay_id for essay in essays]
    if features is not None and features.exists():
        return tables.read_study_features(features, ids)
    if features is not None:
        tables.check_features_path(features)
    rows = list(_done(measure_together, essays, TOGETHER, executor, observer))
    values, v1_values = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    if features is not None:
        tables.write_study_features(features, ids, values, v1_values)
    return values, v1_values


def hybrid_essays(essays: Sequence[Essay], executor: Executor, observer: Observer = SILENT) -> HybridEssays:
    """Essays read and measured, each by itself: who works on them changes no digit."""
    return joined(list(_done(read_each, essays, EACH_BY_ITSELF, executor, observer)))


def _done(
    work: Callable[[Sequence[Essay]], list[Row]],
    essays: Sequence[Essay],
    size: int,
    executor: Executor,
    observer: Observer,
) -> Iterator[Row]:
    blocks = (essays[first : first + size] for first in range(0, len(essays), size))
    for block in with_progress(executor.map_ordered(work, blocks), observer, "Reading essays", len(essays)):
        yield from block


def measure_each(essays: Sequence[Essay]) -> list[Measured]:
    """Every essay measured by itself, as it will be when it is scored; what a worker does."""
    measured = (next(measure_essays([essay], bundled_discourse_model())) for essay in essays)
    return [replace(one, content={}) for one in measured]


def measure_together(essays: Sequence[Essay]) -> list[tuple[list[float], list[float]]]:
    """The twelve features and those of v.1.3 of some essays; what a worker does."""
    analyses = analyse_all([essay.text for essay in essays], bundled_discourse_model())
    return [(list(features_of(a).values()), list(measure_v1(a).values())) for a in analyses]


def read_each(essays: Sequence[Essay]) -> list[HybridEssays]:
    """Every essay of a block read by itself; what a worker does."""
    analyses = [(essay, next(analyse_all([essay.text], bundled_discourse_model()))) for essay in essays]
    return [HybridEssays.of(essay, analysis, measures_of(analysis)) for essay, analysis in analyses]
