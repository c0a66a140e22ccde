"""RSMTool's tables with a row per training or evaluation response: name -> table."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.feature_read import CANDIDATE, HUMAN, ID, LENGTH, SECOND, ResponseFile
from assay.io.rsm.rows import Tables, chosen_columns
from assay.rsm.experiment import Experiment
from assay.rsm.feature_model import VARIANTS
from assay.rsm.filtering import usable_length
from assay.rsm.types import FEW_ITEMS, FLAGGED, NO_FEATURE, NO_HUMAN, REASONS, FeatureTable, Matrix, Partition, Scores


def response_tables(experiment: Experiment, train: ResponseFile, test: ResponseFile, config: RsmModelConfig) -> Tables:
    """Features, metadata, other columns, lengths, human scores, and the responses left out."""
    same = experiment.test is experiment.train
    tables = _tables("train", experiment.train, train, experiment.dropped, config)
    if same:
        tables |= {
            name.replace("train", "test", 1): table
            for name, table in tables.items()
            if name != "train_response_lengths"
        }
        return tables
    tables |= _tables("test", experiment.test, test, (), config)
    if config.second_human_score_column is not None:
        tables["test_human_scores"] = _human_scores(experiment.test.used, exclude_zeros=config.exclude_zero_scores)
    return tables


def prediction_tables(experiment: Experiment) -> Tables:
    """The scores of training and evaluation responses, and of those without a human score."""
    tables = {
        "pred_train": scored(experiment.train.used, experiment.train_predictions),
        "pred_processed": scored(experiment.test.used, experiment.test_predictions),
    }
    if experiment.unscored is not None and experiment.unscored_predictions is not None:
        unscored = scored(experiment.unscored.used, experiment.unscored_predictions)
        tables["pred_without_human_score"] = unscored.drop(HUMAN)
    return tables


def scored(table: FeatureTable, forms: Mapping[str, Scores], *, human: bool = True) -> pl.DataFrame:
    """Ids, raw scores, human scores and the other forms, in RSMTool's order."""
    columns = [pl.Series(ID, table.ids.tolist(), dtype=pl.String), pl.Series("raw", forms["raw"])]
    if human:
        columns.append(pl.Series(HUMAN, table.human))
    for name in VARIANTS[1:]:
        columns.append(pl.Series(name, forms[name].astype(np.int64) if name.endswith("round") else forms[name]))
    return pl.DataFrame(columns)


def feature_frame(table: FeatureTable, matrix: Matrix, *, human: bool = True) -> pl.DataFrame:
    """Ids, human scores and features."""
    columns = [pl.Series(ID, table.ids.tolist(), dtype=pl.String)]
    if human:
        columns.append(pl.Series(HUMAN, table.human))
    columns += [pl.Series(name, np.ascontiguousarray(matrix[:, i])) for i, name in enumerate(table.names)]
    return pl.DataFrame(columns)


def _tables(
    name: str, partition: Partition, file: ResponseFile, dropped: tuple[str, ...], config: RsmModelConfig
) -> Tables:
    used = partition.used
    rows = file.frame[used.places]
    roles = [*config.subgroups, *([CANDIDATE] if config.candidate_column else [])]
    tables = {
        f"{name}_features": feature_frame(used, used.matrix),
        f"{name}_metadata": chosen_columns(rows, [ID, *roles]),
        f"{name}_other_columns": _other_columns(rows, partition, dropped, roles, config),
        f"{name}_preprocessed_features": feature_frame(used, partition.preprocessed),
        f"{name}_excluded_responses": _excluded(partition, file.frame, dropped, config),
        f"{name}_responses_with_excluded_flags": file.frame.filter(
            pl.Series(partition.reasons == REASONS.index(FLAGGED))
        ),
    }
    length = usable_length(partition)
    if length is not None:
        tables["train_response_lengths"] = pl.DataFrame([rows.get_column(ID), pl.Series(LENGTH, length)])
    return tables


def _other_columns(
    rows: pl.DataFrame, partition: Partition, dropped: tuple[str, ...], roles: list[str], config: RsmModelConfig
) -> pl.DataFrame:
    """What is neither id, score, feature, group nor candidate; a length that cannot be used under a name of its own."""
    used = partition.used
    in_use = {ID, HUMAN, *used.names, *dropped, *roles}
    if used.second is not None:
        in_use.add(SECOND)
    if usable_length(partition) is not None:
        in_use.add(LENGTH)
    frame = chosen_columns(rows, [ID, *(column for column in rows.columns if column not in in_use)])
    if used.length is not None and usable_length(partition) is None:
        lengths = pl.Series(LENGTH, used.length)
        frame = frame.with_columns(lengths).rename({LENGTH: f"##{config.length_column}##"})
    return frame


def _human_scores(used: FeatureTable, *, exclude_zeros: bool) -> pl.DataFrame:
    assert used.second is not None  # asked for only when there is a second score
    second = np.where(used.second == 0, np.nan, used.second) if exclude_zeros else used.second
    ids = pl.Series(ID, used.ids.tolist(), dtype=pl.String)
    return pl.DataFrame([ids, pl.Series(HUMAN, used.human), pl.Series(SECOND, second)])


def _excluded(
    partition: Partition, frame: pl.DataFrame, dropped: tuple[str, ...], config: RsmModelConfig
) -> pl.DataFrame:
    """The responses left out for other reasons than a flag: reason by reason, columns by name."""
    read = partition.read
    first_gap = np.argmin(np.isfinite(read.matrix), axis=1) if read.names else np.zeros(len(read), dtype=int)
    gap = np.where(partition.reasons == REASONS.index(NO_FEATURE), first_gap, 0)
    places = np.lexsort((gap, partition.reasons))
    places = places[partition.reasons[places] > REASONS.index(FLAGGED)]
    rows = frame[read.places[places]]
    numbers = [pl.Series(HUMAN, read.human[places])]
    for name in read.names:
        values = read.column(name)[places]
        if name in dropped:
            values = np.where(_looked_at(partition, first_gap, read.names.index(name))[places], values, np.nan)
        numbers.append(pl.Series(name, np.ascontiguousarray(values)))
    rows = rows.with_columns(numbers)
    few = partition.reasons[places] == REASONS.index(FEW_ITEMS)
    if few.any() and read.length is not None and usable_length(partition) is None:
        # a length that cannot be used has lost its name by the time candidates are looked at
        lengths = pl.Series(f"##{config.length_column}##", np.where(few, read.length[places], np.nan))
        rows = rows.with_columns(lengths, pl.when(~pl.Series(few)).then(pl.col(LENGTH)).alias(LENGTH))
    return chosen_columns(rows, [ID, *sorted(set(rows.columns) - {ID})])


def _looked_at(partition: Partition, first_gap: NDArray[np.intp], number: int) -> NDArray[np.bool_]:
    """Responses that RSMTool had left out before it dropped a feature: for others it forgets the feature's value."""
    reasons = partition.reasons
    by_score = (reasons >= REASONS.index(NO_HUMAN)) & (reasons < REASONS.index(NO_FEATURE))
    return np.asarray(by_score | ((reasons == REASONS.index(NO_FEATURE)) & (first_gap < number)))
