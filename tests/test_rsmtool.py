"""RSMTool's names: its functions take the same arguments, and give its numbers.

Reference values are of RSMTool 12.0.0 on the scores below.
"""

import inspect
import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import rsmtool
from assay.errors import InputError
from tests.paths import EXAMPLES

pd = pytest.importorskip("pandas")
RNG = np.random.default_rng(3)
HUMAN = RNG.integers(1, 7, 40).astype(float)
_TWICE, _AWAY = RNG.random(40) < 0.5, RNG.integers(-1, 2, 40)
SECOND = np.where(_TWICE, np.clip(HUMAN + _AWAY, 1, 6), np.nan)
SYSTEM = HUMAN + RNG.normal(0, 0.8, 40)
OTHER = RNG.normal(size=40) + HUMAN
BOTH = np.c_[HUMAN, SECOND]
FRAME = pd.DataFrame({"a": HUMAN, "b": SYSTEM, "c": OTHER})

SIGNATURES = {
    "run_experiment": "config_file_or_obj_or_dict output_dir overwrite_output logger wandb_run",
    "run_evaluation": "config_file_or_obj_or_dict output_dir overwrite_output logger wandb_run",
    "run_comparison": "config_file_or_obj_or_dict output_dir",
    "run_summary": "config_file_or_obj_or_dict output_dir overwrite_output logger wandb_run",
    "run_cross_validation": "config_file_or_obj_or_dict output_dir silence_tqdm wandb_run",
    "compute_and_save_predictions": "config_file_or_obj_or_dict output_file feats_file logger wandb_run",
    "generate_explanation": "config_file_or_obj_or_dict output_dir overwrite_output logger wandb_run",
    "agreement": "score1 score2 tolerance",
    "partial_correlations": "df",
    "quadratic_weighted_kappa": "y_true_observed y_pred ddof",
    "prmse_true": "system human_scores variance_errors_human",
    "mse_true": "system human_scores variance_errors_human",
    "true_score_variance": "human_scores variance_errors_human",
    "variance_of_errors": "human_scores",
    "get_n_human_scores": "human_scores",
    "get_true_score_evaluations": "df system_score_columns human_score_columns variance_errors_human",
    "covariance_to_correlation": "cov",
    "standardized_mean_difference": "y_true_observed y_pred population_y_true_observed_sd population_y_pred_sd "
    "method ddof",
    "difference_of_standardized_means": "y_true_observed y_pred population_y_true_observed_mn population_y_pred_mn "
    "population_y_true_observed_sd population_y_pred_sd ddof",
}


def test_every_name_takes_the_arguments_of_rsmtool() -> None:
    given = {name: " ".join(inspect.signature(getattr(rsmtool, name)).parameters) for name in rsmtool.__all__}
    assert given == SIGNATURES


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        (lambda: rsmtool.agreement(HUMAN, np.rint(SYSTEM)), 47.5),
        (lambda: rsmtool.agreement(HUMAN, np.rint(SYSTEM), 1), 92.5),
        (lambda: rsmtool.quadratic_weighted_kappa(HUMAN, SYSTEM), 0.8883628855976664),
        (lambda: rsmtool.quadratic_weighted_kappa(HUMAN, SYSTEM, ddof=1), 0.8883635193215965),
        (lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM), 0.008314667539758585),
        (lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM, method="pooled"), 0.007459473803890571),
        (lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM, method="pooled", ddof=0), 0.007554502778929328),
        (lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM, 1.5, method="johnson"), 0.009012611669000137),
        (lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM, 1.5, 1.2, "williamson"), 0.009952764605276547),
        (lambda: rsmtool.variance_of_errors(BOTH), 0.34210526315789475),
        (lambda: rsmtool.true_score_variance(BOTH), 2.4005070299863136),
        (lambda: rsmtool.mse_true(SYSTEM, BOTH), 0.6450114244178715),
        (lambda: rsmtool.prmse_true(SYSTEM, BOTH), 0.7313020056343893),
        (lambda: rsmtool.prmse_true(SYSTEM, HUMAN, 0.3), 0.822909273098835),
    ],
)
def test_a_figure_is_that_of_rsmtool(figure: Any, value: float) -> None:
    assert figure() == pytest.approx(value, rel=1e-9)


def test_dsm_is_that_of_rsmtool() -> None:
    population = (HUMAN.mean(), SYSTEM.mean(), HUMAN.std(ddof=1), SYSTEM.std(ddof=1))
    dsm = rsmtool.difference_of_standardized_means(HUMAN[:10], SYSTEM[:10], *population)
    assert dsm == pytest.approx(0.0881891599477834, rel=1e-9)


def test_partial_correlations_are_those_of_rsmtool() -> None:
    expected = [[1, 0.7251528987757805, 0.590215454784885], [0.7251528987757805, 1, 0.010186447659430003]]
    partial = rsmtool.partial_correlations(FRAME)
    assert partial.to_numpy()[:2].tolist() == [pytest.approx(row, rel=1e-9) for row in expected]
    assert list(partial.index) == list(partial.columns) == ["a", "b", "c"]
    alone = rsmtool.partial_correlations(FRAME.head(1)).to_numpy()
    assert np.diag(alone).tolist() == [1, 1, 1]
    assert np.isnan(alone[0, 1])
    flat = rsmtool.partial_correlations(FRAME.assign(d=1.0)).to_numpy()
    assert flat[0, 1] == pytest.approx(0.7251528987757805, rel=1e-9)
    assert np.isnan(flat[0, 3])


