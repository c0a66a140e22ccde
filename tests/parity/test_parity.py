"""One input through the command, Python and the web worker: the same numbers, advisories and exclusions."""

from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

import pytest
import typer

import assay
from assay.cli.main import app
from assay.essays.data_files import has_non_commercial
from assay.web.workspaces.stored_settings import (
    EssayRequest,
    EvaluationRequest,
    PanelRequest,
    RulesRequest,
    TrainingOptions,
    TrainingRequest,
)
from tests.parity import annotation_doors, essay_doors, evaluation_doors, rsm_doors
from tests.parity.doors import Bench

COMMAND_OF = {
    "evaluate": "evaluate",
    "compare": "compare",
    "trust": "trust",
    "judge": "judge",
    "panel": "panel",
    "rules": "annotations rules",
    "grade": "annotations score",
    "agree": "annotations agree",
    "features": "essays features",
    "train": "essays train",
    "calibrate": "essays calibrate",
    "score_essays": "essays score",
    "feedback": "essays feedback",
    "refit": "essays refit",
    "study": "essays study",
    "rsm_tool": "rsm tool",
    "rsm_eval": "rsm eval",
    "rsm_predict": "rsm predict",
    "rsm_compare": "rsm compare",
    "rsm_summarize": "rsm summarize",
    "rsm_xval": "rsm xval",
    "rsm_explain": "rsm explain",
    "rsm_generate": "rsm generate",
    "rsm_convert": "rsm convert",
}
"""Every verb is a function of the package and a command."""
OPERATORS = {
    *("demo", "examples", "serve", "doctor", "backup", "restore", "verify"),
    *(f"accounts {act}" for act in ("list", "invite", "reset", "disable", "enable")),
}
"""Commands for whoever looks after an installation, or looks at it first."""
IN_THE_APP = {"evaluate", "compare", "trust", "panel", "rules", "grade", "train", "score_essays", "feedback", "refit"}
"""The verbs that the web app offers too."""

CASES = evaluation_doors.CASES | annotation_doors.CASES | essay_doors.CASES | rsm_doors.CASES
BUNDLED = ("score_essays by the bundled model", "feedback")

SHELL = {"workers", "cluster", "profile", "timings", "as_json", "quiet", "yes", "llm", "llm_model", "llm_insecure"}
"""Options about how a command runs and talks. In Python they are an executor, an observer and a language model."""
OTHERWISE = {
    "grade": {"reword"},  # grade(language_model=...)
    "feedback": {"file", "html", "dismiss"},  # feedback(text), result.write(path), result.dismiss(numbers, path)
    "refit": {"comparison"},  # result.write(folder)
    "rsm_generate": {"interactive"},  # rsm_generate(ask=...)
}
"""Options that Python calls differently."""


APP_OPTIONS: dict[str, set[str]] = {
    "evaluate": {*EvaluationRequest.model_fields, "scores", "second_human"},
    "compare": {*EvaluationRequest.model_fields, "tables", "second_human"},
    "trust": {"reviews", "human", "second_human", "system", "id", "groups", "scale", "figure", "within"},
    "panel": {*PanelRequest.model_fields, "ratings"} - {"layout"},
    "rules": {"truth", "images", "instructions"},
    "grade": {"truth", "submissions", "images", *RulesRequest.model_fields},
    "train": {*TrainingRequest.model_fields, "essays"},
    "score_essays": {*EssayRequest.model_fields, "essays"} - {"score", "question"},
    "feedback": {"file", "model", "program", "prompt"},
    "refit": {"model", "essays", "overrides", "text", "id", "prompt", "program"},
}
"""What the app lets people choose: what they upload, the columns and settings of a workspace, the query of a page."""
FILES = {"force", "pdf", "html", "comparison", "partitions", "features"}
"""Where a command writes or keeps files, and which: the app keeps everything, and offers each file as an export."""
NOT_IN_THE_APP = {
    "evaluate": {
        "mlflow",  # a run of the app is kept by the app
        *("gate", "gate_ci"),  # how a program that runs a command learns of a failure
        "scale_with",  # takes a second table
    },
    "compare": {
        *("gate", "gate_ci"),  # how a program that runs a command learns of a failure
        "scale_with",  # takes a second table
    },
    "trust": {"keep_zeros", "most"},
    "panel": {
        *("gate", "gate_ci"),  # how a program that runs a command learns of a failure
        "rater_kind",  # the form names people and judges one by one; the guess behind it reads this column
    },
    "grade": {"reword", "roster"},  # no language model is asked by the app; its people are its accounts
    "score_essays": {
        "judge_model",
        "base_url",
        "cache",
        "insecure",
        "file",
        "on_advisory",
    },  # a table there names no files
    "train": {"file"},
    "refit": {"file"},
    "feedback": {"level", "before", "preferences", "dismiss", "on_advisory"},  # not offered yet
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("parity"))
    yield made
    made.visit.close()


