"""`evaluate`, `compare` and `trust` through each door."""

import json
import zipfile
from functools import cache
from io import BytesIO
from typing import Any

import polars as pl

import assay
from assay.report.render.tables_csv import slug
from tests.parity.doors import Bench, Case, Outputs, files_of, numbers, typed
from tests.paths import EXAMPLES

FRAME = pl.read_csv(EXAMPLES / "scores.csv").head(150)
REVIEWS = FRAME.with_columns(human=pl.when(pl.int_range(150) < 90).then(pl.col("human")))
"""People have read the first ninety."""
SCORES, REVIEWED = FRAME.write_csv().encode(), REVIEWS.write_csv().encode()
COLUMNS: dict[str, Any] = {"human": "human", "id": "id", "scale": "1-6"}
TYPED = ("--human", "human", "--id", "id", "--scale", "1-6", "-q")


@cache
def in_app(bench: Bench) -> str:
    """A workspace in which two engines were judged and compared; its id."""
    made = bench.workspace("evaluation", scores={"scores.csv": SCORES})
    columns = {"human": ["human", "human_2"], "system": ["engine_a", "engine_b"], "id": "id", "candidate": "candidate"}
    bench.work(made, **columns, groups=["first_language", "gender"], length="words", scale="1-6")
    return made


def tables(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if "/" not in name}


# ---- evaluate ----------------------------------------------------------------------------------------------------

EVALUATED: dict[str, Any] = {
    **{"system": "engine_a", "second_human": ["human_2"], "groups": ["first_language", "gender"]},
    **{"candidate": "candidate", "length": "words"},
}


def evaluated(files: dict[str, bytes]) -> Outputs:
    own = {
        slug(name[7:-4]) + ".csv": text
        for name, text in files.items()
        if name.startswith("tables/") and name.count("/") == 1
    }
    return {**files, "numbers": numbers(files["evaluation.json"]), "own tables": own}


def evaluate_command(bench: Bench) -> Outputs:
    scores, out = bench.file("scores.csv", SCORES), bench.path("out")
    words = ("--second-human", "human_2", "--groups", "first_language,gender", "--candidate", "candidate")
    bench.command("evaluate", scores, *TYPED, "--system", "engine_a", *words, "--length", "words", "-o", out, "-j", 1)
    return evaluated(files_of(out))


def evaluate_python(bench: Bench) -> Outputs:
    result = assay.evaluate(bench.file("scores.csv", SCORES), **COLUMNS, **EVALUATED, command=typed())
    return evaluated(files_of(result.write(bench.path("out"))))


def evaluate_web(bench: Bench) -> Outputs:
    made = in_app(bench)
    first = bench.asked(made, "/results")["results"][0]["item"]["id"]
    content = bench.exported(made, f"{first}/evaluation.json")
    return {"numbers": numbers(content), "own tables": tables(bench.exported(made, f"{first}/tables.zip"))}


RARE: dict[str, Any] = {
    **{"system": "engine_b", "gate": ["qwk>=0.1", "abs(smd)<=5"], "gate_ci": True, "weights": "words"},
    **{"min_items": 2, "min_group": 5, "cuts": [3.5, 5], "flag": ["gender=female|male"], "candidate": "candidate"},
    **{"scale_with": EXAMPLES / "training.csv", "trim_tolerance": 1, "rater_error_variance": 1},
    **{"intervals": "bootstrap", "seed": 7, "keep_zeros": False},
}


def evaluate_rarely_command(bench: Bench) -> Outputs:
    scores, out = bench.file("scores.csv", SCORES), bench.path("out")
    words: list[object] = ["--system", "engine_b", "--gate", "qwk>=0.1", "--gate", "abs(smd)<=5", "--gate-ci"]
    words += ["--weights", "words", "--min-items", 2, "--min-group", 5, "--cuts", "3.5,5", "--candidate", "candidate"]
    words += ["--flag", "gender=female|male", "--scale-with", EXAMPLES / "training.csv", "--trim-tolerance", 1]
    words += ["--rater-error-variance", 1, "--intervals", "bootstrap", "--seed", 7, "--leave-out-zeros"]
    bench.command("evaluate", scores, *TYPED, *words, "-o", out, "-j", 1)
    return files_of(out)


