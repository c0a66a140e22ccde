# mypy: ignore-errors
"""The experiments of make_rsm_tool.py: tables and configurations of our own, made from a seed.

`TABLES` are shared by the experiments; `CASES` are rsmtool experiments, `PREDICTIONS` rsmpredict experiments on the
model of a case, `CROSS_VALIDATIONS` rsmxval experiments, `REFUSED` rsmtool experiments that RSMTool refuses.
"""

import numpy as np

FEATURES = ["grammar", "Usage", "mechanics", "words_ln", "errors", "vocab2"]


def _numbers(rng, n):
    """Features of different kinds and a human score that depends on them; a second human score."""
    skill = rng.normal(0, 1, n)
    columns = {
        "grammar": np.round(skill + rng.normal(0, 0.8, n), 4),
        "Usage": np.round(np.exp(0.4 * skill + rng.normal(0, 0.5, n)), 4),
        "mechanics": np.round(-0.6 * skill + rng.normal(0, 1, n) - 5, 4),
        "words_ln": np.round(np.abs(3 + skill + rng.normal(0, 1, n)) + 0.05, 3),
        "errors": np.round(np.abs(1 / (1.6 + 0.5 * np.clip(skill, -2.5, 3)) + rng.normal(0, 0.05, n)) + 0.01, 5),
        "vocab2": np.round(rng.normal(60, 9, n) + 4 * skill).astype(int),
    }
    human = np.clip(np.rint(3.4 + 0.9 * skill + rng.normal(0, 0.5, n)), 1, 6).astype(int)
    second = np.clip(human + rng.choice([-1, 0, 0, 0, 1], n), 1, 6)
    length = np.maximum(20, np.rint(200 + 60 * skill + rng.normal(0, 40, n))).astype(int)
    return columns, human, second, length


def responses(rng, n, prefix):
    """A table with everything: ids, features, scores, length, groups, candidates, flags."""
    columns, human, second, length = _numbers(rng, n)
    rows = []
    for i in range(n):
        row = {"ID": f"{prefix}{i:03d}"}
        row |= {name: values[i].item() for name, values in columns.items()}
        row |= {
            "score": int(human[i]),
            "score2": int(second[i]),
            "LENGTH": int(length[i]),
            "L1": ["Thai", "Urdu", "Farsi", ""][rng.choice(4, p=[0.45, 0.3, 0.2, 0.05])],
            "gender": ["f", "m"][rng.integers(2)],
            "student": f"S{i // 3:03d}",
            "prompt": f"P{1 + i % 2}",
            "flag": [0, 0, 0, 1][rng.integers(4)],
            "advisory": ["ok", "ok", "short", "5"][rng.integers(4)],
        }
        rows.append(row)
    return rows


def _with(rows, rng, changes):
    """Some cells replaced: column -> values put into random rows."""
    rows = [dict(row) for row in rows]
    for column, values in changes.items():
        for value, place in zip(values, rng.permutation(len(rows))[: len(values)], strict=True):
            rows[place][column] = value
    return rows


def _renamed(rows, names):
    return [{names.get(key, key): value for key, value in row.items()} for row in rows]


