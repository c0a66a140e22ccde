"""Every case computed with RSMTool 12.0.0's own functions: ours agree to 1e-9, or depart for a stated reason.

golden_metrics.json holds, for each of 96 cases, the inputs and what RSMTool (with SKLL 5.0.1 and scikit-learn) gives.
A figure RSMTool calls None is NaN with us, and counts as the same.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from math import inf, nan, sqrt
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Disattenuated, Evaluation, Grouping, PairFigures
from assay.evaluation.score_variants import Scaling, score_forms
from assay.io.rsm.analyses import analysis_tables
from assay.metrics.agreement import adjacent_agreement, exact_agreement
from assay.metrics.correlation import disattenuated_r
from assay.metrics.error import mean_squared_error, r_squared
from assay.metrics.fairness import Fairness
from assay.metrics.intervals import Resampling
from assay.metrics.kappa import cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa
from assay.metrics.mean_difference import (
    difference_of_standardized_means,
    pooled_mean_difference,
    standardized_mean_difference,
)
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally
from assay.metrics.true_score import (
    RatingTally,
    prmse,
    rater_error_variance,
    true_score_mse,
    true_score_variance,
)
from assay.rsm.analyses import analyse_training, partial_correlations
from assay.rsm.preprocess import FeatureParameters, Preparation, prepared
from assay.scale import ScoreScale
from tests.paths import ROOT

Case: TypeAlias = Mapping[str, Any]
Check: TypeAlias = Callable[[Case], Any]
"""What we give for the inputs of a case, in the shape of its result."""

CASES: dict[str, Case] = {
    case["name"]: case for case in json.loads(Path(__file__).with_name("golden_metrics.json").read_text("utf-8"))
}
H = np.array([1, 2, 3, 4, 3, 2, 4, 1, 2, 3], dtype=float)
M = np.array([1.2, 2.1, 3.6, 4.2, 2.9, 2.5, 3.9, 1.7, 2.2, 2.4])
H2 = np.array([1, 2, 3, 3, *[nan] * 6])
GROUPS = list("AABBABABAC")


def numbers(value: Any) -> Any:
    """JSON has no NaN or infinity: the file says them in words."""
    if isinstance(value, dict):
        return {key: numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [numbers(item) for item in value]
    return {"nan": nan, "inf": inf, None: nan}.get(value, value)


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    if isinstance(theirs, Mapping):
        assert set(ours) == set(theirs), where
        for key in theirs:
            assert_same(ours[key], theirs[key], f"{where}/{key}")
    elif isinstance(theirs, str):
        assert ours == theirs, where
    else:
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9, nan_ok=True), where


def of(metric: Callable[..., Any]) -> Check:
    """A metric of the case's H and M."""
    return lambda case: metric(*(numbers(case["inputs"][key]) for key in ("H", "M")))


# --- all figures of two raters ------------------------------------------------------------------------------------

RSM_NAMES = {
    "kappa": "kappa",
    "wtkappa": "qwk",
    "exact_agr": "exact_agreement",
    "adj_agr": "adjacent_agreement",
    "SMD": "smd",
    "corr": "r",
    "R2": "r2",
    "RMSE": "rmse",
    "DSM": "dsm",
}


def rsm_columns(figures: PairFigures, first: str = "h", second: str = "sys") -> dict[str, float]:
    """Our figures under RSMTool's names."""
    columns = {"N": float(figures.n)}
    for name, summary in ((first, figures.first), (second, figures.second)):
        columns |= {f"{name}_{key}": getattr(summary, key) for key in ("mean", "sd", "min", "max")}
    return columns | {
        theirs: figures.metrics[ours].value for theirs, ours in RSM_NAMES.items() if ours in figures.metrics
    }


def short(figures: Mapping[str, PairFigures]) -> dict[str, float]:
    """RSMTool's short table: real-valued figures of the trimmed score, point figures of the rounded one."""
    trimmed, rounded = rsm_columns(figures["raw_trim"]), rsm_columns(figures["raw_trim_round"])
    table = {name: trimmed[name] for name in ("N", "h_mean", "h_sd")}
    real = ("sys_mean", "sys_sd", "wtkappa", "corr", "SMD", "RMSE", "R2", "DSM")
    point = ("sys_mean", "sys_sd", "kappa", "exact_agr", "adj_agr", "SMD", "DSM")
    table |= {f"{name}.raw_trim": trimmed[name] for name in real if name in trimmed}
    return table | {f"{name}.raw_trim_round": rounded[name] for name in point if name in rounded}


