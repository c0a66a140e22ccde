"""`evaluate`, `compare`, `trust` and `judge` through each door."""

import json
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

import assay
from assay.report.render.tables_csv import slug
from tests.io.canned_server import canned_server, completion
from tests.parity.doors import Bench, Case, Outputs, files_of, numbers, typed
from tests.paths import EXAMPLES

FRAME = pl.read_csv(EXAMPLES / "scores.csv").head(150)
REVIEWS = FRAME.with_columns(human=pl.when(pl.int_range(150) < 90).then(pl.col("human")))
"""People have read the first ninety."""
GAPS = FRAME.with_columns(human=pl.when(pl.int_range(150) % 3 > 0).then(pl.col("human"))).write_csv().encode()
"""Every third response lacks the first human score."""
SCORES, REVIEWED = FRAME.write_csv().encode(), REVIEWS.write_csv().encode()
COLUMNS: dict[str, Any] = {"human": "human", "id": "id", "scale": "1-6"}
TYPED = ("--human", "human", "--id", "id", "--scale", "1-6", "-q")


JUDGED = {"id": ["a", "b", "c"], "text": ["Yes.", "I think so.", ""]}
JUDGE: dict[str, Any] = {"rubric": EXAMPLES / "rubric.toml", "model": "m", "text": "text", "id": "id"}
JUDGE |= {"runs": 2, "probe": True}


@cache
def in_app(bench: Bench) -> str:
    """A workspace in which two engines were judged and compared; its id."""
    made = bench.workspace("evaluation", scores={"scores.csv": SCORES})
    columns: dict[str, Any] = {
        "human": ["human", "human_2"],
        "system": ["engine_a", "engine_b"],
        "id": "id",
        "candidate": "candidate",
    }
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
    words = ("--second-human", "human_2", "--groups", "first_language,gender", "--length", "words")
    engines = ("--system", "engine_a,engine_b", "--candidate", "candidate")
    bench.command("compare", scores, *TYPED, *engines, *words, "-o", out)
    return compared(files_of(out))


def compare_python(bench: Bench) -> Outputs:
    engines: dict[str, Any] = {**EVALUATED, "system": ["engine_a", "engine_b"], "command": typed()}
    result = assay.compare(bench.file("scores.csv", SCORES), **COLUMNS, **engines)
    return compared(files_of(result.write(bench.path("out"))))


def compare_web(bench: Bench) -> Outputs:
    return {"numbers": numbers(bench.exported(in_app(bench), "comparison.json"))}


def compare_rarely_command(bench: Bench) -> Outputs:
    scores, out = bench.file("scores.csv", SCORES), bench.path("out")
    words: list[object] = ["--system", "engine_a,engine_b", "--second-human", "human_2", "--reference", "mean"]
    words += ["--gate", "qwk>=0.1", "--gate-ci", "--weights", "words", "--min-items", 2, "--min-group", 5]
    words += ["--cuts", "3.5", "--flag", "gender=female|male", "--candidate", "candidate", "--trim-tolerance", 1]
    words += ["--rater-error-variance", 1, "--intervals", "bootstrap", "--seed", 7, "--leave-out-zeros"]
    bench.command("compare", scores, *TYPED, *words, "-o", out)
    return compared(files_of(out))


def compare_rarely_python(bench: Bench) -> Outputs:
    chosen = {name: value for name, value in RARE.items() if name not in ("system", "scale_with", "gate", "cuts")}
    engines: dict[str, Any] = {"system": ["engine_a", "engine_b"], "second_human": "human_2", "reference": "mean"}
    given = {**chosen, **engines, "gate": "qwk>=0.1", "cuts": 3.5, "command": typed()}
    result = assay.compare(bench.file("scores.csv", SCORES), **COLUMNS, **given)
    assert result.passed
    return compared(files_of(result.write(bench.path("out"))))


def referenced_command(bench: Bench) -> Outputs:
    scores, out = bench.file("scores.csv", GAPS), bench.path("out")
    words = ("--second-human", "human_2", "--system", "engine_a", "--reference", "median")
    bench.command("evaluate", scores, *TYPED, *words, "-o", out, "-j", 1)
    return evaluated(files_of(out))


def referenced_python(bench: Bench) -> Outputs:
    chosen: dict[str, Any] = {"system": "engine_a", "second_human": "human_2", "reference": "median"}
    result = assay.evaluate(bench.file("scores.csv", GAPS), **COLUMNS, **chosen, command=typed())
    assert result.exclusions.used > 120  # responses that only the second rater scored are in
    return evaluated(files_of(result.write(bench.path("out"))))


