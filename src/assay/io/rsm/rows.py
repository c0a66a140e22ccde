"""RSMTool's tables with a row per response, and how many responses there are: name -> table, in its order."""

from collections.abc import Iterable, Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.evaluation.exclusions import FLAGGED, REASONS, Reasons, without_zeros
from assay.evaluation.score_variants import ROUNDED
from assay.io.rsm.configuration.configs import RsmEvalConfig
from assay.io.rsm.read import CANDIDATE, HUMAN, ID, SECOND, SYSTEM, Predictions
from assay.io.rsm.types import numbers_or_nan
from assay.metrics.pairs import Scores

Tables = dict[str, pl.DataFrame]

COMPOSITION_ROWS = ("numeric non-zero human score", "zero human score", "non-numeric human score")
COMPOSITION_COLUMNS = ("numeric system score", "non-numeric system score")


def row_tables(
    predictions: Predictions, reasons: Reasons, forms: Mapping[str, Scores], config: RsmEvalConfig
) -> Tables:
    """Scores, metadata and other columns of the responses used; the responses left out. `forms` are of those used."""
    frame = predictions.frame
    used = frame.filter(reasons < 0)
    human = predictions.ratings.human[reasons < 0]
    roles = [*config.subgroups, *([CANDIDATE] if config.candidate_column else [])]
    in_use = {HUMAN, *forms, *roles} | ({SECOND} if config.second_human_score_column else set())
    others = chosen_columns(used, (name for name in used.columns if name not in in_use))
    if SYSTEM in others.columns:
        others = others.with_columns(pl.Series(SYSTEM, numbers_or_nan(others.get_column(SYSTEM))))
    tables = {
        "pred_processed": _scored(used, human[:, 0], forms),
        "test_metadata": chosen_columns(used, [ID, *roles]),
        "test_other_columns": others,
        "test_excluded_responses": _excluded(frame, reasons),
        "test_responses_with_excluded_flags": frame.filter(reasons == REASONS.index(FLAGGED)),
    }
    if human.shape[1] > 1:
        second = without_zeros(human[:, 1]) if config.exclude_zero_scores else human[:, 1]
        scores = [pl.Series(HUMAN, human[:, 0]), pl.Series(SECOND, second)]
        tables["test_human_scores"] = pl.DataFrame([used.get_column(ID), *scores])
    return tables


def composition_tables(predictions: Predictions, reasons: Reasons, config: RsmEvalConfig) -> Tables:
    """How many responses and groups there are, and why responses were left out."""
    used = predictions.frame.filter(reasons < 0)
    counts = {"partition": "Evaluation", "responses": used.height}
    if config.candidate_column:
        counts["candidates"] = used.get_column(CANDIDATE).n_unique()
    groups = {name: used.get_column(name) for name in config.subgroups}
    tables = {
        "test_excluded_composition": _excluded_composition(predictions, reasons, config),
        "data_composition": pl.DataFrame([counts | {name: column.n_unique() for name, column in groups.items()}]),
    }
    for name, column in groups.items():
        counted = column.drop_nulls().value_counts(name="N responses")
        tables[f"data_composition_by_{name}"] = counted.sort(pl.nth(0))
    return tables


def _scored(used: pl.DataFrame, human: Scores, forms: Mapping[str, Scores]) -> pl.DataFrame:
    columns = [used.get_column(ID), pl.Series(HUMAN, human)]
    for name, scores in forms.items():
        rounded = name.endswith(ROUNDED)
        columns.append(pl.Series(name, scores.astype(np.int64) if rounded else scores))
    return pl.DataFrame(columns)


def _excluded(frame: pl.DataFrame, reasons: Reasons) -> pl.DataFrame:
    """The responses left out for other reasons than a flag: reason by reason, columns by name."""
    places = np.argsort(reasons, kind="stable")
    places = places[reasons[places] > REASONS.index(FLAGGED)]
    rows = frame[places]
    scores = [pl.Series(name, numbers_or_nan(rows.get_column(name))) for name in (HUMAN, SYSTEM)]
    return chosen_columns(rows.with_columns(scores), [ID, *sorted(set(frame.columns) - {ID})])


def chosen_columns(frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """Some columns of a table, in the order given."""
    # not `select`, which takes a name such as "^.*$" for a pattern
    return pl.DataFrame([frame.get_column(name) for name in names])


def _excluded_composition(predictions: Predictions, reasons: Reasons, config: RsmEvalConfig) -> pl.DataFrame:
    """How many responses were left out with which kind of human and system score.

    A count is empty where no response can be. As in RSMTool an infinite score counts as a number when candidates
    with few responses are left out; without, RSMTool fails, and we count it as none.
    """
    least_items = config.min_items_per_candidate > 0
    out = reasons > REASONS.index(FLAGGED)
    human, system = predictions.ratings.human[out, 0], predictions.ratings.system[out]
    no_human, no_system = (np.isnan(x) if least_items else ~np.isfinite(x) for x in (human, system))
    rows: list[NDArray[np.bool_]] = [~no_human & (human != 0), human == 0, no_human]
    numeric: list[float | None] = [float(np.count_nonzero(row & ~no_system)) for row in rows]
    if not least_items:
        numeric[0] = None
        if not config.exclude_zero_scores:
            numeric[1] = None
    first = pl.Series(COMPOSITION_COLUMNS[0], numeric, dtype=pl.Float64)
    second = pl.Series(COMPOSITION_COLUMNS[1], [np.count_nonzero(row & no_system) for row in rows])
    labels = [pl.Series("Human/System", COMPOSITION_ROWS)] if out.any() else []
    return pl.DataFrame([*labels, first.cast(pl.Int64) if least_items else first, second])
