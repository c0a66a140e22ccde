"""Record what every command of `assay` prints and writes, and compare two recordings.

    python tools/record.py run OUT [--only PATTERN] [--jobs N] [--root FOLDER]
    python tools/record.py compare OLD NEW

`run` runs each case of the table in a folder of its own, OUT/NAME, with what it printed (stdout.txt, stderr.txt,
exit.txt) beside what it wrote. The code under test is what `python -m assay` finds: PYTHONPATH chooses it. Inputs are
copied to OUT/inputs from the examples of the project and from ../shared/golden. A case may read what another one wrote,
as ../NAME/FILE: that one is run before it.

`compare` leaves out what may differ between two runs of the same code: times, durations, folders, the recorded command,
the version, digests of files, and the words of errors. It exits with 1 if anything else differs.
"""

import argparse
import csv
import fnmatch
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import polars as pl
from pypdf import PdfReader

Json = dict[str, object]

SECONDS = 600
"""A case that takes longer has failed."""


class Case(NamedTuple):
    """A command that is run in its own folder."""

    name: str
    line: str
    """What follows `assay`, as a shell would have it."""
    files: Mapping[str, str] = {}
    """Written into the folder before, such as a configuration."""
    stdin: str = ""

    def needs(self) -> set[str]:
        """The cases whose results it reads."""
        return set(re.findall(r"\.\./([\w-]+)/", " ".join([self.line, *self.files.values()]))) - {"inputs"}


# the table of cases

EXAMPLES, MADE, GOLDEN = "../inputs/examples", "../inputs/made", "../inputs/golden"
WORDS: Mapping[str, str] = {
    **{"ex": EXAMPLES, "made": MADE, "street": f"{EXAMPLES}/annotations", "scores": f"{EXAMPLES}/scores.csv"},
    "evaluate": f"evaluate {EXAMPLES}/scores.csv --human human --scale 1-6 --out out",
    "compare": f"compare {EXAMPLES}/scores.csv --human human --scale 1-6 --out out",
    "rules": f"annotations rules {EXAMPLES}/annotations/truth.xml",
    "grade": f"annotations score --truth {EXAMPLES}/annotations/truth.xml --out out",
    "handed": f"{EXAMPLES}/annotations/submissions",
    "corpus": f"{EXAMPLES}/essays.csv --text text --id id --prompt prompt",
    "graded": f"{EXAMPLES}/essays.csv --text text --id id --prompt program",
    "few": f"{MADE}/few.csv --text text --id id --prompt prompt",
    "new": f"{MADE}/new.csv --text text --id id --prompt prompt",
    "parts": f"{MADE}/parts --text text --id id --prompt prompt",
    "train": f"essays train {EXAMPLES}/essays.csv --text text --id id --prompt prompt --score score -o model.json",
    "measured": "--features ../features-parquet/features.parquet",
    "kept": "--features ../study-paper/kept.parquet",
    "ratings": "--score rating_1 --second-score rating_2 --third-score rating_3",
    "mmpose": f"{GOLDEN}/annotations/open-mmlab__mmpose/tests__data__coco__test_coco",
}
"""What stands for a word in braces."""

