"""`assay rsm predict --partitions`: scores as a folder of Parquet parts, gone on with after a crash."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assay import __version__
from assay.cli.essays.parts import say_left
from assay.cli.terminal import progress
from assay.errors import InputError
from assay.execution.executor import Executor
from assay.io.rsm.configuration.model_config import RsmPredictConfig
from assay.io.tables.part_folder import Origin, PartFolder, RowChunk
from assay.io.tables.tables import TableSource, check_unique_ids, file_digest, open_table
from assay.rsm.feature_model import FeatureModel
from assay.workflows.rsm.predict import score_some, stored_model

if TYPE_CHECKING:
    import polars as pl

PART_ROWS = 500_000
"""Responses of a part where the input is one file."""

EXCLUDED = "_excluded"
"""The folder, passed over by readers of Parquet, for responses that could not be scored."""


@dataclass(frozen=True, eq=False, slots=True)
class ScoredPart:
    """The scores of one part, and the responses that could not be scored."""

    scores: "pl.DataFrame"
    excluded: "pl.DataFrame"
    features: "pl.DataFrame | None"
    """As the model sees them, if asked for."""

    def __len__(self) -> int:
        return self.scores.height + self.excluded.height


@dataclass(slots=True)
class CountedRows:
    """Responses that were scored in this run and that could not be, and parts in which none could."""

    scored: int = 0
    excluded: int = 0
    empty_parts: int = 0

    def words(self) -> str:
        """As a sentence without its end."""
        left_out = f", {self.excluded} could not be scored" if self.excluded else ""
        parts = "1 part" if self.empty_parts == 1 else f"{self.empty_parts} parts"
        none = f" (in {parts} none could)" if self.empty_parts else ""
        return f"{self.scored} responses scored{left_out}{none}"


def predict_in_parts(
    config: RsmPredictConfig, out: Path, executor: Executor, *, features: Path | None, force: bool, quiet: bool
) -> CountedRows:
    """Scores in OUT/part-*.parquet, and the features as the model sees them in a folder of their own, if asked for.

    A part in which nothing can be scored is empty; InputError when all of them are.
    """
    source = open_table(config.input_features_file)
    if not source.sliceable:
        raise InputError(
            f"{source.name} cannot be read from its middle, so it cannot be scored part by part. "
            "Convert it to Parquet, or leave out --partitions."
        )
    if not source.row_count:
        raise InputError(f"{source.name} holds no responses: there is no row below the names of its columns.")
    check_unique_ids(source, config.id_column)
    model, origin = stored_model(config), _origin(config, source, features)
    folder, beside = PartFolder(out, origin, force=force), PartFolder(out / EXCLUDED, origin, force=force)
    prepared = None if features is None else PartFolder(features, origin, force=force)
    left, begun = folder.left(), bool(folder.done)
    say_left(folder, quiet=quiet)
    counted = CountedRows()
    found_in = _scored(config, source, left, model, executor, features=features is not None, quiet=quiet)
    for part, found in zip(left, found_in, strict=True):
        beside.write(part, found.excluded.write_parquet)
        if prepared is not None and found.features is not None:
            prepared.write(part, found.features.write_parquet)
        folder.write(part, found.scores.write_parquet)
        counted.scored += found.scores.height
        counted.excluded += found.excluded.height
        counted.empty_parts += bool(part.rows and not found.scores.height)
    if left and not counted.scored and not begun:
        for part in left:
            for one in filter(None, (folder, beside, prepared)):
                one.remove(part)
        raise InputError(
            f"No response of {source.name} has a usable number for every feature of the model, so none can be scored."
        )
    return counted


def _scored(
    config: RsmPredictConfig,
    source: TableSource,
    left: list[RowChunk],
    model: FeatureModel,
    executor: Executor,
    *,
    features: bool,
    quiet: bool,
) -> Iterator[ScoredPart]:
    spans = [(part.first, part.rows) for part in left]
    settings = replace(config, input_features_file=source.place)
    with progress("responses", sum(part.rows for part in left), quiet=quiet) as bar:
        yield from bar.counting(executor.map_ordered(score_part, spans, settings, model, features))


def score_part(span: tuple[int, int], config: RsmPredictConfig, model: FeatureModel, features: bool) -> ScoredPart:
    """One part read and scored; what a worker does."""
    rows = span[1]
    found = score_some(config, model, span if rows else (0, 1))  # without rows the columns are those of any other part
    scores, excluded = (frame.head(rows) for frame in (found.scores, found.excluded))
    return ScoredPart(scores, excluded, found.features.head(rows) if features else None)


def _origin(config: RsmPredictConfig, source: TableSource, features: Path | None) -> Origin:
    count = source.row_count
    cut = [min(PART_ROWS, count - first) for first in range(0, count, PART_ROWS)]
    sizes = source.part_rows if source.in_parts else tuple(cut)
    options = {name: str(value) for name, value in asdict(config).items() if name != "input_features_file"}
    options |= {} if features is None else {"features": str(features)}
    return Origin(__version__, "rsm predict", options, _model_digest(config), source.digests(), tuple(sizes))


def _model_digest(config: RsmPredictConfig) -> str:
    """Of our model file, which knows that of its estimator; of an experiment of RSMTool, of all its files."""
    folder, name = config.experiment_dir, config.experiment_id
    output = folder / "output" if (folder / "output").is_dir() else folder
    own = output / f"{name}.model.json"
    return " ".join(map(file_digest, [own] if own.exists() else sorted(output.glob(f"{name}[._]*"))))
