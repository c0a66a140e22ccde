"""Folders and ZIPs: listed whole, read within bounds, refused when they are not what an honest person hands in."""

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.archive import Member, head_of, is_zip, list_members, nested_members


def zip_bytes(files: dict[str, bytes], *, deflate: bool = False) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def saved(folder: Path, content: bytes, name: str = "batch.zip") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def names(members: list[Member]) -> list[str]:
    return [member.name for member in members]


def test_a_zip_is_listed_by_name_and_read_member_by_member(tmp_path: Path) -> None:
    path = saved(tmp_path, zip_bytes({"b/two.xml": b"2", "a.json": b"one"}))
    members = list_members(path)
    assert names(members) == ["a.json", "b/two.xml"]
    assert [member.read() for member in members] == [b"one", b"2"]
    assert members[0].size == 3


def test_a_zip_is_known_by_its_content_and_not_its_ending(tmp_path: Path) -> None:
    path = saved(tmp_path, zip_bytes({"a.json": b"{}"}), "alice.dat")
    assert is_zip(path)
    assert names(list_members(path)) == ["a.json"]


def test_a_folder_is_listed_with_its_folders(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    saved(tmp_path / "alice", b"{}", "a.json")
    saved(tmp_path, b"x", "note.txt")
    assert names(list_members(tmp_path)) == ["alice/a.json", "note.txt"]


def test_a_file_alone_is_its_own_member(tmp_path: Path) -> None:
    path = saved(tmp_path, b"[]", "a.json")
    assert [(m.name, m.read()) for m in list_members(path)] == [("a.json", b"[]")]


def test_what_operating_systems_add_is_passed_over(tmp_path: Path) -> None:
    files = {"__MACOSX/._a.json": b"", ".DS_Store": b"", "x/Thumbs.db": b"", "x/.hidden": b"", "x/a.json": b"{}"}
    assert names(list_members(saved(tmp_path, zip_bytes(files)))) == ["x/a.json"]


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.zip: it does not exist"):
        list_members(tmp_path / "nothing.zip")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../secret.json", "leads out of the ZIP"),
        ("a/../../secret.json", "leads out of the ZIP"),
        ("..\\secret.json", "leads out of the ZIP"),
        ("/etc/passwd", "absolute path"),
        ("C:\\a.json", "absolute path"),
        ("c:/a.json", "absolute path"),
    ],
)
def test_a_path_out_of_the_zip_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    path = saved(tmp_path, zip_bytes({name: b"{}"}))
    with pytest.raises(InputError, match=rf"batch\.zip: the member .* {reason}|{reason}"):
        list_members(path)


def test_a_symbolic_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("a.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InputError, match="symbolic link"):
        list_members(saved(tmp_path, stream.getvalue()))


def test_a_link_out_of_a_folder_is_refused(tmp_path: Path) -> None:
    outside = saved(tmp_path, b"{}", "outside.json")
    folder = tmp_path / "batch"
    folder.mkdir()
    (folder / "a.json").symlink_to(outside)
    with pytest.raises(InputError, match=r"a\.json: it is a link that leads out of the folder"):
        list_members(folder)


def test_a_zip_with_a_password_is_refused(tmp_path: Path) -> None:
    content = bytearray(zip_bytes({"a.json": b"{}"}))
    at = content.index(b"PK\x01\x02")
    content[at + 8] |= 1  # the flag of an encrypted member, in the central directory
    with pytest.raises(InputError, match="password"):
        list_members(saved(tmp_path, bytes(content)))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = saved(tmp_path, zip_bytes({"a.json": b" " * 40_000_000}, deflate=True))
    with pytest.raises(InputError, match=r"a\.json.* packed \d+:1, as only a ZIP bomb"):
        list_members(path)


@pytest.mark.parametrize(
    ("limit", "most", "why"),
    [("ARCHIVE_MEMBERS", 3, "has 4 files"), ("ARCHIVE_BYTES", 19, "has 20 bytes"), ("FILE_BYTES", 4, "has 5 bytes")],
)
def test_limits_on_members_and_sizes_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, why: str
) -> None:
    path = saved(tmp_path, zip_bytes({f"{i}.json": b"12345" for i in range(4)}))
    assert len(list_members(path)) == 4
    monkeypatch.setenv(f"ASSAY_LIMIT_{limit}", str(most))
    with pytest.raises(InputError, match=f"{why}; at most {most} are read.*ASSAY_LIMIT_{limit}"):
        list_members(path)


def test_a_folder_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ARCHIVE_MEMBERS", "2")
    for i in range(3):
        saved(tmp_path, b"", f"{i}.json")
    with pytest.raises(InputError, match="more than 2 files"):
        list_members(tmp_path)