def tables():
    """Name -> rows."""
    rng = np.random.default_rng(20240701)
    train, test = responses(rng, 64, "TR"), responses(rng, 44, "TE")
    new = responses(rng, 20, "N")
    untidy_train = {
        "grammar": ["", "n/a", "x"],
        "Usage": ["", "--"],
        "errors": ["zz", "NaN"],
        "score": ["", "TD", "0", "0"],
        "score2": ["", "x", "0"],
        "LENGTH": [""],
    }
    untidy_test = {
        "grammar": ["", "?"],
        "words_ln": [" 2.5", "1e0", "_"],
        "score": ["@", "0", "", "99x"],
        "score2": ["", "", "A", "0"],
    }
    untidy = _with(train, rng, untidy_train), _with(test, rng, untidy_test)
    zeros = _with(train, rng, {"score": [0] * 6}), _with(test, rng, {"score": [0] * 5, "score2": [0] * 4})
    half = [[dict(r, score=r["score"] + (i % 2) / 2) for i, r in enumerate(t)] for t in (train, test)]
    partial = [dict(r, score2=r["score2"] if i % 3 else "") for i, r in enumerate(test)]
    extra = [
        [dict(r, constant=3, double=2 * r["grammar"] + 1, yes=i % 2 == 0, note=f"n{i}") for i, r in enumerate(t)]
        for t in (train, test)
    ]
    clash = [
        _renamed(
            [
                dict(r, raw=r["vocab2"] / 7, length=r["LENGTH"], candidate=i % 5, sc2=r["score2"])
                for i, r in enumerate(t)
            ],
            {"vocab2": "spkitemid"},
        )
        for t in (train, test)
    ]
    all_data = [[dict(r, L1="All data" if r["L1"] == "Thai" else r["L1"]) for r in t] for t in (train, test)]
    edge = [
        [dict(r, L1="lone" if i == 7 else ("same" if r["score"] == 3 else r["L1"])) for i, r in enumerate(t)]
        for t in (train, test)
    ]
    shift = np.round(4 * np.array([r["grammar"] for r in train])) / 4  # the mean is exactly 0
    balanced = [
        dict(r, grammar=float(v)) for r, v in zip(train, np.concatenate([shift[:32], -shift[:32]]), strict=True)
    ]
    stray = [dict(r, grammar=r["grammar"] + (25.0 if i in (3, 9) else 0.6)) for i, r in enumerate(test)]
    few = [dict(r, student=f"S{min(i, 50) // 4:03d}" if i % 5 else f"X{i}") for i, r in enumerate(train)]
    few_test = [dict(r, student=f"S{i // 4:03d}" if i % 6 else f"X{i}") for i, r in enumerate(test)]
    scores4 = [[dict(r, score=min(max(r["score"], 2), 5)) for r in t] for t in (train, test)]
    big = [responses(rng, 140, "B"), test]
    big[0] = [dict(r, score=min(max(r["score"], 2), 5)) for r in big[0]]
    ids = [_renamed(t, {"ID": "spkitemid", "score": "sc1", "score2": "sc2", "LENGTH": "length"}) for t in (train, test)]
    illegal = _with(new, rng, {"errors": [-0.3, -1.0, 0], "words_ln": [-2.0, -1.5], "Usage": [0.0], "grammar": ["q"]})
    gaps = _with(new, rng, {"grammar": ["", "x"], "vocab2": ["n/a"], "score": ["", "?"], "score2": [""]})
    return {
        "train": train,
        "test": test,
        "new": new,
        "new_gaps": gaps,
        "new_illegal": illegal,
        "new_bare": [{k: r[k] for k in ("ID", *FEATURES)} for r in new],
        "untidy_train": untidy[0],
        "untidy_test": untidy[1],
        "zeros_train": zeros[0],
        "zeros_test": zeros[1],
        "half_train": half[0],
        "half_test": half[1],
        "partial_test": partial,
        "extra_train": extra[0],
        "extra_test": extra[1],
        "clash_train": clash[0],
        "clash_test": clash[1],
        "all_train": all_data[0],
        "all_test": all_data[1],
        "edge_train": edge[0],
        "edge_test": edge[1],
        "balanced_train": balanced,
        "stray_test": stray,
        "few_train": few,
        "few_test": few_test,
        "four_train": scores4[0],
        "four_test": scores4[1],
        "big_train": big[0],
        "default_train": ids[0],
        "default_test": ids[1],
        "length_gap_train": _with(train, rng, {"LENGTH": ["", "x"]}),
        "length_same_train": [dict(r, LENGTH=100) for r in train],
        "labels_test": _renamed(test, {"score": "final"}),
        "infinite_train": _with(train, rng, {"errors": ["inf"], "grammar": ["-inf"]}),
        "twice_train": [*train, train[0]],
        "features": [
            {"feature": "Usage", "transform": "sqrt", "sign": 1},
            {"feature": "errors", "transform": "inv", "sign": -1},
            {"feature": "grammar", "transform": "raw", "sign": 1},
            {"feature": "words_ln", "transform": "log", "sign": 1},
            {"feature": "mechanics", "transform": "org", "sign": -1},
        ],
        "features_more": [
            {"feature": "vocab2", "transform": "addOneLn", "sign": 1},
            {"feature": "errors", "transform": "addOneInv", "sign": 1},
            {"feature": "Usage", "transform": "addOneLn", "sign": 1},
            {"feature": "words_ln", "transform": "sqrt", "sign": -1},
        ],
        "features_names": [{"feature": name} for name in ("words_ln", "grammar", "Usage")],
        "features_bounds": [
            {"feature": name, "transform": transform, "sign": 1, "min": low, "max": high}
            for name, transform, low, high in (
                ("grammar", "raw", -1, 1),
                ("Usage", "sqrt", 0.5, 2),
                ("vocab2", "raw", 50, 70),
            )
        ],
        "features_illegal": [{"feature": "mechanics", "transform": "sqrt", "sign": 1}],
        "features_unknown": [{"feature": "grammar", "transform": "cube", "sign": 1}],
        "features_sign": [{"feature": "grammar", "transform": "raw", "sign": 2}],
        "subsets": [
            {"Feature": name, "A": a, "B": b, "Sign_A": s, "Sign_B": "+"}
            for name, a, b, s in (
                ("grammar", 1, 1, "+"),
                ("Usage", 1, 0, "+"),
                ("mechanics", 0, 1, "-"),
                ("words_ln", 1, 1, "+"),
                ("errors", 1, 1, "-"),
                ("vocab2", 0, 1, "+"),
                ("other", 0, 1, "+"),
            )
        ],
    }


