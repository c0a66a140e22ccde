"""Typed settings read the JSON that databases hold, and write the same JSON again."""

import ast
from pathlib import Path
from typing import Any

import pytest

import assay.web
from assay.errors import InputError
from assay.web.workspaces.stored_settings import (
    BUNDLED_MODEL,
    AnnotationJob,
    AnnotationSettings,
    AnnotationTask,
    EssayColumnNames,
    EssayJob,
    EssaySettings,
    EssayTask,
    EvaluationJob,
    EvaluationSettings,
    EvaluationTask,
    ModelChoice,
    RefitJob,
    StoredJson,
    TrainingJob,
    TrainingTask,
)

MODEL = {"digest": "ab12", "name": "class 9"}
FILE = {"digest": "cd34", "suffix": ".xml", "name": "ada.xml"}
COLUMNS = {"text": "essay", "id": "writer", "prompt": "", "score": "rating"}
SCORE_COLUMNS = {
    "id": "id",
    "human": ["h1", "h2"],
    "system": ["engine"],
    "groups": [],
    "candidate": "",
    "length": "words",
}
SAMPLE = {"engine": "e1", "seed": 7, "of": 20, "items": [3, 5], "author": "Ada", "made": "2026-01-02T03:04:05+00:00"}
STORED: list[tuple[type[StoredJson], dict[str, Any]]] = [
    (EssaySettings, {"question": "Should school start later?"}),
    (
        EssaySettings,
        {
            "question": "",
            "columns": COLUMNS,
            "columns_chosen": True,
            "training_columns": {**COLUMNS, "second": "rating2"},
            "model": MODEL,
            "models": [MODEL],
            "next_model": MODEL,
            "engine": "e1",
            "training": {"item": 4, "engine": "t1", "job": "j1", "name": "a.csv (generic10)", "source": "a.csv"},
            "refit": None,
            "samples": [SAMPLE],
        },
    ),
    (EvaluationSettings, {"columns": SCORE_COLUMNS, "scale": "1-6", "engine": "e1", "made_of": {"d": {"a.csv": "f"}}}),
    (
        AnnotationSettings,
        {
            "rules": "[matching]\n",
            "inferred": "",
            "truth": {"objects": 2, "images": 1, "format": "CVAT", "kinds": {"box": 2}, "labels": 1, "problems": []},
            "together": 9,
            "engine": "e1",
            "previous_engine": "e0",
        },
    ),
    (EssayJob, {"model": "", "model_name": BUNDLED_MODEL.name, "question": "", "uncounted_pieces": 1}),
    (EssayTask, {"is": "row", "row": 3, "columns": COLUMNS, "human": None, **FILE, "file": "a.csv", "prompt": ""}),
    (
        TrainingJob,
        {
            "digest": "d",
            "suffix": ".csv",
            "source": "a.csv",
            "columns": COLUMNS,
            "kind": "generic10",
            "scale": "",
            "blocks": [[1, 0, 8]],
        },
    ),
    (TrainingTask, {"is": "refit", "scores": [[1, 3.0], [2, 4.5]]}),
    (RefitJob, {"model": "ab12", "model_name": "class 9", "engine": "e1"}),
    (
        EvaluationJob,
        {
            "digest": "d",
            "suffix": ".csv",
            "source": "a.csv",
            "inputs": {"a.csv": "d"},
            "columns": SCORE_COLUMNS,
            "scale": "",
            "made": "2026-01-02T03:04:05+00:00",
            "command": "assay evaluate a.csv",
        },
    ),
    (EvaluationTask, {"is": "comparison"}),
    (
        AnnotationJob,
        {"truth": FILE, "images": [], "rules": "", "made": "2026", "command": "assay", "inputs": {"ada.xml": "cd34"}},
    ),
    (AnnotationTask, {"is": "submission", "place": 2, **FILE}),
    (AnnotationTask, {"is": "batch", "uploads": [FILE], "decisions": {"x": [{"target": "score"}]}, "counted": False}),
]


@pytest.mark.parametrize(("kind", "stored"), STORED, ids=[kind.__name__ for kind, _ in STORED])
def test_what_a_database_holds_is_written_back_unchanged(kind: type[StoredJson], stored: dict[str, Any]) -> None:
    assert kind.from_json(stored).to_json() == stored


def test_a_name_that_only_another_version_knows_survives_a_change() -> None:
    later = EssaySettings.from_json({"question": "a", "of_a_later_version": [1]}).changed(question="b")

    assert later.to_json() == {"question": "b", "of_a_later_version": [1]}


def test_an_empty_workspace_is_scored_by_the_bundled_model_and_has_no_columns() -> None:
    empty = EssaySettings.from_json({})

    assert (empty.scoring_model, empty.engine, empty.columns_chosen) == (BUNDLED_MODEL, "", None)
    assert empty.columns.to_json() == {"text": "", "id": "", "prompt": "", "score": "", "program": ""}


def test_a_model_that_is_known_already_is_not_listed_twice() -> None:
    known = EssaySettings.from_json({"models": [MODEL, {"digest": "ef", "name": "other"}]})

    assert [m.digest for m in known.with_model(ModelChoice(digest="ab12", name="again"))] == ["ef", "ab12"]


def test_columns_say_what_each_of_them_holds() -> None:
    assert EssayColumnNames(text="essay", id="", score="rating").roles == {"essay": "text", "rating": "score"}


def test_the_old_name_of_the_second_score_is_read_and_written() -> None:
    assert EssayColumnNames.from_json({"second": "rating2"}).second_score == "rating2"
    assert EssayColumnNames(second_score="rating2").to_json() == {"second": "rating2"}


def settings_read_by_name(code: str) -> list[str]:
    """Every `settings["..."]` and `settings.get("...")` of a module, whatever holds the settings."""
    reads = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Subscript):
            holder, key = node.value, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
            holder, key = node.func.value, node.args[0] if node.args else ast.Constant(None)
        else:
            continue
        name = holder.id if isinstance(holder, ast.Name) else holder.attr if isinstance(holder, ast.Attribute) else ""
        if name == "settings" and isinstance(key, ast.Constant) and isinstance(key.value, str):
            reads.append(key.value)
    return reads


def test_no_other_module_of_the_app_reads_a_setting_by_its_name() -> None:
    folder = Path(assay.web.__file__).parent
    reads = {str(path.relative_to(folder)): settings_read_by_name(path.read_text()) for path in folder.rglob("*.py")}

    assert settings_read_by_name('workspace.settings["a"], settings.get("b", 1), site.settings.cache') == ["a", "b"]
    assert len(reads) > 40
    assert {path: names for path, names in reads.items() if names} == {}


def test_settings_that_cannot_be_read_are_named() -> None:
    with pytest.raises(InputError, match=r"what is kept cannot be read: is: .*Restore the database"):
        EvaluationTask.from_json({"is": "nothing"})
    with pytest.raises(InputError, match="what is kept cannot be read"):
        EvaluationTask.from_json({"\ud800": "a name"})
    with pytest.raises(InputError, match="half a surrogate pair"):
        EvaluationTask.from_json({"more": {"\ud800": 1}}).to_json()