def evaluate_rarely_python(bench: Bench) -> Outputs:
    result = assay.evaluate(bench.file("scores.csv", SCORES), **COLUMNS, **RARE, command=typed())
    assert result.passed
    return files_of(result.write(bench.path("out")))


def evaluate_printed(bench: Bench) -> Outputs:
    words = ("--system", "engine_a", "--json", "-o", bench.path("out"), "-j", 1)
    return {"numbers": numbers(bench.command("evaluate", bench.file("scores.csv", SCORES), *TYPED, *words))}


def evaluate_frame(bench: Bench) -> Outputs:
    del bench
    return {"numbers": numbers(assay.evaluate(FRAME.to_pandas(), **COLUMNS, system="engine_a").json())}


# ---- compare -----------------------------------------------------------------------------------------------------


def compared(files: dict[str, bytes]) -> Outputs:
    return {**files, "numbers": numbers(files["comparison.json"])}


def compare_command(bench: Bench) -> Outputs:
    scores, out = bench.file("scores.csv", SCORES), bench.path("out")
    bench.command("compare", scores, *TYPED, "--system", "engine_a,engine_b", "--candidate", "candidate", "-o", out)
    return compared(files_of(out))


def compare_python(bench: Bench) -> Outputs:
    engines: dict[str, Any] = {"system": ["engine_a", "engine_b"], "candidate": "candidate", "command": typed()}
    result = assay.compare(bench.file("scores.csv", SCORES), **COLUMNS, **engines)
    return compared(files_of(result.write(bench.path("out"))))


def compare_web(bench: Bench) -> Outputs:
    return {"numbers": numbers(bench.exported(in_app(bench), "comparison.json"))}


# ---- trust -------------------------------------------------------------------------------------------------------


def trusted(files: dict[str, bytes]) -> Outputs:
    """The files, and what of trust.json the app tells too."""
    told = json.loads(files["trust.json"])
    common = {name: told[name] for name in ("reviewed", "waiting", "precision", "drift")}
    figures = {name: figure for name, figure in told["figures"].items() if "." not in name}
    return {**files, "told": {**common, "figures": figures, "next": [(n["name"], n["why"]) for n in told["next"]]}}


def trust_command(bench: Bench) -> Outputs:
    reviews, out = bench.file("scores.csv", REVIEWED), bench.path("out")
    words = ("--system", "engine_a", "--second-human", "human_2", "--groups", "gender", "--within", 1)
    bench.command("trust", reviews, *TYPED, *words, "-o", out)
    return trusted(files_of(out))


def trust_python(bench: Bench) -> Outputs:
    chosen: dict[str, Any] = {"system": "engine_a", "second_human": "human_2", "groups": "gender", "within": 1}
    result = assay.trust(bench.file("scores.csv", REVIEWED), **COLUMNS, **chosen, command=typed())
    return trusted(files_of(result.write(bench.path("out"))))


def trust_web(bench: Bench) -> Outputs:
    made = bench.workspace("evaluation", scores={"scores.csv": REVIEWED})
    bench.work(made, human=["human", "human_2"], system=["engine_a"], id="id", groups=["gender"], scale="1-6")
    told = bench.asked(made, "/trust", engine="engine_a", within=1)
    precision = {name: value for name, value in told["precision"].items() if name != "words"}
    estimates = {**told["figures"], "drift": told["drift"]}
    plain = {name: {k: v for k, v in own.items() if k != "verdict" and v != ""} for name, own in estimates.items()}
    common = {"reviewed": told["reviewed"], "waiting": told["waiting"], "precision": precision}
    suggested = [(one["name"], one["why"]) for one in told["next"]]
    return {"told": {**common, "drift": plain.pop("drift"), "figures": plain, "next": suggested}}


CASES = {
    "evaluate": Case("evaluate", evaluate_command, evaluate_python, evaluate_web),
    "evaluate with rare options": Case("evaluate", evaluate_rarely_command, evaluate_rarely_python),
    "evaluate a pandas frame": Case("evaluate", evaluate_printed, evaluate_frame),
    "compare": Case("compare", compare_command, compare_python, compare_web),
    "trust": Case("trust", trust_command, trust_python, trust_web),
}
