"""RSMTool's experiments by the command and in Python."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import assay
from tests.io.models.test_restricted_pickle import PICKLED
from tests.io.rsm.rsm_training import write_training
from tests.parity.doors import Bench, Case, Outputs, files_of, typed

GROUPS = {"subgroups": ["group"], "second_human_score_column": "h2", "min_n_per_group": 2}


@cache
def home(bench: Bench) -> Path:
    """A folder with two experiments on the same tables."""
    folder = bench.path("experiments")
    folder.mkdir()
    assay.rsm_tool(write_training(folder), folder / "both", no_report=True)
    assay.rsm_tool(write_training(folder, features=["alpha"]), folder / "one", no_report=True)
    return folder


def stored(bench: Bench, **options: Any) -> Path:
    return bench.file("config.json", json.dumps(options))


def trained(bench: Bench) -> Path:
    return write_training(home(bench), **GROUPS)


def cross_validated(bench: Bench) -> Path:
    return write_training(home(bench), test_file=None, test_label_column=None, folds=2, **GROUPS)


def evaluated(bench: Bench) -> Path:
    columns = {"id_column": "id", "human_score_column": "h1", "system_score_column": "alpha", **GROUPS}
    table = str(home(bench) / "test.csv")
    return stored(
        bench, experiment_id="ours", predictions_file=table, scale_with="asis", trim_min=1, trim_max=5, **columns
    )


def predicted(bench: Bench) -> Path:
    table, model = str(home(bench) / "test.csv"), str(home(bench) / "both")
    return stored(bench, experiment_id="ours", experiment_dir=model, input_features_file=table, id_column="id")


def both(bench: Bench, **options: Any) -> Path:
    folders = [str(home(bench) / "both"), str(home(bench) / "one")]
    return stored(bench, experiment_dirs=folders, experiment_names=["both", "one"], **options)


def compared(bench: Bench) -> Path:
    return both(bench, comparison_id="c")


def summarized(bench: Bench) -> Path:
    return both(bench, summary_id="s")


def explained(bench: Bench) -> Path:
    folder = home(bench)
    tables = {"background_data": str(folder / "train.csv"), "explain_data": str(folder / "test.csv")}
    return stored(bench, experiment_id="ours", experiment_dir=str(folder / "both"), id_column="id", **tables)


def case(verb: str, config: Callable[[Bench], Path]) -> Case:
    """Every file of an experiment."""

    def command(bench: Bench) -> Outputs:
        out = bench.path("out")
        bench.command("rsm", verb.removeprefix("rsm_"), config(bench), out, "-q")
        return files_of(out)

    def python(bench: Bench) -> Outputs:
        out = bench.path("out")
        getattr(assay, verb)(config(bench), out, command=typed())
        return files_of(out)

    return Case(verb, command, python)


def predict_command(bench: Bench) -> Outputs:
    out = bench.path("scores.csv")
    bench.command("rsm", "predict", predicted(bench), out, "--features", out.parent / "seen.csv", "-q", "-j", 1)
    return files_of(out.parent)


def predict_python(bench: Bench) -> Outputs:
    out = bench.path("scores.csv")
    assay.rsm_predict(predicted(bench)).write(out, features=out.parent / "seen.csv")
    return files_of(out.parent)


# ---- generate ----------------------------------------------------------------------------------------------------


def generate_command(bench: Bench) -> Outputs:
    out = bench.path("config.json")
    bench.command("rsm", "generate", "tool", "-g", "-o", out, "-q")
    return {"file": out.read_bytes(), "printed": bench.command("rsm", "generate", "xval")}


def generate_python(bench: Bench) -> Outputs:
    written = assay.rsm_generate("tool", groups=True).write(bench.path("config.json"))
    return {"file": written.read_bytes(), "printed": assay.rsm_generate("rsmxval").json()}


# ---- convert -----------------------------------------------------------------------------------------------------


def convert_command(bench: Bench) -> Outputs:
    out = bench.path("line.model.json")
    bench.command("rsm", "convert", PICKLED / "line.model", "--trust-pickle", "-o", out, "-q")
    return files_of(out.parent)


def convert_python(bench: Bench) -> Outputs:
    out = bench.path("line.model.json")
    assay.rsm_convert(PICKLED / "line.model", trust_pickle=True).write(out)
    return files_of(out.parent)


CASES = {
    "rsm_tool": case("rsm_tool", trained),
    "rsm_eval": case("rsm_eval", evaluated),
    "rsm_predict": Case("rsm_predict", predict_command, predict_python),
    "rsm_compare": case("rsm_compare", compared),
    "rsm_summarize": case("rsm_summarize", summarized),
    "rsm_xval": case("rsm_xval", cross_validated),
    "rsm_explain": case("rsm_explain", explained),
    "rsm_generate": Case("rsm_generate", generate_command, generate_python),
    "rsm_convert": Case("rsm_convert", convert_command, convert_python),
}