TABLE = """
version                 --version
demo                    demo --out out

evaluate-plain          {evaluate} --system engine_a
evaluate-readme         {evaluate} --id id --second-human human_2 --system engine_a --candidate candidate
                        --groups first_language
evaluate-everything     {evaluate} --id id --second-human human_2,human_3 --system engine_a --candidate candidate
                        --groups first_language,gender,first_language*gender --length words --cuts 3.5,5
                        --scale-with {ex}/training.csv --pdf
evaluate-json           {evaluate} --system engine_b --second-human human_2 --json
evaluate-quiet          {evaluate} --system engine_b --quiet
evaluate-guessed-scale  evaluate {scores} --human human --system judge --out out
evaluate-default-folder evaluate {made}/grades.csv --human mine --system program --scale 1-5
evaluate-candidates     {evaluate} --system engine_a --candidate candidate --min-items 2
evaluate-weights        evaluate {made}/weighted.csv --human human --system engine_a --scale 1-6 --weights weight
                        --second-human human_2 --groups gender --out out
evaluate-halves         evaluate {made}/halves.csv --human human --system engine_a --scale 1-6:0.5 --out out
evaluate-cuts           {evaluate} --system judge --cuts 3.5,5
evaluate-gate-met       {evaluate} --system engine_a --gate qwk>=0.7 abs(smd)<=0.15
evaluate-gate-failed    {evaluate} --system judge --quiet --gate qwk>=0.7
evaluate-gate-interval  {evaluate} --system judge --gate qwk>=0.6 --gate-ci
evaluate-trim           {evaluate} --system engine_a --trim-tolerance 0.25
evaluate-error-variance {evaluate} --system engine_a --rater-error-variance 0.2
evaluate-bootstrap      {evaluate} --system engine_a --intervals bootstrap --seed 3
evaluate-flag           {evaluate} --system judge --flag prompt=town
evaluate-keep-zeros     evaluate {scores} --human human --system engine_a --keep-zeros --out out
evaluate-zero-on-scale  evaluate {scores} --human human --system engine_a --scale 0-6 --out out
evaluate-small-groups   {evaluate} --system engine_a --groups prompt,first_language --min-group 100
evaluate-profile        {evaluate} --system engine_a --profile -j 1
evaluate-parquet        evaluate {made}/scores.parquet --id id --human human --system judge --scale 1-6 --out out
evaluate-tsv            evaluate {made}/scores.tsv --id id --human human --system judge --scale 1-6 --out out
evaluate-jsonl          evaluate {made}/scores.jsonl --id id --human human --system judge --scale 1-6 --out out
evaluate-xlsx           evaluate {made}/scores.xlsx --id id --human human --system judge --scale 1-6 --out out
evaluate-gzipped        evaluate {made}/scores.csv.gz --id id --human human --system judge --scale 1-6 --out out
evaluate-large          evaluate {made}/large.parquet --human human --system judge --scale 1-6 --groups gender --out out
                        -j 2
evaluate-parts          evaluate '{made}/parts/*.parquet' --human rating_1 --second-human rating_2 --system score
                        --scale 1-6 --out out -j 1
compare-columns         {compare} --id id --system engine_a,engine_b,judge --candidate candidate --pdf
compare-bootstrap       {compare} --system judge,engine_b --intervals bootstrap --seed 5 --json
compare-files           compare ../evaluate-plain/out/evaluation.json ../evaluate-quiet/out/evaluation.json --out out
compare-three-files     compare ../evaluate-plain/out/evaluation.json ../evaluate-quiet/out/evaluation.json
                        ../evaluate-cuts/out/evaluation.json --out out --quiet
compare-unlike-files    compare ../evaluate-plain/out/evaluation.json ../evaluate-parts/out/evaluation.json --out out
compare-weights         compare {made}/weighted.csv --human human --system engine_a,judge --scale 1-6 --weights weight
                        --out out
compare-flag            {compare} --system engine_a,judge --flag gender=female
compare-keep-zeros      compare {scores} --human human --system engine_a,judge --scale 0-6 --keep-zeros --out out

rules-plain             {rules} -o rules.toml
rules-printed           {rules} -o -
rules-strict            {rules} --profile strict-1.0 --quiet
rules-instructed        {rules} --yes --instructions 'ignore colour, label twice as important, IoU at least 0.6,
                        completeness 30 %, beta 1'
rules-instructed-more   {rules} --yes --instructions 'weights 60/20/20, labels must match, at least 70 % overlap for
                        polygons, minimum IoU of 0.3 for class traffic_light, no credit for a wrong class, hidden half
                        as important'
rules-shapes            annotations rules {made}/shapes.xml
score-all               {grade} {handed} --images {street}/images --rules ../rules-plain/rules.toml
score-json              {grade} {handed}/ada.xml {handed}/ben.json --json -j 2
score-one-pdf           {grade} {handed}/emre.json --images {street}/images --pdf
score-zip               {grade} {made}/class.zip --images {made}/images.zip --quiet
score-strict            {grade} {handed}/dmitri.json --profile strict
score-instructed        {grade} {handed} --rules ../rules-instructed/rules.toml
score-instructed-more   {grade} {handed} --rules ../rules-instructed-more/rules.toml --timings
score-default-folder    annotations score --truth {street}/truth.xml {handed}/chloe.xml
score-consensus         annotations score --truth ../agree-cvat/consensus.xml {handed}/emre.json --out out
score-shapes            annotations score --truth {made}/shapes.xml {made}/other.xml --out out
agree-cvat              annotations agree {handed}/ada.xml {handed}/ben.json {handed}/chloe.xml
                        --images {street}/images --consensus consensus.xml --out out
agree-coco              annotations agree {handed} --consensus consensus.json --quorum 0.66 --json --out out
                        --rules ../rules-instructed/rules.toml
agree-pdf               annotations agree {handed}/ada.xml {handed}/chloe.xml --pdf --quiet
agree-shapes            annotations agree {made}/shapes.xml {made}/other.xml --consensus consensus.xml
agree-people            annotations agree {mmpose}.json {mmpose}_wholebody.json --consensus both.json

features-csv            essays features {few} --score score -o features.csv -j 1
features-parquet        essays features {corpus} --score score -o features.parquet -j 2 --profile
features-printed        essays features {made}/few.csv --text text -o - -j 1
features-folder         essays features {ex}/essays -o features.csv --json -j 1
features-partitions     essays features {parts} --score score --partitions -o parts -j 2
features-cluster        essays features {few} -o features.csv --cluster local
features-odd            essays features {made}/odd.csv --text text --id id -o features.csv -j 1
feedback-phones         essays feedback {ex}/essays/phones.txt
feedback-volunteering   essays feedback {ex}/essays/volunteering.txt
feedback-html           essays feedback {ex}/essays/later-start.txt --html feedback.html
feedback-html-printed   essays feedback {ex}/essays/phones.txt --html - --quiet
feedback-json           essays feedback {ex}/essays/phones.txt --json --prompt {made}/question.txt
feedback-prompt         essays feedback {ex}/essays/phones.txt --model ../train-generic12/model.json --prompt cars
                        --html feedback.html
feedback-program        essays feedback {ex}/essays/phones.txt --model ../train-program/model.json --program 'grade 8'
                        --json
feedback-hybrid         essays feedback {ex}/essays/phones.txt --model ../train-hybrid/model.json --prompt cars

train-specific          essays train {graded} --score score --model specific -o model.json {measured}
train-generic12         {train} --model generic12 {measured}
train-generic10         {train} --model generic10 {measured}
train-v1                {train} --model v1 {kept}
train-hybrid            {train} --model hybrid -j 2
train-others            essays train {made}/others.csv --text text --id id --prompt prompt --score score --model hybrid
                        -o model.json
train-ratings           essays train {corpus} {ratings} --scale 1-6 --json -o model.json {measured}
train-program           {train} --program program --model generic10 {measured}
train-curves            essays train {made}/more.csv --text text --id id --prompt prompt --score score -o model.json
                        --curves --length-weight free --cutoffs widened -j 2
train-paper             {train} --paper {measured}
train-fixed             {train} --fix style=0.1 --fix vocabulary=0 --length-weight 0.3 --quiet {measured}
train-measuring         essays train {made}/others.csv --text text --id id --prompt prompt --score score -o model.json
                        --features kept.csv -j 1 --model generic10
train-mean-sd           {train} --cutoffs mean-sd {measured}
train-distribution      {train} --cutoffs distribution {measured}
train-detection         {train} --cutoffs signal-detection {measured}
train-detection-common  {train} --cutoffs signal-detection-common {measured}
train-qwk               {train} --cutoffs qwk {measured}
train-rounding          {train} --cutoffs rounding {measured}
marks-by-specific       essays score {made}/few.csv --text text --id id --prompt program -o out -j 1
                        --model ../train-specific/model.json
marks-by-generic12      essays score {few} --model ../train-generic12/model.json -o out -j 1
marks-by-generic10      essays score {few} --model ../train-generic10/model.json -o out -j 1
marks-by-v1             essays score {few} --model ../train-v1/model.json -o out -j 1
marks-by-hybrid         essays score {few} --model ../train-hybrid/model.json -o out -j 1
marks-by-curves         essays score {few} --model ../train-curves/model.json -o out -j 1
marks-by-paper          essays score {few} --model ../train-paper/model.json -o out -j 1
marks-by-ratings        essays score {few} --model ../train-ratings/model.json -o out -j 1
marks-by-program        essays score {few} --program program --model ../train-program/model.json -o out -j 1
marks-two-workers       essays score {few} --model ../train-generic12/model.json -o out -j 2
marks-hybrid-workers    essays score {few} --model ../train-hybrid/model.json -o out -j 2
marks-partitions        essays score {parts} --model ../train-generic10/model.json -o parts --partitions -j 2
marks-hybrid-partitions essays score {parts} --model ../train-hybrid/model.json -o parts --partitions -j 1
marks-bundled           essays score {made}/few.csv --text text --id id -o out -j 1
marks-folder            essays score {ex}/essays -o out --json -j 1
marks-odd               essays score {made}/odd.csv --text text --id id -o out -j 1
marks-unknown-prompt    essays score {new} --model ../train-others/model.json -o out -j 1
refit-specific          essays refit ../train-specific/model.json {graded} --overrides rating_2 -o new.json {measured}
refit-generic12         essays refit ../train-generic12/model.json {corpus} --overrides rating_2 -o new.json {measured}
refit-generic10         essays refit ../train-generic10/model.json {corpus} --overrides rating_2 -o new.json {measured}
refit-program           essays refit ../train-program/model.json {corpus} --program program --overrides rating_2
                        -o new.json --comparison both --json {measured}
calibrate-hybrid        essays calibrate ../train-others/model.json {new} --score score -o new.json
calibrate-no-scores     essays calibrate ../train-others/model.json {new} -o new.json --quiet
calibrate-generic10     essays calibrate ../train-generic10/model.json {new} --score score --scale 1-6 -o new.json
                        --json
marks-by-calibrated     essays score {new} --model ../calibrate-hybrid/new.json -o out -j 1
marks-by-calibrated-10  essays score {new} --model ../calibrate-generic10/new.json -o out -j 2
study-paper             essays study {corpus} {ratings} --program program --candidate candidate
                        --features kept.parquet --pdf --out out
study-assay             essays study {corpus} {ratings} --program program --candidate candidate --recipe assay {kept}
                        --out out
study-json              essays study {corpus} --score rating_1 {kept} --out out --json --seed 7 --scale 1-6

error-missing-file      evaluate nowhere.csv --human human --system judge
error-wrong-column      evaluate {scores} --human humn --system judge
error-no-such-option    evaluate {scores} --humans human
error-off-the-scale     evaluate {made}/halves.csv --human human --system engine_a --scale 1-6 --out out
error-bad-scale         evaluate {scores} --human human --system judge --scale six
error-many-groups       {evaluate} --system engine_a --groups candidate
error-bad-gate          {evaluate} --system judge --gate qwq>=0.7
error-text-in-scores    evaluate {made}/notes.csv --human human --system engine
error-other-files       evaluate {scores} --human human --system judge --scale 1-6 --out .
error-compare-one       compare ../evaluate-plain/out/evaluation.json
error-compare-bad-json  compare broken.json broken.json
error-rules-missing     annotations rules nowhere.xml
error-half-understood   {rules} --yes --instructions 'ignore colour, be kind'
error-nobody-agrees     {rules} --instructions 'ignore colour'
error-bad-toml          {grade} {handed} --rules broken.toml
error-misspelt-rule     {grade} {handed} --rules misspelt.toml
error-bad-submission    {grade} {handed}/grace.json
error-agree-one         annotations agree {handed}/ada.xml
error-no-model-to-ask   {grade} {handed} --reword
error-essays-column     essays features {ex}/essays.csv --text txt -o features.csv
error-essays-kind       {train} --model huge
error-bad-model         essays score {few} --model broken.json -o out
error-refit-hybrid      essays refit ../train-hybrid/model.json {corpus} --overrides rating_2 -o new.json
error-calibrate         essays calibrate ../train-specific/model.json {new} -o new.json
error-untold-prompt     essays feedback {ex}/essays/phones.txt --model ../train-specific/model.json
error-rsm-bad-json      rsm tool broken.json out
error-rsm-bad-toml      rsm tool broken.toml out
error-rsm-option        rsm eval unknown.json out
error-rsm-missing       rsm predict nowhere.json out.csv
error-serve-port        serve --port many
error-no-such-command   grade
"""

