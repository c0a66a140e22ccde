"""Assay: scores you can defend.

from assay import Plan, Ratings, ScoreScale, evaluate_engine

evaluation = evaluate_engine(Ratings.of(human, system), Plan(ScoreScale(1, 6)))
evaluation.figures()["qwk"]  # Estimate(value=..., low=..., high=...)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from assay.errors import AssayError, InputError
    from assay.evaluation.compare import Comparison, Contender, compare_engines
    from assay.evaluation.evaluate import evaluate_engine
    from assay.evaluation.plan import Plan
    from assay.evaluation.ratings import Ratings
    from assay.evaluation.result import Evaluation
    from assay.evaluation.score_variants import Scaling
    from assay.metrics.agreement import adjacent_agreement, exact_agreement
    from assay.metrics.correlation import pearson_r
    from assay.metrics.error import mean_squared_error, r_squared, root_mean_squared_error
    from assay.metrics.intervals import Estimate, Resampling
    from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
    from assay.metrics.mean_difference import standardized_mean_difference
    from assay.metrics.rank import kendall_tau_b, spearman_r
    from assay.metrics.reliability import icc_2, krippendorff_alpha_interval
    from assay.metrics.tally import PairTally
    from assay.scale import ScoreScale

__all__ = [
    "AssayError",
    "Comparison",
    "Contender",
    "Estimate",
    "Evaluation",
    "InputError",
    "PairTally",
    "Plan",
    "Ratings",
    "Resampling",
    "Scaling",
    "ScoreScale",
    "adjacent_agreement",
    "cohen_kappa",
    "compare_engines",
    "evaluate_engine",
    "exact_agreement",
    "icc_2",
    "kendall_tau_b",
    "krippendorff_alpha_interval",
    "mean_squared_error",
    "pearson_r",
    "quadratic_weighted_kappa",
    "r_squared",
    "root_mean_squared_error",
    "spearman_r",
    "standardized_mean_difference",
]

_DEFINED_IN = {
    "assay.errors": ("AssayError", "InputError"),
    "assay.scale": ("ScoreScale",),
    "assay.metrics.tally": ("PairTally",),
    "assay.metrics.intervals": ("Estimate", "Resampling"),
    "assay.metrics.agreement": ("adjacent_agreement", "exact_agreement"),
    "assay.metrics.kappa": ("cohen_kappa", "quadratic_weighted_kappa"),
    "assay.metrics.correlation": ("pearson_r",),
    "assay.metrics.error": ("mean_squared_error", "r_squared", "root_mean_squared_error"),
    "assay.metrics.mean_difference": ("standardized_mean_difference",),
    "assay.metrics.rank": ("kendall_tau_b", "spearman_r"),
    "assay.metrics.reliability": ("icc_2", "krippendorff_alpha_interval"),
    "assay.evaluation.ratings": ("Ratings",),
    "assay.evaluation.plan": ("Plan",),
    "assay.evaluation.score_variants": ("Scaling",),
    "assay.evaluation.result": ("Evaluation",),
    "assay.evaluation.evaluate": ("evaluate_engine",),
    "assay.evaluation.compare": ("Comparison", "Contender", "compare_engines"),
}


def __getattr__(name: str) -> Any:
    # names are fetched when asked for: `assay --version` must not wait for numpy
    for module, names in _DEFINED_IN.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