def word_tables():
    """Tables with words that may stand for an empty cell, true and false, a group of one, a feature in small units."""
    rng = np.random.default_rng(20261116)
    train, test, new = responses(rng, 60, "WR"), responses(rng, 40, "WE"), responses(rng, 16, "WN")
    words = ["NA", "null", "", "Thai", "Urdu", "Thai", "Urdu", "x"]
    found = {}
    for name, rows in (("words_train", train), ("words_test", test), ("words_new", new)):
        found[name] = [
            dict(
                r,
                L1=words[i % len(words)],
                region="lone" if i == 5 else ["north", "south"][i % 2],
                first=i % 3 == 0,
                comment=["NA", "fine", "", "nan"][i % 4],
                yes=i % 5 > 1,
                gaps=[None, True, False][i % 3],
                tiny=round(r["grammar"] * 1e-6, 10),
                grammar="?" if i == 9 else r["grammar"],
            )
            for i, r in enumerate(rows)
        ]
    return found


BASE = {
    "train_file": "../tables/train.csv",
    "test_file": "../tables/test.csv",
    "id_column": "ID",
    "train_label_column": "score",
    "test_label_column": "score",
}
LISTED = {"features": ["grammar", "Usage", "mechanics", "words_ln", "errors", "vocab2"]}
FEW = {"features": ["words_ln", "grammar", "Usage"]}


def on(train, test=None):
    return {"train_file": f"../tables/{train}", "test_file": f"../tables/{test or train.replace('train', 'test')}"}