FORMATS = """
rules-{0}     annotations rules {made}/truth-{0} --images {street}/images
score-{0}     annotations score --truth {made}/truth-{0} {made}/ada-{0} {handed}/ben.json --images {street}/images
              --out out
score-by-{0}  {grade} {made}/ada-{0}
agree-{0}     annotations agree {made}/truth-{0} {made}/ada-{0} --images {street}/images --out out
"""
"""For each format of annotations that the examples are not in."""

COMMANDS = (
    *("", "demo", "serve", "evaluate", "compare", "annotations", "rsm", "essays"),
    *(f"annotations {name}" for name in ("rules", "score", "agree")),
    *(f"rsm {name}" for name in ("tool", "eval", "predict", "xval", "compare", "summarize", "explain")),
    *(f"essays {name}" for name in ("features", "train", "score", "calibrate", "refit", "feedback", "study")),
)

BROKEN = {
    "broken.json": '{"a": ',
    "broken.toml": "experiment_id = ours\n",
    "misspelt.toml": 'profile = "annotator-ai-1.0"\n[weights]\nlabl = 3\n',
    "unknown.json": '{"experiment_id": "x", "predictions": "y.csv"}',
}

RULES = """profile = "strict-1.0"
only_labels = ["car", "van", "pedestrian"]
beta = 1
label_mode = "prefer"
[weights]
localisation = 1
label = 2
attributes = 1
[thresholds]
box = 0.7
[labels."car"]
least = 0.3
attributes."colour" = { compare = "text", weight = 2 }
[labels."van"]
[labels."pedestrian"]
"""

