"""RSMTool's tables with a row per response, and how many responses there are: name -> table, in its order."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.evaluation import exclusions
from assay.evaluation.exclusions import without_zeros
from assay.evaluation.ratings import Ratings
from assay.io.rsm.read import CANDIDATE, HUMAN, ID, LENGTH, SECOND, SYSTEM, ResponseFile
from assay.io.rsm.table import numbers_or_nan
from assay.rsm.feature_model import VARIANTS
from assay.rsm.filtering import usable_length
from assay.rsm.types import FEW_ITEMS, FLAGGED, NO_FEATURE, NO_HUMAN, REASONS, FeatureTable, Matrix, Partition, Scores

if TYPE_CHECKING:
    from assay.io.rsm.configuration.configs import EvaluatedConfig, RsmEvalConfig, RsmModelConfig
    from assay.rsm.experiment import Experiment
    from assay.rsm.filtering import LeftOut

Tables = dict[str, pl.DataFrame]

HUMAN_SCORES = ("numeric non-zero human score", "zero human score", "non-numeric human score")


def row_tables(
    frame: pl.DataFrame,
    ratings: Ratings,
    reasons: exclusions.Reasons,
    variants: Mapping[str, Scores],
    config: "RsmEvalConfig",
) -> Tables:
    """Scores, metadata and other columns of the responses used; the responses left out.

    `variants` are the scores of those used.
    """
    used, human = frame.filter(reasons < 0), ratings.human[reasons < 0]
    roles = _roles(config)
    in_use = {HUMAN, *variants, *roles} | ({SECOND} if config.second_human_score_column else set())
    others = chosen_columns(used, (name for name in used.columns if name not in in_use))
    if SYSTEM in others.columns:
        others = others.with_columns(pl.Series(SYSTEM, numbers_or_nan(others.get_column(SYSTEM))))
    flagged = exclusions.REASONS.index(exclusions.FLAGGED)
    places = np.argsort(reasons, kind="stable")
    excluded = frame[places[reasons[places] > flagged]]
    scores = [pl.Series(name, numbers_or_nan(excluded.get_column(name))) for name in (HUMAN, SYSTEM)]
    tables = {
        "pred_processed": pl.DataFrame([used.get_column(ID), pl.Series(HUMAN, human[:, 0]), *_scores(variants)]),
        "test_metadata": chosen_columns(used, [ID, *roles]),
        "test_other_columns": others,
        "test_excluded_responses": _by_name(excluded.with_columns(scores)),
        "test_responses_with_excluded_flags": frame.filter(reasons == flagged),
    }
    if human.shape[1] > 1:
        second = without_zeros(human[:, 1]) if config.exclude_zero_scores else human[:, 1]
        pair = [pl.Series(HUMAN, human[:, 0]), pl.Series(SECOND, second)]
        tables["test_human_scores"] = pl.DataFrame([used.get_column(ID), *pair])
    return tables


def composition_tables(
    frame: pl.DataFrame, ratings: Ratings, reasons: exclusions.Reasons, config: "RsmEvalConfig"
) -> Tables:
    """How many responses and groups there are, and why responses were left out.

    As in RSMTool an infinite score counts as a number when candidates with few responses are left out; without,
    RSMTool fails, and we count it as none.
    """
    least_items = config.min_items_per_candidate > 0
    out = reasons > exclusions.REASONS.index(exclusions.FLAGGED)
    human, system = ratings.human[out, 0], ratings.system[out]
    no_human, no_system = (np.isnan(x) if least_items else ~np.isfinite(x) for x in (human, system))
    kinds: list[NDArray[np.bool_]] = [~no_human & (human != 0), human == 0, no_human]
    columns = {
        "numeric system score": [int(np.count_nonzero(kind & ~no_system)) for kind in kinds],
        "non-numeric system score": [int(np.count_nonzero(kind & no_system)) for kind in kinds],
    }
    used = frame.filter(reasons < 0)
    counts = {"partition": "Evaluation", "responses": used.height}
    if config.candidate_column:
        counts["candidates"] = used.get_column(CANDIDATE).n_unique()
    counts |= {name: used.get_column(name).n_unique() for name in config.subgroups}
    tables = {
        "test_excluded_composition": excluded_composition(
            "Human/System", columns, config, any_left_out=bool(out.any())
        ),
        "data_composition": pl.DataFrame([counts]),
    }
    for name in config.subgroups:
        counted = used.get_column(name).drop_nulls().value_counts(name="N responses")
        tables[f"data_composition_by_{name}"] = counted.sort(pl.nth(0))
    return tables


def left_out_composition(left_out: "LeftOut", config: "EvaluatedConfig") -> pl.DataFrame:
    """How many responses were left out with which kind of human score, with all features and without."""
    columns = {"all features numeric": left_out.complete, "non-numeric feature values": left_out.incomplete}
    return excluded_composition("Score/Features", columns, config, any_left_out=left_out.any)


def excluded_composition(
    label: str, columns: Mapping[str, Sequence[int]], config: "EvaluatedConfig", *, any_left_out: bool
) -> pl.DataFrame:
    """How many responses were left out with which kind of human score; a count is empty where no response can be."""
    least_items = config.min_items_per_candidate > 0
    (first, whole), (second, lacking) = columns.items()
    unknown = 0 if least_items else 1 if config.exclude_zero_scores else 2
    possible: list[int | None] = [*[None] * unknown, *whole[unknown:]]
    kind = pl.Int64 if least_items else pl.Float64
    labels = [pl.Series(label, HUMAN_SCORES)] if any_left_out else []
    return pl.DataFrame([*labels, pl.Series(first, possible, dtype=kind), pl.Series(second, list(lacking))])


def response_tables(
    experiment: "Experiment", train: ResponseFile, test: ResponseFile, config: "RsmModelConfig"
) -> Tables:
    """Features, metadata, other columns, lengths, human scores, and the responses left out."""
    tables = _partition_tables("train", experiment.train, train, experiment.dropped, config)
    if experiment.test is experiment.train:
        same = {name for name in tables if name != "train_response_lengths"}
        return tables | {name.replace("train", "test", 1): tables[name] for name in tables if name in same}
    tables |= _partition_tables("test", experiment.test, test, (), config)
    used = experiment.test.used
    if config.second_human_score_column is not None and used.second is not None:
        second = np.where(used.second == 0, np.nan, used.second) if config.exclude_zero_scores else used.second
        tables["test_human_scores"] = pl.DataFrame([*_ids_and_scores(used), pl.Series(SECOND, second)])
    return tables


def prediction_tables(experiment: "Experiment") -> Tables:
    """The scores of training and evaluation responses, and of those without a human score."""
    tables = {
        "pred_train": scored(experiment.train.used, experiment.train_predictions),
        "pred_processed": scored(experiment.test.used, experiment.test_predictions),
    }
    if experiment.unscored is not None and experiment.unscored_predictions is not None:
        unscored = scored(experiment.unscored.used, experiment.unscored_predictions, human=False)
        tables["pred_without_human_score"] = unscored
    return tables


def scored(table: FeatureTable, variants: Mapping[str, Scores], *, human: bool = True) -> pl.DataFrame:
    """Ids, raw scores, human scores and the other variants, in RSMTool's order."""
    ids, *scores = _ids_and_scores(table, human=human)
    raw, *others = _scores({name: variants[name] for name in VARIANTS})
    return pl.DataFrame([ids, raw, *scores, *others])


