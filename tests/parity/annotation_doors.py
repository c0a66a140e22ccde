"""`rules`, `grade` and `agree` through each door."""

import json
from functools import cache

import assay
from tests.parity.doors import Bench, Case, Outputs, files_of, numbers, typed
from tests.paths import EXAMPLES

FOLDER = EXAMPLES / "annotations"
TRUTH = FOLDER / "truth.xml"
SUBMISSIONS = sorted((FOLDER / "submissions").iterdir())
"""Seven students; one handed in a broken file."""
THREE = SUBMISSIONS[:3]
CHANGE = "IoU at least 0.7, ignore hidden"


# ---- rules -------------------------------------------------------------------------------------------------------


def rules_command(bench: Bench) -> Outputs:
    return {"toml": bench.command("annotations", "rules", TRUTH, "-o", "-")}


def rules_python(bench: Bench) -> Outputs:
    del bench
    return {"toml": assay.rules(TRUTH).toml()}


def rules_web(bench: Bench) -> Outputs:
    made = bench.workspace("annotations", truth={"truth.xml": TRUTH.read_bytes()})
    return {"toml": bench.asked(made)["settings"]["rules"]}


def changed_rules_command(bench: Bench) -> Outputs:
    return {"toml": bench.command("annotations", "rules", TRUTH, "-o", "-", "--instructions", CHANGE, "--yes")}


def changed_rules_python(bench: Bench) -> Outputs:
    del bench
    return {"toml": assay.rules(TRUTH, instructions=CHANGE).toml()}


# ---- grade -------------------------------------------------------------------------------------------------------


def graded(files: dict[str, bytes]) -> Outputs:
    return {**files, "numbers": numbers(files["results.json"])}


def grade_command(bench: Bench) -> Outputs:
    out = bench.path("out")
    bench.command("annotations", "score", *SUBMISSIONS, "--truth", TRUTH, "--out", out, "-q")
    return graded(files_of(out))


def grade_python(bench: Bench) -> Outputs:
    result = assay.grade(TRUTH, SUBMISSIONS, command=typed())
    return graded(files_of(result.write(bench.path("out"))))


def grade_web(bench: Bench) -> Outputs:
    handed_in = {path.name: path.read_bytes() for path in SUBMISSIONS}
    made = bench.workspace("annotations", truth={"truth.xml": TRUTH.read_bytes()}, submissions=handed_in)
    bench.work(made)
    return {"numbers": numbers(bench.exported(made, "all/everything.json"))}


@cache
def strict(bench: Bench) -> str:
    return bench.command("annotations", "rules", TRUTH, "-o", "-", "--profile", "strict-1.0")


def grade_strictly_command(bench: Bench) -> Outputs:
    out = bench.path("out")
    words = ("--rules", bench.file("rules.toml", strict(bench)), "--images", FOLDER / "images", "--out", out)
    bench.command("annotations", "score", *THREE, "--truth", TRUTH, *words, "-q")
    return {"numbers": numbers((out / "results.json").read_bytes()), "report": files_of(out)["report.html"]}


def grade_strictly_python(bench: Bench) -> Outputs:
    rules = bench.file("rules.toml", strict(bench))
    result = assay.grade(TRUTH, THREE, rules=rules, images=FOLDER / "images", command=typed())
    files = files_of(result.write(bench.path("out")))
    return {"numbers": numbers(files["results.json"]), "report": files["report.html"]}


def grade_strictly_web(bench: Bench) -> Outputs:
    handed_in = {path.name: path.read_bytes() for path in THREE}
    photos = {path.name: path.read_bytes() for path in sorted((FOLDER / "images").iterdir())}
    truth = {"truth.xml": TRUTH.read_bytes()}
    made = bench.workspace("annotations", truth=truth, submissions=handed_in, images=photos)
    bench.work(made, rules=strict(bench))
    return {"numbers": numbers(bench.exported(made, "all/everything.json"))}


# ---- agree -------------------------------------------------------------------------------------------------------


def agree_command(bench: Bench) -> Outputs:
    out, consensus = bench.path("out"), bench.path("consensus.json")
    words = ("--consensus", consensus, "--quorum", 0.6, "--out", out, "-q")
    bench.command("annotations", "agree", *THREE, *words)
    return {**files_of(out), "consensus": json.loads(consensus.read_bytes())}


def agree_python(bench: Bench) -> Outputs:
    out, consensus = bench.path("out"), bench.path("consensus.json")
    assay.agree(THREE, quorum=0.6, command=typed()).write(out, consensus=consensus)
    return {**files_of(out), "consensus": json.loads(consensus.read_bytes())}


CASES = {
    "rules": Case("rules", rules_command, rules_python, rules_web),
    "rules changed in words": Case("rules", changed_rules_command, changed_rules_python),
    "grade": Case("grade", grade_command, grade_python, grade_web),
    "grade by strict rules": Case("grade", grade_strictly_command, grade_strictly_python, grade_strictly_web),
    "agree": Case("agree", agree_command, agree_python),
}
