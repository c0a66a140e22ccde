"""`rsm_predict`: new responses scored with the model of an experiment, as RSMTool's rsmpredict does it."""

from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay import __version__
from assay.errors import Field, InputError
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.rsm.configuration.configs import RsmPredictConfig, rsm_predict_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.table import write_rsm_table
from assay.io.tables.output import OutputFolder
from assay.io.tables.part_folder import Origin, PartFolder
from assay.io.tables.tables import TableSource, check_unique_ids, file_digest, open_table
from assay.rsm.feature_model import FeatureModel
from assay.workflows.arguments import check_arguments
from assay.workflows.results import Result
from assay.workflows.rsm.scoring import ScoredResponses, score_responses, spread_raw, stored_model

if TYPE_CHECKING:
    from assay.report.document.document import Document

ENDINGS = (".csv", ".tsv", ".xlsx")
IN_FOLDER = "predictions_with_metadata"
"""What RSMTool calls the scores when the output is a folder."""
PART_ROWS = 500_000
"""Responses of a part where the input is one file."""
EXCLUDED = "_excluded"
"""The folder, passed over by readers of Parquet, for responses that could not be scored."""
SCHEMA = "assay.rsm-predictions/1"


@dataclass(frozen=True, eq=False, repr=False)
class RsmPredictResult(Result):
    """What came out of an rsmpredict experiment."""

    config: RsmPredictConfig
    scored: int
    """Responses scored in this run."""
    excluded: int
    """Responses that could not be scored."""
    empty_parts: int = 0
    """Parts in which none could."""
    responses: ScoredResponses | None = None
    """None where scores were written part by part."""
    path: Path | None = None
    """The file, or the folder of parts, that holds the scores."""

    def summary(self) -> list[tuple[str, str]]:
        where = [("Scores", str(self.path))] if self.path else []
        counts = [("Responses scored", str(self.scored)), ("Could not be scored", str(self.excluded))]
        return [("rsmpredict", self.config.experiment_id), *counts, *where]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "experiment_id": self.config.experiment_id,
            "scored": self.scored,
            "excluded": self.excluded,
            "scores": self.to_polars().to_dicts(),
        }

    def to_polars(self) -> pl.DataFrame:
        """The scores, a row a response; those of all parts where there are parts."""
        if self.responses is not None:
            return self.responses.scores
        assert self.path is not None  # parts lie in a folder
        return pl.read_parquet(self.path / "part-*.parquet")

    def document(self) -> "Document":
        from assay.report.rsm.experiment_report import predict_report  # noqa: PLC0415 - not always asked for

        final = self.to_polars().get_column("scale_trim_round").to_list()
        return predict_report(final, self.excluded, experiment_id=self.config.experiment_id)

    def write(self, out: str | Path, *, features: str | Path | None = None, force: bool = False) -> Path:
        """Write the scores to a file, or to a folder for it, and the prepared features if asked for.

        A file that exists is replaced only if forced. All files appear, or none.

        Returns
        -------
        Path
            The file of scores.
        """
        assert self.responses is not None  # parts are written as they are scored
        target, beside = output_files(self.config, out, features, force=force)
        with ExitStack() as folders:
            folder = folders.enter_context(OutputFolder(target.parent, force=True))
            write_rsm_table(folder / target.name, self.responses.scores)
            if self.excluded:
                excluded = f"{target.stem}_excluded_responses{target.suffix}"
                write_rsm_table(folder / excluded, self.responses.excluded)
            if beside is not None:  # before any file appears, so that none does if this one cannot be written
                other = folders.enter_context(OutputFolder(beside.parent, force=True))
                write_rsm_table(other / beside.name, self.responses.features)
        return target