def all_figures(case: Case) -> dict[str, float]:
    human, system = (np.array(numbers(case["inputs"][key]), dtype=float) for key in ("H", "M"))
    return rsm_columns(evaluate_engine(Ratings(human[:, None], system), Plan(None)).variants["raw"])


# --- an evaluation of the ten toy responses, four of them read twice, in three groups -----------------------------


def toy_evaluation() -> Evaluation:
    ratings = Ratings(np.column_stack([H, H2]), M, groups=(GroupColumn.of("group", GROUPS),))
    return evaluate_engine(ratings, Plan(ScoreScale(1, 4), least_doubles=0))


TOY = toy_evaluation()
GROUPING: Grouping = TOY.groupings[0]


def consistency_columns(figures: PairFigures) -> dict[str, float]:
    return rsm_columns(figures, "h1", "h2")


def raters_of_everyone() -> PairFigures:
    assert TOY.consistency is not None
    return TOY.consistency


def disattenuated_columns(found: Disattenuated | None) -> dict[str, float]:
    assert found is not None
    root = sqrt(found.human_human) if found.human_human >= 0 else nan
    return {
        "corr_HM": found.human_system,
        "corr_HH": found.human_human,
        "sqrt_HH": root,
        "corr_disattenuated": found.corrected.value,
    }


def degradation(_: Case) -> dict[str, dict[str, float]]:
    names = ("corr", "kappa", "wtkappa", "exact_agr", "adj_agr", "SMD")
    return {
        form: {theirs: figures[RSM_NAMES[theirs]].value for theirs in names}
        for form, figures in TOY.degradation.items()
    }


def true_score_columns(evaluation: Evaluation) -> dict[str, dict[str, float]]:
    return {
        form: {
            "N": evaluation.n,
            "N raters": evaluation.readings.raters,
            "N single": evaluation.readings.single,
            "N multiple": evaluation.readings.multiple,
            "Variance of errors": found.error_variance,
            "True score var": found.true_variance,
            "MSE true": found.mse.value,
            "PRMSE true": found.prmse.value,
        }
        for form, found in evaluation.true_score.items()
    }


def single_reading_with_known_error(_: Case) -> dict[str, dict[str, float]]:
    return true_score_columns(evaluate_engine(Ratings(H[:, None], M), Plan(None, error_variance=0.3)))


def population_shift(form: str) -> float:
    everyone = TOY.blocks[form].merged()
    return float(difference_of_standardized_means(everyone, everyone))


def evaluation_by_group(_: Case) -> dict[str, dict[str, float]]:
    found = {group.name: short(group.system) for group in GROUPING.groups}
    everyone = short({form: TOY.variants[form] for form in ("raw_trim", "raw_trim_round")})
    everyone |= {f"DSM.{form}": population_shift(form) for form in ("raw_trim", "raw_trim_round")}
    # in groups RSMTool shows DSM instead of SMD
    found["All data"] = everyone
    return {name: {key: v for key, v in row.items() if not key.startswith("SMD")} for name, row in found.items()}


def consistency_by_group(_: Case) -> dict[str, dict[str, float]]:
    read_twice = PairTally.of(H[:4], H2[:4])
    shift = difference_of_standardized_means(read_twice, PairTally.of(H, M), read_twice)
    found = {"All data": {**consistency_columns(raters_of_everyone()), "DSM": float(shift)}}
    for group in GROUPING.groups:
        assert group.raters is not None
        found[group.name] = consistency_columns(group.raters)
    return {name: {key: v for key, v in row.items() if key != "SMD"} for name, row in found.items()}


def disattenuated_by_group(_: Case) -> dict[str, dict[str, float]]:
    found = {group.name: disattenuated_columns(group.disattenuated) for group in GROUPING.groups}
    return {**found, "All data": disattenuated_columns(TOY.disattenuated["raw_trim"])}


# --- true scores, DSM, forms, fairness ----------------------------------------------------------------------------


