"""What is judged: rows of a table with what stands beside them, or files of a folder."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.evaluation.judging.prompt import JudgedItem
from assay.io.judging.items_table import read_items

FRAME = pl.DataFrame({"n": ["a", "b"], "answer": ["Yes.", None], "question": ["Is it?", ""]})


def test_rows_become_items_in_order(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    FRAME.write_csv(path)
    items, digests = read_items(path, text="answer", id="n", context=["question"])
    assert items == (JudgedItem("a", "Yes.", (("question", "Is it?"),)), JudgedItem("b", ""))
    assert list(digests) == ["answers.csv"]


def test_without_an_id_rows_are_numbered_as_an_editor_shows_them(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    FRAME.write_csv(path)
    assert [item.item_id for item in read_items(path, text="answer")[0]] == ["2", "3"]
    assert [item.item_id for item in read_items(FRAME, text="answer")[0]] == ["1", "2"]


def test_a_folder_of_texts_has_an_item_for_each(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "one.txt").write_text("Text", encoding="utf-8")
    items, digests = read_items(tmp_path, text=None)
    assert items == (JudgedItem("p/one", "Text", (("prompt", "p"),)),)
    assert list(digests) == ["p/one.txt"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"text": None}, "not named"),
        ({"text": "anwser"}, "Did you mean 'answer'"),
        ({"text": "answer", "context": ["c"]}, "'c' not found"),
        ({"text": "answer", "id": "question"}, "id is empty"),
    ],
)
def test_a_wrong_column_is_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_items(FRAME, **options)


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(InputError, match="no rows"):
        read_items(FRAME.clear(), text="answer")
