"""From a table to a report, in pages: on both databases."""

import re
import zipfile
from io import BytesIO
from typing import Any

import pytest

from tests.web.visits import Visit, table

SCORES = "id,rater,engine,other,group\n" + "".join(
    f"r{i},{1 + i % 5},{1 + i % 5 + (i % 3 - 1) * 0.4:.1f},{1 + (i * 7) % 5},{'north' if i % 2 else 'south'}\n"
    for i in range(60)
)


def workspace_of(visit: Visit, scores: str = SCORES, name: str = "scores.csv") -> str:
    """A workspace with a table in it; its address."""
    answer = visit.send("/evaluation", files=table(scores, name))
    return str(answer.url.path).removesuffix("/columns")


def chosen(**changes: Any) -> dict[str, Any]:
    return {"human": ["rater"], "system": ["engine"], "groups": ["group"], "id": "id", "scale": "1-5", **changes}


def test_the_columns_are_guessed_and_the_first_rows_shown(visit: Visit) -> None:
    page = visit.page(workspace_of(visit) + "/columns")

    assert re.search(r'name="human" value="rater" checked', page)
    assert re.search(r'name="system" value="engine" checked', page)
    assert "r0" in page
    assert '<span class="rolechip human">human</span>' in page


def test_a_table_becomes_a_report_and_exports(visit_on_both: Visit) -> None:
    visit = visit_on_both
    url = workspace_of(visit)
    waiting = visit.send(f"{url}/columns", **chosen()).text
    visit.work()
    report = visit.page(f"{url}/report")

    assert "The report is being made" in waiting
    assert "Agreement with people" in report
    assert "60 responses" in report
    files = re.findall(rf'href="({url}/exports/[^"?]+)"', visit.page(f"{url}/exports"))
    ends = sorted(file.rpartition(".")[2] for file in files)
    assert ends == ["html", "json", "pdf", "xlsx", "zip"]
    contents = {file.rpartition("/")[2]: visit.client.get(file) for file in files}
    assert contents["report.pdf"].content.startswith(b"%PDF")
    assert contents["evaluation.json"].json()["n"] == 60
    assert "eval.csv" in zipfile.ZipFile(BytesIO(contents["tables.zip"].content)).namelist()
    assert all("attachment" in answer.headers["content-disposition"] for answer in contents.values())


def test_a_second_engine_is_compared_on_the_same_responses(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    before = visit.page(f"{url}/engines")
    visit.send(f"{url}/engines", system="other")
    visit.work()
    after = visit.page(f"{url}/engines")

    assert "One engine so far" in before
    assert "2 engines against human scores" in after
    assert "“engine”" in after
    assert "“other”" in after


def test_the_home_page_shows_state_and_trust(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    running = visit.page("/")
    visit.work()
    done = visit.page("/")

    assert 'role="progressbar"' in running
    assert "thresholds met" in done
    assert re.search(r"QWK 0\.\d\d", done)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"human": []}, "Choose the column with the human score."),
        ({"system": []}, "Choose the column with the system score."),
        ({"system": ["rater"]}, "is chosen as a human score too"),
        ({"scale": "six"}, "Cannot read the scale"),
        ({"human": ["group"]}, "which is not a number"),
        ({"id": "group"}, "repeats ids"),
        ({"id": "nowhere"}, "The table has no column"),
    ],
)
def test_a_mistake_is_told_beside_its_field_and_the_choice_is_kept(
    visit: Visit, changes: dict[str, Any], words: str
) -> None:
    url = workspace_of(visit)

    page = visit.send(f"{url}/columns", status=422, **chosen(**changes)).text

    assert words in page.replace("&#39;", "'")
    assert 'aria-invalid="true"' in page
    assert 'name="groups" value="group" checked' in page


def test_a_score_off_the_scale_fails_the_job_with_its_row_and_the_file_name_its_owner_knows(visit: Visit) -> None:
    url = workspace_of(visit, SCORES + "r99,9,3,3,north\n", "my scores.csv")
    visit.send(f"{url}/columns", **chosen())
    visit.work()

    page = visit.page(f"{url}/report")

    assert "The table could not be evaluated" in page
    assert "my scores.csv, row 62: rater is 9" in page


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", "", "empty"),
        ("table.xlsx", "not a workbook", "table.xlsx"),
    ],
)
def test_a_file_that_is_no_table_is_refused_beside_the_field(visit: Visit, name: str, content: str, words: str) -> None:
    page = visit.send("/evaluation", files=table(content, name), status=422).text

    assert words in page
    assert "No such" not in page
    assert visit.client.get("/api/v1/workspaces").json() == {"workspaces": []}


def test_no_file_at_all_is_said_beside_the_field(visit: Visit) -> None:
    assert "Choose a table first" in visit.send("/evaluation", status=422).text


def test_names_of_files_columns_and_cells_are_shown_and_never_obeyed(visit: Visit) -> None:
    evil = "<img src=x onerror=alert(1)>"
    rows = "".join(f"{evil}{i},{1 + i % 5},{1 + i % 4},{evil if i % 2 else 'b'}\n" for i in range(40))
    url = workspace_of(visit, f'id,"rater {evil}",engine,"group {evil}"\n' + rows, f"{evil}.csv")
    human, group = f"rater {evil}", f"group {evil}"
    visit.send(f"{url}/columns", human=[human], system=["engine"], groups=[group], id="id")
    visit.work()

    for path in ("/", f"{url}/columns", f"{url}/report", f"{url}/exports", f"{url}/history", f"{url}/engines"):
        page = visit.page(path)
        assert "<img" not in page
        assert "&lt;img src=x" in page


def test_the_same_choice_again_is_answered_from_what_was_made_before(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    visit.send(f"{url}/columns", **chosen(scale="1-6"))
    visit.work()
    page = visit.send(f"{url}/columns", **chosen()).text

    assert "Agreement with people" in page
    assert "scale 1 to 5" in page


def test_a_removed_workspace_can_be_brought_back(visit: Visit) -> None:
    url = workspace_of(visit)
    id_ = url.rpartition("/")[2]
    page = visit.send(f"/workspaces/{id_}/remove").text
    gone = visit.client.get(url).status_code
    visit.send(f"/workspaces/{id_}/restore")

    assert "Bring it back" in page
    assert (gone, visit.client.get(url).status_code) == (404, 200)


def test_the_example_opens_and_one_click_removes_it(visit: Visit) -> None:
    visit.send("/example")
    visit.work()
    assert "Three engines, 600 responses" in visit.page("/")
    visit.send("/example/remove")
    assert "Three engines" not in visit.page("/")