RSM = f"{GOLDEN}/rsmtool/lr/input"
TRAINING: Mapping[str, object] = {
    **{"train_file": f"{RSM}/train.csv", "test_file": f"{RSM}/test.csv", "id_column": "ID"},
    **{"train_label_column": "score", "test_label_column": "score", "trim_min": 1, "trim_max": 6},
    **{"features": [f"FEATURE{i}" for i in range(1, 8)], "model": "LinearRegression"},
}
RATED = {
    "experiment_id": "engine_a",
    "predictions_file": WORDS["scores"],
    "system_score_column": "engine_a",
    "id_column": "id",
}
RATED |= {"human_score_column": "human", "second_human_score_column": "human_2"}
PREDICT = {"input_features_file": f"{RSM}/test.csv", "id_column": "ID"}
EXPLAIN = {"background_data": f"{RSM}/train.csv", "explain_data": f"{RSM}/test.csv", "id_column": "ID"}


def _experiment(name: str) -> Json:
    return {"experiment_id": name, "experiment_dir": f"../tool-{name}/out"}


EXPERIMENTS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "tool-groups": ("--pdf", {"subgroups": ["QUESTION", "L1"], "second_human_score_column": "score2"}),
    "tool-length": ("", {"length_column": "LENGTH", "use_scaled_predictions": True, "standardize_features": False}),
    "tool-lasso": ("--no-report", {"model": "LassoFixedLambdaThenLR"}),
    "tool-tree": ("", {"model": "DecisionTreeRegressor", "skll_fixed_parameters": {"max_depth": 3}}),
    "tool-forest": ("", {"model": "RandomForestRegressor", "skll_fixed_parameters": {"n_estimators": 20}}),
    "tool-neighbours": ("--no-report -q", {"model": "KNeighborsRegressor", "skll_objective": "pearson"}),
    "tool-vectors": ("--no-report", {"model": "SVR", "skll_objective": "pearson"}),
    "tool-expected": ("", {"model": "LogisticRegression", "predict_expected_scores": True}),
    "tool-xlsx": ("--no-report", {"file_format": "xlsx", "truncate_outliers": False}),
    "tool-tsv": ("--compat", {"file_format": "tsv", "model": "ScoreWeightedLR", "select_transformations": True}),
    "tool-sections": ("", {"general_sections": ["evaluation", "model"], "flag_column": {"QUESTION": ["QUESTION_1"]}}),
    "eval-engine": ("", {**RATED, "subgroups": ["first_language"], "trim_min": 1, "trim_max": 6}),
    "eval-xlsx": ("--quiet", {**RATED, "file_format": "xlsx", "trim_min": 1, "trim_max": 6}),
    "eval-compat": ("--compat", {**RATED, "scale_with": "raw", "trim_min": 1, "trim_max": 6}),
    "predict-tree": ("--features seen.csv -j 2", {**PREDICT, **_experiment("tree")}),
    "predict-expected": ("", {**PREDICT, **_experiment("expected"), "predict_expected_scores": True}),
    "predict-cluster": ("--cluster local", {**PREDICT, **_experiment("groups"), "subgroups": ["L1"]}),
    "predict-partitions": (
        "--partitions --features seen -j 2",
        {**PREDICT, **_experiment("length"), "input_features_file": f"{MADE}/responses"},
    ),
    "xval-three": ("--no-report", {"folds": 3, "subgroups": ["L1"], "model": "NNLR"}),
    "xval-compat": ("--compat --pdf", {"folds": 2}),
    "compare-two": (
        "--pdf",
        {
            **{"comparison_id": "two", "experiment_id_old": "groups", "experiment_dir_old": "../tool-groups/out"},
            **{"experiment_id_new": "length", "experiment_dir_new": "../tool-length/out", "description_new": "longer"},
        },
    ),
    "compare-some": (
        "",
        {
            **{"comparison_id": "some", "file_format": "xlsx", "experiment_names": ["A", "B", "C"]},
            "experiment_dirs": ["../tool-groups/out", "../tool-tree/out", "../eval-engine/out"],
        },
    ),
    "summarize-some": (
        "--pdf",
        {"summary_id": "all", "experiment_dirs": ["../tool-groups/out", "../tool-tree/out", "../tool-xlsx/out"]},
    ),
    "explain-linear": ("--pdf", {**EXPLAIN, **_experiment("groups"), "sample_size": 20, "show_auto_cohorts": True}),
    "explain-trees": ("", {**EXPLAIN, **_experiment("forest"), "sample_range": "5-15", "num_features_to_display": 4}),
    "explain-sampled": (
        "",
        {**EXPLAIN, **_experiment("vectors"), "sample_ids": "RESPONSE_1, RESPONSE_2", "background_kmeans_size": 5},
    ),
}


