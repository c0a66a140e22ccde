# mypy: ignore-errors
"""Make reference outputs of RSMTool's ``rsmeval`` on data of our own.

Run this in an environment with rsmtool 12.0.0 and pandas 2.2.3 (tests do not
need it: they read the files it wrote)::

    python make_rsm_eval.py OUTPUT_FOLDER [CASE ...]

Every case gets a folder ``OUTPUT_FOLDER/<case>`` with

``input/``
    ``config.json`` and the data files it names, made from a fixed seed (rsm_eval_cases.py).
``expected/``
    The tables RSMTool wrote for them. The report is not made; the fairness
    tables, which RSMTool writes only from the report's notebook, are made in
    the same way as there: from the prediction and metadata files read back
    from disk, subgroup by subgroup, in one shared data frame.
``saved_config.json``
    The configuration as RSMTool completed and saved it.
``expected_error.txt``
    Instead of the two above, if RSMTool raised: "Type: message".
``fairness_errors.json``
    Only if the fairness analysis of some subgroup raised: subgroup -> error.
    (In a real run the report then fails at the first such subgroup.)

``OUTPUT_FOLDER/cases.json`` says in one line what each case is about.
"""

import argparse
import csv
import io
import json
import logging
import shutil
import tempfile
import warnings
import zlib
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
from rsm_eval_cases import CASES
from rsmtool import rsmeval
from rsmtool.fairness_utils import get_fairness_analyses, write_fairness_results
from rsmtool.reader import DataReader

TABLES = (".csv", ".tsv", ".xlsx")


def delimited(rows, separator, newline):
    """Write rows as delimited text."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator, lineterminator=newline)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_rows(path, rows, newline="\n"):
    """Write rows in the format the extension of the path asks for."""
    if path.suffix == ".xlsx":
        pd.DataFrame(rows).replace("", None).to_excel(path, index=False)
    elif path.suffix in (".jsonlines", ".jsonl"):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        text = delimited(rows, "\t" if path.suffix == ".tsv" else ",", newline)
        encoding = "utf-8" if newline == "\n" else "utf-8-sig"
        path.write_bytes(text.encode(encoding))


def write_input(folder, name, made):
    """Write the configuration and the data files of a case."""
    folder.mkdir(parents=True)
    settings = {"experiment_id": name, **made.config}
    text = made.config_text or made.prefix + json.dumps(settings, indent=1) + "\n"
    (folder / "config.json").write_text(text, encoding="utf-8")
    write_rows(folder / made.data_file, made.rows, made.newline)
    if made.train:
        write_rows(folder / "train.csv", made.train)
    return folder / "config.json"


def describe(error, folder):
    """Say what was raised, without the name of the machine's folders."""
    return f"{type(error).__name__}: {error}".replace(str(folder.resolve()), "<input>")


def run_fairness(output, settings):
    """Write the fairness tables as the report's notebook does."""
    name, file_format = settings["experiment_id"], settings["file_format"]

    def read(what):
        path = output / f"{name}_{what}.{file_format}"
        return DataReader.read_from_file(str(path), converters={"spkitemid": str, "candidate": str})

    merged = pd.merge(read("pred_processed"), read("test_metadata"), on="spkitemid")
    system = "scale_trim" if settings["scale_with"] is not None else "raw_trim"
    errors = {}
    for group in settings["subgroups"]:
        try:
            fits, tables = get_fairness_analyses(merged, group, system)
            write_fairness_results(fits, tables, group, str(output), name, file_format)
        except Exception as error:  # whatever the other tool raises is the result
            errors[group] = describe(error, output)
    return errors


def run_case(folder, name, made):
    """Write the input of a case, run RSMTool on it and keep what it wrote."""
    if folder.exists():
        shutil.rmtree(folder)
    config_file = write_input(folder / "input", name, made)
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        try:
            rsmeval.run_evaluation(str(config_file), scratch)
        except Exception as error:  # whatever the other tool raises is the result
            message = describe(error, folder / "input").replace(scratch, "<output>")
            (folder / "expected_error.txt").write_text(message + "\n", encoding="utf-8")
            return message
        saved = next(output.glob("*_rsmeval.json"))
        errors = run_fairness(output, json.loads(saved.read_text(encoding="utf-8")))
        shutil.copy(saved, folder / "saved_config.json")
        (folder / "expected").mkdir()
        for path in sorted(output.iterdir()):
            if path.suffix in TABLES:
                shutil.copy(path, folder / "expected" / path.name)
    if errors:
        text = json.dumps(errors, indent=1, ensure_ascii=False)
        (folder / "fairness_errors.json").write_text(text + "\n", encoding="utf-8")
        return f"ok, but fairness: {errors}"
    return "ok"


def main():
    """Make all cases, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    rsmeval.Reporter.create_report = Mock()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    abouts = {}
    for name, make in CASES.items():
        made = make(np.random.default_rng(zlib.crc32(name.encode())))
        abouts[name] = made.about
        if not arguments.cases or name in arguments.cases:
            print(f"{name}: {run_case(arguments.folder / name, name, made)}", flush=True)
    text = json.dumps(abouts, indent=1, ensure_ascii=False)
    (arguments.folder / "cases.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