MODELS = [
    "LinearRegression",
    "EqualWeightsLR",
    "ScoreWeightedLR",
    "RebalancedLR",
    "NNLR",
    "NNLRIterative",
    "LassoFixedLambdaThenNNLR",
    "LassoFixedLambdaThenLR",
    "PositiveLassoCVThenLR",
    "LassoFixedLambda",
    "PositiveLassoCV",
]
REGRESSORS = [
    "Ridge",
    "Lasso",
    "ElasticNet",
    "LinearSVR",
    "SVR",
    "RandomForestRegressor",
    "GradientBoostingRegressor",
    "KNeighborsRegressor",
    "DecisionTreeRegressor",
    "AdaBoostRegressor",
    "BayesianRidge",
    "HuberRegressor",
    "Lars",
    "SGDRegressor",
    "TheilSenRegressor",
    "RANSACRegressor",
    "BaggingRegressor",
    "HistGradientBoostingRegressor",
    "MLPRegressor",
    "RescaledRidge",
    "RescaledSVR",
    "RescaledLinearSVR",
    "RescaledRandomForestRegressor",
]
CLASSIFIERS = [
    "LogisticRegression",
    "RandomForestClassifier",
    "SVC",
    "LinearSVC",
    "KNeighborsClassifier",
    "SGDClassifier",
    "DecisionTreeClassifier",
    "GradientBoostingClassifier",
    "AdaBoostClassifier",
    "RidgeClassifier",
    "HistGradientBoostingClassifier",
    "MLPClassifier",
    "BaggingClassifier",
]
SMALL_ENSEMBLE = {"n_estimators": 20}
NEIGHBOURS = {"train_file": "../tables/big_train.csv"}


def _skll(name):
    """An estimator kept small enough to be trained in a test."""
    settings = {"model": name}
    if name.removeprefix("Rescaled").startswith(("Bagging", "AdaBoost", "GradientBoosting", "RandomForest")):
        settings["skll_fixed_parameters"] = SMALL_ENSEMBLE
    if name.startswith("MLP"):
        settings["skll_fixed_parameters"] = {"max_iter": 30, "hidden_layer_sizes": [5]}
    if name.startswith("HistGradientBoosting"):
        settings["skll_fixed_parameters"] = {"max_iter": 10}
    return settings | (NEIGHBOURS if name.startswith("KNeighbors") else {})


WORDS = {"subgroups": ["L1", "first"], "flag_column": {"comment": ["NA", "fine", "nan"]}}


def word_cases():
    """Experiments on `word_tables`."""
    named = BASE | {"model": "LinearRegression", "features": ["grammar", "Usage", "words_ln"]}
    return {
        "words_csv": named | on("words_train.csv") | WORDS,
        "words_xlsx": named | on("words_train.xlsx") | WORDS,
        "words_jsonlines": named | on("words_train.jsonlines") | WORDS,
        "lone_group": named | on("words_train.csv") | {"subgroups": ["region"]},
        "second_is_train_label": named | {"train_label_column": "score2", "second_human_score_column": "score2"},
        "small_units": named | on("words_train.csv") | {"features": ["tiny", "Usage"]},
        "boolean_feature": named | on("words_train.csv") | {"features": ["grammar", "Usage", "yes"]},
        "skll_rescaledlasso": BASE | FEW | {"model": "RescaledLasso", "standardize_features": False},
    }


def cases():
    """Name -> configuration of an rsmtool experiment."""
    return named_cases() | word_cases()