def test_the_table_of_true_scores_is_that_of_rsmtool() -> None:
    table = rsmtool.get_true_score_evaluations(FRAME.assign(h2=SECOND), ["b", "c"], ["a", "h2"])
    assert table.loc["b"].tolist() == pytest.approx(
        [40, 2, 21, 19, 0.3421052632, 2.40050703, 0.6450114244, 0.7313020056]
    )
    assert table.loc["c", "PRMSE true"] == pytest.approx(0.663594413)
    assert rsmtool.get_n_human_scores(BOTH).tolist()[:5] == [2, 1, 2, 2, 1]
    with pytest.raises(ValueError, match="variance_errors_human"):
        rsmtool.get_true_score_evaluations(FRAME, "b", "a")


def test_what_is_undefined_is_none_or_nan_as_in_rsmtool() -> None:
    assert rsmtool.prmse_true(SYSTEM, HUMAN) is None
    assert rsmtool.difference_of_standardized_means(HUMAN * 0, SYSTEM) is None
    assert np.isnan(rsmtool.standardized_mean_difference(HUMAN * 0, SYSTEM))


@pytest.mark.parametrize(
    "call",
    [
        lambda: rsmtool.agreement([1], [1, 2]),
        lambda: rsmtool.quadratic_weighted_kappa([1, 2], [1]),
        lambda: rsmtool.quadratic_weighted_kappa([1, 2], [1, 2], ddof=2),
        lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM, method="other"),
        lambda: rsmtool.standardized_mean_difference(HUMAN, SYSTEM, method="johnson"),
        lambda: rsmtool.difference_of_standardized_means(HUMAN, SYSTEM, 1.0),
        lambda: rsmtool.prmse_true(SYSTEM[:3], BOTH),
        lambda: rsmtool.covariance_to_correlation([[1, 2]]),
    ],
)
def test_what_makes_no_sense_is_a_value_error(call: Any) -> None:
    with pytest.raises(ValueError):
        call()


# ---- the commands, as a script of RSMTool calls them ----------------------------------------------------------------


def training(**further: Any) -> dict[str, Any]:
    columns = {"id_column": "id", "train_label_column": "human", "test_label_column": "human"}
    files = {"train_file": str(EXAMPLES / "training.csv"), "test_file": str(EXAMPLES / "scores.csv")}
    own = {"experiment_id": "ours", "model": "LinearRegression", "features": ["words", "engine_b"]}
    return {**own, **columns, **files, "general_sections": ["sysinfo"], "trim_min": 1, "trim_max": 6, **further}


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rsmtool")
    config = folder / "config.json"
    config.write_text(json.dumps(training()), encoding="utf-8")
    rsmtool.run_experiment(str(config), str(folder / "out"))
    return folder / "out"


def test_a_script_trains_predicts_evaluates_and_compares(experiment: Path, tmp_path: Path) -> None:
    assert (experiment / "output" / "ours_eval.csv").is_file()
    model = {"experiment_id": "ours", "experiment_dir": str(experiment), "id_column": "id"}
    new = {"input_features_file": str(EXAMPLES / "scores.csv"), "human_score_column": "human"}
    predictions, features = tmp_path / "scores.csv", tmp_path / "features.csv"
    for _ in range(2):  # RSMTool replaces the file
        rsmtool.compute_and_save_predictions(model | new, str(predictions), str(features))
    assert pd.read_csv(predictions)["raw"][0] == pytest.approx(2.822718811941515)  # of RSMTool 12.0.0
    assert features.is_file()

    columns = {"predictions_file": str(predictions), "id_column": "spkitemid", "human_score_column": "sc1"}
    scores = {"system_score_column": "raw", "trim_min": 1, "trim_max": 6, "experiment_id": "again"}
    rsmtool.run_evaluation(columns | scores, tmp_path / "eval")
    with pytest.raises(InputError, match="output"):
        rsmtool.run_evaluation(columns | scores, tmp_path / "eval")
    rsmtool.run_evaluation(columns | scores, tmp_path / "eval", overwrite_output=True)

    old, new_one = ({f"experiment_id_{a}": "ours", f"experiment_dir_{a}": str(experiment)} for a in ("old", "new"))
    rsmtool.run_comparison({"comparison_id": "same", **old, **new_one}, tmp_path / "compare")
    rsmtool.run_summary({"summary_id": "one", "experiment_dirs": [str(experiment)]}, tmp_path / "summary")
    explained = {"background_data": str(EXAMPLES / "training.csv"), "explain_data": str(EXAMPLES / "scores.csv")}
    rsmtool.generate_explanation({**model, **explained, "sample_size": 5}, tmp_path / "explain")
    for name in ("compare", "summary", "explain"):
        assert any((tmp_path / name / "report").iterdir()), name


def test_a_script_cross_validates(tmp_path: Path) -> None:
    options = {
        name: value for name, value in training(folds=2).items() if name not in ("test_file", "test_label_column")
    }
    rsmtool.run_cross_validation(options, tmp_path / "xval", silence_tqdm=True)
    assert (tmp_path / "xval" / "final-model").is_dir()


def test_remarks_go_to_the_logger_and_wandb_is_refused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "mine"):
        rsmtool.run_experiment(training(use_wandb=True), tmp_path / "out", logger=logging.getLogger("mine"))
    assert "use_wandb is ignored" in caplog.text
    with pytest.raises(InputError, match="Weights & Biases"):
        rsmtool.run_experiment(training(), tmp_path / "other", wandb_run=object())  # type: ignore[arg-type]


def test_a_configuration_object_of_rsmtool_is_taken(tmp_path: Path) -> None:
    class Configuration:
        def __init__(self, options: dict[str, Any]) -> None:
            self._config = options

    rsmtool.run_experiment(Configuration(training()), tmp_path / "out")  # type: ignore[arg-type]
    assert (tmp_path / "out" / "output").is_dir()
