"""Assay: scores you can defend. One function a verb, for three jobs.

>>> import assay
>>> result = assay.evaluate("examples/scores.csv", human="human", system="engine_a", scale="1-6")
>>> round(result.qwk, 2)
0.82

Evaluation: `evaluate`, `compare`, `trust`, `judge`, `panel`, and every agreement metric. Annotations: `rules`, `grade`,
`agree`. Essays: `features`, `train`, `calibrate`, `score_essays`, `feedback`, `refit`, `study`, and `EssayScorer` for
scikit-learn.
RSMTool's experiments: `rsm_tool`, `rsm_eval`, `rsm_predict`, `rsm_compare`, `rsm_summarize`, `rsm_xval`, `rsm_explain`,
`rsm_generate`, `rsm_convert`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:  # `as`: type checkers of others see these names as offered
    from assay.errors import AssayError as AssayError
    from assay.errors import InputError as InputError
    from assay.errors import MissingExtra as MissingExtra
    from assay.metrics.agreement import adjacent_agreement as adjacent_agreement
    from assay.metrics.agreement import exact_agreement as exact_agreement
    from assay.metrics.correlation import pearson_r as pearson_r
    from assay.metrics.error import (
        mean_squared_error as mean_squared_error,
    )
    from assay.metrics.error import (
        r_squared as r_squared,
    )
    from assay.metrics.error import (
        root_mean_squared_error as root_mean_squared_error,
    )
    from assay.metrics.intervals import Estimate as Estimate
    from assay.metrics.kappa import cohen_kappa as cohen_kappa
    from assay.metrics.kappa import quadratic_weighted_kappa as quadratic_weighted_kappa
    from assay.metrics.mean_difference import standardized_mean_difference as standardized_mean_difference
    from assay.metrics.rank import kendall_tau_b as kendall_tau_b
    from assay.metrics.rank import spearman_r as spearman_r
    from assay.metrics.reliability import icc_2 as icc_2
    from assay.metrics.reliability import krippendorff_alpha_interval as krippendorff_alpha_interval
    from assay.scale import ScoreScale as ScoreScale
    from assay.sklearn_estimator import EssayScorer as EssayScorer
    from assay.workflows.annotations.agree import agree as agree
    from assay.workflows.annotations.grade import grade as grade
    from assay.workflows.annotations.rules import rules as rules
    from assay.workflows.essays.features import features as features
    from assay.workflows.essays.feedback import feedback as feedback
    from assay.workflows.essays.refit import refit as refit
    from assay.workflows.essays.score_essays import score_essays as score_essays
    from assay.workflows.essays.study import study as study
    from assay.workflows.essays.train import calibrate as calibrate
    from assay.workflows.essays.train import train as train
    from assay.workflows.evaluation.compare import compare as compare
    from assay.workflows.evaluation.evaluate import evaluate as evaluate
    from assay.workflows.evaluation.judge import judge as judge
    from assay.workflows.evaluation.panel import panel as panel
    from assay.workflows.evaluation.trust import trust as trust
    from assay.workflows.rsm.convert import rsm_convert as rsm_convert
    from assay.workflows.rsm.eval import rsm_eval as rsm_eval
    from assay.workflows.rsm.experiments import rsm_compare as rsm_compare
    from assay.workflows.rsm.experiments import rsm_summarize as rsm_summarize
    from assay.workflows.rsm.explain import rsm_explain as rsm_explain
    from assay.workflows.rsm.generate import rsm_generate as rsm_generate
    from assay.workflows.rsm.predict import rsm_predict as rsm_predict
    from assay.workflows.rsm.tool import rsm_tool as rsm_tool
    from assay.workflows.rsm.xval import rsm_xval as rsm_xval

_DEFINED_IN = {
    "assay.errors": ("AssayError", "InputError", "MissingExtra"),
    "assay.scale": ("ScoreScale",),
    "assay.metrics.intervals": ("Estimate",),
    "assay.metrics.agreement": ("adjacent_agreement", "exact_agreement"),
    "assay.metrics.kappa": ("cohen_kappa", "quadratic_weighted_kappa"),
    "assay.metrics.correlation": ("pearson_r",),
    "assay.metrics.error": ("mean_squared_error", "r_squared", "root_mean_squared_error"),
    "assay.metrics.mean_difference": ("standardized_mean_difference",),
    "assay.metrics.rank": ("kendall_tau_b", "spearman_r"),
    "assay.metrics.reliability": ("icc_2", "krippendorff_alpha_interval"),
    "assay.sklearn_estimator": ("EssayScorer",),
    "assay.workflows.essays.train": ("train", "calibrate"),
    "assay.workflows.rsm.experiments": ("rsm_compare", "rsm_summarize"),
    **{f"assay.workflows.evaluation.{verb}": (verb,) for verb in ("evaluate", "compare", "trust", "judge", "panel")},
    **{f"assay.workflows.annotations.{verb}": (verb,) for verb in ("rules", "grade", "agree")},
    **{f"assay.workflows.essays.{v}": (v,) for v in ("features", "score_essays", "feedback", "refit", "study")},
    **{
        f"assay.workflows.rsm.{verb}": (f"rsm_{verb}",)
        for verb in ("tool", "eval", "predict", "xval", "explain", "generate", "convert")
    },
}

__all__ = [
    "AssayError",
    "EssayScorer",
    "Estimate",
    "InputError",
    "MissingExtra",
    "ScoreScale",
    "__version__",
    "adjacent_agreement",
    "agree",
    "calibrate",
    "cohen_kappa",
    "compare",
    "evaluate",
    "exact_agreement",
    "features",
    "feedback",
    "grade",
    "icc_2",
    "judge",
    "kendall_tau_b",
    "krippendorff_alpha_interval",
    "mean_squared_error",
    "panel",
    "pearson_r",
    "quadratic_weighted_kappa",
    "r_squared",
    "refit",
    "root_mean_squared_error",
    "rsm_compare",
    "rsm_convert",
    "rsm_eval",
    "rsm_explain",
    "rsm_generate",
    "rsm_predict",
    "rsm_summarize",
    "rsm_tool",
    "rsm_xval",
    "rules",
    "score_essays",
    "spearman_r",
    "standardized_mean_difference",
    "study",
    "train",
    "trust",
]


def __getattr__(name: str) -> Any:
    # names are fetched when asked for: `assay --version` must not wait for numpy
    for module, names in _DEFINED_IN.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
