# mypy: ignore-errors
"""Make reference outputs of RSMTool's rsmtool, rsmpredict and rsmxval on tables of our own.

Run this in an environment with rsmtool 12.0.0 and pandas 2.2.3 (tests do not need it: they read what it wrote)::

    python make_rsm_tool.py OUTPUT_FOLDER [CASE ...]

`OUTPUT_FOLDER/tables` holds the tables. Every case gets a file `<case>.json` with its `config` and either the `tables`
RSMTool wrote (file -> rows of cells; fairness tables as its report makes them) or the `error` it raised. Of
experiments that differ in the model only, tables about the model and its scores are kept. Reports are not made.
"""

import argparse
import csv
import json
import logging
import os
import shutil
import tempfile
import warnings
from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import rsm_tool_cases as given
from make_rsm_eval import describe, write_rows
from rsmtool import rsmeval, rsmpredict, rsmtool, rsmxval
from rsmtool.fairness_utils import get_fairness_analyses, write_fairness_results
from rsmtool.reader import DataReader

TABLES = (".csv", ".tsv", ".xlsx")
BESIDE = ("features", "feature_subset_file")


OF_MODELS = ("model_", "skll_", "objective_", "fixed", "expected")
MODEL_TABLES = (
    *(
        "pred_processed",
        "postprocessing_params",
        "coefficients",
        "coefficients_scaled",
        "betas",
        "model_fit",
        "feature",
    ),
    *("eval_short", "selected"),
)


def rows_of(path):
    """The cells of a table as text, long decimals cut to ten digits."""
    if path.suffix == ".xlsx":
        rows = pd.read_excel(path, header=None, dtype=str, keep_default_na=False).values.tolist()
    else:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))
    return [[shortened(cell) for cell in row] for row in rows]


def shortened(cell):
    if len(cell) < 13 or "." not in cell:
        return cell
    try:
        return f"{float(cell):.10g}"
    except ValueError:
        return cell


def worth_keeping(name, file):
    """Of similar experiments and folds only some tables are kept."""
    if name.startswith(OF_MODELS):
        return file.stem.removeprefix(f"{name}_") in MODEL_TABLES
    return file.parts[0] != "folds" or file.parts[1] == "01" or file.stem.endswith("pred_processed")


