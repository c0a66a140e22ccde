"""Small models and experiments, written here: what mutation begins with."""

import io
import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzz.mutate import mutate_json, mutate_toml
from fuzz.seed_annotations import dumped, zipped
from fuzz.seed_tables import EXAMPLES

TREE = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=regression
feature_names=a b
feature_infos=[0:1] [0:1]
tree_sizes=255

Tree=0
num_leaves=2
num_cat=0
split_feature=0
split_gain=1
threshold=0.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=1 2
leaf_weight=1 1
leaf_count=1 1
internal_value=1.5
internal_weight=2
internal_count=2
is_linear=0
shrinkage=1


end of trees
"""


def essay_models() -> list[bytes]:
    from assay.essays.models.erater.weights import BENDS

    model = json.loads((EXAMPLES / "essay_model.json").read_bytes())
    content = {
        **{"essays": 3, "points": [1, 2], "floors": [1, 2], "least_familiarity": None, "words": "a b"},
        **{"essays_with": "1 2", "frequencies": ["1 2", "3 4"]},
    }
    curves = {"mean": [0.0] * 10, "sd": [1.0] * 10, "slopes": [[0.0] * (1 + len(BENDS))] * 10}
    scale = {"mean": [0.0], "sd": [1.0], "weights": [1.0], "spread": 1.0, "landmarks": {"p": {"50": 3.0}}}
    more = {**model, "content": {"": content}, "common_scale": scale}
    more["equations"] = {group: one | {"curves": curves} for group, one in model["equations"].items()}
    return [dumped(model), dumped(more)]


def _packed(array: Any, kind: str = "float64") -> dict[str, Any]:
    from assay.io.models.model_json import packed

    return packed(np.asarray(array), kind)


def _common(kind: str, measures: list[str]) -> dict[str, Any]:
    header = json.loads((EXAMPLES / "essay_model.json").read_bytes())
    known = {name: header[name] for name in ("schema", "scale", "about", "reads_with", "training")}
    ends = {"points": [1, 2, 3], "cutoffs": [1.5, 2.5], "percentiles": [0.1 * i for i in range(101)]}
    errors = {"low": [0.5] * 3, "high": [0.5] * 3}
    return known | {"kind": kind, "measures": measures, **ends, "errors": errors, "trees": [TREE]}


def _topic() -> dict[str, Any]:
    counts = {"words": "car\ntown", "essays": 4, "quarters": [10, 20], "essays_with": _packed([1, 2], "int64")}
    return {**counts, "keyness": _packed([0.5, 0.1]), "sums": _packed(np.ones((3, 2)))}


def _rows(columns: int) -> dict[str, Any]:
    return {"step": [0.1], "counts": _packed(np.ones((1, columns)), "int16")}


@cache
def hybrid_models() -> list[bytes]:
    from assay.essays.models.calibrated.model import NAMES
    from assay.essays.models.hybrid.model import PARTS, TITLES

    n, measures = len(TITLES), list(TITLES)
    content = {
        **{"words": "car\ntown", "points": [1, 2], "floors": [1, 2], "essays": 4, "least_familiarity": 0.1},
        **{"frequencies": _packed([[1, 2], [3, 4]], "int64"), "essays_with": _packed([1, 2], "int64")},
    }
    part = {"intercept": [0.5], "features": _rows(n), "characters": _rows(4), "words": _rows(2), "nearness": _rows(2)}
    level = {"mean": 2.0, "sd": 1.0, "points": 3, "words": 100.0}
    own = {
        **{
            "agreement": {"qwk": 0.7, "kappa": 0.5, "exact": 60, "r": None},
            "prompts": ["cars"],
            "mean": 2.0,
            "sd": 1.0,
            "blend": [0.5, 0.5],
        },
        "standard": {"mean": _packed(np.zeros(n)), "sd": _packed(np.ones(n))},
        **{"topics": {"cars": _topic()}, "content": {"cars": content}},
        "words": {"runs": "car\ntown", "rarity": _packed([1.0, 2.0])},
        "near": {"z": _packed(np.zeros((2, n)), "float32"), "weights": _packed(np.ones(n)), "width": 1.0},
        "parts": dict.fromkeys(PARTS, part),
        "transfer": {
            **{"curves": _packed(np.zeros(2 * len(NAMES))), "trees": [TREE], "levels": [level]},
            "same_scale": {"lowest": 1, "highest": 4, "step": 1},
        },
    }
    return [dumped(_common("hybrid", measures) | own)]


@cache
def calibrated_models() -> list[bytes]:
    from assay.essays.models.calibrated.model import NAMES

    n = len(NAMES)
    own = {
        **{"prompt": "cars", "essays": 4, "scored": 2, "notes": ["few"], "intercept": 2.0, "tree_factor": 0.5},
        **{"residual": 0.5, "standard": {"mean": _packed(np.zeros(n)), "sd": _packed(np.ones(n))}, "topic": _topic()},
        **{"curves": _packed(np.zeros(2 * n)), "characters": _rows(4)},
    }
    header = {k: v for k, v in _common("calibrated", list(NAMES)).items() if k not in ("training", "errors")}
    return [dumped(header | own)]


def trees() -> list[bytes]:
    return [TREE.encode()]


def discourse_models() -> list[bytes]:
    from assay.io.models.scoring_models import ARRAYS

    target = io.BytesIO()
    shapes = ((2, 3), (3,), (3, 3), (3,), (3, 2), (2, 2), (2,), (2,))
    arrays: dict[str, Any] = {name: np.full(shape, 0.5, np.float16) for name, shape in zip(ARRAYS, shapes, strict=True)}
    np.savez_compressed(target, names=np.array("bias\nopens:the NN"), common=np.array("the\n,"), **arrays)
    return [target.getvalue()]


def _feature(name: str, transform: str = "raw") -> dict[str, Any]:
    moments = ("train_mean", "train_sd", "train_transformed_mean", "train_transformed_sd")
    ends = {"low": None, "high": None, "fill": None}
    return {"feature": name, "transform": transform, "sign": 1.0, **dict.fromkeys(moments, 1.0), **ends}


AFTER = ("h1_mean", "h1_sd", "train_predictions_mean", "train_predictions_sd")


def feature_model(**model: Any) -> dict[str, Any]:
    """A model of two features as its file has it; without an estimator a line."""
    known = {"name": "LinearRegression", "features": ["alpha", "beta"], "points": [], "expected": False}
    return {
        **{"schema": "assay.feature-model/1", "trained_on": {"table": "train.csv", "responses": 60}},
        "features": [_feature("alpha", "log"), _feature("beta")],
        "preparation": {"standardize": True, "truncate": True, "compat": False},
        "postprocessing": {"trim_min": 1, "trim_max": 5, "trim_tolerance": 0.4998, **dict.fromkeys(AFTER, 1.0)},
        "model": known | (model or {"intercept": 0.5, "coefficients": [0.2, 0.3]}),
    }


def feature_models() -> list[bytes]:
    return [dumped(feature_model())]


@cache
def estimators() -> list[bytes]:
    """Fitted estimators as skops writes them."""
    from sklearn.linear_model import Ridge
    from sklearn.tree import DecisionTreeRegressor
    from skops.io import dumps

    rows, scores = np.arange(12.0).reshape(6, 2), np.array([1.0, 2, 3, 2, 3, 4])
    return [dumps(kind.fit(rows, scores)) for kind in (Ridge(), DecisionTreeRegressor(max_depth=1))]


def estimator_document(stored: bytes) -> bytes:
    """The model file that belongs to an estimator."""
    return dumped(feature_model(name="Ridge", estimator="model.skops", sha256=sha256(stored).hexdigest()))


# ---- RSMTool -------------------------------------------------------------------------------------------------------

FEATURES = b"spkitemid,alpha,beta,sc1,sc2,group,length,candidate\n" + b"".join(
    b"r%d,%d.5,%d,%d,%d,%s,%d,c%d\n"
    % (i, i % 5 + 1, i * 7 % 11, 1 + i % 4, 1 + i % 3, b"xy"[i % 2 : i % 2 + 1], 9 + i, i)
    for i in range(12)
)
SPECS = b"feature,transform,sign,min,max,low,high,sign_main\nalpha,log,1,0,9,1,0,+\nbeta,raw,-1,0,99,0,1,-\n"
CONFIGS: dict[str, dict[str, Any]] = {
    "tool": {
        **{"experiment_id": "ours", "model": "LinearRegression", "train_file": "train.csv", "test_file": "test.csv"},
        **{"id_column": "id", "train_label_column": "h1", "test_label_column": "h1", "features": ["alpha", "beta"]},
        **{"subgroups": ["group"], "min_n_per_group": {"group": 3}, "flag_column": {"status": ["ok", 1]}},
        **{"trim_min": 1, "trim_max": 6, "general_sections": ["all"], "section_order": ["evaluation"]},
        **{"skll_fixed_parameters": {"alpha": 1}, "use_scaled_predictions": "true", "file_format": "csv"},
    },
    "eval": {
        **{"experiment_id": "ours", "predictions_file": "p.csv", "system_score_column": "engine", "trim_min": 1},
        **{"trim_max": 6, "scale_with": "asis", "second_human_score_column": "h2", "candidate_column": "c"},
    },
    "predict": {"experiment_id": "ours", "experiment_dir": "old", "input_features_file": "new.csv"},
    "compare": {
        **{"comparison_id": "c", "experiment_id_old": "a", "experiment_dir_old": "a", "experiment_id_new": "b"},
        "experiment_dir_new": "b",
    },
    "summarize": {"summary_id": "s", "experiment_dirs": ["a", "b"], "experiment_names": ["A", "B"]},
    "xval": {"experiment_id": "ours", "model": "Ridge", "train_file": "train.csv", "folds": 3, "features": "f.csv"},
    "explain": {
        **{"experiment_id": "ours", "experiment_dir": "old", "background_data": "b.csv", "explain_data": "e.csv"},
        "sample_range": "1-9",
    },
}


def rsm_configs() -> list[bytes]:
    """Configurations with the command's name first; JSON with comments, and TOML."""
    as_json = [command.encode() + b"\n// options\n" + dumped(options) for command, options in CONFIGS.items()]
    toml = "".join(f"{name} = {json.dumps(value)}\n" for name, value in CONFIGS["eval"].items())
    return [*as_json, b"eval.toml\n" + toml.encode()]


