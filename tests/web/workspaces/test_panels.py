import polars as pl
import pytest

from assay.io.tables.tables import open_table
from assay.web.problems import FieldErrors
from assay.web.workspaces.panels import command_of, guessed, options_of, start, table_of
from assay.web.workspaces.stored_settings import PanelChoice
from tests.web.pages.test_panels import workspace_of
from tests.web.visits import Visit


def test_the_guess_names_people_and_judges() -> None:
    frame = pl.DataFrame({"item": ["a", "a"], "rater": ["ann", "gpt"], "score": [1, 2]})

    choice = guessed(open_table(frame))

    assert (choice.layout, choice.humans, choice.judges) == ("long", ("ann",), ("gpt",))
    assert (choice.item, choice.rater, choice.label) == ("item", "rater", "score")


def test_a_column_that_says_who_is_a_judge_is_believed() -> None:
    columns = {"item": ["a", "a"], "rater": ["x", "y"], "kind": ["human", "judge"], "score": [1, 2]}

    assert guessed(open_table(pl.DataFrame(columns))).judges == ("y",)


def test_the_command_says_what_differs_from_what_is_usual() -> None:
    choice = PanelChoice(layout="wide", humans=("a", "b c"), judges=("gpt",), epsilon=0.2)

    assert command_of("r.csv", choice) == "assay panel r.csv --humans 'a,b c' --judges gpt --epsilon 0.2"


def test_levels_are_a_list_for_the_workflow() -> None:
    assert options_of(PanelChoice(levels="poor, fair,good"))["levels"] == ("poor", "fair", "good")


def test_a_program_may_leave_everything_to_the_guess(visit: Visit) -> None:
    context = visit.context(workspace_of(visit))

    assert start(context, {})
    assert table_of(context)[0].name == "ratings.csv"
    with pytest.raises(FieldErrors, match=r"no rater|not found"):
        start(context, {"judges": ["nobody"]})
