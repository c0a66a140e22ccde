"""`features`, `train`, `calibrate`, `score_essays`, `feedback`, `refit` and `study` through each door."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import assay
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import KIND_FEATURES
from assay.essays.models.scoring_model import EssayScore
from assay.io.results.result_json import plain
from assay.store.items import put_result
from assay.store.leases import finish, lease, release
from assay.web.site import utc_now
from assay.workflows.essays.score_essays import EssayScores
from assay.workflows.essays.train import TrainedModel
from tests.io.canned_server import canned_server, completion
from tests.parity.doors import Bench, Case, Outputs, files_of, numbers, typed
from tests.paths import EXAMPLES

CORPUS = pl.read_csv(EXAMPLES / "essays.csv")
SHORT = CORPUS.filter(CORPUS["text"].str.len_chars() > 300).sort(pl.col("text").str.len_chars(), "id")
SCORED = SHORT.group_by("program", maintain_order=True).head(24)
"""Essays that a model is trained on: the shortest, as reading essays takes most of the time here."""
NEW = CORPUS.tail(6)
"""Essays that are scored; they are of both programs."""
PHONES = (EXAMPLES / "essays" / "phones.txt").read_text(encoding="utf-8")
QUESTION = "Should students be allowed to use their mobile phones at school? Give reasons and examples."
ONE_BY_ONE = ("-j", 1, "-q")
NAMED = ("--text", "text", "--id", "id")
COLUMNS: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "score": "score"}


def table(frame: pl.DataFrame) -> bytes:
    return frame.write_csv().encode()


def essays_in(bench: Bench, frame: pl.DataFrame) -> Path:
    return bench.file("essays.csv", table(frame))


# ---- features ----------------------------------------------------------------------------------------------------


def features_command(bench: Bench) -> Outputs:
    out, essays = bench.path("features.csv"), essays_in(bench, SCORED.head(12))
    bench.command(
        "essays", "features", essays, *NAMED, "--prompt", "prompt", "--score", "score", "-o", out, *ONE_BY_ONE
    )
    return files_of(out.parent)


def features_python(bench: Bench) -> Outputs:
    out = bench.path("features.csv")
    assay.features(SCORED.head(12), text="text", id="id", prompt="prompt", score="score").write(out)
    return files_of(out.parent)


# ---- train -------------------------------------------------------------------------------------------------------


@cache
def trained(bench: Bench) -> Path:
    """The folder with a model, and with the features that were measured for it."""
    out = bench.path("model.json")
    words = ("--prompt", "prompt", "--score", "rating_1", "--second-score", "rating_2", "--scale", "1-6")
    kept = ("--model", "generic10", "--features", out.with_name("features.csv"), "-o", out)
    bench.command("essays", "train", essays_in(bench, SCORED), *NAMED, *words, *kept, *ONE_BY_ONE)
    return out.parent


def train_command(bench: Bench) -> Outputs:
    return {"model.json": (trained(bench) / "model.json").read_bytes()}


def train_python(bench: Bench) -> Outputs:
    scores: dict[str, Any] = {"score": "rating_1", "second_score": "rating_2", "scale": "1-6", "kind": "generic10"}
    result = assay.train(SCORED.to_pandas(), text="text", id="id", prompt="prompt", **scores)
    return {"model.json": result.save(bench.path("model.json")).read_bytes()}


def train_web(bench: Bench) -> Outputs:
    """By the form of the page."""
    made = bench.workspace("essays", training={"essays.csv": table(SCORED)})
    chosen: dict[str, Any] = {**COLUMNS, "score": "rating_1", "second_score": "rating_2"}
    bench.visit.send(f"/essays/{made}/training", kind="generic10", scale="1-6", **chosen)
    bench.visit.work()
    return {"model.json": bench.model_made(made, "training")["model.json"]}


def train_api(bench: Bench, **settings: Any) -> Outputs:
    """By a program, with what `assay.train` takes."""
    made = bench.workspace("essays", training={"essays.csv": table(SCORED)})
    bench.work(made, task="train", **settings)
    model = bench.api.get(f"/api/v1/workspaces/{made}/models/training")
    assert model.content == bench.model_made(made, "training")["model.json"]
    return {"model.json": model.content}


# ---- a model that tells programs apart: once it erased every score in the app --------------------------------------


FIXED = {"grammar": 0.1, "usage": 0.1, "mechanics": 0.1, "style": 0, "development": 0.1}
"""Shares of weights, so that few essays do."""


@cache
def by_program(bench: Bench) -> Path:
    """A model with an equation for each of two programs."""
    out, essays = bench.path("model.json"), essays_in(bench, SCORED)
    words: list[object] = ["--prompt", "prompt", "--score", "score", "--program", "program", "--model", "generic10"]
    words += [word for name, share in FIXED.items() for word in ("--fix", f"{name}={share}")]
    measured = ("--features", trained(bench) / "features.csv")
    bench.command("essays", "train", essays, *NAMED, *words, *measured, "-o", out, *ONE_BY_ONE)
    return out


def trained_by_program(bench: Bench) -> TrainedModel:
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "score": "score", "program": "program"}
    return assay.train(SCORED, **columns, kind="generic10", fix=FIXED, features=trained(bench) / "features.csv")


def train_by_program_command(bench: Bench) -> Outputs:
    return {"model.json": by_program(bench).read_bytes()}


def train_by_program_python(bench: Bench) -> Outputs:
    return {"model.json": trained_by_program(bench).save(bench.path("model.json")).read_bytes()}


def train_by_program_web(bench: Bench) -> Outputs:
    return train_api(bench, **COLUMNS, program="program", kind="generic10", fix=FIXED)


CHOSEN: dict[str, Any] = {"kind": "generic10", "fix": FIXED, "cutoffs": "distribution", "length_weight": None}
"""Options that the form calls more options; with few weights to estimate, a few dozen essays are enough."""


def train_chosen_command(bench: Bench) -> Outputs:
    out = bench.path("model.json")
    words: list[object] = [word for name, column in COLUMNS.items() for word in (f"--{name}", column)]
    words += ["--model", "generic10", "--cutoffs", "distribution", "--length-weight", "free"]
    words += [word for name, share in FIXED.items() for word in ("--fix", f"{name}={share}")]
    words += ["--features", trained(bench) / "features.csv", "-o", out]
    bench.command("essays", "train", essays_in(bench, SCORED), *words, *ONE_BY_ONE)
    return {"model.json": out.read_bytes()}


def train_chosen_python(bench: Bench) -> Outputs:
    result = assay.train(SCORED, **COLUMNS, **CHOSEN, features=trained(bench) / "features.csv")
    return {"model.json": result.save(bench.path("model.json")).read_bytes()}


def train_chosen_web(bench: Bench) -> Outputs:
    """By the form of the page, whose fields stand in the order of the features."""
    made = bench.workspace("essays", training={"essays.csv": table(SCORED)})
    shares = [str(FIXED.get(name, "")) for name in FEATURES if name != "length"]
    chosen: dict[str, Any] = {"kind": "generic10", "fix": shares, "cutoffs": "distribution", "length_free": "yes"}
    bench.visit.send(f"/essays/{made}/training", **COLUMNS, **chosen)
    bench.visit.work()
    return {"model.json": bench.model_made(made, "training")["model.json"]}


# ---- curves need many essays, which count as measured: reading them would take long, and is compared above ---------

MANY = pl.DataFrame({"id": [f"M{n}" for n in range(200)], "text": ["A text."] * 200, "score": [1, 2, 3, 4] * 50})
INVENTED = {
    name: MANY["score"] + (MANY["id"].hash(place) % 997) / 499 if name in KIND_FEATURES["generic10"] else [None] * 200
    for place, name in enumerate(FEATURES)
}


def curved_features(bench: Bench) -> Path:
    return bench.file("invented.csv", table(pl.DataFrame({"id": MANY["id"], **INVENTED})))


def train_curved_command(bench: Bench) -> Outputs:
    out, words = bench.path("model.json"), ("--score", "score", "--model", "generic10", "--curves")
    measured = ("--features", curved_features(bench), "-o", out)
    bench.command("essays", "train", essays_in(bench, MANY), *NAMED, *words, *measured, *ONE_BY_ONE)
    return {"model.json": out.read_bytes()}


def train_curved_python(bench: Bench) -> Outputs:
    chosen: dict[str, Any] = {"kind": "generic10", "curves": True, "features": curved_features(bench)}
    result = assay.train(MANY, text="text", id="id", score="score", **chosen)
    return {"model.json": result.save(bench.path("model.json")).read_bytes()}


def train_curved_web(bench: Bench) -> Outputs:
    made = bench.workspace("essays", training={"essays.csv": table(MANY)})
    settings = {"text": "text", "id": "id", "score": "score", "kind": "generic10", "curves": True}
    bench.api.post(f"/api/v1/workspaces/{made}/jobs", json={"task": "train", "settings": settings})
    nothing: dict[str, Any] = {"score": None, "files": {}, "now": utc_now()}
    with bench.visit.site.database.writing() as connection:
        for piece in lease(connection, "parity", now=utc_now(), most=len(MANY)):
            if piece.task["is"] == "measure":
                rows = pl.DataFrame(INVENTED)[piece.task["first"] : piece.task["stop"]].to_dicts()
                put_result(connection, piece.item_id or 0, piece.engine, payload={"values": rows}, **nothing)
                finish(connection, piece, now=utc_now())
        release(connection, "parity")
    bench.visit.work()
    return {"model.json": bench.model_made(made, "training")["model.json"]}


# ---- score_essays --------------------------------------------------------------------------------------------------

TOLD = (
    *("prompt", "raw", "score", "low", "high", "percentile", "average", "features", "shares"),
    *("consequence", "withheld_raw", "withheld_score", "left_out"),
)


def scored(result: EssayScores, bench: Bench) -> Outputs:
    """The files of the command, and what the app says of each essay."""
    return {**files_of(result.write(bench.path("out"))), "told": [told(score) for score in result]}


def told(score: EssayScore) -> Any:
    doubts = [asdict(doubt) for doubt in score.advisories]
    return plain({"id": score.essay_id, **{name: getattr(score, name) for name in TOLD}, "advisories": doubts})


def told_in_app(results: Iterable[Any]) -> Outputs:
    names = (*TOLD, "advisories")
    return {"told": [{"id": r["item"]["name"], **{name: r["payload"][name] for name in names}} for r in results]}


def bundled_command(bench: Bench) -> Outputs:
    out, texts = bench.path("out"), bench.file("1.txt", PHONES).parent
    bench.command("essays", "score", texts, "-o", out, *ONE_BY_ONE)
    return without_report(files_of(out))


def without_report(outputs: Outputs) -> Outputs:
    """A report names its input, and a text in memory has no name."""
    return {name: content for name, content in outputs.items() if name != "report.html"}


def bundled_python(bench: Bench) -> Outputs:
    return without_report(scored(assay.score_essays([PHONES]), bench))


def bundled_web(bench: Bench) -> Outputs:
    made = bench.workspace("essays", essays={"1.txt": PHONES.encode()})
    bench.work(made)
    return told_in_app(bench.asked(made, "/results")["results"])


def program_command(bench: Bench) -> Outputs:
    out, essays = bench.path("out"), essays_in(bench, NEW)
    words = ("--prompt", "prompt", "--program", "program", "--model", by_program(bench), "-o", out)
    bench.command("essays", "score", essays, *NAMED, *words, *ONE_BY_ONE)
    return files_of(out)


def program_python(bench: Bench) -> Outputs:
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "program": "program"}
    result = assay.score_essays(essays_in(bench, NEW), trained_by_program(bench), **columns, command=typed())
    assert len({score.score for score in result}) > 1
    return scored(result, bench)


def program_web(bench: Bench) -> Outputs:
    files = {"essays": {"essays.csv": table(NEW)}, "model": {"grades.json": by_program(bench).read_bytes()}}
    made = bench.workspace("essays", **files)
    bench.work(made, text="text", id="id", prompt="prompt", program="program")
    return told_in_app(bench.asked(made, "/results")["results"])


# ---- feedback ------------------------------------------------------------------------------------------------------


def feedback_command(bench: Bench) -> Outputs:
    essay, question = bench.file("1.txt", PHONES), bench.file("question.txt", QUESTION)
    return {"said": numbers(bench.command("essays", "feedback", essay, "--prompt", question, "--json"))}


def feedback_python(bench: Bench) -> Outputs:
    del bench
    return {"said": numbers(json.dumps(assay.feedback(PHONES, prompt=QUESTION).to_dict()))}


def feedback_web(bench: Bench) -> Outputs:
    made = bench.workspace("essays", essays={"1.txt": PHONES.encode()})
    bench.work(made, question=QUESTION)
    own = ("name", "system_score", "final_score", "decisions", "model")
    said = {name: value for name, value in numbers(bench.exported(made, "essay.json")).items() if name not in own}
    return {"said": {**said, "schema": feedback_python(bench)["said"]["schema"]}}


# ---- refit ---------------------------------------------------------------------------------------------------------

REVIEWED = SCORED.sample(14, seed=1)


def refit_command(bench: Bench) -> Outputs:
    out, old, essays = bench.path("model.json"), trained(bench), essays_in(bench, REVIEWED)
    words = ("--overrides", "score", "--comparison", out.with_name("comparison"), "-o", out)
    bench.command("essays", "refit", old / "model.json", essays, *NAMED, *words, *ONE_BY_ONE)
    return refitted(files_of(out.parent))


def refit_python(bench: Bench) -> Outputs:
    out, old = bench.path("model.json"), trained(bench) / "model.json"
    result = assay.refit(old, REVIEWED, overrides="score", text="text", id="id", command=typed())
    result.write(out.with_name("comparison"))
    result.save(out)
    return refitted(files_of(out.parent))


def refitted(files: dict[str, bytes]) -> Outputs:
    return {**files, "differences": differences(files["comparison/comparison.json"])}


def refit_web(bench: Bench) -> Outputs:
    old = (trained(bench) / "model.json").read_bytes()
    made = bench.workspace("essays", essays={"essays.csv": table(REVIEWED)}, model={"model.json": old})
    bench.work(made, text="text", id="id", prompt="", score="score")
    bench.visit.send(f"/essays/{made}/reviews")
    bench.visit.send(f"/essays/{made}/model/refit")
    bench.visit.work()
    results = bench.model_made(made, "refit")
    return {"model.json": results["model.json"], "differences": differences(results["comparison.json"])}


def differences(content: bytes) -> Any:
    """The comparison, whatever a door calls the new and the old model."""
    return numbers(content.replace(b'"new model"', b'"after"').replace(b'"model now"', b'"before"'))


# ---- calibrate -----------------------------------------------------------------------------------------------------


def calibrate_command(bench: Bench) -> Outputs:
    out, essays = bench.path("model.json"), essays_in(bench, REVIEWED)
    words = ("--score", "score", "--scale", "1-6", "-o", out)
    bench.command("essays", "calibrate", trained(bench) / "model.json", essays, *NAMED, *words, *ONE_BY_ONE)
    return files_of(out.parent)


def calibrate_python(bench: Bench) -> Outputs:
    out, old = bench.path("model.json"), trained(bench) / "model.json"
    assay.calibrate(old, REVIEWED, text="text", id="id", score="score", scale="1-6").save(out)
    return files_of(out.parent)


# ---- study ---------------------------------------------------------------------------------------------------------

STUDIED: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "score": "rating_1", "program": "program"}


@cache
def studied(bench: Bench) -> Path:
    """Invented features, so that no essay need be read."""
    path, frame = bench.path("invented.csv"), corpus()
    length = frame["text"].str.len_chars().cast(pl.Float64)
    names = {name: length * (place + 1) % (7 + place) for place, name in enumerate(FEATURES)}
    pl.DataFrame({"id": frame["id"], **names, "length": length}).write_csv(path)
    return path


def corpus() -> pl.DataFrame:
    return CORPUS.filter(pl.col("prompt") == "cars")


def study_command(bench: Bench) -> Outputs:
    out, words = bench.path("out"), [word for name, value in STUDIED.items() for word in (f"--{name}", value)]
    words += ["--second-score", "rating_2", "--features", studied(bench), "--seed", 3, "-o", out]
    bench.command("essays", "study", essays_in(bench, corpus()), *words, *ONE_BY_ONE)
    return files_of(out)


def study_python(bench: Bench) -> Outputs:
    further: dict[str, Any] = {"second_score": "rating_2", "features": studied(bench), "seed": 3, "command": typed()}
    result = assay.study(essays_in(bench, corpus()), **STUDIED, **further)
    return files_of(result.write(bench.path("out")))


# ---- score_essays by a judge ---------------------------------------------------------------------------------------

JUDGE = f"judge:{EXAMPLES / 'rubric.toml'}"
ANSWER = '{"quality": {"reason": "It is so.", "score": 4}, "stays on topic": {"label": "yes"}}'


def judged_command(bench: Bench) -> Outputs:
    out = bench.path("scores")
    with canned_server([completion(ANSWER)]) as heard:
        words = ("--model", JUDGE, "--judge-model", "m", "--base-url", heard.url, "--yes", "-o", out)
        bench.command("essays", "score", essays_in(bench, NEW), *NAMED, *words, *ONE_BY_ONE)
    return {"scores.csv": (out / "scores.csv").read_bytes()}


def judged_python(bench: Bench) -> Outputs:
    out = bench.path("scores")
    with canned_server([completion(ANSWER)]) as heard:
        judge: dict[str, Any] = {"judge_model": "m", "base_url": heard.url, "yes": True}
        assay.score_essays(NEW, JUDGE, text="text", id="id", out=out, **judge)
    return {"scores.csv": (out / "scores.csv").read_bytes()}


CASES = {
    "features": Case("features", features_command, features_python),
    "train": Case("train", train_command, train_python, train_web),
    "train by program": Case("train", train_by_program_command, train_by_program_python, train_by_program_web),
    "train with options": Case("train", train_chosen_command, train_chosen_python, train_chosen_web),
    "train with curves": Case("train", train_curved_command, train_curved_python, train_curved_web),
    "calibrate": Case("calibrate", calibrate_command, calibrate_python),
    "score_essays by the bundled model": Case("score_essays", bundled_command, bundled_python, bundled_web),
    "score_essays by program": Case("score_essays", program_command, program_python, program_web),
    "feedback": Case("feedback", feedback_command, feedback_python, feedback_web),
    "refit": Case("refit", refit_command, refit_python, refit_web),
    "study": Case("study", study_command, study_python),
    "score_essays by a judge": Case("score_essays", judged_command, judged_python),
}