def mutate_config(content: bytes, rng: Random) -> bytes:
    """The command mostly stays; its options change as JSON or as TOML."""
    first, _, text = content.partition(b"\n")
    if rng.random() < 0.02:
        first = rng.choice([*CONFIGS, "tool.toml"]).encode()
    toml = first.endswith(b".toml")
    if not toml and text.startswith(b"//") and rng.random() < 0.9:
        text = text.partition(b"\n")[2]
    return first + b"\n" + (mutate_toml if toml else mutate_json)(text, rng)


def rsm_experiments() -> list[bytes]:
    """A folder with an experiment as RSMTool lays it out, without a model file of ours."""
    coefficients = b"feature,coefficient\nIntercept,0.5\nalpha,0.2\nbeta,0.3\n"
    params = [{k: v for k, v in _feature(name).items() if v is not None} for name in ("alpha", "beta")]
    features = [",".join(params[0]), *(",".join(map(str, one.values())) for one in params)]
    after = ("trim_min", "trim_max", *AFTER)
    predictions = b"spkitemid,sc1,raw,scale,raw_trim\n" + b"".join(
        b"r%d,%d,%d.5,2,2\n" % (i, i % 4, i % 3) for i in range(5)
    )
    return [
        zipped(
            {
                "ours_rsmtool.json": dumped(CONFIGS["tool"] | {"subgroups": ["group"]}),
                "ours_coefficients.csv": coefficients,
                "ours_feature.csv": "\n".join(features) + "\n",
                "ours_postprocessing_params.csv": f"{','.join(after)}\n{','.join('123456')}\n",
                "ours_pred_processed.csv": predictions,
                "ours_test_human_scores.csv": b"spkitemid,sc1,sc2\nr1,1,2\nr2,2,2\n",
                "ours_test_metadata.csv": b"spkitemid,group\nr1,x\nr2,y\n",
                "ours_eval.csv": b",N,qwk\nraw,5,0.5\nscale,5,0.6\n",
                "ours_confMatrix.csv": b",1,2\n1,3,0\n2,1,4\n",
            }
        )
    ]


def rsm_features() -> list[bytes]:
    return [FEATURES]


def feature_specs() -> list[bytes]:
    return [SPECS, SPECS.replace(b"feature", b"Feature", 1)]


SECTION_WORDS = ("# A", "- b", "1. c", "> d", "|e|f|", "|---|---|", "```", "**g**", "[h](i)", "`j`", "---", "  ", "<b>")


def sections() -> list[bytes]:
    """Markdown sections of reports."""
    text = "# Notes\n\nWe *all* **agreed**.\n\n- one\n  more\n\n> mind\n\n|a|b|\n|---|---|\n|1|\n\n```\nx\n```\n<i>"
    return [text.encode(), b"\xef\xbb\xbf# A"]


def pickled_models() -> list[bytes]:
    """Models as RSMTool 12 pickles them; trained on the example data."""
    folder = Path(__file__).resolve().parents[1] / "tests" / "io" / "models" / "pickled"
    return [path.read_bytes() for path in sorted(folder.glob("*.model"))]
