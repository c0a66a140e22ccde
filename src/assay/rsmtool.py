"""RSMTool's names: a script that says `from rsmtool import ...` says `from assay.rsmtool import ...` instead.

The functions take what RSMTool's take and write what they write; see `docs/how-to/switch-from-rsmtool.md` for what
differs. Those that RSMTool has in `rsmtool.utils.metrics` and `rsmtool.utils.prmse` are here too. Figures that are
undefined are None or NaN where RSMTool gives None or NaN.
"""

import logging
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.execution.observer import Observer
from assay.metrics import true_score
from assay.workflows.rsm.eval import RsmEvalResult, rsm_eval
from assay.workflows.rsm.experiments import RsmCompareResult, RsmSummarizeResult, rsm_compare, rsm_summarize
from assay.workflows.rsm.explain import RsmExplainResult, rsm_explain
from assay.workflows.rsm.predict import RsmPredictResult, rsm_predict
from assay.workflows.rsm.tool import RsmToolResult, rsm_tool
from assay.workflows.rsm.xval import RsmXvalResult, rsm_xval

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "agreement",
    "compute_and_save_predictions",
    "covariance_to_correlation",
    "difference_of_standardized_means",
    "generate_explanation",
    "get_n_human_scores",
    "get_true_score_evaluations",
    "mse_true",
    "partial_correlations",
    "prmse_true",
    "quadratic_weighted_kappa",
    "run_comparison",
    "run_cross_validation",
    "run_evaluation",
    "run_experiment",
    "run_summary",
    "standardized_mean_difference",
    "true_score_variance",
    "variance_of_errors",
]

Config: TypeAlias = str | PathLike[str] | Mapping[str, Any]
Scores: TypeAlias = NDArray[np.float64]
LOG = logging.getLogger(__name__)


class _LoggingObserver(Observer):
    """Remarks go to a logger, as RSMTool's do."""

    def __init__(self, logger: logging.Logger | None) -> None:
        self.logger = logger or LOG

    def remark(self, text: str) -> None:
        self.logger.warning(text)


def _watched(logger: Any, wandb_run: Any) -> Observer:
    if wandb_run is not None:
        raise InputError(
            "nothing is sent to Weights & Biases",
            field="wandb_run",
            remedy="Leave wandb_run out; the tables of the folder output can be logged by yourself.",
        )
    return _LoggingObserver(logger)


# ---- the commands ----------------------------------------------------------------------------------------------------


def run_experiment(
    config_file_or_obj_or_dict: Config,
    output_dir: str | PathLike[str],
    overwrite_output: bool = False,
    logger: logging.Logger | None = None,
    wandb_run: None = None,
) -> RsmToolResult:
    """Train a model on a table of features and evaluate its scores: `assay.rsm_tool`."""
    observer = _watched(logger, wandb_run)
    return rsm_tool(_config(config_file_or_obj_or_dict), Path(output_dir), force=overwrite_output, observer=observer)


def run_evaluation(
    config_file_or_obj_or_dict: Config,
    output_dir: str | PathLike[str],
    overwrite_output: bool = False,
    logger: logging.Logger | None = None,
    wandb_run: None = None,
) -> RsmEvalResult:
    """Evaluate the scores of any engine: `assay.rsm_eval`."""
    observer = _watched(logger, wandb_run)
    return rsm_eval(_config(config_file_or_obj_or_dict), Path(output_dir), force=overwrite_output, observer=observer)


def run_comparison(config_file_or_obj_or_dict: Config, output_dir: str | PathLike[str]) -> RsmCompareResult:
    """Compare two experiments: `assay.rsm_compare`."""
    observer = _watched(None, None)
    return rsm_compare(_config(config_file_or_obj_or_dict), Path(output_dir), force=True, observer=observer)


def run_summary(
    config_file_or_obj_or_dict: Config,
    output_dir: str | PathLike[str],
    overwrite_output: bool = False,
    logger: logging.Logger | None = None,
    wandb_run: None = None,
) -> RsmSummarizeResult:
    """Summarize any number of experiments: `assay.rsm_summarize`."""
    config, observer = _config(config_file_or_obj_or_dict), _watched(logger, wandb_run)
    return rsm_summarize(config, Path(output_dir), force=overwrite_output, observer=observer)


