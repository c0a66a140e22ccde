"""Folders and ZIPs: listed whole, read within bounds, refused when they are not what an honest person hands in."""

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.archive import Limits, Member, is_zip, list_members, nested_members


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


def test_limits_on_members_and_sizes_hold(tmp_path: Path) -> None:
    path = saved(tmp_path, zip_bytes({f"{i}.json": b"12345" for i in range(4)}))
    with pytest.raises(InputError, match="holds 4 files; at most 3"):
        list_members(path, limits=Limits(members=3))
    with pytest.raises(InputError, match="unpack to 20 bytes; at most 19"):
        list_members(path, limits=Limits(total_bytes=19))
    with pytest.raises(InputError, match="unpack to 5 bytes; at most 4"):
        list_members(path, limits=Limits(member_bytes=4))


def test_a_folder_with_too_many_files_is_refused(tmp_path: Path) -> None:
    for i in range(3):
        saved(tmp_path, b"", f"{i}.json")
    with pytest.raises(InputError, match="more than 2 files"):
        list_members(tmp_path, limits=Limits(members=2))


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