def true_score_figures(case: Case, error_variance: float | None = None) -> dict[str, float]:
    human = np.array(numbers(case["inputs"]["human"]), dtype=float)
    human = human[:, None] if human.ndim == 1 else human
    tally = RatingTally.of(human, np.array([numbers(case["inputs"]["system"])], dtype=float))
    error = rater_error_variance(tally) if error_variance is None else np.asarray(error_variance)
    return {
        "ve": float(error),
        "tv": float(true_score_variance(tally, error)),
        "mse": float(true_score_mse(tally, error)[0]),
        "prmse": float(prmse(tally, error)[0]),
    }


def with_error(error_variance: float) -> Check:
    def check(case: Case) -> dict[str, float]:
        return {key: v for key, v in true_score_figures(case, error_variance).items() if key != "ve"}

    return check


def ragged(case: Case) -> dict[str, Any]:
    human = np.array(numbers(case["inputs"]["human"]))
    return {**true_score_figures(case), "n": np.isfinite(human).sum(axis=1).tolist()}


def shift_of(rows: slice) -> Check:
    return lambda _: float(difference_of_standardized_means(PairTally.of(H[rows], M[rows]), PairTally.of(H, M)))


def shift_of_itself(case: Case) -> float:
    group = PairTally.of(case["inputs"]["H"], case["inputs"]["M"])
    return float(difference_of_standardized_means(group, group))


def trimmed(case: Case) -> list[float]:
    given = case["inputs"]
    found: list[float] = ScoreScale(given["min"], given["max"]).trim(np.array(given["values"])).tolist()
    return found


def predictions(case: Case) -> dict[str, dict[str, Any]]:
    given = case["inputs"]
    scaling = Scaling(given["train_pred_mean"], given["train_pred_sd"], given["h_mean"], given["h_sd"])
    forms = score_forms(np.array(given["raw"]), scale=ScoreScale(*given["trim"]), scaling=scaling)
    return {
        str(row): {"spkitemid": "abcdef"[row], **{form: scores[row] for form, scores in forms.items()}}
        for row in range(6)
    }


def group_fairness() -> Fairness:
    given = CASES["fairness fairness_metrics_by_g"]["inputs"]
    ratings = Ratings(
        np.array(given["sc1"])[:, None], np.array(given["raw_trim"]), groups=(GroupColumn.of("g", given["g"]),)
    )
    return evaluate_engine(ratings, Plan(None)).groupings[0].fairness


def coefficients(model: str) -> Check:
    def check(_: Case) -> dict[str, dict[str, float]]:
        return {
            c.name: {"estimate": c.estimate, "P>[t]": c.p, "[0.025": c.low, "0.975]": c.high}
            for c in getattr(group_fairness(), model).coefficients
        }

    return check


def fairness_summary(_: Case) -> dict[str, dict[str, Any]]:
    found = group_fairness()
    models = {
        "Overall score accuracy": found.overall_accuracy,
        "Overall score difference": found.overall_difference,
        "Conditional score difference": found.conditional_difference,
    }
    base = {"base_category": found.base_group}
    return {
        "R2": base | {name: m.r2 for name, m in models.items()},
        "sig": base | {name: m.p for name, m in models.items()},
    }


# --- feature tables -----------------------------------------------------------------------------------------------

FEATURES = ("f1", "f2", "f3")
SC1 = np.array([1, 2, 3, 3, 3, 2, 4, 1, 3, 3], dtype=float)
"""The file does not say which human scores the features were described with. Of all 4^10 scores from 1 to 4 these are
the only ones with the correlations it holds; they are the second scores of the case "prmse full double"."""


def feature_matrix() -> Scores:
    given = CASES["partial_correlations"]["inputs"]
    return np.column_stack([np.array(given[name], dtype=float) for name in FEATURES])


def feature_rows(table: str) -> Check:
    """A table of features as `assay rsm tool` writes it, by feature and column."""

    def check(_: Case) -> dict[str, dict[str, float]]:
        values = feature_matrix()
        rows = analysis_tables(analyse_training(FEATURES, values, values, SC1))[table].to_dicts()
        return {row.pop(""): row for row in rows}

    return check


def partial(_: Case) -> dict[str, dict[str, float]]:
    found = partial_correlations(feature_matrix())
    return {name: dict(zip(FEATURES, row, strict=True)) for name, row in zip(FEATURES, found, strict=True)}


