"""Essays from tables and folders, and what is said when something is wrong with them."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.essays.text.text import Essay
from assay.io.essays import table as table_module
from assay.io.essays.table import (
    EssayColumns,
    EssayFolder,
    EssayTable,
    GuessedEssayColumns,
    guess_essay_columns,
    open_essays,
)

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


def test_a_table_in_which_no_column_looks_like_essays_needs_it_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Name it with text; there are: n, essay\.$"):
        open_essays(table(tmp_path, n=[1], essay=["x"]), None)


def test_the_column_that_looks_like_essays_is_taken_and_said(tmp_path: Path) -> None:
    guesses: list[tuple[str, ...]] = []
    path = table(tmp_path, note=["x"], written=["A longer text of many words. " * 5], mark=[3])

    (part,) = open_essays(path, EssayColumns(score="mark"), None, lambda *guess: guesses.append(guess)).parts()

    assert part.essays[0].text.startswith("A longer text")
    assert part.scores.tolist() == [3]
    assert guesses == [("essays", "written", "text")]


def test_a_table_may_name_the_files_of_essays_and_a_bad_one_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "ann.txt").write_text("I like dogs.", encoding="utf-8")
    (tmp_path.parent / "secret.txt").write_text("not yours", encoding="utf-8")
    path = table(tmp_path, file=["drafts/ann.txt", "gone.txt", "../secret.txt"], mark=[3, 4, 5])
    problems: list[InputError] = []
    guesses: list[tuple[str, ...]] = []

    essays = open_essays(path, None, problems.append, lambda *guess: guesses.append(guess))
    (part,) = essays.parts()

    assert [essay.text for essay in part.essays] == ["I like dogs.", "", ""]
    assert [(problem.row, problem.column) for problem in problems] == [(3, "file"), (4, "file")]
    assert "lies outside" in str(problems[1])
    assert guesses == [("the files of essays", "file", "file")]
    (again,) = open_essays(path, EssayColumns(file="file", score="mark")).parts()
    assert again.scores.tolist() == [3, 4, 5]


def test_a_zip_and_one_document_are_read_as_a_folder_is(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("7b/ann.txt", "I like dogs.")
        archive.writestr("7b/ann.md", "# I like cats.")
        archive.writestr("7b/list.csv", "a,b")
    (tmp_path / "ben.txt").write_text("One essay.", encoding="utf-8")

    (part,) = open_essays(tmp_path / "class.zip", None).parts()
    (alone,) = open_essays(tmp_path / "ben.txt", None).parts()

    assert [(e.essay_id, e.text, e.prompt) for e in part.essays] == [
        ("7b/ann.md", "  I like cats.", "7b"),
        ("7b/ann.txt", "I like dogs.", "7b"),
    ]
    assert alone.essays == (Essay("ben", "One essay."),)


def test_a_folder_of_text_files_has_names_as_ids_and_subfolders_as_prompts(tmp_path: Path) -> None:
    (tmp_path / "dogs").mkdir()
    (tmp_path / "dogs" / "ann.txt").write_text("I like dogs.\n", encoding="utf-8")
    (tmp_path / "bob.txt").write_bytes("\ufeffÜber dogs.".encode())
    (tmp_path / "notes.csv").write_text("not an essay", encoding="utf-8")
    (part,) = open_essays(tmp_path, None).parts()
    assert part.essays == (Essay("bob", "Über dogs."), Essay("dogs/ann", "I like dogs.\n", "dogs"))


def test_essays_come_in_parts_or_from_a_first_one_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "PART_ROWS", 2)
    essays = open_essays(table(tmp_path, essay=[f"Text {i}." for i in range(5)]), EssayColumns("essay"))
    assert [len(part) for part in essays.parts()] == [2, 2, 1]
    assert [essay.essay_id for part in essays.parts() for essay in part.essays] == ["2", "3", "4", "5", "6"]
    later = [essay.essay_id for part in essays.parts((3, 2)) for essay in part.essays]
    assert (later, essays.part_sizes(2), essays.has_scores) == (["5", "6"], [2, 2, 1], False)
    assert list(essays.digests()) == ["essays.csv"]


def test_texts_may_begin_late_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "PART_ROWS", 1)
    assert open_essays(table(tmp_path, n=[1, 2], essay=[None, "Text."]), EssayColumns("essay")).count == 2
    with pytest.raises(InputError, match="a header but no rows") as caught:
        open_essays(table(tmp_path, essay=[]), EssayColumns("essay"))
    assert caught.value.field == "essays"


def test_a_program_column_says_where_an_essay_comes_from(tmp_path: Path) -> None:
    path = table(tmp_path, essay=["One.", "Two."], exam=["TOEFL", None])
    (part,) = open_essays(path, EssayColumns("essay", program="exam")).parts()
    assert part.programs == ("TOEFL", "")
    (without,) = open_essays(path, EssayColumns("essay")).parts()
    assert without.programs == ()


def test_a_folder_is_read_in_parts_too_and_hidden_files_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "PART_ROWS", 2)
    for name in "abcde":
        (tmp_path / f"{name}.txt").write_text(name, encoding="utf-8")
    (tmp_path / ".hidden.txt").touch()
    essays = open_essays(tmp_path, None)
    assert (essays.count, essays.part_sizes(3), essays.has_scores) == (5, [3, 2], False)
    assert [[essay.text for essay in part.essays] for part in essays.parts()] == [["a", "b"], ["c", "d"], ["e"]]
    assert [[essay.text for essay in part.essays] for part in essays.parts((1, 3))] == [["b", "c"], ["d"]]
    assert sorted(essays.digests()) == [f"{name}.txt" for name in "abcde"]
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="it holds no essays") as caught:
        EssayFolder(Path(tmp_path / "none"))
    assert caught.value.field == "essays"


def test_a_file_that_cannot_be_read_stops_no_other_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "ada.txt").write_text("An essay.", encoding="utf-8")
    (tmp_path / "ben.txt").write_bytes(b"caf\xe9")
    problems: list[InputError] = []
    essays = open_essays(tmp_path, None, problems.append)

    for _ in range(2):
        assert [essay.text for part in essays.parts() for essay in part.essays] == ["An essay.", ""]
    assert [(Path(problem.source).name, problem.problem) for problem in problems] == [
        ("ben.txt", "byte 0xe9 in line 1 is not UTF-8")
    ]
    (tmp_path / "ada.txt").unlink()
    with pytest.raises(InputError, match="is not UTF-8"):
        list(open_essays(tmp_path, None).parts())


LONG = "This is a text that is long enough to be taken for an essay, it seems. " * 2


@pytest.mark.parametrize(
    ("columns", "guess"),
    [
        ({"a": ["x"], "b": [LONG]}, GuessedEssayColumns("b")),
        ({"notes": [LONG * 3], "Essay_Text": [LONG]}, GuessedEssayColumns("Essay_Text")),
        ({"essay": ["short"], "b": [LONG]}, GuessedEssayColumns("b")),
        ({"essay": ["short"]}, GuessedEssayColumns()),
        (
            {"text": [LONG] * 2, "topic_name": ["x", "y"], "final_score": [1, 2]},
            GuessedEssayColumns("text", "", "topic_name", "final_score"),
        ),
        (
            {"text": [LONG] * 2, "rater_1": [1, 2], "rater_2": [2, 2]},
            GuessedEssayColumns("text", "", "", "rater_1", "rater_2"),
        ),
        ({"essay": []}, GuessedEssayColumns("essay")),
    ],
)
def test_columns_are_guessed_by_their_names_and_the_length_of_texts(
    columns: dict[str, list[Any]], guess: GuessedEssayColumns
) -> None:
    found = guess_essay_columns(pl.DataFrame(columns))
    assert (found.text, found.prompt, found.score, found.second) == (
        guess.text,
        guess.prompt,
        guess.score,
        guess.second,
    )


@pytest.mark.parametrize(("letters", "text"), [(table_module.LEAST_TEXT, "b"), (table_module.LEAST_TEXT - 1, "")])
def test_a_text_is_long_from_a_number_of_letters_on(letters: int, text: str) -> None:
    assert guess_essay_columns(pl.DataFrame({"a": ["x"], "b": ["é" * letters]})).text == text
    named = guess_essay_columns(pl.DataFrame({"essay": ["é" * letters], "c": ["y" * 500]})).text
    assert named == ("essay" if text else "c")


def test_numbers_and_lists_are_no_texts() -> None:
    frame = pl.DataFrame({"n": [10**70 * 1.0], "l": [[1] * 99], "b": [b"x" * 99], "t": [LONG]})
    assert guess_essay_columns(frame.select("n", "b", "t")).text == "t"
    assert guess_essay_columns(pl.DataFrame({"t": [LONG], "prompt": ["x"], "x": ["y"]})) == GuessedEssayColumns(
        "t", "", "prompt"
    )


def test_columns_that_are_not_named_are_not_asked_for() -> None:
    assert EssayColumns("essay").by_field() == {"text": "essay"}
    assert EssayColumns("e", "i", "p", "s", "g").by_field() == {
        **{"text": "e", "id": "i", "prompt": "p", "score": "s", "program": "g"}
    }


def test_parts_of_a_table_in_parts_are_its_own(tmp_path: Path) -> None:
    for number, rows in ((1, 2), (2, 3)):
        pl.DataFrame({"essay": ["Text."] * rows}).write_parquet(tmp_path / f"{number}.parquet")
    essays = open_essays(tmp_path, EssayColumns("essay"))
    assert (essays.part_sizes(2), essays.count) == ([2, 3], 5)
    assert essays.part_sizes(1) == [2, 3]


def test_an_essay_over_the_limit_is_left_without_text_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ESSAY_CHARACTERS", "20")
    path = table(tmp_path, essay=["Short enough.", "x" * 21, "y" * 20])
    problems: list[InputError] = []
    essays = open_essays(path, EssayColumns("essay"), on_problem=problems.append)
    for _ in range(2):  # the second time nothing is said again
        assert [essay.text for part in essays.parts() for essay in part.essays] == ["Short enough.", "", "y" * 20]
    (problem,) = problems
    assert (problem.row, problem.column) == (3, "essay")
    assert "21 characters; at most 20" in str(problem)
    assert "ASSAY_LIMIT_ESSAY_CHARACTERS" in str(problem)
