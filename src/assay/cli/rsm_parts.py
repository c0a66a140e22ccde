"""`assay rsm predict --partitions`: scores as a folder of Parquet parts, gone on with after a crash."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assay import __version__
from assay.cli.essay_parts import say_left
from assay.cli.terminal import progress
from assay.cluster.crew import Crew
from assay.errors import InputError
from assay.files.part_folder import Origin, Part, PartFolder
from assay.files.rsm_model_config import RsmPredictConfig
from assay.files.rsm_predict import score_some, stored_model
from assay.files.tables import TableSource, check_unique_ids, file_digest, open_table
from assay.models.feature_model import FeatureModel

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

    def __len__(self) -> int:
        return self.scores.height + self.excluded.height


def predict_in_parts(config: RsmPredictConfig, out: Path, crew: Crew, *, force: bool, quiet: bool) -> tuple[int, int]:
    """Scores in OUT/part-*.parquet; how many responses were scored in this run, and how many could not be."""
    source = open_table(config.input_features_file)
    if not source.sliceable:
        raise InputError(
            f"{source.name} cannot be read from its middle, so it cannot be scored part by part. "
            "Convert it to Parquet, or leave out --partitions."
        )
    check_unique_ids(source, config.id_column)
    model, origin = stored_model(config), _origin(config, source)
    folder, beside = PartFolder(out, origin, force=force), PartFolder(out / EXCLUDED, origin, force=force)
    left = folder.left()
    say_left(folder, quiet=quiet)
    scored = excluded = 0
    for part, found in zip(left, _scored(config, source, left, model, crew, quiet=quiet), strict=True):
        beside.write(part, found.excluded.write_parquet)
        folder.write(part, found.scores.write_parquet)
        scored, excluded = scored + found.scores.height, excluded + found.excluded.height
    return scored, excluded


def _scored(
    config: RsmPredictConfig, source: TableSource, left: list[Part], model: FeatureModel, crew: Crew, *, quiet: bool
) -> Iterator[ScoredPart]:
    spans = [(part.first, part.rows) for part in left]
    settings = replace(config, input_features_file=source.place)
    with progress("responses", sum(part.rows for part in left), quiet=quiet) as bar:
        yield from bar.counting(crew.in_order(score_part, spans, settings, model))


def score_part(span: tuple[int, int], config: RsmPredictConfig, model: FeatureModel) -> ScoredPart:
    """One part read and scored; what a worker does."""
    found = score_some(config, model, span)
    return ScoredPart(found.scores, found.excluded)


def _origin(config: RsmPredictConfig, source: TableSource) -> Origin:
    count = source.row_count
    cut = [min(PART_ROWS, count - first) for first in range(0, count, PART_ROWS)]
    sizes = source.part_rows if source.in_parts else tuple(cut)
    options = {name: str(value) for name, value in asdict(config).items() if name != "input_features_file"}
    return Origin(__version__, "rsm predict", options, _model_digest(config), source.digests(), tuple(sizes))


def _model_digest(config: RsmPredictConfig) -> str:
    """Of our model file, which knows that of its estimator; of an experiment of RSMTool, of all its files."""
    folder, name = config.experiment_dir, config.experiment_id
    output = folder / "output" if (folder / "output").is_dir() else folder
    own = output / f"{name}.model.json"
    return " ".join(map(file_digest, [own] if own.exists() else sorted(output.glob(f"{name}[._]*"))))