def rsm_cases() -> Iterator[Case]:
    """The experiments of the table; their configuration lies in the folder of the case."""
    for name, (options, changed) in EXPERIMENTS.items():
        command = name.partition("-")[0]
        settings = {"experiment_id": name.partition("-")[2], **changed}
        if command in ("tool", "xval"):
            settings = {**TRAINING, **settings}
        if command == "xval":
            settings = {key: value for key, value in settings.items() if not key.startswith("test_")}
        if command in ("compare", "summarize"):
            del settings["experiment_id"]
        out = "scores.csv" if command == "predict" and "--partitions" not in options else "out"
        case = name if command in ("tool", "eval", "predict") else f"rsm-{name}"
        yield Case(case, f"rsm {command} config.json {out} {options}", {"config.json": json.dumps(settings, indent=1)})
    toml = "".join(f"{key} = {json.dumps(value)}\n" for key, value in {**TRAINING, "experiment_id": "toml"}.items())
    yield Case("tool-toml", "rsm tool config.toml out --no-report", {"config.toml": toml})


def golden_cases(golden: Path) -> Iterator[Case]:
    """All experiments of RSMTool, and all annotation files of other tools: by themselves or by their ground truth."""
    for config in sorted((golden / "rsmtool").glob("*/input/config.json")):
        options, name = json.loads(config.read_text(encoding="utf-8")), config.parent.parent.name
        folder = f"{GOLDEN}/rsmtool/{name}/input"
        if "human" in options:
            for table in sorted(config.parent.glob("*.csv")):
                line = f"evaluate {folder}/{table.name} --human h1 --second-human h2,h3,h4 --system system --keep-zeros"
                yield Case(f"golden-{table.stem}", f"{line} --out out")
            continue
        kinds = {"predictions_file": "eval", "experiment_dir": "predict", "summary_id": "summarize"}
        command = next((kind for option, kind in kinds.items() if option in options), "tool")
        command = "xval" if command == "tool" and "test_file" not in options else command
        out = "scores.csv --features seen.csv" if command == "predict" else "out"
        yield Case(f"golden-{command}-{name}", f"rsm {command} {folder}/config.json {out}")
    files = sorted(f for f in (golden / "annotations").glob("*/*.*") if f.suffix in (".json", ".xml", ".png"))
    for file in files:
        here = f"{GOLDEN}/annotations/{file.parent.name}"
        slug = re.sub(r"\W+", "-", f"{file.parent.name.split('__')[0]}-{file.stem.removeprefix('tests__')}")
        truth = f"{here}/{_truth_of(file.name)}"
        if not (golden / "annotations" / file.parent.name / _truth_of(file.name)).exists():
            truth = f"{GOLDEN}/annotations/MiXaiLL76__faster_coco_eval/{_truth_of(file.name)}"
        yield Case(f"golden-score-{slug}", f"annotations score --truth {truth} {here}/{file.name} --out out")
        if file.name == _truth_of(file.name):
            yield Case(f"golden-rules-{slug}", f"annotations rules {here}/{file.name}")


def _truth_of(name: str) -> str:
    """The ground truth of a list of results; any other file is held against itself."""
    if "val2014_fake" in name and "keypoints" not in name:
        return "tests__dataset__cocoapi__instances_val2014_100.json"
    name = name.replace("crowdpose_preds", "crowdpose_val").replace("test_coco_det_AP_H_56", "test_coco")
    return name.replace("__dt_", "__gt_")


def table_cases(table: str, *kind: str) -> Iterator[Case]:
    """The cases of a table: a name, and a line that goes on where the next one is indented."""
    for entry in re.findall(r"^\S.*(?:\n .*)*", table, re.MULTILINE):
        name, line = " ".join(entry.split()).format(*kind, **WORDS).split(" ", 1)
        yield Case(name, line, BROKEN if name.startswith("error-") else {})


def all_cases(golden: Path) -> list[Case]:
    """Every case there is."""
    return [
        *(Case("-".join(["help", *words.split()]), f"{words} --help") for words in COMMANDS),
        *table_cases(TABLE),
        *(case for kind in ("voc", "yolo", "labelme", "studio") for case in table_cases(FORMATS, kind)),
        Case("score-own-rules", f"{WORDS['grade']} {WORDS['handed']} --rules rules.toml", {"rules.toml": RULES}),
        Case("feedback-stdin", "essays feedback -", stdin="Cars is good. They helps us, becaus we get to work.\n"),
        *rsm_cases(),
        *golden_cases(golden),
    ]