def rsm_predict(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    features: str | Path | None = None,
    partitions: bool = False,
    force: bool = False,
    compat: bool = False,
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> RsmPredictResult:
    """Score new responses with the model of an experiment, as RSMTool's rsmpredict does.

    Parameters
    ----------
    config
        A configuration file of rsmpredict, JSON with comments or TOML, or its options by name.
    out
        The file for the scores, or a folder for it; without it nothing is written.
    features
        The file, or the folder of `partitions`, for features as the model sees them.
    partitions
        Write a folder of Parquet parts, one for each part of the input; run again after a crash to go on.
    force
        Replace what exists.
    compat
        Reproduce RSMTool's known defects, and ignore options of its other commands.
    executor, observer
        Who scores (this process, if not given), and who hears how far it is.

    Returns
    -------
    RsmPredictResult
        A score for each response, and how many could not be scored.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from assay import rsm_tool
    >>> options = {"model": "LinearRegression", "id_column": "id", "train_file": "examples/training.csv"}
    >>> options |= {"train_label_column": "human", "test_file": "examples/scores.csv", "test_label_column": "human"}
    >>> new = {"experiment_id": "mine", "input_features_file": "examples/scores.csv", "id_column": "id"}
    >>> with TemporaryDirectory() as folder:
    ...     experiment = rsm_tool(options | {"experiment_id": "mine", "features": ["words"]}, folder, no_report=True)
    ...     result = rsm_predict(new | {"experiment_dir": folder})
    >>> result.scored, result.excluded
    (600, 0)
    """
    check_arguments(rsm_predict, locals())
    settings = rsm_predict_config(config, compat=compat)
    executor = executor or SerialExecutor()
    with observer.stage("read and wrote"):
        if partitions:
            if out is None:
                raise InputError((Field("partitions"), " need a folder to go to"), field="out", remedy="Name one.")
            beside = None if features is None else Path(features)
            return predict_in_parts(settings, Path(out), executor, observer, features=beside, force=force)
        if out is not None:
            output_files(settings, out, features, force=force)
        responses = score_responses(settings, stored_model(settings), raw=partial(spread_raw, executor))
        result = RsmPredictResult(settings, responses.scores.height, responses.excluded.height, responses=responses)
        observer.check()
        return result if out is None else replace(result, path=result.write(out, features=features, force=force))


def output_files(
    config: RsmPredictConfig, out: str | Path, features: str | Path | None, *, force: bool
) -> tuple[Path, Path | None]:
    """The files for scores and features. InputError when one exists, unless forced."""

    def ending(path: Path) -> str:
        own = path.suffix.lower() if path.suffix.lower() in ENDINGS else ".csv"
        return own if config.file_format is None else f".{config.file_format}"

    out, beside = Path(out), None if features is None else Path(features)
    target = out if out.suffix.lower() in ENDINGS else out / f"{IN_FOLDER}.csv"
    target, beside = target.with_suffix(ending(out)), None if beside is None else beside.with_suffix(ending(beside))
    for field, path in (("out", target), ("features", beside)):
        if path is not None and path.exists() and not force:
            remedy = ("Choose another name, or replace it with ", Field("force"), ".")
            raise InputError("exists already", source=path, field=field, remedy=remedy)
    return target, beside


def predict_in_parts(
    config: RsmPredictConfig, out: Path, executor: Executor, observer: Observer, *, features: Path | None, force: bool
) -> RsmPredictResult:
    """Scores in OUT/part-*.parquet, and the features as the model sees them in a folder of their own, if asked for.

    A part in which nothing can be scored is empty; InputError when all of them are.
    """
    source = open_table(config.input_features_file)
    if not source.sliceable:
        problem = "cannot be read from its middle, so it cannot be scored part by part"
        remedy = ("Convert it to Parquet, or leave out ", Field("partitions"), ".")
        raise InputError(problem, source=source.name, field="input_features_file", remedy=remedy)
    if not source.row_count:
        problem = "holds no responses: there is no row below the names of its columns"
        raise InputError(problem, source=source.name, field="input_features_file")
    check_unique_ids(source, config.id_column)
    model, origin = stored_model(config), _origin(config, source, features)
    folder, beside = PartFolder(out, origin, force=force), PartFolder(out / EXCLUDED, origin, force=force)
    prepared = None if features is None else PartFolder(features, origin, force=force)
    left, begun = folder.left(), bool(folder.done)
    if begun:
        rest = "going on from there" if left else "nothing is left to do"
        observer.remark(f"{len(folder.done)} of {len(folder.parts)} parts are in {folder.path} already: {rest}.")
    spans = [(part.first, part.rows) for part in left]
    located = replace(config, input_features_file=source.place)
    counted = with_progress(
        executor.map_ordered(score_part, spans, located, model), observer, "responses", sum(part.rows for part in left)
    )
    scored = excluded = empty = 0
    for part, responses in zip(left, counted, strict=True):
        beside.write(part, responses.excluded.write_parquet)
        if prepared is not None:
            prepared.write(part, responses.features.write_parquet)
        folder.write(part, responses.scores.write_parquet)
        scored += responses.scores.height
        excluded += responses.excluded.height
        empty += bool(part.rows and not responses.scores.height)
    if left and not scored and not begun:
        for part in left:
            for one in (folder, beside, prepared):
                if one is not None:
                    one.remove(part)
        problem = "no response has a usable number for every feature of the model, so none can be scored"
        raise InputError(problem, source=source.name, field="input_features_file")
    return RsmPredictResult(config, scored, excluded, empty, path=out)


def score_part(span: tuple[int, int], config: RsmPredictConfig, model: FeatureModel) -> ScoredResponses:
    """One part read and scored; what a worker does."""
    # without rows the columns are those of any other part
    responses = score_responses(config, model, span if span[1] else (0, 1))
    frames = (responses.scores, responses.features, responses.excluded)
    return ScoredResponses(*(frame.head(span[1]) for frame in frames))


def _origin(config: RsmPredictConfig, source: TableSource, features: Path | None) -> Origin:
    count = source.row_count
    cut = [min(PART_ROWS, count - first) for first in range(0, count, PART_ROWS)]
    sizes = source.part_rows if source.in_parts else tuple(cut)
    options = {name: str(value) for name, value in asdict(config).items() if name != "input_features_file"}
    options |= {} if features is None else {"features": str(features)}
    # our model file knows the digest of its estimator; of an experiment of RSMTool all files count
    folder, name = config.experiment_dir, config.experiment_id
    output = folder / "output" if (folder / "output").is_dir() else folder
    own = output / f"{name}.model.json"
    digest = " ".join(map(file_digest, [own] if own.exists() else sorted(output.glob(f"{name}[._]*"))))
    return Origin(__version__, "rsm predict", options, digest, source.digests(), tuple(sizes))