def named_cases():
    """Experiments on `tables`."""
    lr = {"model": "LinearRegression"}
    found = {f"model_{name.lower()}": BASE | LISTED | {"model": name} for name in MODELS}
    for name in REGRESSORS:
        found[f"skll_{name.lower()}"] = BASE | FEW | _skll(name)
    for name in CLASSIFIERS:
        found[f"skll_{name.lower()}"] = BASE | FEW | on("four_train.csv") | _skll(name)
    groups = {"subgroups": ["L1", "gender"]}
    found |= {
        "plain_auto": BASE
        | lr
        | {
            "subgroups": ["L1", "gender", "prompt"],
            "candidate_column": "student",
            "length_column": "LENGTH",
            "second_human_score_column": "score2",
            "flag_column": {"flag": [0, 1], "advisory": ["ok", "short", 5]},
        },
        "everything": BASE
        | lr
        | LISTED
        | groups
        | {
            "second_human_score_column": "score2",
            "length_column": "LENGTH",
            "candidate_column": "student",
            "use_scaled_predictions": True,
            "trim_min": 1,
            "trim_max": 6,
            "min_n_per_group": 5,
            "description": "All at once, naïvely",
            "general_sections": ["data_description", "model"],
        },
        "file_transforms": BASE | lr | {"features": "../tables/features.csv"} | groups,
        "file_more": BASE | lr | {"features": "../tables/features_more.csv", "use_scaled_predictions": "true"},
        "file_names": BASE | lr | {"features": "../tables/features_names.csv"},
        "file_bounds": BASE | lr | {"features": "../tables/features_bounds.csv", "use_truncation_thresholds": True},
        "select": BASE | lr | LISTED | {"select_transformations": True},
        "select_file": BASE | lr | {"features": "../tables/features.csv", "select_transformations": True},
        "subset": BASE | lr | {"feature_subset_file": "../tables/subsets.csv", "feature_subset": "A"},
        "subset_select": BASE
        | lr
        | {
            "feature_subset_file": "../tables/subsets.csv",
            "feature_subset": "A",
            "sign": "A",
            "select_transformations": True,
        },
        "subset_sign_only": BASE
        | lr
        | {
            "feature_subset_file": "../tables/subsets.csv",
            "feature_subset": "B",
            "sign": "A",
        },
        "not_standardized": BASE | lr | LISTED | {"standardize_features": False},
        "not_standardized_ridge": BASE | LISTED | {"standardize_features": False, "model": "Ridge"},
        "not_truncated": BASE | lr | {"features": "../tables/features.csv", "truncate_outliers": False},
        "as_it_is": BASE | lr | FEW | {"truncate_outliers": False, "standardize_features": False},
        "trim_text": BASE | lr | FEW | {"trim_min": "2", "trim_max": "5", "trim_tolerance": "0.25"},
        "trim_zero": BASE | lr | FEW | {"trim_min": 0, "trim_max": 7, "use_scaled_predictions": True},
        "trim_zero_tolerance": BASE | lr | FEW | {"trim_min": 1, "trim_max": 5, "trim_tolerance": 0},
        "zeros_out": BASE | lr | FEW | on("zeros_train.csv") | {"second_human_score_column": "score2"},
        "zeros_in": BASE
        | lr
        | FEW
        | on("zeros_train.csv")
        | {
            "second_human_score_column": "score2",
            "exclude_zero_scores": False,
        },
        "untidy": BASE | lr | LISTED | on("untidy_train.csv") | groups | {"second_human_score_column": "score2"},
        "untidy_length": BASE
        | lr
        | LISTED
        | on("untidy_train.csv")
        | {
            "length_column": "LENGTH",
            "candidate_column": "student",
            "min_items_per_candidate": 2,
        },
        "untidy_auto": BASE
        | lr
        | on("untidy_train.csv")
        | {
            "subgroups": ["L1", "gender", "prompt"],
            "candidate_column": "student",
            "length_column": "LENGTH",
            "second_human_score_column": "score2",
            "flag_column": {"flag": 0, "advisory": ["ok", "short"]},
        },
        "half_points": BASE | lr | FEW | on("half_train.csv") | groups,
        "partial": BASE
        | lr
        | FEW
        | groups
        | {
            "test_file": "../tables/partial_test.csv",
            "second_human_score_column": "score2",
            "use_scaled_predictions": True,
        },
        "known_error": BASE | lr | FEW | {"rater_error_variance": 0.3},
        "known_error_text": BASE | lr | FEW | {"rater_error_variance": "0.2", "second_human_score_column": "score2"},
        "lengths": BASE | lr | FEW | groups | {"length_column": "LENGTH"},
        "lengths_missing": BASE
        | lr
        | FEW
        | groups
        | {
            "length_column": "LENGTH",
            "train_file": "../tables/length_gap_train.csv",
        },
        "lengths_same": BASE | lr | FEW | {"length_column": "LENGTH", "train_file": "../tables/length_same_train.csv"},
        "candidates": BASE
        | lr
        | FEW
        | on("few_train.csv")
        | groups
        | {
            "candidate_column": "student",
            "min_items_per_candidate": 3,
        },
        "candidate_is_id": BASE | lr | FEW | {"candidate_column": "ID"},
        "flags": BASE | lr | FEW | groups | {"flag_column": {"flag": [0], "advisory": ["ok", 5]}},
        "flags_test": BASE | lr | FEW | {"flag_column": {"flag": 0}, "flag_column_test": {"advisory": ["ok", "short"]}},
        "flags_test_only": BASE | lr | FEW | {"flag_column_test": {"flag": ["0"]}},
        "constant_auto": BASE
        | lr
        | on("extra_train.csv")
        | {
            "flag_column": {"flag": [0, 1], "advisory": ["ok", "short", 5]},
            "subgroups": ["L1", "gender", "prompt", "note"],
            "candidate_column": "student",
        },
        "collinear": BASE | lr | on("extra_train.csv") | {"features": ["grammar", "double", "words_ln"]},
        "boolean": BASE | lr | on("extra_train.csv") | {"features": ["grammar", "yes", "words_ln"]},
        "clash": BASE | lr | on("clash_train.csv") | {"features": ["grammar", "Usage", "errors"]},
        "clash_auto": BASE
        | lr
        | on("clash_train.csv")
        | {
            "subgroups": ["L1", "gender", "prompt"],
            "flag_column": {"flag": [0, 1], "advisory": ["ok", "short", 5]},
            "feature_subset_file": None,
            "candidate_column": "student",
        },
        "default_names": lr
        | LISTED
        | on("default_train.csv")
        | {
            "second_human_score_column": "sc2",
            "length_column": "length",
        },
        "one_feature": BASE | lr | {"features": ["grammar"]},
        "one_feature_lasso": BASE | {"features": ["grammar"], "model": "PositiveLassoCV"},
        "same_file": BASE
        | lr
        | FEW
        | groups
        | {
            "test_file": "../tables/train.csv",
            "second_human_score_column": "score2",
        },
        "labels": BASE | lr | FEW | {"test_file": "../tables/labels_test.csv", "test_label_column": "final"},
        "edge_groups": BASE
        | lr
        | FEW
        | on("edge_train.csv")
        | groups
        | {
            "second_human_score_column": "score2",
            "length_column": "LENGTH",
        },
        "all_data": BASE | lr | FEW | on("all_train.csv") | groups | {"second_human_score_column": "score2"},
        "mean_zero": BASE
        | lr
        | FEW
        | {
            "train_file": "../tables/balanced_train.csv",
            "test_file": "../tables/stray_test.csv",
        },
        "stray": BASE | lr | FEW | {"test_file": "../tables/stray_test.csv"},
        "tsv": BASE | lr | FEW | groups | on("train.tsv") | {"file_format": "tsv"},
        "xlsx": BASE | lr | FEW | groups | on("train.xlsx") | {"file_format": "xlsx"},
        "jsonlines": BASE | lr | FEW | groups | on("train.jsonlines"),
        "expected": BASE
        | FEW
        | on("four_train.csv")
        | {
            "model": "LogisticRegression",
            "predict_expected_scores": True,
            "trim_min": 2,
            "trim_max": 5,
        },
        "expected_forest": BASE
        | FEW
        | on("four_train.csv")
        | {
            "model": "RandomForestClassifier",
            "predict_expected_scores": True,
            "skll_fixed_parameters": SMALL_ENSEMBLE,
        },
        "objective_qwk": BASE | FEW | {"model": "Ridge", "skll_objective": "quadratic_weighted_kappa"},
        "objective_pearson": BASE | FEW | NEIGHBOURS | {"model": "KNeighborsRegressor", "skll_objective": "pearson"},
        "objective_kendall": BASE
        | FEW
        | NEIGHBOURS
        | {"model": "KNeighborsRegressor", "skll_objective": "kendall_tau"},
        "objective_r2": BASE | FEW | {"model": "Lasso", "skll_objective": "r2"},
        "objective_lwk": BASE
        | FEW
        | on("four_train.csv")
        | NEIGHBOURS
        | {
            "model": "KNeighborsClassifier",
            "skll_objective": "linear_weighted_kappa",
        },
        "objective_off_by_one": BASE
        | FEW
        | NEIGHBOURS
        | {"model": "KNeighborsRegressor", "skll_objective": "qwk_off_by_one"},
        "objective_accuracy": BASE
        | FEW
        | on("four_train.csv")
        | {
            "model": "DecisionTreeClassifier",
            "skll_objective": "accuracy",
        },
        "fixed": BASE | FEW | {"model": "ElasticNet", "skll_fixed_parameters": {"l1_ratio": 0.9, "tol": 1e-8}},
        "fixed_nested": BASE
        | FEW
        | {
            "model": "AdaBoostRegressor",
            "skll_fixed_parameters": {"estimator": "Ridge", "n_estimators": 10},
        },
        "nnls_signs": BASE | {"features": "../tables/features.csv", "model": "NNLR"},
        "lasso_nnls_signs": BASE | {"features": "../tables/features.csv", "model": "LassoFixedLambdaThenNNLR"},
        "rebalanced_signs": BASE | {"features": "../tables/features_more.csv", "model": "RebalancedLR"},
    }
    return found


