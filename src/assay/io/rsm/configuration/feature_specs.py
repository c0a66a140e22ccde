"""Which features an rsmtool experiment uses, and how: feature files, feature subsets, lists."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.feature_read import reserved_names
from assay.io.rsm.table import read_rsm_table
from assay.io.rsm.types import inferred, numbers_or_nan
from assay.rsm.types import FeatureSpec


def requested_features(config: RsmModelConfig) -> tuple[FeatureSpec, ...] | None:
    """The features asked for by a list or a feature file; None when nothing is said. InputError for a bad file."""
    if config.feature_file is not None:
        specs = read_feature_file(config.feature_file, bounds=config.use_truncation_thresholds)
    elif isinstance(config.features, tuple):
        specs = tuple(FeatureSpec(name) for name in config.features)
    else:
        return None
    illegal = [spec.feature for spec in specs if spec.feature in reserved_names(config)]
    if illegal:
        raise InputError(
            f"{', '.join(map(repr, illegal))} cannot be features: the columns have another use, or RSMTool keeps "
            "the name for itself",
            field="features",
            remedy="Rename them, or take them out of the list of features.",
        )
    return specs


def read_feature_file(path: Path, *, bounds: bool = False) -> tuple[FeatureSpec, ...]:
    """Features with their transformation and sign, and with `bounds` the values they are truncated to."""
    frame = _frame(path)
    column = "Feature" if "Feature" in frame.columns else "feature"
    if column not in frame.columns:
        raise InputError("must have a column named feature", source=path.name, field="features")
    names = [str(name) for name in frame.get_column(column).to_list()]
    _check_once(names, path)
    count = len(names)
    signs = _signs(frame, path) if "sign" in frame.columns else [1.0] * count
    transforms = frame.get_column("transform").to_list() if "transform" in frame.columns else ["raw"] * count
    lows, highs = _bounds(frame, path) if bounds else ([None] * count, [None] * count)
    rows = zip(names, transforms, signs, lows, highs, strict=True)
    return tuple(FeatureSpec(name, str(transform), sign, low, high) for name, transform, sign, low, high in rows)


def subset_features(config: RsmModelConfig, columns: Sequence[str]) -> tuple[str, ...]:
    """The features of the training table: its columns without another use, or those of them in a subset."""
    reserved = reserved_names(config)
    possible = tuple(name for name in columns if name not in reserved)
    if config.feature_subset_file is None or config.feature_subset is None:
        return possible
    frame = _subset_frame(config)
    if config.feature_subset not in frame.columns:
        problem = f"no subset {config.feature_subset!r}"
        raise InputError(problem, source=config.feature_subset_file.name, field="feature_subset")
    chosen = numbers_or_nan(inferred(frame.get_column(config.feature_subset)))
    if not np.isin(chosen, (0, 1)).all():
        file, column = config.feature_subset_file.name, config.feature_subset
        raise InputError("may hold 0 and 1 only", source=file, column=column, field="feature_subset_file")
    names = set(_names(frame).filter(pl.Series(chosen == 1)).to_list())
    chosen_names = tuple(name for name in possible if name in names)
    if not chosen_names:
        problem = f"no feature of the subset {config.feature_subset!r} is a column of the training table"
        raise InputError(problem, field="feature_subset")
    return chosen_names


def subset_signs(config: RsmModelConfig) -> Mapping[str, float]:
    """The expected sign of features, from the subset file."""
    if config.sign is None or config.feature_subset_file is None:
        return {}
    frame = _subset_frame(config)
    columns = [name for name in (f"sign_{config.sign}", f"Sign_{config.sign}") if name in frame.columns]
    if len(columns) != 1:
        problem = f"must have one column sign_{config.sign}"
        raise InputError(problem, source=config.feature_subset_file.name, field="sign")
    signs = frame.get_column(columns[0]).cast(pl.String).to_list()
    wrong = sorted({str(sign) for sign in signs if sign not in ("+", "-")})
    if wrong:
        problem = f"may hold + and - only, not {', '.join(wrong)}"
        raise InputError(problem, source=config.feature_subset_file.name, column=columns[0], field="sign")
    return {name: -1.0 if sign == "-" else 1.0 for name, sign in zip(_names(frame).to_list(), signs, strict=True)}


def _subset_frame(config: RsmModelConfig) -> pl.DataFrame:
    assert config.feature_subset_file is not None  # asked for only when there is one
    frame = _frame(config.feature_subset_file)
    if not {"feature", "Feature"} & set(frame.columns):
        file = config.feature_subset_file.name
        raise InputError("must have a column named feature", source=file, field="feature_subset_file")
    return frame


def _names(frame: pl.DataFrame) -> pl.Series:
    return frame.get_column("Feature" if "Feature" in frame.columns else "feature").cast(pl.String)


def _frame(path: Path) -> pl.DataFrame:
    return read_rsm_table(path).frame


def _check_once(names: Sequence[str], path: Path) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        problem = f"names features more than once: {', '.join(twice)}"
        raise InputError(problem, source=path.name, field="features")


def _signs(frame: pl.DataFrame, path: Path) -> list[float]:
    signs = numbers_or_nan(inferred(frame.get_column("sign")))
    if not np.isin(signs, (-1, 1)).all():
        raise InputError("may hold 1 and -1 only", source=path.name, column="sign", field="features")
    return [float(sign) for sign in signs]


def _bounds(frame: pl.DataFrame, path: Path) -> tuple[list[float | None], list[float | None]]:
    if not {"min", "max"} <= set(frame.columns):
        problem = "needs columns min and max, since use_truncation_thresholds is set"
        raise InputError(problem, source=path.name, field="features")
    low, high = (numbers_or_nan(inferred(frame.get_column(name))) for name in ("min", "max"))
    if np.isnan(low).any() or np.isnan(high).any():
        problem = "columns min and max must hold a number for every feature"
        raise InputError(problem, source=path.name, field="features")
    return [float(value) for value in low], [float(value) for value in high]
