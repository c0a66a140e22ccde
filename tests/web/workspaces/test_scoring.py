"""A workspace and who asks for it: its settings, its summary, what a program may say."""

import pytest

from assay.store.items import NewItem, workspace_items
from assay.store.workspaces import find_workspace
from assay.web.problems import FieldErrors
from assay.web.workspaces.scoring import evaluation_summary, hidden_items, requested, summary
from assay.web.workspaces.stored_settings import EssayRequest, EvaluationRequest, StoredJson, TrainingRequest
from tests.store.scored import NOW
from tests.web.pages.test_evaluation import chosen, workspace_of
from tests.web.visits import Visit


def test_changed_settings_stand_beside_the_others(visit: Visit) -> None:
    context = visit.context(workspace_of(visit))
    with visit.site.database.writing() as connection:
        changed = context.change_settings(connection, {"scale": "1-6"})
        stored = find_workspace(connection, context.workspace.id)

    assert stored is not None
    assert changed.settings == stored.settings == {**context.workspace.settings, "scale": "1-6"}


@pytest.mark.parametrize(
    ("kind", "settings", "field", "words"),
    [
        (EssayRequest, {"texts": "a"}, "texts", "There are: id, model, program, prompt, question, score, text."),
        (EssayRequest, {"question": 3}, "question", "question takes text."),
        (EvaluationRequest, {"human": 3}, "human", "human takes names."),
        (TrainingRequest, {"length_weight": "0.2"}, "length_weight", "length_weight takes text."),
        (TrainingRequest, {"fix": {"style": float("nan")}}, "fix", "fix takes text."),
        (StoredJson, {"a": 1}, "a", "There is no setting 'a'. There are none."),
    ],
)
def test_a_setting_that_cannot_be_is_named(kind: type[StoredJson], settings: object, field: str, words: str) -> None:
    with pytest.raises(FieldErrors) as wrong:
        requested(kind, settings, {"human": "names"})  # type: ignore[arg-type]

    assert wrong.value.errors[field].endswith(words)


def test_what_a_program_names_is_taken_and_the_rest_is_as_ever() -> None:
    asked = requested(TrainingRequest, {"score": "rating", "fix": {"style": 0}, "length_weight": None}, {})

    assert (asked.score, asked.fix, asked.length_weight, asked.cutoffs) == ("rating", {"style": 0.0}, None, "balanced")


def test_items_that_no_list_shows_are_kept_and_found_again(visit: Visit) -> None:
    context, new = visit.context(workspace_of(visit)), [NewItem("a", "Model", {"is": "fit"})]
    with visit.site.database.writing() as connection:
        first, again = (hidden_items(connection, context, new)[0].id for _ in range(2))
        listed = workspace_items(connection, context.workspace.id)

    assert first == again
    assert listed == []


def test_the_summary_of_an_evaluation_names_its_state_before_and_after(visit: Visit) -> None:
    url = workspace_of(visit)
    with visit.site.database.reading() as connection:
        before = evaluation_summary(connection, visit.context(url).workspace, NOW)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    after = visit.context(url).workspace.summary

    assert before == summary(state="columns not chosen yet", trust="n/a: not yet evaluated")
    assert after["trust"].startswith("QWK ")
    assert after["count"].endswith("responses")