SAME: Mapping[str, Check] = {
    "agreement tol0": of(exact_agreement),
    "agreement tol1": of(adjacent_agreement),
    "agreement float tol0": of(exact_agreement),
    "agreement float tol1": of(adjacent_agreement),
    "agreement float boundary 0.1+0.2 vs 1.3": of(adjacent_agreement),
    "kappa": of(cohen_kappa),
    "kappa quadratic": of(quadratic_weighted_kappa),
    "kappa linear": of(linear_weighted_kappa),
    "kappa float system": of(cohen_kappa),
    "kappa half even": of(cohen_kappa),
    "kappa negative": of(cohen_kappa),
    "kappa const different": of(cohen_kappa),
    "kappa const human, varying system": of(cohen_kappa),
    "kappa gap labels skll": of(cohen_kappa),
    "kappa gap quadratic skll": of(quadratic_weighted_kappa),
    "kappa strings": of(cohen_kappa),
    "kappa N=1 diff": of(cohen_kappa),
    "qwk ddof0": of(quadratic_weighted_kappa),
    "qwk float ddof0": of(quadratic_weighted_kappa),
    "1-SEED ddof0": of(quadratic_weighted_kappa),
    "qwk const equal": of(quadratic_weighted_kappa),
    "qwk const different": of(quadratic_weighted_kappa),
    "qwk const human": of(quadratic_weighted_kappa),
    "qwk N=1 diff": of(quadratic_weighted_kappa),
    "smd unpooled": of(standardized_mean_difference),
    "smd pooled": of(pooled_mean_difference),
    "smd zero sd human": of(standardized_mean_difference),
    "smd N=1": of(standardized_mean_difference),
    "dsm first5 vs population": shift_of(slice(0, 5)),
    "dsm last5 vs population": shift_of(slice(5, 10)),
    "dsm all no pop": shift_of_itself,
    "dsm zero pop sd": shift_of_itself,
    "metrics_helper float": all_figures,
    "metrics_helper int": all_figures,
    "metrics_helper const system": all_figures,
    "metrics_helper N=1": all_figures,
    "metrics_helper N=2": all_figures,
    "prmse full double": true_score_figures,
    "prmse seed formula full": lambda _: true_score_figures(CASES["prmse full double"]),
    "prmse partial": true_score_figures,
    "prmse 3 raters ragged": ragged,
    "prmse single with ve=0.3": with_error(0.3),
    "prmse single no ve": lambda case: true_score_figures(case)["prmse"],
    "prmse ve=0": lambda case: true_score_figures(case, 0.0)["prmse"],
    "prmse system NaN": lambda case: true_score_figures(case)["prmse"],
    "compute_metrics eval": lambda _: {form: rsm_columns(figures) for form, figures in TOY.variants.items()},
    "compute_metrics short": lambda _: {"0": short(TOY.variants)},
    "compute_metrics consistency": lambda _: {"": consistency_columns(raters_of_everyone())},
    "degradation": degradation,
    "disattenuated": lambda _: {form: disattenuated_columns(found) for form, found in TOY.disattenuated.items()},
    "true_score_eval": lambda _: true_score_columns(TOY),
    "true_score_eval rev=0.3 single": single_reading_with_known_error,
    "eval_by_group": evaluation_by_group,
    "consistency_by_group": consistency_by_group,
    "disatt by group": disattenuated_by_group,
    "trim": trimmed,
    "process_predictions": predictions,
    "fairness estimates_osa_by_g": coefficients("overall_accuracy"),
    "fairness estimates_osd_by_g": coefficients("overall_difference"),
    "fairness estimates_csd_by_g": coefficients("conditional_difference"),
    "fairness fairness_metrics_by_g": fairness_summary,
    "partial_correlations": partial,
    "descriptives": feature_rows("feature_descriptives"),
    "percentiles": feature_rows("feature_descriptivesExtra"),
    "outliers": feature_rows("feature_outliers"),
}


class Departure(NamedTuple):
    """A case on which we differ, why, and what we do instead."""

    reason: str
    ours: Check
    instead: Any
    """The value we give, or the error we raise."""


