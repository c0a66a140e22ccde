"""One input through the command, Python and the web worker: the same numbers, advisories and exclusions."""

from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

import pytest
import typer

import assay
from assay.cli.main import app
from assay.io.models.scoring_models import bundled_essay_model
from tests.parity import annotation_doors, essay_doors, evaluation_doors, rsm_doors
from tests.parity.doors import Bench

COMMAND_OF = {
    "evaluate": "evaluate",
    "compare": "compare",
    "trust": "trust",
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
}
"""Every verb is a function of the package and a command."""
IN_THE_APP = {"evaluate", "compare", "trust", "rules", "grade", "train", "score_essays", "feedback", "refit"}
"""The verbs that the web app offers too."""

CASES = evaluation_doors.CASES | annotation_doors.CASES | essay_doors.CASES | rsm_doors.CASES
BUNDLED = ("score_essays by the bundled model", "feedback")

SHELL = {"workers", "cluster", "profile", "timings", "as_json", "quiet", "yes", "llm", "llm_model", "llm_insecure"}
"""Options about how a command runs and talks. In Python they are an executor, an observer and a language model."""
OTHERWISE = {
    "grade": {"reword"},  # grade(language_model=...)
    "feedback": {"file", "html"},  # feedback(text), result.write(path)
    "refit": {"comparison"},  # result.write(folder)
}
"""Options that Python calls differently."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("parity"))
    yield made
    made.visit.close()


@pytest.mark.parametrize("name", CASES)
def test_every_door_gives_the_same(name: str, bench: Bench) -> None:
    if name in BUNDLED and bundled_essay_model() is None:
        pytest.skip("this copy comes without a score model")
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
    assert set(TREE) - {"demo", "serve"} == set(COMMAND_OF.values())
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