# inputs


def make_inputs(root: Path, inputs: Path) -> None:
    """Copies of the examples and of the golden files, and the same in other formats."""
    shared = Path(os.environ.get("ASSAY_SHARED", root.parent / "shared"))
    shutil.copytree(root / "examples", inputs / "examples", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for folder in ("annotations", "rsmtool"):
        shutil.copytree(shared / "golden" / folder, inputs / "golden" / folder)
    made, examples = inputs / "made", inputs / "examples"
    (made / "parts").mkdir(parents=True)
    _make_scores(pl.read_csv(examples / "scores.csv"), made)
    responses = pl.read_csv(inputs / "golden" / "rsmtool" / "lr" / "input" / "test.csv")
    for number, (first, last) in enumerate([(0, 120), (120, 200)]):
        responses[first:last].write_parquet(made / "responses" / f"{number}.parquet", mkdir=True)
    _make_essays(pl.read_csv(examples / "essays.csv"), made)
    for name, file in {"truth": "truth.xml", "ada": "submissions/ada.xml"}.items():
        _make_formats(ElementTree.parse(examples / "annotations" / file).getroot(), made, name)
    for name, folder in {"class": "submissions", "images": "images"}.items():
        shutil.make_archive(str(made / name), "zip", examples / "annotations" / folder)
    for name, by in {"shapes": 0, "other": 3}.items():
        (made / f"{name}.xml").write_text(_shapes(by), encoding="utf-8")


def _make_scores(scores: pl.DataFrame, made: Path) -> None:
    scores.write_parquet(made / "scores.parquet")
    scores.write_csv(made / "scores.tsv", separator="\t")
    scores.write_ndjson(made / "scores.jsonl")
    scores.write_excel(made / "scores.xlsx")
    scores.write_csv(made / "scores.csv.gz", compression="gzip")
    large = pl.concat([scores.select("human", "judge", "gender")] * 2000).with_row_index("row")
    large.with_columns(pl.col("row") / 3).write_parquet(made / "large.parquet", compression="uncompressed")
    weight = pl.when(pl.col("prompt") == "town").then(3).otherwise(1).alias("weight")
    scores.with_columns(weight).write_csv(made / "weighted.csv")
    mean = (pl.col("human") + pl.col("human_2").fill_null(pl.col("human"))) / 2
    scores.with_columns(mean).write_csv(made / "halves.csv")
    (made / "notes.csv").write_text('human,engine\n4,3.9\n3,3.1\n"4,5",4.2\n', encoding="utf-8")
    with (made / "grades.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("mine", "program"), *((1 + i % 5, 1 + (i + i // 9) % 5) for i in range(30))])


def _make_essays(essays: pl.DataFrame, made: Path) -> None:
    few = essays.gather_every(7)
    few.write_csv(made / "few.csv")
    again = essays[:60].with_columns(pl.concat_str(pl.lit("again-"), "id").alias("id"))
    pl.concat([essays, again]).write_csv(made / "more.csv")  # curves ask for 240
    for number, (first, last) in enumerate([(0, 5), (5, 5), (5, few.height)]):
        few[first:last].write_parquet(made / "parts" / f"{number}.parquet")
    some = pl.int_range(pl.len()) % 4 < 2
    essays.filter(some, pl.col("prompt") != "library").write_csv(made / "others.csv")
    new = essays.filter(pl.col("prompt") == "library").gather_every(2).with_row_index("row")
    score = pl.when(pl.col("row") % 2 == 0).then(pl.col("score")).alias("score")
    new.with_columns(score).drop("row").write_csv(made / "new.csv")
    text = essays["text"][0]
    odd = {"empty": "", "short": "Cars are fast.", "twice": f"{text} {text}", "other": "Die Autos sind schnell. " * 30}
    odd |= {
        "same": "dog " * 200,
        "shouted": text.upper(),
        "digits": "12 34 " * 60,
        "lines": text.replace(". ", ".\n\n"),
    }
    pl.DataFrame({"id": list(odd), "text": list(odd.values())}).write_csv(made / "odd.csv")
    (made / "question.txt").write_text("Should students use phones in class?\n", encoding="utf-8")


def _make_formats(cvat: ElementTree.Element, made: Path, name: str) -> None:
    """Boxes and polygons of a CVAT file as Pascal VOC, YOLO, LabelMe and Label Studio."""
    folders = {kind: made / f"{name}-{kind}" for kind in ("voc", "yolo", "labelme", "studio")}
    for folder in folders.values():
        folder.mkdir()
    labels = sorted({shape.get("label", "") for shape in cvat.iter() if shape.get("label")})
    tasks: list[Json] = []
    (folders["yolo"] / "classes.txt").write_text("\n".join(labels) + "\n", encoding="utf-8")
    for image in cvat.iter("image"):
        file, width, height = image.get("name", ""), float(image.get("width", 0)), float(image.get("height", 0))
        voc, yolo, labelme, regions = [], [], [], []
        for number, shape in enumerate(image):
            label, outline = shape.get("label", ""), shape.get("points", "")
            points = [tuple(map(float, pair.split(","))) for pair in outline.split(";")] if outline else []
            left, top, right, bottom = (float(shape.get(edge, 0)) for edge in ("xtl", "ytl", "xbr", "ybr"))
            if points:
                left, top = (min(point[i] for point in points) for i in (0, 1))
                right, bottom = (max(point[i] for point in points) for i in (0, 1))
            edges = zip(("xmin", "ymin", "xmax", "ymax"), (left, top, right, bottom), strict=True)
            box = "".join(f"<{edge}>{value}</{edge}>" for edge, value in edges)
            voc.append(f"<object><name>{label}</name><bndbox>{box}</bndbox></object>")
            centre = ((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)
            row = [value for x, y in points or centre for value in (x / width, y / height)]
            yolo.append(" ".join([str(labels.index(label)), *(f"{value:.6f}" for value in row)]))
            kind = "polygon" if points else "rectangle"
            labelme.append({"label": label, "shape_type": kind, "points": points or [(left, top), (right, bottom)]})
            value: Json = {f"{kind}labels": [label]}
            if points:
                value["points"] = [(100 * x / width, 100 * y / height) for x, y in points]
            else:
                value |= {"x": 100 * left / width, "y": 100 * top / height, "rotation": 0}
                value |= {"width": 100 * (right - left) / width, "height": 100 * (bottom - top) / height}
            size = {"original_width": width, "original_height": height}
            regions.append({"id": f"r{number}", "type": f"{kind}labels", "value": value, **size})
        size_xml = f"<size><width>{width:.0f}</width><height>{height:.0f}</height><depth>3</depth></size>"
        page = f"<annotation><filename>{file}</filename>{size_xml}{''.join(voc)}</annotation>"
        stem = Path(file).stem
        (folders["voc"] / f"{stem}.xml").write_text(page, encoding="utf-8")
        (folders["yolo"] / f"{stem}.txt").write_text("\n".join(yolo) + "\n", encoding="utf-8")
        whole: Json = {"version": "5.5.0", "flags": {}, "shapes": labelme, "imagePath": file, "imageData": None}
        whole |= {"imageHeight": height, "imageWidth": width}
        (folders["labelme"] / f"{stem}.json").write_text(json.dumps(whole), encoding="utf-8")
        drawn = [{"id": 1, "completed_by": 7, "was_cancelled": False, "result": regions}]
        tasks.append({"id": len(tasks) + 1, "data": {"image": f"/data/{file}"}, "annotations": drawn})
    (folders["studio"] / f"{name}.json").write_text(json.dumps(tasks), encoding="utf-8")


def _shapes(by: int) -> str:
    """A CVAT file with a shape of every kind, moved by some pixels, and an attribute that is a key."""
    x, y = 10 + by, 20 + by
    named: tuple[str, ...] = ("xtl1", "ytl1", "xbl1", "ybl1", "xtr1", "ytr1", "xbr1", "ybr1")
    named += ("xtl2", "ytl2", "xbl2", "ybl2", "xtr2", "ytr2", "xbr2", "ybr2")
    corners = " ".join(f'{corner}="{300 + by + 9 * i}"' for i, corner in enumerate(named))
    ring = f"{x},{y};{x + 60},{y};{x + 60},{y + 50};{x},{y + 50}"
    shapes = (
        f'box label="car" xtl="{x}" ytl="{y}" xbr="{x + 80}" ybr="{y + 40}" rotation="30"',
        f'polygon label="lake" points="{ring}"',
        f'polyline label="road" points="{ring}"',
        f'points label="dots" points="{ring}"',
        f'ellipse label="ball" cx="{x + 90}" cy="{y + 90}" rx="30" ry="20" rotation="15"',
        f'cuboid label="house" {corners}',
        f'mask label="cloud" rle="4, 6, 4, 6" left="{x}" top="{y}" width="5" height="4"',
        'tag label="sunny"',
    )
    drawn = "".join(
        f'<{shape}><attribute name="Annotation No">{number}</attribute>'
        f'<attribute name="note">{"seen" if number % 3 else f"by {by}"}</attribute></{shape.split()[0]}>'
        for number, shape in enumerate(shapes, start=1)
    )
    image = f'<image id="0" name="a.png" width="640" height="480">{drawn}</image>'
    empty = '<image id="1" name="b.png" width="640" height="480"></image>'
    return f"<annotations><version>1.1</version>{image}{empty}</annotations>"


# run


def run(out: Path, root: Path, only: str, jobs: int) -> int:
    """Run the cases whose names match, and those they need that have not been recorded yet."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(out / "inputs", ignore_errors=True)
    make_inputs(root, out / "inputs")
    table = {case.name: case for case in all_cases(out / "inputs" / "golden")}
    wanted = {name for name in table if fnmatch.fnmatch(name, only)}
    while more := {n for name in wanted for n in table[name].needs() if not (out / n / "exit.txt").exists()} - wanted:
        wanted |= more
    began, done = time.perf_counter(), dict[str, Future[int]]()
    with ThreadPoolExecutor(jobs) as pool:
        for name in _in_order(wanted, table):
            before = [done[needed] for needed in table[name].needs() if needed in done]
            done[name] = pool.submit(_run_case, table[name], out / name, before)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    codes = [future.result() for future in done.values()]
    print(f"{len(codes)} cases, {sum(code != 0 for code in codes)} with an exit code other than 0;", end=" ")
    print(f"{spent.ru_utime + spent.ru_stime:.0f} s of CPU, {time.perf_counter() - began:.0f} s.")
    return 0


def _in_order(wanted: Iterable[str], table: Mapping[str, Case]) -> list[str]:
    """Each after those it needs."""
    order: dict[str, None] = {}

    def add(name: str) -> None:
        for needed in sorted(table[name].needs()):
            add(needed)
        order.setdefault(name)

    for name in sorted(wanted):
        add(name)
    return [name for name in order if name in set(wanted)]


def _run_case(case: Case, folder: Path, before: Iterable[Future[int]]) -> int:
    for one in before:
        one.result()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in case.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    places = [str(Path(place).resolve()) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    environment |= {"PYTHONPATH": os.pathsep.join(places), "COLUMNS": "100", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    words, began = [sys.executable, "-m", "assay", *shlex.split(case.line)], time.perf_counter()
    try:
        result = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            input=case.stdin.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        code, said, remarks = result.returncode, result.stdout, result.stderr
    except subprocess.TimeoutExpired:
        code, said, remarks = -1, b"", f"took more than {SECONDS} s".encode()
    (folder / "stdout.txt").write_bytes(said)
    (folder / "stderr.txt").write_bytes(remarks)
    (folder / "exit.txt").write_text(f"{code}\n", encoding="utf-8")
    why = remarks.decode(errors="replace").strip().splitlines()[-1:] if code else []
    print(f"{time.perf_counter() - began:6.1f} s  exit {code}  {case.name}  {' '.join(why)[:150]}", flush=True)
    return code


# compare

MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
MAY_DIFFER: tuple[tuple[str, str], ...] = (
    (r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?", "<time>"),
    (rf"\d{{1,2}} {MONTH} \d{{4}}(?:, \d\d:\d\d)?", "<time>"),
    (r"(?i)\bassay \d+\.\d+[\w.]*\w", "assay <version>"),
    (r'"(version|assay)": "[^"]*"', r'"\1": <version>'),
    (r"SHA-256 [0-9a-f]{12,64}(?: [0-9a-f]{8,52}\b)?|\b[0-9a-f]{64}\b", "<digest>"),
)
COMMAND: tuple[tuple[str, str], ...] = (
    (r'"command": "(?:\\.|[^"\\])*"', '"command": <command>'),
    (r"(?m)^Command,.*$", "Command,<command>"),
    (r"Command(:|</th><td>) ?(?:<code>)?[^<\n]*", r"Command\1 <command>"),
)


def comparable(file: Path, out: Path) -> object:
    """What must be the same in two recordings; None for what need not be."""
    if file.suffix == ".parquet":
        return pl.read_parquet(file)
    if file.suffix in (".xlsx", ".zip", ".skops"):
        with zipfile.ZipFile(file) as archive:
            members = [one for one in archive.infolist() if not one.filename.startswith("docProps")]
        if file.suffix == ".skops":  # names are numbers that change, and so does the schema that holds them
            return sorted((Path(one.filename).suffix, one.CRC * (one.filename != "schema.json")) for one in members)
        return sorted((one.filename, one.CRC) for one in members)
    if file.suffix == ".pdf":
        words = [word for page in PdfReader(file).pages for word in page.extract_text().split()]
        return normalised(" ".join(words), out, MAY_DIFFER)
    if file.name == "stderr.txt" and (file.parent / "exit.txt").read_text(encoding="utf-8") != "0\n":
        return None
    content = file.read_bytes()
    try:
        text = normalised(content.decode(), out, MAY_DIFFER + COMMAND)
    except UnicodeDecodeError:
        return content
    if file.name == "stderr.txt" and "CPU, s" in text:
        return re.sub(r"[\d.,\s─]+", " ", text)
    return text


def normalised(text: str, out: Path, patterns: Iterable[tuple[str, str]]) -> str:
    """Without what may differ."""
    text = text.replace(str(out), "<out>")
    for pattern, instead in patterns:
        text = re.sub(pattern, instead, text)
    return text


def first_difference(old: object, new: object) -> str:
    """Where two contents begin to differ, or nothing."""
    if isinstance(old, pl.DataFrame) and isinstance(new, pl.DataFrame):
        if old.schema == new.schema and old.equals(new):
            return ""
        return f"frames differ: {old.shape} {old.schema}, {new.shape} {new.schema}"
    if old == new:
        return ""
    if not isinstance(old, str) or not isinstance(new, str):
        return "contents differ"
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    here = slice(max(0, at - 30), at + 60)
    return f"line {old[:at].count(chr(10)) + 1}: {old[here]!r} is now {new[here]!r}"


def compare(old: Path, new: Path) -> int:
    """Print every file that differs; 1 if there is any."""
    cases = {out: {file.parent.name for file in out.glob("*/exit.txt")} for out in (old, new)}
    found = [f"{name}: recorded in one only" for name in cases[old] ^ cases[new]]
    files = 0
    for name in cases[old] & cases[new]:
        a, b = ({f.relative_to(out / name) for f in (out / name).rglob("*") if f.is_file()} for out in (old, new))
        found += [f"{name}/{file}: only in {old if file in a else new}" for file in a ^ b]
        for file in a & b:
            files += 1
            one, other = (comparable(out / name / file, out) for out in (old, new))
            if told := first_difference(one, other):
                found.append(f"{name}/{file}: {told}")
    found.sort()
    print("\n".join([*found, f"{len(cases[old] & cases[new])} cases, {files} files: {len(found)} differences."]))
    return 1 if found else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="record every case")
    running.add_argument("out", type=Path)
    running.add_argument("--only", default="*", help="names of cases, such as 'evaluate-*'")
    running.add_argument("--jobs", type=int, default=2, help="cases at a time")
    running.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the project, for its examples")
    comparing = commands.add_parser("compare", help="tell where two recordings differ")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    options = parser.parse_args()
    if options.command == "run":
        return run(options.out.resolve(), options.root.resolve(), options.only, options.jobs)
    return compare(options.old.resolve(), options.new.resolve())


if __name__ == "__main__":
    sys.exit(main())