PREDICTIONS = {
    "predict_scored": (
        "file_transforms",
        {
            "input_features_file": "../tables/new.csv",
            "human_score_column": "score",
            "second_human_score_column": "score2",
            "subgroups": ["L1", "gender"],
            "candidate_column": "student",
            "flag_column": {"flag": [0]},
        },
    ),
    "predict_bare": ("file_transforms", {"input_features_file": "../tables/new_bare.csv"}),
    "predict_gaps": (
        "model_linearregression",
        {
            "input_features_file": "../tables/new_gaps.csv",
            "human_score_column": "score",
            "second_human_score_column": "score2",
        },
    ),
    "predict_illegal": (
        "file_more",
        {"input_features_file": "../tables/new_illegal.csv", "human_score_column": "score"},
    ),
    "predict_illegal_inv": ("file_transforms", {"input_features_file": "../tables/new_illegal.csv"}),
    "predict_not_standardized": (
        "not_standardized",
        {
            "input_features_file": "../tables/new.csv",
            "standardize_features": False,
        },
    ),
    "predict_not_truncated": (
        "not_truncated",
        {"input_features_file": "../tables/new.csv", "truncate_outliers": False},
    ),
    "predict_lasso": ("model_positivelassocv", {"input_features_file": "../tables/new.csv"}),
    "predict_ridge": ("skll_ridge", {"input_features_file": "../tables/new.csv"}),
    "predict_forest": (
        "expected_forest",
        {"input_features_file": "../tables/new.csv", "predict_expected_scores": True},
    ),
    "predict_words": (
        "words_csv",
        {
            "input_features_file": "../tables/words_new.csv",
            "human_score_column": "score",
            "subgroups": ["L1", "first"],
            "candidate_column": "student",
        },
    ),
    "predict_boolean": ("boolean_feature", {"input_features_file": "../tables/words_new.csv"}),
    "predict_tree": ("skll_decisiontreeclassifier", {"input_features_file": "../tables/new.csv", "file_format": "tsv"}),
}