def referenced_web(bench: Bench) -> Outputs:
    made = bench.workspace("evaluation", scores={"scores.csv": GAPS})
    columns: dict[str, Any] = {"human": ["human", "human_2"], "system": ["engine_a"], "id": "id"}
    empty: dict[str, Any] = {"groups": [], "candidate": "", "length": ""}
    bench.work(made, **columns, **empty, scale="1-6", reference="median")
    first = bench.asked(made, "/results")["results"][0]["item"]["id"]
    return {"numbers": numbers(bench.exported(made, f"{first}/evaluation.json"))}


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


# ---- judge -------------------------------------------------------------------------------------------------------


@cache
def judged_before(bench: Bench) -> tuple[str, Path]:
    """The address of a judge, and the file with all its answers: it is asked by neither door any more."""
    cache_file = bench.path("answers.jsonl")
    answer = completion('{"quality": {"reason": "It is so.", "score": 4}, "stays on topic": {"label": "yes"}}')
    with canned_server([answer]) as heard:
        assay.judge(JUDGED, **JUDGE, base_url=heard.url, cache=cache_file, yes=True)
        return heard.url, cache_file


def judge_command(bench: Bench) -> Outputs:
    url, answers = judged_before(bench)
    out, items = bench.path("out"), bench.file("items.csv", pl.DataFrame(JUDGED).write_csv())
    words = ("--text", "text", "--id", "id", "--rubric", JUDGE["rubric"], "--model", "m", "--runs", 2, "--probe")
    bench.command("judge", items, *words, "--base-url", url, "--cache", answers, "-o", out, "-q")
    return files_of(out)


def judge_python(bench: Bench) -> Outputs:
    url, answers = judged_before(bench)
    items = bench.file("items.csv", pl.DataFrame(JUDGED).write_csv())
    result = assay.judge(items, **JUDGE, base_url=url, cache=answers, command=typed())
    return files_of(result.write(bench.path("out")))


# ---- panel -------------------------------------------------------------------------------------------------------

RATINGS = pl.DataFrame(
    {
        "item": [f"i{i}" for i in range(90)],
        **{
            name: [1 + (i * 7 + (i * i + place * 3) % 5 // 3) % 5 for i in range(90)]
            for place, name in enumerate(("ann", "bob", "cy", "gpt", "claude"))
        },
    }
)
PANEL: dict[str, Any] = {"humans": ["ann", "bob", "cy"], "judges": ["gpt", "claude"], "item": "item", "scale": "1-5"}


def panelled(files: dict[str, bytes]) -> Outputs:
    own = {
        slug(name[7:-4]) + ".csv": text
        for name, text in files.items()
        if name.startswith("tables/") and name.count("/") == 1
    }
    return {**files, "numbers": numbers(files["panel.json"]), "own tables": own}


def panel_command(bench: Bench) -> Outputs:
    ratings, out = bench.file("ratings.csv", RATINGS.write_csv()), bench.path("out")
    words = ("--humans", "ann,bob,cy", "--judges", "gpt,claude", "--item", "item", "--scale", "1-5")
    bench.command("panel", ratings, *words, "-q", "-o", out)
    return panelled(files_of(out))


def panel_python(bench: Bench) -> Outputs:
    result = assay.panel(bench.file("ratings.csv", RATINGS.write_csv()), **PANEL, command=typed())
    return panelled(files_of(result.write(bench.path("out"))))


def panel_web(bench: Bench) -> Outputs:
    made = bench.workspace("panels", ratings={"ratings.csv": RATINGS.write_csv().encode()})
    bench.work(made, layout="wide", **PANEL)
    content = bench.exported(made, "panel.json")
    return {"numbers": numbers(content), "own tables": tables(bench.exported(made, "tables.zip"))}


CASES = {
    "panel": Case("panel", panel_command, panel_python, panel_web),
    "evaluate": Case("evaluate", evaluate_command, evaluate_python, evaluate_web),
    "evaluate with rare options": Case("evaluate", evaluate_rarely_command, evaluate_rarely_python),
    "evaluate a pandas frame": Case("evaluate", evaluate_printed, evaluate_frame),
    "evaluate by the median of raters": Case("evaluate", referenced_command, referenced_python, referenced_web),
    "compare": Case("compare", compare_command, compare_python, compare_web),
    "compare with rare options": Case("compare", compare_rarely_command, compare_rarely_python),
    "trust": Case("trust", trust_command, trust_python, trust_web),
    "judge": Case("judge", judge_command, judge_python),
}
