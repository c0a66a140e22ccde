"""`refit`: a new revision of a model from teachers' scores, judged beside the old one."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assay import __version__
from assay.essays.models.arrays import Floats
from assay.essays.models.erater.model import EssayModel, score_table
from assay.essays.models.erater.refit import refit_model, refittable, refitted_unseen
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.scoring_model import check_parts
from assay.evaluation.chunks import tally_parts
from assay.evaluation.compare import Comparison, Contender, compare_engines
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer
from assay.io.essays.scored_essays import FurtherColumns, read_scored_essays
from assay.io.essays.table import EssayColumns
from assay.io.models.scoring_models import bundled_discourse_model
from assay.io.tables.output import write_csv
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.workflows.arguments import check_arguments
from assay.workflows.essays.essay_inputs import EssaysLike, ModelLike, essay_source, heard_by, made_now, model_input
from assay.workflows.essays.measured_essays import feature_table
from assay.workflows.essays.train import TrainedModel
from assay.workflows.evaluation.results import ComparisonResult


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class RefittedModel(TrainedModel):
    """The new revision, and both compared on the same essays."""

    comparison: Comparison
    ids: tuple[str, ...]
    human: Floats
    before: Floats
    after: Floats
    """Scores by revisions refitted without the essay: what the new model will do with others."""
    changed: int
    """Essays whose score the new model changes."""

    def document(self, title: str = "Comparison of 2 engines") -> Document:
        """Both compared."""
        from assay.report.evaluation.comparison_report import comparison_report  # noqa: PLC0415 - only sometimes

        return comparison_report(self.comparison, title=title, provenance=self.provenance)

    def to_polars(self) -> pl.DataFrame:
        """A row per essay: human score, score before, score after."""
        columns = {"id": self.ids, "human": self.human, "before": self.before, "after": self.after}
        return pl.DataFrame(columns)

    def compared(self) -> ComparisonResult:
        """Both models as `compare` gives engines."""
        return ComparisonResult(self.comparison, self.provenance)

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """The comparison as files, and scores.csv with both scores of each essay; `save` writes the new model."""
        written = self.compared().write(folder, force=force)
        columns = (self.ids, self.human.tolist(), self.before.tolist(), self.after.tolist())
        write_csv(written / "scores.csv", ["id", "human", "before", "after"], list(zip(*columns, strict=True)))
        return written


def refit(
    model: ModelLike,
    essays: EssaysLike,
    *,
    overrides: str,
    text: str | None = None,
    file: str | None = None,
    id: str | None = None,
    prompt: str | None = None,
    program: str | None = None,
    features: str | Path | None = None,
    executor: Executor | None = None,
    observer: Observer = SILENT,
    command: str = "assay.refit",
) -> RefittedModel:
    """Move a model towards scores that teachers gave, and compare both on the same essays.

    The new model is judged on essays that it was not refitted on, fold by fold.

    Parameters
    ----------
    model
        A model of weighted features, or the path of its file.
    essays
        A table (pandas, Polars, pyarrow), or the path of one.
    overrides
        The column with the scores people gave in place of the model.
    text, id, prompt, program
        The columns with the essay (the likely one without it), its name, its prompt and its program.
    file
        The column that names the file of each essay, relative to the table, in place of `text`.
    features
        A file of features of these essays: read if it is there, else measured and kept there.
    executor, observer
        Who does the work, and who hears of it.
    command
        What the report says it was made by.

    Returns
    -------
    RefittedModel
        `.model` is the new revision, `.comparison` both beside each other.

    Examples
    --------
    >>> refit(None, [{"essay": "A text.", "teacher": 3}], text="essay", overrides="teacher")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    assay.errors.InputError: 1 new scores are too few to refit a model: at least 10 are needed. Give more essays ...
    """
    check_arguments(refit, locals())
    old = refittable(model_input(model)[0])
    check_parts(old.reads_with, bundled_discourse_model())
    columns = EssayColumns(text, id, prompt, overrides, file=file)
    read = read_scored_essays(*essay_source(essays, columns), FurtherColumns(program=program), **heard_by(observer))
    table = feature_table(read, None if features is None else Path(features), executor or SerialExecutor(), observer)
    observer.check()
    return refitted(old, table, names=("after", "before"), provenance=made_now(command), observer=observer)


def refitted(
    old: EssayModel,
    table: EssayFeatures,
    *,
    names: tuple[str, str],
    provenance: Provenance,
    observer: Observer = SILENT,
) -> RefittedModel:
    """The new revision from essays that were measured before; `names` are what the comparison calls new and old."""
    new = refit_model(old, table, version=__version__)
    before, after = refitted_unseen(old, table, observer.check)
    human = table.human.first
    plan, contenders = Plan(scale=old.scale, leave_out_zeros=False), []
    for name, scores in zip(names, (after, before), strict=True):
        tally, _ = tally_parts([Ratings.of(human, scores)], plan)
        contenders.append(Contender(name, tally.system[plan.trimmed], tally.system[plan.rounded or plan.trimmed]))
    comparison = compare_engines(contenders)
    live = [score.score for score in score_table(table, new)]
    changed = sum(a != b for a, b in zip(before.tolist(), live, strict=True))
    return RefittedModel(new, provenance, comparison, table.essay_ids, human, before, after, changed)