CROSS_VALIDATIONS = {
    "xval": {
        "model": "LinearRegression",
        "train_file": "../tables/train.csv",
        "id_column": "ID",
        "train_label_column": "score",
        "features": ["grammar", "Usage", "words_ln"],
        "trim_min": 1,
        "trim_max": 6,
        "folds": 3,
    },
    "xval_all": {
        "model": "NNLR",
        "train_file": "../tables/untidy_train.csv",
        "id_column": "ID",
        "train_label_column": "score",
        "features": "../tables/features.csv",
        "trim_min": 1,
        "trim_max": 6,
        "folds": 4,
        "subgroups": ["L1", "gender"],
        "second_human_score_column": "score2",
        "use_scaled_predictions": True,
        "length_column": "LENGTH",
    },
    "xval_file": {
        "model": "LinearRegression",
        "train_file": "../tables/train.csv",
        "id_column": "ID",
        "train_label_column": "score",
        "feature_subset_file": "../tables/subsets.csv",
        "feature_subset": "A",
        "trim_min": 1,
        "trim_max": 6,
        "folds_file": "../tables/folds.csv",
        "file_format": "tsv",
    },
    "xval_default_names": {
        "model": "Ridge",
        "train_file": "../tables/default_train.csv",
        "features": ["grammar", "errors"],
        "trim_min": 1,
        "trim_max": 6,
        "folds": 2,
        "candidate_column": "student",
    },
}

