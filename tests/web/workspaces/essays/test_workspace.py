"""Essays in a workspace: what comes in, what a program may choose, and a score that a person gives."""

from io import BytesIO

import pytest

from assay.errors import InputError
from assay.essays.data_files import has_non_commercial
from assay.store.items import Item, StoredResult
from assay.web.problems import FieldErrors
from assay.web.visitors import Visitor
from assay.web.workspaces.essays.workspace import decide, new_workspace, pasted, score_if_ready, start, table_upload
from assay.web.workspaces.export_files import DecidedItem
from assay.web.workspaces.stored_settings import EssaySettings
from tests.store.scored import NOW
from tests.web.visits import Visit

pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")

LONG = "One text about snow and the school in the morning. " * 4
TABLE = f"who,essay,rating\nada,{LONG},4\nben,{LONG}It ends.,3\n".encode()


def made(visit: Visit, name: str = "class 9.csv", content: bytes = TABLE) -> str:
    return new_workspace(visit.site, [(name, BytesIO(content))], Visitor("Ada", "admin"), question=" Why? ").url


def test_a_table_waits_until_its_columns_are_checked_and_a_document_does_not(visit: Visit) -> None:
    table, document = visit.context(made(visit)), visit.context(made(visit, "ada.txt", b"One text."))
    settings = EssaySettings.of(table.workspace)

    assert (table.workspace.name, settings.question, settings.columns_chosen) == ("class 9", "Why?", False)
    assert (settings.columns.text, settings.columns.score) == ("essay", "rating")
    assert (score_if_ready(table), table.workspace.engine) == (None, "")
    assert document.workspace.engine
    assert table_upload(visit.site, document.workspace.id) is None


def test_a_program_names_columns_and_what_it_does_not_name_stays(visit: Visit) -> None:
    url = made(visit)
    assert start(visit.context(url), {"id": "who", "model": "bundled"}) is not None
    settings = EssaySettings.of(visit.context(url).workspace)

    assert (settings.columns.id, settings.columns.text, settings.columns_chosen) == ("who", "essay", True)
    assert settings.question == "Why?"


@pytest.mark.parametrize(
    ("settings", "field", "words"),
    [
        ({"text": 3}, "text", "text takes text."),
        ({"text": "nothing"}, "text", "has no column 'nothing'"),
        ({"text": ""}, "text", "Choose the column that holds the essays."),
        ({"model": "mine"}, "model", "There is no model 'mine' here."),
        ({"kind": "generic10"}, "kind", "There is no setting 'kind'."),
    ],
)
def test_a_choice_of_a_program_that_cannot_be_is_named(
    visit: Visit, settings: dict[str, object], field: str, words: str
) -> None:
    with pytest.raises(FieldErrors) as wrong:
        start(visit.context(made(visit)), settings)

    assert words in wrong.value.errors[field]


def test_a_pasted_essay_is_a_file_with_a_name() -> None:
    name, content = pasted("ada / \n ben", "One\r\ntwo")

    assert (name, content.read()) == ("ada   ben.txt", b"One\ntwo")
    assert pasted(" ", "")[0] == "Pasted essay.txt"


def test_a_person_gives_a_point_of_the_scale_or_confirms_the_score_there_is(visit: Visit) -> None:
    workspace = visit.context(made(visit)).workspace
    item = Item(1, workspace.id, 1, "d", "ada", None, None, {}, NOW, None)
    scored, unscored = (
        DecidedItem(visit.site, workspace, item, StoredResult(1, "e", score, {}, {}, NOW), ()) for score in (3.0, None)
    )

    assert decide(scored, "score", 5).human_score == 5.0
    assert decide(scored, "score", None).human_score == 3.0
    for essay, target, value in ((scored, "label", 5), (scored, "score", 99), (unscored, "score", None)):
        with pytest.raises(InputError):
            decide(essay, target, value)
