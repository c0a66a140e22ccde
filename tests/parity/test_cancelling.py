"""Whoever stops a verb, through whichever door, finds what was there before: nothing half-written."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.cli.observer import TerminalObserver
from assay.errors import Cancelled
from assay.execution.observer import SILENT, Observer
from assay.web.worker.observer import JobObserver
from tests.io.models.test_restricted_pickle import PICKLED
from tests.parity import essay_doors as essays
from tests.parity import rsm_doors as rsm
from tests.parity.annotation_doors import CHANGE, SUBMISSIONS, THREE, TRUTH
from tests.parity.doors import Bench, files_of
from tests.parity.evaluation_doors import JUDGE, PANEL, RATINGS, SCORES, judged_before
from tests.parity.evaluation_doors import JUDGED as JUDGED_ITEMS
from tests.parity.test_parity import COMMAND_OF
from tests.paths import EXAMPLES

TEXTS = [f"Dogs wait for us on day {number}." for number in range(33)]
"""More than are measured at once; of the first seventeen, more than are scored at once."""
SCORED = [(text, 1 + number % 6) for number, text in enumerate(TEXTS[:12])]
MODEL, TABLE = EXAMPLES / "essay_model.json", EXAMPLES / "scores.csv"
Verb = Callable[[Bench, Path, Observer], object]


class Stopping(Observer):
    """Counts the checks, and stops the work at the given one."""

    def __init__(self, at: int | None = None) -> None:
        self.at, self.checks = at, 0

    def check(self) -> None:
        self.checks += 1
        if self.checks == self.at:
            raise Cancelled("enough")


# ---- every verb in Python: what it is given, where its result goes, who may stop it ---------------------------------


def engines(out: Path, observer: Observer) -> None:
    assay.compare(TABLE, human="human", system=["engine_a", "engine_b"], observer=observer).write(out)


def grade(out: Path, observer: Observer) -> None:
    assay.grade(TRUTH, SUBMISSIONS, scratch=out.parent, observer=observer).write(out, observer=observer)


def judge(bench: Bench, out: Path, observer: Observer) -> None:
    url, answers = judged_before(bench)
    items = bench.file("items.csv", pl.DataFrame(JUDGED_ITEMS).write_csv())
    assay.judge(items, **JUDGE, base_url=url, cache=answers, observer=observer).write(out)


def generate(out: Path, observer: Observer) -> None:
    assay.rsm_generate("tool", observer=observer).write(out.with_suffix(".json"), force=True)


def convert(out: Path, observer: Observer) -> None:
    pickled, written = PICKLED / "line.model", out.with_suffix(".model.json")
    assay.rsm_convert(pickled, trust_pickle=True, observer=observer).write(written, force=True)


def train(bench: Bench, out: Path, observer: Observer) -> None:
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "score": "score", "kind": "generic10"}
    result = assay.train(essays.corpus(), **columns, features=essays.studied(bench), observer=observer)
    result.save(out.with_suffix(".json"))


def calibrate(bench: Bench, out: Path, observer: Observer) -> None:
    frame = pl.DataFrame(SCORED, schema=["text", "score"], orient="row")
    result = assay.calibrate(old(bench), frame, text="text", score="score", scale="1-6", observer=observer)
    result.save(out.with_suffix(".json"))


def refit(bench: Bench, out: Path, observer: Observer) -> None:
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "overrides": "score"}
    result = assay.refit(old(bench), essays.corpus(), **columns, features=essays.studied(bench), observer=observer)
    result.save(result.write(out) / "model.json")


def study(bench: Bench, out: Path, observer: Observer) -> None:
    frame, features = essays.corpus(), essays.studied(bench)
    assay.study(frame, **essays.STUDIED, features=features, out=out, observer=observer)


@cache
def old(bench: Bench) -> Path:
    """A model from invented features, so that no essay need be read."""
    out = bench.path("model")
    train(bench, out, SILENT)
    return out.with_suffix(".json")


CONFIGURATION: dict[str, Callable[[Bench], Path]] = {
    "rsm_tool": rsm.trained,
    "rsm_eval": rsm.evaluated,
    "rsm_predict": rsm.predicted,
    "rsm_compare": rsm.compared,
    "rsm_summarize": rsm.summarized,
    "rsm_xval": rsm.cross_validated,
    "rsm_explain": rsm.explained,
}


def experiment(name: str) -> Verb:
    workflow: Any = getattr(assay, name)
    ending = ".csv" if name == "rsm_predict" else ""

    def run(bench: Bench, out: Path, observer: Observer) -> None:
        workflow(CONFIGURATION[name](bench), out.with_suffix(ending), force=True, observer=observer)

    return run


JUDGED: dict[str, Any] = {"human": "human", "system": "engine_a", "id": "id"}
PYTHON: dict[str, Verb] = {
    "evaluate": lambda _, out, observer: assay.evaluate(TABLE, **JUDGED, observer=observer).write(out),
    "compare": lambda _, out, observer: engines(out, observer),
    "trust": lambda _, out, observer: assay.trust(TABLE, **JUDGED, observer=observer).write(out),
    "rules": lambda _, out, observer: assay.rules(TRUTH, instructions=CHANGE, observer=observer).write(out),
    "grade": lambda _, out, observer: grade(out, observer),
    "agree": lambda _, out, observer: assay.agree(THREE, observer=observer).write(out, consensus=out / "c.json"),
    "features": lambda _, out, observer: assay.features(TEXTS, out=out.with_suffix(".csv"), observer=observer),
    "train": train,
    "calibrate": calibrate,
    "score_essays": lambda _, out, observer: assay.score_essays(TEXTS[:17], MODEL, out=out, observer=observer),
    "feedback": lambda _, out, observer: assay.feedback(essays.PHONES, model=MODEL, observer=observer).write(out),
    "refit": refit,
    "study": study,
    "judge": judge,
    "panel": lambda _, out, observer: assay.panel(RATINGS, **PANEL, observer=observer).write(out),
    "rsm_generate": lambda _, out, observer: generate(out, observer),
    "rsm_convert": lambda _, out, observer: convert(out, observer),
    **{name: experiment(name) for name in CONFIGURATION},
}


@cache
def finished(verb: str, bench: Bench) -> tuple[Path, int]:
    """Where the result of a verb is that nobody stopped, and how often it asked whether it should go on."""
    observer, out = Stopping(), bench.path("out")
    PYTHON[verb](bench, out, observer)
    return out, observer.checks


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Inputs of all verbs."""
    shared = Bench(tmp_path_factory.mktemp("bench"))
    yield shared
    shared.visit.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where results go."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.parametrize("verb", COMMAND_OF)
