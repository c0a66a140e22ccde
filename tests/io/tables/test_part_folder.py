"""A folder of Parquet parts: each whole or not there, gone on with after a crash, refused when begun otherwise."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from assay.errors import InputError
from assay.io.tables.part_folder import MANIFEST, Origin, PartFolder, local_copy, parts_of, stretches
from assay.io.tables.tables import open_table

ORIGIN = Origin("1.0", "essays features", {"text": "text", "id": None}, None, {"a.parquet": "0a"}, (2, 1, 3))


def table(rows: int) -> pl.DataFrame:
    return pl.DataFrame({"row": list(range(rows))})


def filled(path: Path, origin: Origin = ORIGIN, most: int = 9) -> list[str]:
    """The files made of the parts that were left, at most so many."""
    folder = PartFolder(path, origin)
    made = folder.left()[:most]
    for part in made:
        folder.write(part, table(part.rows).write_parquet)
    return [part.file for part in made]


def test_parts_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    assert filled(tmp_path / "out", most=2) == ["part-00000.parquet", "part-00001.parquet"]
    assert filled(tmp_path / "out") == ["part-00002.parquet"]
    assert filled(tmp_path / "out") == []
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == [
        MANIFEST, "part-00000.parquet", "part-00001.parquet", "part-00002.parquet",
    ]  # fmt: skip


def test_the_folder_is_one_table(tmp_path: Path) -> None:
    filled(tmp_path / "out")
    assert open_table(tmp_path / "out").frame()["row"].to_list() == [0, 1, 0, 0, 1, 2]


def test_what_a_crash_left_is_cleared_away(tmp_path: Path) -> None:
    filled(tmp_path, most=1)
    (tmp_path / ".part-abc").mkdir()
    (tmp_path / ".part-abc" / "part-00001.parquet").write_bytes(b"half")
    assert filled(tmp_path) == ["part-00001.parquet", "part-00002.parquet"]
    assert not (tmp_path / ".part-abc").exists()


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (replace(ORIGIN, inputs={"a.parquet": "0b"}), r"inputs differ \(a\.parquet\)"),
        (replace(ORIGIN, options={"text": "essay", "id": None}), r"options differ \(text\)"),
        (replace(ORIGIN, model="0c"), "the model is another"),
        (replace(ORIGIN, assay="2.0"), r"assay was 1\.0, is 2\.0"),
        (replace(ORIGIN, parts=(2, 4)), "the parts are others"),
    ],
)
def test_a_folder_that_was_begun_otherwise_is_refused_with_what_differs(
    other: Origin, told: str, tmp_path: Path
) -> None:
    filled(tmp_path, most=1)
    with pytest.raises(InputError, match=f"{told}.*force"):
        PartFolder(tmp_path, other)
    assert len(PartFolder(tmp_path, other, force=True).left()) == len(other.parts)


def test_files_of_others_are_not_written_among(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for force in (False, True):
        with pytest.raises(InputError, match="other files"):
            PartFolder(tmp_path, ORIGIN, force=force)


def test_a_part_whose_writing_fails_is_not_there(tmp_path: Path) -> None:
    folder = PartFolder(tmp_path, ORIGIN)

    def failing(file: Path) -> None:
        file.write_bytes(b"half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        folder.write(folder.parts[0], failing)
    assert [entry.name for entry in tmp_path.iterdir()] == [MANIFEST]


def test_parts_go_to_an_object_store_and_are_read_from_there(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    out = Path("memory://bucket/results")
    assert len(filled(out, most=2)) == 2
    assert filled(out) == ["part-00002.parquet"]
    assert open_table(Path("memory://bucket/results")).frame()["row"].to_list() == [0, 1, 0, 0, 1, 2]
    with pytest.raises(InputError, match="begun otherwise"):
        PartFolder(out, replace(ORIGIN, model="0c"))


def test_a_part_can_be_taken_back_and_is_made_again(tmp_path: Path) -> None:
    filled(tmp_path)
    folder = PartFolder(tmp_path, ORIGIN)
    assert (folder.left(), folder.done) == ([], {0, 1, 2})
    folder.remove(folder.parts[1])
    assert [part.number for part in folder.left()] == [1]
    assert not (tmp_path / "part-00001.parquet").exists()


def test_parts_without_a_manifest_are_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "part-00000.parquet").touch()
    with pytest.raises(InputError, match="it holds other files already") as caught:
        PartFolder(tmp_path, ORIGIN)
    assert (caught.value.field, caught.value.remedy) == ("out", "Choose another folder.")
    assert len(PartFolder(tmp_path, ORIGIN, force=True).left()) == 3


def test_files_of_others_beside_a_manifest_are_left_alone(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert PartFolder(tmp_path, ORIGIN).left() == []
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_damaged_manifest_was_begun_otherwise(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"it was begun otherwise: assay was None, is 1\.0") as caught:
        PartFolder(tmp_path, ORIGIN)
    assert caught.value.field == "out"


def test_at_most_three_differing_options_are_named(tmp_path: Path) -> None:
    filled(tmp_path)
    other = replace(ORIGIN, options={**ORIGIN.options, "a": "1", "b": "1", "c": "1", "d": "1"})
    with pytest.raises(InputError, match=r"options differ \(a, b, c and 1 more\)"):
        PartFolder(tmp_path, other)
    three = replace(ORIGIN, options={**ORIGIN.options, "a": "1", "b": "1", "c": "1"})
    with pytest.raises(InputError, match=r"options differ \(a, b, c\)"):
        PartFolder(tmp_path, three)


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="it cannot be written") as caught:
        PartFolder(tmp_path / "file/out", ORIGIN)
    assert (caught.value.field, caught.value.remedy) == ("out", "Choose another folder.")


def test_chunks_that_follow_each_other_are_one_stretch() -> None:
    chunks = parts_of([3, 4, 2, 5])
    assert [(chunk.number, chunk.first, chunk.rows) for chunk in chunks] == [(0, 0, 3), (1, 3, 4), (2, 7, 2), (3, 9, 5)]
    assert stretches([chunks[0], chunks[1], chunks[3]]) == [(0, 7), (9, 5)]
    assert stretches([]) == []


def test_a_store_copies_the_parts_of_a_folder_a_pattern_and_a_file(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    filled(Path("memory://copies/results"))
    for address, names in (
        ("memory://copies/results", ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]),
        ("memory://copies/results/*1.parquet", ["part-00001.parquet"]),
    ):
        folder = local_copy(address)
        assert sorted(path.name for path in folder.iterdir()) == names
    assert local_copy("memory://copies/results/part-00002.parquet").name == "part-00002.parquet"
    with pytest.raises(InputError, match=r"it holds no \.parquet files, or is not there") as caught:
        local_copy("memory://copies/none")
    assert (caught.value.source, caught.value.remedy) == ("memory://copies/none", "Check the address.")


def test_a_store_that_is_not_known_is_refused_with_what_to_install() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="it cannot be reached") as caught:
        PartFolder(Path("nowhere://x/y"), ORIGIN)
    assert caught.value.remedy


@pytest.mark.parametrize("content", ["[" * 5000, "[]", "7", "{"])
def test_a_manifest_that_cannot_be_read_is_one_of_other_work(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="begun otherwise"):
        PartFolder(tmp_path, ORIGIN)