def pack(folder, target):
    """Put the configuration of a case and what came out of it into one file."""
    name = folder.name
    content = {"config": json.loads((folder / "config.json").read_text(encoding="utf-8"))}
    beside = [p for p in folder.iterdir() if p.suffix in TABLES]
    if beside:
        content["beside"] = {p.name: rows_of(p) for p in beside}
    if (folder / "saved_config.json").exists():
        content["saved"] = json.loads((folder / "saved_config.json").read_text(encoding="utf-8"))
    if (folder / "expected_error.txt").exists():
        content["error"] = (folder / "expected_error.txt").read_text(encoding="utf-8").strip()
    else:
        found = sorted(p for p in (folder / "expected").rglob("*") if p.is_file())
        found = [p for p in found if worth_keeping(name, p.relative_to(folder / "expected"))]
        content["tables"] = {p.relative_to(folder / "expected").as_posix(): rows_of(p) for p in found}
    lines = [f'"{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in content.items() if key != "tables"]
    if "tables" in content:
        tables = [
            f"{json.dumps(file)}: [\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"
            for file, rows in content["tables"].items()
        ]
        lines.append('"tables": {\n' + ",\n".join(tables) + "\n}")
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def write_tables(folder):
    """All tables as CSV, some in other formats too."""
    folder.mkdir(parents=True, exist_ok=True)
    found = given.tables() | given.word_tables()
    for name, rows in found.items():
        write_rows(folder / f"{name}.csv", rows)
    for name in ("train", "test", "words_train", "words_test"):
        for ending in ("xlsx", "jsonlines") if name.startswith("words") else ("tsv", "xlsx", "jsonlines"):
            write_rows(folder / f"{name}.{ending}", found[name])
    folds = [{"id": row["ID"], "fold": "abc"[number % 3]} for number, row in enumerate(found["train"])]
    with (folder / "folds.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, ["id", "fold"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(folds)


def keep_tables(output, expected):
    """Copy what RSMTool wrote as tables, subfolders included."""
    for path in sorted(output.rglob("*")):
        if path.suffix in TABLES:
            target = expected / path.relative_to(output)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def run_fairness(output, settings):
    """Write the fairness tables as the report's notebook does."""
    name, file_format = settings["experiment_id"], settings["file_format"]

    def read(what):
        path = output / f"{name}_{what}.{file_format}"
        return DataReader.read_from_file(str(path), converters={"spkitemid": str, "candidate": str})

    merged = pd.merge(read("pred_processed"), read("test_metadata"), on="spkitemid")
    system = "scale_trim" if settings["use_scaled_predictions"] else "raw_trim"
    for group in settings["subgroups"]:
        fits, tables = get_fairness_analyses(merged, group, system)
        write_fairness_results(fits, tables, group, str(output), name, file_format)


def write_config(folder, name, settings):
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    path = folder / "config.json"
    path.write_text(json.dumps({"experiment_id": name} | settings, indent=1) + "\n", encoding="utf-8")
    return path


def run_case(folder, name, settings, keep):
    """An rsmtool experiment; `keep` gets the whole output for experiments that predict with its model."""
    config = write_config(folder / name, name, settings)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch)
        try:
            rsmtool.run_experiment(str(config), scratch)
        except Exception as error:  # whatever the other tool raises is the result
            message = describe(error, folder).replace(scratch, "<output>")
            (folder / name / "expected_error.txt").write_text(message + "\n", encoding="utf-8")
            return message
        saved = next((out / "output").glob("*_rsmtool.json"))
        run_fairness(out / "output", json.loads(saved.read_text(encoding="utf-8")))
        keep_tables(out / "output", folder / name / "expected")
        keep_tables(out / "feature", folder / name / "expected" / "feature")
        shutil.copy(saved, folder / name / "saved_config.json")
        shutil.copytree(out, keep / name, dirs_exist_ok=True)
    return "ok"


def run_prediction(folder, name, model, settings, keep):
    """An rsmpredict experiment on the model of a case."""
    full = {"experiment_id": model, "experiment_dir": f"../{model}", "id_column": "ID"} | settings
    config = write_config(folder / name, name, full)
    with tempfile.TemporaryDirectory() as scratch:
        run = Path(scratch) / "run.json"
        located = full | {
            "experiment_dir": str(keep / model),
            "input_features_file": str(folder / name / full["input_features_file"]),
        }
        run.write_text(json.dumps(located), encoding="utf-8")
        out = Path(scratch) / "out"
        try:
            rsmpredict.compute_and_save_predictions(str(run), str(out / "predictions.csv"), str(out / "features.csv"))
        except Exception as error:
            message = describe(error, folder)
            (folder / name / "expected_error.txt").write_text(message + "\n", encoding="utf-8")
            return message
        config.write_text(json.dumps(full, indent=1) + "\n", encoding="utf-8")
        keep_tables(out, folder / name / "expected")
    return "ok"


def run_cross_validation(folder, name, settings):
    """An rsmxval experiment, fold by fold in this process.

    RSMTool copies feature files to the folder of each fold but looks for them elsewhere, so they lie beside.
    """
    files = {key: Path(value).name for key, value in settings.items() if key in BESIDE and isinstance(value, str)}
    config = write_config(folder / name, name, settings | files)
    for file in files.values():
        shutil.copy(folder / "tables" / file, folder / name / file)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            rsmxval.run_cross_validation(str(config), scratch, silence_tqdm=True)
        except Exception as error:
            message = describe(error, folder)
            (folder / name / "expected_error.txt").write_text(message + "\n", encoding="utf-8")
            return message
        keep_tables(Path(scratch), folder / name / "expected")
        shutil.copy(Path(scratch) / "rsmxval.json", folder / name / "saved_config.json")
    return "ok"


def in_this_process(n_jobs):
    """Stand-in for joblib's Parallel: report stand-ins would not reach other processes."""
    return lambda calls: [function(*arguments, **options) for function, arguments, options in calls]


def main():
    """Make all cases, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for module in (rsmtool, rsmeval):
        module.Reporter.create_report = Mock()
    rsmxval.run_summary = Mock()
    rsmxval.Parallel = in_this_process
    out = arguments.folder.resolve()
    folder = Path(os.environ.get("RSM_WORK", tempfile.mkdtemp()))
    keep = Path(os.environ.get("RSM_KEEP", tempfile.mkdtemp()))
    write_tables(folder / "tables")
    shutil.copytree(folder / "tables", out / "tables", dirs_exist_ok=True)

    def wanted(name):
        return (
            not arguments.cases
            or name in arguments.cases
            or any(c.endswith("*") and name.startswith(c[:-1]) for c in arguments.cases)
        )

    for name, settings in (given.cases() | given.REFUSED).items():
        if wanted(name):
            print(f"{name}: {run_case(folder, name, settings, keep)}", flush=True)
            pack(folder / name, out / f"{name}.json")
    for name, (model, settings) in given.PREDICTIONS.items():
        if wanted(name):
            print(f"{name}: {run_prediction(folder, name, model, settings, keep)}", flush=True)
            pack(folder / name, out / f"{name}.json")
    for name, settings in given.CROSS_VALIDATIONS.items():
        if wanted(name):
            print(f"{name}: {run_cross_validation(folder, name, settings)}", flush=True)
            pack(folder / name, out / f"{name}.json")


if __name__ == "__main__":
    main()