def test_every_verb_takes_an_observer_and_those_who_work_by_the_same_names(verb: str) -> None:
    taken = signature(getattr(assay, verb)).parameters
    shells = {name: taken[name] for name in ("command", "executor", "observer") if name in taken}

    assert taken["observer"].default is SILENT
    assert all(parameter.kind is Parameter.KEYWORD_ONLY for parameter in shells.values())
    assert "executor" not in taken or taken["executor"].default is None


@pytest.mark.parametrize("verb", COMMAND_OF)
def test_python_that_is_stopped_leaves_nothing(verb: str, bench: Bench, home: Path) -> None:
    with pytest.raises(Cancelled):
        PYTHON[verb](bench, home / "out", Stopping(1))

    assert list(home.iterdir()) == []


@pytest.mark.parametrize("verb", COMMAND_OF)
def test_python_that_is_stopped_at_the_last_moment_leaves_what_was_there(verb: str, bench: Bench) -> None:
    out, checks = finished(verb, bench)
    before = files_of(out.parent)

    with pytest.raises(Cancelled):
        PYTHON[verb](bench, out, Stopping(checks))

    assert before
    assert files_of(out.parent) == before


PANEL_WORDS = ("--humans", "ann,bob,cy", "--judges", "gpt,claude", "--item", "item", "--scale", "1-5")


def judge_words(bench: Bench, out: Path) -> tuple[object, ...]:
    url, answers = judged_before(bench)
    items = bench.file("items.csv", pl.DataFrame(JUDGED_ITEMS).write_csv())
    asked = ("--text", "text", "--id", "id", "--rubric", JUDGE["rubric"], "--model", "m", "--runs", 2, "--probe")
    return (items, *asked, "--base-url", url, "--cache", answers, "-o", out)


