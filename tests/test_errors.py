"""Errors hold values; whoever shows them writes the words."""

import pickle

import pytest

from assay.errors import AssayError, Field, InputError, MissingExtra


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
