"""The list of submissions: sorted, filtered, a page at a time; and what a student sees."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from assay.store.items import NewItem, put_items
from assay.store.jobs import PieceStage, Progress
from assay.store.schema import results
from assay.web.pages.page_parts import cell_text, progress_words
from tests.store.scored import NOW
from tests.web.annotated import EVERYONE, TRUTH, coco, fields, graded, item_of, override, png
from tests.web.visits import Visit

PASSWORD = "correct horse battery"


def names(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="[^"]*/submissions/\d+">([^<]+)</a>', page)


LISTS = {
    "": ["ada", "cy", "ben"],
    "?sort=final&order=up": ["ben", "cy", "ada"],
    "?sort=name&order=down": ["cy", "ben", "ada"],
    "?sort=extra&order=down": ["ben", "ada", "cy"],
    "?sort=quality": ["ada", "ben", "cy"],
    "?sort=nonsense": ["ada", "cy", "ben"],
    "?find=C": ["cy"],
    "?find=%25": [],
    "?state=changed": ["cy"],
    "?state=review": ["ada", "cy", "ben"],
    "?state=failed": [],
    "?page=99": ["ada", "cy", "ben"],
}
"""Query -> the students listed, in order."""


def test_the_list_is_sorted_and_filtered(visit_on_both: Visit) -> None:
    url = graded(visit_on_both)
    override(visit_on_both, url, "cy", "label:1:1", 100)
    assert {query: names(visit_on_both.page(f"{url}/submissions{query}")) for query in LISTS} == LISTS


def test_ten_thousand_submissions_are_shown_fifty_at_a_time(visit: Visit) -> None:
    url = graded(visit)
    workspace, engine = crowded(visit, url, 10_000)
    page = visit.page(f"{url}/submissions?sort=name&order=up")
    last = visit.page(f"{url}/submissions?sort=name&order=up&page=201")
    found = visit.page(f"{url}/submissions?find=student+0777")
    work = visit.page(f"{url}/submissions/{item_of(visit, url, 'ada')}")

    assert (workspace, bool(engine)) == (url.rpartition("/")[2], True)
    assert len(names(page)) == 50
    assert "Page 1 of 201" in page
    assert names(last) == ["student 09997", "student 09998", "student 09999"]
    assert sorted(names(found)) == [f"student 0777{i}" for i in range(10)]
    assert work.count('<span class="meta r">') == 200


def crowded(visit: Visit, url: str, number: int) -> tuple[str, str]:
    """The workspace with many more results, all like the first one's."""
    site, workspace = visit.site, url.rpartition("/")[2]
    found = visit.client.get(f"/api/v1/workspaces/{workspace}").json()
    engine = found["settings"]["engine"]
    payload = visit.client.get(f"/api/v1/workspaces/{workspace}/results").json()["results"][0]["payload"]
    with site.database.writing() as connection:
        new = [NewItem(f"{i:064x}", f"student {i:05}", {"is": "submission"}) for i in range(number)]
        kept = put_items(connection, workspace, new, now=site.now())
        rows = [
            {"item_id": item.id, "engine": engine, "score": i % 97, "payload": payload, "files": {}, "made": site.now()}
            for i, item in enumerate(kept)
        ]
        connection.execute(insert(results), rows)
    return workspace, engine


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Visit]:
    """An app where people sign in; Ada looks after it, ben is a student."""
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", accounts=True, first_run_key="the key")
    made.send("/first-run", name="Ada", password=PASSWORD, key="the key")
    made.send("/accounts", name="ben", password=PASSWORD, role="student")
    made.send("/courses/default/people", name="ben", role="student")
    yield made
    made.close()


def test_a_student_sees_their_own_work_and_reasons_and_nothing_else(guarded: Visit) -> None:
    visit = guarded
    files = fields(truth={"truth.json": coco(TRUTH)}, submissions=EVERYONE, images={"one.png": png()})
    url = str(visit.send("/annotations", files=files).url.path).removesuffix("/submissions")
    visit.work()
    ids = {name: item_of(visit, url, name) for name in ("ada", "ben")}
    page = visit.page(f"{url}/submissions/{ids['ben']}?image=2&finding=2")
    (accept,) = re.findall(r'value="([^"]*\|100\|extra:2)"', page)
    visit.send(f"{url}/submissions/{ids['ben']}/decisions", choice=accept, reason="fair enough", image=2, finding=2)
    shown: dict[str, Any] = {"who": "all", "shown": ["score", "errors", "overlay"], "action": "release"}
    visit.send(f"/courses/default/assignments/{url.rpartition('/')[2]}/release", **shown)
    visit.send("/sign-out")
    visit.send("/sign-in", name="ben", password=PASSWORD)
    own = visit.page(f"{url}/submissions/{ids['ben']}?image=2&finding=2")
    report = visit.client.get(f"{url}/exports/{ids['ben']}/ben-report.html")

    assert "You found" in own
    assert "fair enough" in own
    assert "Undo" not in own
    assert not re.search(r"\bada\b", own)
    assert 'id="ov"' not in own
    assert visit.client.get(f"{url}/images/0").status_code == 200
    assert report.status_code == 200
    for path in (f"/submissions/{ids['ada']}", f"/exports/{ids['ada']}/ada-report.html", "/exports/all/summary.csv"):
        assert visit.client.get(url + path).status_code == 404
    for path in ("/submissions", "/rules", "/insights", "/exports", "/files"):
        assert visit.client.get(url + path).status_code == 403
    form = {"csrf": visit.token(), "review": "submission"}
    assert visit.client.post(f"{url}/submissions/{ids['ben']}/decisions", data=form).status_code == 403


NOTHING: Any = {"rate": None, "seconds_left": None, "created": NOW, "finished": None}


def test_progress_is_told_in_words() -> None:
    job = Progress(
        "j", "w", "essays", "running", done=3, failed=1, total=1200, **{**NOTHING, "rate": 0.5, "seconds_left": 190.0}
    )
    alone = Progress("j", "w", "essays", "running", 0, 0, 1, **NOTHING, stage=PieceStage("Reading essays", 2, 8))

    assert progress_words(job)["count"] == "4 of 1,200"
    assert progress_words(job)["detail"] == "1 failed, 30 a minute, 3 min left"
    assert progress_words(alone)["detail"] == "Reading essays: 2 of 8"


def test_a_long_cell_is_cut_and_an_empty_one_stays_empty() -> None:
    assert (cell_text("x" * 50, 10), cell_text(None, 10), cell_text(4.0, 10)) == ("x" * 7 + "...", "", "4")
