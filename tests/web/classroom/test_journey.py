"""From a roster of thirty to an answered appeal, through the pages that people use."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from assay.store.schema import metadata
from tests.store.databases import fresh_postgresql
from tests.web.annotated import ADA, BEN, TRUTH, coco, fields, zipped
from tests.web.classroom.classes import MARK, PEOPLE, TEXTS, Class


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def course(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    folder: Path = tmp_path_factory.mktemp("class")
    is_file = request.param == "sqlite"
    url = f"sqlite:///{folder / 'assay.db'}" if is_file else fresh_postgresql(request.getfixturevalue("postgresql"))
    opened = Class(url, folder)
    yield opened
    opened.close()


def test_a_student_hands_in_a_teacher_reviews_and_releases_and_the_student_appeals(course: Class) -> None:
    workspace = course.assignment()
    here = f"/courses/{course.course}/assignments/{workspace}"
    receipt = course.hand_in("amara", workspace).text
    course.hand_in("ben", workspace)

    assert "Draft 1 received" in receipt
    assert "readable" in receipt
    assert re.search(r"SHA-256 <code[^>]*>[0-9a-f]{64}<", receipt)

    course.visit.work()
    items = course.item_ids(workspace)
    assert set(items) == {"Amara Osei", "Ben Carver"}
    own = f"/essays/{workspace}/submissions/{items['Amara Osei']}"
    results = f"/api/v1/workspaces/{workspace}/results"
    assert course.get("amara", own, status=404)
    assert course.get("amara", results).json()["total"] == 0
    assert "Your grade is private" in course.get("amara", f"/mine/{workspace}").text

    course.post("teacher", f"{own}/confirm")
    course.release(workspace, who="reviewed")
    page = course.get("amara", f"/mine/{workspace}").text
    assert "Your grade" in page
    assert "Aims for your next draft" in page
    assert [row["item"]["id"] for row in course.get("amara", results).json()["results"]] == [items["Amara Osei"]]
    assert "Your grade is private" in course.get("ben", f"/mine/{workspace}").text, "Ben's was not reviewed"
    assert course.get("ben", own, status=404)
    assert MARK in course.get("amara", own).text

    course.post("amara", f"/mine/{workspace}/appeals", about="score", text="I gave three reasons.")
    queue = course.get("teacher", f"/courses/{course.course}/appeals").text
    assert "I gave three reasons." in queue
    listed = course.get("teacher", f"/essays/{workspace}/submissions?state=appeal").text
    assert "Amara Osei" in listed
    assert "Ben Carver" not in listed
    assert "Amara Osei" in course.get("teacher", f"/essays/{workspace}/submissions?state=review").text
    target = re.search(rf"/courses/{course.course}/appeals/{workspace}/\d+", queue)
    assert target is not None
    course.post("teacher", target[0], text="You did, and the third needs an example.")
    assert "the third needs an example" in course.get("amara", f"/mine/{workspace}").text
    assert "I gave three reasons." not in course.get("teacher", f"/courses/{course.course}/appeals").text
    assert course.get("teacher", f"{here}/gradebook/canvas").text.count("\n") == 32


def test_a_draft_is_replaced_until_the_deadline_and_the_earlier_one_is_kept(course: Class) -> None:
    workspace = course.assignment()
    course.hand_in("amara", workspace)
    again = course.hand_in("amara", workspace, text=TEXTS["amara"] + " A better ending.")

    assert "Draft 2 received" in again.text
    assert course.get("amara", f"/mine/{workspace}/drafts/1").content.decode() == TEXTS["amara"]
    assert course.get("ben", f"/mine/{workspace}/drafts/1", status=404)
    course.visit.work()
    assert list(course.item_ids(workspace)) == ["Amara Osei"], "only the last draft is scored"


def test_after_the_deadline_work_is_late_or_refused_unless_it_was_extended(course: Class) -> None:
    strict = course.assignment(due="2020-01-01T12:00")
    refused = course.hand_in("amara", strict, status=422).text
    course.post(
        "teacher",
        f"/courses/{course.course}/assignments/{strict}/extension",
        student=course.students["amara"],
        until="2099-01-01T12:00",
    )
    lenient = course.assignment(due="2020-01-01T12:00", takes_late="true")

    assert "late work is not accepted" in refused
    assert "late</span>" not in course.hand_in("amara", strict).text
    assert "late</span>" in course.hand_in("ben", lenient).text
    assert "The deadline is over" in course.hand_in("ben", lenient, status=422).text, "it was handed in"


def test_a_file_that_cannot_be_read_is_refused_at_once_and_nothing_is_kept(course: Class) -> None:
    workspace = course.assignment()
    files = {"file": ("letter.docx", b"PK\x03\x04 this is no Word file")}
    answer = course.post("amara", f"/mine/{workspace}/hand-in", files=files, status=422)

    assert "letter.docx" in answer.text
    assert "Draft 1" not in answer.text
    assert course.get("teacher", f"/api/v1/workspaces/{workspace}/uploads").json()["uploads"] == []


def test_in_anonymous_marking_nobody_sees_a_name_until_release(course: Class) -> None:
    workspace = course.assignment(anonymous="true")
    here = f"/courses/{course.course}/assignments/{workspace}"
    course.hand_in("ben", workspace)
    course.visit.work()
    (code,) = course.item_ids(workspace)
    pages = [
        f"/essays/{workspace}/submissions",
        f"/essays/{workspace}/history",
        f"/api/v1/workspaces/{workspace}/uploads",
        f"/essays/{workspace}/exports/all/scores.csv",
        f"/courses/{course.course}/log",
    ]
    seen = {path: course.get("teacher", path).text for path in pages}

    assert re.fullmatch(r"[A-Z2-9]{3}-[A-Z2-9]{3}", code)
    assert {path for path, text in seen.items() if "ben-letter" in text or code not in text} == set()
    assert {path for path, text in seen.items() if "Ben Carver" in text and "/log" not in path} == set()
    roster = course.get("teacher", here).text
    assert code in roster
    listed, _, aside = roster.partition("<aside")
    assert not any(name in listed for name in PEOPLE), "nobody can be told by who is missing"
    assert f'value="{course.students["ben"]}"' not in listed
    assert "Ben Carver" in aside, "an extension is given by name"
    before = course.get("teacher", f"{here}/gradebook/csv").text
    course.release(workspace, who="some", student=[code])
    after = course.get("teacher", f"{here}/gradebook/csv").text

    assert re.search(r"Ben Carver,ben@school.example,id-ben,,", before), "no score beside a name"
    assert re.search(r"Ben Carver,ben@school.example,id-ben,\d", after)
    assert list(course.item_ids(workspace)) == ["Ben Carver"]


def test_an_erased_person_is_nowhere_in_the_database_its_files_exports_or_search(course: Class) -> None:
    workspace = course.assignment()
    course.hand_in("amara", workspace, text=TEXTS["amara"] + " Once.")
    course.hand_in("amara", workspace)
    course.hand_in("ben", workspace)
    course.visit.work()
    own = course.students["amara"]
    course.get("root", f"/essays/{workspace}/exports/all/scores.csv")
    taken = course.get("root", f"/privacy/{own}/data.zip").content
    with zipfile.ZipFile(io.BytesIO(taken)) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".txt")]
    assert any(MARK in text for text in texts)
    assert "type the name" in course.post("root", f"/privacy/{own}/erase", typed="Ben", status=422).text
    course.post("root", f"/privacy/{own}/erase", typed="Amara Osei")

    words = ("amara", "osei", MARK)
    assert found_in_tables(course, words) == {}
    files = [path for path in course.cache.parent.rglob("*") if path.is_file()]
    assert {
        path.name for path in files if any(word in path.read_bytes().lower() for word in map(str.encode, words))
    } == set()
    assert list(course.item_ids(workspace)) == ["Ben Carver"]
    assert "Amara" not in course.get("teacher", f"/essays/{workspace}/exports/all/scores.csv").text
    assert "Amara" not in course.get("teacher", f"/essays/{workspace}/submissions?find=Amara").text.replace(
        'value="Amara"', ""
    )
    assert "Amara Osei" not in course.get("root", "/privacy?find=Osei").text
    log = course.get("root", "/audit.csv").text
    assert "erase person" in log
    assert "amara" not in log.casefold()


def found_in_tables(course: Class, words: tuple[str, ...]) -> dict[str, int]:
    """Table -> how many of its rows hold one of the words, as text or in stored bytes."""
    hits: dict[str, int] = {}
    with course.visit.site.database.reading() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(sa.select(table)):
                held = b" ".join(c if isinstance(c, bytes) else str(c).encode() for c in row).lower()
                if any(word.encode() in held for word in words):
                    hits[table.name] = hits.get(table.name, 0) + 1
    return hits


def test_annotations_are_handed_in_checked_released_and_erased(course: Class) -> None:
    workspace = course.assignment(kind="annotations")

    def hand_in(who: str, name: str, content: bytes, status: int = 200) -> str:
        files = {"file": (name, content)}
        return course.post(who, f"/mine/{workspace}/hand-in", files=files, status=status).text

    early = hand_in("ben", "mine.json", coco(BEN), 422)
    truth = fields(truth={"truth.json": coco(TRUTH)})
    course.post("teacher", f"/annotations/{workspace}/files", files=truth)
    broken = hand_in("ben", "mine.json", b"{", 422)
    several = hand_in("ben", "two.zip", zipped({"ada.json": coco(ADA), "ben.json": coco(BEN)}), 422)
    receipt = hand_in("ben", "mine.json", coco(BEN))
    course.visit.work()
    item = course.item_ids(workspace)["Ben Carver"]
    own = f"/annotations/{workspace}/submissions/{item}"
    course.get("ben", own, status=404)
    course.release(workspace, shown=["score", "errors"])
    page = course.get("ben", f"/mine/{workspace}").text
    course.get("ben", own, status=404)
    course.release(workspace, shown=["overlay"])
    overlay = course.get("ben", own).text

    assert "no ground truth yet" in early
    assert "Draft 1" not in broken + several
    assert "work of 2 people" in several
    assert "3 annotations, readable" in receipt
    assert "83.3" in page
    assert re.search(r"<b[^>]*>2</b> matched.*<b[^>]*>1</b> missed.*<b[^>]*>1</b> extra", page)
    assert "Ben Carver" in overlay

    course.post("root", f"/privacy/{course.students['ben']}/erase", typed="Ben Carver")
    assert found_in_tables(course, ("ben carver", "mine.json")) == {}
    assert course.item_ids(workspace) == {}
