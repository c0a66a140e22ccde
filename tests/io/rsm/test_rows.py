"""RSMTool's tables with a row per response. That they match RSMTool's is tested in tests/reference."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.evaluation.exclusions import REASONS, exclusion_reasons
from assay.io.rsm.configuration.configs import RsmEvalConfig, RsmModelConfig, rsm_eval_config, rsm_tool_config
from assay.io.rsm.read import ResponseFile, read_predictions, read_responses, response_file, training_roles
from assay.io.rsm.rows import (
    Tables,
    chosen_columns,
    composition_tables,
    feature_frame,
    left_out_composition,
    prediction_tables,
    response_tables,
    row_tables,
    scored,
)
from assay.rsm.experiment import Experiment, train_experiment
from assay.rsm.filtering import LeftOut
from assay.rsm.types import ExperimentPlan
from assay.workflows.rsm.evaluations import judged_by_first_column
from tests.io.rsm.rsm_training import write_training

TABLE = (
    "id,h1,h2,sys,who,L1,flag,note\n"
    "a,4,3,3.6,c1,de,0,x\nb,0,2,2.5,c1,de,0,y\nc,2,0,1.5,c2,fr,0,z\nd,x,2,2.2,c2,fr,0,z\ne,3,3,bad,c3,fr,0,z\n"
    "f,3,3,3.1,c3,fr,1,z\n"
)


def eval_config(folder: Path, **options: Any) -> RsmEvalConfig:
    (folder / "p.csv").write_text(TABLE, encoding="utf-8")
    given = {
        **{"experiment_id": "e", "predictions_file": "p.csv", "id_column": "id", "human_score_column": "h1"},
        **{"system_score_column": "sys", "trim_min": 1, "trim_max": 6, "flag_column": {"flag": [0]}},
        **options,
    }
    return rsm_eval_config(given, folder=folder)


def evaluated(config: RsmEvalConfig) -> Tables:
    frame, ratings = read_predictions(config)
    reasons = exclusion_reasons(judged_by_first_column(ratings), leave_out_zeros=config.exclude_zero_scores)
    system = ratings.system[reasons < 0]
    variants = {"raw": system, "raw_trim_round": np.rint(system)}
    return row_tables(frame, ratings, reasons, variants, config) | composition_tables(frame, ratings, reasons, config)


def test_responses_used_and_left_out_are_in_tables_of_their_own(tmp_path: Path) -> None:
    options = {"second_human_score_column": "h2", "candidate_column": "who", "subgroups": ["L1"]}
    tables = evaluated(eval_config(tmp_path, **options))
    assert tables["pred_processed"].rows() == [("a", 4, 3.6, 4), ("c", 2, 1.5, 2)]
    assert tables["pred_processed"].columns == ["spkitemid", "sc1", "raw", "raw_trim_round"]
    assert tables["pred_processed"].get_column("raw_trim_round").dtype == pl.Int64
    assert tables["test_metadata"].columns == ["spkitemid", "L1", "candidate"]
    assert tables["test_other_columns"].columns == ["spkitemid", "flag", "note"]
    assert tables["test_human_scores"].rows() == [("a", 4, 3), ("c", 2, None)] or np.isnan(
        tables["test_human_scores"].item(1, 2)
    )
    excluded = tables["test_excluded_responses"]
    assert excluded.get_column("spkitemid").to_list() == ["d", "b", "e"]  # by reason, then as in the file
    assert excluded.columns == ["spkitemid", "L1", "candidate", "flag", "note", "raw", "sc1", "sc2"]
    assert np.isnan(excluded.get_column("sc1").to_numpy()[0])
    assert tables["test_responses_with_excluded_flags"].get_column("spkitemid").to_list() == ["f"]
    assert REASONS[0] == "flagged"


def test_zeros_of_a_second_rater_stay_where_zeros_count(tmp_path: Path) -> None:
    tables = evaluated(eval_config(tmp_path, second_human_score_column="h2", exclude_zero_scores=False))
    assert tables["test_human_scores"].get_column("sc2").to_list() == [3, 2, 0]
    assert "test_human_scores" not in evaluated(eval_config(tmp_path))


def test_the_composition_counts_what_was_used_and_why_the_rest_was_not(tmp_path: Path) -> None:
    tables = evaluated(eval_config(tmp_path, candidate_column="who", subgroups=["L1"]))
    assert tables["data_composition"].rows(named=True) == [
        {"partition": "Evaluation", "responses": 2, "candidates": 2, "L1": 2}
    ]
    assert tables["data_composition_by_L1"].rows() == [("de", 1), ("fr", 1)]
    assert tables["test_excluded_composition"].rows() == [
        ("numeric non-zero human score", None, 1),
        ("zero human score", 1.0, 0),
        ("non-numeric human score", 1.0, 0),
    ]
    with_items = evaluated(eval_config(tmp_path, candidate_column="who", min_items_per_candidate=1))
    assert with_items["test_excluded_composition"].get_column("numeric system score").to_list() == [0, 1, 1]
    zeros = evaluated(eval_config(tmp_path, exclude_zero_scores=False))
    assert zeros["test_excluded_composition"].get_column("numeric system score").to_list() == [None, None, 1.0]


def test_left_out_responses_are_counted_by_their_features(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path))
    table = left_out_composition(LeftOut(True, (1, 2, 3), (4, 5, 6)), config)
    assert table.columns == ["Score/Features", "all features numeric", "non-numeric feature values"]
    assert table.get_column("all features numeric").to_list() == [None, 2, 3]
    assert table.get_column("non-numeric feature values").to_list() == [4, 5, 6]
    assert table.dtypes == [pl.String, pl.Float64, pl.Int64]  # gaps make floats of counts, as in pandas
    items = rsm_tool_config(write_training(tmp_path, candidate_column="candidate", min_items_per_candidate=2))
    whole = left_out_composition(LeftOut(True, (1, 2, 3), (4, 5, 6)), items)
    assert whole.dtypes == [pl.String, pl.Int64, pl.Int64]
    assert whole.get_column("all features numeric").to_list() == [1, 2, 3]
    assert left_out_composition(LeftOut(False, (0, 0, 0), (0, 0, 0)), config).width == 2


Trained = tuple[Experiment, ResponseFile, ResponseFile, RsmModelConfig]


def trained(folder: Path, **options: Any) -> Trained:
    config = rsm_tool_config(write_training(folder, **options))
    names = ("alpha", "beta")
    roles = training_roles(config), training_roles(config, evaluation=True)
    assert config.test_file is not None
    train, test = (
        response_file(read_responses(path, own, names), own, names, source=path.name)
        for path, own in zip((config.train_file, config.test_file), roles, strict=True)
    )
    return train_experiment(train.table, test.table, ExperimentPlan()), train, test, config


def test_an_experiment_has_its_responses_feature_by_feature(tmp_path: Path) -> None:
    own = trained(tmp_path, subgroups=["group"], second_human_score_column="h2")
    tables = response_tables(*own)
    assert list(tables) == [
        *(f"train_{name}" for name in ("features", "metadata", "other_columns", "preprocessed_features")),
        *("train_excluded_responses", "train_responses_with_excluded_flags"),
        *(f"test_{name}" for name in ("features", "metadata", "other_columns", "preprocessed_features")),
        *("test_excluded_responses", "test_responses_with_excluded_flags", "test_human_scores"),
    ]
    assert tables["train_features"].columns == ["spkitemid", "sc1", "alpha", "beta"]
    assert tables["train_features"].height == 60
    assert tables["train_other_columns"].columns == ["spkitemid", "h2"]
    assert tables["test_other_columns"].columns == ["spkitemid"]
    assert tables["test_metadata"].columns == ["spkitemid", "group"]
    prepared = tables["train_preprocessed_features"].get_column("alpha").to_numpy()
    assert (prepared.mean(), prepared.std(ddof=1)) == pytest.approx((0, 1), abs=1e-9)
    assert tables["test_human_scores"].columns == ["spkitemid", "sc1", "sc2"]


def test_lengths_have_a_table_where_they_can_be_used_and_a_name_of_their_own_where_not(tmp_path: Path) -> None:
    tables = response_tables(*trained(tmp_path, length_column="h2"))
    assert tables["train_response_lengths"].columns == ["spkitemid", "length"]
    assert tables["train_response_lengths"].height == 60
    text = (tmp_path / "train.csv").read_text(encoding="utf-8").splitlines()
    flat = [text[0], *(",".join([*line.split(",")[:4], "7", "x"]) for line in text[1:])]
    experiment, train, test, config = trained(tmp_path, length_column="h2")
    (tmp_path / "train.csv").write_text("\n".join(flat), encoding="utf-8")
    roles = training_roles(config)
    train = response_file(
        read_responses(config.train_file, roles, ("alpha", "beta")), roles, ("alpha", "beta"), source="t"
    )
    experiment = train_experiment(train.table, test.table, ExperimentPlan())
    useless = response_tables(experiment, train, test, config)
    assert "train_response_lengths" not in useless
    assert "##h2##" in useless["train_other_columns"].columns


def test_responses_left_out_are_listed_by_reason_with_what_was_read_of_them(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path, flag_column={"group": ["x", "y"]}))
    lines = (tmp_path / "train.csv").read_text(encoding="utf-8").splitlines()
    lines += ["k1,bad,1,3,1,x", "k2,1,1,0,1,x", "k3,1,1,none,1,x", "k4,1,1,3,1,z", "k5,1,worse,3,1,x"]
    (tmp_path / "train.csv").write_text("\n".join(lines), encoding="utf-8")
    roles = training_roles(config)
    frame = read_responses(config.train_file, roles, ("alpha", "beta"))
    train = response_file(frame, roles, ("alpha", "beta"), source="t")
    experiment = train_experiment(train.table, train.table, ExperimentPlan())
    tables = response_tables(experiment, train, train, config)
    excluded = tables["train_excluded_responses"]
    assert excluded.get_column("spkitemid").to_list() == ["k3", "k2", "k1", "k5"]
    assert excluded.columns == ["spkitemid", "alpha", "beta", "group", "h2", "sc1"]
    assert np.isnan(excluded.get_column("alpha").to_numpy()[2])
    assert tables["train_responses_with_excluded_flags"].get_column("spkitemid").to_list() == ["k4"]
    assert tables["test_excluded_responses"].equals(excluded)


def test_predictions_have_a_table_for_training_evaluation_and_what_has_no_human_score(tmp_path: Path) -> None:
    experiment, *_ = trained(tmp_path)
    tables = prediction_tables(experiment)
    assert list(tables) == ["pred_train", "pred_processed"]
    assert tables["pred_train"].columns == [
        *("spkitemid", "raw", "sc1", "scale", "raw_trim", "raw_trim_round", "scale_trim", "scale_trim_round")
    ]
    assert (tables["pred_train"].height, tables["pred_processed"].height) == (60, 40)
    assert tables["pred_processed"].get_column("scale_trim_round").dtype == pl.Int64
    lines = (tmp_path / "test.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "test.csv").write_text("\n".join([*lines, "new,1,1,,1,x"]), encoding="utf-8")
    config = rsm_tool_config(tmp_path / "config.json")
    roles = training_roles(config, evaluation=True)
    assert config.test_file is not None
    test = response_file(
        read_responses(config.test_file, roles, ("alpha", "beta")), roles, ("alpha", "beta"), source="t"
    )
    unscored = prediction_tables(train_experiment(experiment.train.read, test.table, ExperimentPlan()))
    assert unscored["pred_without_human_score"].get_column("spkitemid").to_list() == ["new"]
    assert "sc1" not in unscored["pred_without_human_score"].columns


def test_scores_and_features_come_with_ids_and_with_human_scores_if_asked(tmp_path: Path) -> None:
    experiment, *_ = trained(tmp_path)
    used = experiment.test.used
    assert "sc1" not in scored(used, experiment.test_predictions, human=False).columns
    frame = feature_frame(used, used.matrix, human=False)
    assert frame.columns == ["spkitemid", "alpha", "beta"]
    assert frame.get_column("beta").to_list() == used.matrix[:, 1].tolist()


def test_columns_are_chosen_by_name_also_where_it_looks_like_a_pattern() -> None:
    frame = pl.DataFrame({"a": [1], "^.*$": [2], "b": [3]})
    assert chosen_columns(frame, ["^.*$", "a"]).rows() == [(2, 1)]


def test_an_infinite_score_is_a_number_only_where_candidates_with_few_responses_are_left_out(tmp_path: Path) -> None:
    config = eval_config(tmp_path, candidate_column="who", min_items_per_candidate=1)
    (tmp_path / "p.csv").write_text(TABLE.replace("d,x,", "d,inf,"), encoding="utf-8")
    assert evaluated(config)["test_excluded_composition"].get_column("numeric system score").to_list() == [1, 1, 0]
    config = eval_config(tmp_path)
    (tmp_path / "p.csv").write_text(TABLE.replace("d,x,", "d,inf,"), encoding="utf-8")
    assert evaluated(config)["test_excluded_composition"].get_column("numeric system score").to_list() == [None, 1, 1]


def test_of_a_feature_that_does_not_vary_only_values_that_were_looked_at_are_listed(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path))
    lines = (tmp_path / "train.csv").read_text(encoding="utf-8").splitlines()
    cells = [line.split(",") for line in lines[1:]]
    names = ("alpha", "beta", "gamma")
    table = [lines[0] + ",gamma", *(",".join([one[0], one[1], "1", *one[3:], one[2]]) for one in cells)]
    # neither score nor feature; no number for the feature before, for the one that does not vary, for the one after
    table += ["k1,5,6,none,1,x,7", "k2,bad,6,3,1,x,7", "k3,5,bad,3,1,x,7", "k4,5,1,3,1,x,bad", "k5,5,6,0,1,x,7"]
    (tmp_path / "train.csv").write_text("\n".join(table), encoding="utf-8")
    roles = training_roles(config)
    train = response_file(read_responses(config.train_file, roles, names), roles, names, source="t")
    experiment = train_experiment(train.table, train.table, ExperimentPlan())
    assert experiment.dropped == ("beta",)
    tables = response_tables(experiment, train, train, config)
    excluded = {row["spkitemid"]: row for row in tables["train_excluded_responses"].iter_rows(named=True)}
    shown = {name: [str(row[feature]) for feature in names] for name, row in excluded.items()}
    assert shown["k1"] == ["5.0", "6.0", "7.0"]
    assert shown["k5"] == ["5.0", "6.0", "7.0"]
    assert shown["k2"] == ["nan", "6.0", "7.0"]
    assert shown["k3"] == ["5.0", "nan", "7.0"]
    assert shown["k4"] == ["5.0", "nan", "nan"]
    assert "beta" not in tables["train_features"].columns
    assert "beta" not in tables["train_other_columns"].columns
    assert list(tables)[:6] == [name for name in tables if name.startswith("train_")]


def test_zeros_of_a_second_rater_are_gaps_in_an_experiment_that_leaves_zeros_out(tmp_path: Path) -> None:
    write_training(tmp_path)
    lines = (tmp_path / "test.csv").read_text(encoding="utf-8").splitlines()
    cells = [line.split(",") for line in lines]
    cells[1][4] = "0"
    for zeros in (True, False):
        config_options = {"second_human_score_column": "h2", "exclude_zero_scores": zeros}
        path = write_training(tmp_path, **config_options)
        (tmp_path / "test.csv").write_text("\n".join(",".join(one) for one in cells), encoding="utf-8")
        config = rsm_tool_config(path)
        names = ("alpha", "beta")
        roles = training_roles(config), training_roles(config, evaluation=True)
        assert config.test_file is not None
        train, test = (
            response_file(read_responses(file, own, names), own, names, source="t")
            for file, own in zip((config.train_file, config.test_file), roles, strict=True)
        )
        experiment = train_experiment(train.table, test.table, ExperimentPlan())
        second = response_tables(experiment, train, test, config)["test_human_scores"].get_column("sc2").to_list()
        assert str(second[0]) == ("nan" if zeros else "0.0")
        assert second[1] > 0