def run_cross_validation(
    config_file_or_obj_or_dict: Config,
    output_dir: str | PathLike[str],
    silence_tqdm: bool = False,  # noqa: ARG001 - there are no bars
    wandb_run: None = None,
) -> RsmXvalResult:
    """Cross-validate a model: `assay.rsm_xval`."""
    observer = _watched(None, wandb_run)
    return rsm_xval(_config(config_file_or_obj_or_dict), Path(output_dir), observer=observer)


def compute_and_save_predictions(
    config_file_or_obj_or_dict: Config,
    output_file: str | PathLike[str],
    feats_file: str | PathLike[str] | None = None,
    logger: logging.Logger | None = None,
    wandb_run: None = None,
) -> RsmPredictResult:
    """Score new responses with the model of an experiment: `assay.rsm_predict`."""
    config, observer = _config(config_file_or_obj_or_dict), _watched(logger, wandb_run)
    features = None if feats_file is None else Path(feats_file)
    return rsm_predict(config, Path(output_file), features=features, force=True, observer=observer)


def generate_explanation(
    config_file_or_obj_or_dict: Config,
    output_dir: str | PathLike[str],
    overwrite_output: bool = False,
    logger: logging.Logger | None = None,
    wandb_run: None = None,
) -> RsmExplainResult:
    """Say what each feature adds to each score: `assay.rsm_explain`."""
    config, observer = _config(config_file_or_obj_or_dict), _watched(logger, wandb_run)
    return rsm_explain(config, Path(output_dir), force=overwrite_output, observer=observer)


def _config(config: Any) -> Any:
    """A path or a mapping as it is; RSMTool's own Configuration by its options."""
    options = getattr(config, "_config", None)  # what a Configuration of RSMTool holds
    return dict(options) if isinstance(options, Mapping) else config


# ---- rsmtool.utils.metrics -------------------------------------------------------------------------------------------


def agreement(score1: ArrayLike, score2: ArrayLike, tolerance: int = 0) -> float:
    """The percentage of responses whose two scores differ by at most `tolerance`; ValueError for other lengths.

    >>> agreement([1, 2, 3, 4], [1, 3, 3, 6], tolerance=1)
    75.0
    """
    first, second = np.asarray(score1, dtype=float), np.asarray(score2, dtype=float)
    if first.shape != second.shape:
        raise ValueError("score1 and score2 must have the same length")
    return float(100 * np.mean(np.abs(first - second) <= tolerance))


