"""What was measured for a study, kept in a file: the twelve features and those of v.1.3, a row per essay."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES
from assay.essays.models.erater.v1_measures import NAMES
from assay.io.essays.features_table import check_features_path, unwritable
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.tables import TableSource, open_table

Floats = NDArray[np.float64]

V1_COLUMNS = tuple(f"v1_{name}" for name in NAMES)
MEASURED = tuple(name for name in FEATURES if name not in VOCABULARY_FEATURES)
"""The features that need no scored essays; the others are made from the texts by every study."""


def write_study_features(path: Path, ids: Sequence[str], values: Floats, v1_values: Floats) -> None:
    """A CSV or Parquet file, complete or not at all: (essays, 12) features and (essays, 51) of v.1.3."""
    check_features_path(path, field="features")
    columns = {"id": pl.Series(ids, dtype=pl.String)}
    columns |= {name: pl.Series(values[:, place]) for place, name in enumerate(FEATURES) if name in MEASURED}
    columns |= {name: pl.Series(v1_values[:, place]) for place, name in enumerate(V1_COLUMNS)}
    frame = pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as staging:
            whole = Path(staging) / path.name
            if path.suffix.lower() == ".csv":
                frame.write_csv(whole)
            else:
                frame.write_parquet(whole)
            whole.replace(path)
    except OSError as problem:
        raise unwritable(path, problem, "features") from problem


def read_study_features(path: Path, ids: Sequence[str]) -> tuple[Floats, Floats | None]:
    """(essays, 12) features in the order of `FEATURES`, and those of v.1.3, None where the file has none.

    A table of `assay essays features` will do, without v.1.3. InputError if it does not hold exactly these essays.
    """
    source = open_table(path)
    _check_columns(source)
    has_v1 = all(name in source.columns for name in V1_COLUMNS)
    frame = source.frame(["id", *MEASURED, *(V1_COLUMNS if has_v1 else ())])
    order = _order(text_column(frame, "id").to_list(), ids, source)
    values = np.full((len(ids), len(FEATURES)), np.nan)
    for place, name in enumerate(FEATURES):
        if name in MEASURED:
            values[:, place] = _numbers(frame, name, source)[order]
    if not has_v1:
        return values, None
    return values, np.stack([_numbers(frame, name, source)[order] for name in V1_COLUMNS], axis=1)


def _check_columns(source: TableSource) -> None:
    absent = [name for name in ("id", *MEASURED) if name not in source.columns]
    if absent:
        raise InputError(
            f"this is no table of features: it has no column {', '.join(absent)}",
            source=source.name,
            field="features",
            remedy="Name a table of features or the file of an earlier study, or one that is not there yet.",
        )


def _numbers(frame: pl.DataFrame, column: str, source: TableSource) -> Floats:
    return number_column(frame, column, source=source.name, field="features", first_row=source.first_row)


def _order(stored: Sequence[str], ids: Sequence[str], source: TableSource) -> list[int]:
    """Where each essay lies in the file."""
    place = {essay_id: row for row, essay_id in enumerate(stored)}
    absent = [essay_id for essay_id in ids if essay_id not in place]
    if absent or len(place) != len(stored):
        raise InputError(
            f"no features of essay {absent[0]!r}" if absent else "an essay is named twice",
            source=source.name,
            field="features",
            remedy="Name the features of these very essays, or a file that is not there yet to have them kept in it.",
        )
    return [place[essay_id] for essay_id in ids]
