"""Uploaded essays: rows, documents and archives as items, and their texts read again."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.store.blobs import Upload
from assay.web.workspaces.essays.sources import (
    EssayReader,
    check_kind,
    essay_columns,
    essay_items,
    further_columns,
    is_table,
)
from assay.web.workspaces.stored_settings import EssayColumnNames, EssayTask
from tests.store.scored import NOW
from tests.web.essayed import zipped

COLUMNS = EssayColumnNames(text="essay", id="who", prompt="", score="rating", program="grade")
TABLE = b"who,essay,rating,grade\nada,One text.,4,8\nben,Another text.,,9\n"


def upload(tmp_path: Path, name: str, content: bytes) -> tuple[Upload, Path]:
    path = tmp_path / name
    path.write_bytes(content)
    return Upload(1, "w", "essays", name, "d" * 64, len(content), "Ada", NOW, None), path


def test_a_row_is_an_essay_with_its_human_score_and_its_program(tmp_path: Path) -> None:
    given, path = upload(tmp_path, "class.csv", TABLE)
    ada, ben = essay_items([given], lambda *_: path, COLUMNS)
    tasks = [EssayTask.from_json(item.detail) for item in (ada, ben)]

    assert [(item.name, task.human, task.program) for item, task in zip((ada, ben), tasks, strict=True)] == [
        ("ada", 4.0, "8"),
        ("ben", None, "9"),
    ]
    assert EssayReader(lambda *_: path).text_and_prompt(tasks[1]) == ("Another text.", "")


def test_a_folder_in_an_archive_is_the_prompt_of_its_essays(tmp_path: Path) -> None:
    given, path = upload(tmp_path, "class.zip", zipped({"snow/ada.txt": b"It snows.", "notes.rtf": b"no essay"}))
    (item,) = essay_items([given, given], lambda *_: path, COLUMNS)

    assert (item.name, item.detail["prompt"]) == ("ada", "snow")
    assert EssayReader(lambda *_: path).text_and_prompt(EssayTask.from_json(item.detail)) == ("It snows.", "snow")


def test_an_archive_without_documents_is_refused(tmp_path: Path) -> None:
    given, path = upload(tmp_path, "class.zip", zipped({"notes.rtf": b"no essay"}))

    with pytest.raises(InputError, match=r"none of \.txt, \.md"):
        essay_items([given], lambda *_: path, COLUMNS)


@pytest.mark.parametrize(("name", "table"), [("a.CSV", True), ("a.parquet", True), ("a.txt", False), ("a.zip", False)])
def test_tables_are_told_by_their_ending(name: str, table: bool) -> None:
    check_kind(name)  # raises for what holds no essays
    assert is_table(name) is table


def test_a_picture_holds_no_essays() -> None:
    with pytest.raises(InputError, match="no kind of file that holds essays"):
        check_kind("ada.png")


def test_columns_that_were_not_chosen_are_none() -> None:
    chosen = COLUMNS.changed(second_score="other", third_score="")

    assert (essay_columns(chosen).text, essay_columns(chosen).prompt) == ("essay", None)
    assert further_columns(chosen).by_field() == {"second_score": "other", "program": "grade"}