def typed(verb: str, bench: Bench, out: Path) -> tuple[object, ...]:
    """The words of a command that does the same."""
    few, many = (bench.file("essays.csv", "\n".join(["text", *TEXTS[:count]])) for count in (17, 33))
    scored = bench.file("scored.csv", "\n".join(["text,score", *(f"{text},{score}" for text, score in SCORED)]))
    essay, corpus = bench.file("phones.txt", essays.PHONES), essays.essays_in(bench, essays.corpus())
    judged = ("--human", "human", "--system")
    written = ("--text", "text", "--id", "id", "--prompt", "prompt", "--features", essays.studied(bench), "-j", 1)
    words: dict[str, tuple[object, ...]] = {
        "evaluate": (TABLE, *judged, "engine_a", "-j", 1, "-o", out),
        "compare": (TABLE, *judged, "engine_a,engine_b", "-o", out),
        "trust": (TABLE, *judged, "engine_a", "-o", out),
        "judge": judge_words(bench, out),
        "panel": (bench.file("ratings.csv", RATINGS.write_csv()), *PANEL_WORDS, "-o", out),
        "rsm_generate": ("tool", "-o", out.with_suffix(".json")),
        "rsm_convert": (PICKLED / "line.model", "--trust-pickle", "-o", out.with_suffix(".model.json")),
        "rules": (TRUTH, "--instructions", CHANGE, "--yes", "-o", out),
        "grade": (*SUBMISSIONS, "--truth", TRUTH, "-j", 1, "--out", out),
        "agree": (*THREE, "--consensus", out.with_name("c.json"), "-j", 1, "--out", out),
        "features": (many, "--text", "text", "-j", 1, "-o", out.with_suffix(".csv")),
        "train": (corpus, *written, "--score", "score", "--model", "generic10", "-o", out),
        "calibrate": (old(bench), scored, "--text", "text", "--score", "score", "--scale", "1-6", "-j", 1, "-o", out),
        "score_essays": (few, "--text", "text", "--model", MODEL, "-j", 1, "-o", out),
        "feedback": (essay, "--model", MODEL, "--html", out),
        "refit": (old(bench), corpus, *written, "--overrides", "score", "-o", out),
        "study": (corpus, *written, "--score", "rating_1", "--program", "program", "-o", out),
    }
    experiments = (CONFIGURATION[verb](bench), out) if verb in CONFIGURATION else ()
    return (*COMMAND_OF[verb].split(), *words.get(verb, experiments), "-q")


@pytest.mark.parametrize("verb", COMMAND_OF)
def test_a_command_that_is_stopped_leaves_nothing(
    verb: str, home: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping, words = Stopping(finished(verb, bench)[1]), typed(verb, bench, home / "out")
    monkeypatch.setattr(TerminalObserver, "check", lambda _self: stopping.check())

    with pytest.raises(Cancelled):
        bench.command(*words)

    assert list(home.iterdir()) == []


HANDED_IN: dict[str, Mapping[str, Mapping[str, bytes]]] = {
    "evaluation": {"scores": {"scores.csv": SCORES}},
    "annotations": {"truth": {"truth.xml": TRUTH.read_bytes()}, "submissions": {"ada.xml": THREE[0].read_bytes()}},
    "essays": {"essays": {"1.txt": essays.PHONES.encode()}, "model": {"model.json": MODEL.read_bytes()}},
}
CHOSEN: dict[str, dict[str, Any]] = {
    "evaluation": {"human": ["human"], "system": ["engine_a"], "id": "id", "scale": "1-6"}
}


@pytest.mark.parametrize("kind", HANDED_IN)
def test_a_job_of_the_app_that_is_stopped_keeps_no_result(
    kind: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = bench.workspace(kind, **HANDED_IN[kind])
    stopping = Stopping(1)
    monkeypatch.setattr(JobObserver, "check", lambda _self: stopping.check())

    bench.work(workspace, **CHOSEN.get(kind, {}))

    (job,) = bench.asked(workspace, "/jobs")["jobs"]
    (result,) = bench.asked(workspace, "/results")["results"]
    assert (job["state"], job["done"], job["failed"], result["score"]) == ("cancelled", 0, 0, None)
    assert bench.asked(workspace, "/exports")["exports"] == []