def feature_frame(table: FeatureTable, matrix: Matrix, *, human: bool = True) -> pl.DataFrame:
    """Ids, human scores and features."""
    columns = [pl.Series(name, np.ascontiguousarray(matrix[:, i])) for i, name in enumerate(table.names)]
    return pl.DataFrame([*_ids_and_scores(table, human=human), *columns])


def chosen_columns(frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """Some columns of a table, in the order given."""
    # not `select`, which takes a name such as "^.*$" for a pattern
    return pl.DataFrame([frame.get_column(name) for name in names])


def _by_name(rows: pl.DataFrame) -> pl.DataFrame:
    return chosen_columns(rows, [ID, *sorted(set(rows.columns) - {ID})])


def _roles(config: "EvaluatedConfig") -> list[str]:
    return [*config.subgroups, *([CANDIDATE] if config.candidate_column else [])]


def _ids_and_scores(table: FeatureTable, *, human: bool = True) -> list[pl.Series]:
    ids = pl.Series(ID, table.ids.tolist(), dtype=pl.String)
    return [ids, pl.Series(HUMAN, table.human)] if human else [ids]


def _scores(variants: Mapping[str, Scores]) -> list[pl.Series]:
    """Rounded scores are whole numbers, and empty where scores cannot be scaled."""
    kinds = {name: pl.Int64 if name.endswith("round") else pl.Float64 for name in variants}
    return [pl.Series(name, scores, nan_to_null=True).cast(kinds[name]) for name, scores in variants.items()]


def _partition_tables(
    name: str, partition: Partition, file: ResponseFile, dropped: tuple[str, ...], config: "RsmModelConfig"
) -> Tables:
    used, length, roles = partition.used, usable_length(partition), _roles(config)
    rows = file.frame[used.places]
    # what is neither id, score, feature, group nor candidate; a length that cannot be used under a name of its own
    in_use = {ID, HUMAN, *used.names, *dropped, *roles}
    in_use |= {own for own, column in ((SECOND, used.second), (LENGTH, length)) if column is not None}
    others = chosen_columns(rows, [ID, *(column for column in rows.columns if column not in in_use)])
    if used.length is not None and length is None:
        lengths = pl.Series(LENGTH, used.length)
        others = others.with_columns(lengths).rename({LENGTH: f"##{config.length_column}##"})
    tables = {
        f"{name}_features": feature_frame(used, used.matrix),
        f"{name}_metadata": chosen_columns(rows, [ID, *roles]),
        f"{name}_other_columns": others,
        f"{name}_preprocessed_features": feature_frame(used, partition.preprocessed),
        f"{name}_excluded_responses": _excluded(partition, file.frame, dropped, config),
        f"{name}_responses_with_excluded_flags": file.frame.filter(partition.reasons == REASONS.index(FLAGGED)),
    }
    if length is not None:
        tables["train_response_lengths"] = pl.DataFrame([rows.get_column(ID), pl.Series(LENGTH, length)])
    return tables


def _excluded(
    partition: Partition, frame: pl.DataFrame, dropped: tuple[str, ...], config: "RsmModelConfig"
) -> pl.DataFrame:
    """The responses left out for other reasons than a flag: reason by reason, columns by name."""
    read, reasons = partition.read, partition.reasons
    lacking = reasons == REASONS.index(NO_FEATURE)
    first_gap = np.argmin(np.isfinite(read.matrix), axis=1) if read.names else np.zeros(len(read), dtype=int)
    places = np.lexsort((np.where(lacking, first_gap, 0), reasons))
    places = places[reasons[places] > REASONS.index(FLAGGED)]
    by_score = (reasons >= REASONS.index(NO_HUMAN)) & (reasons < REASONS.index(NO_FEATURE))
    numbers = [pl.Series(HUMAN, read.human[places])]
    for number, name in enumerate(read.names):
        values = read.matrix[places, number]
        if name in dropped:
            # of responses that RSMTool had not left out before it dropped a feature it forgets the feature's value
            looked_at = by_score | (lacking & (first_gap < number))
            values = np.where(looked_at[places], values, np.nan)
        numbers.append(pl.Series(name, np.ascontiguousarray(values)))
    rows = frame[read.places[places]].with_columns(numbers)
    few = reasons[places] == REASONS.index(FEW_ITEMS)
    if few.any() and read.length is not None and usable_length(partition) is None:
        # a length that cannot be used has lost its name by the time candidates are looked at
        lengths = pl.Series(f"##{config.length_column}##", np.where(few, read.length[places], np.nan))
        rows = rows.with_columns(lengths, pl.when(~pl.Series(few)).then(pl.col(LENGTH)).alias(LENGTH))
    return _by_name(rows)
