"""`calibrate`: a model of other prompts taken to a new one, with a few scored essays or none."""

from dataclasses import dataclass

import numpy as np

from assay.essays.models.calibrated.calibrate import calibrate_model
from assay.essays.models.reading_parts import check_parts
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer
from assay.io.essays.scored_essays import read_scored_essays
from assay.io.essays.table import EssayColumns
from assay.io.models.discourse_weights import bundled_discourse_model
from assay.scale import ScoreScale
from assay.workflows.essays.essay_inputs import EssaysLike, ModelLike, essay_source, made_now, model_input
from assay.workflows.essays.measured_essays import feature_table, hybrid_essays
from assay.workflows.essays.train import TrainedModel, stated


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Calibration(TrainedModel):
    """A model calibrated to a new prompt, and what it was calibrated with."""

    essays: int
    scored: int
    notes: tuple[str, ...]


def calibrate(
    model: ModelLike,
    essays: EssaysLike,
    *,
    text: str | None = None,
    id: str | None = None,
    prompt: str | None = None,
    score: str | None = None,
    scale: str | ScoreScale | None = None,
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> Calibration:
    """Take a model to a prompt it has not seen.

    Ten to fifty of the essays should have a score; the others, which need none, show how essays on the prompt usually
    are. Without any score the model ranks the essays and places them where prompts usually lie.

    Parameters
    ----------
    model
        A generic10 model, a hybrid trained on several prompts, or the path of either.
    essays
        Essays of the new prompt: a list of texts, a table, or a path.
    text, id, prompt, score
        The columns of a table; the score may be empty where an essay has none.
    scale
        Scale of the new prompt, as "1-6"; that of the model without it.
    executor, observer
        Who does the work, and who hears of it.

    Returns
    -------
    Calibration
        `.model` scores essays of the prompt, `.save(path)` writes it.

    Examples
    --------
    >>> calibrate(None, ["One essay.", "Another."])
    Traceback (most recent call last):
    ...
    assay.errors.InputError: 2 essays with words are too few to calibrate a model: at least 10 are needed. \
Give more essays of the prompt, with or without scores.
    """
    old, _ = model_input(model)
    check_parts(old.reads_with, bundled_discourse_model())
    executor = executor or SerialExecutor()
    read = read_scored_essays(*essay_source(essays, EssayColumns(text, id, prompt, score) if text else None))
    declared = ScoreScale.parse(scale) if isinstance(scale, str) else scale or old.scale
    new = calibrate_model(
        old,
        read.human.first,
        declared,
        features=lambda: feature_table(read, None, executor, observer),
        measures=lambda: hybrid_essays(read.essays, executor, observer),
    )
    scored = int(np.isfinite(read.human.first).sum())
    notes = new.training.notes[-1:] if new.equations else new.training.notes
    return Calibration(stated(new), made_now("calibrate"), len(read), scored, notes)
