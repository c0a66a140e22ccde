"""Errors hold values; whoever shows them writes the words."""

import os
import pickle
import sys
from pathlib import Path

import pytest

from assay.errors import AssayError, Cancelled, Field, InputError, MissingExtra, input_errors, reader, shown


def as_option(name: str) -> str:
    return "--" + name.replace("_", "-")


def test_a_message_says_where_what_and_how_to_put_it_right() -> None:
    problem = InputError("'x' is not a number", source="scores.csv", row=12, column="h1", remedy="Mend the cell.")
    assert str(problem) == "scores.csv, row 12, column 'h1': 'x' is not a number. Mend the cell."


def test_arguments_are_written_by_the_shell() -> None:
    problem = InputError((Field("second_human"), " is empty"), remedy=("Leave out ", Field("second_human"), "."))
    assert problem.text() == "second_human is empty. Leave out second_human."
    assert problem.text(as_option) == "--second-human is empty. Leave out --second-human."


def test_words_that_look_like_arguments_are_left_alone() -> None:
    assert InputError("essay 'second_human' is empty").text(as_option) == "essay 'second_human' is empty"


def test_no_stop_after_a_question() -> None:
    assert str(InputError("Is this a table?", remedy="Name one.")) == "Is this a table? Name one."


def test_an_error_can_be_told_of_another_source() -> None:
    problem = InputError("no rows", source="/tmp/9f3a", field="table")
    other = problem.at("class 3b.csv")
    assert (other.source, other.field, str(other)) == ("class 3b.csv", "table", "class 3b.csv: no rows")
    assert problem.source == "/tmp/9f3a"
    assert InputError("no rows").at(row=3, field="h").where == "row 3"


class Named(InputError):
    """An error with a value of its own."""

    def __init__(self, problem: str, *, answer: int) -> None:
        super().__init__(problem, source="a.csv", field="f")
        self.answer = answer


@pytest.mark.parametrize(
    "error",
    [InputError(("no ", Field("h")), source="a", row=2, column="c", field="h", remedy="r"), Named("n", answer=4)],
)
def test_errors_come_whole_out_of_another_process(error: AssayError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.__dict__ == error.__dict__
    assert str(again) == str(error)


def test_a_missing_extra_comes_whole_out_of_another_process() -> None:
    again = pickle.loads(pickle.dumps(MissingExtra("Reading XLSX", "tables")))
    assert (str(again), again.extra) == (str(MissingExtra("Reading XLSX", "tables")), "tables")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyError("images"), "KeyError: 'images'"),
        (ValueError(), "it cannot be read: ValueError"),
        (MemoryError(), "more memory"),
        (RecursionError("deep"), "nested too deeply"),
        (OSError(36, "File name too long"), "it cannot be read: File name too long"),
        (type("PanicException", (BaseException,), {})("index out of bounds"), "PanicException: index out of bounds"),
    ],
)
def test_whatever_a_reader_meets_is_an_input_error_about_the_file(error: BaseException, words: str) -> None:
    @reader
    def read(_: Path) -> None:
        raise error

    with pytest.raises(InputError, match=words) as refused:
        read(Path("a.json"))
    assert refused.value.source == "a.json"
    assert refused.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), Cancelled("stop"), InputError("no", source="b")])
def test_what_is_no_fault_of_a_file_stays_what_it_is(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, input_errors("a.json"):
        raise error
    assert raised.value is error


@pytest.mark.parametrize(("text", "said"), [("short", "short"), ("x" * 40, "x" * 40), ("x" * 41, "x" * 40), (7, "7")])
def test_a_message_shows_the_first_forty_letters(text: object, said: str) -> None:
    assert shown(text) == said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a name in a folder")
def test_a_pipe_or_a_device_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)

    @reader
    def read(path: Path) -> bytes:
        return path.read_bytes()  # which would wait for ever, or never end

    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(InputError, match="it is a pipe or a device, and no file") as caught:
            read(path)
        assert caught.value.source == str(path)
    plain = tmp_path / "plain.csv"
    plain.write_bytes(b"id")
    assert read(plain) == b"id"
