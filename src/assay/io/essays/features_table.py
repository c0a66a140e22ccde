"""The features of essays as a table: a row per essay, written as it comes, complete or not at all; those of a study."""

import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.features.features import FEATURES, Measured, why_undefined
from assay.essays.models.erater.prompt_vocabulary import VOCABULARY_FEATURES
from assay.essays.models.erater.v1_measures import NAMES
from assay.essays.models.scoring_model import EssayScore, ScoringModel
from assay.essays.text.text import Essay
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.output import address_of, csv_lines, unwritable
from assay.io.tables.tables import open_table

Row = Sequence[object]
Floats = NDArray[np.float64]

ENDINGS = (".csv", ".parquet")
ROWS_AT_ONCE = 10_000
SCHEMA: dict[str, type[pl.DataType]] = {
    "id": pl.String,
    "prompt": pl.String,
    "score": pl.Float64,
    **dict.fromkeys(FEATURES, pl.Float64),
    "advisories": pl.String,
    "evidence": pl.String,
    "undefined": pl.String,
}
"""The columns: features by name, the names of advisories and what was seen, and why a feature is empty."""
V1_COLUMNS = tuple(f"v1_{name}" for name in NAMES)
MEASURED = tuple(name for name in FEATURES if name not in VOCABULARY_FEATURES)
"""The features that need no scored essays; the others are made from the texts by every study."""
DECIMALS = 4
TEXTS = ("id", "prompt", "advisories", "evidence", "consequence", "left_out")


def features_row(essay: Essay, score: float, measured: Measured) -> Row:
    """One row of the table; a value that is undefined is an empty cell, with its reason in the last column."""
    names = " ".join(doubt.name for doubt in measured.advisories)
    evidence = " | ".join(doubt.evidence for doubt in measured.advisories)
    reasons = " | ".join(f"{name}: {reason}" for name, reason in why_undefined(measured.values).items())
    values = [measured.values[name] for name in FEATURES]
    return [essay.essay_id, essay.prompt, score, *values, names or None, evidence or None, reasons or None]


def check_features_path(path: Path, *, field: str = "out") -> None:
    """InputError unless a features table can be written there; asked before the work begins. - is standard output."""
    if str(path) == "-":
        return
    if path.suffix.lower() not in ENDINGS:
        ending = ("End the name with .csv or .parquet, or name a folder together with ", Field("partitions"), ".")
        raise InputError("features are written as CSV or Parquet", source=path, field=field, remedy=ending)
    if path.is_dir():
        raise InputError("this is a folder", source=path, field=field, remedy="Name a file.")
    if address := address_of(path):
        remedy = ("Choose another ", Field(field), ", or write a folder of ", Field("partitions"), ".")
        raise InputError("this is no file of this machine", source=address, field=field, remedy=remedy)


class FeaturesWriter:
    """A CSV or Parquet file, by its ending, or CSV on standard output for -; it appears when the last row is there."""

    def __init__(self, path: Path) -> None:
        check_features_path(path)
        self.path = path
        self._prints = str(path) == "-"
        try:
            if not self._prints:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._staging = tempfile.TemporaryDirectory(
                prefix="assay-" if self._prints else f".{path.name}-", dir=None if self._prints else path.parent
            )
        except OSError as problem:
            raise unwritable(path, problem) from problem
        self._whole = Path(self._staging.name) / ("features.csv" if self._prints else path.name)
        self._table: _CsvRows | _ParquetRows = (
            _ParquetRows(self._whole) if self._whole.suffix.lower() == ".parquet" else _CsvRows(self._whole)
        )

    def __enter__(self) -> Self:
        return self

    def write(self, rows: Iterable[Row]) -> None:
        """Some more rows."""
        self._table.write(rows)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._staging:
            self._table.end()
            if kind is not None:
                return
            try:
                if self._prints:
                    with self._whole.open("r", encoding="utf-8", newline="") as lines:
                        shutil.copyfileobj(lines, getattr(sys.stdout, "for_data", sys.stdout))
                else:
                    self._whole.replace(self.path)
            except OSError as problem:
                raise unwritable(self.path, problem) from problem


def write_features(path: Path, rows: Iterable[Row]) -> None:
    """All rows of a table at once."""
    with FeaturesWriter(path) as writer:
        writer.write(rows)


def write_features_part(path: Path, rows: Iterable[Row]) -> None:
    """A Parquet file in a folder of its own; some further files come and go beside it."""
    table = _ParquetRows(path)
    table.write(rows)
    table.end()


def features_frame(rows: Sequence[Row]) -> pl.DataFrame:
    """The table in memory."""
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").fill_nan(None)


class _CsvRows:
    def __init__(self, path: Path) -> None:
        self._stream = path.open("w", encoding="utf-8", newline="")
        self._stream.writelines(csv_lines(list(SCHEMA), ()))

    def write(self, rows: Iterable[Row]) -> None:
        self._stream.writelines(islice(csv_lines((), rows), 1, None))

    def end(self) -> None:
        self._stream.close()