def quadratic_weighted_kappa(y_true_observed: ArrayLike, y_pred: ArrayLike, ddof: int = 0) -> float:
    """QWK of real-valued scores; `ddof` 0 or 1 for the variances and the covariance.

    QWK = 2 cov(H, M) / (var H + var M + (mean H - mean M)^2). Source: Haberman (2019).

    >>> round(quadratic_weighted_kappa([1, 2, 3, 4], [1, 2, 4, 4]), 4)
    0.9167
    """
    human, system = _paired(y_true_observed, y_pred)
    if ddof not in (0, 1):
        raise ValueError("ddof must be 0 or 1")
    spread = human.var(ddof=ddof) + system.var(ddof=ddof) + (human.mean() - system.mean()) ** 2
    covariance = np.cov(human, system, ddof=ddof)[0, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(2 * covariance / spread)


def standardized_mean_difference(
    y_true_observed: ArrayLike,
    y_pred: ArrayLike,
    population_y_true_observed_sd: float | None = None,
    population_y_pred_sd: float | None = None,
    method: str = "unpooled",
    ddof: int = 1,
) -> float:
    """(mean M - mean H) / sd, where `method` says which: unpooled (of H), pooled, williamson or johnson.

    >>> round(standardized_mean_difference([1, 2, 3, 4], [1, 2, 4, 4]), 4)
    0.1936
    """
    human, system = _paired(y_true_observed, y_pred)
    population = (population_y_true_observed_sd, population_y_pred_sd)
    match method:
        case "unpooled":
            sd = human.std(ddof=ddof)
        case "pooled":
            sizes = len(human) - 1, len(system) - 1
            spreads = human.std(ddof=ddof) ** 2 * sizes[0] + system.std(ddof=ddof) ** 2 * sizes[1]
            sd = np.sqrt(spreads / sum(sizes)) if sum(sizes) else np.nan
        case "johnson":
            sd = _given(population[0], "population_y_true_observed_sd", method)
        case "williamson":
            names = ("population_y_true_observed_sd", "population_y_pred_sd")
            both = [_given(value, name, method) for value, name in zip(population, names, strict=True)]
            sd = np.sqrt((both[0] ** 2 + both[1] ** 2) / 2)
        case _:
            raise ValueError("method must be unpooled, pooled, williamson or johnson")
    return float((system.mean() - human.mean()) / sd) if sd > 1e-7 else float("nan")


def _given(value: float | None, name: str, method: str) -> float:
    if value is None:
        raise ValueError(f"method {method} needs {name}")
    return value


def difference_of_standardized_means(
    y_true_observed: ArrayLike,
    y_pred: ArrayLike,
    population_y_true_observed_mn: float | None = None,
    population_y_pred_mn: float | None = None,
    population_y_true_observed_sd: float | None = None,
    population_y_pred_sd: float | None = None,
    ddof: int = 1,
) -> float | None:
    """Mean of the system scores less that of the human ones, each standardized by the population; None if it cannot be.

    >>> difference_of_standardized_means([1, 2, 3], [2, 3, 4], 3, 3, 1, 1)
    1.0
    """
    human, system = _paired(y_true_observed, y_pred)
    means, sds = (
        (population_y_true_observed_mn, population_y_pred_mn),
        (population_y_true_observed_sd, population_y_pred_sd),
    )
    for mean, sd in zip(means, sds, strict=True):
        if (mean is None) != (sd is None):
            raise ValueError("give both mean and sd of a population, or neither")
    placed = []
    for scores, mean, sd in zip((human, system), means, sds, strict=True):
        centre, spread = (scores.mean() if mean is None else mean), (scores.std(ddof=ddof) if sd is None else sd)
        if not spread > 1e-7:
            return None
        placed.append(float(np.mean((scores - centre) / spread)))
    return placed[1] - placed[0]


def covariance_to_correlation(cov: ArrayLike) -> Scores:
    """Correlations of a covariance matrix.

    >>> covariance_to_correlation([[4, 2], [2, 4]]).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    matrix = np.asarray(cov, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("a covariance matrix has as many rows as columns")
    sds = np.sqrt(np.diag(matrix))
    return np.asarray(matrix / np.outer(sds, sds))


def partial_correlations(df: "pd.DataFrame") -> "pd.DataFrame":
    """The correlation of each pair of columns with all others held constant, as a frame of pandas.

    From the inverse of the covariance matrix, or its pseudo-inverse where it has none.
    """
    values = df.cov().to_numpy(dtype=float) if len(df) > 1 else np.full((df.shape[1], df.shape[1]), np.nan)
    partial = np.full_like(values, np.nan)
    if np.isfinite(values).all():
        full = np.linalg.matrix_rank(values) == len(values)
        inverse = np.linalg.inv(values) if full else np.linalg.pinv(values)
        with np.errstate(divide="ignore", invalid="ignore"):
            partial = -covariance_to_correlation(inverse)
    np.fill_diagonal(partial, 1.0)
    return type(df)(partial, index=df.columns, columns=df.columns)


# ---- rsmtool.utils.prmse ---------------------------------------------------------------------------------------------


def get_n_human_scores(human_scores: ArrayLike) -> NDArray[np.int64]:
    """How many human scores each response has.

    >>> get_n_human_scores([[1, 2], [3, float("nan")]]).tolist()
    [2, 1]
    """
    return np.asarray(np.isfinite(_ratings(human_scores)).sum(axis=1))


def variance_of_errors(human_scores: ArrayLike) -> float | None:
    """The variance of the errors of human raters; None where no response was scored twice.

    >>> variance_of_errors([[1, 2], [3, 3], [4, float("nan")]])
    0.25
    """
    return _or_none(true_score.rater_error_variance(_tally(None, human_scores)))


def true_score_variance(human_scores: ArrayLike, variance_errors_human: float | None = None) -> float | None:
    """The variance of the true scores; None where that of the errors is not known."""
    tally = _tally(None, human_scores)
    return _or_none(true_score.true_score_variance(tally, _errors(tally, variance_errors_human)))


def mse_true(system: ArrayLike, human_scores: ArrayLike, variance_errors_human: float | None = None) -> float | None:
    """Mean squared error of system scores as predictions of true scores."""
    tally = _tally(system, human_scores)
    return _or_none(true_score.true_score_mse(tally, _errors(tally, variance_errors_human)))


def prmse_true(system: ArrayLike, human_scores: ArrayLike, variance_errors_human: float | None = None) -> float | None:
    """PRMSE: the share of the variance of true scores that system scores explain, from arrays.

    >>> human = [[1, 2], [3, 3], [4, 5], [2, 2]]
    >>> round(prmse_true([1, 3, 5, 3], human), 2)
    0.85
    """
    tally = _tally(system, human_scores)
    return _or_none(true_score.prmse(tally, _errors(tally, variance_errors_human)))


def get_true_score_evaluations(
    df: "pd.DataFrame",
    system_score_columns: str | Sequence[str],
    human_score_columns: str | Sequence[str],
    variance_errors_human: float | None = None,
) -> "pd.DataFrame":
    """A row per system score: counts, error variance, true-score variance, MSE and PRMSE, under RSMTool's names."""
    import pandas as pd  # noqa: PLC0415 - whoever calls this has it

    systems = [system_score_columns] if isinstance(system_score_columns, str) else list(system_score_columns)
    humans = [human_score_columns] if isinstance(human_score_columns, str) else list(human_score_columns)
    ratings = df[humans].to_numpy(dtype=float)
    if len(humans) == 1 and variance_errors_human is None:
        raise ValueError("one column of human scores needs variance_errors_human")
    counts = get_n_human_scores(ratings)
    errors = variance_of_errors(ratings) if variance_errors_human is None else variance_errors_human
    head = {
        "N": len(df),
        "N raters": len(humans),
        "N single": int((counts == 1).sum()),
        "N multiple": int((counts > 1).sum()),
        "Variance of errors": errors,
        "True score var": true_score_variance(ratings, errors),
    }
    rows = {}
    for name in systems:
        system = df[name].to_numpy(dtype=float)
        rows[name] = head | {
            "MSE true": mse_true(system, ratings, errors),
            "PRMSE true": prmse_true(system, ratings, errors),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[Scores, Scores]:
    human, system = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if human.shape != system.shape or human.ndim != 1:
        raise ValueError("there must be one system score for each human score")
    return human, system


def _ratings(human_scores: ArrayLike) -> Scores:
    ratings = np.asarray(human_scores, dtype=float)
    return ratings[:, None] if ratings.ndim == 1 else ratings


def _tally(system: ArrayLike | None, human_scores: ArrayLike) -> true_score.RatingTally:
    ratings = _ratings(human_scores)
    scores = np.zeros(len(ratings)) if system is None else np.asarray(system, dtype=float)
    if scores.shape != (len(ratings),):
        raise ValueError("there must be one system score for each response")
    read = np.isfinite(ratings).any(axis=1)
    return true_score.RatingTally.of(ratings[read], scores[read][None])


def _errors(tally: true_score.RatingTally, known: float | None) -> Any:
    return true_score.rater_error_variance(tally) if known is None else np.asarray(float(known))


def _or_none(figure: Any) -> float | None:
    value = float(np.ravel(figure)[0])
    return value if np.isfinite(value) else None
