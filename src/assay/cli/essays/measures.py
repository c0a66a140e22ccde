"""The features of e-rater v.2.0 and of v.1.3 measured together: for studies, and to train v.1.3."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.essays.models.feature_table import EssayFeatures
    from assay.essays.text.essay import Essay
    from assay.execution.executor import Executor
    from assay.io.essays.scored_essays import ScoredEssays
    from assay.io.essays.study_features import Floats

BLOCK_ESSAYS = 32


def measured_essays(
    essays: Sequence["Essay"], features: Path | None, executor: "Executor", *, quiet: bool = True
) -> tuple["Floats", "Floats | None"]:
    """(essays, 12) and (essays, 51): from the file where it is there, else measured, and kept there if it is named.

    A file with the twelve features only gives None for those of v.1.3.
    """
    import numpy as np

    from assay.io.essays.features_table import check_features_path
    from assay.io.essays.study_features import read_study_features, write_study_features

    ids = [essay.essay_id for essay in essays]
    if features is not None and features.exists():
        return read_study_features(features, ids)
    if features is not None:
        check_features_path(features)
    rows = list(_measured(essays, executor, quiet=quiet))
    values, v1_values = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    if features is not None:
        write_study_features(features, ids, values, v1_values)
    return values, v1_values


def v1_training_table(
    read: "ScoredEssays", features: Path | None, executor: "Executor", *, quiet: bool = True
) -> "EssayFeatures":
    """The table that a v.1.3 model is trained on."""
    import numpy as np

    from assay.errors import InputError
    from assay.essays.features.features import FEATURES
    from assay.essays.models.erater.prompt_vocabulary import essay_content
    from assay.essays.models.feature_table import EssayFeatures
    from assay.essays.models.v1.arguments import partition
    from assay.essays.models.v1.measures import NAMES

    values, v1_values = measured_essays(read.essays, features, executor, quiet=quiet)
    if v1_values is None:
        raise InputError(
            f"{features} holds no features of v.1.3. Name a file for --features that is not there yet to have them "
            "measured and kept, or leave it out."
        )
    return EssayFeatures(
        essay_ids=tuple(essay.essay_id for essay in read.essays),
        prompts=tuple(essay.prompt for essay in read.essays),
        names=(*FEATURES, *NAMES),
        values=np.hstack([values, v1_values]),
        contents=tuple(essay_content(essay.text) for essay in read.essays),
        human=read.human,
        programs=read.programs,
        arguments=tuple(partition(essay.text).contents for essay in read.essays),
    )


Measured = tuple[list[float], list[float]]


def _measured(essays: Sequence["Essay"], executor: "Executor", *, quiet: bool) -> Iterator[Measured]:
    from assay.cli.terminal import progress

    blocks = [[e.text for e in essays[i : i + BLOCK_ESSAYS]] for i in range(0, len(essays), BLOCK_ESSAYS)]
    with progress("Reading essays", len(essays), quiet=quiet) as bar:
        for block in bar.counting(executor.map_ordered(measure_block, blocks)):
            yield from block


def measure_block(texts: Sequence[str]) -> list[Measured]:
    """The twelve features and those of v.1.3 of some texts; what a worker does."""
    from assay.essays.features.analysis import analyse_all
    from assay.essays.features.features import features_of
    from assay.essays.models.v1.measures import measure_v1
    from assay.io.models.discourse_weights import bundled_discourse_model

    analyses = analyse_all(texts, bundled_discourse_model())
    return [(list(features_of(a).values()), list(measure_v1(a).values.values())) for a in analyses]