class _ParquetRows:
    """Parts first, then one file from them, so that no more than a part is in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parts: list[Path] = []
        self._waiting: list[Row] = []

    def write(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._waiting.append(row)
            if len(self._waiting) == ROWS_AT_ONCE:
                self._write_part()

    def end(self) -> None:
        if self._waiting or not self._parts:
            self._write_part()
        pl.scan_parquet(self._parts).sink_parquet(self.path, maintain_order=True)

    def _write_part(self) -> None:
        part = self.path.with_name(f"part-{len(self._parts):06}")
        features_frame(self._waiting).write_parquet(part)
        self._parts.append(part)
        self._waiting = []


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
    absent = [name for name in ("id", *MEASURED) if name not in source.columns]
    if absent:
        problem = f"this is no table of features: it has no column {', '.join(absent)}"
        remedy = "Name a table of features or the file of an earlier study, or one that is not there yet."
        raise InputError(problem, source=source.name, field="features", remedy=remedy)
    v1_columns = V1_COLUMNS if all(name in source.columns for name in V1_COLUMNS) else ()
    frame = source.frame(["id", *MEASURED, *v1_columns])
    place = {essay_id: row for row, essay_id in enumerate(text_column(frame, "id").to_list())}
    unmeasured = next((essay_id for essay_id in ids if essay_id not in place), None)
    if unmeasured is not None or len(place) != frame.height:
        problem = f"no features of essay {unmeasured!r}" if unmeasured is not None else "an essay is named twice"
        remedy = "Name the features of these very essays, or a file that is not there yet to have them kept in it."
        raise InputError(problem, source=source.name, field="features", remedy=remedy)
    order = [place[essay_id] for essay_id in ids]
    where: dict[str, Any] = {"source": source.name, "field": "features", "first_row": source.first_row}
    numbers = {name: number_column(frame, name, **where)[order] for name in (*MEASURED, *v1_columns)}
    nowhere = np.full(len(ids), np.nan)
    values = np.stack([numbers.get(name, nowhere) for name in FEATURES], axis=1)
    return values, np.stack([numbers[name] for name in v1_columns], axis=1) if v1_columns else None


class ScoresWriter:
    """scores.csv, a row per essay as they come, and words.csv where single words tell.

    Cells without a value are empty, and `advisories` says why where a score is. Columns do not depend on the essays.
    """

    def __init__(self, folder: Path, model: ScoringModel) -> None:
        self.model = model
        self._words_file = folder / "words.csv"
        self._scores = (folder / "scores.csv").open("w", encoding="utf-8", newline="")
        self._words = self._words_file.open("w", encoding="utf-8", newline="")
        self._scores.writelines(csv_lines(score_columns(model), ()))

    def __enter__(self) -> Self:
        return self

    def write(self, scores: Sequence[EssayScore]) -> None:
        """Some more rows."""
        words = [
            (score.essay_id, word, round(share, DECIMALS)) for score in scores for word, share in score.words.items()
        ]
        if words and not self._words.tell():
            self._words.writelines(csv_lines(["id", "word", "share"], ()))
        for file, rows in ((self._scores, [_row(score, self.model) for score in scores]), (self._words, words)):
            file.writelines(islice(csv_lines((), rows), 1, None))

    def __exit__(self, *_: object) -> None:
        self._scores.close()
        self._words.close()
        if not self._words_file.stat().st_size:
            self._words_file.unlink()


def scores_frame(scores: Iterable[EssayScore], model: ScoringModel, *, words: bool = False) -> pl.DataFrame:
    """The same as a frame, of columns that do not depend on the essays; with `words`, those that tell come last."""
    schema = {name: pl.String if name in TEXTS else pl.Float64 for name in score_columns(model)}
    if words:  # a hybrid has a measure of that name already
        schema["telling_words" if "words" in schema else "words"] = pl.String
    rows = []
    for score in scores:
        telling = " | ".join(f"{word}: {round(share, DECIMALS)}" for word, share in score.words.items()) or None
        rows.append([*_row(score, model), *([telling] if words else [])])
    return pl.DataFrame(rows, schema=schema, orient="row").fill_nan(None)


def score_columns(model: ScoringModel) -> list[str]:
    """The names of the columns."""
    common = ["common"] if model.has_common_scale else []
    head = ["id", "prompt", "raw", "score", "low", "high", "percentile", *common]
    shares = (f"share_{name}" for name in model.columns)
    return [
        *head,
        *model.columns,
        "average",
        *shares,
        "advisories",
        "evidence",
        "consequence",
        "withheld_raw",
        "left_out",
    ]


def _row(score: EssayScore, model: ScoringModel) -> list[object]:
    numbers = [score.raw, score.score, score.low, score.high, score.percentile]
    numbers += [score.common] if model.has_common_scale else []
    shares = [score.shares.get(name, float("nan")) for name in model.columns]
    return [
        score.essay_id,
        score.prompt,
        *(round(number, DECIMALS) for number in numbers),
        *(score.features.get(name, float("nan")) for name in model.columns),
        *(round(share, DECIMALS) for share in (score.average, *shares)),
        " ".join(doubt.name for doubt in score.advisories) or None,
        " | ".join(doubt.evidence for doubt in score.advisories) or None,
        score.consequence or None,
        round(score.withheld_raw, DECIMALS),
        " ".join(f"{reason}:{count}" for reason, count in score.left_out.items()) or None,
    ]