@pytest.mark.parametrize("name", CASES)
def test_every_door_gives_the_same(name: str, bench: Bench) -> None:
    if name in BUNDLED and not has_non_commercial():
        pytest.skip("needs assay-essays-nc")
    case = CASES[name]
    given = {"Python": case.python(bench), "command": case.command(bench)}
    given |= {"web": case.web(bench)} if case.web else {}

    assert all(given.values())
    for output in dict.fromkeys(output for outputs in given.values() for output in outputs):
        contents = {door: outputs[output] for door, outputs in given.items() if output in outputs}
        assert len(contents) > 1, f"only {list(contents)} gives {output}"
        first, *others = contents.values()
        assert all(other == first for other in others), f"{output} differs between {list(contents)}"


def commands(group: Any, *names: str) -> Iterator[tuple[str, Any]]:
    """Every command with its words, as people type them."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


TREE = dict(commands(typer.main.get_command(app)))


def test_every_verb_has_its_doors_and_every_door_is_compared() -> None:
    verbs = {
        name for name in assay.__all__ if getattr(getattr(assay, name), "__module__", "").startswith("assay.workflows")
    }

    assert verbs == COMMAND_OF.keys()
    assert set(TREE) - OPERATORS == set(COMMAND_OF.values())
    assert {case.verb for case in CASES.values()} == verbs
    assert {case.verb for case in CASES.values() if case.web} == IN_THE_APP


@pytest.mark.parametrize("verb", COMMAND_OF)
def test_python_takes_every_option_of_the_command_under_its_name(verb: str) -> None:
    function = getattr(assay, verb)
    taken = parameters(function)
    result = signature(function).return_annotation
    kind = getattr(import_module(function.__module__), result.strip('"')) if isinstance(result, str) else result
    for method in ("write", "save", "report"):
        taken |= parameters(getattr(kind, method, None))
    options = {parameter.name for parameter in TREE[COMMAND_OF[verb]].params} - SHELL - {"out", "help"}

    assert options - taken == OTHERWISE.get(verb, set())


@pytest.mark.parametrize("verb", sorted(IN_THE_APP))
def test_the_app_offers_the_options_of_the_command_but_those_listed(verb: str) -> None:
    options = {parameter.name for parameter in TREE[COMMAND_OF[verb]].params} - SHELL - FILES - {"out", "help"}

    assert options - APP_OPTIONS[verb] == NOT_IN_THE_APP.get(verb, set())
    assert APP_OPTIONS[verb] - options == set()


def test_an_option_of_training_that_a_program_leaves_out_means_the_same_in_the_app() -> None:
    defaults = {name: parameter.default for name, parameter in signature(assay.train).parameters.items()}

    for name, value in TrainingOptions().model_dump().items():
        assert (value or None) == (defaults[name] or None), name


@pytest.mark.parametrize("verb", COMMAND_OF)
def test_an_option_left_out_means_the_same_in_python(verb: str) -> None:
    defaults = {name: parameter.default for name, parameter in signature(getattr(assay, verb)).parameters.items()}
    for parameter in TREE[COMMAND_OF[verb]].params:
        if parameter.name in defaults and parameter.name not in SHELL | {"out"} and not parameter.required:
            ours = defaults[parameter.name]
            typed = parameter.default
            assert (ours or None) == (typed or None) or str(ours) == typed, parameter.name


def parameters(function: Any) -> set[str]:
    if function is None:
        return set()
    return {name for name, one in signature(function).parameters.items() if one.kind is not Parameter.VAR_KEYWORD}
