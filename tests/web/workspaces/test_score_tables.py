"""Score tables: columns guessed and chosen, a choice checked, the same on the command line."""

from io import BytesIO

import pytest

from assay.web.problems import FieldErrors
from assay.web.workspaces.score_tables import EMPTY, chosen_columns, command_of, score_columns, start
from assay.web.workspaces.stored_settings import ScoreColumnNames
from tests.web.pages.test_evaluation import workspace_of
from tests.web.visits import Visit


def test_columns_are_guessed_and_every_role_is_there(visit: Visit) -> None:
    columns = chosen_columns(visit.context(workspace_of(visit)).workspace)

    assert columns.keys() == EMPTY.keys()
    assert columns["human"]
    assert len(columns["system"]) == 1


def test_a_workspace_without_a_table_has_no_columns(visit: Visit) -> None:
    made = visit.another().post("/api/v1/workspaces", json={"kind": "evaluation", "name": "Pilot"}).json()["id"]

    assert chosen_columns(visit.context(f"/evaluation/{made}").workspace) == EMPTY


@pytest.mark.parametrize(
    ("settings", "field", "words"),
    [
        ({"human": 3}, "human", "human takes names of columns."),
        ({"human": None}, "human", "human takes names of columns."),
        ({"id": ["a"]}, "id", "id takes the name of a column."),
        ({"human": "nothing"}, "human", "The table has no column 'nothing'."),
        ({"scale": "6-1"}, "scale", "Put the lower end first."),
        ({"scales": "1-6"}, "scales", "There is no setting 'scales'."),
    ],
)
def test_a_choice_of_a_program_that_cannot_be_is_named(
    visit: Visit, settings: dict[str, object], field: str, words: str
) -> None:
    with pytest.raises(FieldErrors) as wrong:
        start(visit.context(workspace_of(visit)), settings)

    assert words in wrong.value.errors[field]


def test_one_name_stands_for_a_list_of_one_and_null_for_none(visit: Visit) -> None:
    url = workspace_of(visit)
    assert start(visit.context(url), {"human": "rater", "system": ["engine", ""], "id": None, "groups": []}) is not None

    columns = chosen_columns(visit.context(url).workspace)
    assert (columns["human"], columns["system"], columns["id"], columns["groups"]) == (["rater"], ["engine"], "", [])


def test_the_same_evaluation_on_the_command_line() -> None:
    chosen = {**EMPTY, "human": ["h 1", "h2"], "system": ["engine"], "groups": ["sex", "age"], "id": "id"}

    assert command_of("my scores.csv", chosen, "1-6") == (
        "assay evaluate 'my scores.csv' --human 'h 1' --system engine --second-human h2 --groups sex,age --id id "
        "--scale 1-6"
    )


def test_a_column_that_was_not_chosen_is_none() -> None:
    columns = score_columns(ScoreColumnNames(human=("h",), system=("s",), id="", length="words"))

    assert (columns.id, columns.length, columns.candidate) == (None, "words", None)


def test_an_engine_whose_table_shares_no_id_is_refused(visit: Visit) -> None:
    url = workspace_of(visit)
    table = {"files": ("other.csv", BytesIO(b"id,judge\nnobody,3\nno one,4\n"))}
    answer = visit.another().post(f"/api/v1/workspaces/{url.split('/')[2]}/uploads/engine", files=table)

    assert answer.status_code == 422
    assert "nothing can be joined" in answer.text