NOT_SCORED = "a response that was not scored is refused, not counted as a disagreement or half left out"
ONE_POINT = "nothing is left to chance when all scores are one point: undefined, not perfect"
VARIANCE_OVER_N = "we take variances over N, as RSMTool's own evaluation does"
NOT_THE_CODE = "what the 2019 manual prints; the code of RSMTool 12 computes something else, and so do we"
OTHER_SD = "no function of its own: any sd can be divided by"


def means_apart(case: Case) -> float:
    human, system = np.array(case["inputs"]["H"]), np.array(case["inputs"]["M"])
    return float(standardized_mean_difference(human, system)) * float(human.std(ddof=1))


def figures_but(name: str, **changed: float) -> dict[str, float]:
    return {**numbers(CASES[name]["result"]), **changed}


def truncated(case: Case, *, compat: bool) -> list[float]:
    given = case["inputs"]
    parameters = FeatureParameters("f", "raw", 1.0, given["mean"], given["sd"], 0.0, 1.0)
    how = Preparation(standardize=False, compat=compat)
    found: list[float] = prepared(np.array(given["values"], float)[:, None], [parameters], how, strict=True)[
        :, 0
    ].tolist()
    return found


DEPARTURES: Mapping[str, Departure] = {
    "agreement NaN": Departure(NOT_SCORED, of(exact_agreement), InputError),
    "agreement empty": Departure("a clear message, not a ZeroDivisionError", of(exact_agreement), InputError),
    "kappa off by one": Departure(
        "no kappa that forgives a point: adjacent agreement says it plainly", of(adjacent_agreement), 100.0
    ),
    "kappa const equal": Departure(ONE_POINT, of(cohen_kappa), nan),
    "kappa NaN": Departure(NOT_SCORED, of(cohen_kappa), InputError),
    "kappa gap quadratic sklearn": Departure(
        "scikit-learn weighs ranks of the observed scores; a score nobody gave is still a point of the scale",
        of(quadratic_weighted_kappa),
        0.5652173913043479,
    ),
    "kappa N=1 equal": Departure(ONE_POINT, of(cohen_kappa), nan),
    "kappa empty": Departure("a clear message, not a bare ValueError", of(cohen_kappa), InputError),
    "qwk ddof1": Departure(VARIANCE_OVER_N, of(quadratic_weighted_kappa), 0.8095238095238095),
    "qwk float ddof1": Departure(VARIANCE_OVER_N, of(quadratic_weighted_kappa), 0.9166235111341274),
    "SEED printed QWK ddof1": Departure(NOT_THE_CODE, of(quadratic_weighted_kappa), 0.9166235111341274),
    "1-SEED ddof1": Departure(NOT_THE_CODE, of(quadratic_weighted_kappa), 0.9166235111341274),
    "SEED printed ddof0": Departure(NOT_THE_CODE, of(quadratic_weighted_kappa), 1 - 0.08337648886587262),
    "qwk N=1 diff ddof1": Departure(VARIANCE_OVER_N, of(quadratic_weighted_kappa), 0.0),
    "qwk NaN ndarray": Departure(NOT_SCORED, of(quadratic_weighted_kappa), InputError),
    "qwk NaN Series": Departure(NOT_SCORED, of(quadratic_weighted_kappa), InputError),
    "smd johnson sd=1.5": Departure(OTHER_SD, lambda case: means_apart(case) / 1.5, 0.11333333333333329),
    "smd williamson 1.5,0.9": Departure(
        OTHER_SD, lambda case: means_apart(case) / sqrt((1.5**2 + 0.9**2) / 2), 0.1374368541872553
    ),
    "smd unpooled ddof0": Departure(
        "the sd is over N - 1, as in RSMTool's own evaluation",
        of(standardized_mean_difference),
        0.15738941696133366,
    ),
    "smd bad method": Departure(
        "a function for each meaning, no method= to misspell",
        lambda _: standardized_mean_difference(H, M, method="foo"),  # type: ignore[call-arg]
        TypeError,
    ),
    "smd NaN Series": Departure(NOT_SCORED, of(standardized_mean_difference), InputError),
    "dsm partial pop": Departure(
        "a population is a tally: its mean cannot be given without its sd",
        lambda _: difference_of_standardized_means(PairTally.of(H, M)),  # type: ignore[call-arg]
        TypeError,
    ),
    "metrics_helper const human": Departure(
        "R2 is undefined for equal human scores, not 0",
        all_figures,
        figures_but("metrics_helper const human", R2=nan),
    ),
    "metrics_helper const both equal": Departure(
        "kappa and R2 are undefined for equal scores, not 1",
        all_figures,
        figures_but("metrics_helper const both equal", R2=nan, kappa=nan),
    ),
    "metrics_helper NaN": Departure(NOT_SCORED, of(cohen_kappa), InputError),
    "r2 vs sigma_H^2 ddof1": Departure(
        "the manual's R2 is over the variance with N - 1; scikit-learn's, RSMTool's and ours over N",
        lambda case: {"r2": of(r_squared)(case), "mse": of(mean_squared_error)(case)},
        {"r2": 0.8466666666666667, "mse": 0.161},
    ),
    "prmse seed formula naively on partial": Departure(
        NOT_THE_CODE,
        lambda _: true_score_figures(CASES["prmse partial"]),
        numbers(CASES["prmse partial"]["result"]),
    ),
    "prmse row with no human": Departure(NOT_SCORED, true_score_figures, InputError),
    "prmse zero true var": Departure("undefined, not infinite", lambda case: true_score_figures(case)["prmse"], nan),
    "disatt negative HH": Departure(
        "the function gives the corrected correlation alone; it is undefined in the same case",
        lambda _: float(disattenuated_r(np.array(0.5), np.array(-0.2))),
        nan,
    ),
    "remove_outliers mean=0 falsy": Departure(
        "outliers are told by the training mean, also when it is 0; with --compat as in RSMTool",
        lambda case: truncated(case, compat=False),
        [4, 4, 4, 4],
    ),
}


