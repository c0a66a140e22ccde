"""RSMTool's metric work on one table, timed without reading, writing and report. Runs in RSMTool's own environment.

python peer_rsmtool.py SCORES.csv SETTINGS.json TIMES -> JSON on stdout: seconds per run, and figures to compare
"""

# mypy: ignore-errors
# RSMTool and pandas are not installed where types are checked.

import json
import logging
import sys
import time
import warnings

import pandas as pd
from rsmtool.analyzer import Analyzer
from rsmtool.configuration_parser import Configuration
from rsmtool.container import DataContainer
from rsmtool.fairness_utils import get_fairness_analyses
from rsmtool.preprocessor import FeaturePreprocessor

FORMS = ["raw", "raw_trim", "raw_trim_round", "scale", "scale_trim", "scale_trim_round"]


def read_scores(path):
    """The table under the names RSMTool gives columns."""
    names = {"response": "spkitemid", "h1": "sc1", "h2": "sc2", "system": "raw"}
    frame = pd.read_csv(path, float_precision="round_trip").rename(columns=names)
    return frame.astype({"sc1": float, "sc2": float})


def configured(settings):
    """The configuration rsmeval would make of ours."""
    configuration = Configuration(
        {
            "experiment_id": "x",
            "predictions_file": "x.csv",
            "system_score_column": "raw",
            "trim_min": settings["lowest"],
            "trim_max": settings["highest"],
            "second_human_score_column": "sc2",
            "subgroups": ["language"],
        },
        context="rsmeval",
    )
    configuration["use_scaled_predictions"] = True  # as rsmeval does when scale_with is given
    return configuration


def metric_work(frame, settings):
    """Six score forms, all tables of metrics whole and by group, and the fairness analyses of the report."""
    processed = FeaturePreprocessor().process_predictions(
        frame[["spkitemid", "sc1", "raw"]], *settings["scaling"], settings["lowest"], settings["highest"], 0.4998
    )
    predictions = processed[["spkitemid", "sc1", *FORMS]]
    container = DataContainer(
        [
            {"name": "pred_test", "frame": predictions},
            {"name": "test_metadata", "frame": frame[["spkitemid", "language"]]},
            {"name": "test_human_scores", "frame": frame[["spkitemid", "sc1", "sc2"]]},
        ]
    )
    _, tables = Analyzer().run_prediction_analyses(container, configured(settings))
    merged = pd.merge(predictions, frame[["spkitemid", "language"]], on="spkitemid")
    _, fairness = get_fairness_analyses(merged, "language", "scale_trim")
    return tables, fairness


def figures(tables, fairness):
    """Tables to compare, as table -> row -> column -> number."""
    wanted = ("eval", "consistency", "true_score_eval", "disattenuated_correlations", "eval_by_language")
    found = {name: tables[name].astype(float).to_dict("index") for name in wanted}
    by_group = fairness["fairness_metrics_by_language"].drop(columns="base_category")
    return {**found, "fairness": by_group.astype(float).to_dict("index")}


def main():
    """Time the metric work and print what came out."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    frame = read_scores(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:  # noqa: PTH123
        settings = json.load(file)
    runs = []
    for _ in range(int(sys.argv[3])):
        wall, cpu = time.perf_counter(), time.process_time()
        tables, fairness = metric_work(frame, settings)
        runs.append({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu})
    json.dump({"runs": runs, "figures": figures(tables, fairness)}, sys.stdout)


if __name__ == "__main__":
    main()
