"""RSMTool's tables of training analyses and of the composition of the responses: name -> table."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from assay.io.rsm.figures import ALL_DATA, INDEX
from assay.rsm.analyses.composition import Composition, LeftOut
from assay.rsm.analyses.descriptives import PERCENTILES, Descriptives, Outliers, Percentiles
from assay.rsm.analyses.training import Components, GroupedCorrelations, TargetCorrelations, TrainingAnalyses
from assay.rsm.types import Matrix, Scores

Tables = dict[str, pl.DataFrame]

OF_RESPONSES = ("numeric non-zero human score", "zero human score", "non-numeric human score")


def analysis_tables(analyses: TrainingAnalyses) -> Tables:
    """Every table of `TrainingAnalyses`, the rows and columns of features in their order.

    A group called "All data" is written as "All data (group)", unless its responses were merged with all others.
    """
    features = analyses.features
    columns = (*features, "sc1", *(["length"] if analyses.with_length else []))
    return {
        "feature_descriptives": _descriptives(features, analyses.descriptives),
        "feature_descriptivesExtra": _percentiles(features, analyses.percentiles),
        "feature_outliers": _outliers(features, analyses.outliers),
        "cors_orig": _matrix(columns, columns, analyses.original),
        "cors_processed": _matrix(columns, columns, analyses.processed),
        **_correlation_tables(features, analyses.with_score, "score"),
        **(_correlation_tables(features, analyses.with_length_alone, "length") if analyses.with_length_alone else {}),
        **_component_tables(features, analyses.components),
    }


def composition_tables(composition: Composition, *, zeros_left_out: bool, least_items: bool) -> Tables:
    """How many responses there are, and which were left out.

    `zeros_left_out` and `least_items` say whether responses with human score 0 and those of candidates with few
    responses are left out: a count is empty where no response can be.
    """
    parts = {
        "test_excluded_composition": composition.test_left_out,
        "train_excluded_composition": composition.train_left_out,
    }
    tables = {
        name: _left_out(part, zeros_left_out=zeros_left_out, least_items=least_items) for name, part in parts.items()
    }
    tables["data_composition"] = _composition(composition)
    for column, groups in composition.by_group.items():
        counts = {"Training set": [n for n, _ in groups.values()], "Evaluation set": [n for _, n in groups.values()]}
        tables[f"data_composition_by_{column}"] = pl.DataFrame({column: list(groups), **counts})
    return tables


def _descriptives(features: Sequence[str], descriptives: Descriptives) -> pl.DataFrame:
    columns = {
        "mean": descriptives.mean,
        "std. dev.": descriptives.sd,
        "min": descriptives.low,
        "max": descriptives.high,
        "skewness": descriptives.skewness,
        "kurtosis": descriptives.kurtosis,
        "Correlation": descriptives.r,
        "p": descriptives.p,
    }
    return _named(features, columns).with_columns(_counts("N", descriptives.n))


def _percentiles(features: Sequence[str], percentiles: Percentiles) -> pl.DataFrame:
    columns = {f"{at}%": percentiles.values[:, i] for i, at in enumerate(PERCENTILES)} | {"IQR": percentiles.iqr}
    counts = [_counts("Mild outliers", percentiles.mild), _counts("Extreme outliers", percentiles.extreme)]
    return _named(features, columns).with_columns(counts)


def _outliers(features: Sequence[str], outliers: Outliers) -> pl.DataFrame:
    counts = {"lower": outliers.lower, "upper": outliers.upper, "both": outliers.lower + outliers.upper}
    shares = {f"{name}perc": np.round(count / outliers.n * 100, 2) for name, count in counts.items()}
    return _named(features, {}).with_columns([_counts(*item) for item in counts.items()]).with_columns(**shares)


def _correlation_tables(features: Sequence[str], correlations: GroupedCorrelations, word: str) -> Tables:
    tables = _three_tables(features, {ALL_DATA: correlations.everyone}, word, "all_data")
    for column, groups in correlations.groups.items():
        own = ALL_DATA if correlations.merged else f"{ALL_DATA} (group)"
        everyone = {ALL_DATA: correlations.everyone} | {
            own if name == ALL_DATA else name: part for name, part in groups.items()
        }
        rows = {name: everyone[name] for name in sorted(everyone)}
        tables |= _three_tables(features, rows, word, f"by_{column}")
    return tables


def _three_tables(features: Sequence[str], rows: Mapping[str, TargetCorrelations], word: str, where: str) -> Tables:
    tables = {
        f"margcor_{word}_{where}": _matrix(list(rows), features, np.array([part.marginal for part in rows.values()])),
        f"pcor_{word}_{where}": _matrix(list(rows), features, np.array([part.partial for part in rows.values()])),
    }
    without_length = {name: part.without_length for name, part in rows.items() if part.without_length is not None}
    if without_length:
        tables[f"pcor_{word}_no_length_{where}"] = _matrix(
            list(without_length), features, np.array(list(without_length.values()))
        )
    elif word == "score" and any(part.n == 1 for part in rows.values()):
        # without length RSMTool still lists groups of one response here, and the human score, all without a value
        single = [name for name, part in rows.items() if part.n == 1]
        columns = sorted((*features, "sc1"))
        tables[f"pcor_{word}_no_length_{where}"] = _matrix(
            single, columns, np.full((len(single), len(columns)), np.nan)
        )
    return tables


def _component_tables(features: Sequence[str], components: Components) -> Tables:
    names = [f"PC{i}" for i in range(1, len(components.eigenvalues) + 1)]
    shares = np.array([components.eigenvalues, components.share, np.cumsum(components.share)])
    rows = ("Eigenvalues", "Percentage of variance", "Cumulative percentage of variance")
    return {"pca": _matrix(features, names, components.loadings), "pcavar": _matrix(rows, names, shares)}


def _composition(composition: Composition) -> pl.DataFrame:
    columns = {"responses": composition.responses}
    columns |= {"candidates": composition.candidates} if composition.candidates else {}
    columns |= composition.groups
    counted = {name: [part.training, part.evaluation, part.both, part.total] for name, part in columns.items()}
    return pl.DataFrame({"partition": ["Training", "Evaluation", "Overlapping", "Total"], **counted})


def _left_out(left_out: LeftOut, *, zeros_left_out: bool, least_items: bool) -> pl.DataFrame:
    complete: list[float | None] = [float(count) for count in left_out.complete]
    if not least_items:
        complete[0] = None
        if not zeros_left_out:
            complete[1] = None
    first = pl.Series("all features numeric", complete, dtype=pl.Float64)
    second = pl.Series("non-numeric feature values", list(left_out.incomplete))
    labels = [pl.Series("Score/Features", OF_RESPONSES)] if left_out.any else []
    return pl.DataFrame([*labels, first.cast(pl.Int64) if least_items else first, second])


def _matrix(rows: Sequence[str], columns: Sequence[str], values: Matrix) -> pl.DataFrame:
    return _named(rows, {name: values[:, i] for i, name in enumerate(columns)})


def _named(rows: Sequence[str], columns: Mapping[str, Scores]) -> pl.DataFrame:
    values = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    return pl.DataFrame({INDEX: pl.Series(list(rows), dtype=pl.String), **values})


def _counts(name: str, values: Scores) -> pl.Series:
    return pl.Series(name, values.astype(np.int64))