def test_a_member_that_lies_about_its_size_gives_no_more_than_it_states(tmp_path: Path) -> None:
    content = bytearray(zip_bytes({"a.json": b"x" * 1000}, deflate=True))
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", 10)  # the unpacked size in the central directory
    member = list_members(saved(tmp_path, bytes(content)))[0]
    with pytest.raises(InputError, match="cannot be unpacked"):
        member.read()


def test_a_broken_zip_is_named(tmp_path: Path) -> None:
    content = zip_bytes({"a.json": b"{}"})
    with pytest.raises(InputError, match=r"batch\.zip: it is not a complete ZIP"):
        list_members(saved(tmp_path, content[: len(content) // 2]))


def test_a_member_with_a_wrong_checksum_is_named(tmp_path: Path) -> None:
    content = zip_bytes({"a.json": b"{intact}"}).replace(b"{intact}", b"{harmed}")
    with pytest.raises(InputError, match=r"'a\.json' cannot be unpacked"):
        list_members(saved(tmp_path, content))[0].read()


def test_a_zip_in_a_zip_is_opened_and_no_deeper(tmp_path: Path) -> None:
    inner = zip_bytes({"annotations.xml": b"<a/>"})
    path = saved(tmp_path, zip_bytes({"alice.zip": inner, "deep.zip": zip_bytes({"deeper.zip": inner})}))
    alice, deep = list_members(path)
    assert [m.read() for m in nested_members(alice, depth=2)] == [b"<a/>"]
    with pytest.raises(InputError, match=r"deep\.zip: it holds a further ZIP, deeper\.zip"):
        nested_members(deep, depth=2)
    assert names(nested_members(deep, depth=1)) == ["deeper.zip"]


def test_folders_of_a_zip_may_be_parted_by_backslashes(tmp_path: Path) -> None:
    path = saved(tmp_path, zip_bytes({"alice\\": b"", "alice\\annotations.xml": b"<a/>"}))
    (member,) = list_members(path)
    assert (member.name, member.read()) == ("alice/annotations.xml", b"<a/>")


def test_a_file_that_is_gone_when_it_is_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.json").write_bytes(b"{}")
    (member,) = list_members(tmp_path / "s")
    (tmp_path / "s" / "a.json").unlink()
    with pytest.raises(InputError, match=r"a\.json"):
        member.read()


def test_a_directory_that_points_before_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ada.json", "{}" * 50)
    content = bytearray(path.read_bytes())
    stated = int.from_bytes(content[-6:-2], "little")  # where the directory begins
    content[-6:-2] = (stated + 10).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.zip: the member 'ada\.json' cannot be unpacked"):
        [member.read() for member in list_members(path)]


def test_an_empty_zip_is_a_zip_and_other_beginnings_are_not(tmp_path: Path) -> None:
    assert is_zip(saved(tmp_path, zip_bytes({})))
    assert list_members(tmp_path / "batch.zip") == []
    for content in (b"", b"PK", b"PK\x03", b"pk\x03\x04", b" PK\x03\x04"):
        assert not is_zip(saved(tmp_path, content, "other"))


def test_the_head_of_a_file_is_its_first_bytes(tmp_path: Path) -> None:
    assert head_of(saved(tmp_path, b"0123456789"), 3) == b"012"
    assert head_of(tmp_path / "batch.zip", 99) == b"0123456789"
    with pytest.raises(InputError, match="it cannot be read: Is a directory") as refused:
        head_of(tmp_path, 3)
    assert (refused.value.source, refused.value.remedy) == (str(tmp_path), "Check who may read it.")


@pytest.mark.parametrize(("name", "called"), [("ada.json", "ada.json"), ("", "{folder}/a.json")])
def test_an_uploaded_file_goes_by_the_name_it_is_given(
    name: str, called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path, b"12345", "a.json")
    (member,) = list_members(path, name=name)
    assert (member.name, member.size, member.read()) == (name or "a.json", 5, b"12345")
    monkeypatch.setenv("ASSAY_LIMIT_FILE_BYTES", "5")
    assert member.read() == b"12345"
    monkeypatch.setenv("ASSAY_LIMIT_FILE_BYTES", "4")
    with pytest.raises(InputError, match="has 5 bytes") as refused:
        member.read()
    assert refused.value.source == called.format(folder=tmp_path)
    path.unlink()
    with pytest.raises(InputError, match="No such file") as refused:
        member.read()
    assert refused.value.source == called.format(folder=tmp_path)


def test_a_folder_may_hold_as_many_files_as_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ARCHIVE_MEMBERS", "2")
    for i in range(2):
        saved(tmp_path, b"", f"{i}.json")
    assert names(list_members(tmp_path)) == ["0.json", "1.json"]