REFUSED = {
    "refuse_transform": BASE | {"model": "LinearRegression", "features": "../tables/features_unknown.csv"},
    "refuse_illegal": BASE | {"model": "LinearRegression", "features": "../tables/features_illegal.csv"},
    "refuse_sign": BASE | {"model": "LinearRegression", "features": "../tables/features_sign.csv"},
    "refuse_missing_feature": BASE | {"model": "LinearRegression", "features": ["grammar", "grammer"]},
    "refuse_constant": BASE
    | on("extra_train.csv")
    | {"model": "LinearRegression", "features": ["grammar", "constant"]},
    "refuse_model": BASE | FEW | {"model": "LinearRegresion"},
    "refuse_both": BASE
    | FEW
    | {
        "model": "LinearRegression",
        "feature_subset_file": "../tables/subsets.csv",
        "feature_subset": "A",
    },
    "refuse_subset": BASE
    | {
        "model": "LinearRegression",
        "feature_subset_file": "../tables/subsets.csv",
        "feature_subset": "C",
    },
    "refuse_subset_without_file": BASE | {"model": "LinearRegression", "feature_subset": "A"},
    "refuse_twice": BASE | FEW | on("twice_train.csv", "test.csv") | {"model": "LinearRegression"},
    "refuse_second_is_first": BASE | FEW | {"model": "LinearRegression", "second_human_score_column": "score"},
    "refuse_length_feature": BASE
    | {
        "model": "LinearRegression",
        "features": ["grammar", "LENGTH"],
        "length_column": "LENGTH",
    },
    "refuse_reserved": BASE | {"model": "LinearRegression", "features": ["grammar", "score"]},
    "refuse_candidate": BASE | FEW | {"model": "LinearRegression", "min_items_per_candidate": 2},
    "refuse_expected": BASE | FEW | {"model": "Ridge", "predict_expected_scores": True},
    "refuse_expected_linear_svc": BASE | FEW | {"model": "LinearSVC", "predict_expected_scores": True},
    "refuse_objective": BASE | FEW | {"model": "Ridge", "skll_objective": "squared"},
    "refuse_column": BASE | FEW | {"model": "LinearRegression", "length_column": "len"},
    "refuse_subgroup": BASE | FEW | {"model": "LinearRegression", "subgroups": ["L2"]},
    "refuse_flag": BASE | FEW | {"model": "LinearRegression", "flag_column": {"flog": [1]}},
    "refuse_flags_all": BASE | FEW | {"model": "LinearRegression", "flag_column": {"flag": [7]}},
    "refuse_option": BASE | FEW | {"model": "LinearRegression", "standardise_features": True},
    "refuse_bounds": BASE
    | {
        "model": "LinearRegression",
        "features": "../tables/features.csv",
        "use_truncation_thresholds": True,
    },
    "refuse_bounds_list": BASE | FEW | {"model": "LinearRegression", "use_truncation_thresholds": True},
    "refuse_infinite": BASE | LISTED | on("infinite_train.csv", "test.csv") | {"model": "LinearRegression"},
    "refuse_no_file": BASE | FEW | {"model": "LinearRegression", "test_file": "../tables/nowhere.csv"},
}
