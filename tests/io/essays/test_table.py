"""Essays from tables and folders, and what is said when something is wrong with them."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.essays.text.text import Essay
from assay.io.essays.table import EssayColumns, EssayTable, open_essays, read_text_file

COLUMNS = EssayColumns("essay", id="id", prompt="task", score="mark")


def table(folder: Path, **columns: list[object]) -> Path:
    path = folder / "essays.csv"
    pl.DataFrame(columns).write_csv(path)
    return path


def test_a_table_gives_essays_with_prompt_and_score(tmp_path: Path) -> None:
    path = table(tmp_path, id=["a", "b"], essay=["One, two.\nThree.", "Four."], task=["dogs", None], mark=["3", ""])
    (part,) = open_essays(path, COLUMNS).parts()
    assert part.essays == (Essay("a", "One, two.\nThree.", "dogs"), Essay("b", "Four.", ""))
    assert np.array_equal(part.scores, [3.0, np.nan], equal_nan=True)


def test_without_an_id_column_rows_are_the_ids(tmp_path: Path) -> None:
    path = table(tmp_path, essay=["One.", "Two."])
    (part,) = open_essays(path, EssayColumns("essay")).parts()
    assert [essay.essay_id for essay in part.essays] == ["2", "3"]


def test_an_essay_nobody_wrote_stays_in(tmp_path: Path) -> None:
    essays = open_essays(table(tmp_path, n=[1, 2, 3], essay=["One.", None, "  "]), EssayColumns("essay"))
    assert essays.count == 3
    assert [essay.text for part in essays.parts() for essay in part.essays] == ["One.", "", "  "]


def test_a_column_of_empty_texts_is_an_error_that_names_the_option(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"column 'essay': all 2 texts are empty.*text"):
        EssayTable(table(tmp_path, essay=[None, "  "], body=["x", "y"]), EssayColumns("essay"))


def test_a_missing_column_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"column 'text'.*\(text\).*Did you mean 'texts'"):
        open_essays(table(tmp_path, texts=["One."]), EssayColumns("text"))


def test_ids_that_occur_twice_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"repeats ids.*'a' in rows 2, 4"):
        open_essays(table(tmp_path, id=["a", "b", "a"], essay=["x", "y", "z"]), EssayColumns("essay", id="id"))


def test_a_score_that_is_no_number_names_its_row(tmp_path: Path) -> None:
    essays = open_essays(table(tmp_path, essay=["x", "y"], mark=["4", "good"]), EssayColumns("essay", score="mark"))
    with pytest.raises(InputError, match=r"row 3, column 'mark': 'good' is not a number"):
        list(essays.parts())


def test_a_table_needs_its_text_column_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Name it with text\.$"):
        open_essays(table(tmp_path, essay=["x"]), None)


def test_the_column_that_looks_like_essays_is_proposed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"looks like 'written'"):
        open_essays(table(tmp_path, note=["x"], written=["A longer text of many words. " * 5]), None)


def test_a_folder_of_text_files_has_names_as_ids_and_subfolders_as_prompts(tmp_path: Path) -> None:
    (tmp_path / "dogs").mkdir()
    (tmp_path / "dogs" / "ann.txt").write_text("I like dogs.\n", encoding="utf-8")
    (tmp_path / "bob.txt").write_bytes("\ufeffÜber dogs.".encode())
    (tmp_path / "notes.md").write_text("not an essay", encoding="utf-8")
    (part,) = open_essays(tmp_path, None).parts()
    assert part.essays == (Essay("bob", "Über dogs."), Essay("dogs/ann", "I like dogs.\n", "dogs"))


def test_a_text_file_in_another_encoding_names_the_line_and_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(b"First line.\nCaf\xe9 culture.")
    with pytest.raises(InputError, match=r"old.txt: not in UTF-8: line 2 holds the byte 0xe9. Save it again as UTF-8"):
        read_text_file(path)


def test_utf_16_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "notepad.txt"
    path.write_bytes("Naïve plan".encode("utf-16"))
    assert read_text_file(path) == "Naïve plan"