def test_every_case_is_the_same_or_departs() -> None:
    tables: Sequence[Mapping[str, Any]] = (SAME, DEPARTURES)
    assert len(CASES) == 96
    assert sorted(name for table in tables for name in table) == sorted(CASES)


@pytest.mark.parametrize("name", SAME)
def test_the_figure_is_that_of_rsmtool(name: str) -> None:
    case = CASES[name]
    assert_same(SAME[name](case), numbers(case["result"]))


@pytest.mark.parametrize("name", DEPARTURES)
def test_a_departure_does_what_its_table_says(name: str) -> None:
    departure = DEPARTURES[name]
    if isinstance(departure.instead, type):
        with pytest.raises(departure.instead):
            departure.ours(CASES[name])
    else:
        assert_same(departure.ours(CASES[name]), departure.instead)


def test_outliers_about_a_mean_of_0_are_truncated_as_in_rsmtool_where_its_defects_are_asked_for() -> None:
    case = CASES["remove_outliers mean=0 falsy"]
    assert truncated(case, compat=True) == case["result"]


def test_a_true_score_tally_counts_ratings_as_rsmtool_does() -> None:
    case = CASES["prmse 3 raters ragged"]
    counts: list[int] = case["result"]["n"]
    human: Scores = np.array(numbers(case["inputs"]["human"]))
    tally = RatingTally.of(human, np.array([case["inputs"]["system"]]))
    assert [float(tally.ratings), float(tally.ratings_squared)] == [sum(counts), sum(c * c for c in counts)]
    assert [float(tally.single), float(tally.within_df)] == [counts.count(1), sum(c - 1 for c in counts)]


def test_a_bootstrap_changes_no_figure_of_rsmtool() -> None:
    resampling = Resampling.bootstrapped(np.random.default_rng(1), draws=50)
    again = evaluate_engine(Ratings(np.column_stack([H, H2]), M), Plan(ScoreScale(1, 4)), resampling=resampling)
    golden = numbers(CASES["compute_metrics eval"]["result"])
    assert_same({form: rsm_columns(figures) for form, figures in again.variants.items()}, golden)


def test_every_difference_is_listed_with_its_reason_in_the_decisions() -> None:
    record = ROOT / "docs/decisions/0019-where-the-golden-figures-differ.md"
    listed = record.read_text(encoding="utf-8")
    reasons = {
        name: departure if isinstance(departure, str) else departure.reason for name, departure in DEPARTURES.items()
    }
    for name, reason in reasons.items():
        assert f"| {name} | {reason} |" in listed, name
