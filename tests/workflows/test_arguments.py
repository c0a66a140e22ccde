"""Arguments of a wrong type are refused by name, before any work, whatever the verb."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.execution.observer import Observer
from assay.workflows.arguments import check_arguments, fits, words_of

VERBS = [name for name in assay.__all__ if "assay.workflows." in str(getattr(getattr(assay, name), "__module__", ""))]
NEEDED: Mapping[str, Any] = {
    **dict.fromkeys(("scores", "tables", "reviews", "ratings", "items", "essays"), "no-such-file"),
    **dict.fromkeys(("human", "system", "score", "overrides", "text", "prompt", "tool"), "a"),
    **dict.fromkeys(("truth", "submissions", "files", "config", "model", "rubric"), "no-such-file"),
}


def checkable() -> Iterator[tuple[str, str]]:
    """Every argument of every verb whose type rules out a plain object."""
    for verb in VERBS:
        for name, parameter in inspect.signature(getattr(assay, verb)).parameters.items():
            if not isinstance(parameter.annotation, str) and not fits(object(), parameter.annotation):
                yield verb, name


def test_every_verb_checks_its_arguments() -> None:
    assert len(VERBS) >= 24
    assert {"evaluate", "grade", "score_essays", "panel", "rsm_tool"} <= set(VERBS)


@pytest.mark.parametrize(("verb", "name"), tuple(checkable()))
def test_an_argument_of_a_wrong_type_is_named(verb: str, name: str) -> None:
    function = getattr(assay, verb)
    given = {
        other: NEEDED[other]
        for other, parameter in inspect.signature(function).parameters.items()
        if parameter.default is inspect.Parameter.empty
    }
    with pytest.raises(InputError) as refused:
        function(**{**given, name: object()})
    assert refused.value.field == name
    assert str(refused.value).startswith(f"{name} is <object object")
    assert str(refused.value.remedy).startswith("Pass ")


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        (None, str | None, True),
        (3, str | None, False),
        (np.int64(3), int, True),
        (2.5, int, False),
        (np.float32(2), float, True),
        ("2", float, False),
        (np.True_, bool, True),
        (1, bool, False),
        (Path("a"), PathLike[str], True),
        ("a", PathLike[str], False),
        (("a", "b"), Sequence[str], True),
        (np.array(["a"]), Sequence[str], True),
        ("ab", Sequence[str], False),
        (b"ab", Sequence[str], False),
        (["a", 3], Sequence[str], False),
        ({"a": ["b"]}, Mapping[str, Sequence[str]], True),
        ({"a": 3}, Mapping[str, Sequence[str]], False),
        ({3: ["b"]}, Mapping[str, Sequence[str]], False),
        ("x", Literal["x", "y"], True),
        ("z", Literal["x", "y"], False),
        (Observer(), Observer, True),
        (3, Observer, False),
        (3, Any, True),
    ],
)
def test_values_fit_a_type_as_people_expect(value: Any, hint: Any, expected: bool) -> None:
    assert fits(value, hint) is expected


def test_the_remedy_says_what_to_pass() -> None:
    assert words_of(str | Sequence[str] | None) == "a string, a list of strings or None"
    assert words_of(str | PathLike[str]) == "a string or a path"
    assert words_of(Mapping[str, str] | None) == "a dict or None"
    assert words_of(Literal["x", "y"]) == "'x' or 'y'"
    assert words_of(float) == "a number"


def test_an_annotation_written_as_text_is_checked_where_it_can_be() -> None:
    def verb(model: "str | PathLike[str] | None", other: "Unknown | None" = None) -> object:  # type: ignore[name-defined] # noqa: F821
        check_arguments(verb, locals())
        return model, other

    assert verb("m", other=3) == ("m", 3)
    with pytest.raises(InputError, match=r"model is 3, of type int\. Pass a string, a path or None"):
        verb(3)  # type: ignore[arg-type]
