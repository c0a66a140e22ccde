"""Which features an experiment asks for: named, in a feature file, or by subset."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.io.rsm.table import inferred, numbers_or_nan, read_rsm_table
from assay.rsm.types import FeatureSpec

if TYPE_CHECKING:
    from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.read import CANDIDATE, LENGTH, NEVER_FEATURES, SECOND


def requested_features(config: "RsmModelConfig") -> tuple[FeatureSpec, ...] | None:
    """The features asked for by a list or a feature file; None when nothing is said. InputError for a bad file."""
    if config.feature_file is not None:
        specs = _read_feature_file(config.feature_file, bounds=config.use_truncation_thresholds)
    elif isinstance(config.features, tuple):
        specs = tuple(FeatureSpec(name) for name in config.features)
    else:
        return None
    reserved = _reserved_names(config)
    illegal = [spec.feature for spec in specs if spec.feature in reserved]
    if illegal:
        raise InputError(
            f"{', '.join(map(repr, illegal))} cannot be features: the columns have another use, or RSMTool keeps "
            "the name for itself",
            field="features",
            remedy="Rename them, or take them out of the list of features.",
        )
    return specs


def _reserved_names(config: "RsmModelConfig") -> set[str]:
    second = config.second_human_score_column
    pairs = {second: SECOND, config.length_column: LENGTH, config.candidate_column: CANDIDATE}
    taken = {name for column, own in pairs.items() if column is not None for name in (column, own)}
    if second == SECOND:
        taken.add(f"##{SECOND}##")  # what it is called among the training responses, where it has no role
    labels = {config.train_label_column, config.test_label_column, config.id_column}
    return {*NEVER_FEATURES, *labels, *taken, *config.subgroups, *config.flag_column}


def _read_feature_file(path: Path, *, bounds: bool) -> tuple[FeatureSpec, ...]:
    """Features with their transformation and sign, and with `bounds` the values they are truncated to."""

    def problem(words: str, column: str = "") -> InputError:
        return InputError(words, source=path.name, column=column, field="features")

    frame = read_rsm_table(path).frame
    columns = frame.columns
    if not {"feature", "Feature"} & set(columns):
        raise problem("must have a column named feature")
    names = [str(name) for name in _names(frame).to_list()]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise problem(f"names features more than once: {', '.join(twice)}")
    signs = numbers_or_nan(inferred(frame.get_column("sign"))) if "sign" in columns else np.ones(len(names))
    if not np.isin(signs, (-1, 1)).all():
        raise problem("may hold 1 and -1 only", "sign")
    transforms = frame.get_column("transform").to_list() if "transform" in columns else ["raw"] * len(names)
    ends: list[list[float | None]] = [[None] * len(names)] * 2
    if bounds:
        if not {"min", "max"} <= set(columns):
            raise problem("needs columns min and max, since use_truncation_thresholds is set")
        limits = [numbers_or_nan(inferred(frame.get_column(name))) for name in ("min", "max")]
        if np.isnan(limits).any():
            raise problem("columns min and max must hold a number for every feature")
        ends = [values.tolist() for values in limits]
    rows = zip(names, transforms, signs.tolist(), *ends, strict=True)
    return tuple(FeatureSpec(name, str(transform), sign, low, high) for name, transform, sign, low, high in rows)


def subset_features(config: "RsmModelConfig", columns: Sequence[str]) -> tuple[str, ...]:
    """The features of the training table: its columns without another use, or those of them in a subset."""
    reserved, subset = _reserved_names(config), config.feature_subset
    possible = tuple(name for name in columns if name not in reserved)
    if config.feature_subset_file is None or subset is None:
        return possible
    frame, file = _subset_frame(config.feature_subset_file), config.feature_subset_file.name
    if subset not in frame.columns:
        raise InputError(f"no subset {subset!r}", source=file, field="feature_subset")
    chosen = numbers_or_nan(inferred(frame.get_column(subset)))
    if not np.isin(chosen, (0, 1)).all():
        raise InputError("may hold 0 and 1 only", source=file, column=subset, field="feature_subset_file")
    names = set(_names(frame).filter(pl.Series(chosen == 1)).to_list())
    chosen_names = tuple(name for name in possible if name in names)
    if not chosen_names:
        problem = f"no feature of the subset {subset!r} is a column of the training table"
        raise InputError(problem, field="feature_subset")
    return chosen_names


def subset_signs(config: "RsmModelConfig") -> Mapping[str, float]:
    """The expected sign of features, from the subset file."""
    if config.sign is None or config.feature_subset_file is None:
        return {}
    frame, file = _subset_frame(config.feature_subset_file), config.feature_subset_file.name
    columns = [name for name in (f"sign_{config.sign}", f"Sign_{config.sign}") if name in frame.columns]
    if len(columns) != 1:
        raise InputError(f"must have one column sign_{config.sign}", source=file, field="sign")
    signs = frame.get_column(columns[0]).cast(pl.String).to_list()
    wrong = sorted({str(sign) for sign in signs if sign not in ("+", "-")})
    if wrong:
        raise InputError(f"may hold + and - only, not {', '.join(wrong)}", source=file, column=columns[0], field="sign")
    return {name: -1.0 if sign == "-" else 1.0 for name, sign in zip(_names(frame).to_list(), signs, strict=True)}


def _subset_frame(path: Path) -> pl.DataFrame:
    frame = read_rsm_table(path).frame
    if not {"feature", "Feature"} & set(frame.columns):
        raise InputError("must have a column named feature", source=path.name, field="feature_subset_file")
    return frame


def _names(frame: pl.DataFrame) -> pl.Series:
    return frame.get_column("Feature" if "Feature" in frame.columns else "feature").cast(pl.String)
