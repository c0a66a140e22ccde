"""What is stored of a person is given out whole, and files of the cache are forgotten by their digest."""

import io
import json
import zipfile
from pathlib import Path

from assay.web.classroom.person_data import forget_files
from tests.web.classroom.classes import TEXTS, Class


def test_an_archive_has_drafts_results_messages_and_nothing_of_others(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    workspace = course.assignment()
    course.hand_in("amara", workspace, text=TEXTS["amara"] + " First.")
    course.hand_in("amara", workspace)
    course.hand_in("ben", workspace)
    course.visit.work()
    course.release(workspace)
    course.post("amara", f"/mine/{workspace}/appeals", about="other", text="Thank you.")
    content = course.get("root", f"/privacy/{course.students['amara']}/data.zip").content
    course.get("teacher", f"/privacy/{course.students['amara']}/data.zip", status=403)
    course.close()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}

    assert files[f"work/{workspace}/draft-1.txt"].endswith("First.")
    assert files[f"work/{workspace}/draft-2.txt"] == TEXTS["amara"]
    assert [message["text"] for message in json.loads(files["messages.json"])] == ["Thank you."]
    assert json.loads(files["releases.json"])[0]["released"]
    scored = [json.loads(text) for name, text in files.items() if name.endswith(".json") and "/" in name]
    assert any(one.get("result") for one in scored)
    assert "Ben Carver" not in " ".join(files.values())
    assert "radio" not in " ".join(files.values())


def test_cached_files_of_erased_bytes_go_and_others_stay(tmp_path: Path) -> None:
    for name in ("aa.txt", "aa.pdf", "bb.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    forget_files(tmp_path, ["aa"])

    assert [path.name for path in tmp_path.iterdir()] == ["bb.txt"]
